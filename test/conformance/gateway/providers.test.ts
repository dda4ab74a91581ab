/** Providers beside the account's own, and routes over all of them. */
import { afterAll, describe, test } from 'vitest'
import type { CallObject, RoutingObject } from '../../../workers/gateway/contract/admin.ts'
import { circuitOpenMs } from '../../../workers/gateway/core/providers/route-plan.ts'
import { attemptsKeptMax } from '../../../workers/gateway/limits.ts'
import { anthropicClient } from '../../support/anthropic-client.ts'
import { startChatStandIn } from '../../support/chat-stand-in.ts'
import { type GatewayUnderTest, gatewayUnderTest, sonnet } from '../../support/gateway-under-test.ts'
import { openaiClient } from '../../support/openai-client.ts'

const messages = [{ role: 'user' as const, content: 'who are you?' }]
const tool = {
  type: 'function' as const,
  function: { name: 'weather', parameters: { type: 'object', properties: { place: { type: 'string' } } } },
}

const north = await startChatStandIn(['small-1', 'org/large:2'])
const south = await startChatStandIn(['small-1'])
afterAll(async () => {
  await north.close()
  await south.close()
})

function under(routes: object = {}, more: Record<string, string> = {}, host = {}): Promise<GatewayUnderTest> {
  north.calls.length = 0
  south.calls.length = 0
  const providers = {
    north: { address: north.url, key: north.key, prices: 'free' },
    south: { address: south.url, key: south.key, calls_at_once: 2, prices: 'free' },
    locked: { address: north.url, key: 'wrong' },
    nobody: { address: 'http://127.0.0.1:9/v1' },
  }
  const environment = {
    PROVIDERS: JSON.stringify(providers),
    MODEL_ROUTES: JSON.stringify(routes),
    AWS_MAX_RETRY_ATTEMPTS: '1',
    ...more,
  }
  return gatewayUnderTest(environment, host)
}

async function callsOf(gateway: GatewayUnderTest): Promise<readonly CallObject[]> {
  return ((await (await gateway.call('/admin/requests')).json()) as { data: CallObject[] }).data
}

async function routingOf(gateway: GatewayUnderTest): Promise<RoutingObject> {
  return (await (await gateway.call('/admin/routing')).json()) as RoutingObject
}

