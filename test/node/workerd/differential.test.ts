// @module-tag slow
import { test } from 'vitest'
import { runDifferential } from '../../long/differential.ts'
import { makeDataFolder } from '../../support/data-folder.ts'

const rounds = 30
// Both runtimes start, one of them bundles its script: seconds on a quiet machine, and much longer beside other work.
const timeoutMs = 240_000

test(`${rounds} handfuls of calls, some at once, have the same answers on both runtimes`, {
  timeout: timeoutMs,
}, async ({ expect }) => {
  const seed = Math.floor(Math.random() * 1e9)
  const result = await runDifferential({ rounds, seed, folder: await makeDataFolder(), log: () => undefined })
  process.stdout.write(`differential: seed ${seed}, ${JSON.stringify(result)}\n`)
  expect(result.differences, `seed ${seed}`).toEqual([])
  expect(result.calls).toBeGreaterThan(rounds)
})
