import { type JsonRecord, listOf, numberOf, recordOf } from '#shared/kernel/json-record.ts'

export function chatEmbeddingBody(model: string, texts: readonly string[], dimensions: number | undefined): JsonRecord {
  const size = dimensions === undefined ? {} : { dimensions }
  return { model, input: texts, encoding_format: 'float', ...size }
}

/** In the order of the texts, whatever order they come in. */
export function chatVectors(body: unknown): unknown {
  const entries = listOf(recordOf(body)?.['data']).map((entry) => recordOf(entry) ?? {})
  return entries
    .toSorted((left, right) => (numberOf(left['index']) ?? 0) - (numberOf(right['index']) ?? 0))
    .map((entry) => entry['embedding'])
}

export function chatEmbeddingTokens(body: unknown): number | undefined {
  return numberOf(recordOf(recordOf(body)?.['usage'])?.['prompt_tokens'])
}
