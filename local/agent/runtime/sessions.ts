/** Sessions for the routes: what is asked of the store, and what is handed to a session's host. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure, sessionNotFound } from '../core/failure.ts'
import type { PolicyChange } from '../core/memory.ts'
import type { FileDiff, MemoryPolicy, ModelRef, RevertState, SessionRecord } from '../core/session/message.ts'
import { noTokens } from '../core/session/message.ts'
import { untitledPrefix } from '../core/session/project.ts'
import { turnsRunningMax } from '../limits.ts'
import type {
  Admission,
  HunkChoice,
  LocationInfo,
  Logger,
  MessageQuery,
  Page,
  Receipt,
  SaidPage,
  SessionQuery,
  Sessions,
  WaitingPrompt,
} from '../ports.ts'
import { type AdmissionDeps, admitPrompt, checkAgent, withdrawPrompt } from './admission.ts'
import { durableJson } from './event-streams.ts'
import { loopShare } from './loop-share.ts'
import type { Reverts } from './revert.ts'
import { searchSaidIn } from './said-search.ts'
import { SessionHost } from './session-host.ts'
import { listMessageRows, listSessionRows } from './session-listing.ts'
import { Slots } from './slots.ts'
import { runTaskSession } from './task-session.ts'
import type { RunTask } from './tools/task-tool.ts'
import type { WaitingCalls } from './waiting-calls.ts'

export interface SessionsDeps extends Omit<AdmissionDeps, 'wake' | 'isIdle'> {
  readonly reverts: Reverts
  readonly waitingCalls: Pick<WaitingCalls, 'of'>
  readonly logger: Logger
  /** Ends what such sessions left running. */
  readonly endSessions: (sessionIds: readonly string[]) => Promise<void>
  readonly turn: (sessionId: string, signal: AbortSignal) => Promise<'ran' | 'nothing'>
  readonly compact: (sessionId: string, signal: AbortSignal) => Promise<boolean>
}

export class SessionService implements Sessions {
  readonly #deps: SessionsDeps
  readonly #admission: AdmissionDeps & SessionsDeps
  readonly #hosts = new Map<string, SessionHost>()
  /** Whose work tree is being made. */
  readonly #beginning = new Set<string>()
  readonly #slots = new Slots(turnsRunningMax)
  readonly #taskSlots = new Slots(Number.POSITIVE_INFINITY)

