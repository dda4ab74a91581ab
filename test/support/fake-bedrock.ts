import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { eventFrame, exceptionFrame } from './event-stream-encode.ts'
import { signatureFault } from './verify-signature.ts'

/** What the stand-in saw. */
export interface SeenCall {
  readonly operation: string
  /** The model id, decoded. */
  readonly modelId: string
  readonly target: string
  readonly headers: IncomingMessage['headers']
  readonly body: Record<string, unknown>
}

export type Step =
  | { readonly event: string; readonly payload: object }
  | { readonly exception: string; readonly message: string }
  | { readonly bytes: Uint8Array }
  | { readonly pauseMs: number }
  | { readonly gate: Promise<unknown> }
  | { readonly cut: true }

/** How one call is answered. */
export type Answer =
  | { readonly json: object; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly status: number
      readonly error: string
      readonly message: string
      readonly headers?: Readonly<Record<string, string>>
    }
  | { readonly steps: readonly Step[] }
  | { readonly hang: Promise<unknown> }
  | { readonly reset: true }

export interface FakeBedrock {
  readonly url: string
  readonly calls: SeenCall[]
  /** Calls of one operation, in order. */
  callsOf(operation: string): readonly SeenCall[]
  /** The next answers, in order; after them the stand-in answers by itself. */
  next(...answers: readonly Answer[]): void
  models: readonly object[]
  profiles: readonly object[]
  /** Answers the listings with this instead. */
  listing: Answer | undefined
  /** Streams and calls not yet finished. */
  openCalls(): number
  close(): Promise<void>
}

export const fakeAccess = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
export const fakeBearer = 'bedrock-api-key-for-tests'

