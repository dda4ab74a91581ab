import type { Answer, Step } from './provider-wire.ts'

// What the provider's own answers look like, for the sandbox and for the stand-in of the tests.

export function foundationModel(modelId: string, more: object = {}): object {
  return {
    modelArn: `arn:aws:bedrock:us-west-2::foundation-model/${modelId}`,
    modelId,
    modelName: modelId,
    providerName: modelId.split('.')[0],
    inputModalities: ['TEXT', 'IMAGE'],
    outputModalities: ['TEXT'],
    responseStreamingSupported: true,
    inferenceTypesSupported: ['ON_DEMAND'],
    modelLifecycle: { status: 'ACTIVE' },
    ...more,
  }
}

export const foundationModels: readonly object[] = [
  foundationModel('anthropic.claude-sonnet-4-5-20250929-v1:0'),
  foundationModel('anthropic.claude-opus-4-6-v1'),
  foundationModel('anthropic.claude-3-5-sonnet-20241022-v2:0'),
  foundationModel('amazon.nova-pro-v1:0'),
  foundationModel('meta.llama3-1-70b-instruct-v1:0', { inputModalities: ['TEXT'] }),
  foundationModel('deepseek.v3-v1:0', { inputModalities: ['TEXT'] }),
  foundationModel('openai.gpt-oss-120b-1:0', { inputModalities: ['TEXT'] }),
  ...[
    'cohere.embed-multilingual-v3',
    'cohere.embed-english-v3',
    'amazon.titan-embed-text-v1',
    'amazon.titan-embed-text-v2:0',
    'amazon.nova-2-multimodal-embeddings-v1:0',
  ].map((id) => foundationModel(id, { outputModalities: ['EMBEDDING'], responseStreamingSupported: false })),
]

export interface Listings {
  readonly models: readonly object[]
  readonly profiles: readonly object[]
}

/** Answers the two listings of the control plane; undefined for another target. */
export function listingAnswer(target: string, { models, profiles }: Listings): Answer | undefined {
  const url = new URL(target, 'http://provider')
  if (url.pathname === '/foundation-models') return { json: { modelSummaries: models } }
  if (url.pathname !== '/inference-profiles') return undefined
  const type = url.searchParams.get('typeEquals')
  const matching = profiles.filter((entry) => 'type' in entry && entry.type === type)
  // Pages of one, so that paging is always walked.
  const page = Number(url.searchParams.get('nextToken') ?? 0)
  const more = page + 1 < matching.length ? { nextToken: String(page + 1) } : {}
  return { json: { inferenceProfileSummaries: matching.slice(page, page + 1), ...more } }
}

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
export function textSteps(pieces: readonly string[], stopReason = 'end_turn', usage?: object): readonly Step[] {
  return [
    { event: 'messageStart', payload: { p: 'abcd', role: 'assistant' } },
    ...pieces.map((text) => ({
      event: 'contentBlockDelta',
      payload: { contentBlockIndex: 0, delta: { text }, p: 'ab' },
    })),
    { event: 'contentBlockStop', payload: { contentBlockIndex: 0 } },
    { event: 'messageStop', payload: { stopReason } },
    metadataStep(usage),
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
