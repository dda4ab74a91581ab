/** What is known of a provider and of its models. */
import type { JsonObject, TokenCounts } from './session/message.ts'

/** The packages that speak the interfaces providers have. The first one fits most servers. */
export const providerPackages = [
  '@ai-sdk/openai-compatible',
  '@ai-sdk/openai',
  '@ai-sdk/anthropic',
  '@ai-sdk/google',
] as const
export type ProviderPackage = (typeof providerPackages)[number]

/** US dollars for a million tokens. Zero where the price is not known here. */
export interface TokenCost {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

export interface ModelEntry {
  readonly id: string
  readonly name: string
  readonly family?: string
  readonly context: number
  readonly output: number
  readonly tools: boolean
  readonly input: readonly string[]
  readonly cost: TokenCost
  /** Another price for a request whose input is longer than `above` tokens. */
  readonly longCost?: TokenCost & { readonly above: number }
  /** Day of release. */
  readonly releasedMs?: number
  /** What its provider is told with every request. */
  readonly options?: JsonObject
  /** Options by the name they are asked for by. */
  readonly variants?: Readonly<Record<string, JsonObject>>
}

export interface ProviderEntry {
  readonly id: string
  readonly name: string
  readonly package: ProviderPackage
  readonly url: string
  /** Any of these holds the key. */
  readonly keyVariables: readonly string[]
  readonly models: readonly ModelEntry[]
  /** How long it may send nothing, where that is not what every provider gets. */
  readonly quietMsMax?: number | undefined
}

const unknownCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

export function modelEntry(id: string, facts: Partial<Omit<ModelEntry, 'id'>> = {}): ModelEntry {
  return { id, name: id, context: 128_000, output: 8_192, tools: true, input: ['text'], cost: unknownCost, ...facts }
}

/** US dollars that a step cost. Reasoning is billed as output. */
export function costOfTokens(tokens: TokenCounts, model: ModelEntry): number {
  const { longCost } = model
  const sent = tokens.input + tokens.cache.read + tokens.cache.write
  const cost = longCost !== undefined && sent > longCost.above ? longCost : model.cost
  const perMillion =
    tokens.input * cost.input +
    (tokens.output + tokens.reasoning) * cost.output +
    tokens.cache.read * cost.cacheRead +
    tokens.cache.write * cost.cacheWrite
  return perMillion / 1_000_000
}
