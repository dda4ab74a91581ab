/**
 * Sessions in SQLite: the event log and everything that follows from it, in one transaction. What is published was
 * committed before.
 */

import { pendingDecisionSchema } from '#shared/decision/pending-decision.ts'
import { appendEvent, eventLogSchema, type LoggedEvent, newestSeq, readEvents } from '#shared/event-log/event-log.ts'
import type { Clock } from '#shared/kernel/clock.ts'
import { migrate } from '#shared/sql/migrate.ts'
import { numberOf, type SqlRow, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import { eventVersion, type SessionEvent, type StampedEvent } from '../core/session/event.ts'
import type { Message, Prompt, SessionRecord } from '../core/session/message.ts'
import {
  addTexts,
  isStepEnd,
  isTextEvent,
  projectMessage,
  projectRecord,
  type TextEnd,
} from '../core/session/project.ts'
import type { Delivery } from '../core/vocabulary.ts'
import { waitingTextCharactersMax } from '../limits.ts'
import type { WaitingPrompt } from '../ports.ts'
import { backgroundSchema } from './background-schema.ts'
import type { Identifiers } from './identifiers.ts'
import { dropMemoryFrom, memorySchema, projectMemory } from './memory-store.ts'
import { messageColumns, messageOf, messageText } from './open-message.ts'
import { scheduleProblemSchema, scheduleSchema } from './schedules.ts'
import { type Durability, Settling, type SettlingSql } from './settling.ts'
import { workTreeSchema } from './work-trees.ts'

const schema = [
  [
    ...eventLogSchema,
    ...pendingDecisionSchema,
    `CREATE TABLE session (
       id TEXT PRIMARY KEY, project_id TEXT NOT NULL, directory TEXT NOT NULL, subpath TEXT, title TEXT NOT NULL,
       created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL, record TEXT NOT NULL
     ) WITHOUT ROWID`,
    'CREATE INDEX session_by_update ON session (updated_ms, id)',
    'CREATE INDEX session_by_creation ON session (created_ms, id)',
    `CREATE TABLE message (
       session_id TEXT NOT NULL, id TEXT NOT NULL, seq INTEGER NOT NULL, type TEXT NOT NULL, is_open INTEGER NOT NULL,
       data TEXT NOT NULL, PRIMARY KEY (session_id, id)
     ) WITHOUT ROWID`,
    'CREATE UNIQUE INDEX message_by_seq ON message (session_id, seq)',
    'CREATE INDEX message_open ON message (session_id) WHERE is_open = 1',
    `CREATE TABLE session_input (
       session_id TEXT NOT NULL, id TEXT NOT NULL, admitted_seq INTEGER NOT NULL, delivery TEXT NOT NULL,
       prompt TEXT NOT NULL, request TEXT NOT NULL, created_ms INTEGER NOT NULL, promoted_seq INTEGER,
       is_synthetic INTEGER NOT NULL, PRIMARY KEY (session_id, id)
     ) WITHOUT ROWID`,
    'CREATE INDEX session_input_pending ON session_input (session_id, delivery, admitted_seq) WHERE promoted_seq IS NULL',
    `CREATE TABLE saved_permission (
       id TEXT PRIMARY KEY, project_id TEXT NOT NULL, action TEXT NOT NULL, resource TEXT NOT NULL,
       UNIQUE (project_id, action, resource)
     ) WITHOUT ROWID`,
  ],
  ['ALTER TABLE saved_permission ADD COLUMN session_id TEXT'],
  memorySchema,
  // What was admitted before waits, as it did then: whether it was meant to be driven is not known.
  ['ALTER TABLE session_input ADD COLUMN is_driven INTEGER NOT NULL DEFAULT 0'],
  // The newest event that is in the row: pieces of text after it are in the log alone. Earlier rows have them all.
  [
    'ALTER TABLE message ADD COLUMN projected_seq INTEGER NOT NULL DEFAULT 0',
    `UPDATE message SET projected_seq =
       COALESCE((SELECT next_seq - 1 FROM event_sequence WHERE aggregate_id = session_id), 0) WHERE is_open = 1`,
  ],
  backgroundSchema,
  scheduleSchema,
  workTreeSchema,
  [
    'ALTER TABLE session_input ADD COLUMN withdrawn_seq INTEGER',
    'DROP INDEX session_input_pending',
    `CREATE INDEX session_input_pending ON session_input (session_id, delivery, admitted_seq)
       WHERE promoted_seq IS NULL AND withdrawn_seq IS NULL`,
  ],
  scheduleProblemSchema,
] as const

const waits = 'promoted_seq IS NULL AND withdrawn_seq IS NULL'

/** Every table with rows of a session, the column that names it, and those that weigh something. */
export const sessionTables = [
  { table: 'event', key: 'aggregate_id', texts: ['data'] },
  { table: 'event_sequence', key: 'aggregate_id', texts: ['aggregate_id'] },
  { table: 'message', key: 'session_id', texts: ['data'] },
  { table: 'session_input', key: 'session_id', texts: ['prompt', 'request'] },
  { table: 'pending_decision', key: 'owner_id', texts: ['request', 'outcome'] },
  { table: 'step_snapshot', key: 'session_id', texts: ['paths'] },
  { table: 'begun_revert', key: 'session_id', texts: ['paths'] },
  { table: 'memory_retrieval', key: 'session_id', texts: ['selected'] },
  { table: 'background_command', key: 'session_id', texts: ['command'] },
  { table: 'schedule', key: 'session_id', texts: ['text'] },
  { table: 'work_tree', key: 'session_id', texts: ['merging_paths'] },
  { table: 'session', key: 'id', texts: ['record'] },
] as const

export interface InboxRow {
  readonly id: string
  readonly sessionId: string
  readonly admittedSeq: number
  readonly delivery: Delivery
  readonly prompt: Prompt
  /** Canonical text of what the caller sent: the same id with another one is a conflict. */
  readonly request: string
  readonly createdMs: number
  readonly promotedSeq: number | undefined
  readonly isWithdrawn: boolean
  /** Text of the server, such as an answer whose asker is gone: shown to the model as such, not as the user's words. */
  readonly isSynthetic: boolean
}

interface AppendedEvent extends LoggedEvent {
  /** Milliseconds since 1970. */
  readonly timestamp: number
}

export interface Transaction {
  /** With its `bodyOf` where that was made before: of a long text it takes as long as storing it. */
  append(event: SessionEvent, body?: string): AppendedEvent
  /** The record as it is within the transaction. */
  record(): SessionRecord
  readonly sql: SyncSql
}

/**
 * A message that was read, and its content written as JSON, before the transaction that ends it, which does neither again unless
 * something was stored since.
 */
export interface ReadAhead {
  readonly message: Message | undefined
  /** Of the message of a step. */
  readonly content: string | undefined
  /** The newest event of the session, then. */
  readonly seq: number
}

export type Publish = (events: readonly LoggedEvent[], record: SessionRecord) => void

export interface StoreDeps {
  readonly sql: SettlingSql
  readonly clock: Clock
  readonly ids: Identifiers
  readonly version: string
}

export class SessionStore {
  readonly #deps: StoreDeps
  readonly #published: Publish[] = []
  readonly settling: Settling

  constructor(deps: StoreDeps) {
    this.#deps = deps
    this.settling = new Settling(deps.sql)
    migrate(deps.sql, schema)
  }

  onCommit(publish: Publish): void {
    this.#published.push(publish)
  }

  /** Runs `work` in one transaction of this session and publishes its events once it is committed. */
  commit<T>(sessionId: string, work: (transaction: Transaction) => T, ahead?: ReadAhead): T {
    return this.commitAll((inSession) => inSession(sessionId, work, ahead))
  }

  /**
   * The same where another transaction follows at once as a rule, and one wait for the disk is enough for both: it is settled, and
   * its events are published, with that one or some milliseconds later.
   */
  commitAhead<T>(sessionId: string, work: (transaction: Transaction) => T): T {
    return this.commitAll((inSession) => inSession(sessionId, work), this.settling.durability())
  }

  /** Several sessions in one transaction: all of it or nothing. */
  commitAll<T>(
    work: (inSession: <V>(sessionId: string, change: (transaction: Transaction) => V, ahead?: ReadAhead) => V) => T,
    durability: Durability = 'settled',
  ): T {
    const done: { readonly events: readonly LoggedEvent[]; readonly record: SessionRecord }[] = []
    const value = this.#deps.sql.transaction(
      () =>
        work((sessionId, change, ahead) => {
          const { outcome, events, record } = this.#apply(sessionId, change, ahead)
          if (record !== undefined && events.length > 0) done.push({ events, record })
          return outcome
        }),
      durability,
    )
    if (durability === 'settled') this.settling.noteSettled()
    else if (done[0] !== undefined) this.settling.begin(done[0].record.id)
    for (const { events, record } of done)
      this.settling.tell(() => {
        for (const publish of this.#published) publish(events, record)
      })
    return value
  }

  #apply<T>(sessionId: string, work: (transaction: Transaction) => T, ahead: ReadAhead | undefined) {
    const events: LoggedEvent[] = []
    let record = this.find(sessionId)
    const before = record
    const outcome = work({
      sql: this.#deps.sql,
      append: (event, body = this.bodyOf(sessionId, event)) => {
        // One that was deleted meanwhile must not begin again in its middle.
        if (event.type !== 'session.created') requireRecord(record, sessionId)
        const stamped = { ...event, timestamp: this.#deps.clock.nowMs(), sessionID: sessionId } as StampedEvent
        const logged = this.#log(stamped, body)
        events.push(logged)
        record = projectRecord(stamped, record)
        this.#projectMessage(stamped, logged.seq, ahead)
        projectMemory(this.#deps.sql, stamped, logged.seq, record)
        return { ...logged, timestamp: stamped.timestamp }
      },
      record: () => requireRecord(record, sessionId),
    })
    if (record !== undefined && record !== before) this.#putRecord(record)
    return { outcome, events, record }
  }

  find(sessionId: string): SessionRecord | undefined {
    const text = this.recordText(sessionId)
    return text === undefined ? undefined : fromWireRecord(text)
  }

  recordText(sessionId: string): string | undefined {
    const [row] = this.#deps.sql.all('SELECT record FROM session WHERE id = ?', sessionId)
    return row === undefined ? undefined : textOf(row, 'record')
  }

  newestSeq(sessionId: string): number {
    return newestSeq(this.#deps.sql, sessionId)
  }

  events(sessionId: string, range: { after: number; upTo: number; limit: number }): LoggedEvent[] {
    return readEvents(this.#deps.sql, sessionId, range)
  }

  findMessage(sessionId: string, messageId: string): Message | undefined {
    const row = this.#messageRow(sessionId, messageId)
    return row === undefined ? undefined : messageOf(this.#deps.sql, sessionId, row)
  }

  /** The event as JSON, but for its time. */
  bodyOf(sessionId: string, event: SessionEvent): string {
    return JSON.stringify({ ...event.data, sessionID: sessionId })
  }

  /** `ends` are of all its texts, where their writer has them: a long one is not read again. */
  readAhead(sessionId: string, messageId: string, ends: readonly TextEnd[] | undefined): ReadAhead {
    const seq = this.newestSeq(sessionId)
    const found =
      ends === undefined ? this.findMessage(sessionId, messageId) : this.findWithoutNewTexts(sessionId, messageId)
    if (found?.type !== 'assistant') return { seq, message: found, content: undefined }
    const message = ends === undefined ? found : addTexts(found, ends)
    return { seq, message, content: JSON.stringify(message.content) }
  }

  /** Its calls are as they are; what it says may be longer by now, which costs as much to read as it is long. */
  findWithoutNewTexts(sessionId: string, messageId: string): Message | undefined {
    const row = this.#messageRow(sessionId, messageId)
    return row === undefined ? undefined : (JSON.parse(textOf(row, 'data')) as Message)
  }

  /** Messages the model sees, oldest first: from the newest summary on. */
  contextRows(sessionId: string): { readonly id: string; readonly seq: number; readonly data: string }[] {
    return this.#deps.sql
      .all(
        `SELECT ${messageColumns} FROM message WHERE session_id = ?1 AND seq >= COALESCE(
           (SELECT MAX(seq) FROM message WHERE session_id = ?1 AND type = 'compaction'), 0) ORDER BY seq`,
        sessionId,
      )
      .map((row) => ({
        id: textOf(row, 'id'),
        seq: numberOf(row, 'seq'),
        data: messageText(this.#deps.sql, sessionId, row),
      }))
  }

  context(sessionId: string): Message[] {
    return this.contextRows(sessionId).map((row) => JSON.parse(row.data) as Message)
  }

  /** Position of a message in its session. */
  messageSeq(sessionId: string, messageId: string): number | undefined {
    const [row] = this.#deps.sql.all('SELECT seq FROM message WHERE session_id = ? AND id = ?', sessionId, messageId)
    return row === undefined ? undefined : numberOf(row, 'seq')
  }

  messagesFrom(sessionId: string, seq: number): Message[] {
    return this.#deps.sql
      .all(`SELECT ${messageColumns} FROM message WHERE session_id = ? AND seq >= ? ORDER BY seq`, sessionId, seq)
      .map((row) => messageOf(this.#deps.sql, sessionId, row))
  }

  /** Steps that a crash cut short, in every session. */
  openSteps(): { readonly sessionId: string; readonly messageId: string }[] {
    return this.#deps.sql
      .all('SELECT session_id, id FROM message WHERE is_open = 1')
      .map((row) => ({ sessionId: textOf(row, 'session_id'), messageId: textOf(row, 'id') }))
  }

  /** Sessions with waiting input that was admitted to be driven, the one that waits longest first. */
  sessionsToDrive(): string[] {
    return this.#deps.sql
      .all(
        `SELECT session_id, MIN(created_ms) AS oldest_ms FROM session_input
         WHERE ${waits} AND is_driven = 1 GROUP BY session_id ORDER BY oldest_ms, session_id`,
      )
      .map((row) => textOf(row, 'session_id'))
  }

  findInput(sessionId: string, inputId: string): InboxRow | undefined {
    const [row] = this.#deps.sql.all('SELECT * FROM session_input WHERE session_id = ? AND id = ?', sessionId, inputId)
    return row === undefined ? undefined : toInboxRow(row)
  }

  /** Inputs that wait, oldest first. */
  pendingInputs(sessionId: string, delivery: Delivery, limit: number): InboxRow[] {
    return this.#deps.sql
      .all(
        `SELECT * FROM session_input WHERE session_id = ? AND delivery = ? AND ${waits}
         ORDER BY admitted_seq LIMIT ?`,
        sessionId,
        delivery,
        limit,
      )
      .map(toInboxRow)
  }

  /** All that waits, oldest first, each with as much of its text as a list shows. */
  waitingPrompts(sessionId: string): WaitingPrompt[] {
    return this.#deps.sql
      .all(
        `SELECT id, admitted_seq, delivery, created_ms, substr(prompt ->> '$.text', 1, ?2) AS text,
           COALESCE(json_array_length(prompt, '$.files'), 0) AS files
         FROM session_input WHERE session_id = ?1 AND ${waits} ORDER BY admitted_seq`,
        sessionId,
        waitingTextCharactersMax,
      )
      .map((row) => ({
        id: textOf(row, 'id'),
        admittedSeq: numberOf(row, 'admitted_seq'),
        delivery: textOf(row, 'delivery') as Delivery,
        text: textOf(row, 'text'),
        files: numberOf(row, 'files'),
        timeCreated: numberOf(row, 'created_ms'),
      }))
  }

  pendingInputCount(sessionId: string): number {
    const [row] = this.#deps.sql.all(
      `SELECT COUNT(*) AS count FROM session_input WHERE session_id = ? AND ${waits}`,
      sessionId,
    )
    return row === undefined ? 0 : numberOf(row, 'count')
  }

  /** Projections as the log alone gives them: the stored ones must be equal. */
  rebuild(sessionId: string): { readonly record: SessionRecord | undefined; readonly messages: Message[] } {
    let record: SessionRecord | undefined
    const messages = new Map<string, Message>()
    const order: string[] = []
    for (const event of this.events(sessionId, {
      after: -1,
      upTo: Number.MAX_SAFE_INTEGER,
      limit: Number.MAX_SAFE_INTEGER,
    })) {
      const stamped = fromLogged(event)
      record = projectRecord(stamped, record)
      const change = projectMessage(stamped, (id) => messages.get(id))
      if (change.kind === 'put') {
        if (!messages.has(change.message.id)) order.push(change.message.id)
        messages.set(change.message.id, change.message)
      } else if (change.kind === 'drop_from') {
        const at = order.indexOf(change.messageId)
        if (at >= 0) for (const dropped of order.splice(at)) messages.delete(dropped)
      }
    }
    return { record, messages: order.flatMap((id) => messages.get(id) ?? []) }
  }

  #log(event: StampedEvent, body: string): LoggedEvent {
    const data = `{"timestamp":${event.timestamp},${body.slice(1)}`
    return appendEvent(this.#deps.sql, event.sessionID, {
      id: this.#deps.ids.make('event'),
      type: event.type,
      version: eventVersion(event.type),
      data,
    })
  }

  #messageRow(sessionId: string, messageId: string): SqlRow | undefined {
    return this.#deps.sql.all(
      `SELECT ${messageColumns} FROM message WHERE session_id = ? AND id = ?`,
      sessionId,
      messageId,
    )[0]
  }

  #isOpen(sessionId: string, messageId: string): boolean {
    const [row] = this.#deps.sql.all(
      'SELECT is_open FROM message WHERE session_id = ? AND id = ?',
      sessionId,
      messageId,
    )
    return row !== undefined && numberOf(row, 'is_open') === 1
  }

  #projectMessage(event: StampedEvent, seq: number, ahead: ReadAhead | undefined): void {
    const { sql } = this.#deps
    if (isTextEvent(event) && this.#isOpen(event.sessionID, event.data.assistantMessageID)) return
    const known = ahead?.seq === seq - 1 ? ahead.message : undefined
    const change = projectMessage(event, (id) => {
      if (!isStepEnd(event)) return this.findWithoutNewTexts(event.sessionID, id)
      return known?.id === id ? known : this.findMessage(event.sessionID, id)
    })
    if (change.kind === 'put') {
      const { message } = change
      const isOpen = message.type === 'assistant' && message.time.completed === undefined ? 1 : 0
      sql.run(
        `INSERT INTO message (session_id, id, seq, type, is_open, data, projected_seq) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (session_id, id) DO UPDATE SET is_open = excluded.is_open, data = excluded.data,
           projected_seq = CASE excluded.is_open WHEN 1 THEN message.projected_seq ELSE excluded.projected_seq END`,
        event.sessionID,
        message.id,
        seq,
        message.type,
        isOpen,
        messageJson(message, ahead),
        seq,
      )
    } else if (change.kind === 'drop_from') {
      const from = this.messageSeq(event.sessionID, change.messageId)
      if (from === undefined) return
      sql.run('DELETE FROM message WHERE session_id = ? AND seq >= ?', event.sessionID, from)
      dropMemoryFrom(sql, event.sessionID, from)
    }
  }

  #putRecord(record: SessionRecord): void {
    this.#deps.sql.run(
      `INSERT INTO session (id, project_id, directory, subpath, title, created_ms, updated_ms, record)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET title = excluded.title, updated_ms = excluded.updated_ms, record = excluded.record`,
      record.id,
      record.projectID,
      record.location.directory,
      record.subpath ?? null,
      record.title,
      record.time.created,
      record.time.updated,
      toWireRecord(record, this.#deps.version),
    )
  }
}

