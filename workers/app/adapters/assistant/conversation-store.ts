/**
 * One conversation as its object keeps it. Every change is one transaction with the events that tell of it, so that a
 * reader never sees what a crash could take back.
 */

import {
  askDecision,
  pendingDecisionSchema,
  pendingDecisions,
  settleDecision,
} from '#shared/decision/pending-decision.ts'
import { appendEvent, eventLogSchema, newestSeq, readEvents } from '#shared/event-log/event-log.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { migrate } from '#shared/sql/migrate.ts'
import { numberOf, type SqlRow, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import { numberEvent, writeEvent } from '../../contract/assistant-wire.ts'
import {
  type ActionRequest,
  type Confirmation,
  type ConversationDetail,
  type ConversationEvent,
  type ConversationSummary,
  type Message,
  type MessagePart,
  type StartedRun,
  type ToolCall,
  toolAnswers,
} from '../../core/assistant/conversation.ts'
import type { RunState } from '../../core/assistant/run-step.ts'
import type { Principal } from '../../core/principal.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { ConfirmationStatus, ConversationEntry, RunOutcome } from '../../core/vocabulary.ts'
import { auditSeconds, eventsKeptMax, eventsPageMax, messagesGivenMax, messagesKeptMax } from '../../limits.ts'
import type { Identifiers } from '../../ports/runtime.ts'

const schema: readonly (readonly string[])[] = [
  [
    `CREATE TABLE conversation (
       one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL, principal TEXT NOT NULL, title TEXT NOT NULL,
       entry TEXT NOT NULL, is_deleted INTEGER NOT NULL DEFAULT 0, created_at_ms INTEGER NOT NULL,
       updated_at_ms INTEGER NOT NULL,
       -- Readers that stopped before this number read again: a restart cut an answer short there.
       restart_seq INTEGER NOT NULL DEFAULT 0,
       -- Grows with what the list of conversations has to be told; what it knows.
       revision INTEGER NOT NULL DEFAULT 1, told_revision INTEGER NOT NULL DEFAULT 0
     )`,
    // The run under way: one row or none.
    `CREATE TABLE run (
       id TEXT PRIMARY KEY, steps INTEGER NOT NULL DEFAULT 0, text_bytes INTEGER NOT NULL DEFAULT 0,
       partial TEXT NOT NULL DEFAULT ''
     )`,
    `CREATE TABLE message (
       number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, run_id TEXT NOT NULL, part TEXT NOT NULL,
       created_at_ms INTEGER NOT NULL
     )`,
    `CREATE INDEX message_by_run ON message (run_id)`,
    // Actions that were begun in the run under way. Their results are messages.
    `CREATE TABLE started_action (confirmation_id TEXT PRIMARY KEY, audit_id INTEGER NOT NULL)`,
    ...eventLogSchema,
    ...pendingDecisionSchema,
  ],
]

/** All events of an object are of its one conversation. */
const log = 'conversation'
const actionKind = 'action'

interface Decided {
  readonly status: Exclude<ConfirmationStatus, 'pending'>
  readonly by?: string
  readonly atMs?: number
}

export interface RunEnd {
  readonly status: RunOutcome
  readonly notice?: string
  readonly reason?: Reason
  /** The result of calls that have none. */
  readonly openCalls: string
  /** The same of actions that were begun. */
  readonly begunActions: string
}

export class ConversationStore {
  readonly #sql: SyncSql
  readonly #identifiers: Identifiers

  constructor(sql: SyncSql, identifiers: Identifiers) {
    this.#sql = sql
    this.#identifiers = identifiers
    // An object that nobody began a conversation in stays without a database.
    const [known] = sql.all("SELECT name FROM sqlite_master WHERE name = 'conversation'")
    if (known !== undefined) migrate(sql, schema)
    this.#isThere = known !== undefined
  }

  #isThere: boolean

  begin(conversation: Omit<ConversationSummary, 'runId'>, principal: Principal): void {
    migrate(this.#sql, schema)
    this.#isThere = true
    const { id, title, entry, createdAtMs, updatedAtMs } = conversation
    this.#sql.run(
      `INSERT INTO conversation (one, id, principal, title, entry, created_at_ms, updated_at_ms) VALUES (1, ?, ?, ?, ?, ?, ?)`,
      id,
      JSON.stringify(principal),
      title,
      entry,
      createdAtMs,
      updatedAtMs,
    )
  }

  /** Undefined where there is none, or none any more. */
  summary(): ConversationSummary | undefined {
    const row = this.#row()
    if (row === undefined || numberOf(row, 'is_deleted') !== 0) return undefined
    const [run] = this.#sql.all('SELECT id FROM run')
    return {
      id: textOf(row, 'id'),
      title: textOf(row, 'title'),
      entry: textOf(row, 'entry') as ConversationEntry,
      createdAtMs: numberOf(row, 'created_at_ms'),
      updatedAtMs: numberOf(row, 'updated_at_ms'),
      ...(run === undefined ? {} : { runId: textOf(run, 'id') }),
    }
  }

  principal(): Principal {
    return JSON.parse(textOf(this.#rowOfOne(), 'principal'))
  }

  detail(): ConversationDetail | undefined {
    const summary = this.summary()
    if (summary === undefined) return undefined
    const [run] = this.#sql.all('SELECT partial FROM run')
    return {
      ...summary,
      messages: this.messages(messagesGivenMax),
      confirmations: summary.runId === undefined ? [] : this.#pendingOf(summary.runId),
      partial: run === undefined ? '' : textOf(run, 'partial'),
      lastSeq: newestSeq(this.#sql, log) + 1,
    }
  }

  /** The latest ones, oldest first. */
  messages(countMax: number): Message[] {
    return this.#sql.all('SELECT * FROM message ORDER BY number DESC LIMIT ?', countMax).map(toMessage).reverse()
  }

  /** Starts to answer a message, unless something is being answered. */
  startRun(runId: string, text: string, title: string, nowMs: number): StartedRun | undefined {
    return this.#sql.transaction(() => {
      if (this.#sql.all('SELECT id FROM run').length > 0) return undefined
      this.#sql.run('INSERT INTO run (id) VALUES (?)', runId)
      this.#append({ type: 'run_started', runId }, nowMs)
      const message = this.#say(runId, { role: 'user', content: text }, nowMs)
      this.#sql.run(`UPDATE conversation SET title = CASE title WHEN '' THEN ? ELSE title END`, title)
      this.#changed(nowMs)
      this.#trim(nowMs)
      return { runId, message }
    })
  }

  run(): RunState | undefined {
    if (!this.#isThere) return undefined
    const [row] = this.#sql.all('SELECT * FROM run')
    if (row === undefined) return undefined
    const id = textOf(row, 'id')
    const messages = this.#sql.all('SELECT * FROM message WHERE run_id = ? ORDER BY number', id).map(toMessage)
    const last = messages.findLast((message) => message.role === 'assistant')
    const answered = new Set(messages.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : [])))
    const begun = new Set(this.#begunActions().map(({ confirmationId }) => confirmationId))
    const actions = this.#confirmationsOf(id).map(
      (one) => [one.toolCallId, { id: one.id, status: one.status, isStarted: begun.has(one.id) }] as const,
    )
    return {
      id,
      steps: numberOf(row, 'steps'),
      ...(last?.role === 'assistant' ? { calls: last.toolCalls } : {}),
      answered,
      actions: new Map(actions),
    }
  }

  isRunning(runId: string): boolean {
    return this.#isThere && this.#sql.all('SELECT id FROM run WHERE id = ?', runId).length > 0
  }

  /** Bytes that the run may still write. */
  textBytes(runId: string): number {
    const [row] = this.#sql.all('SELECT text_bytes FROM run WHERE id = ?', runId)
    return row === undefined ? 0 : numberOf(row, 'text_bytes')
  }

  /** The text of the answer being written, as it is now. */
  write(runId: string, change: { readonly text: string; readonly replace: boolean }, nowMs: number): void {
    this.#sql.transaction(() => {
      if (!this.isRunning(runId)) return
      const partial = change.replace ? '?' : 'partial || ?'
      this.#sql.run(`UPDATE run SET partial = ${partial}`, change.text)
      this.#append({ type: 'delta', ...change }, nowMs)
    })
  }

  /** What the model answered. False when the run is over. */
  answer(runId: string, content: string, bytes: number, toolCalls: readonly ToolCall[], nowMs: number): boolean {
    return this.#sql.transaction(() => {
      if (!this.isRunning(runId)) return false
      this.#say(runId, { role: 'assistant', content, toolCalls }, nowMs)
      this.#sql.run(`UPDATE run SET partial = '', steps = steps + 1, text_bytes = text_bytes + ?`, bytes)
      return true
    })
  }

  beginCall(runId: string, tool: ToolCall, nowMs: number): boolean {
    return this.#sql.transaction(() => {
      if (!this.isRunning(runId)) return false
      this.#append({ type: 'tool_started', tool }, nowMs)
      return true
    })
  }

  /** Gives a call its result, unless the run is over or it has one. */
  answerCall(runId: string, call: ToolCall, content: string, isError: boolean, nowMs: number): void {
    this.#sql.transaction(() => {
      if (!this.isRunning(runId) || this.#isAnswered(runId, call.id)) return
      this.#sayResult(runId, call, content, isError, nowMs)
    })
  }

  /** Asks for a decision. False when the run is over, `full` when too many wait. */
  ask(id: string, request: ActionRequest, pendingMax: number, nowMs: number): boolean | 'full' {
    return this.#sql.transaction(() => {
      if (!this.isRunning(request.runId)) return false
      if (this.#pendingOf(request.runId).length >= pendingMax) return 'full'
      const { runId, ...rest } = request
      askDecision(this.#sql, { id, ownerId: runId, kind: actionKind, request: JSON.stringify(rest) }, nowMs)
      this.#append({ type: 'confirmation', confirmation: this.#confirmation(id) }, nowMs)
      return true
    })
  }

  /** Decides once. A question whose time is over is settled as such. */
  decide(id: string, approve: boolean, by: string, nowMs: number): Result<Confirmation, 'not_found' | 'decided'> {
    return this.#sql.transaction(() => {
      const status = this.confirmationStatus(id)
      if (status === undefined) return failWith('not_found')
      if (status !== 'pending') return failWith('decided')
      const confirmation = this.#confirmation(id)
      if (nowMs >= confirmation.expiresAtMs) {
        this.#settle(confirmation, { status: 'expired' }, toolAnswers.expired, nowMs)
        return failWith('decided')
      }
      this.#settle(
        confirmation,
        { status: approve ? 'approved' : 'denied', by, atMs: nowMs },
        approve ? undefined : toolAnswers.denied,
        nowMs,
      )
      return succeed(this.#confirmation(id))
    })
  }

  /** Also of a conversation that was deleted. */
  confirmationStatus(id: string): ConfirmationStatus | undefined {
    if (!this.#isThere) return undefined
    const [row] = this.#sql.all('SELECT status, outcome FROM pending_decision WHERE id = ?', id)
    return row === undefined ? undefined : statusOf(row)
  }

  confirmation(id: string): Confirmation {
    return this.#confirmation(id)
  }

  /** Settles the questions whose time is over. */
  expire(nowMs: number): void {
    this.#sql.transaction(() => {
      const run = this.summary()?.runId
      if (run === undefined) return
      for (const confirmation of this.#pendingOf(run)) {
        if (nowMs >= confirmation.expiresAtMs)
          this.#settle(confirmation, { status: 'expired' }, toolAnswers.expired, nowMs)
      }
    })
  }

  nextExpiryMs(): number | undefined {
    const run = this.summary()?.runId
    if (run === undefined) return undefined
    const expiries = this.#pendingOf(run).map(({ expiresAtMs }) => expiresAtMs)
    return expiries.length === 0 ? undefined : Math.min(...expiries)
  }

  /** The note that an action is about to happen. False when it may not: then it must not. */
  beginAction(runId: string, call: ToolCall, confirmationId: string, auditId: number, nowMs: number): boolean {
    return this.#sql.transaction(() => {
      const isFree = this.#begunActions().every((action) => action.confirmationId !== confirmationId)
      const isApproved = this.confirmationStatus(confirmationId) === 'approved'
      if (!this.isRunning(runId) || !isFree || !isApproved || this.#isAnswered(runId, call.id)) return false
      this.#sql.run('INSERT INTO started_action (confirmation_id, audit_id) VALUES (?, ?)', confirmationId, auditId)
      this.#append({ type: 'tool_started', tool: call }, nowMs)
      return true
    })
  }

  /** Audit entries of actions whose outcome nobody will learn. */
  lostActions(): number[] {
    const run = this.run()
    if (run === undefined) return []
    const answered = new Set([...run.actions].filter(([call]) => run.answered.has(call)).map(([_, { id }]) => id))
    return this.#begunActions().flatMap(({ confirmationId, auditId }) =>
      answered.has(confirmationId) ? [] : [auditId],
    )
  }

  /** Ends the run with everything that is open in it. False when it is over already. */
  endRun(runId: string, end: RunEnd, nowMs: number): boolean {
    return this.#sql.transaction(() => {
      const run = this.run()
      if (run === undefined || run.id !== runId) return false
      const [{ partial } = { partial: '' }] = this.#sql.all('SELECT partial FROM run')
      if (typeof partial === 'string' && partial !== '')
        this.#say(runId, { role: 'assistant', content: partial, toolCalls: [] }, nowMs)
      for (const confirmation of this.#pendingOf(runId))
        this.#settle(confirmation, { status: 'expired' }, undefined, nowMs)
      for (const call of run.calls ?? []) {
        if (run.answered.has(call.id)) continue
        const isBegun = run.actions.get(call.id)?.isStarted === true
        this.#sayResult(runId, call, isBegun ? end.begunActions : end.openCalls, true, nowMs)
      }
      if (end.notice !== undefined) this.#say(runId, { role: 'notice', content: end.notice }, nowMs)
      this.#sql.run('DELETE FROM run')
      this.#sql.run('DELETE FROM started_action')
      this.#append(
        { type: 'run_finished', status: end.status, ...(end.reason === undefined ? {} : { reason: end.reason }) },
        nowMs,
      )
      this.#changed(nowMs)
      return true
    })
  }

  /** A restart cut the answer short: who read until now reads the conversation again. */
  noteRestart(): void {
    this.#sql.run('UPDATE conversation SET restart_seq = ?', newestSeq(this.#sql, log) + 2)
  }

  /** A page of events as JSON text; undefined where there is no conversation. */
  page(after: number): { readonly text: string; readonly isEmpty: boolean } | undefined {
    const summary = this.summary()
    if (summary === undefined) return undefined
    const newest = newestSeq(this.#sql, log) + 1
    const oldest = Math.max(1, newest - eventsKeptMax + 1)
    const reset = after > newest || after < oldest - 1 || after < numberOf(this.#rowOfOne(), 'restart_seq')
    // Of the log's own numbers, which are one less.
    const range = { after: after - 1, upTo: newest - 1, limit: eventsPageMax }
    const events = reset ? [] : readEvents(this.#sql, log, range)
    const last = reset ? newest : after + events.length
    const written = events.map(({ seq, data }) => numberEvent(seq + 1, data)).join(',')
    const running = summary.runId !== undefined
    return {
      text: `{"events":[${written}],"reset":${reset},"last":${last},"running":${running}}`,
      isEmpty: events.length === 0 && !reset,
    }
  }

  /** Everything that was said is gone at once; of questions it stays known which there were and what became of them. */
  remove(nowMs: number): void {
    this.#sql.transaction(() => {
      for (const table of ['message', 'run', 'started_action', 'event', 'event_sequence'])
        this.#sql.run(`DELETE FROM ${table}`)
      this.#sql.run(
        `UPDATE pending_decision SET request = '{}', status = 'settled', outcome = CASE status
           WHEN 'pending' THEN json_object('status', 'expired')
           ELSE json_object('status', json_extract(outcome, '$.status')) END`,
      )
      this.#sql.run(`UPDATE conversation SET is_deleted = 1, title = ''`)
      this.#changed(nowMs)
    })
  }

  /** Until when what is left of a removed conversation is kept; undefined for one that is there, or never was. */
  keptUntilMs(): number | undefined {
    const row = this.#row()
    if (row === undefined || numberOf(row, 'is_deleted') === 0) return undefined
    const hasDecisions = this.#sql.all('SELECT 1 AS one FROM pending_decision LIMIT 1').length > 0
    return numberOf(row, 'updated_at_ms') + (hasDecisions ? auditSeconds * 1000 : 0)
  }

  /** What the list of conversations was not told yet. Undefined when it knows everything. */
  untold(): { readonly revision: number; readonly id: string; readonly principal: Principal } | undefined {
    const row = this.#row()
    if (row === undefined || numberOf(row, 'revision') === numberOf(row, 'told_revision')) return undefined
    return { revision: numberOf(row, 'revision'), id: textOf(row, 'id'), principal: this.principal() }
  }

  told(revision: number): void {
    this.#sql.run('UPDATE conversation SET told_revision = ?', revision)
  }

  /** The list has to be told again, whatever it was told. */
  changed(): void {
    this.#sql.run('UPDATE conversation SET revision = revision + 1')
  }

  /** The database is gone. */
  forget(): void {
    this.#isThere = false
  }

  #row(): SqlRow | undefined {
    return this.#isThere ? this.#sql.all('SELECT * FROM conversation')[0] : undefined
  }

  #rowOfOne(): SqlRow {
    const row = this.#row()
    if (row === undefined) throw new Error('there is no conversation in this object')
    return row
  }

  #changed(nowMs: number): void {
    this.#sql.run('UPDATE conversation SET updated_at_ms = ?, revision = revision + 1', nowMs)
  }

  #append(event: ConversationEvent, nowMs: number): void {
    const { seq } = appendEvent(this.#sql, log, {
      id: this.#identifiers.next(),
      type: event.type,
      version: 1,
      data: writeEvent(event, nowMs),
    })
    this.#sql.run('DELETE FROM event WHERE aggregate_id = ? AND seq <= ?', log, seq - eventsKeptMax)
  }

  #say(runId: string, part: MessagePart, nowMs: number): Message {
    const message: Message = { id: this.#identifiers.next(), runId, createdAtMs: nowMs, ...part }
    this.#sql.run(
      'INSERT INTO message (id, run_id, part, created_at_ms) VALUES (?, ?, ?, ?)',
      message.id,
      runId,
      JSON.stringify(part),
      nowMs,
    )
    this.#append({ type: 'message', message }, nowMs)
    return message
  }

  #sayResult(
    runId: string,
    { id, name }: Pick<ToolCall, 'id' | 'name'>,
    content: string,
    isError: boolean,
    nowMs: number,
  ) {
    this.#say(runId, { role: 'tool', content, toolName: name, toolCallId: id, isError }, nowMs)
  }

  #isAnswered(runId: string, callId: string): boolean {
    return this.#sql
      .all('SELECT part FROM message WHERE run_id = ?', runId)
      .some((row) => (JSON.parse(textOf(row, 'part')) as { toolCallId?: string }).toolCallId === callId)
  }

  #settle(confirmation: Confirmation, decided: Decided, result: string | undefined, nowMs: number): void {
    const { id, runId, toolCallId, tool } = confirmation
    settleDecision(this.#sql, { id, ownerId: runId, kind: actionKind }, JSON.stringify(decided), nowMs)
    this.#append({ type: 'confirmation', confirmation: this.#confirmation(id) }, nowMs)
    if (result !== undefined) this.#sayResult(runId, { id: toolCallId, name: tool }, result, true, nowMs)
  }

  #pendingOf(runId: string): Confirmation[] {
    return pendingDecisions(this.#sql, actionKind, runId).map(({ id }) => this.#confirmation(id))
  }

  #confirmationsOf(runId: string): Confirmation[] {
    return this.#sql
      .all('SELECT * FROM pending_decision WHERE owner_id = ? AND kind = ?', runId, actionKind)
      .map(toConfirmation)
  }

  #confirmation(id: string): Confirmation {
    const [row] = this.#sql.all('SELECT * FROM pending_decision WHERE id = ?', id)
    if (row === undefined) throw new Error('there is no such confirmation')
    return toConfirmation(row)
  }

  #begunActions(): { readonly confirmationId: string; readonly auditId: number }[] {
    return this.#sql
      .all('SELECT * FROM started_action')
      .map((row) => ({ confirmationId: textOf(row, 'confirmation_id'), auditId: numberOf(row, 'audit_id') }))
  }

  #trim(nowMs: number): void {
    this.#sql.run('DELETE FROM message WHERE number <= (SELECT MAX(number) FROM message) - ?', messagesKeptMax)
    this.#sql.run(
      `DELETE FROM pending_decision WHERE status = 'settled' AND asked_at_ms < ?`,
      nowMs - auditSeconds * 1000,
    )
  }
}

function toMessage(row: SqlRow): Message {
  const part: MessagePart = JSON.parse(textOf(row, 'part'))
  return {
    id: textOf(row, 'id'),
    runId: textOf(row, 'run_id'),
    createdAtMs: numberOf(row, 'created_at_ms'),
    ...part,
  }
}

function statusOf(row: SqlRow): ConfirmationStatus {
  return row['outcome'] === null ? 'pending' : (JSON.parse(textOf(row, 'outcome')) as Decided).status
}

function toConfirmation(row: SqlRow): Confirmation {
  const request: Omit<ActionRequest, 'runId'> = JSON.parse(textOf(row, 'request'))
  const decided: Partial<Decided> = row['outcome'] === null ? {} : JSON.parse(textOf(row, 'outcome'))
  return {
    ...request,
    id: textOf(row, 'id'),
    runId: textOf(row, 'owner_id'),
    status: statusOf(row),
    createdAtMs: numberOf(row, 'asked_at_ms'),
    ...(decided.by === undefined ? {} : { decidedBy: decided.by }),
    ...(decided.atMs === undefined ? {} : { decidedAtMs: decided.atMs }),
  }
}
