import { describe, test } from 'vitest'
import { mebibyte, serverSentEventCharactersMax } from '../../../workers/gateway/limits.ts'
import { type FakeCompatibleEndpoint, startFakeCompatibleEndpoint } from '../../support/fake-compatible-endpoint.ts'
import { framesOf, type GatewayUnderTest, gatewayUnderTest } from '../../support/gateway-under-test.ts'
import { openaiClient } from '../../support/openai-client.ts'

const keyring = {
  CHAT_REASONING_CAPSULE_ENABLED: 'true',
  CHAT_REASONING_CAPSULE_ACTIVE_KID: 'k1',
  CHAT_REASONING_CAPSULE_KEYS: 'k1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
}

interface Pair extends AsyncDisposable {
  readonly under: GatewayUnderTest
  readonly endpoint: FakeCompatibleEndpoint
}

async function withEndpoint(environment: Readonly<Record<string, string>> = {}): Promise<Pair> {
  const endpoint = await startFakeCompatibleEndpoint()
  const under = await gatewayUnderTest({
    DISABLE_MANTLE: 'false',
    BEDROCK_API_KEY: 'endpoint-key',
    MANTLE_BASE_URL_TEMPLATE: `${endpoint.url}/openai/v1`,
    MANTLE_CHAT_BASE_URL_TEMPLATE: `${endpoint.url}/v1`,
    ...environment,
  })
  return {
    under,
    endpoint,
    async [Symbol.asyncDispose]() {
      await under[Symbol.asyncDispose]()
      await endpoint.close()
    },
  }
}

const event = (type: string, fields: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
const message = (text: string) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})
const thought = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'Hmm.' }],
  encrypted_content: 'opaque',
}
const call = (id: string) => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name: 'look',
  arguments: '{}',
  status: 'completed',
})
const response = (output: readonly object[]) => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  error: null,
  output,
  usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7, output_tokens_details: { reasoning_tokens: 2 } },
})
const look = { type: 'function' as const, function: { name: 'look', parameters: { type: 'object' } } }

describe('by default', () => {
  test.for(['gpt-5.4', 'openai.gpt-5.4', 'gpt-oss-120b'])(
    '%s is not served: the endpoint is opt-in',
    async (model, { expect }) => {
      await using under = await gatewayUnderTest({ BEDROCK_API_KEY: 'endpoint-key' })
      const chat = await under.call('/chat/completions', {
        json: { model, messages: [{ role: 'user', content: 'x' }] },
      })
      const responses = await under.call('/responses', { json: { model, input: 'x' } })

      expect([chat.status, responses.status]).toEqual([400, 400])
      expect(await chat.json()).toMatchObject({
        error: { code: 'bad_request', message: expect.stringContaining('compatible endpoint') },
      })
    },
  )

  test('its models are listed only when it is on, with their short names', async ({ expect }) => {
    await using off = await gatewayUnderTest()
    await using on = await withEndpoint()
    const ids = async (under: GatewayUnderTest) =>
      (await openaiClient(under).models.list()).data.map((entry) => entry.id)

    expect(await ids(off)).not.toContain('gpt-5.4')
    expect(await ids(on.under)).toEqual(expect.arrayContaining(['gpt-5.4', 'openai.gpt-5.4', 'gpt-oss-120b']))
    expect(await ids(on.under)).not.toContain('gpt-5.5')
  })

  test('it cannot be switched on without its key', async ({ expect }) => {
    await using under = await gatewayUnderTest({ DISABLE_MANTLE: 'false' })

    expect(await under.gateway.start()).toMatchObject({
      ok: false,
      failure: { kind: 'settings', faults: [{ setting: 'BEDROCK_API_KEY', must: 'compatible_key' }] },
    })
  })
})