/** As JSON has it. The end of a step leaves its content as it was. */
function messageJson(message: Message, ahead: ReadAhead | undefined): string {
  const isWritten = ahead?.message?.type === 'assistant' && message.type === 'assistant'
  if (!isWritten || ahead.content === undefined || message.content !== ahead.message.content)
    return JSON.stringify(message)
  const fields = Object.entries(message)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `"${name}":${name === 'content' ? ahead.content : JSON.stringify(value)}`)
  return `{${fields.join()}}`
}

function requireRecord(record: SessionRecord | undefined, sessionId: string): SessionRecord {
  if (record === undefined) throw new Error(`session ${sessionId} has no record`)
  return record
}

/** The record with both spellings of the fields that have two. */
function toWireRecord(record: SessionRecord, version: string): string {
  return JSON.stringify({
    ...record,
    projectId: record.projectID,
    parentId: record.parentID,
    workspaceId: record.location.workspaceID,
    directory: record.location.directory,
    path: record.subpath ?? '',
    slug: record.id.slice('ses_'.length).toLowerCase(),
    version,
  })
}

const addedFields = ['projectId', 'parentId', 'workspaceId', 'directory', 'path', 'slug', 'version']

function fromWireRecord(text: string): SessionRecord {
  const fields = Object.entries(JSON.parse(text) as object).filter(([name]) => !addedFields.includes(name))
  return Object.fromEntries(fields) as unknown as SessionRecord
}

function fromLogged(event: LoggedEvent): StampedEvent {
  const { timestamp, sessionID, ...data } = JSON.parse(event.data) as { timestamp: number; sessionID: string }
  // The request events carry the session inside their record as well.
  const payload =
    event.type.startsWith('permission.v2.asked') || event.type.startsWith('question.v2.asked')
      ? { ...data, sessionID }
      : data
  return { type: event.type, data: payload, timestamp, sessionID } as StampedEvent
}

function toInboxRow(row: SqlRow): InboxRow {
  const promoted = row['promoted_seq']
  return {
    id: textOf(row, 'id'),
    sessionId: textOf(row, 'session_id'),
    admittedSeq: numberOf(row, 'admitted_seq'),
    delivery: textOf(row, 'delivery') as Delivery,
    prompt: JSON.parse(textOf(row, 'prompt')) as Prompt,
    request: textOf(row, 'request'),
    createdMs: numberOf(row, 'created_ms'),
    promotedSeq: typeof promoted === 'number' ? promoted : undefined,
    isWithdrawn: row['withdrawn_seq'] !== null,
    isSynthetic: numberOf(row, 'is_synthetic') === 1,
  }
}
