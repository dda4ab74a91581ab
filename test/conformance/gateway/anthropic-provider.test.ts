/** A provider that speaks the messages dialect itself: its own dialect by bytes, the others translated. */
import type Anthropic from '@anthropic-ai/sdk'
import type OpenAI from 'openai'
import { afterAll, describe, test } from 'vitest'
import type { CallObject } from '../../../workers/gateway/contract/admin.ts'
import { betasMax } from '../../../workers/gateway/limits.ts'
import { anthropicClient } from '../../support/anthropic-client.ts'
import { framesOf, type GatewayUnderTest, gatewayUnderTest, sonnet, testKey } from '../../support/gateway-under-test.ts'
import { messagesModels } from '../../support/messages-request-rules.ts'
import { startMessagesStandIn } from '../../support/messages-stand-in.ts'
import { openaiClient } from '../../support/openai-client.ts'

const messages = [{ role: 'user' as const, content: 'who are you?' }]
const budget = `claude/${messagesModels.budget}`
const adaptive = `claude/${messagesModels.adaptive}`
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const weather = {
  type: 'function' as const,
  function: { name: 'weather', parameters: { type: 'object', properties: { place: { type: 'string' } } } },
}

const claude = await startMessagesStandIn()
afterAll(() => claude.close())

function under(more: Record<string, string> = {}): Promise<GatewayUnderTest> {
  claude.calls.length = 0
  claude.callTool('')
  const common = { dialect: 'messages', address: claude.url, prices: 'anthropic' }
  const providers = {
    claude: { ...common, key: claude.key },
    locked: { ...common, key: 'wrong' },
    narrow: { ...common, key: claude.key, calls_at_once: 1 },
  }
  return gatewayUnderTest({ PROVIDERS: JSON.stringify(providers), AWS_MAX_RETRY_ATTEMPTS: '1', ...more })
}

async function callsOf(gateway: GatewayUnderTest): Promise<readonly CallObject[]> {
  return ((await (await gateway.call('/admin/requests')).json()) as { data: CallObject[] }).data
}

