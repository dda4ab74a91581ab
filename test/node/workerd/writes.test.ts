// @module-tag slow
import { test } from 'vitest'
import { runWrites } from '../../long/writes.ts'
import { makeDataFolder } from '../../support/data-folder.ts'

const rounds = 4
// A start each: seconds on a quiet machine, and much longer beside other work.
const timeoutMs = 240_000

test(`${rounds} times killed -9 under every kind of write, nothing acknowledged is lost and nothing is half done`, {
  timeout: timeoutMs,
}, async ({ expect }) => {
  const seed = Math.floor(Math.random() * 1e9)
  const dataFolder = await makeDataFolder()
  const result = await runWrites({ rounds, seed, dataFolder, log: () => undefined })
  process.stdout.write(`writes: seed ${seed}, ${JSON.stringify(result)}\n`)
  expect(result, `seed ${seed}`).toMatchObject({ rounds, faults: [] })
  expect(result.answers[200]).toBeGreaterThan(rounds)
  expect(result.routes).toBeGreaterThan(rounds)
})