export function model(modelId: string, more: object = {}): object {
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

export function profile(id: string, foundationId: string, more: object = {}): object {
  return {
    inferenceProfileName: id,
    inferenceProfileId: id,
    inferenceProfileArn: `arn:aws:bedrock:us-west-2:123456789012:inference-profile/${id}`,
    models: [{ modelArn: `arn:aws:bedrock:us-west-2::foundation-model/${foundationId}` }],
    status: 'ACTIVE',
    type: 'SYSTEM_DEFINED',
    ...more,
  }
}

const defaultModels = [
  model('anthropic.claude-sonnet-4-5-20250929-v1:0'),
  model('anthropic.claude-opus-4-6-v1'),
  model('anthropic.claude-3-5-sonnet-20241022-v2:0'),
  model('amazon.nova-pro-v1:0'),
  model('meta.llama3-1-70b-instruct-v1:0', { inputModalities: ['TEXT'] }),
  model('deepseek.v3-v1:0', { inputModalities: ['TEXT'] }),
  model('openai.gpt-oss-120b-1:0', { inputModalities: ['TEXT'] }),
  ...['cohere.embed-multilingual-v3', 'cohere.embed-english-v3', 'amazon.titan-embed-text-v1'].map((id) =>
    model(id, { outputModalities: ['EMBEDDING'], responseStreamingSupported: false }),
  ),
  ...['amazon.titan-embed-text-v2:0', 'amazon.nova-2-multimodal-embeddings-v1:0'].map((id) =>
    model(id, { outputModalities: ['EMBEDDING'], responseStreamingSupported: false }),
  ),
]
const defaultProfiles = [
  profile('us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic.claude-sonnet-4-5-20250929-v1:0'),
  profile('app-one', 'anthropic.claude-sonnet-4-5-20250929-v1:0', {
    type: 'APPLICATION',
    inferenceProfileArn: 'arn:aws:bedrock:us-west-2:123456789012:application-inference-profile/abc123',
  }),
]

/** Text as the provider streams it: no start event for a text block, usage last. */
export function textSteps(pieces: readonly string[], stopReason = 'end_turn'): readonly Step[] {
  return [
    { event: 'messageStart', payload: { p: 'abcd', role: 'assistant' } },
    ...pieces.map((text) => ({
      event: 'contentBlockDelta',
      payload: { contentBlockIndex: 0, delta: { text }, p: 'ab' },
    })),
    { event: 'contentBlockStop', payload: { contentBlockIndex: 0 } },
    { event: 'messageStop', payload: { stopReason } },
    metadataStep(),
  ]
}

export function metadataStep(usage: object = { inputTokens: 11, outputTokens: 7, totalTokens: 18 }): Step {
  return { event: 'metadata', payload: { usage, metrics: { latencyMs: 12 } } }
}

export function messageAnswer(content: readonly object[], stopReason = 'end_turn', usage?: object): Answer {
  return {
    json: {
      output: { message: { role: 'assistant', content } },
      stopReason,
      usage: usage ?? { inputTokens: 11, outputTokens: 7, totalTokens: 18 },
      metrics: { latencyMs: 12 },
    },
  }
}

export interface FakeBedrockOptions {
  readonly port?: number
  /** `unchecked` is for load runs, where checking costs more than answering. */
  readonly authentication?: 'signature' | 'bearer' | 'unchecked'
}

/** A provider on loopback that speaks the real wire: signatures are verified, streams are real frames. */
export async function startFakeBedrock(options: FakeBedrockOptions = {}): Promise<FakeBedrock> {
  const queue: Answer[] = []
  const open = new Set<ServerResponse>()
  const authentication = options.authentication ?? 'signature'
  const server = createServer((request, response) => {
    open.add(response)
    response.on('close', () => open.delete(response))
    serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const target = request.url ?? ''
    const fault = authenticationFault(request, body, authentication)
    if (fault !== undefined) {
      return send(response, { status: 403, error: 'InvalidSignatureException', message: fault })
    }
    const path = target.split('?')[0] ?? ''
    const modelCall = /^\/model\/([^/]+)\/([a-z-]+)$/.exec(path)
    const seen: SeenCall = {
      operation: modelCall?.[2] ?? path.slice(1),
      modelId: decodeURIComponent(modelCall?.[1] ?? ''),
      target,
      headers: request.headers,
      body: body.length === 0 ? {} : JSON.parse(body.toString()),
    }
    fake.calls.push(seen)
    const answer = modelCall === null ? listingAnswer(fake, target) : (queue.shift() ?? ownAnswer(seen))
    await send(response, answer)
  }

  const fake: FakeBedrock = {
    url: '',
    calls: [],
    callsOf: (operation) => fake.calls.filter((call) => call.operation === operation),
    next: (...answers) => {
      queue.push(...answers)
    },
    models: defaultModels,
    profiles: defaultProfiles,
    listing: undefined,
    openCalls: () => open.size,
    close: () => closeServer(server),
  }
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the stand-in has no port')
  return Object.assign(fake, { url: `http://127.0.0.1:${address.port}` })
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

function authenticationFault(
  request: IncomingMessage,
  body: Buffer,
  authentication: 'signature' | 'bearer' | 'unchecked',
): string | undefined {
  if (authentication === 'unchecked') return undefined
  if (authentication === 'bearer') {
    return request.headers.authorization === `Bearer ${fakeBearer}` ? undefined : 'wrong bearer key'
  }
  const { method = '', url = '', headers } = request
  return signatureFault({ method, target: url, headers, body }, fakeAccess.secretAccessKey, 'bedrock', Date.now())
}

function listingAnswer(fake: FakeBedrock, target: string): Answer {
  if (fake.listing !== undefined) return fake.listing
  const url = new URL(target, 'http://fake')
  if (url.pathname === '/foundation-models') return { json: { modelSummaries: fake.models } }
  if (url.pathname !== '/inference-profiles') {
    return { status: 404, error: 'UnknownOperationException', message: 'no such operation' }
  }
  const type = url.searchParams.get('typeEquals')
  const matching = fake.profiles.filter((entry) => 'type' in entry && entry.type === type)
  // Pages of one, so that paging is always walked.
  const page = Number(url.searchParams.get('nextToken') ?? 0)
  const more = page + 1 < matching.length ? { nextToken: String(page + 1) } : {}
  return { json: { inferenceProfileSummaries: matching.slice(page, page + 1), ...more } }
}

/** Without a script the stand-in says back what it was told. */
function ownAnswer(call: SeenCall): Answer {
  if (call.operation === 'converse') return messageAnswer([{ text: echoOf(call) }])
  if (call.operation === 'converse-stream') return { steps: textSteps(echoOf(call).match(/\S+\s*/g) ?? ['']) }
  if (call.operation === 'invoke') return embeddingAnswer(call)
  return { status: 404, error: 'UnknownOperationException', message: 'no such operation' }
}

function echoOf(call: SeenCall): string {
  const turns = Array.isArray(call.body['messages']) ? call.body['messages'] : []
  const content: unknown[] = turns.at(-1)?.content ?? []
  const texts = content.flatMap((block) =>
    typeof block === 'object' && block !== null && 'text' in block ? [String(block.text)] : [],
  )
  return `You said: ${texts.join(' ')}`
}

function embeddingAnswer({ modelId, body }: SeenCall): Answer {
  const vector = (length: number) => Array.from({ length }, (_, index) => (index % 8) / 8)
  if (modelId.startsWith('cohere.')) {
    const texts = Array.isArray(body['texts']) ? body['texts'] : []
    return {
      json: { id: 'e', response_type: 'embeddings_floats', embeddings: texts.map(() => vector(1024)), texts },
      headers: { 'x-amzn-bedrock-input-token-count': String(texts.length * 3) },
    }
  }
  if (modelId.startsWith('amazon.titan')) {
    const size = typeof body['dimensions'] === 'number' ? body['dimensions'] : modelId.includes('v1') ? 1536 : 1024
    return { json: { embedding: vector(size), inputTextTokenCount: 5 } }
  }
  const params = body['singleEmbeddingParams']
  const size =
    typeof params === 'object' && params !== null && 'embeddingDimension' in params
      ? Number(params.embeddingDimension)
      : 3072
  return { json: { embeddings: [{ embeddingType: 'TEXT', embedding: vector(size) }] } }
}

async function send(response: ServerResponse, answer: Answer): Promise<void> {
  const requestId = { 'x-amzn-requestid': '00000000-0000-4000-8000-000000000000' }
  if ('reset' in answer) {
    response.destroy()
    return
  }
  if ('hang' in answer) {
    await answer.hang
    response.destroy()
    return
  }
  if ('error' in answer) {
    response.writeHead(answer.status, {
      ...requestId,
      'content-type': 'application/json',
      'x-amzn-errortype': `${answer.error}:http://internal.amazon.com/coral/com.amazon.bedrock/`,
      ...answer.headers,
    })
    response.end(JSON.stringify({ message: answer.message }))
    return
  }
  if ('json' in answer) {
    response.writeHead(200, { ...requestId, 'content-type': 'application/json', ...answer.headers })
    response.end(JSON.stringify(answer.json))
    return
  }
  response.writeHead(200, { ...requestId, 'content-type': 'application/vnd.amazon.eventstream' })
  for (const step of answer.steps) {
    if (response.destroyed) return
    if ('pauseMs' in step) await wait(step.pauseMs)
    else if ('gate' in step) await step.gate
    else if ('cut' in step) {
      response.destroy()
      return
    } else await write(response, bytesOf(step))
  }
  response.end()
}

function bytesOf(step: Extract<Step, { event: string } | { exception: string } | { bytes: Uint8Array }>): Uint8Array {
  if ('bytes' in step) return step.bytes
  return 'event' in step ? eventFrame(step.event, step.payload) : exceptionFrame(step.exception, step.message)
}

async function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (!response.write(bytes) && !response.destroyed)
    await Promise.race([once(response, 'drain'), once(response, 'close')])
}
