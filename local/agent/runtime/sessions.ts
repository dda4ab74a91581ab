/** Sessions for the routes: what is asked of the store, and what is handed to a session's host. */
import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { SyncSql } from '#shared/sql/sync-sql.ts'
import { parseCommandLine } from '../core/command-text.ts'
import { type Failure, failure, sessionNotFound } from '../core/failure.ts'
import type { PolicyChange } from '../core/memory.ts'
import type { FileDiff, MemoryPolicy, ModelRef, RevertState, SessionRecord } from '../core/session/message.ts'
import { noTokens } from '../core/session/message.ts'
import { untitledPrefix } from '../core/session/project.ts'
import { inboxPerSessionMax, promptTextBytesMax, turnsRunningMax } from '../limits.ts'
import type {
  Admission,
  HunkChoice,
  LocationInfo,
  Logger,
  MessageQuery,
  Page,
  Receipt,
  SessionQuery,
  Sessions,
} from '../ports.ts'
import type { DirectoryCatalogue } from './catalogue.ts'
import { expandCommand } from './commands.ts'
import { durableJson, type EventStreams } from './event-streams.ts'
import type { Identifiers } from './identifiers.ts'
import { admitInput } from './inbox.ts'
import type { Memories } from './memories.ts'
import { checkPromptFiles } from './prompt-files.ts'
import type { Reverts } from './revert.ts'
import { SessionHost } from './session-host.ts'
import { listMessageRows, listSessionRows } from './session-listing.ts'
import type { InboxRow, SessionStore } from './session-store.ts'
import { Slots } from './slots.ts'
import type { ToolServers } from './tool-servers.ts'
import type { RunTask } from './tools/task-tool.ts'
import type { WorkTrees } from './work-trees.ts'

export interface SessionsDeps {
  readonly store: SessionStore
  readonly sql: SyncSql
  readonly clock: Clock
  readonly ids: Identifiers
  readonly catalogue: DirectoryCatalogue
  readonly streams: EventStreams
  readonly reverts: Reverts
  readonly memories: Memories
  readonly workTrees: WorkTrees
  readonly logger: Logger
  /** Ends what such sessions left running. */
  readonly endSessions: (sessionIds: readonly string[]) => Promise<void>
  readonly remotePrompts: Pick<ToolServers, 'expand'>
  readonly turn: (sessionId: string, signal: AbortSignal) => Promise<'ran' | 'nothing'>
  readonly compact: (sessionId: string, signal: AbortSignal) => Promise<boolean>
}

export class SessionService implements Sessions {
  readonly #deps: SessionsDeps
  readonly #hosts = new Map<string, SessionHost>()
  /** Whose work tree is being made. */
  readonly #beginning = new Set<string>()
  readonly #slots = new Slots(turnsRunningMax)
  readonly #taskSlots = new Slots(Number.POSITIVE_INFINITY)

  constructor(deps: SessionsDeps) {
    this.#deps = deps
  }

