// @module-tag slow
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'vitest'
import { runAgentCrashLoop } from '../../long/agent-crash.ts'

const roundsMax = 20
const roundsMin = 7
/** A machine that is too slow for all rounds proves in this time what it comes to. */
const roundsMsMax = 100_000

test('killed at random moments under load, nothing acknowledged is lost or doubled', async ({ expect }) => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-crash-')))
  const seed = Math.floor(Math.random() * 1e9)
  try {
    const result = await runAgentCrashLoop({
      rounds: roundsMax,
      roundsMin,
      roundsMsMax,
      seed,
      folder,
      log: () => undefined,
    })
    console.log(JSON.stringify({ seed, ...result }))

    expect(result.faults, `seed ${seed}`).toEqual([])
    expect(result.promptsAcknowledged).toBeGreaterThan(result.rounds)
    expect(result.repliesAcknowledged).toBeGreaterThan(0)
    expect(result.stepsCut).toBeGreaterThan(0)
    expect(result.eventsFollowed).toBeGreaterThan(0)
    // Kills meet work of every kind in some rounds more, which a slow machine has no time for.
    if (!result.isWhole && result.rounds < roundsMax) return
    expect(result.commandsRun + result.callsUncertain).toBeGreaterThan(0)
    expect(result.tasks).toBeGreaterThan(0)
    expect(result.backgroundLost).toBeGreaterThan(0)
    expect(result.interrupts).toBeGreaterThan(0)
    expect(result.withdrawals).toBeGreaterThan(0)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 600_000)
