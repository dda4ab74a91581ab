import type { ModelFacts } from '#shared/models/price-list.ts'
import type { TokenCount } from './call-record.ts'

/** The table of models that run on a machine of the owner's. */
export const freePrices = 'free'
export const freeFacts: ModelFacts = {
  inputNano: 0,
  outputNano: 0,
  cacheReadNano: 0,
  cacheWriteNano: 0,
  above200k: undefined,
  contextTokens: undefined,
  outputTokensMax: undefined,
  takes: [],
}

const longInputTokens = 200_000

/** Undefined: no price is known. What has no price of its own costs what plain input does. */
export function costNano(facts: ModelFacts | undefined, tokens: TokenCount): number | undefined {
  const isLong = tokens.input + tokens.cacheRead + tokens.cacheWrite > longInputTokens
  const prices = isLong ? (facts?.above200k ?? facts) : facts
  if (prices?.inputNano === undefined) return undefined
  const { inputNano, outputNano = 0, cacheReadNano = inputNano, cacheWriteNano = inputNano } = prices
  return Math.ceil(
    tokens.input * inputNano +
      tokens.cacheRead * cacheReadNano +
      tokens.cacheWrite * cacheWriteNano +
      tokens.output * outputNano,
  )
}

/**
 * What models are compared by: most of what they are sent is read, so three of four tokens are input. It does not depend
 * on a request, so that a conversation stays with its model. A price that is not known is above all others.
 */
export function comparedPrice(facts: ModelFacts | undefined): number {
  return facts?.inputNano === undefined ? Number.MAX_VALUE : 3 * facts.inputNano + (facts.outputNano ?? 0)
}

/** More than any answer with so much input and output costs, however the provider counts them. */
export function costMaxNano(facts: ModelFacts, inputTokens: number, outputTokens: number): number {
  const prices = inputTokens > longInputTokens ? (facts.above200k ?? facts) : facts
  const { inputNano = 0, outputNano = 0, cacheReadNano = 0, cacheWriteNano = 0 } = prices
  // A cache kept for an hour is written at twice the price of input.
  const dearest = Math.max(inputNano, cacheReadNano, cacheWriteNano, cacheWriteNano > 0 ? 2 * inputNano : 0)
  return Math.ceil(inputTokens * dearest + outputTokens * outputNano)
}
