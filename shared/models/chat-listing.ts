import { type JsonRecord, numberOf, recordOf, textOf } from '../kernel/json-record.ts'
import { type ListedPage, type ListedPrices, limitOf, modalitiesOf, readListedPage } from './listed-model.ts'

/**
 * The reference tells names only; servers of open models, routers and our own gateway tell limits and prices, each in
 * words of its own.
 */
export function readChatListing(body: unknown): ListedPage | undefined {
  return readListedPage(
    body,
    'data',
    (entry) => {
      const id = textOf(entry['id'])
      if (id === undefined) return undefined
      const inputs = recordOf(entry['architecture'])?.['input_modalities'] ?? entry['input_modalities']
      return {
        id,
        name: textOf(entry['name']),
        createdUnix: numberOf(entry['created']),
        contextTokens: firstLimit(entry, ['context_length', 'max_model_len', 'context_window', 'max_context_length']),
        outputTokensMax:
          limitOf(recordOf(entry['top_provider'])?.['max_completion_tokens']) ??
          firstLimit(entry, ['max_completion_tokens', 'max_output_tokens']),
        takes: modalitiesOf(inputs),
        prices: pricesOf(recordOf(entry['pricing'])),
      }
    },
    () => undefined,
  )
}

function firstLimit(entry: JsonRecord, members: readonly string[]): number | undefined {
  for (const member of members) {
    const limit = limitOf(entry[member])
    if (limit !== undefined) return limit
  }
  return undefined
}

/** Our gateway tells numbers for a million tokens, routers texts of dollars for one. */
function pricesOf(pricing: JsonRecord | undefined): ListedPrices | undefined {
  const perMillion = recordOf(pricing?.['per_million_tokens'])
  const price = (ours: string, theirs: string): number | undefined => {
    if (perMillion !== undefined) return priceOf(numberOf(perMillion[ours]))
    const perToken = textOf(pricing?.[theirs])
    return perToken === undefined || perToken === '' ? undefined : priceOf(Number(perToken) * 1_000_000)
  }
  const input = price('input', 'prompt')
  if (input === undefined) return undefined
  return {
    input,
    output: price('output', 'completion') ?? 0,
    cacheRead: price('cache_read', 'input_cache_read'),
    cacheWrite: price('cache_write', 'input_cache_write'),
  }
}

/** Without the traces of a float's multiplication. Negative: the router cannot say before it has chosen. */
function priceOf(dollars: number | undefined): number | undefined {
  return dollars === undefined || !(dollars >= 0) ? undefined : Number(dollars.toPrecision(12))
}
