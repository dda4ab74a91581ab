import { describe, test } from 'vitest'
import { metadataStep, textSteps } from '../../../local/gateway/sandbox/provider-shapes.ts'
import { sandboxLabel } from '../../../local/gateway/sandbox/sandbox-model.ts'
import { someCard } from '../../support/fake-bedrock.ts'
import { framesOf, gatewayUnderTest, registries, sonnet, sonnetFoundation } from '../../support/gateway-under-test.ts'
import { openaiClient } from '../../support/openai-client.ts'

const haikuFoundation = 'anthropic.claude-haiku-4-5-20251001-v1:0'

interface Embeddings {
  readonly error?: { readonly code: string }
  readonly data: readonly { readonly index: number; readonly embedding: readonly number[] }[]
}

async function errorCode(answer: Response): Promise<string> {
  const body = (await answer.json()) as { error: { code: string } }
  return body.error.code
}

describe('models', () => {
  test('the list holds foundation models, profiles and short names as model objects, sorted', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const list = await openaiClient(under).models.list()
    const ids = list.data.map((entry) => entry.id)

    expect(list.object).toBe('list')
    expect(ids).toEqual([...ids].sort())
    expect(ids).toEqual(
      expect.arrayContaining([
        sonnet,
        'global.anthropic.claude-opus-4-8',
        'default',
        'arn:aws:bedrock:us-west-2:123456789012:application-inference-profile/abc123',
        'cohere.embed-multilingual-v3',
        'vendor-a.embed-multilingual-v3',
        'vendor-b.multimodal-embeddings-v1:0',
      ]),
    )
    for (const entry of list.data) {
      expect(entry).toMatchObject({ id: expect.any(String), object: 'model', created: 0, owned_by: 'bedrock' })
    }
  })

  test('what cannot be called is not listed', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.account = {
      region: 'us-west-2',
      cards: [
        someCard('a.usable-v1'),
        someCard('a.retired-v1', { status: 'RETIRED' }),
        someCard('a.unregistered-embed-v1', { output: 'EMBEDDING' }),
        someCard('a.profile-only-v1', { isOnDemand: false, geographies: ['us'] }),
        someCard('a.elsewhere-v1', { isOnDemand: false, geographies: ['eu'] }),
      ],
      applicationProfiles: [],
    }
    const ids = (await openaiClient(under).models.list()).data.map((entry) => entry.id)

    expect(ids).toEqual(['a.usable-v1', 'default', 'us.a.profile-only-v1'])
  })

  test('the settings narrow the list', async ({ expect }) => {
    await using under = await gatewayUnderTest({
      ALLOWED_MODELS: 'claude-sonnet, titan',
      ENABLE_CROSS_REGION_INFERENCE: 'false',
      ENABLE_APPLICATION_INFERENCE_PROFILES: 'false',
    })
    const ids = (await openaiClient(under).models.list()).data.map((entry) => entry.id)

    expect(ids).toEqual(['amazon.titan-embed-text-v1', 'amazon.titan-embed-text-v2:0'])
  })

  test.for([
    ['a colon', sonnet],
    ['a slash', 'arn:aws:bedrock:us-west-2:123456789012:application-inference-profile/abc123'],
  ] as const)('one model is found by an id with %s, encoded or not', async ([, id], { expect }) => {
    await using under = await gatewayUnderTest()

    expect(await openaiClient(under).models.retrieve(id)).toMatchObject({ id, object: 'model' })
    expect(await (await under.call(`/models/${id}`)).json()).toMatchObject({ id })
  })

  test.for(['nothing.like-this', 'a%2', '%00', 'x'.repeat(3_000)])(
    'an unknown id %s is answered 400',
    async (id, { expect }) => {
      await using under = await gatewayUnderTest()
      const answer = await under.call(`/models/${id}`)

      expect([answer.status, await errorCode(answer)]).toEqual([400, 'bad_request'])
    },
  )

  test('the list is served from memory, refreshed after its time, and kept when the refresh fails', async ({
    expect,
  }) => {
    let nowMs = Date.now()
    await using under = await gatewayUnderTest({ MODEL_CATALOG_REFRESH_SECS: '60' }, { clock: { nowMs: () => nowMs } })
    const ids = async () => (await openaiClient(under).models.list()).data.map((entry) => entry.id)
    const reads = () => under.bedrock.callsOf('foundation-models').length
    const before = await ids()
    await ids()
    expect(reads()).toBe(1)

    nowMs += 61_000
    under.bedrock.listing = { status: 403, error: 'AccessDeniedException', message: 'no' }
    await ids()
    await expect.poll(reads).toBe(2)
    expect(await ids()).toEqual(before)

    nowMs += 31_000
    under.bedrock.listing = undefined
    under.bedrock.account = { region: 'us-west-2', cards: [someCard('a.new-v1')], applicationProfiles: [] }
    await ids()
    await expect.poll(ids).toEqual(['a.new-v1', 'default'])
  })

  test('0 reads the catalogue only at start', async ({ expect }) => {
    let nowMs = Date.now()
    await using under = await gatewayUnderTest({ MODEL_CATALOG_REFRESH_SECS: '0' }, { clock: { nowMs: () => nowMs } })
    await under.gateway.start()
    nowMs += 10_000_000
    await under.call('/models')
    await under.call('/models')

    expect(under.bedrock.callsOf('foundation-models')).toHaveLength(1)
  })

  test('a model of another region is refused before the provider is asked', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const ask = (name: string) =>
      under.call('/chat/completions', { json: { model: name, messages: [{ role: 'user', content: 'x' }] } })
    const answer = await ask('arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.x')

    expect([answer.status, await errorCode(answer)]).toEqual([400, 'bad_request'])
    expect((await ask('gpt-5.5')).status).toBe(400)
    expect(under.bedrock.callsOf('converse')).toEqual([])
  })

  test('an unknown model is the provider’s word, answered 400', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next({
      status: 400,
      error: 'ValidationException',
      message: 'The provided model identifier is invalid.',
    })
    const answer = await under.call('/chat/completions', {
      json: { model: 'who.knows', messages: [{ role: 'user', content: 'x' }] },
    })

    expect([answer.status, await errorCode(answer)]).toEqual([400, 'bad_request'])
  })
})