describe('a provider of the messages dialect', () => {
  test('answers all three dialects, whole and streamed, and its count of tokens is written down', async ({
    expect,
  }) => {
    await using gateway = await under()
    const openai = openaiClient(gateway)
    const anthropic = anthropicClient(gateway)
    const chat = await openai.chat.completions.create({ model: budget, messages })
    const streamed = await openai.chat.completions.stream({ model: budget, messages }).finalChatCompletion()
    const response = await openai.responses.create({ model: budget, input: 'who are you?' })
    const streamedResponse = await openai.responses.stream({ model: budget, input: 'who are you?' }).finalResponse()
    const message = await anthropic.messages.create({ model: budget, max_tokens: 100, messages })
    const streamedMessage = await anthropic.messages.stream({ model: budget, max_tokens: 100, messages }).finalMessage()

    const words = `I am ${messagesModels.budget}.`
    expect([chat.choices[0]?.message.content, streamed.choices[0]?.message.content]).toEqual([words, words])
    expect([response.output_text, streamedResponse.output_text]).toEqual([words, words])
    expect([message.content, streamedMessage.content]).toMatchObject([[{ text: words }], [{ text: words }]])
    expect(chat.usage).toMatchObject({ prompt_tokens: 34, completion_tokens: 12 })
    await expect.poll(async () => (await callsOf(gateway)).length, { timeout: 10_000 }).toBe(6)
    for (const call of await callsOf(gateway)) {
      expect(call).toMatchObject({
        provider: 'claude',
        model: messagesModels.budget,
        outcome: 'answered',
        tokens: { input: 20, cache_read: 10, cache_write: 4, output: 12 },
        is_estimated: false,
        cost_usd: expect.closeTo((20 * 3 + 10 * 0.3 + 4 * 3.75 + 12 * 15) / 1_000_000, 9),
      })
    }
  })

  test('is passed its own dialect as it is, with its own key, and the answer as it comes', async ({ expect }) => {
    await using gateway = await under()
    const json = {
      model: budget,
      max_tokens: 2_048,
      thinking: { type: 'enabled', budget_tokens: 1_024, display: 'summarized' },
      metadata: { user_id: 'me' },
      service_tier: 'auto',
      cache_control: { type: 'ephemeral' },
      messages: [
        { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://pictures.test/1' } }] },
      ],
    }
    const headers = { 'anthropic-beta': 'one-2025-01-01, two-2025-02-02', 'x-request-id': 'req-of-mine' }
    const whole = await gateway.call('/messages', { json, headers })
    const streamed = await gateway.call('/messages', { json: { ...json, stream: true }, headers })
    const events = framesOf(await streamed.text()).map(({ event }) => event)

    expect(await whole.json()).toMatchObject({
      id: 'msg_1',
      model: messagesModels.budget,
      usage: { cache_creation: { ephemeral_5m_input_tokens: 4 }, output_tokens_details: { thinking_tokens: 5 } },
    })
    expect([events[0], events[1], events.at(-1)]).toEqual(['message_start', 'ping', 'message_stop'])
    expect(claude.calls.map(({ body }) => body)).toEqual([
      { ...json, model: messagesModels.budget },
      { ...json, model: messagesModels.budget, stream: true },
    ])
    expect(claude.calls[0]?.headers).toMatchObject({
      'anthropic-beta': 'one-2025-01-01,two-2025-02-02',
      'x-api-key': claude.key,
      'x-request-id': 'req-of-mine',
    })
    expect(JSON.stringify(claude.calls[0]?.headers)).not.toContain(testKey)
    await expect.poll(async () => (await callsOf(gateway)).length, { timeout: 10_000 }).toBe(2)
    expect(await callsOf(gateway)).toMatchObject([{ tokens: { reasoning: 5 } }, { tokens: { reasoning: 5 } }])
  })

  test('is passed it by a route as well, which goes on from one that refuses the key', async ({ expect }) => {
    const steps = ['locked', 'claude'].map((name) => ({ model: `${name}/${messagesModels.budget}` }))
    await using gateway = await under({ MODEL_ROUTES: JSON.stringify({ code: steps }) })
    const asked = { model: 'code', cache_control: { type: 'ephemeral' }, messages }
    const json = { ...asked, max_tokens: 100, metadata: { user_id: 'me' } }
    const headers = { 'anthropic-beta': 'one-2025-01-01' }
    const whole = await gateway.call('/messages', { json, headers })
    const streamed = await gateway.call('/messages', { json: { ...json, stream: true }, headers })
    const counted = await gateway.call('/messages/count_tokens', { json: asked })
    const events = framesOf(await streamed.text()).map(({ event }) => event)

    expect(await whole.json()).toMatchObject({ id: 'msg_1', model: messagesModels.budget })
    expect([events[0], events[1], events.at(-1)]).toEqual(['message_start', 'ping', 'message_stop'])
    expect([counted.status, await counted.json()]).toEqual([200, { input_tokens: expect.any(Number) }])
    expect(claude.calls.map(({ body }) => body)).toEqual([
      { ...json, model: messagesModels.budget },
      { ...json, model: messagesModels.budget, stream: true },
      { ...asked, model: messagesModels.budget },
    ])
    expect(claude.calls[0]?.headers).toMatchObject({ 'anthropic-beta': 'one-2025-01-01', 'x-api-key': claude.key })
  })

  test.for([
    [betasMax, betasMax],
    [betasMax + 1, betasMax],
  ] as const)('is told of %i features that are tried out as %i', async ([given, told], { expect }) => {
    await using gateway = await under()
    const betas = Array.from({ length: given }, (_, index) => `beta-${index}`)
    await gateway.call('/messages', {
      json: { model: budget, max_tokens: 10, messages },
      headers: { 'anthropic-beta': betas.join(',') },
    })

    expect(String(claude.calls[0]?.headers['anthropic-beta']).split(',')).toHaveLength(told)
  })

  test.for([
    ['thinks within a budget', budget],
    ['decides how much it thinks', adaptive],
  ] as const)('that %s brings its signed thinking back on every dialect', async ([, model], { expect }) => {
    await using gateway = await under()
    claude.callTool('weather')
    const openai = openaiClient(gateway)
    const anthropic = anthropicClient(gateway)
    const said: unknown[] = []

    for (const isStream of [false, true]) {
      const ask = { model, messages, tools: [weather], reasoning_effort: 'low' as const }
      const chat = isStream
        ? await openai.chat.completions.stream(ask).finalChatCompletion()
        : await openai.chat.completions.create(ask)
      const called = chat.choices[0]?.message
      const [call] = called?.tool_calls ?? []
      const result = { role: 'tool' as const, tool_call_id: call?.id ?? '', content: 'rain' }
      const history = [...messages, called as OpenAI.ChatCompletionMessageParam, result]
      const after = await openai.chat.completions.create({ ...ask, messages: history })
      said.push(after.choices[0]?.message.content)
    }
    const tools = [{ type: 'function' as const, name: 'weather', parameters: { type: 'object' }, strict: false }]
    const respond = { model, tools, reasoning: { effort: 'low' as const } }
    const first = await openai.responses.create({ ...respond, input: 'who are you?' })
    const item = first.output.find((one) => one.type === 'function_call')
    const output = { type: 'function_call_output' as const, call_id: item?.call_id ?? '', output: 'rain' }
    const second = await openai.responses.create({ ...respond, previous_response_id: first.id, input: [output] })
    said.push(second.output_text)
    const thinking =
      model === budget
        ? { type: 'enabled' as const, budget_tokens: 1_024 }
        : { type: 'adaptive' as const, display: 'summarized' as const }
    const own = {
      model,
      max_tokens: 4_000,
      thinking,
      tools: [{ name: 'weather', input_schema: { type: 'object' as const } }],
    }
    const used = await anthropic.messages.stream({ ...own, messages }).finalMessage()
    const use = used.content.find((block) => block.type === 'tool_use')
    const results = [{ type: 'tool_result' as const, tool_use_id: use?.id ?? '', content: 'rain' }]
    const turn = { role: 'assistant' as const, content: used.content as Anthropic.ContentBlockParam[] }
    const done = await anthropic.messages.create({
      ...own,
      messages: [...messages, turn, { role: 'user', content: results }],
    })
    said.push(done.content.find((block) => block.type === 'text')?.text)

    const words = `I am ${messagesModels[model === budget ? 'budget' : 'adaptive']}.`
    expect(said).toEqual([expect.stringContaining(words), expect.stringContaining(words), words, words])
    expect(used.content[0]).toMatchObject({ type: 'thinking', thinking: 'Let me think.' })
    for (const { body } of claude.calls.filter(({ body: one }) => one.messages.length > 1)) {
      expect(body.messages[1]).toMatchObject({
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Let me think.' },
          { type: 'tool_use', name: 'weather' },
        ],
      })
    }
    expect(claude.calls.filter(({ body }) => body.messages.length > 1)).toHaveLength(4)
  })

  test('gets pictures, documents, marks, limits, schemas and choices of other dialects in its own words', async ({
    expect,
  }) => {
    await using gateway = await under({ ENABLE_PROMPT_CACHING: 'false' })
    const answered = await gateway.call('/chat/completions', {
      json: {
        model: budget,
        max_completion_tokens: 64,
        temperature: 0.5,
        stop: ['END'],
        tools: [weather],
        tool_choice: 'required',
        messages: [
          {
            role: 'system',
            content: [{ type: 'text', text: 'be short', cache_control: { type: 'ephemeral', ttl: '1h' } }],
          },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'what is it?' },
              { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } },
              {
                type: 'file',
                file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${btoa('%PDF-1.4')}` },
              },
              { type: 'file', file: { filename: 'b.csv', file_data: `data:text/csv;base64,${btoa('a,b')}` } },
            ],
          },
        ],
      },
    })
    const format = { type: 'json_schema', name: 'thing', schema: { type: 'object', properties: {} } }
    const shaped = await gateway.call('/responses', { json: { model: budget, input: 'is it?', text: { format } } })

    expect([answered.status, shaped.status]).toEqual([200, 200])
    expect(claude.calls[0]?.body).toEqual({
      model: messagesModels.budget,
      max_tokens: 64,
      temperature: 0.5,
      stop_sequences: ['END'],
      system: [{ type: 'text', text: 'be short', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      tools: [{ name: 'weather', input_schema: weather.function.parameters }],
      tool_choice: { type: 'any' },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'what is it?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } },
            {
              type: 'document',
              title: 'a',
              source: { type: 'base64', media_type: 'application/pdf', data: btoa('%PDF-1.4') },
            },
            { type: 'document', title: 'b', source: { type: 'text', media_type: 'text/plain', data: 'a,b' } },
          ],
        },
      ],
    })
    expect(claude.calls[1]?.body).toMatchObject({
      max_tokens: 32_000,
      output_config: { format: { type: 'json_schema', schema: { type: 'object', additionalProperties: false } } },
    })
  })

  test('takes no sound, and says so', async ({ expect }) => {
    await using gateway = await under()
    const audio = { type: 'input_audio', input_audio: { data: btoa('RIFF'), format: 'wav' } }
    const answer = await gateway.call('/chat/completions', {
      json: { model: budget, messages: [{ role: 'user', content: [{ type: 'text', text: 'hear' }, audio] }] },
    })

    expect([answer.status, claude.calls.length]).toEqual([400, 0])
    expect(await answer.json()).toMatchObject({ error: { code: 'unsupported' } })
  })

  test('counts for two dialects, and nothing of it is written down', async ({ expect }) => {
    await using gateway = await under()
    const anthropic = anthropicClient(gateway)
    const own = await anthropic.messages.countTokens({ model: budget, messages })
    const other = await openaiClient(gateway).responses.inputTokens.count({ model: budget, input: 'who are you?' })

    expect(own.input_tokens).toBeGreaterThan(5)
    expect(other.input_tokens).toBeGreaterThan(5)
    expect(claude.calls.map(({ path }) => path)).toEqual(['/v1/messages/count_tokens', '/v1/messages/count_tokens'])
    expect(await callsOf(gateway)).toEqual([])
  })

  test.for([
    ['refuses the request', 400, 400, 'invalid_request_error', 400, 'bad_request', null],
    ['refuses its key', 401, 502, 'api_error', 502, 'upstream_error', null],
    ['wants to be paid', 402, 502, 'api_error', 502, 'upstream_error', null],
    ['is out of requests', 429, 429, 'rate_limit_error', 429, 'rate_limit_exceeded', '9'],
    ['fails', 500, 502, 'api_error', 502, 'upstream_error', null],
    ['is overloaded', 529, 529, 'overloaded_error', 503, 'overloaded', null],
  ] as const)('that %s is told of in the words of each dialect', async (row, { expect }) => {
    const [, fault, status, type, chatStatus, code, wait] = row
    await using gateway = await under()
    claude.next(fault, fault, fault)
    const own = await gateway.call('/messages', { json: { model: budget, max_tokens: 10, messages } })
    const stream = await gateway.call('/messages', { json: { model: budget, max_tokens: 10, messages, stream: true } })
    const chat = await gateway.call('/chat/completions', { json: { model: budget, messages } })

    expect([own.status, stream.status, own.headers.get('retry-after')]).toEqual([status, status, wait])
    expect(await own.json()).toMatchObject({ type: 'error', error: { type }, request_id: expect.any(String) })
    expect([chat.status, chat.headers.get('retry-after')]).toEqual([chatStatus, wait])
    expect(await chat.json()).toMatchObject({ error: { code } })
    expect((await callsOf(gateway)).map((call) => call.code)).toEqual([code, code, code])
  })

  test.for([
    ['a model it does not have', { model: 'claude/none' }, 400, 'invalid_request_error'],
    ['a wrong key of the owner', { model: `locked/${messagesModels.budget}` }, 502, 'api_error'],
    [
      'too long an input',
      { messages: [{ role: 'user', content: 'x '.repeat(450_000) }] },
      400,
      'invalid_request_error',
    ],
    ['a member it does not know', { unheard_of: 1 }, 400, 'invalid_request_error'],
  ] as const)('refuses %s', async ([, more, status, type], { expect }) => {
    await using gateway = await under()
    const answer = await gateway.call('/messages', { json: { model: budget, max_tokens: 10, messages, ...more } })
    const text = await answer.text()

    expect(answer.status).toBe(status)
    expect(JSON.parse(text)).toMatchObject({ error: { type } })
    expect(text.includes('prompt is too long')).toBe('messages' in more)
    expect(text).not.toContain('wrong')
  })

  test.for(['cut', 'overloaded-within'] as const)(
    'that breaks a stream (%s) is told of in the stream',
    async (fault, { expect }) => {
      await using gateway = await under()
      claude.next(fault, fault)
      const own = await gateway.call('/messages', { json: { model: budget, max_tokens: 10, messages, stream: true } })
      const ownText = await own.text()
      const chat = await gateway.call('/chat/completions', {
        json: { model: budget, messages, stream: true, stream_options: { include_usage: true } },
      })

      expect(ownText).toContain('event: error')
      expect(ownText.match(/event: error/g)).toHaveLength(1)
      expect(await chat.text()).toContain(fault === 'cut' ? 'event: error' : 'overloaded')
      await expect.poll(async () => (await callsOf(gateway)).length, { timeout: 10_000 }).toBe(2)
      expect(await callsOf(gateway)).toMatchObject([{ outcome: 'failed' }, { outcome: 'failed' }])
    },
  )

  test('takes so many calls at once and no more', async ({ expect }) => {
    await using gateway = await under()
    claude.next('hang')
    const leave = new AbortController()
    const json = { model: `narrow/${messagesModels.budget}`, max_tokens: 10, messages }
    const hanging = gateway.call('/messages', { json, signal: leave.signal })
    await expect.poll(() => claude.calls.length, { timeout: 10_000 }).toBe(1)
    const second = await gateway.call('/messages', { json })
    leave.abort()
    await hanging

    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1'])
    expect((await gateway.call('/messages', { json })).status).toBe(200)
  })

  test('is left for the account when it is overloaded, with the thinking that it signed', async ({ expect }) => {
    const routes = { code: [{ model: budget }, { model: sonnet }] }
    await using gateway = await under({ MODEL_ROUTES: JSON.stringify(routes) })
    claude.next(529)
    const ask = { model: 'code', max_tokens: 2_000, messages }
    const first = await anthropicClient(gateway).messages.create(ask)
    const second = await anthropicClient(gateway).messages.create(ask)

    expect((await callsOf(gateway)).map(({ provider, outcome }) => `${provider} ${outcome}`)).toEqual([
      'claude answered',
      'bedrock answered',
      'claude failed',
    ])
    expect(first.model).toBe('code')
    expect(second.content).toMatchObject([{ text: `I am ${messagesModels.budget}.` }])
  })
})