describe('the GPT-5 family', () => {
  test('responses pass through with the model’s full name, the endpoint’s own key, and no vendor-run tool', async ({
    expect,
  }) => {
    await using pair = await withEndpoint()
    pair.endpoint.next({ json: response([message('Hi')]) })
    const answer = await openaiClient(pair.under).responses.create({
      model: 'gpt-5.4',
      input: 'hi',
      store: true,
      tools: [
        { type: 'web_search' },
        { type: 'local_shell' },
        { type: 'function', name: 'f', parameters: {}, strict: null },
      ],
    })

    expect(answer.output_text).toBe('Hi')
    expect(pair.endpoint.calls).toEqual([
      {
        path: '/openai/v1/responses',
        authorization: 'Bearer endpoint-key',
        body: {
          model: 'openai.gpt-5.4',
          input: 'hi',
          store: false,
          tools: [{ type: 'local_shell' }, { type: 'function', name: 'f', parameters: {}, strict: null }],
        },
      },
    ])
    expect(pair.under.bedrock.callsOf('converse')).toEqual([])
  })

  test('a responses stream passes byte for byte, however it is cut', async ({ expect }) => {
    await using pair = await withEndpoint()
    const text =
      event('response.created', { sequence_number: 0, response: response([]) }) +
      event('response.completed', { sequence_number: 1, response: response([message('é')]) })
    pair.endpoint.next({ pieces: [...text].map(String) })
    const answer = await pair.under.call('/responses', { json: { model: 'gpt-5.4', input: 'x', stream: true } })

    expect(await answer.text()).toBe(text)
  })

  test('a responses stream that is cut ends with response.failed', async ({ expect }) => {
    await using pair = await withEndpoint()
    pair.endpoint.next({
      pieces: [
        event('response.created', { sequence_number: 0, response: { id: 'resp_1', status: 'in_progress' } }),
        'event: resp',
      ],
      isCut: true,
    })
    const answer = await pair.under.call('/responses', { json: { model: 'gpt-5.4', input: 'x', stream: true } })
    const last = framesOf(await answer.text()).at(-1)

    expect(last?.event).toBe('response.failed')
    expect(JSON.parse(last?.data ?? '')).toMatchObject({
      sequence_number: 1,
      response: { id: 'resp_1', status: 'failed', error: { code: 'server_is_overloaded' } },
    })
  })

  test.for([
    ['passed on', '/responses', { input: 'x' }, /"type":"response.failed"/],
    ['adapted', '/chat/completions', { messages: [{ role: 'user', content: 'x' }] }, /^event: error$/m],
  ] as const)('a stream whose event has no end ends with an error, %s', async ([_, route, ask, last], { expect }) => {
    await using pair = await withEndpoint()
    const megabyte = 'x'.repeat(mebibyte)
    const count = serverSentEventCharactersMax / mebibyte
    pair.endpoint.next({ pieces: ['data: "', ...Array.from({ length: count }, () => megabyte)], isLeftOpen: true })
    const answer = await pair.under.call(route, { json: { model: 'gpt-5.4', stream: true, ...ask } })

    expect((await answer.text()).slice(-1_000)).toMatch(last)
    await expect.poll(() => pair.endpoint.openAnswers()).toBe(0)
  })

  test('chat is adapted from responses, the reasoning summary between think tags', async ({ expect }) => {
    await using pair = await withEndpoint()
    pair.endpoint.next(
      { json: response([thought, message('Yes.')]) },
      {
        pieces: [
          event('response.created', { response: response([]) }),
          event('response.reasoning_summary_text.delta', { delta: 'Hmm.' }),
          event('response.output_item.done', { item: thought }),
          event('response.output_text.delta', { delta: 'Ye' }),
          event('response.output_text.delta', { delta: 's.' }),
          event('response.completed', { response: response([thought, message('Yes.')]) }),
        ],
      },
    )
    const client = openaiClient(pair.under)
    const body = {
      model: 'gpt-5.4',
      messages: [
        { role: 'system' as const, content: 'Be brief.' },
        { role: 'user' as const, content: 'hi' },
      ],
      reasoning_effort: 'low' as const,
      max_completion_tokens: 99,
    }
    const whole = await client.chat.completions.create(body)
    const streamed = await client.chat.completions
      .stream({ ...body, stream_options: { include_usage: true } })
      .finalChatCompletion()

    for (const completion of [whole, streamed]) {
      expect(completion.choices[0]).toMatchObject({
        finish_reason: 'stop',
        message: { content: '<think>Hmm.</think>Yes.' },
      })
      expect(completion.usage).toMatchObject({
        prompt_tokens: 3,
        completion_tokens: 4,
        completion_tokens_details: { reasoning_tokens: 2 },
      })
    }
    expect(pair.endpoint.calls[0]?.body).toEqual({
      model: 'openai.gpt-5.4',
      input: [
        { type: 'message', role: 'developer', content: 'Be brief.' },
        { type: 'message', role: 'user', content: 'hi' },
      ],
      stream: false,
      store: false,
      include: ['reasoning.encrypted_content'],
      max_output_tokens: 99,
      reasoning: { effort: 'low', summary: 'auto' },
    })
  })

  test('reasoning survives tool calls inside their ids, once for parallel calls', async ({ expect }) => {
    await using pair = await withEndpoint(keyring)
    pair.endpoint.next({ json: response([thought, call('a'), call('b')]) }, { json: response([message('Done.')]) })
    const client = openaiClient(pair.under)
    const first = await client.chat.completions.create({
      model: 'gpt-5.4',
      messages: [{ role: 'user', content: 'look' }],
      tools: [look],
    })
    const calls = first.choices[0]?.message.tool_calls ?? []
    await client.chat.completions.create({
      model: 'gpt-5.4',
      messages: [
        { role: 'user', content: 'look' },
        first.choices[0]?.message ?? { role: 'assistant' },
        ...calls.map((entry) => ({ role: 'tool' as const, tool_call_id: entry.id, content: 'seen' })),
      ],
      tools: [look],
    })

    expect(calls.map((entry) => entry.id.startsWith('rsc_v1.'))).toEqual([true, true])
    expect(pair.endpoint.calls[1]?.body['input']).toEqual([
      { type: 'message', role: 'user', content: 'look' },
      thought,
      { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' },
      { type: 'function_call', call_id: 'b', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'seen' },
      { type: 'function_call_output', call_id: 'b', output: 'seen' },
    ])
  })

  const later = {
    ...thought,
    id: 'rs_2',
    summary: [{ type: 'summary_text', text: 'And now?' }],
  }
  const interleaved = [thought, message('Let me look.'), call('a'), later, call('b')]
  const summaryOf = (item: typeof thought) =>
    event('response.reasoning_summary_text.delta', { delta: item.summary[0]?.text })

  test.for([
    ['whole', { json: response(interleaved) }],
    [
      'streamed',
      {
        pieces: [
          summaryOf(thought),
          event('response.output_item.done', { item: thought }),
          event('response.output_text.delta', { delta: 'Let me look.' }),
          event('response.output_item.done', { item: call('a') }),
          summaryOf(later),
          event('response.output_item.done', { item: later }),
          event('response.output_item.done', { item: call('b') }),
          event('response.completed', { response: response(interleaved) }),
        ],
      },
    ],
  ] as const)('reasoning between two calls comes back between them (%s)', async ([form, answer], { expect }) => {
    await using pair = await withEndpoint(keyring)
    pair.endpoint.next(answer, { json: response([message('Done.')]) })
    const client = openaiClient(pair.under)
    const ask = { model: 'gpt-5.4', messages: [{ role: 'user' as const, content: 'look' }], tools: [look] }
    const first =
      form === 'whole'
        ? await client.chat.completions.create(ask)
        : await client.chat.completions.stream(ask).finalChatCompletion()
    const said = first.choices[0]?.message ?? { role: 'assistant' as const }
    await client.chat.completions.create({ ...ask, messages: [...ask.messages, said as never] })

    expect(pair.endpoint.calls[1]?.body['input']).toEqual([
      { type: 'message', role: 'user', content: 'look' },
      thought,
      { type: 'message', role: 'assistant', content: 'Let me look.' },
      { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' },
      later,
      { type: 'function_call', call_id: 'b', name: 'look', arguments: '{}' },
    ])
  })

  test('reasoning does not come back with a tool call where capsules are switched off', async ({ expect }) => {
    await using pair = await withEndpoint({ CHAT_REASONING_CAPSULE_ENABLED: 'false' })
    pair.endpoint.next({ json: response([thought, call('a')]) })
    const answer = await pair.under.call('/chat/completions', {
      json: { model: 'gpt-5.4', messages: [{ role: 'user', content: 'x' }], tools: [look] },
    })

    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ choices: [{ message: { tool_calls: [{ id: 'a' }] } }] })
  })
})

