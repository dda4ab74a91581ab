/**
 * One conversation as its object keeps it. Every change is one transaction with the events that tell of it, so that a
 * reader never sees what a crash could take back.
 */

import { failWith, type Result } from '#shared/kernel/result.ts'
import { migrate } from '#shared/sql/migrate.ts'
import { numberOf, type SqlRow, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import type {
  ActionRequest,
  Confirmation,
  ConversationDetail,
  ConversationSummary,
  Message,
  StartedRun,
  ToolCall,
} from '../../core/assistant/conversation.ts'
import type { RunState } from '../../core/assistant/run-step.ts'
import type { ToolAnswers } from '../../core/assistant/tool-answers.ts'
import type { Principal } from '../../core/principal.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { ConfirmationStatus, ConversationEntry, RunOutcome } from '../../core/vocabulary.ts'
import { auditSeconds, messagesGivenMax } from '../../limits.ts'
import type { Identifiers } from '../../ports/runtime.ts'
import { ConversationActions, type Decision } from './conversation-actions.ts'
import { ConversationLog } from './conversation-log.ts'
import { conversationSchema } from './conversation-schema.ts'

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
  readonly #log: ConversationLog
  readonly #actions: ConversationActions

  constructor(sql: SyncSql, identifiers: Identifiers) {
    this.#sql = sql
    this.#log = new ConversationLog(sql, identifiers)
    this.#actions = new ConversationActions(sql, this.#log)
    // An object that nobody began a conversation in stays without a database.
    const [known] = sql.all("SELECT name FROM sqlite_master WHERE name = 'conversation'")
    if (known !== undefined) migrate(sql, conversationSchema)
    this.#isThere = known !== undefined
  }

  #isThere: boolean

  begin(conversation: Omit<ConversationSummary, 'runId'>, principal: Principal): void {
    migrate(this.#sql, conversationSchema)
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
      messages: this.#log.messages(messagesGivenMax),
      confirmations: summary.runId === undefined ? [] : this.#actions.pendingOf(summary.runId),
      partial: run === undefined ? '' : textOf(run, 'partial'),
      lastSeq: this.#log.newest(),
    }
  }

  messages(countMax: number): Message[] {
    return this.#log.messages(countMax)
  }

  /** Starts to answer a message, unless something is being answered. */
  startRun(runId: string, text: string, title: string, nowMs: number): StartedRun | undefined {
    return this.#sql.transaction(() => {
      if (this.#sql.all('SELECT id FROM run').length > 0) return undefined
      this.#sql.run('INSERT INTO run (id) VALUES (?)', runId)
      this.#log.append({ type: 'run_started', runId }, nowMs)
      const message = this.#log.say(runId, { role: 'user', content: text }, nowMs)
      this.#sql.run(`UPDATE conversation SET title = CASE title WHEN '' THEN ? ELSE title END`, title)
      this.#changed(nowMs)
      this.#log.trim()
      this.#actions.trim(nowMs)
      return { runId, message }
    })
  }

  run(): RunState | undefined {
    if (!this.#isThere) return undefined
    const [row] = this.#sql.all('SELECT * FROM run')
    if (row === undefined) return undefined
    const id = textOf(row, 'id')
    const messages = this.#log.messagesOf(id)
    const last = messages.findLast((message) => message.role === 'assistant')
    const answered = new Set(messages.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : [])))
    const begun = new Set(this.#actions.begun().map(({ confirmationId }) => confirmationId))
    const actions = this.#actions
      .of(id)
      .map((one) => [one.toolCallId, { id: one.id, status: one.status, isStarted: begun.has(one.id) }] as const)
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
      this.#log.append({ type: 'delta', ...change }, nowMs)
    })
  }

  /** What the model answered. False when the run is over. */
  answer(runId: string, content: string, bytes: number, toolCalls: readonly ToolCall[], nowMs: number): boolean {
    return this.#sql.transaction(() => {
      if (!this.isRunning(runId)) return false
      this.#log.say(runId, { role: 'assistant', content, toolCalls }, nowMs)
      this.#sql.run(`UPDATE run SET partial = '', steps = steps + 1, text_bytes = text_bytes + ?`, bytes)
      return true
    })
  }

  beginCall(runId: string, tool: ToolCall, nowMs: number): boolean {
    return this.#sql.transaction(() => {
      if (!this.isRunning(runId)) return false
      this.#log.append({ type: 'tool_started', tool }, nowMs)
      return true
    })
  }

  /** Gives a call its result, unless the run is over or it has one. */
  answerCall(runId: string, call: ToolCall, content: string, isError: boolean, nowMs: number): void {
    this.#sql.transaction(() => {
      if (!this.isRunning(runId) || this.#log.isAnswered(runId, call.id)) return
      this.#log.sayResult(runId, call, content, isError, nowMs)
    })
  }

  /** Asks for a decision. False when the run is over, `full` when too many wait. */
  ask(id: string, request: ActionRequest, pendingMax: number, nowMs: number): boolean | 'full' {
    return this.#sql.transaction(() => {
      if (!this.isRunning(request.runId)) return false
      if (this.#actions.pendingOf(request.runId).length >= pendingMax) return 'full'
      this.#actions.ask(id, request, nowMs)
      return true
    })
  }

  /** Decides once. A question whose time is over is settled as such. */
  decide(
    id: string,
    decision: Decision,
    answers: ToolAnswers,
    nowMs: number,
  ): Result<Confirmation, 'not_found' | 'decided'> {
    if (!this.#isThere) return failWith('not_found')
    return this.#sql.transaction(() => this.#actions.decide(id, decision, answers, nowMs))
  }

  /** Also of a conversation that was deleted. */
  confirmationStatus(id: string): ConfirmationStatus | undefined {
    return this.#isThere ? this.#actions.status(id) : undefined
  }

  confirmation(id: string): Confirmation {
    return this.#actions.one(id)
  }

  /** Settles the questions whose time is over. */
  expire(answers: ToolAnswers, nowMs: number): void {
    this.#sql.transaction(() => {
      const run = this.summary()?.runId
      if (run !== undefined) this.#actions.expire(run, answers, nowMs)
    })
  }

  nextExpiryMs(): number | undefined {
    const run = this.summary()?.runId
    return run === undefined ? undefined : this.#actions.nextExpiryMs(run)
  }

  /** The note that an action is about to happen. False when it may not: then it must not. */
  beginAction(runId: string, call: ToolCall, confirmationId: string, auditId: number, nowMs: number): boolean {
    return this.#sql.transaction(() => {
      if (!this.isRunning(runId) || this.#log.isAnswered(runId, call.id)) return false
      if (!this.#actions.begin(confirmationId, auditId)) return false
      this.#log.append({ type: 'tool_started', tool: call }, nowMs)
      return true
    })
  }

  /** Audit entries of actions whose outcome nobody will learn. */
  lostActions(): number[] {
    const run = this.run()
    if (run === undefined) return []
    const answered = new Set([...run.actions].filter(([call]) => run.answered.has(call)).map(([_, { id }]) => id))
    return this.#actions
      .begun()
      .flatMap(({ confirmationId, auditId }) => (answered.has(confirmationId) ? [] : [auditId]))
  }

  /** Ends the run with everything that is open in it. False when it is over already. */
  endRun(runId: string, end: RunEnd, nowMs: number): boolean {
    return this.#sql.transaction(() => {
      const run = this.run()
      if (run === undefined || run.id !== runId) return false
      const [{ partial } = { partial: '' }] = this.#sql.all('SELECT partial FROM run')
      if (typeof partial === 'string' && partial !== '')
        this.#log.say(runId, { role: 'assistant', content: partial, toolCalls: [] }, nowMs)
      for (const confirmation of this.#actions.pendingOf(runId))
        this.#actions.settle(confirmation, { status: 'expired' }, undefined, nowMs)
      for (const call of run.calls ?? []) {
        if (run.answered.has(call.id)) continue
        const isBegun = run.actions.get(call.id)?.isStarted === true
        this.#log.sayResult(runId, call, isBegun ? end.begunActions : end.openCalls, true, nowMs)
      }
      if (end.notice !== undefined) this.#log.say(runId, { role: 'notice', content: end.notice }, nowMs)
      this.#sql.run('DELETE FROM run')
      this.#sql.run('DELETE FROM started_action')
      this.#log.append(
        { type: 'run_finished', status: end.status, ...(end.reason === undefined ? {} : { reason: end.reason }) },
        nowMs,
      )
      this.#changed(nowMs)
      return true
    })
  }

  /** A restart cut the answer short: who read until now reads the conversation again. */
  noteRestart(): void {
    this.#sql.run('UPDATE conversation SET restart_seq = ?', this.#log.newest() + 1)
  }

  /** A page of events as JSON text; undefined where there is no conversation. */
  page(after: number): { readonly text: string; readonly isEmpty: boolean } | undefined {
    const summary = this.summary()
    if (summary === undefined) return undefined
    const restartSeq = numberOf(this.#rowOfOne(), 'restart_seq')
    return this.#log.page(after, { restartSeq, isRunning: summary.runId !== undefined })
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
}
