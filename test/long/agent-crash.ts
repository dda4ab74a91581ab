/**
 * Kills the agent server at random moments while clients prompt, steer, withdraw, interrupt, follow and answer permissions and
 * questions, and sub-agents, slow commands and commands in the background are under way, and starts it again: the logs must have no gap and no double,
 * everything acknowledged must be in them once, each follower must have seen each event once, as it is stored, and no command
 * may have run twice.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openSqlite } from '../../local/agent/adapters/node-sqlite.ts'
import { databaseBusyMs, databaseBytesMax, sqliteVersionMin, walBytesMax } from '../../local/agent/limits.ts'
import { createIdentifiers } from '../../local/agent/runtime/identifiers.ts'
import { SessionStore } from '../../local/agent/runtime/session-store.ts'
import { textOf } from '../../shared/sql/sync-sql.ts'
import { killAgentProgram, startAgentProgram } from '../support/agent-program.ts'
import { readEvents, type StreamedEvent } from '../support/agent-server.ts'
import { type AskedRequest, startFakeModel } from '../support/fake-model.ts'
import { seededRandom } from './seeded-random.ts'

export interface AgentCrashOptions {
  readonly rounds: number
  /** After so many rounds it ends as soon as a kill has met everything that is looked at; left out, it goes on to the last. */
  readonly roundsMin?: number
  /** From then on no round begins but the first two; left out, however long they take. */
  readonly roundsMsMax?: number
  readonly seed: number
  /** An empty folder. */
  readonly folder: string
  readonly log: (line: string) => void
}

export interface AgentCrashResult {
  readonly rounds: number
  readonly events: number
  readonly promptsAcknowledged: number
  readonly repliesAcknowledged: number
  readonly eventsFollowed: number
  readonly commandsRun: number
  readonly callsUncertain: number
  readonly interrupts: number
  /** Prompts that were acknowledged to be withdrawn. */
  readonly withdrawals: number
  /** Tasks of sub-agents, each with a session of its own. */
  readonly tasks: number
  /** Commands in the background that a kill ended. */
  readonly backgroundLost: number
  /** Steps of the model that were under way when a kill came. */
  readonly stepsCut: number
  /** There was time for `roundsMin` rounds, and for all that is looked at to be met. */
  readonly isWhole: boolean
  readonly faults: readonly string[]
  readonly restartMsMedian: number
  readonly restartMsMax: number
}

const sessionCount = 3
const killAfterMsMax = 400
const turnsBeginMsMax = 30_000
const repliesBeforeKillMax = 4
/** One killed at any moment, and one in the middle of turns. */
const roundsSmallest = 2
const interruptEveryMs = 60
const withdrawEveryMs = 25
const readAgainMax = 5
const readAgainMs = 200
/** The server holds so many connections and drops those beyond: hundreds of logs are read a few at a time. */
const readsAtOnce = 16
/** What was accepted is done by then; a single request is given up by its client after five minutes. */
const drainMsMax = 30 * 60_000
const effectsFile = 'effects'
const question = { question: 'Which?', header: 'Pick', options: [{ label: 'A', description: 'a' }] }

const subWork = 'Work for a sub-agent'

function isOfSubAgent({ messages }: AskedRequest): boolean {
  return JSON.stringify(messages.find(({ role }) => role === 'user')?.content).includes(subWork)
}

interface Follower {
  readonly sessionId: string
  readonly seen: StreamedEvent[]
  /** As the rounds have read it: it only grows, and is read whole at the end. */
  readonly log: StreamedEvent[]
}