describe('a provider of the chat dialect', () => {
  test('answers all three dialects, whole and streamed', async ({ expect }) => {
    await using gateway = await under()
    const openai = openaiClient(gateway)
    const model = 'north/small-1'
    const chat = await openai.chat.completions.create({ model, messages })
    const streamed = await openai.chat.completions.stream({ model, messages }).finalChatCompletion()
    const response = await openai.responses.create({ model, input: 'who are you?' })
    const streamedResponse = await openai.responses.stream({ model, input: 'who are you?' }).finalResponse()
    const anthropic = anthropicClient(gateway)
    const message = await anthropic.messages.create({ model, max_tokens: 100, messages })
    const streamedMessage = await anthropic.messages.stream({ model, max_tokens: 100, messages }).finalMessage()

    expect(chat.choices[0]?.message.content).toBe('I am small-1.')
    expect(streamed.choices[0]?.message.content).toBe('I am small-1.')
    expect(response.output_text).toBe('I am small-1.')
    expect(streamedResponse.output_text).toBe('I am small-1.')
    expect(message.content).toMatchObject([{ type: 'text', text: 'I am small-1.' }])
    expect(streamedMessage.content).toMatchObject([{ type: 'text', text: 'I am small-1.' }])
    expect(message.usage).toMatchObject({ input_tokens: 20, cache_read_input_tokens: 10, output_tokens: 6 })
    expect(streamedMessage.usage).toMatchObject({ output_tokens: 6 })
    expect(await callsOf(gateway)).toHaveLength(6)
    for (const call of await callsOf(gateway)) {
      expect(call).toMatchObject({
        provider: 'north',
        model: 'small-1',
        outcome: 'answered',
        tokens: { input: 20, cache_read: 10, output: 6 },
        is_estimated: false,
        cost_usd: 0,
      })
    }
  })

  test('runs tools over two steps on every dialect', async ({ expect }) => {
    await using gateway = await under()
    north.callTool('weather')
    const model = 'north/small-1'
    const anthropic = anthropicClient(gateway)
    const tools = [{ name: 'weather', input_schema: { type: 'object' as const } }]
    for (const stream of [false, true]) {
      const first = stream
        ? await anthropic.messages.stream({ model, max_tokens: 100, messages, tools }).finalMessage()
        : await anthropic.messages.create({ model, max_tokens: 100, messages, tools })
      const use = first.content.find((block) => block.type === 'tool_use')
      const second = await anthropic.messages.create({
        model,
        max_tokens: 100,
        tools,
        messages: [
          ...messages,
          { role: 'assistant', content: first.content },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: use?.id ?? '', content: 'rain' }] },
        ],
      })

      expect(first.stop_reason).toBe('tool_use')
      expect(use).toMatchObject({ name: 'weather', input: { place: 'Oslo' } })
      expect(second.content).toMatchObject([{ text: 'I am small-1.' }])
    }
    const openai = openaiClient(gateway)
    const called = await openai.chat.completions.create({ model, messages, tools: [tool] })
    const responded = await openai.responses.create({
      model,
      input: 'who are you?',
      tools: [{ type: 'function', name: 'weather', parameters: { type: 'object' }, strict: false }],
    })
    const again = await openai.responses.create({
      model,
      previous_response_id: responded.id,
      input: [{ type: 'function_call_output', call_id: 'call_1', output: 'rain' }],
      tools: [{ type: 'function', name: 'weather', parameters: { type: 'object' }, strict: false }],
    })
    north.callTool('')

    expect(called.choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { name: 'weather' } })
    expect(again.output_text).toBe('I am small-1.')
  })

  test('gets what its dialect says of limits, pictures, reasoning and schemas, and the request id', async ({
    expect,
  }) => {
    await using gateway = await under()
    const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await gateway.call('/responses', {
      headers: { 'x-request-id': 'req-of-mine' },
      json: {
        model: 'north/org/large:2',
        instructions: 'be short',
        max_output_tokens: 64,
        temperature: 0.5,
        reasoning: { effort: 'high' },
        text: { format: { type: 'json_schema', name: 'thing', schema: { type: 'object' } } },
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'what is it?' },
              { type: 'input_image', image_url: `data:image/png;base64,${picture}` },
            ],
          },
        ],
      },
    })

    expect(north.calls).toMatchObject([
      {
        requestId: 'req-of-mine',
        body: {
          model: 'org/large:2',
          max_tokens: 64,
          temperature: 0.5,
          reasoning_effort: 'high',
          response_format: { type: 'json_schema', json_schema: { name: 'thing', schema: { type: 'object' } } },
          messages: [
            { role: 'system', content: 'be short' },
            { role: 'user', content: [{ type: 'text' }, { type: 'image_url' }] },
          ],
        },
      },
    ])
  })

  test('is asked for any JSON object in its own words', async ({ expect }) => {
    await using gateway = await under()
    const text = { format: { type: 'json_object' } }
    const answer = await gateway.call('/responses', { json: { model: 'north/small-1', input: 'is it?', text } })

    expect(answer.status).toBe(200)
    expect(north.calls[0]?.body).toMatchObject({ response_format: { type: 'json_object' } })
    // The words of that wish are a client's own here, which asks for no format.
    const instructions = (north.calls[0]?.body.messages[0]?.content ?? '') as string
    await gateway.call('/responses', { json: { model: 'north/small-1', input: 'is it?', instructions } })
    expect(north.calls[1]?.body).not.toHaveProperty('response_format')
  })

  test('is passed every member that the reference declares', async ({ expect }) => {
    await using gateway = await under()
    const json = {
      model: 'north/small-1',
      messages: [
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://pictures.example/a.png' } }] },
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
        { role: 'assistant', tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'run', input: 'ls' } }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'a' },
        { role: 'user', content: 'go on' },
      ],
      tools: [{ type: 'custom', custom: { name: 'run', format: { type: 'text' } } }],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'custom', custom: { name: 'run' } }] },
      },
      frequency_penalty: 1,
      logit_bias: { 7: -100 },
      logprobs: true,
      top_logprobs: 2,
      prediction: { type: 'content', content: 'yes' },
      prompt_cache_key: 'k',
      safety_identifier: 's',
      service_tier: 'flex',
      store: false,
      verbosity: 'low',
    }
    const answer = await gateway.call('/chat/completions', { json })

    expect(await answer.text()).toContain('chatcmpl-1')
    expect(north.calls[0]?.body).toEqual({ ...json, model: 'small-1' })
  })

  test('is passed a chat request as it is, and its answer as it comes', async ({ expect }) => {
    await using gateway = await under()
    const json = { model: 'north/small-1', messages, seed: 7, user: 'me' }
    const answer = await gateway.call('/chat/completions', { json })

    expect(await answer.json()).toMatchObject({ id: 'chatcmpl-1', service_tier: 'default' })
    expect(north.calls[0]?.body).toEqual({ ...json, model: 'small-1' })
  })

  test.for([
    ['refuses the model', { model: 'north/none' }, 400, 'bad_request'],
    ['refuses its key', { model: 'locked/small-1' }, 502, 'upstream_error'],
    ['is not there', { model: 'nobody/small-1' }, 502, 'upstream_error'],
  ] as const)('that %s is told of', async ([, more, status, code], { expect }) => {
    await using gateway = await under()
    const answer = await gateway.call('/messages', { json: { max_tokens: 10, messages, ...more } })
    const text = await answer.text()

    expect(answer.status).toBe(status)
    expect(text).not.toContain('wrong')
    expect(await callsOf(gateway)).toMatchObject([{ outcome: 'failed', code }])
  })

  test('that breaks a stream is told of in the stream', async ({ expect }) => {
    await using gateway = await under()
    north.next('cut')
    const answer = await gateway.call('/messages', {
      json: { model: 'north/small-1', max_tokens: 10, messages, stream: true },
    })

    expect(await answer.text()).toContain('event: error')
    expect(await callsOf(gateway)).toMatchObject([{ outcome: 'failed', is_estimated: true }])
  })

  test('takes so many calls at once and no more', async ({ expect }) => {
    await using gateway = await under({}, { MAX_BODY_SIZE_MB: '1' })
    south.next('hang', 'hang')
    const leave = new AbortController()
    const ask = () =>
      gateway.call('/messages', { json: { model: 'south/small-1', max_tokens: 10, messages }, signal: leave.signal })
    const hanging = [ask(), ask()]
    await expect.poll(() => south.calls.length, { timeout: 10_000 }).toBe(2)
    const third = await ask()
    leave.abort()
    await Promise.all(hanging)

    expect(third.status).toBe(429)
    expect(third.headers.get('retry-after')).toBe('1')
    expect(
      (await gateway.call('/messages', { json: { model: 'south/small-1', max_tokens: 10, messages } })).status,
    ).toBe(200)
  })
})

