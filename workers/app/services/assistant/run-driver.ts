/**
 * Drives the run of one conversation: one step after another, each read from what is stored and stored before the next
 * one. What comes late, after the run was ended, finds that it is over and changes nothing.
 */

import type { Clock } from '#shared/kernel/clock.ts'
import { TextPieces } from '#shared/sse/text-pieces.ts'
import type { ConversationStore, RunEnd } from '../../adapters/assistant/conversation-store.ts'
import { actionInChinese } from '../../core/assistant/action-chinese.ts'
import { canonicalJson } from '../../core/assistant/canonical-json.ts'
import { chatHistory, systemPrompt } from '../../core/assistant/chat-history.ts'
import type { ToolCall } from '../../core/assistant/conversation.ts'
import { nextStep, type RunState } from '../../core/assistant/run-step.ts'
import { type ToolAnswers, toolAnswers } from '../../core/assistant/tool-answers.ts'
import { byteLength, cutToBytes } from '../../core/assistant/tool-output.ts'
import { textChange, visibleText } from '../../core/assistant/visible-text.ts'
import { aboutProposed } from '../../core/audit-about.ts'
import { toHex } from '../../core/bytes.ts'
import { mayUse } from '../../core/principal.ts'
import { modelReason } from '../../core/reason/of-fault.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { sayIn, sentenceIn } from '../../core/reason/say.ts'
import type { OwnerLanguage } from '../../core/vocabulary.ts'
import {
  auditAboutBounds,
  confirmationMs,
  historyCharactersMax,
  historyMessagesMax,
  messagesGivenMax,
  pendingConfirmationsMax,
  runMessagesMax,
  runStepsMax,
  runTextBytesMax,
  textPieceBytes,
  textPieceMs,
  toolArgumentsCharactersMax,
} from '../../limits.ts'
import type { AssistantNotices, AssistantTools, ChatModel } from '../../ports/assistant.ts'
import type { AuditLog } from '../../ports/audit-log.ts'
import type { Identifiers, Logger } from '../../ports/runtime.ts'
import type { OwnerLocaleReader } from '../../ports/settings.ts'
import { writtenDown } from '../written-down.ts'
import { knownLocale } from './known-locale.ts'

export interface RunDriverDeps {
  readonly clock: Clock
  readonly logger: Logger
  readonly identifiers: Identifiers
  readonly audit: AuditLog
  readonly model: ChatModel
  readonly tools: AssistantTools
  readonly notices: AssistantNotices
  readonly locale: OwnerLocaleReader
  readonly digest: (text: string) => Uint8Array
}

/** Channel of the audit log for what the assistant does. */
const auditChannel = 'ai_assistant'

export class RunDriver {
  readonly #store: ConversationStore
  readonly #deps: RunDriverDeps
  /** Something was stored that readers wait for. */
  readonly #stored: () => void
  #driving: Promise<void> | undefined
  #isWanted = false
  #stopped = new AbortController()

  constructor(store: ConversationStore, deps: RunDriverDeps, stored: () => void) {
    this.#store = store
    this.#deps = deps
    this.#stored = stored
  }

  get isDriving(): boolean {
    return this.#driving !== undefined
  }

  /** Goes on with the run as far as it goes. Resolves when it waits for somebody, or is over. */
  drive(): Promise<void> {
    this.#isWanted = true
    this.#driving ??= this.#driveOn()
    return this.#driving
  }

  /** Ends the run as stopped. False when nothing is under way. */
  async cancel(): Promise<boolean> {
    const run = this.#store.run()
    if (run === undefined) return false
    const [notice, answers] = await Promise.all([this.#deps.notices.write('assistant.stopped'), this.#answers()])
    this.#end(run.id, {
      status: 'canceled',
      notice,
      openCalls: answers.canceled,
      begunActions: answers.underWay,
    })
    return true
  }

  /** What is under way has lost its conversation. */
  abandon(): void {
    this.#stopped.abort()
    this.#stopped = new AbortController()
  }

  async #driveOn(): Promise<void> {
    try {
      while (this.#isWanted) {
        this.#isWanted = false
        while (await this.#step());
      }
    } finally {
      this.#driving = undefined
    }
  }

