/** What a client asks for on chat: it has its effect, is refused, or is named in a header. Never dropped in silence. */
import type OpenAI from 'openai'
import { describe, test } from 'vitest'
import {
  messageAnswer,
  metadataStep,
  reasoningSteps,
  textSteps,
} from '../../../local/gateway/sandbox/provider-shapes.ts'
import type { Step } from '../../../local/gateway/sandbox/provider-wire.ts'
import { someCard } from '../../support/fake-bedrock.ts'
import { gatewayUnderTest, opus, sonnet } from '../../support/gateway-under-test.ts'
import { openaiClient } from '../../support/openai-client.ts'

const user = (content: string) => ({ role: 'user' as const, content })
const plain = { ENABLE_PROMPT_CACHING: 'false' }
const weather: OpenAI.ChatCompletionTool = {
  type: 'function',
  function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
}
const pdf = `data:application/pdf;base64,${Buffer.from('%PDF-1.4').toString('base64')}`

const calls = (...ids: readonly string[]) =>
  messageAnswer(
    ids.map((id) => ({ toolUse: { toolUseId: id, name: 'weather', input: { city: id } } })),
    'tool_use',
  )
const streamedCalls = (...ids: readonly string[]): readonly Step[] => [
  { event: 'messageStart', payload: { role: 'assistant' } },
  ...ids.flatMap((id, contentBlockIndex) => [
    {
      event: 'contentBlockStart',
      payload: { contentBlockIndex, start: { toolUse: { toolUseId: id, name: 'weather' } } },
    },
    { event: 'contentBlockDelta', payload: { contentBlockIndex, delta: { toolUse: { input: `{"city":"${id}"}` } } } },
    { event: 'contentBlockStop', payload: { contentBlockIndex } },
  ]),
  { event: 'messageStop', payload: { stopReason: 'tool_use' } },
  metadataStep(),
]

describe('several answers', () => {
  test('n answers come as n choices, whole and streamed', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const client = openaiClient(under)
    const ask = { model: sonnet, messages: [user('hi')], n: 3 }
    under.bedrock.next(...['a', 'b', 'c'].map((text) => messageAnswer([{ text }])))
    const whole = await client.chat.completions.create(ask)
    under.bedrock.next(...['a', 'b', 'c'].map((text) => ({ steps: textSteps([text, '!']) })))
    const streamed = await client.chat.completions
      .stream({ ...ask, stream_options: { include_usage: true } })
      .finalChatCompletion()

    expect(whole.choices.map((choice) => choice.index)).toEqual([0, 1, 2])
    expect(whole.choices.map((choice) => choice.message.content).toSorted()).toEqual(['a', 'b', 'c'])
    expect(streamed.choices.map((choice) => choice.message.content).toSorted()).toEqual(['a!', 'b!', 'c!'])
    for (const answer of [whole, streamed]) {
      expect(answer.usage).toMatchObject({ prompt_tokens: 33, completion_tokens: 21, total_tokens: 54 })
    }
  })

  test('one that fails fails all', async ({ expect }) => {
    await using under = await gatewayUnderTest({ ...plain, AWS_MAX_RETRY_ATTEMPTS: '1' })
    under.bedrock.callsLeft = 1
    const asked = openaiClient(under).chat.completions.create({ model: sonnet, messages: [user('hi')], n: 2 })

    await expect(asked).rejects.toMatchObject({ status: 429 })
  })
})

describe('functions of the old kind', () => {
  const functions = [{ name: 'weather', parameters: { type: 'object', properties: {} } }]

  test('are called, one at a time, and answered', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const client = openaiClient(under)
    under.bedrock.next(calls('Oslo', 'Bergen'), messageAnswer([{ text: 'Rain.' }]))
    const first = await client.chat.completions.create({ model: sonnet, messages: [user('hi')], functions })
    const message = first.choices[0]?.message
    const second = await client.chat.completions.create({
      model: sonnet,
      messages: [user('hi'), message ?? { role: 'assistant' }, { role: 'function', name: 'weather', content: 'rain' }],
      functions,
      function_call: { name: 'weather' },
    })

    expect(first.choices[0]).toMatchObject({
      finish_reason: 'function_call',
      message: { function_call: { name: 'weather', arguments: '{"city":"Oslo"}' } },
    })
    expect(message).not.toHaveProperty('tool_calls')
    expect(second.choices[0]?.message.content).toBe('Rain.')
    expect(under.bedrock.callsOf('converse')[1]?.body).toMatchObject({
      messages: [{}, { content: [{ toolUse: { input: { city: 'Oslo' } } }] }, { content: [{ toolResult: {} }] }],
      toolConfig: { toolChoice: { tool: { name: 'weather' } } },
    })
  })

  test('are streamed without ids', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    under.bedrock.next({ steps: streamedCalls('Oslo') })
    const answer = await under.call('/chat/completions', {
      json: { model: sonnet, messages: [user('hi')], functions, stream: true },
    })
    const text = await answer.text()

    expect(text).toContain('"function_call":{"name":"weather","arguments":""}')
    expect(text).toContain('"finish_reason":"function_call"')
    expect(text).not.toContain('tool_calls')
  })
})

