import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'vitest'
import { runAgentCrashLoop } from '../../long/agent-crash.ts'

test('killed at random moments under load, nothing acknowledged is lost or doubled', async ({ expect }) => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-crash-')))
  const seed = Math.floor(Math.random() * 1e9)
  try {
    const result = await runAgentCrashLoop({ rounds: 20, roundsMin: 7, seed, folder, log: () => undefined })

    expect(result.faults, `seed ${seed}`).toEqual([])
    expect(result.promptsAcknowledged).toBeGreaterThan(result.rounds)
    expect(result.repliesAcknowledged).toBeGreaterThan(0)
    expect(result.commandsRun + result.callsUncertain).toBeGreaterThan(0)
    expect(result.tasks).toBeGreaterThan(0)
    expect(result.backgroundLost).toBeGreaterThan(0)
    expect(result.interrupts).toBeGreaterThan(0)
    expect(result.withdrawals).toBeGreaterThan(0)
    expect(result.eventsFollowed).toBeGreaterThan(100)
    console.log(JSON.stringify({ seed, ...result }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 240_000)
