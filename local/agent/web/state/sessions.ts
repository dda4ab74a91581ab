/** The sessions, which of them run, and what waits for the owner in any of them. */
import { computed, signal } from '@preact/signals'
import type { PermissionRequest, QuestionRequest } from '../../core/session/event.ts'
import type { SessionRecord } from '../../core/session/message.ts'
import type { ApiFailure } from '../api/ask.ts'
import type { StreamEvent } from '../api/frames.ts'
import { type LocationInfo, routes } from '../api/routes.ts'
import { type Ask, AsksMeanwhile } from '../model/asks.ts'
import { costsWithTasks } from '../model/transcript.ts'
import { onEvent } from './live.ts'

const pageSessions = 100
/** Folders whose open requests are asked for: those of the newest sessions. */
const foldersMax = 20
/** Events come in bursts; the list is read once after each. */
const settleMs = 200

export const sessions = signal<readonly SessionRecord[] | undefined>(undefined)
export const sessionsFailure = signal<ApiFailure | undefined>(undefined)
export const nextSessions = signal<string | null>(null)
export const active = signal<ReadonlySet<string>>(new Set())
/** Calls that a running step of a session has not begun. */
export const waitingCalls = signal<ReadonlyMap<string, readonly string[]>>(new Map())
export const asks = signal<readonly Ask[]>([])
export const here = signal<LocationInfo | undefined>(undefined)

/** What is searched for, as the server was asked: an answer to an older question is dropped. */
let wanted = ''
let extraPages = 0

export const folders = computed(() => {
  const known = [here.value?.directory, ...(sessions.value ?? []).map(({ location }) => location.directory)]
  return [...new Set(known.filter((one) => one !== undefined))]
})

/** By session, with all that were begun by it. */
export const costs = computed(() => costsWithTasks(sessions.value ?? []))

/** A session and all that were begun by it, however deep. */
export function familyOf(id: string): ReadonlySet<string> {
  const family = new Set([id])
  // A child is newer than its parent, and the list is newest first only by change: until nothing is added any more.
  for (let before = 0; before !== family.size; ) {
    before = family.size
    for (const one of sessions.value ?? [])
      if (one.parentID !== undefined && family.has(one.parentID)) family.add(one.id)
  }
  return family
}

export async function searchSessions(text: string): Promise<void> {
  wanted = text
  extraPages = 0
  await readSessions()
}

async function readSessions(): Promise<void> {
  const search = wanted
  const query = search === '' ? {} : { search }
  let page = await routes.sessions({ ...query, limit: String(pageSessions) })
  const found: SessionRecord[] = []
  for (let more = extraPages; page.ok && more > 0 && page.value.cursor.next !== null; more -= 1) {
    found.push(...page.value.data)
    page = await routes.sessions({ ...query, limit: String(pageSessions), cursor: page.value.cursor.next })
  }
  if (search !== wanted) return
  sessionsFailure.value = page.ok ? undefined : page.failure
  if (!page.ok) return
  sessions.value = [...found, ...page.value.data]
  nextSessions.value = page.value.cursor.next
}

export function showMoreSessions(): void {
  extraPages += 1
  void readSessions()
}

/** How often a session was said to begin or to rest: what was asked before the last of it is out of date. */
let statesTold = 0

async function readActive(): Promise<void> {
  const before = statesTold
  const answer = await routes.active()
  if (!answer.ok || before !== statesTold) return
  active.value = new Set(Object.keys(answer.value.data))
  waitingCalls.value = new Map(
    Object.entries(answer.value.data).flatMap(([id, { waiting }]) => (waiting === undefined ? [] : [[id, waiting]])),
  )
}

function tellState(id: string, isActive: boolean): void {
  statesTold += 1
  const rest = [...active.peek()].filter((one) => one !== id)
  active.value = new Set(isActive ? [...rest, id] : rest)
}

const readings = new Set<AsksMeanwhile>()

async function readAsks(): Promise<void> {
  const meanwhile = new AsksMeanwhile()
  readings.add(meanwhile)
  const found: Ask[] = []
  for (const folder of folders.peek().slice(0, foldersMax)) {
    const [permissions, questions] = await Promise.all([routes.permissions(folder), routes.questions(folder)])
    if (permissions.ok)
      found.push(...permissions.value.data.map((request) => ({ kind: 'permission' as const, request })))
    if (questions.ok) found.push(...questions.value.data.map((request) => ({ kind: 'question' as const, request })))
  }
  readings.delete(meanwhile)
  asks.value = meanwhile.settle(found)
}

export async function readEverything(): Promise<void> {
  const [location] = await Promise.all([routes.location(), readSessions(), readActive()])
  if (location.ok) here.value = location.value
  await readAsks()
}

export function dropAsk(id: string): void {
  for (const one of readings) one.drop(id)
  asks.value = asks.value.filter(({ request }) => request.id !== id)
}

function addAsk(ask: Ask): void {
  for (const one of readings) one.add(ask)
  if (!asks.value.some(({ request }) => request.id === ask.request.id)) asks.value = [...asks.value, ask]
}

/** Only the text that is being written, which changes no list. */
const quiet =
  /^(?:session\.next\.(?:text|reasoning|tool)\.|session\.(?:tool\.progress|background\.changed)|todo\.updated)/

export function followSessions(): void {
  let isDue = false
  const readSoon = (): void => {
    if (isDue) return
    isDue = true
    setTimeout(() => {
      isDue = false
      void readSessions()
      void readActive()
    }, settleMs)
  }
  onEvent((event: StreamEvent) => {
    if (event.type === 'session.tool.waiting') {
      statesTold += 1
      const calls = event.data['callIDs'] as readonly string[]
      waitingCalls.value = new Map([...waitingCalls.peek(), [String(event.data['sessionID']), calls]])
      return
    }
    if (quiet.test(event.type)) return
    if (event.type === 'server.connected') void readEverything()
    else if (event.type === 'permission.v2.asked')
      addAsk({ kind: 'permission', request: event.data as unknown as PermissionRequest })
    else if (event.type === 'question.v2.asked')
      addAsk({ kind: 'question', request: event.data as unknown as QuestionRequest })
    else if (/^(?:permission|question)\.v2\.(?:replied|rejected)$/.test(event.type))
      dropAsk(String(event.data['requestID']))
    // A turn rests a while after its last stored event, and nothing else says so.
    if (event.type === 'session.status')
      tellState(String(event.data['sessionID']), (event.data['status'] as { type?: string }).type === 'busy')
    if (event.type === 'session.next.step.started' && event.durable !== undefined)
      tellState(event.durable.aggregateID, true)
    if (event.durable !== undefined) readSoon()
  })
}
