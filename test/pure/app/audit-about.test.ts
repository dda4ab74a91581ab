import { test } from 'vitest'
import { auditAbout } from '../../../workers/app/core/audit-about.ts'
import { auditAboutBounds } from '../../../workers/app/limits.ts'

const { namesMax, nameCharactersMax } = auditAboutBounds

const names = (count: number) => Array.from({ length: count }, (_, at) => `name ${at}`)

test('as many names as are kept are all there, and of one more its number', ({ expect }) => {
  expect(auditAbout({ names: names(namesMax) }, auditAboutBounds)).toEqual({ names: names(namesMax), more: 0 })
  expect(auditAbout({ names: names(namesMax + 1) }, auditAboutBounds)).toEqual({ names: names(namesMax), more: 1 })
})

test('a name is whole up to its bound, and cut by characters past it', ({ expect }) => {
  const longest = '𝒏'.repeat(nameCharactersMax)
  expect(auditAbout({ names: [longest, `${longest}!`] }, auditAboutBounds)?.names).toEqual([longest, longest])
})

test('what has no name is counted, and nothing to say is nothing', ({ expect }) => {
  expect(auditAbout({ deed: 'pause', names: ['one', ''], count: 12 }, auditAboutBounds)).toEqual({
    deed: 'pause',
    names: ['one'],
    more: 11,
  })
  expect(auditAbout({ names: [''] }, auditAboutBounds)).toBeUndefined()
})
