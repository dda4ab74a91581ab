/** The messages dialect, tried with its official client as it is published. */
import { createAnthropic } from '@ai-sdk/anthropic'
import Anthropic from '@anthropic-ai/sdk'
import { generateText, jsonSchema, stepCountIs, tool } from 'ai'
import { describe, test } from 'vitest'
import { messageAnswer, metadataStep, textSteps } from '../../../local/gateway/sandbox/provider-shapes.ts'
import { type GatewayUnderTest, gatewayUnderTest, sonnet, testKey } from '../../support/gateway-under-test.ts'

function clientOf(under: GatewayUnderTest, baseURL = 'http://gateway.test/api', more: object = {}): Anthropic {
  return new Anthropic({
    apiKey: testKey,
    baseURL,
    maxRetries: 0,
    fetch: async (input, init) => under.gateway.fetch(new Request(input as string, init)),
    ...more,
  })
}

const plain = { ENABLE_PROMPT_CACHING: 'false' }
const model = 'claude-sonnet-4-5'
const user = (content: Anthropic.MessageParam['content']) => ({ role: 'user' as const, content })
const weather: Anthropic.Tool = {
  name: 'weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
}
const png = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')

describe('a message', () => {
  test.for(['http://gateway.test/api', 'http://gateway.test/api/v1'])(
    'is answered below %s',
    async (baseURL, { expect }) => {
      await using under = await gatewayUnderTest(plain)
      const answer = await clientOf(under, baseURL).messages.create({
        model,
        max_tokens: 100,
        system: 'Be brief.',
        stop_sequences: ['END'],
        messages: [user('hi')],
      })

      expect(answer).toMatchObject({
        type: 'message',
        role: 'assistant',
        model,
        stop_reason: 'end_turn',
        content: [{ type: 'text', text: expect.stringContaining('You said: hi') }],
        usage: { input_tokens: expect.any(Number), cache_read_input_tokens: 0 },
      })
      expect(under.bedrock.callsOf('converse')[0]).toMatchObject({
        modelId: sonnet,
        body: {
          system: [{ text: 'Be brief.' }],
          messages: [{ role: 'user', content: [{ text: 'hi' }] }],
          inferenceConfig: { maxTokens: 100, stopSequences: ['END'] },
        },
      })
    },
  )

  test('is streamed in the order of its events', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    under.bedrock.next({ steps: textSteps(['Hel', 'lo'], 'max_tokens') })
    const stream = clientOf(under).messages.stream({ model, max_tokens: 9, messages: [user('hi')] })
    const kinds: string[] = []
    stream.on('streamEvent', (event) => kinds.push(event.type))
    const answer = await stream.finalMessage()

    expect(answer).toMatchObject({
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'max_tokens',
      usage: { input_tokens: 11, output_tokens: 7 },
    })
    expect(kinds).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
  })

  test('holds images, documents and marks', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    await clientOf(under).messages.create({
      model,
      max_tokens: 9,
      system: [{ type: 'text', text: 'long', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [
        user([
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
          {
            type: 'document',
            source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
            title: 'a.b',
          },
          {
            type: 'document',
            source: { type: 'text', media_type: 'text/plain', data: 'words' },
            citations: { enabled: true },
          },
          { type: 'text', text: 'look', cache_control: { type: 'ephemeral' } },
        ]),
      ],
    })

    expect(under.bedrock.callsOf('converse')[0]?.body).toMatchObject({
      system: [{ text: 'long' }, { cachePoint: { type: 'default', ttl: '1h' } }],
      messages: [
        {
          content: [
            { image: { format: 'png', source: { bytes: png } } },
            { document: { format: 'pdf', name: 'a' } },
            { document: { format: 'txt', name: 'document', source: { text: 'words' }, citations: { enabled: true } } },
            { text: 'look' },
            { cachePoint: { type: 'default' } },
          ],
        },
      ],
    })
  })

  test('takes beta headers, either place of the key, and what nobody here knows', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const answer = await under.gateway.fetch(
      new Request('http://gateway.test/api/v1/messages?beta=true', {
        method: 'POST',
        headers: { 'x-api-key': testKey, 'anthropic-version': '2023-06-01', 'anthropic-beta': 'some-2026-01-01' },
        body: JSON.stringify({
          model,
          max_tokens: 9,
          messages: [user('hi')],
          temperature: 0.5,
          context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
          tools: [{ type: 'web_search_20250305', name: 'web_search' }],
        }),
      }),
    )

    expect([answer.status, answer.headers.get('x-gateway-ignored')]).toEqual([
      200,
      'context_management, tools.web_search_20250305',
    ])
    expect(answer.headers.get('request-id')).toBe(answer.headers.get('x-request-id'))
  })
})

