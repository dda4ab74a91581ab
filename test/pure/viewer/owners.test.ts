import { test } from 'vitest'
import { ownerRulesMax, ownersIn, ownerWildcardsMax } from '../../../local/viewer/core/owners.ts'

const list = `# Everything that nobody else looks after.
*           @dock/all
*.ts        @dock/code  # and this is why
/docs/*     @dock/words writer@example.org
apps/       @dock/apps
/apps/open
**/logs/**  @dock/logs
[Section]
!apps/ours.txt @dock/nobody
with\\ space.txt @dock/space
`

test.for([
  ['readme.txt', ['@dock/all']],
  ['src/a.ts', ['@dock/code']],
  ['docs/a.md', ['@dock/words', 'writer@example.org']],
  // What lies deeper is not meant by `docs/*`.
  ['docs/deep/a.md', ['@dock/all']],
  ['other/docs/a.md', ['@dock/all']],
  ['apps/a.ts', ['@dock/apps']],
  ['deep/apps/x/a.ts', ['@dock/apps']],
  // A line without owners says that there are none.
  ['apps/open/a.ts', []],
  ['build/logs/x/y.txt', ['@dock/logs']],
  ['apps/ours.txt', ['@dock/apps']],
  ['with space.txt', ['@dock/space']],
] as const)('the owners of %s are those of the last line that fits', ([path, owners], { expect }) => {
  expect(ownersIn(list)(path)).toEqual(owners)
})

test('lines and wildcards beyond the bounds are passed over', ({ expect }) => {
  const lines = Array.from({ length: ownerRulesMax + 1 }, (_, i) => `/f${i} @owner${i}`)
  const of = ownersIn(lines.join('\n'))
  expect(of(`f${ownerRulesMax - 1}`)).toEqual([`@owner${ownerRulesMax - 1}`])
  expect(of(`f${ownerRulesMax}`)).toEqual([])

  const wild = (count: number): string => `/${'a*'.repeat(count)} @wild`
  expect(ownersIn(wild(ownerWildcardsMax))('a'.repeat(20))).toEqual(['@wild'])
  expect(ownersIn(wild(ownerWildcardsMax + 1))('a'.repeat(20))).toEqual([])
})
