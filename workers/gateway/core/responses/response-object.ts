import type { JsonRecord } from '#shared/kernel/json-record.ts'
import type { AnswerIdentity } from '../from-provider/chat-completion.ts'
import type { FinishReason } from '../from-provider/finish-reason.ts'
import type { ProviderUsage } from '../wire/converse-answer.ts'
import type { OutputItem } from './output-items.ts'

/** What of the request every response object repeats. */
export interface EchoedRequest {
  readonly instructions: unknown
  readonly max_output_tokens: number | null
  readonly parallel_tool_calls: boolean
  readonly reasoning: JsonRecord
  readonly temperature: number | null
  readonly text: JsonRecord
  readonly tool_choice: unknown
  readonly tools: readonly unknown[]
  readonly top_p: number | null
  readonly metadata: JsonRecord
  readonly previous_response_id: string | null
  readonly store: boolean
}

export type Ending =
  | { readonly status: 'in_progress' }
  | { readonly status: 'completed' }
  | { readonly status: 'incomplete'; readonly reason: 'max_output_tokens' | 'content_filter' }
  | { readonly status: 'failed'; readonly code: string; readonly message: string }

export function endingOf(finishReason: FinishReason): Ending {
  if (finishReason === 'length') return { status: 'incomplete', reason: 'max_output_tokens' }
  if (finishReason === 'content_filter') return { status: 'incomplete', reason: 'content_filter' }
  return { status: 'completed' }
}

export function responseObject(
  identity: AnswerIdentity,
  echoed: EchoedRequest,
  ending: Ending,
  output: readonly OutputItem[],
  usage: JsonRecord | undefined,
): JsonRecord {
  return {
    id: identity.id,
    object: 'response',
    created_at: identity.createdUnix,
    status: ending.status,
    background: false,
    error: ending.status === 'failed' ? { code: ending.code, message: ending.message } : null,
    incomplete_details: ending.status === 'incomplete' ? { reason: ending.reason } : null,
    instructions: echoed.instructions,
    max_output_tokens: echoed.max_output_tokens,
    model: identity.model,
    output,
    parallel_tool_calls: echoed.parallel_tool_calls,
    previous_response_id: echoed.previous_response_id,
    reasoning: echoed.reasoning,
    store: echoed.store,
    temperature: echoed.temperature,
    text: echoed.text,
    tool_choice: echoed.tool_choice,
    tools: echoed.tools,
    top_p: echoed.top_p,
    truncation: 'disabled',
    usage: usage ?? null,
    user: null,
    metadata: echoed.metadata,
    access_programs: null,
  }
}

export function responseUsage(usage: ProviderUsage, reasoningTokens: number): JsonRecord {
  const inputTokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: Math.min(usage.reasoningTokens ?? reasoningTokens, usage.outputTokens) },
    total_tokens: inputTokens + usage.outputTokens,
  }
}
