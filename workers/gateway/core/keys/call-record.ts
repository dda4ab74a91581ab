import { isTrouble } from '../providers/route-plan.ts'

/** Tokens by kind. Cache reads and writes are not part of `input`; reasoning is part of `output`. */
export interface TokenCount {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  readonly reasoning: number
}

export const noTokens: TokenCount = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }

export function tokensInAll(tokens: TokenCount): number {
  return tokens.input + tokens.cacheRead + tokens.cacheWrite + tokens.output
}

/** `left`: the client went before the answer was complete. `refused`: the gateway made no call. */
export type CallOutcome = 'answered' | 'failed' | 'left' | 'refused'

/** One try of one provider, where a call took several. */
export interface CallAttempt {
  readonly provider: string
  readonly model: string
  readonly ms: number
  /** Why it was not this one; undefined for the one that answered. */
  readonly code?: string
}

/** One call of a model, as the record keeps it: names, numbers and times. What was said is none of it. */
export interface CallRecord {
  readonly requestId: string
  readonly atMs: number
  readonly route: string
  readonly provider: string
  readonly model: string
  readonly outcome: CallOutcome
  readonly code?: string
  readonly tokens: TokenCount
  /** Tokens were counted here, since the provider's count did not come. */
  readonly isEstimated: boolean
  /** Undefined: no price is known. */
  readonly costNano?: number
  /** To the first piece of an answer that is streamed. */
  readonly firstMs?: number
  readonly tookMs: number
  /** All tries of the request up to the end of this call, its own last; undefined when there was but one. */
  readonly attempts?: readonly CallAttempt[]
}

/** What a day of a key cost with one model. */
export interface UsageRow {
  readonly key: string
  readonly day: string
  readonly provider: string
  readonly model: string
  readonly requests: number
  readonly failed: number
  readonly refused: number
  readonly tokens: TokenCount
  readonly costNano: number
  /** Requests whose price is not known. */
  readonly unpriced: number
  /** How many first pieces came within each of `firstBoundsMs`, and after the last. */
  readonly firsts: readonly number[]
}

/** How calls of one provider ended within five minutes, counted from 1970. */
export interface ProviderStep {
  readonly provider: string
  readonly step: number
  readonly answered: number
  readonly failed: number
}

export const providerStepMs = 5 * 60_000
/** Two hours. */
export const providerStepsKept = 24

/**
 * Whether a call shows that its provider works, or that it does not. Undefined: it shows neither, as when the client went
 * before anything came. A request that is wrong in itself is answered by being refused.
 */
export function showsProviderWorks({
  outcome,
  code,
  firstMs,
}: Pick<CallRecord, 'outcome' | 'code' | 'firstMs'>): boolean | undefined {
  if (outcome === 'refused' || (outcome === 'left' && firstMs === undefined)) return undefined
  if (outcome !== 'failed') return true
  return code !== undefined && code !== 'unauthorized' && !isTrouble(code)
}

/** Upper ends of the classes of waiting for a first piece, in milliseconds. */
export const firstBoundsMs: readonly number[] = [
  50, 100, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000, 8_000, 12_000, 20_000, 40_000,
]

export function firstClass(ms: number): number {
  const found = firstBoundsMs.findIndex((bound) => ms <= bound)
  return found < 0 ? firstBoundsMs.length : found
}

/** The wait that such a share of all did not exceed, between the ends of its class; undefined without any. */
export function waitOf(firsts: readonly number[], share: number): number | undefined {
  const all = firsts.reduce((sum, count) => sum + count, 0)
  if (all === 0) return undefined
  let left = all * share
  for (const [index, count] of firsts.entries()) {
    if (left > count || count === 0) {
      left -= count
      continue
    }
    const low = firstBoundsMs[index - 1] ?? 0
    const high = firstBoundsMs[index] ?? 2 * low
    return Math.round(low + ((high - low) * left) / count)
  }
  return firstBoundsMs.at(-1)
}
