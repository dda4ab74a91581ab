import { type JsonRecord, listOf, recordOf } from '#shared/kernel/json-record.ts'

export function geminiEmbeddingBody(
  model: string,
  texts: readonly string[],
  dimensions: number | undefined,
): JsonRecord {
  const size = dimensions === undefined ? {} : { outputDimensionality: dimensions }
  return { requests: texts.map((text) => ({ model: `models/${model}`, content: { parts: [{ text }] }, ...size })) }
}

export function geminiVectors(body: unknown): unknown {
  return listOf(recordOf(body)?.['embeddings']).map((entry) => recordOf(entry)?.['values'])
}