describe('tools', () => {
  test('parallel_tool_calls: false leaves one call, whole and streamed', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const ask = { model: sonnet, messages: [user('hi')], tools: [weather], parallel_tool_calls: false }
    under.bedrock.next(calls('a', 'b'), { steps: streamedCalls('a', 'b') })
    const whole = await openaiClient(under).chat.completions.create(ask)
    const streamed = await openaiClient(under).chat.completions.stream(ask).finalChatCompletion()

    for (const { choices } of [whole, streamed]) {
      expect(choices[0]?.message.tool_calls?.map((call) => call.id)).toEqual(['a'])
    }
  })

  test('strict binds a model that knows it, with closed schemas; the header names it for one that does not', async ({
    expect,
  }) => {
    await using under = await gatewayUnderTest(plain)
    const tools = [{ ...weather, function: { ...weather.function, strict: true } }] as OpenAI.ChatCompletionTool[]
    const ask = (model: string) =>
      openaiClient(under)
        .chat.completions.create({ model, messages: [user('hi')], tools })
        .withResponse()
    const bound = await ask(sonnet)
    const free = await ask('amazon.nova-pro-v1:0')
    const [strict, loose] = under.bedrock.callsOf('converse')

    expect(strict?.body).toMatchObject({
      toolConfig: {
        tools: [{ toolSpec: { strict: true, inputSchema: { json: { additionalProperties: false } } } }],
      },
    })
    expect(JSON.stringify(loose?.body)).not.toContain('strict')
    expect(bound.response.headers.get('x-gateway-ignored')).toBeNull()
    expect(free.response.headers.get('x-gateway-ignored')).toBe('tools.function.strict')
  })

  test('free-form tools are called with their text, whole and streamed, and their calls come back', async ({
    expect,
  }) => {
    await using under = await gatewayUnderTest(plain)
    const tools: OpenAI.ChatCompletionTool[] = [
      {
        type: 'custom',
        custom: { name: 'patch', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "x"' } } },
      },
    ]
    const ask = { model: sonnet, messages: [user('hi')], tools }
    const input = 'a "b"\nc'
    const toolUse = { toolUseId: 't', name: 'patch', input: { input } }
    under.bedrock.next(messageAnswer([{ toolUse }], 'tool_use'))
    const whole = await openaiClient(under).chat.completions.create(ask)
    const json = JSON.stringify({ input })
    const delta = (piece: string) => ({
      event: 'contentBlockDelta',
      payload: { contentBlockIndex: 0, delta: { toolUse: { input: piece } } },
    })
    under.bedrock.next({
      steps: [
        { event: 'messageStart', payload: { role: 'assistant' } },
        {
          event: 'contentBlockStart',
          payload: { contentBlockIndex: 0, start: { toolUse: { toolUseId: 't', name: 'patch' } } },
        },
        delta(json.slice(0, 13)),
        delta(json.slice(13)),
        { event: 'contentBlockStop', payload: { contentBlockIndex: 0 } },
        { event: 'messageStop', payload: { stopReason: 'tool_use' } },
        metadataStep(),
      ],
    })
    let streamed = ''
    for await (const chunk of await openaiClient(under).chat.completions.create({ ...ask, stream: true })) {
      for (const call of chunk.choices[0]?.delta.tool_calls ?? []) {
        streamed += (call as { custom?: { input?: string } }).custom?.input ?? ''
      }
    }
    const message = whole.choices[0]?.message
    await openaiClient(under).chat.completions.create({
      ...ask,
      messages: [user('hi'), message ?? { role: 'assistant' }, { role: 'tool', tool_call_id: 't', content: 'done' }],
    })

    expect(message?.tool_calls).toEqual([{ id: 't', type: 'custom', custom: { name: 'patch', input } }])
    expect(streamed).toBe(input)
    expect(JSON.stringify(under.bedrock.callsOf('converse')[0]?.body)).toContain('lark grammar')
    expect(under.bedrock.callsOf('converse')[1]?.body).toMatchObject({
      messages: [{}, { content: [{ toolUse }] }, { content: [{ toolResult: { toolUseId: 't' } }] }],
    })
  })

  test('allowed tools are those that are offered', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const tools: OpenAI.ChatCompletionTool[] = [weather, { type: 'function', function: { name: 'other' } }]
    await openaiClient(under).chat.completions.create({
      model: sonnet,
      messages: [user('hi')],
      tools,
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'other' } }] },
      },
    })

    expect(under.bedrock.callsOf('converse')[0]?.body).toMatchObject({
      toolConfig: { tools: [{ toolSpec: { name: 'other' } }], toolChoice: { any: {} } },
    })
  })

  test('arguments that were cut off do not make every later request fail', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const call = { id: 'a', type: 'function' as const, function: { name: 'weather', arguments: '{"city":"Os' } }
    await openaiClient(under).chat.completions.create({
      model: sonnet,
      tools: [weather],
      messages: [
        user('hi'),
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'a', content: 'x' },
      ],
    })

    expect(under.bedrock.callsOf('converse')[0]?.body).toMatchObject({
      messages: [{}, { content: [{ toolUse: { input: { incomplete_arguments: '{"city":"Os' } } }] }, {}],
    })
  })
})

