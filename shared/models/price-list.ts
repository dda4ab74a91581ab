import { type FaultOf, sayBy } from '../kernel/fault-words.ts'
import { isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from '../kernel/json-record.ts'
import { failWith, type Result, succeed } from '../kernel/result.ts'

/** In billionths of a dollar a token. */
interface TokenPrices {
  readonly inputNano: number | undefined
  readonly outputNano: number | undefined
  readonly cacheReadNano: number | undefined
  readonly cacheWriteNano: number | undefined
}

/** What is known of a model beside what the provider's own list says. */
export interface ModelFacts extends TokenPrices {
  /** Of requests with more than 200,000 tokens of input, where they cost more. */
  readonly above200k: TokenPrices | undefined
  readonly contextTokens: number | undefined
  readonly outputTokensMax: number | undefined
  /** `text`, `image`, `audio`, `video`, `pdf`. */
  readonly takes: readonly string[]
}

export interface PriceList {
  /** The day the list is of, `YYYY-MM-DD`. */
  readonly dated: string
  readonly source: string
  /** By provider and model id. */
  readonly models: ReadonlyMap<string, ReadonlyMap<string, ModelFacts>>
}

/** What is wrong with a list of prices; its name stands before it. */
const priceSentences = {
  no_date: 'has no date',
  no_provider: ({ provider }: { provider: string }) => `has no ${provider}`,
  no_entry: ({ entry }: { entry: string }) => `${entry} is no table`,
  no_price: ({ entry }: { entry: string }) => `${entry} has a price that is none`,
}

export type PriceFault = FaultOf<typeof priceSentences>
export const sayPriceFault = sayBy(priceSentences)

/** A dollar a million tokens is a thousand billionths of a dollar a token. */
export const nanoPerMillion = 1_000

export function readPriceList(document: unknown): Result<PriceList, PriceFault> {
  const root = recordOf(document)
  const dated = textOf(root?.['dated'])
  if (root === undefined || dated === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(dated))
    return failWith({ kind: 'no_date' })
  const models = new Map<string, ReadonlyMap<string, ModelFacts>>()
  for (const [provider, table] of Object.entries(root)) {
    if (!isRecord(table)) continue
    const facts = new Map<string, ModelFacts>()
    for (const [id, entry] of Object.entries(table)) {
      if (!isRecord(entry)) return failWith({ kind: 'no_entry', entry: `${provider}.${id}` })
      const prices = pricesOf(entry)
      const above = recordOf(entry['above_200k'])
      const abovePrices = above === undefined ? undefined : pricesOf(above)
      if (prices === null || abovePrices === null) return failWith({ kind: 'no_price', entry: `${provider}.${id}` })
      facts.set(id.toLowerCase(), {
        ...prices,
        above200k: abovePrices,
        contextTokens: numberOf(entry['context']),
        outputTokensMax: numberOf(entry['output_max']),
        takes: listOf(entry['takes']).filter((word) => typeof word === 'string'),
      })
    }
    models.set(provider, facts)
  }
  return succeed({ dated, source: textOf(root['source']) ?? '', models })
}

/** Null: one of them is no price. */
function pricesOf(entry: JsonRecord): TokenPrices | null {
  const price = (member: string): number | undefined => {
    const dollars = entry[member]
    if (dollars === undefined) return undefined
    return typeof dollars === 'number' && dollars >= 0 ? dollars * nanoPerMillion : Number.NaN
  }
  const prices = {
    inputNano: price('input'),
    outputNano: price('output'),
    cacheReadNano: price('cache_read'),
    cacheWriteNano: price('cache_write'),
  }
  return Object.values(prices).some(Number.isNaN) ? null : prices
}

const placePrefix = /^(?:us-gov|us|eu|apac|jp|au|ca|global)\./

/** By the id that is called, else by the model behind it, wherever in the world that is. */
export function factsOf(
  list: PriceList,
  provider: string,
  modelId: string,
  foundationId: string,
): ModelFacts | undefined {
  const table = list.models.get(provider)
  if (table === undefined) return undefined
  const id = modelId.toLowerCase()
  const foundation = foundationId.toLowerCase()
  const known = table.get(id) ?? table.get(foundation) ?? table.get(id.replace(placePrefix, ''))
  if (known !== undefined) return known
  // A model that is only listed by one of its profiles.
  for (const place of ['us', 'global', 'eu']) {
    const found = table.get(`${place}.${foundation}`)
    if (found !== undefined) return found
  }
  return undefined
}
