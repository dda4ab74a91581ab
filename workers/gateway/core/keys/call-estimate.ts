import type { ModelFacts } from '#shared/models/price-list.ts'
import { estimateTokens } from '../from-provider/chat-usage.ts'

/** The most input and output that a call can come to, and what its input is likely to be. */
export interface CallEstimate {
  readonly inputTokensMax: number
  readonly outputTokensMax: number
  readonly inputTokens: number
}

/** More than any picture counts for, whatever its bytes. */
const pictureTokens = 8_000
/** What providers put around a request that has tools or thinks. */
const aroundTokens = 1_000
/** Of a model about which nothing is known. */
const unknownOutputTokens = 64_000

const encoder = new TextEncoder()

/**
 * No token of text is shorter than a byte, so its bytes bound its tokens, and what the model reads at all bounds both.
 * `wanted` is the client's own limit of output.
 */
export function callEstimate(body: unknown, wanted: number | undefined, facts: ModelFacts | undefined): CallEstimate {
  let pictures = 0
  const text = JSON.stringify(body, function (this: unknown, member: string, value: unknown) {
    if (member !== 'image' && member !== 'image_url') return value
    pictures += 1
    return undefined
  })
  const bytes = encoder.encode(text).length
  const read = bytes + pictures * pictureTokens + aroundTokens
  const inputTokensMax = Math.min(read, facts?.contextTokens ?? read)
  const outputTokensMax = wanted ?? facts?.outputTokensMax ?? unknownOutputTokens
  return { inputTokensMax, outputTokensMax, inputTokens: estimateTokens(text.length) }
}