describe('tools and thinking', () => {
  test.for(['claude-sonnet-4-5', 'claude-opus-4-8'])(
    'go on over steps on %s, whole and streamed',
    async (name, { expect }) => {
      await using under = await gatewayUnderTest()
      const client = clientOf(under)
      const thinking: Anthropic.ThinkingConfigParam =
        name === 'claude-opus-4-8' ? { type: 'adaptive' } : { type: 'enabled', budget_tokens: 1_024 }
      const messages: Anthropic.MessageParam[] = [user('call weather {"city":"Oslo"}')]
      const kinds: string[][] = []
      for (let step = 0; step < 4; step += 1) {
        const ask = { model: name, max_tokens: 4_000, thinking, tools: [weather], messages }
        const answer =
          step % 2 === 0 ? await client.messages.create(ask) : await client.messages.stream(ask).finalMessage()
        kinds.push(answer.content.map((block) => block.type))
        messages.push({ role: 'assistant', content: answer.content as Anthropic.ContentBlockParam[] })
        const call = answer.content.find((block) => block.type === 'tool_use')
        messages.push(
          user(
            call === undefined
              ? 'call weather {"city":"Bergen"}'
              : [{ type: 'tool_result', tool_use_id: call.id, content: 'rain' }],
          ),
        )
      }

      expect(kinds).toEqual([
        ['thinking', 'text', 'tool_use'],
        ['thinking', 'text'],
        ['thinking', 'text', 'tool_use'],
        ['thinking', 'text'],
      ])
    },
  )

  test('a call is streamed with its input in pieces, and one alone where the client wants it', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const block = (contentBlockIndex: number, id: string) => [
      {
        event: 'contentBlockStart',
        payload: { contentBlockIndex, start: { toolUse: { toolUseId: id, name: 'weather' } } },
      },
      { event: 'contentBlockDelta', payload: { contentBlockIndex, delta: { toolUse: { input: '{"city":' } } } },
      { event: 'contentBlockDelta', payload: { contentBlockIndex, delta: { toolUse: { input: '"Oslo"}' } } } },
      { event: 'contentBlockStop', payload: { contentBlockIndex } },
    ]
    under.bedrock.next({
      steps: [
        { event: 'messageStart', payload: { role: 'assistant' } },
        ...block(0, 'a'),
        ...block(1, 'b'),
        { event: 'messageStop', payload: { stopReason: 'tool_use' } },
        metadataStep(),
      ],
    })
    const answer = await clientOf(under)
      .messages.stream({
        model,
        max_tokens: 9,
        messages: [user('hi')],
        tools: [weather],
        tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      })
      .finalMessage()

    expect(answer.content).toMatchObject([{ type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Oslo' } }])
  })

  test('another library goes through a loop of tools', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const provider = createAnthropic({
      apiKey: testKey,
      baseURL: 'http://gateway.test/api/v1',
      fetch: async (input, init) => under.gateway.fetch(new Request(input, init)),
    })
    const { text, steps } = await generateText({
      model: provider('claude-sonnet-4-5'),
      prompt: 'call weather {"city":"Oslo"}',
      stopWhen: stepCountIs(3),
      providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1_024 } } },
      tools: {
        weather: tool({
          inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
          execute: async ({ city }) => `rain in ${city}`,
        }),
      },
    })

    expect([steps.length, text]).toEqual([2, expect.stringContaining('rain in Oslo')])
  })
})

