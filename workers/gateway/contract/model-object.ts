import type { ModelFacts, PriceList } from '../core/keys/price-list.ts'

export interface ModelObject {
  readonly id: string
  readonly object: 'model'
  readonly created: number
  readonly owned_by: string
  readonly context_window?: number
  readonly max_output_tokens?: number
  readonly input_modalities?: readonly string[]
  readonly pricing?: {
    readonly currency: 'USD'
    /** The day the prices are of. */
    readonly dated: string
    readonly per_million_tokens: {
      readonly input: number
      readonly output?: number
      readonly cache_read?: number
      readonly cache_write?: number
    }
  }
}

const nanoPerMillion = 1_000

/** The provider tells no creation time; 0 stays the same from one start to the next. What is not known is left out. */
export function toModelObject(id: string, facts: ModelFacts | undefined, { dated }: PriceList): ModelObject {
  const plain = { id, object: 'model', created: 0, owned_by: 'bedrock' } as const
  if (facts === undefined) return plain
  const { contextTokens, outputTokensMax, takes, inputNano } = facts
  return {
    ...plain,
    ...(contextTokens === undefined ? {} : { context_window: contextTokens }),
    ...(outputTokensMax === undefined ? {} : { max_output_tokens: outputTokensMax }),
    ...(takes.length === 0 ? {} : { input_modalities: takes }),
    ...(inputNano === undefined ? {} : { pricing: pricing(facts, inputNano, dated) }),
  }
}

function pricing(facts: ModelFacts, inputNano: number, dated: string): NonNullable<ModelObject['pricing']> {
  const dollars = (name: string, nano: number | undefined) =>
    nano === undefined ? {} : { [name]: Number((nano / nanoPerMillion).toPrecision(12)) }
  return {
    currency: 'USD',
    dated,
    per_million_tokens: {
      input: inputNano / nanoPerMillion,
      ...dollars('output', facts.outputNano),
      ...dollars('cache_read', facts.cacheReadNano),
      ...dollars('cache_write', facts.cacheWriteNano),
    },
  }
}