describe('a route', () => {
  const routes = { code: [{ model: 'north/small-1' }, { model: 'south/small-1' }, { model: sonnet }] }
  const ask = (gateway: GatewayUnderTest, stream = false) =>
    gateway.call('/messages', { json: { model: 'code', max_tokens: 50, messages, stream } })

  test.for([
    ['is overloaded', 503],
    ['is out of requests', 429],
    ['fails', 500],
  ] as const)('goes on to the next step when one %s, whole and streamed', async ([, status], { expect }) => {
    await using gateway = await under(routes)
    north.next(status, status)
    south.next(status)
    const third = await ask(gateway)
    const second = await ask(gateway, true)

    expect(third.status).toBe(200)
    expect(await second.text()).toContain('small-1.')
    expect((await callsOf(gateway)).map(({ provider, outcome }) => `${provider} ${outcome}`).reverse()).toEqual([
      'north failed',
      'south failed',
      'bedrock answered',
      'north failed',
      'south answered',
    ])
  })

  test('has every try in the record of the last one', async ({ expect }) => {
    await using gateway = await under(routes, { AWS_MAX_RETRY_ATTEMPTS: '2', MAX_BODY_SIZE_MB: '1' })
    north.next(503, 429)
    south.next('hang', 'hang')
    const leave = new AbortController()
    const busy = [1, 2].map(() =>
      gateway.call('/messages', {
        json: { model: 'south/small-1', max_tokens: 5, messages },
        signal: leave.signal,
      }),
    )
    await expect.poll(() => south.calls.length, { timeout: 10_000 }).toBe(2)
    await ask(gateway)
    const [last, middle, first] = await callsOf(gateway)
    leave.abort()
    await Promise.all(busy)
    const ms = expect.any(Number)
    const tries = [
      { provider: 'north', model: 'small-1', ms, code: 'upstream_error' },
      { provider: 'north', model: 'small-1', ms, code: 'rate_limit_exceeded' },
      { provider: 'south', model: 'small-1', ms, code: 'rate_limit_exceeded' },
      { provider: 'bedrock', model: sonnet, ms, code: null },
    ]

    expect(last).toMatchObject({ provider: 'bedrock', outcome: 'answered', attempts: tries })
    expect(middle).toMatchObject({ provider: 'south', outcome: 'failed', attempts: tries.slice(0, 3) })
    expect(first).toMatchObject({ provider: 'north', outcome: 'failed', attempts: tries.slice(0, 2) })
  })

  test('has a connection among them that broke before anything of an answer came', async ({ expect }) => {
    await using gateway = await under({}, { AWS_MAX_RETRY_ATTEMPTS: '2' })
    north.next('reset')
    const answer = await gateway.call('/chat/completions', { json: { model: 'north/small-1', messages } })
    const [call, ...others] = await callsOf(gateway)

    expect([answer.status, north.calls.length, others]).toEqual([200, 2, []])
    expect(call?.attempts).toMatchObject([
      { provider: 'north', code: 'upstream_error' },
      { provider: 'north', code: null },
    ])
  })

  test('names a provider that rests among the tries', async ({ expect }) => {
    await using gateway = await under(routes)
    north.next(500, 500, 500, 500, 500)
    for (let count = 0; count < 6; count += 1) await ask(gateway)
    const [last] = await callsOf(gateway)

    expect(last?.attempts).toMatchObject([
      { provider: 'north', ms: 0, code: 'upstream_error' },
      { provider: 'south', code: null },
    ])
  })

  test.for([
    [16, 2, 32],
    [17, 2, attemptsKeptMax],
  ] as const)('of %i tries with %i providers %i are kept', async ([each, steps, kept], { expect }) => {
    const list = Array.from({ length: steps }, (_, index) => ({ model: `${['north', 'south'][index]}/small-1` }))
    const timers = { sleep: async () => {} }
    await using gateway = await under({ code: list }, { AWS_MAX_RETRY_ATTEMPTS: String(each) }, { timers })
    north.next(...Array.from({ length: each }, () => 500))
    south.next(...Array.from({ length: each }, () => 500))
    await ask(gateway)
    const [last] = await callsOf(gateway)

    expect(last?.attempts).toHaveLength(kept)
  })

  test('makes no tries of a call that was answered at once', async ({ expect }) => {
    await using gateway = await under(routes)
    await ask(gateway)

    expect(await callsOf(gateway)).toMatchObject([{ attempts: [] }])
  })

  test('does not go on when the request itself is wrong', async ({ expect }) => {
    await using gateway = await under(routes)
    north.next(400)

    expect((await ask(gateway)).status).toBe(400)
    expect(south.calls).toEqual([])
  })

  test('does not begin an answer twice', async ({ expect }) => {
    await using gateway = await under(routes)
    north.next('cut')
    const answer = await ask(gateway, true)

    expect(await answer.text()).toContain('event: error')
    expect(south.calls).toEqual([])
  })

  test('leaves a provider alone that fails again and again, and tries it once when its time is over', async ({
    expect,
  }) => {
    let offsetMs = 0
    await using gateway = await under(routes, {}, { clock: { nowMs: () => Date.now() + offsetMs } })
    north.next(500, 500, 500, 500, 500, 500)
    for (let count = 0; count < 7; count += 1) await ask(gateway)
    const resting = north.calls.length
    const held = (await routingOf(gateway)).providers.map(({ name, circuit, failures_in_a_row, open_until }) => [
      name,
      circuit,
      failures_in_a_row,
      open_until !== null,
    ])
    offsetMs = circuitOpenMs + 1
    const due = (await routingOf(gateway)).providers[0]
    await ask(gateway)
    const tried = north.calls.length
    await ask(gateway)
    offsetMs = 2 * circuitOpenMs + 2
    await ask(gateway)
    await ask(gateway)

    expect([resting, tried, north.calls.length]).toEqual([5, 6, 8])
    expect(held).toEqual([
      ['north', 'open', 5, true],
      ['south', 'closed', 0, false],
      ['locked', 'closed', 0, false],
      ['nobody', 'closed', 0, false],
    ])
    expect(due).toMatchObject({ circuit: 'half_open', open_until: null, calls_at_once: 64, calls_under_way: 0 })
    const after = await routingOf(gateway)
    expect([after.providers[0]?.circuit, JSON.stringify(after).includes(north.key)]).toEqual(['closed', false])
    expect(after.routes[0]?.steps[0]).toMatchObject({ model: 'small-1', provider: 'north', order: 1, input_usd: 0 })
    expect(south.calls).toHaveLength(9)
  })

  test('asks a provider that rests before its time is over where the owner says so', async ({ expect }) => {
    await using gateway = await under(routes)
    north.next(500, 500, 500, 500, 500, 500)
    for (let count = 0; count < 6; count += 1) await ask(gateway)
    const resting = north.calls.length
    const ended = await gateway.call('/admin/providers/north/rest', { method: 'DELETE' })
    const nobody = await gateway.call('/admin/providers/nothing/rest', { method: 'DELETE' })
    await ask(gateway)
    await ask(gateway)

    expect(await ended.json()).toEqual({ object: 'gateway.provider', name: 'north', circuit: 'half_open' })
    expect([resting, north.calls.length, nobody.status]).toEqual([5, 6, 404])
    expect((await routingOf(gateway)).providers[0]?.circuit).toBe('open')
  })

  test('is told of how its calls ended in each five minutes of two hours', async ({ expect }) => {
    let nowMs = Date.UTC(2026, 10, 1, 12, 3)
    await using gateway = await under(routes, {}, { clock: { nowMs: () => nowMs } })
    await ask(gateway)
    north.next(500, 400)
    await ask(gateway)
    await ask(gateway)
    nowMs = Date.UTC(2026, 10, 1, 12, 7)
    await ask(gateway)
    await ask(gateway, true).then((answer) => answer.text())
    const { recent } = await routingOf(gateway)
    const at = (hour: number, minute: number) => Date.UTC(2026, 10, 1, hour, minute) / 1_000
    const first = { provider: 'north', at: at(12, 0), answered: 2, failed: 1 }
    nowMs = Date.UTC(2026, 10, 1, 14, 2)
    const later = (await routingOf(gateway)).recent

    expect(recent).toEqual({
      from: at(10, 10),
      step_seconds: 300,
      steps: 24,
      calls: [
        first,
        { provider: 'south', at: at(12, 0), answered: 1, failed: 0 },
        { provider: 'north', at: at(12, 5), answered: 2, failed: 0 },
      ],
    })
    expect(later.calls).toEqual([{ provider: 'north', at: at(12, 5), answered: 2, failed: 0 }])
  })

  test('keeps a conversation with one provider, and shares conversations by weight', async ({ expect }) => {
    const shared = [
      { model: 'north/small-1', order: 1, weight: 3 },
      { model: 'south/small-1', order: 1, weight: 1 },
    ]
    await using gateway = await under({ shared })
    const askAs = (name: number, more: object[] = []) =>
      gateway.call('/messages', {
        json: { model: 'shared', max_tokens: 50, messages: [{ role: 'user', content: `I am ${name}` }, ...more] },
      })
    for (let name = 0; name < 40; name += 1) await askAs(name)
    const first = [north.calls.length, south.calls.length]
    for (let name = 0; name < 40; name += 1)
      await askAs(name, [
        { role: 'assistant', content: 'hello' },
        { role: 'user', content: 'and now?' },
      ])

    expect(first[0]).toBeGreaterThan(20)
    expect(first[1]).toBeGreaterThan(2)
    expect([north.calls.length, south.calls.length]).toEqual(first.map((count) => 2 * count))
  })

  test('is listed, and a key can be bound to it', async ({ expect }) => {
    await using gateway = await under(routes)
    const made = await gateway.call('/admin/keys', { json: { name: 'x', models: ['code'] } })
    const { secret } = (await made.json()) as { secret: string }
    const headers = { authorization: `Bearer ${secret}` }
    const list = (await (await gateway.call('/models', { headers })).json()) as { data: { id: string }[] }
    const mine = await gateway.call('/messages', { headers, json: { model: 'code', max_tokens: 5, messages } })
    const other = await gateway.call('/messages', {
      headers,
      json: { model: 'north/small-1', max_tokens: 5, messages },
    })

    expect(list.data.map(({ id }) => id)).toEqual(['code'])
    expect([mine.status, other.status]).toEqual([200, 403])
  })
})
