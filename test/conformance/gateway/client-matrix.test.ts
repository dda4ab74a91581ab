/** Unmodified client libraries, each with what it can ask for, against each kind of provider. */
import { afterAll, describe, test } from 'vitest'
import type { ProviderCall } from '../../../local/gateway/sandbox/provider-wire.ts'
import { embeddingModel, startChatStandIn } from '../../support/chat-stand-in.ts'
import { judgeSeenAnswers, type SeenAnswer } from '../../support/declared-answers.ts'
import { agentsChat, agentsResponses } from '../../support/gateway-clients/agents-clients.ts'
import { aiChat, aiMessages, aiResponses } from '../../support/gateway-clients/ai-clients.ts'
import { anthropicSdk } from '../../support/gateway-clients/anthropic-sdk.ts'
import {
  documentBase64,
  type Feature,
  type GatewayClient,
  picture,
  usesTools,
} from '../../support/gateway-clients/client.ts'
import { embeddingClients } from '../../support/gateway-clients/embedding-clients.ts'
import { langchainChat, langchainResponses } from '../../support/gateway-clients/langchain-clients.ts'
import { openaiChat, openaiResponses } from '../../support/gateway-clients/openai-clients.ts'
import { gatewayUnderTest, sonnet, testKey } from '../../support/gateway-under-test.ts'
import { geminiModels, geminiSignature } from '../../support/gemini-request-rules.ts'
import { startGeminiStandIn } from '../../support/gemini-stand-in.ts'
import { messagesModels } from '../../support/messages-request-rules.ts'
import { startMessagesStandIn } from '../../support/messages-stand-in.ts'

const clients: readonly GatewayClient[] = [
  openaiChat,
  openaiResponses,
  anthropicSdk,
  aiResponses,
  aiChat,
  aiMessages,
  agentsResponses,
  agentsChat,
  langchainChat,
  langchainResponses,
]
const features: readonly Feature[] = [
  'text',
  'tools',
  'forced tool',
  'picture',
  'document',
  'json',
  'thinking',
  'cache marks',
]

const models = {
  account: sonnet,
  chat: 'north/small-1',
  messages: `maker/${messagesModels.budget}`,
  gemini: `google/${geminiModels.budget}`,
  /** Whose first step never answers. */
  route: 'code',
} as const
type ProviderKind = keyof typeof models
const kinds = Object.keys(models) as ProviderKind[]

const seen: Promise<SeenAnswer>[] = []
const north = await startChatStandIn(['small-1'])
const maker = await startMessagesStandIn()
const google = await startGeminiStandIn()
const providers = {
  north: { address: north.url, key: north.key, prices: 'free' },
  maker: { address: maker.url, key: maker.key, dialect: 'messages', prices: 'free' },
  google: { address: google.url, key: google.key, dialect: 'gemini', prices: 'free' },
  locked: { address: maker.url, key: 'another', dialect: 'messages', prices: 'free' },
}
const code = [{ model: `locked/${messagesModels.budget}` }, { model: models.messages }]
const under = await gatewayUnderTest({
  PROVIDERS: JSON.stringify(providers),
  MODEL_ROUTES: JSON.stringify({ code }),
  AWS_MAX_RETRY_ATTEMPTS: '1',
  ENABLE_PROMPT_CACHING: 'false',
})
afterAll(async () => {
  await Promise.all([north.close(), maker.close(), google.close(), under[Symbol.asyncDispose]()])
})

/** Asks the gateway, and keeps what it answers. */
async function overGateway(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(url, init)
  const answer = await under.gateway.fetch(request)
  const { pathname } = new URL(request.url)
  const [forClient, forUs] = answer.body?.tee() ?? [null, null]
  seen.push(
    new Response(forUs).text().then((text) => ({
      path: pathname.slice('/api/v1'.length),
      method: request.method,
      status: answer.status,
      type: answer.headers.get('content-type') ?? '',
      text,
    })),
  )
  return new Response(forClient, answer)
}

/** What each provider was sent since `from`, as text to search. */
function sent(kind: ProviderKind, from = 0): readonly string[] {
  const calls = {
    account: under.bedrock.calls.filter(isModelCall),
    chat: north.calls,
    messages: maker.calls,
    gemini: google.calls,
    route: maker.calls,
  }
  return calls[kind].slice(from).map((call: { readonly body: unknown }) => JSON.stringify(call.body))
}

function isModelCall({ target }: ProviderCall): boolean {
  return target.startsWith('/model/')
}

/** What marks a thing in the body of each provider; undefined where it has no such thing. */
const marks: Readonly<
  Record<
    ProviderKind,
    { readonly cache: string | undefined; readonly thought: string | undefined; readonly force: string }
  >
> = {
  account: { cache: '"cachePoint"', thought: '"signature"', force: '"any":{}' },
  chat: { cache: undefined, thought: undefined, force: '"tool_choice":"required"' },
  messages: { cache: '"cache_control"', thought: '"signature"', force: '"tool_choice":{"type":"any"' },
  gemini: { cache: undefined, thought: geminiSignature, force: '"mode":"ANY"' },
  route: { cache: '"cache_control"', thought: '"signature"', force: '"tool_choice":{"type":"any"' },
}

