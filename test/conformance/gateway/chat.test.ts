import OpenAI from 'openai'
import { describe, test } from 'vitest'
import { messageAnswer, metadataStep, textSteps } from '../../../local/gateway/sandbox/provider-shapes.ts'
import { framesOf, gatewayUnderTest, opus, sonnet } from '../../support/gateway-under-test.ts'
import { openaiClient } from '../../support/openai-client.ts'

const user = (content: string) => ({ role: 'user' as const, content })
const weather = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    description: 'The weather of a place',
    parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  },
}
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('a whole answer', () => {
  test('has the shape of the reference, the usage with cache tokens, and the resolved model in a header', async ({
    expect,
  }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next(
      messageAnswer([{ text: 'Good ' }, { text: 'day' }], 'end_turn', {
        inputTokens: 10,
        outputTokens: 4,
        totalTokens: 14,
        cacheReadInputTokens: 5,
        cacheWriteInputTokens: 3,
      }),
    )
    const { data, response } = await openaiClient(under)
      .chat.completions.create({ model: sonnet, messages: [user('hello')] })
      .withResponse()

    expect(data).toEqual({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{32}$/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: sonnet,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Good day', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 18,
        completion_tokens: 4,
        total_tokens: 22,
        prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    })
    expect(response.headers.get('openai-model')).toBe(sonnet)
    expect(under.bedrock.callsOf('converse')[0]?.target).toBe(`/model/${encodeURIComponent(sonnet)}/converse`)
  })

  test('every role and part reaches the provider in its place', async ({ expect }) => {
    await using under = await gatewayUnderTest({ ENABLE_PROMPT_CACHING: 'false' })
    await openaiClient(under).chat.completions.create({
      model: sonnet,
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'developer',
          content: [
            { type: 'text', text: 'Be kind.' },
            { type: 'text', text: 'Always.' },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"place":"Oslo"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
        user('And now?'),
      ],
      tools: [weather],
    })

    expect(under.bedrock.callsOf('converse')[0]?.body).toEqual({
      system: [{ text: 'Be brief.' }, { text: 'Be kind.\nAlways.' }],
      messages: [
        {
          role: 'user',
          content: [{ text: 'What is this?' }, { image: { format: 'png', source: { bytes: png } } }],
        },
        {
          role: 'assistant',
          content: [{ toolUse: { toolUseId: 'call_1', name: 'get_weather', input: { place: 'Oslo' } } }],
        },
        {
          role: 'user',
          content: [{ toolResult: { toolUseId: 'call_1', content: [{ text: 'rain' }] } }, { text: 'And now?' }],
        },
      ],
      toolConfig: {
        tools: [
          {
            toolSpec: {
              name: 'get_weather',
              description: 'The weather of a place',
              inputSchema: { json: weather.function.parameters },
            },
          },
        ],
      },
    })
  })

  test('limits, sampling and stop are passed on; n, penalties and user are ignored', async ({ expect }) => {
    await using under = await gatewayUnderTest({ ENABLE_PROMPT_CACHING: 'false' })
    await openaiClient(under).chat.completions.create({
      model: 'amazon.nova-pro-v1:0',
      messages: [user('hello')],
      max_tokens: 10,
      max_completion_tokens: 20,
      temperature: 0.5,
      top_p: 0.9,
      stop: ['END', ' '],
      n: 3,
      frequency_penalty: 1,
      presence_penalty: 1,
      user: 'someone',
    })

    expect(under.bedrock.callsOf('converse')[0]?.body).toEqual({
      messages: [{ role: 'user', content: [{ text: 'hello' }] }],
      inferenceConfig: { maxTokens: 20, temperature: 0.5, topP: 0.9, stopSequences: ['END'] },
    })
  })

  test('sampling and stop are left out on a model that rejects them', async ({ expect }) => {
    await using under = await gatewayUnderTest({ ENABLE_PROMPT_CACHING: 'false' })
    await openaiClient(under).chat.completions.create({
      model: 'claude-opus-4-8',
      messages: [user('hello')],
      max_tokens: 10,
      temperature: 0.5,
      top_p: 0.9,
      stop: 'END',
    })

    expect(under.bedrock.callsOf('converse')[0]?.body).toEqual({
      messages: [{ role: 'user', content: [{ text: 'hello' }] }],
      inferenceConfig: { maxTokens: 10 },
    })
  })

  test('the default model answers when the request names none', async ({ expect }) => {
    await using under = await gatewayUnderTest({ DEFAULT_MODEL: 'amazon.nova-pro-v1:0' })
    const answer = await under.call('/chat/completions', { json: { messages: [user('hello')] } })

    expect(answer.status).toBe(200)
    expect(under.bedrock.callsOf('converse')[0]?.modelId).toBe('us.amazon.nova-pro-v1:0')
  })

  test.for([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool_calls'],
    ['content_filtered', 'content_filter'],
    ['guardrail_intervened', 'content_filter'],
    ['refusal', 'content_filter'],
  ] as const)('the stop reason %s becomes %s', async ([stopReason, finishReason], { expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next(messageAnswer([{ text: 'x' }], stopReason), { steps: textSteps(['x'], stopReason) })
    const client = openaiClient(under)
    const whole = await client.chat.completions.create({ model: sonnet, messages: [user('hello')] })
    const streamed = await client.chat.completions
      .stream({ model: sonnet, messages: [user('hello')] })
      .finalChatCompletion()

    expect(whole.choices[0]?.finish_reason).toBe(finishReason)
    expect(streamed.choices[0]?.finish_reason).toBe(finishReason)
  })
})

describe('tools', () => {
  test('parallel calls come back whole', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next(
      messageAnswer(
        [
          { toolUse: { toolUseId: 'a', name: 'get_weather', input: { place: 'Oslo' } } },
          { toolUse: { toolUseId: 'b', name: 'get_weather', input: { place: 'Rome' } } },
        ],
        'tool_use',
      ),
    )
    const answer = await openaiClient(under).chat.completions.create({
      model: sonnet,
      messages: [user('weather?')],
      tools: [weather],
    })

    expect(answer.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{"place":"Oslo"}' } },
          { id: 'b', type: 'function', function: { name: 'get_weather', arguments: '{"place":"Rome"}' } },
        ],
      },
    })
  })

  test('parallel calls stream into the strict accumulator of the official client', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const call = (block: number, id: string, pieces: readonly string[]) => [
      {
        event: 'contentBlockStart',
        payload: { contentBlockIndex: block, start: { toolUse: { toolUseId: id, name: 'get_weather' } } },
      },
      ...pieces.map((input) => ({
        event: 'contentBlockDelta',
        payload: { contentBlockIndex: block, delta: { toolUse: { input } } },
      })),
      { event: 'contentBlockStop', payload: { contentBlockIndex: block } },
    ]
    under.bedrock.next({
      steps: [
        { event: 'messageStart', payload: { role: 'assistant' } },
        { event: 'contentBlockDelta', payload: { contentBlockIndex: 0, delta: { text: 'Looking.' } } },
        { event: 'contentBlockStop', payload: { contentBlockIndex: 0 } },
        ...call(1, 'a', ['{"pla', 'ce":"Oslo"}']),
        ...call(2, 'b', ['']),
        { event: 'messageStop', payload: { stopReason: 'tool_use' } },
        metadataStep(),
      ],
    })
    const answer = await openaiClient(under)
      .chat.completions.stream({ model: sonnet, messages: [user('weather?')], tools: [weather] })
      .finalChatCompletion()

    expect(answer.choices[0]?.message).toMatchObject({
      content: 'Looking.',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{"place":"Oslo"}' } },
        { id: 'b', type: 'function', function: { name: 'get_weather', arguments: '{}' } },
      ],
    })
  })

  test.for([
    ['auto', undefined],
    ['required', { any: {} }],
    [{ type: 'function', function: { name: 'get_weather' } }, { tool: { name: 'get_weather' } }],
  ] as const)('tool_choice %j is sent as %j', async ([choice, wire], { expect }) => {
    await using under = await gatewayUnderTest()
    await openaiClient(under).chat.completions.create({
      model: sonnet,
      messages: [user('hi')],
      tools: [weather],
      tool_choice: choice,
    })

    expect(under.bedrock.callsOf('converse')[0]?.body['toolConfig']).toHaveProperty('tools')
    const config = under.bedrock.callsOf('converse')[0]?.body['toolConfig'] as { toolChoice?: unknown } | undefined
    expect(config?.toolChoice).toEqual(wire)
  })

  test('tool_choice none sends no tools', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    await openaiClient(under).chat.completions.create({
      model: sonnet,
      messages: [user('hi')],
      tools: [weather],
      tool_choice: 'none',
    })

    expect(under.bedrock.callsOf('converse')[0]?.body).not.toHaveProperty('toolConfig')
  })

  test('earlier calls are described when the request brings no tools any more', async ({ expect }) => {
    await using under = await gatewayUnderTest({ ENABLE_PROMPT_CACHING: 'false' })
    await openaiClient(under).chat.completions.create({
      model: sonnet,
      messages: [
        user('weather?'),
        {
          role: 'assistant',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_weather', arguments: '' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'rain' },
      ],
    })

    expect(under.bedrock.callsOf('converse')[0]?.body).toMatchObject({
      toolConfig: { tools: [{ toolSpec: { name: 'get_weather', inputSchema: { json: { type: 'object' } } } }] },
    })
  })
})