describe('parts of messages', () => {
  test('documents reach the model, each under a name of its own', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const file = { type: 'file' as const, file: { file_data: pdf, filename: 'Q1 (final).v2.pdf' } }
    await openaiClient(under).chat.completions.create({
      model: sonnet,
      messages: [{ role: 'user', content: [file, file] }],
    })

    expect(under.bedrock.callsOf('converse')[0]?.body).toMatchObject({
      messages: [
        {
          content: [
            { document: { format: 'pdf', name: 'Q1 (final) v2' } },
            { document: { format: 'pdf', name: 'Q1 (final) v2 2' } },
            { text: 'The document is attached.' },
          ],
        },
      ],
    })
  })

  test.for([
    ['a video', { type: 'video_url', video_url: { url: 'data:video/mp4;base64,AAAA' } }, 'amazon.nova-pro-v1:0', 200],
    [
      'a video where it is not seen',
      { type: 'video_url', video_url: { url: 'data:video/mp4;base64,AAAA' } },
      sonnet,
      400,
    ],
    ['sound where it is not heard', { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }, sonnet, 400],
    ['a file of an unknown kind', { type: 'file', file: { file_data: 'AAAA', filename: 'a.exe' } }, sonnet, 400],
  ] as const)('%s is answered with %4$i', async ([, part, model, status], { expect }) => {
    await using under = await gatewayUnderTest(plain)
    const content = [{ type: 'text', text: 'look' }, part]
    const answer = await under.call('/chat/completions', { json: { model, messages: [{ role: 'user', content }] } })

    expect(answer.status).toBe(status)
  })

  test('a client’s own marks decide what is cached, and are named where nothing is', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const marked = { type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } }
    const ask = (model: string) =>
      under.call('/chat/completions', {
        json: {
          model,
          messages: [
            { role: 'system', content: [marked] },
            { role: 'user', content: [{ type: 'text', text: 'y' }] },
          ],
        },
      })
    const answer = await ask(sonnet)
    const without = await ask('deepseek.v3-v1:0')

    expect(under.bedrock.callsOf('converse')[0]?.body).toEqual({
      system: [{ text: 'x' }, { cachePoint: { type: 'default', ttl: '1h' } }],
      messages: [{ role: 'user', content: [{ text: 'y' }] }],
    })
    expect(answer.headers.get('x-gateway-ignored')).toBeNull()
    expect([without.status, without.headers.get('x-gateway-ignored')]).toEqual([200, 'cache_control'])
  })
})

describe('JSON of any shape', () => {
  const ask = { model: sonnet, messages: [user('hi')], response_format: { type: 'json_object' as const } }

  test.for([
    ['bare', ['{"a":', '1}'], '{"a":1}'],
    ['in a fence', ['``', '`json\n{"a"', ':1}\n', '```', '\n'], '{"a":1}'],
    ['with ticks inside', ['{"a":"```', '"}'], '{"a":"```"}'],
  ] as const)('%s comes as it is to be, whole and streamed', async ([, pieces, json], { expect }) => {
    await using under = await gatewayUnderTest(plain)
    under.bedrock.next(messageAnswer([{ text: pieces.join('') }]), { steps: textSteps(pieces) })
    const whole = await openaiClient(under).chat.completions.create(ask)
    const streamed = await openaiClient(under).chat.completions.stream(ask).finalChatCompletion()

    expect([whole, streamed].map((answer) => answer.choices[0]?.message.content)).toEqual([json, json])
  })

  test('an answer that is none is a failure', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    under.bedrock.next(messageAnswer([{ text: 'Sorry.' }]), { steps: textSteps(['Sorry.']) })
    const client = openaiClient(under)

    await expect(client.chat.completions.create(ask)).rejects.toMatchObject({ status: 502 })
    await expect(client.chat.completions.stream(ask).finalChatCompletion()).rejects.toThrow('JSON object')
  })
})

