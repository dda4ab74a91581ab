import { numberOf, recordOf } from '#shared/kernel/json-record.ts'
import { geminiInterface } from '#shared/models/provider-interfaces.ts'
import type { ProviderDialect } from '../provider-dialect.ts'
import { geminiBody, geminiCountBody, isGeminiModel } from './gemini-body.ts'
import { GeminiChunkReader, readGeminiAnswer } from './gemini-reading.ts'
import { geminiRefusal } from './gemini-refusal.ts'

/** Google's own dialect. No client of the gateway speaks it, so nothing passes. */
export const geminiDialect: ProviderDialect = {
  ...geminiInterface,
  asked: geminiBody,
  readAnswer: readGeminiAnswer,
  reading: (provider, newId) => new GeminiChunkReader(provider, newId),
  refusal: geminiRefusal,
  paths: {},
  embedding: {
    family: 'gemini',
    path: (model) => (isGeminiModel(model) ? `/models/${model}:batchEmbedContents` : undefined),
    tokens: () => undefined,
  },
  counting: {
    asked: geminiCountBody,
    read: (body: unknown) => numberOf(recordOf(body)?.['totalTokens']),
  },
}