describe('a streamed answer', () => {
  test('is made of chunks with one identity, a usage chunk when asked for, and [DONE]', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next({ steps: textSteps(['Hel', 'lo']) })
    const answer = await under.call('/chat/completions', {
      json: { model: sonnet, messages: [user('hi')], stream: true, stream_options: { include_usage: true } },
    })
    const frames = framesOf(await answer.text())
    const chunks = frames.slice(0, -1).map((frame) => JSON.parse(frame.data))

    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    expect(frames.at(-1)?.data).toBe('[DONE]')
    expect(frames.every((frame) => frame.event === undefined)).toBe(true)
    expect(new Set(chunks.map((chunk) => `${chunk.id} ${chunk.created} ${chunk.model} ${chunk.object}`)).size).toBe(1)
    expect(chunks[0].object).toBe('chat.completion.chunk')
    expect(chunks.map((chunk) => chunk.choices)).toEqual([
      [{ index: 0, delta: { role: 'assistant', content: '', refusal: null }, logprobs: null, finish_reason: null }],
      [{ index: 0, delta: { content: 'Hel' }, logprobs: null, finish_reason: null }],
      [{ index: 0, delta: { content: 'lo' }, logprobs: null, finish_reason: null }],
      [{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }],
      [],
    ])
    expect(chunks.map((chunk) => chunk.usage?.total_tokens ?? null)).toEqual([null, null, null, null, 18])
  })

  test('has no usage anywhere when it was not asked for', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const answer = await under.call('/chat/completions', {
      json: { model: sonnet, messages: [user('hi')], stream: true },
    })

    expect(await answer.text()).not.toContain('usage')
  })

  test('ends on the metadata event, though the provider keeps its side open', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next({ steps: [...textSteps(['done']), { gate: new Promise(() => {}) }] })
    const answer = await under.call('/chat/completions', {
      json: { model: sonnet, messages: [user('hi')], stream: true },
    })

    expect(await answer.text()).toContain('[DONE]')
  })

  test('reasoning stands between think tags before the text', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const reasoning = (delta: object) => ({
      event: 'contentBlockDelta',
      payload: { contentBlockIndex: 0, delta: { reasoningContent: delta } },
    })
    under.bedrock.next(
      {
        steps: [
          { event: 'messageStart', payload: { role: 'assistant' } },
          reasoning({ text: 'Hm' }),
          reasoning({ text: 'm.' }),
          reasoning({ signature: 'sig' }),
          { event: 'contentBlockStop', payload: { contentBlockIndex: 0 } },
          { event: 'contentBlockDelta', payload: { contentBlockIndex: 1, delta: { text: 'Yes.' } } },
          { event: 'messageStop', payload: { stopReason: 'end_turn' } },
          metadataStep(),
        ],
      },
      messageAnswer([{ reasoningContent: { reasoningText: { text: 'Hmm.', signature: 'sig' } } }, { text: 'Yes.' }]),
    )
    const client = openaiClient(under)
    const streamed = await client.chat.completions
      .stream({ model: sonnet, messages: [user('hi')] })
      .finalChatCompletion()
    const whole = await client.chat.completions.create({ model: sonnet, messages: [user('hi')] })

    expect(streamed.choices[0]?.message.content).toBe('<think>Hmm.</think>Yes.')
    expect(whole.choices[0]?.message.content).toBe('<think>Hmm.</think>Yes.')
  })

  test('still says why it ended when it ends inside the reasoning', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next({
      steps: [
        { event: 'messageStart', payload: { role: 'assistant' } },
        { event: 'contentBlockDelta', payload: { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Hm' } } } },
        { event: 'messageStop', payload: { stopReason: 'max_tokens' } },
        metadataStep(),
      ],
    })
    const answer = await under.call('/chat/completions', {
      json: { model: sonnet, messages: [user('hi')], stream: true },
    })
    const chunks = framesOf(await answer.text())
      .slice(0, -1)
      .map((frame) => JSON.parse(frame.data))

    expect(chunks.map((chunk) => chunk.choices[0].delta.content ?? '').join('')).toBe('<think>Hm</think>')
    expect(chunks.at(-1).choices[0].finish_reason).toBe('length')
  })
})

