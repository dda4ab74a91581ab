import { test } from 'vitest'
import { auditAbout } from '../../../workers/app/core/audit-about.ts'
import { auditNameCharactersMax, auditNamesMax } from '../../../workers/app/limits.ts'

const names = (count: number) => Array.from({ length: count }, (_, at) => `name ${at}`)

test('as many names as are kept are all there, and of one more its number', ({ expect }) => {
  expect(auditAbout({ names: names(auditNamesMax) })).toEqual({ names: names(auditNamesMax), more: 0 })
  expect(auditAbout({ names: names(auditNamesMax + 1) })).toEqual({ names: names(auditNamesMax), more: 1 })
})

test('a name is whole up to its bound, and cut by characters past it', ({ expect }) => {
  const longest = '𝒏'.repeat(auditNameCharactersMax)
  expect(auditAbout({ names: [longest, `${longest}!`] })?.names).toEqual([longest, longest])
})

test('what has no name is counted, and nothing to say is nothing', ({ expect }) => {
  expect(auditAbout({ deed: 'pause', names: ['one', ''], count: 12 })).toEqual({
    deed: 'pause',
    names: ['one'],
    more: 11,
  })
  expect(auditAbout({ names: [''] })).toBeUndefined()
})
