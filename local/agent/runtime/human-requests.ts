/**
 * Permissions and questions. A reply settles its row, writes the event and admits what follows from it in one
 * transaction; the tool that waits is only told afterwards. When it no longer waits, because the server restarted, the
 * reply reaches the model through the inbox instead.
 */
import { askDecision, pendingDecisions, settleDecision } from '#shared/decision/pending-decision.ts'
import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import { type Failure, failure, sessionNotFound } from '../core/failure.ts'
import { evaluatePermission, type PermissionRule } from '../core/permission.ts'
import { checkAnswers, describeAnswers, describeLateAnswers, describeLatePermission } from '../core/request-text.ts'
import type { PermissionRequest, QuestionItem, QuestionRequest, SessionEvent } from '../core/session/event.ts'
import { shellResources, splitShellLine } from '../core/shell-command.ts'
import { pendingAsksPerSessionMax, savedRulesMax, sessionsWithRulesMax } from '../limits.ts'
import type { Asks, SavedRule } from '../ports.ts'
import type { Identifiers } from './identifiers.ts'
import { admitInput } from './inbox.ts'
import type { SessionStore, Transaction } from './session-store.ts'
import type { ToolProblem } from './tool-port.ts'

export interface AskDeps {
  readonly store: SessionStore
  readonly sql: SyncSql
  readonly clock: Clock
  readonly ids: Identifiers
  /** Something waits for the owner, until what it answers is called. */
  readonly onWaiting?: (kind: 'permission' | 'question', request: WaitingRequest) => () => void
  /** A settled request of a tool that is gone left work in the inbox. */
  readonly wake: (sessionId: string) => void
}

/** Of a permission, what is wanted. */
export interface WaitingRequest {
  readonly id: string
  readonly sessionID: string
  readonly action?: string
}

interface Source {
  readonly messageId: string
  readonly callId: string
}

interface Waiter<R, T> {
  readonly request: R
  readonly resolve: (outcome: T) => void
}

type PermissionWaiter = Waiter<PermissionRequest, Result<void, ToolProblem>>
type QuestionWaiter = Waiter<QuestionRequest, ToolProblem>
type Answers = readonly (readonly string[])[]
/** Of a call that goes on with them, and settles itself. */
type AnswerWaiter = Waiter<QuestionRequest, Answers | undefined>

/** How a request is stored, and what becomes of it when its turn is interrupted. */
interface Asking<R, T> {
  readonly kind: 'permission' | 'question'
  readonly waiters: Map<string, Waiter<R, T>>
  readonly asked: SessionEvent
  readonly onInterrupt: { readonly stored: unknown; readonly event: SessionEvent; readonly outcome: T }
}

const interrupted: ToolProblem = { message: 'The turn was interrupted', reason: 'interrupted' }
const tooMany: ToolProblem = { message: 'Too many requests are waiting for the owner', reason: 'refused' }
const rejected: ToolProblem = { message: 'The owner rejected this call', reason: 'refused', endsTurn: true }

export class HumanRequests implements Asks {
  readonly #deps: AskDeps
  readonly #permissions = new Map<string, PermissionWaiter>()
  readonly #questions = new Map<string, QuestionWaiter>()
  readonly #answers = new Map<string, AnswerWaiter>()
  /** What was allowed for one session, for as long as this server runs. */
  readonly #sessionRules = new Map<string, Omit<SavedRule, 'id'>[]>()
  #isClosing = false

  constructor(deps: AskDeps) {
    this.#deps = deps
  }

  /** From here on a turn that ends leaves its requests pending: the server stops, and they outlive it. */
  close(): void {
    this.#isClosing = true
  }

  /** Asks and waits. An interrupt of the turn settles the request as rejected. */
  async askPermission(
    sessionId: string,
    source: Source,
    ask: Pick<PermissionRequest, 'action' | 'resources' | 'save' | 'metadata'>,
    signal: AbortSignal,
  ): Promise<Result<void, ToolProblem>> {
    if (signal.aborted) return failWith(interrupted)
    if (!this.#hasRoom(sessionId)) return failWith(tooMany)
    const request: PermissionRequest = {
      id: this.#deps.ids.make('permission'),
      sessionID: sessionId,
      ...ask,
      source: { type: 'tool', messageID: source.messageId, callID: source.callId },
    }
    return this.#ask(
      request,
      {
        kind: 'permission',
        waiters: this.#permissions,
        asked: { type: 'permission.v2.asked', data: request },
        onInterrupt: {
          stored: { reply: 'reject' },
          event: { type: 'permission.v2.replied', data: { requestID: request.id, reply: 'reject' } },
          outcome: failWith(interrupted),
        },
      },
      signal,
    )
  }