describe('errors', () => {
  test.for([
    [400, 'ValidationException', 400, 'bad_request'],
    [404, 'ResourceNotFoundException', 400, 'bad_request'],
    [403, 'AccessDeniedException', 401, 'unauthorized'],
    [403, 'ExpiredTokenException', 401, 'unauthorized'],
    [429, 'ThrottlingException', 429, 'rate_limit_exceeded'],
    [429, 'ModelNotReadyException', 502, 'upstream_error'],
    [424, 'ModelErrorException', 502, 'upstream_error'],
    [408, 'ModelTimeoutException', 502, 'upstream_error'],
    [400, 'ServiceQuotaExceededException', 502, 'upstream_error'],
    [503, 'ServiceUnavailableException', 502, 'upstream_error'],
    [500, 'InternalServerException', 502, 'upstream_error'],
  ] as const)('%i %s of the provider is answered %i %s', async ([status, error, wanted, code], { expect }) => {
    await using under = await gatewayUnderTest({ AWS_MAX_RETRY_ATTEMPTS: '2' })
    const refusal = { status, error, message: 'because' }
    under.bedrock.next(refusal, refusal, refusal, refusal)
    const ask = (stream: boolean) =>
      openaiClient(under)
        .chat.completions.create({ model: sonnet, messages: [user('hi')], stream })
        .catch((failed: unknown) => failed)

    for (const failed of [await ask(false), await ask(true)]) {
      expect(failed).toBeInstanceOf(OpenAI.APIError)
      expect(failed).toMatchObject({
        status: wanted,
        code,
        error: { message: 'because' },
        requestID: expect.any(String),
      })
    }
  })

  test('the classes of the official client match', async ({ expect }) => {
    await using under = await gatewayUnderTest({ AWS_MAX_RETRY_ATTEMPTS: '1' })
    const throttled = { status: 429, error: 'ThrottlingException', message: 'slow down' }
    under.bedrock.next(throttled)
    const client = openaiClient(under)
    const wrongKey = client.withOptions({ apiKey: 'wrong' })

    await expect(client.chat.completions.create({ model: sonnet, messages: [user('hi')] })).rejects.toBeInstanceOf(
      OpenAI.RateLimitError,
    )
    await expect(wrongKey.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
    await expect(client.chat.completions.create({ model: '../x', messages: [user('hi')] })).rejects.toBeInstanceOf(
      OpenAI.BadRequestError,
    )
  })

  test('a throttled call is repeated up to eight times in all', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const throttled = { status: 429, error: 'ThrottlingException', message: 'slow down' }
    under.bedrock.next(...Array.from({ length: 8 }, () => throttled))
    const answer = await under.call('/chat/completions', { json: { model: sonnet, messages: [user('hi')] } })

    expect(answer.status).toBe(429)
    expect(under.bedrock.callsOf('converse')).toHaveLength(8)
  })

  test('throttling and then success is a success', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const throttled = { status: 429, error: 'ThrottlingException', message: 'slow down' }
    under.bedrock.next(throttled, throttled)
    const answer = await under.call('/chat/completions', { json: { model: sonnet, messages: [user('hi')] } })

    expect(answer.status).toBe(200)
    expect(under.bedrock.callsOf('converse')).toHaveLength(3)
  })

  test('an exception before the first event of a stream is repeated and has a status', async ({ expect }) => {
    await using under = await gatewayUnderTest({ AWS_MAX_RETRY_ATTEMPTS: '2' })
    const early = { steps: [{ exception: 'throttlingException', message: 'slow down' }] }
    under.bedrock.next(early, early)
    const answer = await under.call('/chat/completions', {
      json: { model: sonnet, messages: [user('hi')], stream: true },
    })

    expect(answer.status).toBe(429)
    expect(under.bedrock.callsOf('converse-stream')).toHaveLength(2)
  })

  test.for([
    ['an exception', { exception: 'modelStreamErrorException', message: 'broke' }],
    ['a cut connection', { cut: true }],
    ['a malformed frame', { bytes: new Uint8Array(64).fill(7) }],
    ['an end without a stop', { pauseMs: 0 }],
  ] as const)(
    '%s after the first chunk arrives as one error event, with no repetition and no [DONE]',
    async ([, step], { expect }) => {
      await using under = await gatewayUnderTest()
      under.bedrock.next({ steps: [...textSteps(['Hel']).slice(0, 2), { pauseMs: 20 }, step] })
      const answer = await under.call('/chat/completions', {
        json: { model: sonnet, messages: [user('hi')], stream: true },
      })
      const frames = framesOf(await answer.text())

      expect(answer.status).toBe(200)
      expect(frames.filter((frame) => frame.event === 'error')).toHaveLength(1)
      expect(JSON.parse(frames.at(-1)?.data ?? '')).toMatchObject({
        error: { type: 'api_error', code: 'upstream_error' },
      })
      expect(frames.some((frame) => frame.data === '[DONE]')).toBe(false)
      expect(under.bedrock.callsOf('converse-stream')).toHaveLength(1)
    },
  )

  test('malformed output of the model is an error, whole or streamed', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next(messageAnswer([{ text: 'x' }], 'malformed_tool_use'), {
      steps: textSteps(['x'], 'malformed_model_output'),
    })
    const whole = await under.call('/chat/completions', { json: { model: sonnet, messages: [user('hi')] } })
    const streamed = await under.call('/chat/completions', {
      json: { model: sonnet, messages: [user('hi')], stream: true },
    })

    expect(whole.status).toBe(502)
    expect(await whole.json()).toMatchObject({ error: { code: 'upstream_error' } })
    expect(framesOf(await streamed.text()).at(-1)?.event).toBe('error')
  })

  test('the call to the provider ends when the client leaves', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const never = new Promise(() => {})
    under.bedrock.next({ steps: [...textSteps(['Hel']).slice(0, 2), { gate: never }] }, { hang: never })
    const stream = await openaiClient(under).chat.completions.create({
      model: sonnet,
      messages: [user('hi')],
      stream: true,
    })
    for await (const _ of stream) break
    stream.controller.abort()
    const leaving = new AbortController()
    const whole = under.call('/chat/completions', {
      json: { model: sonnet, messages: [user('hi')] },
      signal: leaving.signal,
    })
    await expect.poll(() => under.bedrock.callsOf('converse').length).toBe(1)
    leaving.abort()
    await whole

    await expect.poll(() => under.bedrock.openCalls()).toBe(0)
    expect(under.gateway.openStreams()).toBe(0)
  })

  test('a provider that is silent too long ends the stream with an error', async ({ expect }) => {
    await using under = await gatewayUnderTest({ RESPONSES_STREAM_IDLE_TIMEOUT_SECS: '1' })
    under.bedrock.next({ steps: [...textSteps(['Hel']).slice(0, 2), { gate: new Promise(() => {}) }] })
    const answer = await under.call('/chat/completions', {
      json: { model: sonnet, messages: [user('hi')], stream: true },
    })

    expect(framesOf(await answer.text()).at(-1)).toMatchObject({ event: 'error' })
  })
})

