/** What `npm run test:long` says of itself. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'vitest'

const program = path.resolve(import.meta.dirname, '../../long/run.ts')
const said = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('help is the usage and the list of runs', { timeout: 60_000 }, ({ expect }) => {
  const { status, stdout, stderr } = said('--help')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain('[--rounds N] [--seed N] [NAME…]')
  expect(stdout).toMatch(/^ {2}agent-crash {2}\S/m)
})

test.for([
  { args: ['--hlep'], problem: '--hlep' },
  { args: ['--rounds'], problem: '--rounds' },
  { args: ['--rounds', 'many'], problem: '--rounds takes a whole number' },
  { args: ['nothing-like-it'], problem: 'No long run is called nothing-like-it' },
])('$args is refused in words', { timeout: 60_000 }, ({ args, problem }, { expect }) => {
  const { status, stdout, stderr } = said(...args)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain(problem)
  expect(stderr).not.toMatch(/^\s+at /m)
})