  /** False when there is nothing to do now. */
  async #step(): Promise<boolean> {
    const run = this.#store.run()
    if (run === undefined) return false
    const next = nextStep(run, runStepsMax)
    if (next.kind === 'wait') return false
    try {
      switch (next.kind) {
        case 'ask':
          await this.#ask(run)
          break
        case 'call':
          await this.#call(run, next.call)
          break
        case 'act':
          await this.#act(run, next.call, next.confirmationId)
          break
        case 'end':
          await this.#finish(run.id, next.reason)
          break
      }
    } catch (cause) {
      this.#deps.logger.error('assistant_step_failed', { step: next.kind, cause })
      await this.#fail(run.id, { kind: 'internal' })
    }
    return true
  }

  async #finish(runId: string, reason: 'answered' | 'steps'): Promise<void> {
    if (reason === 'answered') return this.#end(runId, { status: 'done', openCalls: '', begunActions: '' })
    const written = this.#deps.notices.write('assistant.step_limit', { steps: runStepsMax })
    const [notice, answers] = await Promise.all([written, this.#answers()])
    this.#end(runId, {
      status: 'failed',
      notice,
      reason: { kind: 'run.steps' },
      openCalls: answers.steps,
      begunActions: answers.unknown,
    })
  }

  async #fail(runId: string, reason: Reason): Promise<void> {
    const written = this.#deps.notices.write('assistant.failed', { reason })
    const [notice, answers] = await Promise.all([written, this.#answers()])
    this.#end(runId, { status: 'failed', notice, reason, openCalls: answers.canceled, begunActions: answers.crashed })
  }

  #end(runId: string, end: RunEnd): void {
    if (!this.#store.endRun(runId, end, this.#nowMs())) return
    this.abandon()
    this.#stored()
  }

  async #ask(run: RunState): Promise<void> {
    const { clock, locale, model, tools } = this.#deps
    const caller = this.#store.principal()
    const canOperate = mayUse(caller, 'app:write')
    const history = chatHistory(this.#store.messages(historyMessagesMax + runMessagesMax), {
      messagesMax: historyMessagesMax,
      charactersMax: historyCharactersMax,
    })
    const enough = new AbortController()
    const text = new AnswerText(runTextBytesMax - this.#store.textBytes(run.id), enough, (change) => {
      this.#store.write(run.id, change, this.#nowMs())
      this.#stored()
    })
    const { timeZone } = await locale.read()
    const answer = await model.answer({
      messages: [
        { role: 'system', content: systemPrompt({ now: new Date(clock.nowMs()).toISOString(), timeZone, canOperate }) },
        ...history,
      ],
      tools: tools.list(caller),
      signal: AbortSignal.any([this.#stopped.signal, enough.signal]),
      requestId: run.id,
      onText: (piece) => text.push(piece),
    })
    if (!this.#store.isRunning(run.id)) {
      text.drop()
      return
    }
    const content = text.end()
    if (!answer.ok && !text.isCut) {
      const { failure: fault } = answer
      const reason = modelReason(fault)
      this.#deps.logger.error('assistant_model_failed', {
        kind: fault.kind,
        ...('status' in fault ? { status: fault.status } : {}),
      })
      return this.#fail(run.id, reason)
    }
    const { toolCalls, isCut } = answer.ok && !text.isCut ? answer.value : { toolCalls: [], isCut: true }
    const calls = toolCalls.map((call) => this.#toToolCall(call))
    if (content === '' && calls.length === 0 && !isCut) {
      return this.#fail(run.id, { kind: 'run.no_answer' })
    }
    // Known before the answer is stored: between that and its end nothing is waited for.
    const ending = isCut
      ? await Promise.all([
          this.#deps.notices.say({ kind: text.isCut ? 'run.cut' : 'run.output_limit' }),
          this.#answers(),
        ])
      : undefined
    this.#store.answer(run.id, content, byteLength(content), calls, this.#nowMs())
    this.#stored()
    if (ending === undefined) return
    const [notice, answers] = ending
    this.#end(run.id, { status: 'done', notice, openCalls: answers.canceled, begunActions: answers.unknown })
  }

  #toToolCall(call: { readonly id: string; readonly name: string; readonly arguments: string }): ToolCall {
    const id = this.#deps.identifiers.next()
    const given = readArguments(call.arguments)
    return {
      id,
      modelId: call.id === '' ? id : call.id,
      name: call.name,
      arguments: given ?? {},
      write: this.#deps.tools.changes(call.name),
      isBroken: given === undefined,
    }
  }

  async #call(run: RunState, call: ToolCall): Promise<void> {
    const { tools, identifiers } = this.#deps
    const caller = this.#store.principal()
    const { language } = await knownLocale(this.#deps)
    const answers = toolAnswers[language]
    if (call.isBroken) return this.#result(run, call, answers.brokenArguments, true)
    const judged = await tools.judge(caller, call, this.#searches())
    if (judged.kind === 'refused') return this.#result(run, call, sentenceIn(language)(judged.reason), true)
    if (judged.kind === 'read') {
      if (!this.#store.beginCall(run.id, call, this.#nowMs())) return
      this.#stored()
      const outcome = await tools.run(caller, call, run.id, sayIn(language))
      return this.#result(run, call, outcome.text, outcome.isError)
    }
    const nowMs = this.#nowMs()
    const request = {
      runId: run.id,
      toolCallId: call.id,
      tool: call.name,
      arguments: judged.arguments,
      digest: this.#digestOf(judged.arguments),
      summary: actionInChinese(judged.proposed),
      proposed: judged.proposed,
      expiresAtMs: nowMs + confirmationMs,
    }
    const id = `${this.#store.summary()?.id}.${identifiers.next()}`
    const asked = this.#store.ask(id, request, pendingConfirmationsMax, nowMs)
    if (asked === 'full') return this.#result(run, call, answers.tooManyPending, true)
    this.#stored()
  }

  /** What was confirmed and nothing else: read from the row that was shown, and begun at most once. */
  async #act(run: RunState, call: ToolCall, confirmationId: string): Promise<void> {
    const { language } = await knownLocale(this.#deps)
    const answers = toolAnswers[language]
    const { tool, arguments: given, digest, proposed } = this.#store.confirmation(confirmationId)
    if (this.#digestOf(given) !== digest) return this.#result(run, call, answers.changed, true)
    const caller = this.#store.principal()
    const about = aboutProposed(proposed, auditAboutBounds)
    const written = await writtenDown(
      this.#deps,
      { channel: auditChannel, user: caller.id, command: tool, requestId: run.id },
      (entry) => this.#carryOut(run, call, { confirmationId, entry, language }),
      (result) => ({ result, status: result === 'ok' ? 200 : 500, about }),
    )
    if (!written.ok) this.#result(run, call, answers.noAudit, true)
  }

  /** Gives back how it ended, as the log has it. */
  async #carryOut(
    run: RunState,
    call: ToolCall,
    {
      confirmationId,
      entry,
      language,
    }: { readonly confirmationId: string; readonly entry: number; readonly language: OwnerLanguage },
  ) {
    const { logger, tools } = this.#deps
    const { tool: name, arguments: given } = this.#store.confirmation(confirmationId)
    let result: 'ok' | 'error' | 'error:not_started' = 'error:not_started'
    try {
      if (!this.#store.beginAction(run.id, call, confirmationId, entry, this.#nowMs())) return result
      this.#stored()
      result = 'error'
      const outcome = await tools.run(this.#store.principal(), { name, arguments: given }, run.id, sayIn(language))
      result = outcome.isError ? 'error' : 'ok'
      this.#result(run, call, outcome.text, outcome.isError)
    } catch (cause) {
      logger.error('assistant_action_failed', { tool: name, cause })
      this.#result(run, call, toolAnswers[language].crashed, true)
    }
    return result
  }

  #result(run: RunState, call: ToolCall, text: string, isError: boolean): void {
    this.#store.answerCall(run.id, call, text, isError, this.#nowMs())
    this.#stored()
  }

  async #answers(): Promise<ToolAnswers> {
    return toolAnswers[(await knownLocale(this.#deps)).language]
  }

  #searches(): string[] {
    return this.#store
      .messages(messagesGivenMax)
      .flatMap((message) =>
        message.role === 'tool' && message.toolName === 'search_torrents' && !message.isError ? [message.content] : [],
      )
      .reverse()
  }

  #nowMs(): number {
    return this.#deps.clock.nowMs()
  }

  #digestOf(given: unknown): string {
    return toHex(this.#deps.digest(canonicalJson(given)))
  }
}

/** The visible text of one answer, in pieces that are stored before they are shown, within a bound. */
class AnswerText {
  readonly #bytesMax: number
  readonly #enough: AbortController
  readonly #pieces: TextPieces
  readonly #show: (change: { readonly text: string; readonly replace: boolean }) => void
  #raw = ''
  #shown = ''
  #isDropped = false

  /** `enough` is aborted at the bound: nobody has to write on. */
  constructor(
    bytesMax: number,
    enough: AbortController,
    show: (change: { readonly text: string; readonly replace: boolean }) => void,
  ) {
    this.#bytesMax = bytesMax
    this.#enough = enough
    this.#show = show
    this.#pieces = new TextPieces({ msMax: textPieceMs, bytesMax: textPieceBytes }, (piece) => this.#write(piece))
  }

  get isCut(): boolean {
    return this.#enough.signal.aborted
  }

  push(piece: string): void {
    this.#pieces.push(piece)
  }

  /** The whole of it. */
  end(): string {
    this.#pieces.end()
    return this.#visible(true)
  }

  /** Nobody wants it any more. */
  drop(): void {
    this.#isDropped = true
    this.#pieces.end()
  }

  #write(piece: string): void {
    if (this.#isDropped) return
    this.#raw += piece
    const next = this.#visible(false)
    const change = textChange(this.#shown, next)
    if (change === undefined) return
    this.#shown = next
    this.#show(change)
  }

  #visible(isWhole: boolean): string {
    const text = visibleText(this.#raw, isWhole)
    const cut = cutToBytes(text, this.#bytesMax)
    if (cut.length < text.length) this.#enough.abort()
    return cut
  }
}

function readArguments(text: string): Record<string, unknown> | undefined {
  if (text.length > toolArgumentsCharactersMax) return undefined
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
