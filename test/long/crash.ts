/**
 * Kills the host, the runtime or both at random moments while rows are written, starts again at once, and counts: every
 * acknowledged row must be there exactly once, and one runtime must have the folder open.
 */
import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type HostProcess, runtimesOf, startProbe, until } from '../support/process-host.ts'
import { seededRandom } from './seeded-random.ts'

export interface CrashOptions {
  readonly rounds: number
  readonly seed: number
  readonly dataFolder: string
  readonly log: (line: string) => void
}

export interface CrashResult {
  readonly rounds: number
  readonly acknowledged: number
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  /** Rows that were kept although the crash took their answer away. */
  readonly keptUnanswered: number
  /** Rounds after whose restart not exactly one runtime had the folder open. */
  readonly wrongRuntimeCounts: readonly string[]
  readonly restartMsMedian: number
  readonly restartMsMax: number
}

type Victim = 'host' | 'runtime' | 'both'
const victims: readonly Victim[] = ['host', 'runtime', 'both']
const stores = ['database', 'object'] as const
const writersPerStore = 3
const killAfterMsMax = 250

export async function runCrashLoop(options: CrashOptions): Promise<CrashResult> {
  const random = seededRandom(options.seed)
  const acknowledged = new Set<string>()
  const sent = new Set<string>()
  const restartsMs: number[] = []
  const wrongRuntimeCounts: string[] = []
  let host = startProbe(options.dataFolder)
  let address = await host.ready()
  try {
    for (let round = 0; round < options.rounds; round += 1) {
      const victim = victims[Math.floor(random() * victims.length)] ?? 'both'
      const writing = { isOn: true }
      const writers = stores.flatMap((store) =>
        Array.from({ length: writersPerStore }, (_, writer) =>
          write({ address, store, prefix: `${round}-${writer}`, writing, acknowledged, sent }),
        ),
      )
      await delay(random() * killAfterMsMax)
      const started = performance.now()
      const killed = await kill(victim, host, options.dataFolder)
      writing.isOn = false
      await Promise.all(writers)
      if (killed.isHostGone) {
        host = startProbe(options.dataFolder)
        address = await host.ready()
      } else {
        await until(() => isServing(address))
      }
      restartsMs.push(performance.now() - started)
      const runtimes = runtimesOf(options.dataFolder)
      if (runtimes.length !== 1) wrongRuntimeCounts.push(`round ${round} (${victim}): ${runtimes.length}`)
      // A runtime that is killed too often in a minute is given up by design: a fresh host starts a fresh count.
      if (!killed.isHostGone && round % 4 === 3) {
        host.child.kill('SIGTERM')
        await host.exit
        host = startProbe(options.dataFolder)
        address = await host.ready()
      }
      if ((round + 1) % 50 === 0) options.log(`round ${round + 1}: ${acknowledged.size} rows acknowledged`)
    }
    const found = (await Promise.all(stores.map((store) => readRows(address, store)))).flat()
    const kept = new Set(found)
    restartsMs.sort((left, right) => left - right)
    return {
      rounds: options.rounds,
      acknowledged: acknowledged.size,
      lost: [...acknowledged].filter((row) => !kept.has(row)),
      doubled: found.filter((row, index) => found.indexOf(row) !== index || !sent.has(row)),
      keptUnanswered: [...kept].filter((row) => !acknowledged.has(row)).length,
      wrongRuntimeCounts,
      restartMsMedian: Math.round(restartsMs[Math.floor(restartsMs.length / 2)] ?? 0),
      restartMsMax: Math.round(restartsMs.at(-1) ?? 0),
    }
  } finally {
    host.child.kill('SIGTERM')
    await host.exit
    await rm(options.dataFolder, { recursive: true, force: true })
  }
}

interface Writer {
  readonly address: string
  readonly store: (typeof stores)[number]
  readonly prefix: string
  readonly writing: { isOn: boolean }
  readonly acknowledged: Set<string>
  readonly sent: Set<string>
}

/** One row after another, until told to stop or the other side is gone. */
async function write(writer: Writer): Promise<void> {
  for (let count = 0; writer.writing.isOn; count += 1) {
    const row = `${writer.store}-${writer.prefix}-${count}`
    writer.sent.add(row)
    const status = await fetch(`${writer.address}/${writer.store}?value=${row}`, { method: 'POST' }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => 0,
    )
    if (status !== 201) return
    writer.acknowledged.add(row)
  }
}

async function kill(victim: Victim, host: HostProcess, dataFolder: string): Promise<{ isHostGone: boolean }> {
  const runtimes = victim === 'host' ? [] : runtimesOf(dataFolder)
  for (const runtime of runtimes) process.kill(runtime, 'SIGKILL')
  // Where the host is the runtime there is no killing the one without the other.
  if (victim === 'runtime' && !runtimes.includes(host.pid)) return { isHostGone: false }
  host.child.kill('SIGKILL')
  await host.exit
  return { isHostGone: true }
}

async function readRows(address: string, store: string): Promise<string[]> {
  const answer = await fetch(`${address}/${store}`)
  const rows: unknown = await answer.json()
  if (!Array.isArray(rows)) throw new Error(`no rows from ${store}`)
  return rows.map(String)
}

function isServing(address: string): Promise<boolean> {
  return fetch(`${address}/`).then(
    (answer) => answer.ok,
    () => false,
  )
}
