import type { Result } from '#shared/kernel/result.ts'
import type { ChatMessage } from '../core/assistant/chat-history.ts'
import type {
  Confirmation,
  ConversationDetail,
  ConversationSummary,
  StartedRun,
} from '../core/assistant/conversation.ts'
import type { ModelFault } from '../core/assistant/model-fault.ts'
import type { ProposedAction } from '../core/assistant/proposed-action.ts'
import type { EventFacts } from '../core/event-values.ts'
import type { Principal } from '../core/principal.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { Say } from '../core/reason/say.ts'
import type { TemplateType } from '../core/vocabulary.ts'

/**
 * What stands in a conversation when an answer ends otherwise than it should, and what a chat is answered, in the owner's
 * words. Never rejects.
 */
export interface AssistantNotices {
  write(type: Extract<TemplateType, `assistant.${string}` | `reply.${string}`>, facts?: EventFacts): Promise<string>
  /** A reason as a sentence in the owner's language. */
  say(reason: Reason): Promise<string>
}

/** `unread`: the list that says which there are cannot be read. `in_vain`: the caller asked for too many that are not. */
export type ConversationFault = 'not_found' | 'unread' | 'in_vain'

/** Conversations of one caller each: nobody reaches those of another one, whatever id is asked for. */
export interface AssistantService {
  /** Most recently updated first, a bounded number. */
  list(caller: Principal): Promise<ConversationSummary[]>
  /** With a first message it is being answered at once, or nothing is made. */
  create(
    caller: Principal,
    wanted: { readonly title: string; readonly message?: string },
  ): Promise<
    Result<{ readonly conversation: ConversationSummary; readonly run?: StartedRun }, 'too_many' | 'unavailable'>
  >
  read(caller: Principal, id: string): Promise<Result<ConversationDetail, ConversationFault>>
  /** All of a caller who will not come back: nobody else could. */
  removeAll(callerId: string): Promise<void>
  remove(caller: Principal, id: string): Promise<Result<void, ConversationFault>>
  send(
    caller: Principal,
    id: string,
    text: string,
  ): Promise<Result<StartedRun, ConversationFault | 'busy' | 'too_many' | 'unavailable'>>
  cancel(caller: Principal, id: string): Promise<Result<void, ConversationFault>>
  /** A page of events as JSON text, as soon as there are any, or when the time is over. */
  follow(caller: Principal, id: string, after: number, waitMs: number): Promise<Result<string, ConversationFault>>
  decide(
    caller: Principal,
    confirmationId: string,
    approve: boolean,
    requestId: string,
  ): Promise<Result<Confirmation, 'not_found' | 'decided' | 'audit'>>
}

/** A tool as a model is told of it. */
export interface ToolDescription {
  readonly name: string
  readonly description: string
  /** JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** What a call of a tool comes to before anything happens. */
export type JudgedCall =
  | { readonly kind: 'refused'; readonly reason: Reason }
  | { readonly kind: 'read' }
  /** Somebody has to say yes to exactly these arguments. */
  | {
      readonly kind: 'confirm'
      readonly arguments: Readonly<Record<string, unknown>>
      readonly proposed: ProposedAction
    }

export interface ToolOutcome {
  readonly text: string
  readonly isError: boolean
}

/** What the assistant can do in a caller's name: what the interface lets that caller do, and of that a part. */
export interface AssistantTools {
  /** Those that change something are for callers with Operate only. */
  list(caller: Principal): readonly ToolDescription[]
  changes(name: string): boolean
  /** `found` are results of earlier searches in the conversation, newest first, from which torrents get their names. */
  judge(
    caller: Principal,
    call: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
    found: readonly string[],
  ): Promise<JudgedCall>
  run(
    caller: Principal,
    call: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
    requestId: string,
    say: Say,
  ): Promise<ToolOutcome>
}

export interface ModelQuestion {
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly ToolDescription[]
  readonly signal: AbortSignal
  /** By which the service that is asked can name it in its own log; left out where nothing is to be joined. */
  readonly requestId?: string
  /** Each piece of text as it comes. */
  readonly onText: (piece: string) => void
}

export interface ModelAnswer {
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  /** The model would have gone on: its own bound on answers ended it. */
  readonly isCut: boolean
}

/** Who answers for the assistant. */
export interface ChatModel {
  answer(question: ModelQuestion): Promise<Result<ModelAnswer, ModelFault>>
  /** Tries settings that are not stored yet: says whether the model calls tools. */
  tryOut(settings: ModelSettings): Promise<Result<{ readonly callsTools: boolean }, ModelFault>>
  /** Names of the models that are there, as far as the service tells them. */
  models(settings: Omit<ModelSettings, 'model'>): Promise<readonly string[]>
}

export interface ModelSettings {
  /** Undefined: this installation's own gateway. */
  readonly address: string | undefined
  readonly model: string
  readonly apiKey: string
}