  constructor(deps: SessionsDeps) {
    this.#deps = deps
    this.#admission = {
      ...deps,
      wake: (sessionId) => this.wake(sessionId),
      isIdle: (sessionId) => this.#hosts.get(sessionId)?.isRunning !== true && this.#slots.hasFree,
    }
  }

  async create(input: Parameters<Sessions['create']>[0]): Promise<Result<string, Failure>> {
    const { store, clock, ids } = this.#deps
    const known = await checkAgent(this.#deps.catalogue, input.location.directory, input.agent)
    if (!known.ok) return known
    if (loopShare.isSpent()) await loopShare.turn()
    const id = input.id ?? ids.make('session')
    const existing = store.recordText(id)
    if (existing !== undefined) return succeed(existing)
    const made = input.inWorkTree === true ? await this.#inWorkTree(input.location, id) : succeed(input.location)
    if (!made.ok) return made
    const nowMs = clock.nowMs()
    const { directory, project } = made.value
    const inside = directory.startsWith(`${project.directory}/`)
      ? directory.slice(project.directory.length + 1)
      : undefined
    const record: SessionRecord = {
      id,
      projectID: project.id,
      ...(input.agent === undefined ? {} : { agent: input.agent }),
      ...(input.model === undefined ? {} : { model: input.model }),
      cost: 0,
      tokens: noTokens,
      time: { created: nowMs, updated: nowMs },
      title: `${untitledPrefix}${new Date(nowMs).toISOString()}`,
      location: {
        directory,
        ...(input.location.workspaceID === undefined ? {} : { workspaceID: input.location.workspaceID }),
      },
      ...(inside === undefined ? {} : { subpath: inside }),
    }
    store.commit(id, ({ append }) => append({ type: 'session.created', data: { info: record } }))
    return this.read(id)
  }

  /** One that was made for the same id meanwhile stays the session's, and this one is none. */
  async #inWorkTree(location: LocationInfo, id: string): Promise<Result<LocationInfo, Failure>> {
    const taken = failWith(failure('conflict', { kind: 'session_begins' }, { kind: 'resource', resource: id }))
    if (this.#beginning.has(id)) return taken
    this.#beginning.add(id)
    try {
      return this.#deps.workTrees.of(id) === undefined ? await this.#deps.workTrees.begin(location, id) : taken
    } finally {
      this.#beginning.delete(id)
    }
  }

  async mergeWorkTree(sessionId: string): Promise<Result<void, Failure>> {
    return this.#alone(sessionId, () => this.#deps.workTrees.merge(sessionId))
  }

  async discardWorkTree(sessionId: string): Promise<Result<void, Failure>> {
    return this.#alone(sessionId, async () => {
      await this.#deps.endSessions([sessionId])
      return this.#deps.workTrees.discard(sessionId)
    })
  }

  read(sessionId: string): Result<string, Failure> {
    const text = this.#deps.store.recordText(sessionId)
    return text === undefined ? failWith(sessionNotFound(sessionId)) : succeed(text)
  }

  list(query: SessionQuery): Result<Page, Failure> {
    return listSessionRows(this.#deps.sql, query)
  }

  said(query: { readonly text: string; readonly cursor?: string | undefined }): Promise<Result<SaidPage, Failure>> {
    return searchSaidIn(this.#deps.sql, query)
  }

  active(): readonly string[] {
    return [...this.#hosts].filter(([, host]) => host.isRunning).map(([id]) => id)
  }

  waitingCalls(sessionId: string): readonly string[] {
    return this.#deps.waitingCalls.of(sessionId)
  }

  context(sessionId: string): Result<readonly string[], Failure> {
    const known = this.read(sessionId)
    if (!known.ok) return known
    return succeed(this.#deps.store.contextRows(sessionId).map((row) => row.data))
  }

  history(sessionId: string, range: { after?: number | undefined; limit: number }) {
    const known = this.read(sessionId)
    if (!known.ok) return known
    // The event that created the session is not part of the history: it begins with 1.
    const after = range.after ?? 0
    const events = this.#deps.store.events(sessionId, { after, upTo: Number.MAX_SAFE_INTEGER, limit: range.limit + 1 })
    const rows = events.slice(0, range.limit).map((event) => durableJson(event))
    return succeed({ rows, hasMore: events.length > range.limit })
  }

  messages(sessionId: string, query: MessageQuery): Result<Page & { readonly seq: number }, Failure> {
    const seq = this.#deps.store.newestSeq(sessionId)
    if (seq < 0) return failWith(sessionNotFound(sessionId))
    const page = listMessageRows(this.#deps.sql, sessionId, query)
    return page.ok ? succeed({ ...page.value, seq }) : page
  }

  message(sessionId: string, messageId: string): Result<string, Failure> {
    const known = this.read(sessionId)
    if (!known.ok) return known
    const message = this.#deps.store.findMessage(sessionId, messageId)
    if (message !== undefined) return succeed(JSON.stringify(message))
    return failWith(
      failure('not_found', { kind: 'no_message' }, { kind: 'message', sessionID: sessionId, messageID: messageId }),
    )
  }

  async switchAgent(sessionId: string, agent: string): Promise<Result<void, Failure>> {
    const record = this.#deps.store.find(sessionId)
    if (record === undefined) return failWith(sessionNotFound(sessionId))
    const known = await checkAgent(this.#deps.catalogue, record.location.directory, agent)
    if (!known.ok) return known
    if (loopShare.isSpent()) await loopShare.turn()
    if (this.#deps.store.find(sessionId) === undefined) return failWith(sessionNotFound(sessionId))
    this.#deps.store.commit(sessionId, ({ append }) =>
      append({ type: 'session.next.agent.switched', data: { messageID: this.#deps.ids.make('message'), agent } }),
    )
    return succeed(undefined)
  }

  async switchModel(sessionId: string, model: ModelRef): Promise<Result<void, Failure>> {
    if (loopShare.isSpent()) await loopShare.turn()
    const record = this.#deps.store.find(sessionId)
    if (record === undefined) return failWith(sessionNotFound(sessionId))
    this.#deps.store.commit(sessionId, ({ append }) =>
      append({ type: 'session.next.model.switched', data: { messageID: this.#deps.ids.make('message'), model } }),
    )
    return succeed(undefined)
  }

  admit(sessionId: string, admission: Admission): Promise<Result<Receipt, Failure>> {
    return admitPrompt(this.#admission, sessionId, admission)
  }

  waitingPrompts(sessionId: string): Result<readonly WaitingPrompt[], Failure> {
    const known = this.read(sessionId)
    return known.ok ? succeed(this.#deps.store.waitingPrompts(sessionId)) : known
  }

  withdraw(sessionId: string, messageId: string): Result<Receipt, Failure> {
    return withdrawPrompt(this.#deps, sessionId, messageId)
  }

  async compact(sessionId: string): Promise<Result<void, Failure>> {
    return this.#alone(sessionId, async (signal) =>
      (await this.#deps.compact(sessionId, signal))
        ? succeed(undefined)
        : failWith(failure('backend_unavailable', { kind: 'no_summary' })),
    )
  }

  async wait(sessionId: string, signal: AbortSignal): Promise<Result<void, Failure>> {
    const known = this.read(sessionId)
    if (!known.ok) return known
    await this.#hosts.get(sessionId)?.whenIdle(signal)
    return succeed(undefined)
  }

  async interrupt(sessionId: string): Promise<Result<void, Failure>> {
    const known = this.read(sessionId)
    if (!known.ok) return known
    await this.#hosts.get(sessionId)?.interrupt()
    return succeed(undefined)
  }

  async changes(sessionId: string): Promise<Result<readonly FileDiff[], Failure>> {
    const known = this.read(sessionId)
    if (!known.ok) return known
    const changes = await this.#deps.reverts.changes(sessionId)
    return changes === undefined ? failWith(failure('backend_unavailable', { kind: 'unrecorded' })) : succeed(changes)
  }

  async takeBackHunks(sessionId: string, change: HunkChoice): Promise<Result<void, Failure>> {
    return this.#alone(sessionId, () => this.#deps.reverts.takeBackHunks(sessionId, change))
  }

  async stageRevert(
    sessionId: string,
    target: { messageID: string; files: boolean },
  ): Promise<Result<RevertState, Failure>> {
    return this.#alone(sessionId, () => this.#deps.reverts.stage(sessionId, target))
  }

  async clearRevert(sessionId: string): Promise<Result<void, Failure>> {
    return this.#alone(sessionId, () => this.#deps.reverts.clear(sessionId))
  }

  async commitRevert(sessionId: string): Promise<Result<void, Failure>> {
    return this.#alone(sessionId, async () => succeed(await this.#deps.reverts.commit(sessionId)))
  }

  memoryPolicy(sessionId: string) {
    return this.#deps.memories.policy(sessionId)
  }

  async setMemoryPolicy(sessionId: string, change: PolicyChange): Promise<Result<MemoryPolicy, Failure>> {
    return this.#alone(sessionId, async () => this.#deps.memories.change(sessionId, change))
  }

  learning(sessionId: string, page: { offset: number; limit: number }) {
    return this.#deps.memories.learning(sessionId, page)
  }

  /** Work in a session of its own, below another one. It ends with the signal of the call that asked for it. */
  runTask(task: Parameters<RunTask>[0]): ReturnType<RunTask> {
    return runTaskSession({ ...this.#admission, hostOf: (id) => this.#hosts.get(id) }, task)
  }

  wake(sessionId: string): void {
    this.#hostOf(sessionId).wake()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#hosts.values()].map((host) => host.close()))
  }

  /** What owns the session alone, refused while a turn is live. */
  async #alone<T>(
    sessionId: string,
    work: (signal: AbortSignal) => Promise<Result<T, Failure>>,
  ): Promise<Result<T, Failure>> {
    const known = this.read(sessionId)
    if (!known.ok) return known
    const done = await this.#hostOf(sessionId).exclusive(work)
    return done.ok ? done.value : done
  }

  #hostOf(sessionId: string): SessionHost {
    const known = this.#hosts.get(sessionId)
    if (known !== undefined) return known
    // Looked up once: what a host says when it ends must not depend on a database that may have failed it.
    const record = this.#deps.store.find(sessionId)
    const notify = (type: string, status?: string) =>
      this.#deps.streams.notify({
        type,
        data: { sessionID: sessionId, ...(status === undefined ? {} : { status: { type: status } }) },
        directory: record?.location.directory,
      })
    const host = new SessionHost(sessionId, {
      turn: (signal) => this.#deps.turn(sessionId, signal),
      // A task never waits for a slot: the turn that waits for it holds one.
      slots: record?.parentID === undefined ? this.#slots : this.#taskSlots,
      onBusy: () => notify('session.status', 'busy'),
      onIdle: () => {
        this.#hosts.delete(sessionId)
        notify('session.status', 'idle')
        notify('session.idle')
      },
      onFault: (cause) => {
        this.#deps.logger.error('turn_failed', { session: sessionId, cause })
        notify('session.error')
      },
    })
    this.#hosts.set(sessionId, host)
    return host
  }
}
