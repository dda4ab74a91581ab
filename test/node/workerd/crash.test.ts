// @module-tag slow
import { describe, test } from 'vitest'
import { runCrashLoop } from '../../long/crash.ts'
import { makeDataFolder } from '../../support/data-folder.ts'

const rounds = 7
// Every round starts a host, so a busy machine takes long; `npm run test:long crash` goes on for hundreds.
const timeoutMs = 240_000

describe('kill -9 while rows are written', () => {
  test(
    `after ${rounds} crashes nothing acknowledged is lost or doubled, and one runtime has the folder`,
    async ({ expect }) => {
      const seed = Math.floor(Math.random() * 1e9)
      const dataFolder = await makeDataFolder()
      const result = await runCrashLoop({ rounds, seed, dataFolder, log: () => undefined })
      process.stdout.write(`crash loop: seed ${seed}, ${JSON.stringify(result)}\n`)
      expect(result, `seed ${seed}`).toMatchObject({ rounds, lost: [], doubled: [], wrongRuntimeCounts: [] })
      expect(result.acknowledged).toBeGreaterThan(rounds)
    },
    timeoutMs,
  )
})