const cases = kinds.flatMap((kind) =>
  clients.flatMap((client) =>
    features
      .filter((feature) => client.lacks?.includes(feature) !== true)
      .flatMap((feature) => [true, false].map((stream) => ({ kind, client, feature, stream, name: client.name }))),
  ),
)

describe.for(kinds)('a provider of the kind %s serves', (kind) => {
  test.for(cases.filter((one) => one.kind === kind))(
    '$name: $feature, streamed: $stream',
    async ({ client, feature, stream }, { expect }) => {
      const isLoop = usesTools(feature)
      for (const standIn of [north, maker, google]) standIn.callTool(isLoop ? 'weather' : '')
      const before = sent(kind).length
      const ask = isLoop ? 'call weather {"place":"Oslo"}' : 'who are you?'
      const turns = isLoop ? [ask, ask] : [ask]
      const text = await client.converse({ model: models[kind], turns, feature, stream }, overGateway)
      const bodies = sent(kind, before)

      expect(bodies).toHaveLength(isLoop ? 4 : 1)
      if (feature === 'json') expect(JSON.parse(text)).toEqual({ answer: expect.any(String) })
      else expect(text).not.toBe('')
      if (feature === 'picture') expect(bodies[0]).toContain(picture)
      if (feature === 'document') expect(bodies[0]).toContain(documentBase64)
      if (feature === 'cache marks' && marks[kind].cache !== undefined) expect(bodies[0]).toContain(marks[kind].cache)
      if (isLoop) for (const body of [bodies[1], bodies[3]]) expect(body).toContain('rain in Oslo')
      const { thought, force } = marks[kind]
      if (feature === 'forced tool')
        expect(bodies.map((body) => body.includes(force))).toEqual([true, false, true, false])
      if (feature === 'thinking' && thought !== undefined)
        for (const body of bodies.slice(1)) expect(body).toContain(thought)
    },
  )
})

const embeddingModels = {
  account: 'cohere.embed-english-v3',
  chat: `north/${embeddingModel}`,
  gemini: `google/${geminiModels.embedding}`,
}
const embedding = Object.entries(embeddingModels).flatMap(([kind, model]) =>
  Object.keys(embeddingClients).map((name) => ({ kind, model, name })),
)

test.for(embedding)('a provider of the kind $kind embeds for $name', async ({ model, name }, { expect }) => {
  const texts = ['rain in Oslo', 'snow']
  // What is asked for in base64 is not of the declared type, and not judged by it.
  const plainly = (url: string | URL | Request, init?: RequestInit) => under.gateway.fetch(new Request(url, init))
  const vectors = await embeddingClients[name]?.(model, texts, plainly)
  const plain = await plainly('http://gateway.test/api/v1/embeddings', {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}` },
    body: JSON.stringify({ model, input: texts }),
  })
  const { data } = (await plain.json()) as { readonly data: readonly { readonly embedding: readonly number[] }[] }

  // Libraries that ask for floats of four bytes get them.
  expect(vectors?.map((vector) => vector.map(Math.fround))).toEqual(data.map((one) => one.embedding.map(Math.fround)))
  expect(vectors?.[0]).not.toEqual(vectors?.[1])
})

describe('what the clients were answered', () => {
  test('has the members that their packages declare, and no others', async ({ expect }) => {
    for (const [path, json] of [
      ['/models', undefined],
      ['/embeddings', { model: 'vendor-b.embed-text-v2:0', input: 'hi' }],
      ['/completions', { model: sonnet, prompt: 'hi' }],
      ['/completions', { model: sonnet, prompt: 'hi', stream: true }],
      ['/responses/input_tokens', { model: sonnet, input: 'hi' }],
      ['/messages/count_tokens', { model: sonnet, messages: [{ role: 'user', content: 'hi' }] }],
      ['/messages', { model: sonnet }],
      ['/responses', { model: sonnet }],
    ] as const) {
      const body = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }
      const answer = await overGateway(`http://gateway.test/api/v1${path}`, {
        headers: { authorization: `Bearer ${testKey}` },
        ...body,
      })
      await answer.text()
    }
    const { judged, faults } = judgeSeenAnswers(await Promise.all(seen))

    expect(faults).toEqual([])
    expect(judged).toBeGreaterThan(100)
  })

  test('would be told from what is not declared', ({ expect }) => {
    const answer = { path: '/embeddings', method: 'POST', status: 200, type: 'application/json' }
    const whole = { object: 'list', data: [], model: 'm', usage: { prompt_tokens: 1, total_tokens: 1 } }
    const texts = [whole, { ...whole, model: 1 }, { ...whole, more: 1 }, { ...whole, usage: {} }]

    expect(texts.map((one) => judgeSeenAnswers([{ ...answer, text: JSON.stringify(one) }]).faults.length)).toEqual([
      0, 1, 1, 1,
    ])
  })
})
