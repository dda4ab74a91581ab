import type { ProviderUsage } from '../wire/converse-answer.ts'

export interface ChatUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  readonly prompt_tokens_details: { readonly cached_tokens: number; readonly cache_write_tokens: number }
  readonly completion_tokens_details: { readonly reasoning_tokens: number }
}

/**
 * The reference counts cached tokens as part of the prompt; the provider counts them beside it. The estimate of the
 * reasoning stands where the provider has no count.
 */
export function chatUsage(usage: ProviderUsage, reasoningEstimate: number): ChatUsage {
  const reasoningTokens = usage.reasoningTokens ?? reasoningEstimate
  const promptTokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens
  return {
    prompt_tokens: promptTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: promptTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
    completion_tokens_details: { reasoning_tokens: Math.min(reasoningTokens, usage.outputTokens) },
  }
}

/** Each answer of a request is a call of its own, and is counted as one. */
export function addedUsage(usages: readonly ChatUsage[]): ChatUsage {
  const sum = (count: (usage: ChatUsage) => number) => usages.reduce((total, usage) => total + count(usage), 0)
  return {
    prompt_tokens: sum((usage) => usage.prompt_tokens),
    completion_tokens: sum((usage) => usage.completion_tokens),
    total_tokens: sum((usage) => usage.total_tokens),
    prompt_tokens_details: {
      cached_tokens: sum((usage) => usage.prompt_tokens_details.cached_tokens),
      cache_write_tokens: sum((usage) => usage.prompt_tokens_details.cache_write_tokens),
    },
    completion_tokens_details: {
      reasoning_tokens: sum((usage) => usage.completion_tokens_details.reasoning_tokens),
    },
  }
}

const charactersPerToken = 4

/** A rough count where the provider gives none: reasoning, and embeddings of some models. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / charactersPerToken)
}