  async askQuestion(
    sessionId: string,
    source: Source,
    questions: readonly QuestionItem[],
    signal: AbortSignal,
  ): Promise<ToolProblem> {
    if (signal.aborted) return interrupted
    if (!this.#hasRoom(sessionId)) return tooMany
    const request: QuestionRequest = {
      id: this.#deps.ids.make('question'),
      sessionID: sessionId,
      questions,
      tool: { messageID: source.messageId, callID: source.callId },
    }
    return this.#put(request, this.#questions, interrupted, signal)
  }

  /** For a call that goes on with the answers. After a crash it is gone, and they reach the model as any late ones. */
  async askAnswers(
    sessionId: string,
    questions: readonly QuestionItem[],
    signal: AbortSignal,
  ): Promise<Answers | undefined> {
    if (signal.aborted || !this.#hasRoom(sessionId)) return undefined
    const request: QuestionRequest = { id: this.#deps.ids.make('question'), sessionID: sessionId, questions }
    return this.#put(request, this.#answers, undefined, signal)
  }

  /** Puts a question to the owner; an interrupt of the turn settles it as rejected. */
  #put<T>(
    request: QuestionRequest,
    waiters: Map<string, Waiter<QuestionRequest, T>>,
    outcome: T,
    signal: AbortSignal,
  ): Promise<T> {
    return this.#ask(
      request,
      {
        kind: 'question',
        waiters,
        asked: { type: 'question.v2.asked', data: request },
        onInterrupt: {
          stored: { rejected: true },
          event: { type: 'question.v2.rejected', data: { requestID: request.id } },
          outcome,
        },
      },
      signal,
    )
  }

  permissions(scope: { sessionId: string } | { directory: string }): Result<PermissionRequest[], Failure> {
    return this.#pending('permission', scope)
  }

  questions(scope: { sessionId: string } | { directory: string }): Result<QuestionRequest[], Failure> {
    return this.#pending('question', scope)
  }

  permission(sessionId: string, requestId: string): Result<PermissionRequest, Failure> {
    const pending = this.permissions({ sessionId })
    if (!pending.ok) return pending
    const request = pending.value.find((candidate) => candidate.id === requestId)
    return request === undefined ? failWith(permissionNotFound(requestId)) : succeed(request)
  }

  replyPermission(
    sessionId: string,
    requestId: string,
    answer: Parameters<Asks['replyPermission']>[2],
  ): Result<void, Failure> {
    if (this.#deps.store.find(sessionId) === undefined) return failWith(sessionNotFound(sessionId))
    const waiter = this.#permissions.get(requestId)
    const alsoSettled: PermissionWaiter[] = []
    const settled = this.#settle<PermissionRequest>(
      sessionId,
      requestId,
      'permission',
      answer,
      (transaction, request) => {
        transaction.append({
          type: 'permission.v2.replied',
          data: {
            requestID: requestId,
            reply: answer.reply,
            ...(answer.message === undefined ? {} : { message: answer.message }),
          },
        })
        if (waiter === undefined) {
          admitInput(transaction, this.#deps, {
            text: describeLatePermission(request, answer.reply, answer.message),
            isSynthetic: true,
          })
        } else if (answer.reply === 'always') {
          if (answer.scope === 'session') this.#keepForSession(transaction, request)
          else this.#saveRules(transaction, request)
          alsoSettled.push(...this.#settleAllowed(transaction, sessionId, requestId))
        } else if (answer.reply === 'reject' && (answer.message ?? '') === '') {
          alsoSettled.push(...this.#rejectOthers(transaction, sessionId, requestId))
        }
      },
    )
    if (settled === undefined) return failWith(permissionNotFound(requestId))
    if (waiter === undefined) this.#deps.wake(sessionId)
    else waiter.resolve(outcomeOf(answer))
    for (const other of alsoSettled) other.resolve(answer.reply === 'always' ? succeed(undefined) : failWith(rejected))
    return succeed(undefined)
  }

  replyQuestion(sessionId: string, requestId: string, answers: readonly (readonly string[])[]): Result<void, Failure> {
    if (this.#deps.store.find(sessionId) === undefined) return failWith(sessionNotFound(sessionId))
    const pending = this.questions({ sessionId })
    const request = pending.ok ? pending.value.find((candidate) => candidate.id === requestId) : undefined
    if (request === undefined) return failWith(questionNotFound(requestId))
    const problem = checkAnswers(request, answers)
    if (problem !== undefined) {
      return failWith(failure('invalid_request', problem, { kind: 'field', part: 'Payload', field: 'answers' }))
    }
    const waiter = this.#questions.get(requestId)
    const goesOn = this.#answers.get(requestId)
    const settled = this.#settle<QuestionRequest>(sessionId, requestId, 'question', { answers }, (transaction) => {
      transaction.append({ type: 'question.v2.replied', data: { requestID: requestId, answers } })
      if (goesOn !== undefined) return
      if (waiter === undefined || request.tool === undefined) {
        admitInput(transaction, this.#deps, { text: describeLateAnswers(request, answers), isSynthetic: true })
      } else {
        transaction.append({
          type: 'session.next.tool.success',
          data: {
            assistantMessageID: request.tool.messageID,
            callID: request.tool.callID,
            structured: { answers },
            content: [{ type: 'text', text: describeAnswers(request, answers) }],
            provider: { executed: false },
          },
        })
      }
    })
    if (settled === undefined) return failWith(questionNotFound(requestId))
    if (goesOn !== undefined) goesOn.resolve(answers)
    else if (waiter === undefined) this.#deps.wake(sessionId)
    else waiter.resolve({ message: '', reason: 'tool', isSettled: true })
    return succeed(undefined)
  }

  rejectQuestion(sessionId: string, requestId: string): Result<void, Failure> {
    if (this.#deps.store.find(sessionId) === undefined) return failWith(sessionNotFound(sessionId))
    const settled = this.#settle<QuestionRequest>(
      sessionId,
      requestId,
      'question',
      { rejected: true },
      ({ append }) => {
        append({ type: 'question.v2.rejected', data: { requestID: requestId } })
      },
    )
    if (settled === undefined) return failWith(questionNotFound(requestId))
    this.#answers.get(requestId)?.resolve(undefined)
    this.#questions.get(requestId)?.resolve({ ...rejected, message: 'The owner rejected the question' })
    return succeed(undefined)
  }

  /** Calls of a session whose request the owner has not answered. */
  waitingCalls(sessionId: string): ReadonlySet<string> {
    const permissions = this.permissions({ sessionId })
    const questions = this.questions({ sessionId })
    return new Set([
      ...(permissions.ok ? permissions.value.flatMap((request) => request.source?.callID ?? []) : []),
      ...(questions.ok ? questions.value.flatMap((request) => request.tool?.callID ?? []) : []),
    ])
  }

  savedRules(projectId: string | undefined): SavedRule[] {
    const rows =
      projectId === undefined
        ? this.#deps.sql.all('SELECT * FROM saved_permission ORDER BY id')
        : this.#deps.sql.all('SELECT * FROM saved_permission WHERE project_id = ? ORDER BY id', projectId)
    return rows.map((row) => ({
      id: textOf(row, 'id'),
      projectID: textOf(row, 'project_id'),
      action: textOf(row, 'action'),
      resource: textOf(row, 'resource'),
    }))
  }

  /** What the owner allowed for good in the project, and what in this session alone. */
  allowedRules(projectId: string, sessionId: string): PermissionRule[] {
    return [...this.savedRules(projectId), ...(this.#sessionRules.get(sessionId) ?? [])].map(
      ({ action, resource }) => ({
        action,
        resource,
        effect: 'allow',
        isStored: true,
      }),
    )
  }

  removeSavedRule(id: string): void {
    this.#deps.sql.run('DELETE FROM saved_permission WHERE id = ?', id)
  }

  #hasRoom(sessionId: string): boolean {
    const count = (kind: string) => pendingDecisions(this.#deps.sql, kind, sessionId).length
    return count('permission') + count('question') < pendingAsksPerSessionMax
  }

  /** Stores the request and waits until it is settled, by a reply or by an interrupt. */
  #ask<R extends WaitingRequest, T>(
    request: R,
    { kind, waiters, asked, onInterrupt }: Asking<R, T>,
    signal: AbortSignal,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#deps.store.commit(request.sessionID, ({ append, sql }) => {
      const row = { id: request.id, ownerId: request.sessionID, kind, request: JSON.stringify(request) }
      askDecision(sql, row, this.#now())
      append(asked)
    })
    const onAbort = () => {
      // A listener has no one to throw to: what cannot be stored fails the call that waits.
      try {
        if (!this.#isClosing) {
          this.#settle(request.sessionID, request.id, kind, onInterrupt.stored, ({ append }) => {
            append(onInterrupt.event)
          })
        }
        resolve(onInterrupt.outcome)
      } catch (error) {
        reject(error)
      }
    }
    waiters.set(request.id, { request, resolve })
    signal.addEventListener('abort', onAbort)
    const settled = this.#deps.onWaiting?.(kind, request)
    return promise.finally(() => {
      settled?.()
      signal.removeEventListener('abort', onAbort)
      waiters.delete(request.id)
    })
  }

  #now(): number {
    return this.#deps.clock.nowMs()
  }

  #pending<T extends { sessionID: string }>(
    kind: 'permission' | 'question',
    scope: { sessionId: string } | { directory: string },
  ): Result<T[], Failure> {
    if ('sessionId' in scope) {
      if (this.#deps.store.find(scope.sessionId) === undefined) return failWith(sessionNotFound(scope.sessionId))
      const decisions = pendingDecisions(this.#deps.sql, kind, scope.sessionId)
      return succeed(decisions.map((decision) => JSON.parse(decision.request) as T))
    }
    const requests = pendingDecisions(this.#deps.sql, kind).map((decision) => JSON.parse(decision.request) as T)
    return succeed(
      requests.filter((request) => this.#deps.store.find(request.sessionID)?.location.directory === scope.directory),
    )
  }

  #settle<T>(
    sessionId: string,
    requestId: string,
    kind: 'permission' | 'question',
    outcome: unknown,
    follow: (transaction: Transaction, request: T) => void,
  ): T | undefined {
    return this.#deps.store.commit(sessionId, (transaction) => {
      const key = { id: requestId, ownerId: sessionId, kind }
      const decision = settleDecision(transaction.sql, key, JSON.stringify(outcome), this.#now())
      if (decision === undefined) return undefined
      const request = JSON.parse(decision.request) as T
      follow(transaction, request)
      return request
    })
  }

  #keepForSession({ record }: Transaction, request: PermissionRequest): void {
    const known = this.#sessionRules.get(request.sessionID) ?? []
    const added = (request.save ?? []).map((resource) => ({
      projectID: record().projectID,
      action: request.action,
      resource,
    }))
    this.#sessionRules.delete(request.sessionID)
    this.#sessionRules.set(request.sessionID, [...known, ...added].slice(-savedRulesMax))
    const [oldest] = this.#sessionRules.keys()
    if (this.#sessionRules.size > sessionsWithRulesMax && oldest !== undefined) this.#sessionRules.delete(oldest)
  }

  #saveRules({ sql, record }: Transaction, request: PermissionRequest): void {
    const known = this.savedRules(record().projectID).length
    for (const resource of (request.save ?? []).slice(0, Math.max(0, savedRulesMax - known))) {
      sql.run(
        `INSERT INTO saved_permission (id, project_id, action, resource, session_id) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO NOTHING`,
        this.#deps.ids.make('savedRule'),
        record().projectID,
        request.action,
        resource,
        request.sessionID,
      )
    }
  }

  /** Other requests that the new rules answer, in this session. */
  #settleAllowed({ sql, record, append }: Transaction, sessionId: string, except: string): PermissionWaiter[] {
    const rules = this.savedRules(record().projectID).map((rule) => ({
      ...rule,
      effect: 'allow' as const,
      isStored: true,
    }))
    const settled: PermissionWaiter[] = []
    for (const waiter of this.#permissions.values()) {
      const { request } = waiter
      if (request.sessionID !== sessionId || request.id === except || request.metadata?.['protected'] === true) continue
      // What was opaque when it was asked has nothing to store, and no stored rule vouches for it.
      if ((request.save ?? []).length === 0) continue
      const isShell = request.action === 'bash' || request.action === 'bash_outside'
      const resources = request.resources.flatMap((text) =>
        isShell ? shellResources(splitShellLine(text), text) : [{ text }],
      )
      if (evaluatePermission(request.action, resources, rules) !== 'allow') continue
      const key = { id: request.id, ownerId: sessionId, kind: 'permission' }
      if (settleDecision(sql, key, '{"reply":"always"}', this.#now()) === undefined) continue
      append({ type: 'permission.v2.replied', data: { requestID: request.id, reply: 'always' } })
      settled.push(waiter)
    }
    return settled
  }

  #rejectOthers({ sql, append }: Transaction, sessionId: string, except: string): PermissionWaiter[] {
    const settled: PermissionWaiter[] = []
    for (const waiter of this.#permissions.values()) {
      if (waiter.request.sessionID !== sessionId || waiter.request.id === except) continue
      const key = { id: waiter.request.id, ownerId: sessionId, kind: 'permission' }
      if (settleDecision(sql, key, '{"reply":"reject"}', this.#now()) === undefined) continue
      append({ type: 'permission.v2.replied', data: { requestID: waiter.request.id, reply: 'reject' } })
      settled.push(waiter)
    }
    return settled
  }
}

function outcomeOf(answer: Parameters<Asks['replyPermission']>[2]): Result<void, ToolProblem> {
  if (answer.reply !== 'reject') return succeed(undefined)
  if ((answer.message ?? '') === '') return failWith(rejected)
  return failWith({ message: `The owner rejected this call: ${answer.message}`, reason: 'refused' })
}

function permissionNotFound(requestID: string): Failure {
  return failure('not_found', { kind: 'no_permission' }, { kind: 'permission', requestID })
}

function questionNotFound(requestID: string): Failure {
  return failure('not_found', { kind: 'no_question' }, { kind: 'question', requestID })
}
