import { test } from 'vitest'
import { requestIdOf } from '../../../shared/http/request-id.ts'

const max = 10
const idOf = (sent: string | null | undefined) => requestIdOf(sent, max, () => 'made')

test.for([
  ['a caller’s own', 'call-1', 'call-1'],
  ['one of as many characters as are kept', 'x'.repeat(max), 'x'.repeat(max)],
  ['one character more', 'x'.repeat(max + 1), `${'x'.repeat(max - 1)}~`],
  ['none', undefined, 'made'],
  ['no header', null, 'made'],
  ['an empty one', '', 'made'],
  ['one with a blank', 'a b', 'made'],
  ['one with a line of its own', 'a\nb', 'made'],
  ['one that is not ASCII', 'é', 'made'],
] as const)('%s', ([, sent, wanted], { expect }) => {
  expect(idOf(sent)).toBe(wanted)
})