export async function runAgentCrashLoop(options: AgentCrashOptions): Promise<AgentCrashResult> {
  const random = seededRandom(options.seed)
  const model = await startFakeModel()
  let asked = 0
  let tasks = 0
  let stepsCut = 0
  model.otherwise((request) => {
    asked += 1
    const id = `call_${asked}`
    const hold = () => delay(asked % 7)
    const effect = (name: string) => `echo ${name} >> ${effectsFile}`
    if (isOfSubAgent(request)) {
      const isFirst = request.messages.every(({ role }) => role !== 'tool')
      tasks += 1
      return isFirst
        ? { calls: [{ id, name: 'bash', input: { command: effect(id) } }] }
        : { text: ['It is done.'], hold }
    }
    switch (asked % 7) {
      case 6:
        return { calls: [{ id, name: 'bash', input: { command: `${effect(id)}; sleep 300`, background: true } }] }
      case 0:
        return { text: ['Now '], calls: [{ id, name: 'bash', input: { command: effect(id) } }] }
      case 4:
        return {
          calls: ['a', 'b'].map((name) => ({
            id: `${id}${name}`,
            name: 'task',
            input: { description: name, prompt: subWork },
          })),
        }
      case 5:
        return {
          calls: ['a', 'b'].map((name) => ({
            id: `${id}${name}`,
            name: 'bash',
            input: { command: `sleep 0.2; ${effect(id + name)}` },
          })),
        }
      case 1:
        return { calls: [{ id, name: 'question', input: { questions: [question] } }] }
      case 2:
        return { reasoning: ['hm'], text: ['one ', 'two ', 'x'.repeat(2000)], hold }
      default:
        return { text: ['done'], hold }
    }
  })
  const project = path.join(options.folder, 'project')
  const configFolder = path.join(options.folder, 'config', 'svc')
  await mkdir(project)
  await mkdir(configFolder, { recursive: true })
  await writeFile(
    path.join(configFolder, 'svc.json'),
    JSON.stringify({
      model: 'fake/one',
      permission: { bash: 'ask' },
      provider: { fake: { baseURL: model.url, models: { one: {} } } },
    }),
  )
  const prompts = new Map<string, string>()
  const replies = new Map<string, string>()
  const interrupts = { count: 0 }
  const withdrawn: Withdrawals = { acknowledged: new Set(), asked: new Set() }
  const faults: string[] = []
  const restartsMs: number[] = []
  const followers: Follower[] = []
  let background: BackgroundSeen = { running: new Set(), lost: new Set() }
  let running = await startAgentProgram(options.folder)
  try {
    for (let index = 0; index < sessionCount; index += 1) {
      const created = await sendWell(running.address, 'POST', '/api/session', {})
      if (created.status === 0) throw new Error('POST /api/session was not answered', { cause: created.cause })
      followers.push({ sessionId: created.body.data.id, seen: [], log: [] })
    }
    const hasMetAll = () =>
      [stepsCut, replies.size, interrupts.count, withdrawn.acknowledged.size, background.lost.size, tasks].every(
        (count) => count > 0,
      )
    let round = 0
    const until = performance.now() + (options.roundsMsMax ?? Number.POSITIVE_INFINITY)
    const isDone = () => round >= (options.roundsMin ?? options.rounds) && hasMetAll()
    for (; round < options.rounds && !isDone(); round += 1) {
      if (round >= roundsSmallest && performance.now() >= until) break
      const work = { isOn: true }
      const clients = followers.flatMap((follower, index) => [
        prompter(running.address, follower.sessionId, `msg_${options.seed}x${round}x${index}`, work, prompts),
        replier(running.address, follower.sessionId, work, replies),
        ...(index === 1 ? [withdrawer(running.address, follower.sessionId, work, withdrawn)] : []),
        ...(index === 0 ? [subReplier(running.address, work, replies)] : []),
        ...(round % 3 === 2 ? [interrupter(running.address, follower.sessionId, work, interrupts)] : []),
        follow(running.address, follower),
      ])
      const done = Promise.all(clients)
      // One that fails is told of once the round is over.
      done.catch(() => undefined)
      // Every other round is killed in the middle of turns that have come some way, however slow the machine is.
      if (round % 2 === 1) await untilReplied(replies, replies.size + 1 + Math.floor(random() * repliesBeforeKillMax))
      await delay(random() * killAfterMsMax)
      await killAgentProgram(running)
      work.isOn = false
      await done
      const cut = checkProjections(options.folder, followers, faults, round)
      stepsCut += cut.length
      const started = performance.now()
      running = await startAgentProgram(options.folder)
      restartsMs.push(performance.now() - started)
      await checkPending(running.address, followers, cut, faults, round)
      background = await checkBackground(running.address, followers, background, faults, round)
      if (round % 20 === 19) options.log(`${round + 1} rounds, ${faults.length} faults`)
    }
    // What still waits is answered in words alone: hundreds of tasks and commands more would prove nothing new.
    model.otherwise(() => ({ text: ['Done.'] }))
    await drainSessions(running.address, followers, replies, faults)
    const ofTasks = await taskSessions(running.address, followers)
    const logs = await readLogs(running.address, [...followers, ...ofTasks])
    checkLogs(logs, followers, { prompts, replies, withdrawn }, faults)
    const effects = await readFile(path.join(project, effectsFile), 'utf8').catch(() => '')
    const calls = checkCalls(logs.flat(), effects.split('\n').slice(0, -1), faults)
    restartsMs.sort((left, right) => left - right)
    return {
      rounds: round,
      events: logs.reduce((sum, log) => sum + log.length, 0),
      promptsAcknowledged: prompts.size,
      repliesAcknowledged: replies.size,
      eventsFollowed: followers.reduce((sum, follower) => sum + follower.seen.length, 0),
      ...calls,
      interrupts: interrupts.count,
      withdrawals: withdrawn.acknowledged.size,
      tasks: ofTasks.length,
      backgroundLost: background.lost.size,
      stepsCut,
      isWhole: isDone(),
      faults,
      restartMsMedian: Math.round(restartsMs[Math.floor(restartsMs.length / 2)] ?? 0),
      restartMsMax: Math.round(restartsMs.at(-1) ?? 0),
    }
  } finally {
    await killAgentProgram(running)
    await model.close()
  }
}