describe('the model that answers', () => {
  const named = (name: string | undefined) => ({
    ...(name === undefined ? {} : { model: name }),
    messages: [{ role: 'user', content: 'x' }],
  })

  test.for([
    ['none', undefined, 'us-west-2', 'us.anthropic.claude-sonnet-4-6'],
    ['the default by its name', 'default', 'us-west-2', 'us.anthropic.claude-sonnet-4-6'],
    ['a bare id', sonnetFoundation, 'us-west-2', sonnet],
    ['a bare id elsewhere', sonnetFoundation, 'eu-central-1', `eu.${sonnetFoundation}`],
    ['a bare id in Tokyo', sonnetFoundation, 'ap-northeast-1', `jp.${sonnetFoundation}`],
    ['a bare id where there is only the whole world', sonnetFoundation, 'sa-east-1', `global.${sonnetFoundation}`],
    ['its maker’s name', 'claude-sonnet-4-5-20250929', 'us-west-2', sonnet],
    ['its maker’s name without a date', 'claude-sonnet-4-5', 'us-west-2', sonnet],
    ['its maker’s name for the newest', 'claude-haiku-4-5-latest', 'us-west-2', `us.${haikuFoundation}`],
    ['its maker’s name with a longer context', 'claude-sonnet-4-6[1m]', 'us-west-2', 'us.anthropic.claude-sonnet-4-6'],
    ['a model that has no profile', 'deepseek.v3-v1:0', 'us-west-2', 'deepseek.v3-v1:0'],
    ['a profile', `global.${sonnetFoundation}`, 'us-west-2', `global.${sonnetFoundation}`],
  ] as const)('to a request that names %s is one the account can call', async ([, name, region, id], { expect }) => {
    await using under = await gatewayUnderTest({ AWS_REGION: region }, {}, { region })
    const answer = await under.call('/chat/completions', { json: named(name) })

    expect([answer.status, answer.headers.get('openai-model')]).toEqual([200, id])
  })

  test.for([
    ['a profile of another part of the world', `eu.${sonnetFoundation}`, `use us.${sonnetFoundation}`],
    ['another date', 'claude-sonnet-4-5-20250101', 'The provided model identifier is invalid'],
    ['a retired model', 'us.anthropic.claude-3-5-sonnet-20241022-v2:0', 'has reached the end of its life'],
    ['a model this account has lost', 'us.amazon.nova-premier-v1:0', 'marked by provider as Legacy'],
  ] as const)('%s is refused and says why', async ([, name, words], { expect }) => {
    await using under = await gatewayUnderTest()
    const answer = await under.call('/chat/completions', { json: named(name) })

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining(words) } })
  })

  test('a model without a way to it is refused before the provider is asked', async ({ expect }) => {
    await using under = await gatewayUnderTest({
      ENABLE_CROSS_REGION_INFERENCE: 'false',
      ENABLE_APPLICATION_INFERENCE_PROFILES: 'false',
    })
    const answer = await under.call('/chat/completions', { json: named(sonnetFoundation) })

    expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining('inference profile') } })
    expect(under.bedrock.callsOf('converse')).toEqual([])
  })

  test.for([
    ['the newest that is in use', ['a.old-v1', '2024'], ['a.new-v1', '2026'], 'a.new-v1'],
    ['one in use, not a newer one on its way out', ['a.old-v1', '2024'], ['a.legacy-v1', '2026'], 'a.old-v1'],
    ['a preferred family, not a newer other', ['deepseek.v3-v1:0', '2024'], ['a.new-v1', '2026'], 'deepseek.v3-v1:0'],
  ] as const)('the default is %s', async ([, [left, since], [right, later], chosen], { expect }) => {
    await using under = await gatewayUnderTest()
    const card = (id: string, startOfLife: string) =>
      someCard(id, { startOfLife, status: id.includes('legacy') ? 'LEGACY' : 'ACTIVE' })
    under.bedrock.account = { ...under.bedrock.account, cards: [card(left, since), card(right, later)] }
    const answer = await under.call('/chat/completions', { json: named(undefined) })

    expect(answer.headers.get('openai-model')).toBe(chosen)
  })

  test.for(['/chat/completions', '/embeddings'])(
    'an account without a model refuses %s without one',
    async (path, { expect }) => {
      await using under = await gatewayUnderTest()
      under.bedrock.account = { ...under.bedrock.account, cards: [] }
      const answer = await under.call(path, { json: { ...named(undefined), input: 'x' } })

      expect([answer.status, await errorCode(answer)]).toEqual([400, 'bad_request'])
    },
  )
})

