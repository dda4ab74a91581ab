/**
 * What a stranger's flood costs the owner, and what it leaves on the disk. The owner reads the list of tasks over one
 * connection, alone, beside a flood of plain refusals (`/meta` without a token, which any service has to answer), and
 * beside the flood that is judged, in turns, so that whatever else the machine does falls on all three.
 *
 * Judged is the owner's median beside the flood, against the larger of the two others: a flood is paced, but the programs
 * that make it share the machine's cores with the service, and so much even a refusal at the door costs. At most twice.
 * Where the two others differ by more than twice, or one of them does between turns, or other work keeps all cores busy,
 * nothing can be said and that is what is said; the disk is judged all the same.
 */
import { readdirSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { median } from '../bench/load.ts'
import { KeptConnection, requestBytes } from '../support/kept-connection.ts'
import { ownerOf, type RunningWharf, startWharf, temporaryFolder, tokenOf } from '../support/running-wharf.ts'
import type { AttackGroup, AttackOptions, AttackOutcome } from './attack.ts'

/** How fast a stranger knocks: as fast as some hundred phones reload a page. */
const floodPerSecond = 300
const floodConnections = 16
const ratioMax = 2
/** A database grows by whole pages with whatever the service does by itself; a row for each request is more. */
const growthBytesMax = 256 * 1024

interface Flood {
  readonly name: string
  /** Made before it is sent; sent round and round. */
  readonly requests: readonly Buffer[]
}

function floodsAt(origin: string, reader: Readonly<Record<string, string>>): Flood[] {
  const many = (name: string, make: (at: number) => Parameters<typeof requestBytes>[0]): Flood => ({
    name,
    requests: Array.from({ length: 512 }, (_, at) => requestBytes(make(at))),
  })
  const text = (at: number, length: number) => `${at}-`.padEnd(length, 'x')
  const post = (target: string, headers: Readonly<Record<string, string>>, body: string) => ({
    url: `${origin}${target}`,
    method: 'POST',
    headers,
    body,
  })
  const json = { origin, 'content-type': 'application/json' }
  return [
    many('forged sessions of devices', (at) => post('/api/tunnel/v1/session', {}, text(at, 96))),
    many('forged sessions from made-up addresses of 4 KB', (at) =>
      post('/api/tunnel/v1/session', { 'cf-connecting-ip': text(at, 4000) }, text(at, 96)),
    ),
    many('forged pairings', (at) =>
      post('/api/tunnel/v1/pair', { 'x-forwarded-for': `192.0.2.${at % 256}` }, text(at, 96)),
    ),
    many('wrong passwords', (at) => post('/api/console/v1/sign-in', json, JSON.stringify({ password: text(at, 20) }))),
    many('wrong set-up codes', (at) =>
      post('/api/console/v1/setup', json, JSON.stringify({ code: text(at, 43), password: text(at, 20) })),
    ),
    many('unknown conversations, with a token that only reads', (at) => ({
      url: `${origin}/api/app/v1/assistant/conversations/${text(at, 12)}`,
      headers: reader,
    })),
    many('addresses of 4 KB', (at) => ({ url: `${origin}/api/app/v1/${text(at, 4000)}` })),
  ]
}

/** Sends at its pace until it is stopped; when the service is slower than that, no faster than it answers. */
function startFlood(origin: string, { requests }: Flood): { stop(): Promise<Record<string, number>> } {
  const statuses: Record<string, number> = {}
  const pauseMs = (1000 * floodConnections) / floodPerSecond
  let isOver = false
  let sent = 0
  const run = async (): Promise<void> => {
    const connection = new KeptConnection(new URL(origin))
    let dueMs = performance.now() + Math.random() * pauseMs
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
      dueMs = Math.max(dueMs + pauseMs, performance.now() - pauseMs)
      const request = requests[sent % requests.length]
      sent += 1
      if (request === undefined || isOver) break
      const { status } = await connection.ask(request)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    connection.close()
  }
  const running = Promise.all(Array.from({ length: floodConnections }, run))
  return {
    async stop() {
      isOver = true
      await running
      return statuses
    },
  }
}

/** The owner's answers for so long, in milliseconds each. */
async function ownersTimes(origin: string, headers: Readonly<Record<string, string>>, ms: number): Promise<number[]> {
  const connection = new KeptConnection(new URL(origin))
  const request = requestBytes({ url: `${origin}/api/app/v1/tasks`, headers })
  const times: number[] = []
  const deadline = performance.now() + ms
  while (performance.now() < deadline) {
    const { status, totalMs } = await connection.ask(request)
    if (status !== 200) throw new Error(`the owner was answered ${status}`)
    times.push(totalMs)
  }
  connection.close()
  return times
}

/** What the first request of a kind makes is made: the service's own key for devices is, once and for good. */
async function askOnce(origin: string, { requests }: Flood): Promise<void> {
  const connection = new KeptConnection(new URL(origin))
  const [request] = requests
  if (request !== undefined) await connection.ask(request)
  connection.close()
}

interface State {
  readonly databases: number
  readonly rows: number
  /** Pages in use, also those that stand in the log only. The log itself is used over and over, to a bound of its own. */
  readonly bytes: number
}

/** What the databases below the data folder hold. */
function stateOf(folder: string): State {
  const names = readdirSync(path.join(folder, 'state'), { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => name.endsWith('.sqlite')).map((name) => path.join(folder, 'state', name))
  let [rows, bytes] = [0, 0]
  for (const file of files) {
    const database = new DatabaseSync(file, { readOnly: true })
    const [count, size] = ['page_count', 'page_size'].map((name) => database.prepare(`pragma ${name}`).get()?.[name])
    bytes += Number(count) * Number(size)
    for (const { name } of database.prepare("select name from sqlite_master where type = 'table'").all())
      rows += Number(database.prepare(`select count(*) as count from "${name}"`).get()?.['count'] ?? 0)
    database.close()
  }
  return { databases: files.length, rows, bytes }
}

async function judgeFlood(
  wharf: RunningWharf,
  owner: Readonly<Record<string, string>>,
  flood: Flood,
  isBusy: boolean,
  { isShort, log }: AttackOptions,
): Promise<AttackOutcome> {
  const { origin, dataFolder } = wharf
  const floor: Flood = { name: 'refusals', requests: [requestBytes({ url: `${origin}/api/app/v1/meta` })] }
  // Times are judged in the long form only, as a test that fails on a busy machine proves nothing: they need many turns.
  const [turns, turnMs] = isShort ? [1, 200] : [7, 600]
  const alone: number[][] = []
  const beside: { readonly floor: number[][]; readonly flood: number[][] } = { floor: [], flood: [] }
  await askOnce(origin, flood)
  const before = stateOf(dataFolder)
  let answered: Record<string, number> = {}
  for (let turn = 0; turn < turns; turn += 1) {
    if (!isShort) alone.push(await ownersTimes(origin, owner, turnMs))
    for (const kind of isShort ? (['flood'] as const) : (['floor', 'flood'] as const)) {
      const running = startFlood(origin, kind === 'floor' ? floor : flood)
      beside[kind].push(await ownersTimes(origin, owner, turnMs))
      answered = await running.stop()
    }
  }
  const after = stateOf(dataFolder)
  const times = isShort ? { told: 'its times are not judged', isSlow: false } : judgeTimes(alone, beside, isBusy)
  const detail = `${times.told}; answered ${JSON.stringify(answered)}`
  log(`${flood.name}: ${detail}`)
  const attack = `a flood of ${flood.name}`
  if (answered['200'] !== undefined) return { attack, fate: 'hole', detail: `something was let in: ${detail}` }
  const bytes = after.bytes - before.bytes
  const rows = after.rows - before.rows
  const databases = after.databases - before.databases
  if (bytes > growthBytesMax || rows > 0 || databases > 0)
    return { attack, fate: 'hole', detail: `left ${rows} rows, ${databases} databases and ${bytes} bytes` }
  return { attack, fate: times.isSlow ? 'hole' : 'bounded', detail }
}

/** What the owner waits beside the flood, beside refusals, and alone. */
function judgeTimes(
  alone: readonly (readonly number[])[],
  beside: { readonly floor: readonly (readonly number[])[]; readonly flood: readonly (readonly number[])[] },
  isBusy: boolean,
): { readonly told: string; readonly isSlow: boolean } {
  // Of all answers: a turn in which one password was checked has few, and they say little by themselves.
  const [ownMs = 0, floorMs = 0, floodMs = 0] = [alone, beside.floor, beside.flood].map((turns) => median(turns.flat()))
  const ratio = floodMs / Math.max(ownMs, floorMs)
  const isUneven = (times: readonly (readonly number[])[]) => {
    const medians = times.map((turn) => median(turn))
    return Math.max(...medians) > ratioMax * Math.min(...medians)
  }
  const isNoisy = isBusy || isUneven(alone) || isUneven(beside.floor) || floorMs > ratioMax * ownMs
  const told =
    `p50 alone ${ownMs.toFixed(1)} ms, beside refusals ${floorMs.toFixed(1)} ms, beside it ${floodMs.toFixed(1)} ms: ` +
    `${ratio.toFixed(2)} times${isNoisy ? ', too noisy to judge' : ''}`
  return { told, isSlow: ratio > ratioMax && !isNoisy }
}

export const floodAttacks: AttackGroup = {
  name: 'floods',
  about: 'what a stranger’s flood costs the owner, and what it leaves on the disk',
  async run(options: AttackOptions): Promise<readonly AttackOutcome[]> {
    // Of the last minute, before this run makes work of its own.
    const isBusy = (loadavg()[0] ?? 0) > availableParallelism()
    const folder = temporaryFolder()
    const wharf = await startWharf(folder.path)
    try {
      const owner = await ownerOf(wharf)
      const reader = await tokenOf(wharf, owner, ['app:read'])
      // The first requests compile and open what the later ones find.
      await ownersTimes(wharf.origin, reader, options.isShort ? 500 : 2000)
      const outcomes: AttackOutcome[] = []
      for (const flood of floodsAt(wharf.origin, reader))
        outcomes.push(await judgeFlood(wharf, reader, flood, isBusy, options))
      return outcomes
    } finally {
      await wharf.stop()
      folder.remove()
    }
  },
}
