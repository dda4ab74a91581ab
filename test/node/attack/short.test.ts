/** Every group of attacks in its short form: `npm run attack` is the long one. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, test } from 'vitest'
import { attackGroups } from '../../attack/groups.ts'
import { attackTable, holesOf } from '../../attack/table.ts'
import { slowIf } from '../../support/slow.ts'

const run = promisify(execFile)
const groupMsMax = 300_000
/** They take a quarter of a minute and more, also in their short form. */
const slowGroups = new Set(['parser-bombs', 'repositories', 'rivals', 'proxy', 'credentials', 'shell-lines', 'floods'])

describe('attacks on the default configuration', () => {
  for (const group of attackGroups) {
    const options = { timeout: groupMsMax, ...slowIf(slowGroups.has(group.name)) }
    test(`${group.name}: none of them gets anywhere`, options, async ({ expect }) => {
      const outcomes = await group.run({ isShort: true, log: () => undefined })

      expect(outcomes).not.toEqual([])
      expect(holesOf([{ name: group.name, outcomes }])).toEqual([])
    })
  }

  test('have names of their own', ({ expect }) => {
    const names = attackGroups.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})

test('npm run attack prints the table of the groups it is told, and refuses names that there are not', {
  timeout: groupMsMax,
  tags: 'slow',
}, async ({ expect }) => {
  const attack = (...args: string[]) =>
    run('npm', ['run', 'attack', '--silent', '--', ...args], { timeout: groupMsMax })

  const { stdout } = await attack('--short', 'credentials')

  expect(stdout).toMatch(/^credentials +\d+ +\d+ +0 +0 +0 +0 +\d+$/m)
  await expect(attack('nothing')).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('No group') })
})

test('a hole is listed with what it is, and counted in the table', ({ expect }) => {
  const outcomes = [
    { attack: 'one way', fate: 'stopped' },
    { attack: 'another', fate: 'hole', detail: 'it got in' },
    { attack: 'a third', fate: 'skipped', detail: 'no such part' },
  ] as const

  expect(holesOf([{ name: 'some', outcomes }])).toEqual(['some: another (it got in)'])
  expect(attackTable([{ name: 'some', outcomes }]).split('\n')).toEqual([
    'group  attacks  stopped  asked  contained  bounded  hole  skipped',
    'some         3        1      0          0        0     1        1',
    'all          3        1      0          0        0     1        1',
  ])
})