describe('completions', () => {
  test('a prompt becomes a user message, with its limits', async ({ expect }) => {
    await using under = await gatewayUnderTest({ ENABLE_PROMPT_CACHING: 'false' })
    const answer = await openaiClient(under).completions.create({
      model: 'amazon.nova-pro-v1:0',
      prompt: ['one', 'two'],
      max_tokens: 50,
      temperature: 0.1,
      top_p: 0.2,
      stop: '.',
    })

    expect(answer).toMatchObject({
      id: expect.stringMatching(/^cmpl-/),
      object: 'text_completion',
      choices: [{ text: `${sandboxLabel} You said: one\ntwo`, index: 0, logprobs: null, finish_reason: 'stop' }],
      usage: { prompt_tokens: 16, completion_tokens: 9, total_tokens: 25 },
    })
    expect(under.bedrock.callsOf('converse')[0]?.body).toEqual({
      messages: [{ role: 'user', content: [{ text: 'one\ntwo' }] }],
      inferenceConfig: { maxTokens: 50, temperature: 0.1, topP: 0.2, stopSequences: ['.'] },
    })
  })

  test('streams text completion frames and [DONE]', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next({ steps: textSteps(['Hel', 'lo'], 'max_tokens') }, { steps: textSteps(['a', 'b']) })
    let text = ''
    const reasons: (string | null)[] = []
    for await (const part of await openaiClient(under).completions.create({
      model: sonnet,
      prompt: 'hi',
      stream: true,
    })) {
      text += part.choices[0]?.text
      reasons.push(part.choices[0]?.finish_reason ?? null)
    }
    const raw = await under.call('/completions', {
      json: { model: sonnet, prompt: 'hi', stream: true, stream_options: { include_usage: true } },
    })
    const frames = framesOf(await raw.text())

    expect(text).toBe('Hello')
    expect(reasons.at(-1)).toBe('length')
    expect(frames.at(-1)?.data).toBe('[DONE]')
    expect(JSON.parse(frames.at(-2)?.data ?? '')).toMatchObject({
      object: 'text_completion',
      choices: [],
      usage: { total_tokens: 18 },
    })
  })

  test('an error after the start arrives as an error event', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next({
      steps: [...textSteps(['Hel']).slice(0, 2), { exception: 'throttlingException', message: 'x' }],
    })
    const answer = await under.call('/completions', { json: { model: sonnet, prompt: 'hi', stream: true } })

    expect(framesOf(await answer.text()).at(-1)).toMatchObject({ event: 'error' })
  })

  test.for([
    ['suffix', { prompt: 'x', suffix: 'y' }, 'unsupported'],
    ['a token array', { prompt: [1, 2, 3] }, 'bad_request'],
    ['a list of token arrays', { prompt: [[1], [2]] }, 'bad_request'],
    ['no prompt', {}, 'bad_request'],
    ['the GPT-5 family', { model: 'gpt-5.4', prompt: 'x' }, 'bad_request'],
    ['the open-weight family', { model: 'gpt-oss-120b', prompt: 'x' }, 'bad_request'],
  ] as const)('%s is refused with 400', async ([, body, code], { expect }) => {
    await using under = await gatewayUnderTest()
    const answer = await under.call('/completions', { json: { model: sonnet, ...body } })

    expect([answer.status, await errorCode(answer)]).toEqual([400, code])
    expect(under.bedrock.callsOf('converse')).toEqual([])
  })
})

