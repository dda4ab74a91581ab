/** What a step needs of a model, whoever provides it. */
import type { ProviderPackage } from '../core/provider-catalogue.ts'
import type { JsonObject, ModelRef, TokenCounts } from '../core/session/message.ts'
import { type StepFault, sayStepFault } from '../core/step-fault.ts'

export type ModelContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file'; readonly mime: string; readonly data: string; readonly name?: string }

export interface ModelToolCall {
  readonly id: string
  readonly name: string
  readonly input: JsonObject
  /** What the provider wants to see again with this call. */
  readonly metadata?: JsonObject | undefined
}

/** What a model said in one answer, in its order. */
export type ModelSaid =
  | { readonly type: 'text'; readonly text: string }
  /** A thought, which goes back to the model that had it alone. */
  | { readonly type: 'reasoning'; readonly text: string; readonly metadata: JsonObject | undefined }
  | ({ readonly type: 'call' } & ModelToolCall)

export type ModelMessage =
  | { readonly role: 'user'; readonly content: readonly ModelContent[] }
  | { readonly role: 'assistant'; readonly content: readonly ModelSaid[] }
  | {
      readonly role: 'tool'
      readonly id: string
      readonly name: string
      readonly text: string
      readonly isError: boolean
    }

export interface ModelTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the input. */
  readonly parameters: JsonObject
}

export interface ModelEndpoint {
  readonly ref: ModelRef
  readonly package: ProviderPackage
  readonly url: string
  readonly apiKey: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly outputTokensMax: number | undefined
  /** What the model takes beside text, such as `image`; undefined where that is not known. */
  readonly mediaTypes: readonly string[] | undefined
  /** Told to the provider as they are. */
  readonly options: JsonObject
  /** How long it may send nothing, where that is not what every provider gets. */
  readonly quietMsMax: number | undefined
}

export interface ModelRequest {
  readonly endpoint: ModelEndpoint
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
}

export type ModelPart =
  | { readonly type: 'text-start' | 'text-end' | 'reasoning-start'; readonly id: string }
  /** With what the provider wants to see again with this thought, such as its signature. */
  | { readonly type: 'reasoning-end'; readonly id: string; readonly metadata?: JsonObject | undefined }
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly id: string; readonly text: string }
  | { readonly type: 'tool-input-start'; readonly id: string; readonly name: string }
  | { readonly type: 'tool-input-delta'; readonly id: string; readonly text: string }
  | { readonly type: 'tool-call'; readonly call: ModelToolCall; readonly problem?: string }
  | { readonly type: 'finish'; readonly finish: string; readonly tokens: TokenCounts }

/** A model call failed in a way that was to be expected. */
export class ModelFault extends Error {
  override readonly name = 'ModelFault'
  readonly fault: StepFault
  readonly isRetryable: boolean
  readonly statusCode: number | undefined
  readonly retryAfterMs: number | undefined
  readonly isContextFull: boolean

  constructor(
    fault: StepFault,
    facts: {
      isRetryable: boolean
      statusCode?: number | undefined
      retryAfterMs?: number | undefined
      isContextFull?: boolean
    },
  ) {
    super(sayStepFault(fault))
    this.fault = fault
    this.isRetryable = facts.isRetryable
    this.statusCode = facts.statusCode
    this.retryAfterMs = facts.retryAfterMs
    this.isContextFull = facts.isContextFull ?? false
  }
}

export interface ModelClient {
  /** Loads what the first call needs, and reads an answer of its own making, ahead of it. */
  warm(): Promise<void>
  /** Throws `ModelFault` when the provider fails, and the signal's reason when it fires. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>
}
