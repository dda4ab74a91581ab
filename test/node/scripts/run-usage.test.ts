/** What `npm run test:long` and `npm run attack` say of themselves. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'vitest'

const programs = { 'test:long': 'long/run.ts', attack: 'attack/run.ts' } as const
type Name = keyof typeof programs

function said(name: Name, args: readonly string[]) {
  const program = path.resolve(import.meta.dirname, '../..', programs[name])
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test.for<{ name: Name; usage: string; listed: RegExp }>([
  { name: 'test:long', usage: '[--rounds N] [--seed N] [NAME…]', listed: /^ {2}agent-crash {2}\S/m },
  { name: 'attack', usage: '[--short] [--list] [GROUP…]', listed: /^ {2}parser-bombs {2}\S/m },
])(
  'help of $name is its usage and the list of what it runs',
  { timeout: 60_000 },
  ({ name, usage, listed }, { expect }) => {
    const { status, stdout, stderr } = said(name, ['--help'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain(usage)
    expect(stdout).toMatch(listed)
  },
)

test.for<{ name: Name; args: string[]; problem: string }>([
  { name: 'test:long', args: ['--hlep'], problem: '--hlep' },
  { name: 'test:long', args: ['--rounds'], problem: '--rounds' },
  { name: 'test:long', args: ['--rounds', 'many'], problem: '--rounds takes a whole number' },
  { name: 'test:long', args: ['nothing-like-it'], problem: 'No long run is called nothing-like-it' },
  { name: 'attack', args: ['--hlep'], problem: '--hlep' },
  { name: 'attack', args: ['nothing-like-it'], problem: 'No group of attacks is called nothing-like-it' },
])('$name $args is refused in words', { timeout: 60_000 }, ({ name, args, problem }, { expect }) => {
  const { status, stdout, stderr } = said(name, args)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain(problem)
  expect(stderr).not.toMatch(/^\s+at /m)
})
