import type { ListedModel } from '#shared/models/listed-model.ts'
import { type ModelFacts, nanoPerMillion, type PriceList } from '#shared/models/price-list.ts'
import * as z from '#shared/schema/deferred.ts'
import { modelsPageDefault, modelsPageMax } from '../limits.ts'

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

/** What its provider itself says of a model that is not the account's. */
type Listed = Omit<ListedModel, 'id'> & { readonly provider: string }

/**
 * The account's provider tells no creation time; 0 stays the same from one start to the next. What a provider says of
 * its limits goes before what a table does. What is not known is left out.
 */
export function toModelObject(
  id: string,
  facts: ModelFacts | undefined,
  { dated }: PriceList,
  listed?: Listed,
): ModelObject {
  const contextTokens = listed?.contextTokens ?? facts?.contextTokens
  const outputTokensMax = listed?.outputTokensMax ?? facts?.outputTokensMax
  const takes = listed === undefined || listed.takes.length === 0 ? (facts?.takes ?? []) : listed.takes
  const inputNano = facts?.inputNano
  return {
    id,
    object: 'model',
    created: listed?.createdUnix ?? 0,
    owned_by: listed?.provider ?? 'bedrock',
    ...(contextTokens === undefined ? {} : { context_window: contextTokens }),
    ...(outputTokensMax === undefined ? {} : { max_output_tokens: outputTokensMax }),
    ...(takes.length === 0 ? {} : { input_modalities: takes }),
    ...(facts === undefined || inputNano === undefined ? {} : { pricing: pricing(facts, inputNano, dated) }),
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

/** What clients of the messages dialect read of a model. What is not known is null, and a day that is not is the first. */
export interface ModelInfo {
  readonly type: 'model'
  readonly id: string
  readonly display_name: string
  readonly created_at: string
  readonly lifecycle: 'active' | 'deprecated'
  readonly deprecated_at: null
  readonly retires_at: null
  readonly line: null
  readonly capabilities: null
  readonly max_input_tokens: number | null
  readonly max_tokens: number | null
}

export function toModelInfo(
  { id, created, context_window: inputMax, max_output_tokens: outputMax }: ModelObject,
  lifecycle: ModelInfo['lifecycle'],
): ModelInfo {
  return {
    type: 'model',
    id,
    display_name: id,
    created_at: new Date(created * 1_000).toISOString(),
    lifecycle,
    deprecated_at: null,
    retires_at: null,
    line: null,
    capabilities: null,
    max_input_tokens: inputMax ?? null,
    max_tokens: outputMax ?? null,
  }
}

/** Pages of the messages dialect: from behind an id on, or up to one. */
export const modelsPageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(modelsPageMax).default(modelsPageDefault),
  after_id: z.string().optional(),
  before_id: z.string().optional(),
})