describe('the tool loop of the official client', () => {
  const loop = (under: GatewayUnderTest, stream: boolean) => {
    const ran: unknown[] = []
    const tools = [
      {
        ...weather,
        type: 'custom' as const,
        parse: (input: unknown) => input,
        run(input: unknown) {
          ran.push(input)
          return 'rain in Oslo'
        },
      },
    ]
    const runner = clientOf(under).beta.messages.toolRunner({
      model,
      max_tokens: 4_096,
      stream,
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      messages: [user('call weather {"city":"Oslo"}')],
      tools,
    })
    return { ran, runner }
  }

  test.for([false, true])('goes on with the whole conversation, streamed: %s', async (stream, { expect }) => {
    await using under = await gatewayUnderTest(plain)
    const { ran, runner } = loop(under, stream)
    const { content } = await runner.runUntilDone()

    expect(ran).toEqual([{ city: 'Oslo' }])
    expect(content.at(-1)).toMatchObject({ type: 'text', text: expect.stringContaining('rain in Oslo') })
    const [, second] = under.bedrock.calls.filter(({ target }) => target.startsWith('/model/'))
    expect(second?.body['messages']).toHaveLength(3)
  })

  test('is told why it has no thread', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const thread = { type: 'continue' as const, previous_message_id: 'msg_1' }
    const asked = clientOf(under).beta.messages.create({ model, max_tokens: 9, messages: [user('hi')], thread })

    await expect(asked).rejects.toMatchObject({
      status: 400,
      error: { error: { details: { error_code: 'thread_unsupported_request' } } },
    })
    expect(under.bedrock.callsOf('converse')).toEqual([])
  })
})

describe('models are listed', () => {
  test('a page at a time, in either direction', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const client = clientOf(under, 'http://gateway.test/api/v1')
    const [all, pages] = [[] as Anthropic.ModelInfo[], [] as number[]]
    for await (const page of (await client.models.list({ limit: 10 })).iterPages()) {
      all.push(...page.data)
      pages.push(page.data.length)
    }
    const { data: plainly } = (await (await under.call('/models')).json()) as { data: { id: string }[] }
    const before = await client.models.list({ limit: 2, before_id: all[5]?.id ?? '' })

    expect(all.map(({ id }) => id)).toEqual(plainly.map(({ id }) => id))
    expect(pages.slice(0, -1)).toEqual(pages.slice(0, -1).map(() => 10))
    expect(pages.length).toBeGreaterThan(2)
    expect(all.find(({ id }) => id === sonnet)).toMatchObject({
      type: 'model',
      max_tokens: 64_000,
      lifecycle: 'active',
    })
    expect(all.find(({ id }) => id.includes('nova-premier'))).toMatchObject({ lifecycle: 'deprecated' })
    expect(before).toMatchObject({ data: all.slice(3, 5), has_more: true, first_id: all[3]?.id })
  })

  test.for([{ after_id: 'none' }, { limit: 1_001 }, { limit: 0 }])('and not by %o', async (query, { expect }) => {
    await using under = await gatewayUnderTest(plain)

    await expect(clientOf(under).models.list(query)).rejects.toMatchObject({
      status: 400,
      error: { type: 'error', error: { type: 'invalid_request_error' } },
    })
  })

  test('and one by any name that a request may have', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)

    expect((await clientOf(under).models.retrieve(model)).id).toBe(sonnet)
    expect(await (await under.call(`/models/${model}`)).json()).toMatchObject({ id: sonnet, object: 'model' })
    await expect(clientOf(under).models.retrieve('claude-none')).rejects.toMatchObject({ error: { type: 'error' } })
  })
})

test('a text without citations has no member for them, which stricter libraries refuse to be null', async ({
  expect,
}) => {
  await using under = await gatewayUnderTest(plain)
  const client = clientOf(under)
  const ask = { model, max_tokens: 99, messages: [user('hi')] }
  const whole = await client.messages.create(ask)
  const started: unknown[] = []
  for await (const event of client.messages.stream(ask)) {
    if (event.type === 'content_block_start') started.push(event.content_block)
  }

  expect(Object.keys(whole.content[0] ?? {})).toEqual(['type', 'text'])
  expect(started).toEqual([{ type: 'text', text: '' }])
})

describe('tokens are counted', () => {
  test('by the provider where it counts, roughly and said so where it does not', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const ask = (name: string) =>
      clientOf(under)
        .messages.countTokens({ model: name, system: 'x', tools: [weather], messages: [user('hello there')] })
        .withResponse()
    const exact = await ask(model)
    const rough = await ask('deepseek.v3-v1:0')

    expect(exact.data.input_tokens).toBeGreaterThan(0)
    expect(rough.data.input_tokens).toBeGreaterThan(0)
    expect([exact, rough].map(({ response }) => response.headers.get('x-gateway-estimated'))).toEqual([
      null,
      'input_tokens',
    ])
    expect(under.bedrock.callsOf('count-tokens')[0]?.modelId).toBe('anthropic.claude-sonnet-4-5-20250929-v1:0')
  })
})