describe('embeddings', () => {
  const ask = async (body: object) => {
    const under = await gatewayUnderTest()
    const answer = await under.call('/embeddings', { json: body })
    await under.bedrock.close()
    return { status: answer.status, body: (await answer.json()) as Embeddings, calls: under.bedrock.callsOf('invoke') }
  }

  test('the official client decodes its default base64 answer', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const client = openaiClient(under)
    const answer = await client.embeddings.create({ model: 'cohere.embed-english-v3', input: ['a', 'b'] })
    const floats = await client.embeddings.create({
      model: 'cohere.embed-english-v3',
      input: 'a',
      encoding_format: 'float',
    })

    expect(answer.data.map((entry) => [entry.index, entry.embedding.length])).toEqual([
      [0, 1024],
      [1, 1024],
    ])
    expect([...(answer.data[0]?.embedding ?? [])]).toEqual(floats.data[0]?.embedding)
    expect(answer.usage).toEqual({ prompt_tokens: 6, total_tokens: 6 })
  })

  test.for([
    [
      'cohere.embed-multilingual-v3',
      'cohere.embed-multilingual-v3',
      { texts: ['x'], input_type: 'search_document', truncate: 'END' },
    ],
    [
      'vendor-a.embed-multilingual-v3',
      'cohere.embed-multilingual-v3',
      { texts: ['x'], input_type: 'search_document', truncate: 'END' },
    ],
    [
      'vendor-a.embed-english-v3',
      'cohere.embed-english-v3',
      { texts: ['x'], input_type: 'search_document', truncate: 'END' },
    ],
    ['vendor-b.embed-text-v1', 'amazon.titan-embed-text-v1', { inputText: 'x' }],
    ['vendor-b.embed-text-v2:0', 'amazon.titan-embed-text-v2:0', { inputText: 'x' }],
    [
      'vendor-b.multimodal-embeddings-v1:0',
      'amazon.nova-2-multimodal-embeddings-v1:0',
      {
        schemaVersion: 'nova-multimodal-embed-v1',
        taskType: 'SINGLE_EMBEDDING',
        singleEmbeddingParams: {
          embeddingPurpose: 'GENERIC_INDEX',
          embeddingDimension: 3072,
          text: { truncationMode: 'END', value: 'x' },
        },
      },
    ],
  ] as const)('%s is served by its family', async ([name, id, body], { expect }) => {
    const answer = await ask({ model: name, input: 'x', encoding_format: 'float' })

    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ object: 'list', model: name, data: [{ object: 'embedding', index: 0 }] })
    expect(answer.calls.map((call) => [call.modelId, call.body])).toEqual([[id, body]])
  })

  test('the default embedding model serves a request that names none', async ({ expect }) => {
    const answer = await ask({ input: 'x' })

    expect(answer.calls[0]?.modelId).toBe('cohere.embed-multilingual-v3')
  })

  test.for([256, 384, 1024, 3072])('family C takes %i dimensions', async (dimensions, { expect }) => {
    const answer = await ask({ model: 'vendor-b.multimodal-embeddings-v1:0', input: 'x', dimensions })

    expect(answer.body.data[0]?.embedding).toHaveLength(dimensions)
  })

  test.for([
    ['a longer list for family B', { model: 'vendor-b.embed-text-v1', input: ['a', 'b'] }],
    ['a longer list for family C', { model: 'vendor-b.multimodal-embeddings-v1:0', input: ['a', 'b'] }],
    ['dimensions outside the list', { model: 'vendor-b.multimodal-embeddings-v1:0', input: 'x', dimensions: 512 }],
    ['an unregistered model', { model: 'some.embedding-model', input: 'x' }],
    ['a chat model', { model: sonnet, input: 'x' }],
    ['no input', { model: 'cohere.embed-english-v3' }],
    ['an empty list', { model: 'cohere.embed-english-v3', input: [] }],
    ['an unknown encoding', { model: 'cohere.embed-english-v3', input: 'x', encoding_format: 'hex' }],
    ['a token outside the encoding', { model: 'cohere.embed-english-v3', input: [999_999] }],
  ] as const)('%s is refused with 400', async ([, body], { expect }) => {
    const answer = await ask(body)

    expect([answer.status, answer.body.error?.code]).toEqual([400, 'bad_request'])
    expect(answer.calls).toEqual([])
  })

  test('tokens are decoded with cl100k_base; one array is one input, a list of arrays is several', async ({
    expect,
  }) => {
    const one = await ask({ model: 'vendor-b.embed-text-v1', input: [15339, 1917] })
    const several = await ask({ model: 'cohere.embed-english-v3', input: [[15339, 1917], [15339]] })

    expect(one.calls[0]?.body).toEqual({ inputText: 'hello world' })
    expect(several.calls[0]?.body['texts']).toEqual(['hello world', 'hello'])
  })

  test('a long list for family A is sent in pieces and comes back in order', async ({ expect }) => {
    const answer = await ask({
      model: 'cohere.embed-english-v3',
      input: Array.from({ length: 100 }, (_, index) => `t${index}`),
    })

    expect(answer.calls.map((call) => (call.body['texts'] as string[]).length)).toEqual([96, 4])
    expect(answer.body.data.map((entry) => entry.index)).toEqual(Array.from({ length: 100 }, (_, index) => index))
  })

  test('a model added to the registry is served', async ({ expect }) => {
    const added = `${registries.embeddings}\n[[model]]\nmodel_id = "cohere.embed-next-v9"\nfamily = "A"\n`
    await using under = await gatewayUnderTest({}, { registries: { ...registries, embeddings: added } })
    const { account } = under.bedrock
    const cards = [...account.cards, someCard('cohere.embed-next-v9', { output: 'EMBEDDING' })]
    under.bedrock.account = { ...account, cards }
    const answer = await under.call('/embeddings', { json: { model: 'cohere.embed-next-v9', input: 'x' } })

    expect(answer.status).toBe(200)
  })
})

test('the catalogue that cannot be read at first leaves the owner’s default model, and requests are still served', async ({
  expect,
}) => {
  await using under = await gatewayUnderTest({ AWS_MAX_RETRY_ATTEMPTS: '1', DEFAULT_MODEL: sonnet })
  under.bedrock.listing = { status: 500, error: 'InternalServerException', message: 'no' }
  under.bedrock.next({ steps: [...textSteps(['x']).slice(0, -1), metadataStep()] })
  const list = await openaiClient(under).models.list()
  const answer = await under.call('/chat/completions', {
    json: { model: sonnet, messages: [{ role: 'user', content: 'x' }], stream: true },
  })

  expect(list.data.map((entry) => entry.id)).toEqual(['default', sonnet])
  expect(answer.status).toBe(200)
})
