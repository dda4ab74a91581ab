import type { JsonRecord } from '#shared/kernel/json-record.ts'
import type { Result } from '#shared/kernel/result.ts'
import type { ProviderInterface } from '#shared/models/provider-interfaces.ts'
import type { Failure } from '../failure.ts'
import type { ConverseAnswer, ConverseEvent } from '../wire/converse-answer.ts'
import type { ConverseRequest } from '../wire/converse-request.ts'

/** What a provider beside the account's own speaks. */
export const dialectNames = ['chat', 'messages', 'gemini'] as const
export type DialectName = (typeof dialectNames)[number]

/** Dialects of clients that a provider may speak itself, and what of them is asked. */
export type PassedSurface = 'chat' | 'messages' | 'count_tokens'

/** One request, as the provider is sent it. */
export interface Asked {
  /** Behind the provider's address. */
  readonly path: string
  readonly body: JsonRecord
  readonly headers?: Readonly<Record<string, string>>
}

/** What an answer is asked for with. */
export interface Asking {
  readonly model: string
  readonly request: ConverseRequest
  readonly isStream: boolean
  readonly maxTokensName: 'max_tokens' | 'max_completion_tokens'
  /** As much as the model gives, where that is known. */
  readonly outputTokensMax: number | undefined
}

export interface DialectRefusal {
  readonly failure: Failure
  /** Whether asking again may help. */
  readonly isRetryable: boolean
}

/** Turns the pieces of one streamed answer into events of the inner form. */
interface StreamReading {
  /** A failure: it is no piece of this dialect, or says that the provider failed. */
  read(data: string): Result<readonly ConverseEvent[], Failure>
  /** What is due when nothing more comes. */
  end(): readonly ConverseEvent[]
  /** Whether the provider said why it stopped. */
  isWhole(): boolean
}

/** The translations of one dialect: from the inner form and back. */
export interface ProviderDialect extends ProviderInterface {
  asked(asking: Asking): Result<Asked, Failure>
  /** Undefined: it has not the shape of an answer. Calls of tools that have no id are given one. */
  readAnswer(body: unknown, newId: () => string): ConverseAnswer | undefined
  reading(provider: string, newId: () => string): StreamReading
  refusal(provider: string, status: number, text: string, header: (name: string) => string | undefined): DialectRefusal
  /** Where requests of a client's dialect go as they are. */
  readonly paths: Partial<Readonly<Record<PassedSurface, string>>>
  /** Undefined: the provider does not count. */
  readonly counting?: {
    asked(model: string, request: ConverseRequest): Result<Asked, Failure>
    read(body: unknown): number | undefined
  }
  /** Undefined: the provider embeds nothing. */
  readonly embedding?: {
    readonly family: 'chat' | 'gemini'
    path(model: string): string | undefined
    /** What the provider counted, where it says so. */
    tokens(body: unknown): number | undefined
  }
}

export function readRetryAfter(value: string | undefined): { readonly retryAfterSeconds?: number } {
  return value !== undefined && /^\d{1,5}$/.test(value) ? { retryAfterSeconds: Number(value) } : {}
}