describe('what is refused', () => {
  const ask = { model, max_tokens: 9, messages: [user('hi')] }

  test.for<readonly [string, object, object, number, string]>([
    ['a wrong key', { apiKey: 'wrong' }, {}, 401, 'authentication_error'],
    ['no limit', {}, { max_tokens: undefined }, 400, 'invalid_request_error'],
    ['an unknown model', {}, { model: 'claude-none' }, 400, 'invalid_request_error'],
    [
      'a tool that needs its vendor’s schema',
      {},
      { tools: [{ type: 'bash_20250124', name: 'bash' }] },
      400,
      'invalid_request_error',
    ],
    [
      'a file by its id',
      {},
      { messages: [user([{ type: 'document', source: { type: 'file', file_id: 'f' } } as never])] },
      400,
      'invalid_request_error',
    ],
    [
      'a budget over the limit',
      {},
      { thinking: { type: 'enabled', budget_tokens: 2_000 } },
      400,
      'invalid_request_error',
    ],
  ])('%s has the dialect’s error', async ([, options, more, status, type], { expect }) => {
    await using under = await gatewayUnderTest(plain)
    const failed = await clientOf(under, undefined, options)
      .messages.create({ ...ask, ...more })
      .catch((error: unknown) => error)

    expect(failed).toBeInstanceOf(Anthropic.APIError)
    expect(failed).toMatchObject({
      status,
      error: { type: 'error', error: { type, message: expect.any(String) }, request_id: expect.any(String) },
    })
  })

  test.for<readonly [string, object, RegExp]>([
    ['the field at fault, once', { max_tokens: undefined }, /^max_tokens: (?!max_tokens)/],
    [
      'a model that nobody has, and where those are that there are',
      { model: 'claude-none' },
      /claude-none.*GET \/models/,
    ],
  ])('a refusal names %s', async ([, more, words], { expect }) => {
    await using under = await gatewayUnderTest(plain)
    const failed = await clientOf(under)
      .messages.create({ ...ask, ...more })
      .catch((error: unknown) => error)

    expect(failed).toMatchObject({ error: { error: { message: expect.stringMatching(words) } } })
  })

  test('what is not served has the dialect’s error too', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const failed = await clientOf(under)
      .messages.batches.retrieve('one')
      .catch((error: unknown) => error)

    expect(failed).toMatchObject({ status: 404, error: { type: 'error', error: { type: 'not_found_error' } } })
  })

  test('too long an input has the words that make a client shorten it', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const asked = clientOf(under).messages.create({ ...ask, messages: [user('x'.repeat(900_000))] })

    await expect(asked).rejects.toMatchObject({ status: 400, message: expect.stringContaining('prompt is too long') })
  })

  test('a fault in a stream that has begun is an error event', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    under.bedrock.next({
      steps: [...textSteps(['x']).slice(0, 2), { exception: 'throttlingException', message: 'slow' }],
    })
    const asked = clientOf(under).messages.stream(ask).finalMessage()

    await expect(asked).rejects.toMatchObject({ error: { error: { type: 'rate_limit_error' } } })
  })

  test('a throttled call says when to come back', async ({ expect }) => {
    await using under = await gatewayUnderTest({ ...plain, AWS_MAX_RETRY_ATTEMPTS: '1' })
    under.bedrock.callsLeft = 0
    const failed = await clientOf(under)
      .messages.create(ask)
      .catch((error: unknown) => error)

    expect(failed).toMatchObject({ status: 429 })
    expect((failed as InstanceType<typeof Anthropic.APIError>).headers?.get('retry-after')).toBe('5')
  })
})

test('a whole answer with hidden reasoning comes back as it went out', async ({ expect }) => {
  await using under = await gatewayUnderTest(plain)
  under.bedrock.next(messageAnswer([{ reasoningContent: { redactedContent: 'AAAA' } }, { text: 'Yes.' }]))
  const client = clientOf(under)
  const first = await client.messages.create({ model, max_tokens: 9, messages: [user('hi')] })
  await client.messages.create({
    model,
    max_tokens: 9,
    messages: [
      user('hi'),
      { role: 'assistant', content: first.content as Anthropic.ContentBlockParam[] },
      user('go on'),
    ],
  })

  expect(first.content[0]).toEqual({ type: 'redacted_thinking', data: 'AAAA' })
  expect(under.bedrock.callsOf('converse')[1]?.body).toMatchObject({
    messages: [{}, { content: [{ reasoningContent: { redactedContent: 'AAAA' } }, { text: 'Yes.' }] }, {}],
  })
})
