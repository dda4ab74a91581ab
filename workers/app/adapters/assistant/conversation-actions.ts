/** What a conversation asks its owner for: each question, its one decision, and what was begun of it. */
import { askDecision, pendingDecisions, settleDecision } from '#shared/decision/pending-decision.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { numberOf, type SqlRow, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import type { ActionRequest, Confirmation } from '../../core/assistant/conversation.ts'
import type { ToolAnswers } from '../../core/assistant/tool-answers.ts'
import type { ConfirmationStatus } from '../../core/vocabulary.ts'
import { auditSeconds } from '../../limits.ts'
import type { ConversationLog } from './conversation-log.ts'

const actionKind = 'action'

export interface Decision {
  readonly approve: boolean
  readonly by: string
}

interface Decided {
  readonly status: Exclude<ConfirmationStatus, 'pending'>
  readonly by?: string
  readonly atMs?: number
}

/** Each method is part of a transaction of the store. */
export class ConversationActions {
  readonly #sql: SyncSql
  readonly #log: ConversationLog

  constructor(sql: SyncSql, log: ConversationLog) {
    this.#sql = sql
    this.#log = log
  }

  ask(id: string, request: ActionRequest, nowMs: number): void {
    const { runId, ...rest } = request
    askDecision(this.#sql, { id, ownerId: runId, kind: actionKind, request: JSON.stringify(rest) }, nowMs)
    this.#log.append({ type: 'confirmation', confirmation: this.one(id) }, nowMs)
  }

  status(id: string): ConfirmationStatus | undefined {
    const [row] = this.#sql.all('SELECT status, outcome FROM pending_decision WHERE id = ?', id)
    return row === undefined ? undefined : statusOf(row)
  }

  /** Decides once. A question whose time is over is settled as such. */
  decide(
    id: string,
    { approve, by }: Decision,
    answers: ToolAnswers,
    nowMs: number,
  ): Result<Confirmation, 'not_found' | 'decided'> {
    const status = this.status(id)
    if (status === undefined) return failWith('not_found')
    if (status !== 'pending') return failWith('decided')
    const confirmation = this.one(id)
    if (nowMs >= confirmation.expiresAtMs) {
      this.settle(confirmation, { status: 'expired' }, answers.expired, nowMs)
      return failWith('decided')
    }
    this.settle(
      confirmation,
      { status: approve ? 'approved' : 'denied', by, atMs: nowMs },
      approve ? undefined : answers.denied,
      nowMs,
    )
    return succeed(this.one(id))
  }

  expire(runId: string, answers: ToolAnswers, nowMs: number): void {
    for (const confirmation of this.pendingOf(runId)) {
      if (nowMs >= confirmation.expiresAtMs) this.settle(confirmation, { status: 'expired' }, answers.expired, nowMs)
    }
  }

  nextExpiryMs(runId: string): number | undefined {
    const expiries = this.pendingOf(runId).map(({ expiresAtMs }) => expiresAtMs)
    return expiries.length === 0 ? undefined : Math.min(...expiries)
  }

  settle(confirmation: Confirmation, decided: Decided, result: string | undefined, nowMs: number): void {
    const { id, runId, toolCallId, tool } = confirmation
    settleDecision(this.#sql, { id, ownerId: runId, kind: actionKind }, JSON.stringify(decided), nowMs)
    this.#log.append({ type: 'confirmation', confirmation: this.one(id) }, nowMs)
    if (result !== undefined) this.#log.sayResult(runId, { id: toolCallId, name: tool }, result, true, nowMs)
  }

  pendingOf(runId: string): Confirmation[] {
    return pendingDecisions(this.#sql, actionKind, runId).map(({ id }) => this.one(id))
  }

  of(runId: string): Confirmation[] {
    return this.#sql
      .all('SELECT * FROM pending_decision WHERE owner_id = ? AND kind = ?', runId, actionKind)
      .map(toConfirmation)
  }

  one(id: string): Confirmation {
    const [row] = this.#sql.all('SELECT * FROM pending_decision WHERE id = ?', id)
    if (row === undefined) throw new Error('there is no such confirmation')
    return toConfirmation(row)
  }

  begun(): { readonly confirmationId: string; readonly auditId: number }[] {
    return this.#sql
      .all('SELECT * FROM started_action')
      .map((row) => ({ confirmationId: textOf(row, 'confirmation_id'), auditId: numberOf(row, 'audit_id') }))
  }

  /** False for what was begun already, or was not approved: then it must not be. */
  begin(confirmationId: string, auditId: number): boolean {
    const isFree = this.begun().every((action) => action.confirmationId !== confirmationId)
    if (!isFree || this.status(confirmationId) !== 'approved') return false
    this.#sql.run('INSERT INTO started_action (confirmation_id, audit_id) VALUES (?, ?)', confirmationId, auditId)
    return true
  }

  trim(nowMs: number): void {
    this.#sql.run(
      `DELETE FROM pending_decision WHERE status = 'settled' AND asked_at_ms < ?`,
      nowMs - auditSeconds * 1000,
    )
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