describe('reasoning and extra fields', () => {
  test('a budget model gets its budget and room for the answer', async ({ expect }) => {
    await using under = await gatewayUnderTest({ ENABLE_PROMPT_CACHING: 'false' })
    await openaiClient(under).chat.completions.create({
      model: sonnet,
      messages: [user('hi')],
      reasoning_effort: 'medium',
      max_completion_tokens: 10_000,
      top_p: 0.5,
      temperature: 0.3,
    })

    expect(under.bedrock.callsOf('converse')[0]?.body).toMatchObject({
      inferenceConfig: { maxTokens: 10_000 },
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 6_000 } },
    })
    expect(under.bedrock.callsOf('converse')[0]?.body['inferenceConfig']).toEqual({ maxTokens: 10_000 })
  })

  test('an adaptive model gets its effort, and beta headers are merged', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    await under.call('/chat/completions', {
      json: { model: opus, messages: [user('hi')], reasoning_effort: 'high', anthropic_beta: ['mine-2025'] },
    })

    expect(under.bedrock.callsOf('converse')[0]?.body).toMatchObject({
      additionalModelRequestFields: {
        thinking: { type: 'adaptive', display: 'summarized' },
        output_config: { effort: 'high' },
        anthropic_beta: ['mine-2025', 'context-1m-2025-08-07'],
      },
    })
  })

  test('extra_body, thinking and output_config travel as additional fields; prompt_caching does not', async ({
    expect,
  }) => {
    await using under = await gatewayUnderTest()
    await under.call('/chat/completions', {
      json: {
        model: sonnet,
        messages: [user('hi')],
        thinking: { type: 'enabled', budget_tokens: 2_000 },
        output_config: { effort: 'low' },
        extra_body: { top_k: 5, prompt_caching: { system: false, messages: false } },
      },
    })

    expect(under.bedrock.callsOf('converse')[0]?.body['additionalModelRequestFields']).toEqual({
      thinking: { type: 'enabled', budget_tokens: 2_000 },
      output_config: { effort: 'low' },
      top_k: 5,
    })
    expect(JSON.stringify(under.bedrock.callsOf('converse')[0]?.body)).not.toContain('cachePoint')
  })

  test('cache points are on by default and follow extra_body', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const ask = (extra_body?: object) =>
      under.call('/chat/completions', {
        json: { model: sonnet, messages: [user('hi')], tools: [weather], ...(extra_body ? { extra_body } : {}) },
      })
    await ask()
    await ask({ prompt_caching: { ttl: '1h', messages: false } })
    const [plain, asked] = under.bedrock.callsOf('converse')

    expect(plain?.body).toMatchObject({
      messages: [{ content: [{ text: 'hi' }, { cachePoint: { type: 'default' } }] }],
      toolConfig: { tools: [{}, { cachePoint: { type: 'default' } }] },
    })
    expect(asked?.body).toMatchObject({
      messages: [{ content: [{ text: 'hi' }] }],
      toolConfig: { tools: [{}, { cachePoint: { type: 'default', ttl: '1h' } }] },
    })
  })

  test('json_schema and json_object are served where there is structured output, else refused', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
    const client = openaiClient(under)
    const ask = (model: string, response_format: OpenAI.ChatCompletionCreateParams['response_format']) =>
      client.chat.completions.create({ model, messages: [user('hi')], ...(response_format ? { response_format } : {}) })
    await ask(sonnet, { type: 'json_schema', json_schema: { name: 'person', schema, strict: true } })
    await ask(sonnet, { type: 'json_object' })
    const [first, second] = under.bedrock.callsOf('converse')

    expect(first?.body['outputConfig']).toEqual({
      textFormat: {
        type: 'json_schema',
        structure: {
          jsonSchema: { name: 'person', schema: JSON.stringify({ ...schema, additionalProperties: false }) },
        },
      },
    })
    expect(JSON.stringify(second?.body['outputConfig'])).toContain('additionalProperties')
    for (const format of [
      { type: 'json_object' as const },
      { type: 'json_schema' as const, json_schema: { name: 'p', schema } },
    ]) {
      await expect(ask('amazon.nova-pro-v1:0', format)).rejects.toMatchObject({ status: 400, code: 'bad_request' })
    }
  })
})