describe('reasoning, with nothing set', () => {
  const ask = {
    model: sonnet,
    messages: [user('call weather {"city":"Oslo"}')],
    tools: [weather],
    reasoning_effort: 'high' as const,
  }

  test.for([sonnet, opus, 'claude-opus-4-8', 'claude-haiku-4-5'])(
    'goes on over steps with tools on %s',
    async (model, { expect }) => {
      await using under = await gatewayUnderTest()
      const client = openaiClient(under)
      const messages: OpenAI.ChatCompletionMessageParam[] = [...ask.messages]
      for (let step = 0; step < 3; step += 1) {
        const answer =
          step % 2 === 0
            ? await client.chat.completions.create({ ...ask, model, messages })
            : await client.chat.completions.stream({ ...ask, model, messages }).finalChatCompletion()
        const message = answer.choices[0]?.message
        if (message === undefined) throw new Error('no answer')
        messages.push(message)
        const results = (message.tool_calls ?? []).map((call) => ({
          role: 'tool' as const,
          tool_call_id: call.id,
          content: 'rain',
        }))
        messages.push(...results, ...(results.length === 0 ? [user('call weather {"city":"Oslo"}')] : []))
      }
      const bodies = [...under.bedrock.callsOf('converse'), ...under.bedrock.callsOf('converse-stream')].map(
        (call) => call.body,
      )

      expect(bodies.every((body) => 'additionalModelRequestFields' in body)).toBe(true)
      expect(bodies.filter((body) => JSON.stringify(body).includes('"signature"')).length).toBeGreaterThan(0)
    },
  )

  test.for([
    [8_000, 6_400],
    [1_280, 1_024],
  ] as const)('of a limit of %i tokens %i are thought', async ([max, budget], { expect }) => {
    await using under = await gatewayUnderTest(plain)
    await openaiClient(under).chat.completions.create({ ...ask, max_tokens: max })

    expect(under.bedrock.callsOf('converse')[0]?.body).toMatchObject({
      inferenceConfig: { maxTokens: max },
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: budget } },
    })
  })

  test('a limit without room for thoughts stands, and the header says that there were none', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const { response } = await openaiClient(under)
      .chat.completions.create({ ...ask, max_tokens: 1_279 })
      .withResponse()

    expect(under.bedrock.callsOf('converse')[0]?.body).not.toHaveProperty('additionalModelRequestFields')
    expect(response.headers.get('x-gateway-ignored')).toBe('reasoning_effort')
  })

  test('a model that reasons without signing is served with tools', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const unsigned = reasoningSteps('hm', 'x').filter((step) => !JSON.stringify(step).includes('signature'))
    const [start, ...rest] = streamedCalls('a')
    const shifted = rest.map((step) =>
      JSON.parse(JSON.stringify(step).replaceAll('"contentBlockIndex":0', '"contentBlockIndex":1')),
    )
    if (start === undefined) throw new Error('no start')
    under.bedrock.next({ steps: [start, ...unsigned, ...shifted] })
    const answer = await openaiClient(under)
      .chat.completions.stream({ ...ask, model: 'deepseek.v3-v1:0' })
      .finalChatCompletion()

    expect(answer.choices[0]?.message.tool_calls?.[0]?.id).toBe('a')
  })
})

describe('what the answer does not follow', () => {
  test('is named in a header', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const answer = await under.call('/chat/completions', {
      json: {
        model: 'claude-opus-4-8',
        messages: [user('hi')],
        temperature: 0.1,
        stop: 'x',
        logprobs: true,
        seed: 4,
        store: false,
        frequency_penalty: 0,
        'bad name': 1,
      },
    })

    expect(answer.headers.get('x-gateway-ignored')).toBe('logprobs, seed, temperature, stop')
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-gateway-ignored')
  })

  test('an input that is too long has the reference’s code on both interfaces', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.account = { ...under.bedrock.account, cards: [someCard('a.small-v1', { contextTokens: 100 })] }
    const text = 'word '.repeat(200)
    const chat = await under.call('/chat/completions', { json: { model: 'a.small-v1', messages: [user(text)] } })
    const responses = await under.call('/responses', { json: { model: 'a.small-v1', input: text } })

    for (const answer of [chat, responses]) {
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({
        error: { code: 'context_length_exceeded', type: 'invalid_request_error' },
      })
    }
  })
})