describe('the open-weight family', () => {
  test('chat passes through, and a stream without its last frame gets it', async ({ expect }) => {
    await using pair = await withEndpoint()
    const chunk = (delta: object, finish_reason: string | null) =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'openai.gpt-oss-120b', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
    const sent = chunk({ role: 'assistant', content: 'Hi', reasoning: 'r' }, null) + chunk({}, 'stop')
    pair.endpoint.next(
      { pieces: [sent] },
      { pieces: [`${sent}data: [DONE]\n\n`] },
      { pieces: [chunk({ content: 'H' }, null)], isCut: true },
    )
    const ask = async () =>
      (
        await pair.under.call('/chat/completions', {
          json: {
            model: 'gpt-oss-120b',
            messages: [{ role: 'user', content: 'x' }],
            stream: true,
            extra_body: { top_k: 3 },
          },
        })
      ).text()

    expect(await ask()).toBe(`${sent}data: [DONE]\n\n`)
    expect(await ask()).toBe(`${sent}data: [DONE]\n\n`)
    expect(framesOf(await ask()).at(-1)?.event).toBe('error')
    expect(pair.endpoint.calls[0]).toEqual({
      path: '/v1/chat/completions',
      authorization: 'Bearer endpoint-key',
      body: { model: 'openai.gpt-oss-120b', messages: [{ role: 'user', content: 'x' }], stream: true, top_k: 3 },
    })
  })
})

