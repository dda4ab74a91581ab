import type { Answer, Step } from './provider-wire.ts'

// What the provider's own answers look like, for its stand-in and for scripts of tests. `ConverseResponse` and the events
// of `ConverseStreamOutput` follow the service model `bedrock-runtime` (API 2023-09-30) as version 1.43.107 of the AWS SDK
// for Python carries it. Two things are not in it: the padding `p` of streamed pieces, seen in the service's own streams,
// and the bodies of embeddings, whose source is the documentation of their model families.

export const unknownOperation: Answer = {
  status: 404,
  error: 'UnknownOperationException',
  message: 'no such operation',
}

const someUsage = { inputTokens: 11, outputTokens: 7, totalTokens: 18 }

export function messageAnswer(content: readonly object[], stopReason = 'end_turn', usage: object = someUsage): Answer {
  return {
    json: {
      output: { message: { role: 'assistant', content } },
      stopReason,
      usage,
      metrics: { latencyMs: 12 },
    },
  }
}

export function metadataStep(usage: object = someUsage): Step {
  return { event: 'metadata', payload: { usage, metrics: { latencyMs: 12 } } }
}

/** Text as the provider streams it: no start event for a text block, usage last. */
export function textSteps(
  pieces: readonly string[],
  stopReason = 'end_turn',
  usage?: object,
  contentBlockIndex = 0,
): readonly Step[] {
  return [
    { event: 'messageStart', payload: { p: 'abcd', role: 'assistant' } },
    ...pieces.map((text) => ({
      event: 'contentBlockDelta',
      payload: { contentBlockIndex, delta: { text }, p: 'ab' },
    })),
    { event: 'contentBlockStop', payload: { contentBlockIndex } },
    { event: 'messageStop', payload: { stopReason } },
    metadataStep(usage),
  ]
}

/** Signed reasoning as it is streamed, in the first block: text in pieces, then the signature alone. */
export function reasoningSteps(text: string, signature: string): readonly Step[] {
  const delta = (reasoningContent: object) => ({
    event: 'contentBlockDelta',
    payload: { contentBlockIndex: 0, delta: { reasoningContent } },
  })
  const pieces = text.match(/\S+\s*/g) ?? []
  return [
    ...pieces.map((piece) => delta({ text: piece })),
    delta({ signature }),
    { event: 'contentBlockStop', payload: { contentBlockIndex: 0 } },
  ]
}

/** Embeds with `embed(text, size)` in the shape of the family that the model belongs to. */
export function embeddingAnswer(
  modelId: string,
  body: Readonly<Record<string, unknown>>,
  embed: (text: string, size: number) => readonly number[],
): Answer {
  if (modelId.startsWith('cohere.')) {
    const texts = Array.isArray(body['texts']) ? body['texts'].map(String) : []
    const embeddings = texts.map((text) => embed(text, 1_024))
    return {
      json: { id: 'e', response_type: 'embeddings_floats', embeddings, texts },
      headers: { 'x-amzn-bedrock-input-token-count': String(texts.length * 3) },
    }
  }
  if (modelId.startsWith('amazon.titan')) {
    const size = typeof body['dimensions'] === 'number' ? body['dimensions'] : modelId.includes('v1') ? 1_536 : 1_024
    return { json: { embedding: embed(String(body['inputText']), size), inputTextTokenCount: 5 } }
  }
  const { embeddingDimension = 3_072, text = {} } = (body['singleEmbeddingParams'] ?? {}) as {
    embeddingDimension?: number
    text?: { value?: string }
  }
  return { json: { embeddings: [{ embeddingType: 'TEXT', embedding: embed(text.value ?? '', embeddingDimension) }] } }
}