  async create(input: Parameters<Sessions['create']>[0]): Promise<Result<string, Failure>> {
    const { store, clock, ids } = this.#deps
    const known = await this.#checkChoice(input.location.directory, input.agent)
    if (!known.ok) return known
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
    const taken = failWith(failure('conflict', 'The session is being made', { kind: 'resource', resource: id }))
    if (this.#beginning.has(id)) return taken
    this.#beginning.add(id)
    try {
      return this.#deps.workTrees.of(id) === undefined ? await this.#deps.workTrees.begin(location, id) : taken
    } finally {
      this.#beginning.delete(id)
    }
  }

  async mergeWorkTree(sessionId: string): Promise<Result<void, Failure>> {
    const known = this.read(sessionId)
    if (!known.ok) return known
    const done = await this.#hostOf(sessionId).exclusive(() => this.#deps.workTrees.merge(sessionId))
    return done.ok ? done.value : done
  }

  async discardWorkTree(sessionId: string): Promise<Result<void, Failure>> {
    const known = this.read(sessionId)
    if (!known.ok) return known
    const done = await this.#hostOf(sessionId).exclusive(async () => {
      await this.#deps.endSessions([sessionId])
      return this.#deps.workTrees.discard(sessionId)
    })
    return done.ok ? done.value : done
  }

  read(sessionId: string): Result<string, Failure> {
    const text = this.#deps.store.recordText(sessionId)
    return text === undefined ? failWith(sessionNotFound(sessionId)) : succeed(text)
  }

  list(query: SessionQuery): Result<Page, Failure> {
    return listSessionRows(this.#deps.sql, query)
  }

  active(): readonly string[] {
    return [...this.#hosts].filter(([, host]) => host.isRunning).map(([id]) => id)
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
    const known = this.read(sessionId)
    if (!known.ok) return known
    const page = listMessageRows(this.#deps.sql, sessionId, query)
    return page.ok ? succeed({ ...page.value, seq: this.#deps.store.newestSeq(sessionId) }) : page
  }

  message(sessionId: string, messageId: string): Result<string, Failure> {
    const known = this.read(sessionId)
    if (!known.ok) return known
    const message = this.#deps.store.findMessage(sessionId, messageId)
    if (message !== undefined) return succeed(JSON.stringify(message))
    return failWith(
      failure('not_found', 'There is no such message', { kind: 'message', sessionID: sessionId, messageID: messageId }),
    )
  }

  async switchAgent(sessionId: string, agent: string): Promise<Result<void, Failure>> {
    const record = this.#deps.store.find(sessionId)
    if (record === undefined) return failWith(sessionNotFound(sessionId))
    const known = await this.#checkChoice(record.location.directory, agent)
    if (!known.ok) return known
    if (this.#deps.store.find(sessionId) === undefined) return failWith(sessionNotFound(sessionId))
    this.#deps.store.commit(sessionId, ({ append }) =>
      append({ type: 'session.next.agent.switched', data: { messageID: this.#deps.ids.make('message'), agent } }),
    )
    return succeed(undefined)
  }

  async switchModel(sessionId: string, model: ModelRef): Promise<Result<void, Failure>> {
    const record = this.#deps.store.find(sessionId)
    if (record === undefined) return failWith(sessionNotFound(sessionId))
    this.#deps.store.commit(sessionId, ({ append }) =>
      append({ type: 'session.next.model.switched', data: { messageID: this.#deps.ids.make('message'), model } }),
    )
    return succeed(undefined)
  }

  async admit(sessionId: string, admission: Admission): Promise<Result<Receipt, Failure>> {
    const { store } = this.#deps
    const record = store.find(sessionId)
    if (record === undefined) return failWith(sessionNotFound(sessionId))
    if (this.#deps.workTrees.of(sessionId)?.isEnded === true) return treeGone(sessionId)
    if (Buffer.byteLength(admission.prompt.text) > promptTextBytesMax) return textTooLong
    if (saysNothing(admission.prompt)) return textMissing
    const delivery = admission.delivery ?? 'steer'
    const request = canonical({ prompt: admission.prompt, delivery, agent: admission.agent, model: admission.model })
    const repeated = admission.id === undefined ? undefined : this.#repeat(sessionId, admission.id, request)
    if (repeated !== undefined) return this.#goOn(sessionId, admission, repeated)
    const chosen = await this.#chooseInput(record.location.directory, admission)
    if (!chosen.ok) return chosen
    const { text, agent, model, command, foreign } = chosen.value
    // Text of strangers: nothing of the session is kept for later ones.
    if (foreign !== undefined) await this.#deps.memories.exclude(record, `it used a prompt of ${foreign}`)
    if (Buffer.byteLength(text) > promptTextBytesMax) return textTooLong
    const files = await checkPromptFiles(admission.prompt.files ?? [])
    if (!files.ok) return files
    // It may have been deleted while the files were looked at.
    if (store.find(sessionId) === undefined) return failWith(sessionNotFound(sessionId))
    // The same request may have been admitted while the files were looked at.
    const raced = admission.id === undefined ? undefined : this.#repeat(sessionId, admission.id, request)
    if (raced !== undefined) return this.#goOn(sessionId, admission, raced)
    if (store.pendingInputCount(sessionId) >= inboxPerSessionMax) {
      // They may have been left by a crash: without this the session would be full for ever.
      if (admission.resume !== false) this.wake(sessionId)
      return failWith(
        failure('conflict', `The session already has ${inboxPerSessionMax} waiting prompts`, {
          kind: 'resource',
          resource: sessionId,
        }),
      )
    }
    const admitted = store.commit(sessionId, (transaction) => {
      if (agent !== undefined) {
        transaction.append({
          type: 'session.next.agent.switched',
          data: { messageID: this.#deps.ids.make('message'), agent },
        })
      }
      if (model !== undefined) {
        transaction.append({
          type: 'session.next.model.switched',
          data: { messageID: this.#deps.ids.make('message'), model },
        })
      }
      return admitInput(transaction, this.#deps, {
        id: admission.id,
        text,
        ...(admission.prompt.files === undefined ? {} : { files: files.value }),
        ...(admission.prompt.agents === undefined ? {} : { agents: admission.prompt.agents }),
        delivery,
        request,
        isDriven: admission.resume !== false,
      })
    })
    if (command !== undefined) {
      this.#deps.streams.notify({
        type: 'command.executed',
        data: { ...command, sessionID: sessionId, messageID: admitted.id },
        directory: record.location.directory,
      })
    }
    if (admission.resume !== false) this.wake(sessionId)
    return succeed({
      admittedSeq: admitted.admittedSeq,
      id: admitted.id,
      sessionID: sessionId,
      prompt: admitted.prompt,
      delivery,
      timeCreated: admitted.createdMs,
    })
  }

  async compact(sessionId: string): Promise<Result<void, Failure>> {
    const known = this.read(sessionId)
    if (!known.ok) return known
    const done = await this.#hostOf(sessionId).exclusive((signal) => this.#deps.compact(sessionId, signal))
    if (!done.ok) return done
    return done.value
      ? succeed(undefined)
      : failWith(failure('backend_unavailable', 'The model could not summarise the session'))
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
    return changes === undefined
      ? failWith(failure('backend_unavailable', 'The files of this folder cannot be recorded'))
      : succeed(changes)
  }

  async takeBackHunks(sessionId: string, change: HunkChoice): Promise<Result<void, Failure>> {
    const known = this.read(sessionId)
    if (!known.ok) return known
    const done = await this.#hostOf(sessionId).exclusive(() => this.#deps.reverts.takeBackHunks(sessionId, change))
    return done.ok ? done.value : done
  }

  async stageRevert(
    sessionId: string,
    target: { messageID: string; files: boolean },
  ): Promise<Result<RevertState, Failure>> {
    const known = this.read(sessionId)
    if (!known.ok) return known
    const staged = await this.#hostOf(sessionId).exclusive(() => this.#deps.reverts.stage(sessionId, target))
    return staged.ok ? staged.value : staged
  }

  async clearRevert(sessionId: string): Promise<Result<void, Failure>> {
    const known = this.read(sessionId)
    if (!known.ok) return known
    const cleared = await this.#hostOf(sessionId).exclusive(() => this.#deps.reverts.clear(sessionId))
    return cleared.ok ? cleared.value : cleared
  }

  async commitRevert(sessionId: string): Promise<Result<void, Failure>> {
    const known = this.read(sessionId)
    if (!known.ok) return known
    return this.#hostOf(sessionId).exclusive(async () => this.#deps.reverts.commit(sessionId))
  }

  memoryPolicy(sessionId: string) {
    return this.#deps.memories.policy(sessionId)
  }

  async setMemoryPolicy(sessionId: string, change: PolicyChange): Promise<Result<MemoryPolicy, Failure>> {
    const known = this.read(sessionId)
    if (!known.ok) return known
    const done = await this.#hostOf(sessionId).exclusive(async () => this.#deps.memories.change(sessionId, change))
    return done.ok ? done.value : done
  }

  learning(sessionId: string, page: { offset: number; limit: number }) {
    return this.#deps.memories.learning(sessionId, page)
  }

  /** Work in a session of its own, below another one. It ends with the signal of the call that asked for it. */
  async runTask(task: Parameters<RunTask>[0]): ReturnType<RunTask> {
    const { store, clock, ids } = this.#deps
    const parent = store.find(task.parentId)
    if (parent === undefined) throw new Error(`session ${task.parentId} has no record`)
    const agents = await this.#deps.catalogue.agents(parent.location)
    const agent = agents.ok ? agents.value.find((candidate) => candidate.id === task.agent) : undefined
    if (agent === undefined || agent.mode === 'primary') return failWith({ kind: 'no_agent', agent: task.agent })
    const id = ids.make('session')
    const { directory } = parent.location
    const made = task.inWorkTree
      ? await this.#deps.workTrees.begin({ directory, project: { id: parent.projectID, directory } }, id)
      : undefined
    if (made?.ok === false) return failWith({ kind: 'no_work_tree', reason: made.failure.message })
    const nowMs = clock.nowMs()
    const record: SessionRecord = {
      id,
      parentID: parent.id,
      projectID: parent.projectID,
      agent: agent.id,
      ...(parent.model === undefined ? {} : { model: parent.model }),
      cost: 0,
      tokens: noTokens,
      time: { created: nowMs, updated: nowMs },
      title: task.description,
      location: made === undefined ? parent.location : { ...parent.location, directory: made.value.directory },
      ...(parent.subpath === undefined ? {} : { subpath: parent.subpath }),
      ...(parent.memory === undefined ? {} : { memory: parent.memory }),
    }
    store.commit(id, (transaction) => {
      transaction.append({ type: 'session.created', data: { info: record } })
      // After a crash its caller is settled already, and nobody waits for its report.
      admitInput(transaction, this.#deps, { text: task.prompt, isDriven: false })
    })
    const stop = () => void this.#hosts.get(id)?.interrupt()
    task.signal.addEventListener('abort', stop)
    try {
      this.wake(id)
      if (task.signal.aborted) stop()
      await this.#hosts.get(id)?.whenIdle(new AbortController().signal)
    } finally {
      task.signal.removeEventListener('abort', stop)
      // Nobody would look after it any more.
      await this.#deps.endSessions([id])
    }
    // Its report may hold what it read.
    const own = store.find(id)?.memory
    if (own?.generation === 'excluded') await this.#deps.memories.exclude(parent, own.reason)
    const last = store.context(id).findLast((message) => message.type === 'assistant')
    if (last?.type !== 'assistant') return failWith({ kind: 'not_started' })
    if (last.error !== undefined) return failWith({ kind: 'failed', reason: last.error.message })
    const text = last.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    return succeed({
      sessionId: id,
      text: text === '' ? '(the task ended without a report)' : text,
      ...(made === undefined ? {} : { workTree: await this.#changedIn(id) }),
    })
  }

  async #changedIn(sessionId: string) {
    const found = await this.#deps.workTrees.changes(sessionId)
    return {
      branch: this.#deps.workTrees.of(sessionId)?.branch ?? '',
      paths: found.ok ? found.value.changes.map(({ path }) => path) : [],
    }
  }

  wake(sessionId: string): void {
    this.#hostOf(sessionId).wake()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#hosts.values()].map((host) => host.close()))
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

  /** What the model is given for a prompt, and by whom: a command has its own text, and may have its own agent and model. */
  async #chooseInput(directory: string, { prompt, agent, model }: Admission) {
    const expanded = await this.#expand(directory, prompt.text)
    if (!expanded.ok) return expanded
    const command = expanded.value
    const chosen = {
      text: command?.text ?? prompt.text,
      agent: agent ?? command?.agent,
      model: model ?? command?.model,
      command: command?.command,
      foreign: command?.foreign,
    }
    const known = await this.#checkChoice(directory, chosen.agent)
    return known.ok ? succeed(chosen) : known
  }

  /** Most prompts name no command, and wait for no configuration to be read. */
  async #expand(directory: string, text: string) {
    const line = parseCommandLine(text)
    if (line === undefined) return succeed(undefined)
    const resolved = await this.#deps.catalogue.resolve(directory)
    if (!resolved.ok) return resolved
    const { agents, commands } = resolved.value
    const isForTasks = (id: string) => agents.some((candidate) => candidate.id === id && candidate.mode === 'subagent')
    const own = expandCommand(commands, isForTasks, line)
    if (own !== undefined) return succeed({ ...own, foreign: undefined })
    try {
      const remote = await this.#deps.remotePrompts.expand(resolved.value.toolServers, directory, line)
      if (remote === undefined) return succeed(undefined)
      const command = { name: line.name, arguments: line.rest }
      return succeed({ text: remote.text, command, foreign: remote.server, agent: undefined, model: undefined })
    } catch (error) {
      return failWith(failure('backend_unavailable', error instanceof Error ? error.message : 'The tool server failed'))
    }
  }

  async #checkChoice(directory: string, agent: string | undefined): Promise<Result<void, Failure>> {
    if (agent === undefined) return succeed(undefined)
    const agents = await this.#deps.catalogue.agents({ directory })
    if (!agents.ok) return agents
    if (agents.value.some((candidate) => candidate.id === agent && candidate.mode !== 'subagent'))
      return succeed(undefined)
    return failWith(
      failure('invalid_request', `There is no agent ${JSON.stringify(agent.slice(0, 80))} to work with`, {
        kind: 'field',
        part: 'Payload',
        field: 'agent',
      }),
    )
  }

  /** A client that asks again wants it done: after a crash nothing else would set what waits going. */
  #goOn(sessionId: string, admission: Admission, repeated: Result<Receipt, Failure>): Result<Receipt, Failure> {
    const waits = repeated.ok && repeated.value.promotedSeq === undefined
    if (waits && admission.resume !== false) {
      this.#deps.sql.run(
        'UPDATE session_input SET is_driven = 1 WHERE session_id = ? AND id = ? AND is_driven = 0',
        sessionId,
        repeated.value.id,
      )
      this.wake(sessionId)
    }
    return repeated
  }

  /** The first receipt of an id that was admitted before, or the conflict with it. */
  #repeat(sessionId: string, id: string, request: string): Result<Receipt, Failure> | undefined {
    const existing = this.#deps.store.findInput(sessionId, id)
    if (existing === undefined) {
      const isTaken = this.#deps.store.messageSeq(sessionId, id) !== undefined
      return isTaken ? taken(id) : undefined
    }
    return existing.request === request ? succeed(receiptOf(existing)) : taken(id)
  }
}

const textField = { kind: 'field', part: 'Payload', field: 'prompt.text' } as const
const textTooLong = failWith(
  failure('invalid_request', `The text is longer than ${promptTextBytesMax} bytes`, textField),
)
const textMissing = failWith(failure('invalid_request', 'A prompt without files needs a text', textField))

/** Providers refuse a message without content, and would refuse the whole session from then on. */
function saysNothing({ text, files, agents }: Admission['prompt']): boolean {
  return text.trim() === '' && (files ?? []).length === 0 && (agents ?? []).length === 0
}

function taken(id: string): { readonly ok: false; readonly failure: Failure } {
  return failWith(failure('conflict', 'Another prompt was admitted with this id', { kind: 'resource', resource: id }))
}

function treeGone(sessionID: string) {
  return failWith(
    failure('conflict', 'The work tree of the session was thrown away', { kind: 'resource', resource: sessionID }),
  )
}

function receiptOf(input: InboxRow): Receipt {
  return {
    admittedSeq: input.admittedSeq,
    id: input.id,
    sessionID: input.sessionId,
    prompt: input.prompt,
    delivery: input.delivery,
    timeCreated: input.createdMs,
    ...(input.promotedSeq === undefined ? {} : { promotedSeq: input.promotedSeq }),
  }
}

/** JSON with the keys of every object in one order: the same request has one text, however it was written. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  )
}
