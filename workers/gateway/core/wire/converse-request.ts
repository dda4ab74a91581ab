import type { JsonRecord } from '#shared/kernel/json-record.ts'

/** The request of the provider's chat operation, as far as the gateway writes it: the inner form of every request. */
export interface ConverseRequest extends ProviderRequest {
  /** A JSON object of any shape is wished for. The words for it are in `system`; some dialects have a place for it beside them. */
  readonly wantsJson?: true
}

/** What of it the account's provider takes. */
export interface ProviderRequest {
  readonly messages: readonly ConverseTurn[]
  readonly system?: readonly SystemBlock[]
  readonly inferenceConfig?: InferenceConfig
  readonly toolConfig?: ToolConfig
  readonly additionalModelRequestFields?: JsonRecord
  readonly outputConfig?: OutputConfig
}

export interface ConverseTurn {
  readonly role: 'user' | 'assistant'
  readonly content: readonly ContentBlock[]
}

export interface CachePoint {
  readonly cachePoint: { readonly type: 'default'; readonly ttl?: '5m' | '1h' }
}

export type SystemBlock = { readonly text: string } | CachePoint

export type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp'

export interface ImageBlock {
  readonly image: { readonly format: ImageFormat; readonly source: { readonly bytes: string } }
}

export type DocumentFormat = 'pdf' | 'csv' | 'doc' | 'docx' | 'xls' | 'xlsx' | 'html' | 'txt' | 'md'

export interface DocumentBlock {
  readonly document: {
    readonly format: DocumentFormat
    readonly name: string
    readonly source: { readonly bytes: string } | { readonly text: string }
    readonly context?: string
    readonly citations?: { readonly enabled: boolean }
  }
}

export interface AudioBlock {
  readonly audio: { readonly format: string; readonly source: { readonly bytes: string } }
}

export interface VideoBlock {
  readonly video: { readonly format: string; readonly source: { readonly bytes: string } }
}

export interface ToolUseBlock {
  readonly toolUse: { readonly toolUseId: string; readonly name: string; readonly input: unknown }
}

export type ReasoningBlock =
  | {
      readonly reasoningContent: {
        readonly reasoningText: { readonly text: string; readonly signature?: string }
      }
    }
  | { readonly reasoningContent: { readonly redactedContent: string } }

export interface ToolResultBlock {
  readonly toolResult: {
    readonly toolUseId: string
    readonly content: readonly ({ readonly text: string } | ImageBlock | DocumentBlock | VideoBlock)[]
    readonly status?: 'success' | 'error'
  }
}

export type ContentBlock =
  | { readonly text: string }
  | ImageBlock
  | DocumentBlock
  | AudioBlock
  | VideoBlock
  | ToolUseBlock
  | ToolResultBlock
  | ReasoningBlock
  | CachePoint

interface InferenceConfig {
  readonly maxTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly stopSequences?: readonly string[]
}

export interface ToolSpecification {
  readonly toolSpec: {
    readonly name: string
    readonly description?: string
    readonly inputSchema: { readonly json: JsonRecord }
    readonly strict?: boolean
  }
}

export type ToolChoice =
  | { readonly auto: Record<string, never> }
  | { readonly any: Record<string, never> }
  | { readonly tool: { readonly name: string } }

interface ToolConfig {
  readonly tools: readonly (ToolSpecification | CachePoint)[]
  readonly toolChoice?: ToolChoice
}

interface OutputConfig {
  readonly textFormat: {
    readonly type: 'json_schema'
    readonly structure: {
      readonly jsonSchema: { readonly schema: string; readonly name?: string; readonly description?: string }
    }
  }
}
