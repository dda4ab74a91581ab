// A call of the chat operation whose fields were found to be of their shapes, as far as the stand-in's rules look. Its
// source is `ConverseRequest` of the service model `bedrock-runtime` (API 2023-09-30), in the version service-model.ts names.

export interface ConverseCall {
  readonly messages?: readonly CallTurn[]
  readonly system?: readonly CallBlock[]
  readonly inferenceConfig?: {
    readonly maxTokens?: number
    readonly temperature?: number
    readonly topP?: number
    readonly stopSequences?: readonly string[]
  }
  readonly toolConfig?: {
    readonly tools: readonly {
      readonly toolSpec?: { readonly name: string; readonly inputSchema: { readonly json?: unknown } }
      readonly cachePoint?: CallCachePoint
    }[]
    readonly toolChoice?: { readonly auto?: object; readonly any?: object; readonly tool?: { readonly name: string } }
  }
  readonly additionalModelRequestFields?: unknown
  readonly outputConfig?: {
    readonly textFormat?: { readonly structure: { readonly jsonSchema?: { readonly schema: string } } }
    readonly effort?: string
  }
}

export interface CallTurn {
  readonly role: 'user' | 'assistant' | 'system'
  readonly content: readonly CallBlock[]
}

interface CallCachePoint {
  readonly type: string
  readonly ttl?: '5m' | '1h'
}

interface CallSource {
  readonly bytes?: string
}

export interface CallBlock {
  readonly text?: string
  readonly image?: { readonly format: string; readonly source: CallSource }
  readonly document?: { readonly format?: string; readonly name: string; readonly source: CallSource }
  readonly video?: object
  readonly audio?: object
  readonly toolUse?: { readonly toolUseId: string; readonly name: string; readonly input: unknown }
  readonly toolResult?: {
    readonly toolUseId: string
    readonly content: readonly (CallBlock & { readonly json?: unknown })[]
    readonly status?: 'success' | 'error'
  }
  readonly reasoningContent?: {
    readonly reasoningText?: { readonly text: string; readonly signature?: string }
    readonly redactedContent?: string
  }
  readonly cachePoint?: CallCachePoint
}

/** Rough, as everything that counts tokens without a model's own table. */
export function tokensOf(call: ConverseCall): number {
  const { inferenceConfig: _, ...input } = call
  const text = JSON.stringify(input, (member, value) => (member === 'bytes' ? '' : value))
  return Math.ceil(Buffer.byteLength(text) / 4)
}