async function untilReplied(replies: ReadonlyMap<string, string>, count: number): Promise<void> {
  const deadline = performance.now() + turnsBeginMsMax
  while (replies.size < count && performance.now() < deadline) await delay(5)
}

/** An answer, or status 0 when the server went away before it was whole. One that refuses is none of those that are expected. */
async function sendWell(address: string, method: string, target: string, body?: unknown) {
  const answer = await send(address, method, target, body)
  if (answer.status >= 300) throw refused(method, target, answer)
  return answer
}

function refused(
  method: string,
  target: string,
  { status, body }: { readonly status: number; readonly body: unknown },
) {
  return new Error(`${method} ${target} was answered with ${status}: ${JSON.stringify(body)}`)
}

/** An answer of whatever status, 0 when the server went away before it was whole. */
async function send(address: string, method: string, target: string, body?: unknown) {
  try {
    const response = await fetch(`${address}${target}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  } catch (error) {
    return { status: 0, body: undefined, cause: error instanceof Error ? (error.cause ?? error) : error }
  }
}

/**
 * Of a server that is up. A kept connection may be closed by one side while the other begins to use it, on a machine that
 * is slow enough: to read is harmless, so it is read again, and only a server that does not answer at all is a fault.
 */
async function read(address: string, target: string) {
  let answer = await send(address, 'GET', target)
  for (let again = 0; answer.status === 0 && again < readAgainMax; again += 1) {
    await delay(readAgainMs)
    answer = await send(address, 'GET', target)
  }
  if (answer.status === 0) throw new Error(`GET ${target} was not answered`, { cause: answer.cause })
  return answer
}

/** The same, of what is there. */
async function readWell(address: string, target: string) {
  const answer = await read(address, target)
  if (answer.status !== 200) throw refused('GET', target, answer)
  return answer
}

interface Work {
  isOn: boolean
}

async function prompter(
  address: string,
  sessionId: string,
  prefix: string,
  work: Work,
  acknowledged: Map<string, string>,
) {
  for (let count = 0; work.isOn; count += 1) {
    const id = `${prefix}x${count}`
    const delivery = count % 4 === 0 ? 'queue' : 'steer'
    const answer = await send(address, 'POST', `/api/session/${sessionId}/prompt`, {
      id,
      prompt: { text: id },
      delivery,
    })
    if (answer.status === 0) return
    if (answer.status === 200) acknowledged.set(id, sessionId)
    await delay(4)
  }
}

/** Grants most permissions, refuses some with a word, and answers every question. */
async function replier(address: string, sessionId: string, work: Work, acknowledged: Map<string, string>) {
  for (let count = 0; work.isOn; count += 1) {
    for (const kind of ['permission', 'question']) {
      const pending = await sendWell(address, 'GET', `/api/session/${sessionId}/${kind}`)
      if (pending.status === 0) return
      for (const request of pending.body.data) {
        const permission = count % 5 === 4 ? { reply: 'reject', message: 'not now' } : { reply: 'once' }
        const reply = kind === 'permission' ? permission : { answers: [['A']] }
        const answer = await send(address, 'POST', `/api/session/${sessionId}/${kind}/${request.id}/reply`, reply)
        if (answer.status === 204) acknowledged.set(request.id, sessionId)
      }
    }
    await delay(3)
  }
}

/** The same for the tasks below a session, which are asked about as those of the folder. */
async function subReplier(address: string, work: Work, acknowledged: Map<string, string>) {
  while (work.isOn) {
    const pending = await sendWell(address, 'GET', '/api/permission/request')
    if (pending.status === 0) return
    for (const { id, sessionID } of pending.body.data) {
      const answer = await send(address, 'POST', `/api/session/${sessionID}/permission/${id}/reply`, { reply: 'once' })
      if (answer.status === 204) acknowledged.set(id, sessionID)
    }
    await delay(3)
  }
}

/** Sessions of tasks, with what a follower of them would have seen: nothing. */
async function taskSessions(address: string, followers: readonly Follower[]): Promise<Follower[]> {
  const known = new Set(followers.map(({ sessionId }) => sessionId))
  const found: Follower[] = []
  let cursor: string | undefined
  do {
    const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { body } = await readWell(address, `/api/session?limit=100${query}`)
    for (const { id } of body.data) if (!known.has(id)) found.push({ sessionId: id, seen: [], log: [] })
    cursor = body.cursor?.next
  } while (cursor !== undefined && cursor !== null)
  return found
}

async function interrupter(address: string, sessionId: string, work: Work, interrupts: { count: number }) {
  while (work.isOn) {
    await delay(interruptEveryMs)
    const answer = await send(address, 'POST', `/api/session/${sessionId}/interrupt`)
    if (answer.status === 0) return
    interrupts.count += 1
  }
}

interface Withdrawals {
  readonly acknowledged: Set<string>
  /** Those too whose answer a kill cut off. */
  readonly asked: Set<string>
}

/** Takes back the newest prompt that waits, which may be taken in meanwhile. */
async function withdrawer(address: string, sessionId: string, work: Work, withdrawn: Withdrawals) {
  while (work.isOn) {
    await delay(withdrawEveryMs)
    const waiting = await sendWell(address, 'GET', `/api/session/${sessionId}/prompt`)
    if (waiting.status === 0) return
    const id = waiting.body.data.at(-1)?.id
    if (id === undefined) continue
    withdrawn.asked.add(id)
    const answer = await send(address, 'DELETE', `/api/session/${sessionId}/prompt/${id}`)
    if (answer.status === 0) return
    if (answer.status === 200) withdrawn.acknowledged.add(id)
  }
}

async function follow(address: string, follower: Follower): Promise<void> {
  const last = follower.seen.at(-1)?.id
  const known = follower.seen.length
  try {
    await readEvents(
      `${address}/api/session/${follower.sessionId}/event`,
      (events) => {
        follower.seen.splice(known, Number.POSITIVE_INFINITY, ...events)
        return false
      },
      last === undefined ? {} : { 'last-event-id': last },
    )
  } catch {
    // The connection breaks with the server; what had arrived is kept.
    return
  }
}

/** What a crash left behind: the stored projections must be what the log alone gives. Answers the steps that it cut. */
function checkProjections(folder: string, followers: readonly Follower[], faults: string[], round: number) {
  const sql = openSqlite(path.join(folder, 'data', 'agent.db'), {
    busyMs: databaseBusyMs,
    bytesMax: databaseBytesMax,
    walBytesMax,
    versionMin: sqliteVersionMin,
  })
  const clock = { nowMs: () => 0 }
  const store = new SessionStore({ sql, clock, ids: createIdentifiers(clock), version: '0' })
  const newest = sql.all('SELECT id FROM session ORDER BY updated_ms DESC LIMIT 20').map((row) => textOf(row, 'id'))
  for (const sessionId of new Set([...newest, ...followers.map((follower) => follower.sessionId)])) {
    const rebuilt = store.rebuild(sessionId)
    const isSame =
      JSON.stringify(sorted(store.find(sessionId))) === JSON.stringify(sorted(rebuilt.record)) &&
      JSON.stringify(store.messagesFrom(sessionId, 0)) === JSON.stringify(rebuilt.messages)
    if (!isSame) faults.push(`round ${round}: the projections of ${sessionId} are not those of its log`)
  }
  const cut = store.openSteps()
  sql.close()
  return cut
}

function sorted(value: object | undefined): unknown {
  return value === undefined
    ? undefined
    : Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** What was accepted before the last kill goes on by itself: `wait` answers when all of it is done, and nothing is active. */
async function drainSessions(
  address: string,
  followers: readonly Follower[],
  replies: Map<string, string>,
  faults: string[],
): Promise<void> {
  const work = { isOn: true }
  const repliers = [
    subReplier(address, work, replies),
    ...followers.map(({ sessionId }) => replier(address, sessionId, work, replies)),
  ]
  const deadline = performance.now() + drainMsMax
  const drain = async (sessionId: string): Promise<void> => {
    while (performance.now() < deadline)
      if ((await send(address, 'POST', `/api/session/${sessionId}/wait`, {})).status === 204) return
    faults.push(`${sessionId} does not come to rest`)
  }
  await Promise.all(followers.map(({ sessionId }) => drain(sessionId)))
  const active = await readWell(address, '/api/session/active')
  for (const { sessionId } of followers) {
    if (JSON.stringify(active.body).includes(sessionId)) faults.push(`${sessionId} is active after wait`)
  }
  work.isOn = false
  await Promise.all(repliers)
}

/**
 * After the restart every request that was not answered is pending and nothing else is, though what goes on by itself may
 * ask more meanwhile, and no step that the crash cut is open.
 */
async function checkPending(
  address: string,
  followers: readonly Follower[],
  cut: readonly { readonly sessionId: string; readonly messageId: string }[],
  faults: string[],
  round: number,
): Promise<void> {
  const readAll = () => Promise.all(followers.map(({ sessionId, log }) => readOn(address, sessionId, log)))
  await readAll()
  const before = followers.map(({ log }) => log.length)
  const listed: { readonly kind: string; readonly ids: readonly string[] }[][] = []
  for (const { sessionId } of followers) {
    const kinds: (typeof listed)[number] = []
    for (const kind of ['permission', 'question']) {
      const { body } = await readWell(address, `/api/session/${sessionId}/${kind}`)
      kinds.push({ kind, ids: (body.data as { id: string }[]).map(({ id }) => id) })
    }
    listed.push(kinds)
  }
  await readAll()
  for (const [index, kinds] of listed.entries()) {
    for (const { kind, ids } of kinds) {
      const log = followers[index]?.log ?? []
      const atLeast = openRequests(log.slice(0, before[index]), kind)
      const atMost = openRequests(log, kind)
      const isRight = [...atLeast].every((id) => ids.includes(id)) && ids.every((id) => atMost.has(id))
      if (!isRight) faults.push(`round ${round}: pending ${kind} ${ids.join()} instead of ${[...atLeast].join()}`)
    }
  }
  for (const { sessionId, messageId } of cut) {
    const { status, body } = await read(address, `/api/session/${sessionId}/message/${messageId}`)
    if (status !== 200)
      faults.push(`round ${round}: the step ${messageId} is answered ${status} ${JSON.stringify(body)}`)
    else if (body.data.time.completed === undefined) faults.push(`round ${round}: the step ${messageId} is still open`)
  }
}

function openRequests(log: readonly StreamedEvent[], kind: string): ReadonlySet<string> {
  const open = new Set<string>()
  for (const { data } of log) {
    if (data.type === `${kind}.v2.asked`) open.add(data.data.id)
    if (data.type === `${kind}.v2.replied` || data.type === `${kind}.v2.rejected`) open.delete(data.data.requestID)
  }
  return open
}

/** Each call is settled once, runs at most once, and has run when it says so. */
function checkCalls(events: readonly StreamedEvent[], effects: readonly string[], faults: string[]) {
  const settled = new Map<string, number>()
  const called = new Set<string>()
  const succeeded: string[] = []
  let callsUncertain = 0
  for (const { data } of events) {
    const { callID } = data.data
    if (data.type === 'session.next.tool.called') called.add(callID)
    if (data.type === 'session.next.tool.success' || data.type === 'session.next.tool.failed') {
      settled.set(callID, (settled.get(callID) ?? 0) + 1)
    }
    if (data.type === 'session.next.tool.success' && data.data.structured.exit === 0) succeeded.push(callID)
    if (data.type === 'session.next.tool.failed' && data.data.error.reason === 'uncertain') callsUncertain += 1
  }
  for (const id of called) if (settled.get(id) !== 1) faults.push(`call ${id} is settled ${settled.get(id) ?? 0} times`)
  const ran = new Set(effects)
  if (ran.size !== effects.length) faults.push(`${effects.length - ran.size} commands ran more than once`)
  for (const id of succeeded) if (!ran.has(id)) faults.push(`command ${id} succeeded without having run`)
  for (const id of ran) if (!called.has(id)) faults.push(`command ${id} ran without having been recorded`)
  return { commandsRun: ran.size, callsUncertain }
}

interface BackgroundSeen {
  readonly running: ReadonlySet<string>
  readonly lost: ReadonlySet<string>
}

/** What ran in the background before a kill runs no more after it; what a resumed turn has begun since then may. */
async function checkBackground(
  address: string,
  followers: readonly Follower[],
  before: BackgroundSeen,
  faults: string[],
  round: number,
): Promise<BackgroundSeen> {
  const running = new Set<string>()
  const lost = new Set(before.lost)
  for (const { sessionId } of followers) {
    const { status: code, body } = await read(address, `/api/session/${sessionId}/background`)
    if (code !== 200) {
      faults.push(`round ${round}: what runs in the background was answered with ${code}: ${JSON.stringify(body)}`)
      continue
    }
    for (const { id, status } of body.data as { id: string; status: string }[]) {
      if (status === 'running') running.add(id)
      if (status === 'lost') lost.add(id)
      if (status === 'running' && before.running.has(id)) faults.push(`round ${round}: ${id} is said to run on`)
    }
  }
  return { running, lost }
}

/** Whole, in the order of the followers. */
async function readLogs(address: string, followers: readonly Follower[]): Promise<StreamedEvent[][]> {
  const logs: StreamedEvent[][] = followers.map(() => [])
  let next = 0
  const lane = async (): Promise<void> => {
    for (let at = next++; at < followers.length; at = next++)
      await readOn(address, followers[at]?.sessionId ?? '', logs[at] ?? [])
  }
  await Promise.all(Array.from({ length: readsAtOnce }, lane))
  return logs
}

/** What came after what is known of a log. */
async function readOn(address: string, sessionId: string, events: StreamedEvent[]): Promise<void> {
  for (;;) {
    const after = events.at(-1)?.data.durable?.seq ?? 0
    const page = await readWell(address, `/api/session/${sessionId}/history?limit=100&after=${after}`)
    for (const data of page.body.data) events.push({ id: `${sessionId}:${data.durable.seq}`, data })
    if (page.body.hasMore !== true) return
  }
}

function checkLogs(
  logs: readonly (readonly StreamedEvent[])[],
  followers: readonly Follower[],
  {
    prompts,
    replies,
    withdrawn,
  }: { prompts: ReadonlyMap<string, string>; replies: ReadonlyMap<string, string>; withdrawn: Withdrawals },
  faults: string[],
): void {
  const ended = new Map<string, number>()
  const admitted = new Map<string, number>()
  const prompted = new Map<string, number>()
  const replied = new Map<string, number>()
  const ids = new Set<string>()
  const count = (counts: Map<string, number>, id: string) => counts.set(id, (counts.get(id) ?? 0) + 1)
  for (const [index, log] of logs.entries()) {
    for (const [position, { data }] of log.entries()) {
      if (data.durable?.seq !== position + 1) faults.push(`log ${index} has ${data.durable?.seq} at ${position + 1}`)
      if (ids.has(data.id)) faults.push(`event ${data.id} is there twice`)
      ids.add(data.id)
      if (data.type === 'session.next.prompt.admitted') count(admitted, data.data.messageID)
      if (data.type === 'session.next.prompted') count(prompted, data.data.messageID)
      if (data.type === 'session.next.prompt.withdrawn') count(ended, data.data.messageID)
      if (data.type === 'permission.v2.replied' || data.type === 'question.v2.replied')
        count(replied, data.data.requestID)
    }
    const seen = (followers[index]?.seen ?? []).filter((event) => event.data.durable?.seq !== 0)
    for (const [position, event] of seen.entries()) {
      if (JSON.stringify(event.data) !== JSON.stringify(log[position]?.data)) {
        faults.push(`follower ${index} saw another event at ${position + 1}`)
        break
      }
    }
  }
  for (const id of prompts.keys())
    if (admitted.get(id) !== 1) faults.push(`prompt ${id} is there ${admitted.get(id) ?? 0} times`)
  for (const id of prompts.keys())
    if (!prompted.has(id) && !ended.has(id)) faults.push(`prompt ${id} was never taken in`)
  for (const id of withdrawn.acknowledged)
    if (ended.get(id) !== 1) faults.push(`prompt ${id} is withdrawn ${ended.get(id) ?? 0} times`)
  for (const id of ended.keys()) {
    if (!withdrawn.asked.has(id)) faults.push(`prompt ${id} is gone, and nobody withdrew it`)
    if (prompted.has(id)) faults.push(`prompt ${id} was withdrawn and taken in`)
  }
  for (const id of replies.keys())
    if (replied.get(id) !== 1) faults.push(`reply ${id} is there ${replied.get(id) ?? 0} times`)
  for (const [id, times] of prompted) if (times !== 1) faults.push(`prompt ${id} was taken in ${times} times`)
}
