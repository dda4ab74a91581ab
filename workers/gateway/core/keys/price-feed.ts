import { type JsonRecord, listOf, numberOf, recordOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type PriceFault, type PriceList, readPriceList } from '#shared/models/price-list.ts'

/** The feed's name of a provider, and the table of ours. */
const tables = { 'amazon-bedrock': 'bedrock', anthropic: 'anthropic', openai: 'openai', google: 'gemini' } as const

export type PriceTables = Readonly<Record<string, Readonly<Record<string, JsonRecord>>>>

/** What the public feed lists, as entries of our tables. */
export function feedTables(document: unknown): Result<PriceTables, PriceFault> {
  const read: Record<string, Record<string, JsonRecord>> = {}
  for (const [theirs, ours] of Object.entries(tables)) {
    const models = recordOf(recordOf(recordOf(document)?.[theirs])?.['models'])
    if (models === undefined) return failWith({ kind: 'no_provider', provider: theirs })
    read[ours] = Object.fromEntries(Object.entries(models).map(([id, model]) => [id, entryOf(recordOf(model) ?? {})]))
  }
  return succeed(read)
}

function entryOf(model: JsonRecord): JsonRecord {
  const { context_over_200k: above, ...cost } = recordOf(model['cost']) ?? {}
  const limit = recordOf(model['limit']) ?? {}
  const takes = listOf(recordOf(model['modalities'])?.['input']).filter((word) => typeof word === 'string')
  const long = recordOf(above)
  return {
    ...pricesOf(cost),
    ...(long === undefined ? {} : { above_200k: pricesOf(long) }),
    context: numberOf(limit['context']),
    output_max: numberOf(limit['output']),
    takes: takes.length === 0 ? undefined : takes,
  }
}

function pricesOf({ input, output, cache_read, cache_write }: JsonRecord): JsonRecord {
  return { input, output, cache_read, cache_write }
}

/** The list with what the feed says of that day; what the feed does not list stays. */
export function withFeed(
  list: PriceList,
  document: unknown,
  dated: string,
  source: string,
): Result<PriceList, PriceFault> {
  const read = feedTables(document)
  if (!read.ok) return read
  const fresh = readPriceList({ dated, source, ...read.value })
  if (!fresh.ok) return fresh
  const names = new Set([...list.models.keys(), ...fresh.value.models.keys()])
  const models = new Map(
    [...names].map((name) => [
      name,
      new Map([...(list.models.get(name) ?? []), ...(fresh.value.models.get(name) ?? [])]),
    ]),
  )
  return succeed({ dated, source, models })
}