test.for([
  [400, { error: { message: 'nope', type: 'invalid_request_error', code: 'weird_code', param: 'x' } }],
  [402, { error: { message: 'pay', type: 'billing', code: 'insufficient_quota' } }],
  [503, { error: { message: 'busy', type: 'server_error', code: null } }],
] as const)('an error %i of the endpoint keeps its status and object', async ([status, json], { expect }) => {
  await using pair = await withEndpoint({ AWS_MAX_RETRY_ATTEMPTS: '1' })
  pair.endpoint.next({ status, json }, { status, json })
  const responses = await pair.under.call('/responses', { json: { model: 'gpt-5.4', input: 'x' } })
  const chat = await pair.under.call('/chat/completions', {
    json: { model: 'gpt-5.4', messages: [{ role: 'user', content: 'x' }] },
  })

  expect([responses.status, await responses.json()]).toEqual([status, json])
  expect([chat.status, await chat.json()]).toEqual([status, json])
})

test('the provider’s runtime address serves the same surface to the gateway’s own identity', async ({ expect }) => {
  await using pair = await withEndpoint({ MANTLE_AUTHENTICATION: 'signature', BEDROCK_API_KEY: '' })
  pair.endpoint.next({ json: response([message('Hi')]) })
  await openaiClient(pair.under).responses.create({ model: 'gpt-5.4', input: 'hi' })

  expect(pair.endpoint.calls[0]?.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-west-2\/bedrock\/aws4_request/,
  )
})
