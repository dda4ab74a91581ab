/** A provider of Google's dialect: every dialect of the gateway is translated into it, and its answers back. */
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import type Anthropic from '@anthropic-ai/sdk'
import { embedMany, generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import type OpenAI from 'openai'
import { afterAll, describe, test } from 'vitest'
import type { CallObject } from '../../../workers/gateway/contract/admin.ts'
import { anthropicClient } from '../../support/anthropic-client.ts'
import { type GatewayUnderTest, gatewayUnderTest, sonnet } from '../../support/gateway-under-test.ts'
import { type GeminiGenerate, geminiModels, geminiSignature } from '../../support/gemini-request-rules.ts'
import { startGeminiStandIn } from '../../support/gemini-stand-in.ts'
import { openaiClient } from '../../support/openai-client.ts'

const messages = [{ role: 'user' as const, content: 'who are you?' }]
const budget = `google/${geminiModels.budget}`
const level = `google/${geminiModels.level}`
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const weather = {
  type: 'function' as const,
  function: { name: 'weather', parameters: { type: 'object', properties: { place: { type: 'string' } } } },
}

const google = await startGeminiStandIn()
afterAll(() => google.close())

function under(more: Record<string, string> = {}): Promise<GatewayUnderTest> {
  google.calls.length = 0
  google.callTool('')
  const common = { dialect: 'gemini', address: google.url, prices: 'gemini' }
  const providers = { google: { ...common, key: google.key }, locked: { ...common, key: 'wrong' } }
  return gatewayUnderTest({ PROVIDERS: JSON.stringify(providers), AWS_MAX_RETRY_ATTEMPTS: '1', ...more })
}

async function callsOf(gateway: GatewayUnderTest): Promise<readonly CallObject[]> {
  return ((await (await gateway.call('/admin/requests')).json()) as { data: CallObject[] }).data
}

function bodies(): readonly GeminiGenerate[] {
  return google.calls.map(({ body }) => body as GeminiGenerate)
}

test('the stand-in takes what a client of the provider sends', async ({ expect }) => {
  const client = createGoogleGenerativeAI({ baseURL: google.url, apiKey: google.key })
  google.callTool('weather')
  const inputSchema = jsonSchema<{ place: string }>({ type: 'object', properties: { place: { type: 'string' } } })
  const tools = { weather: tool({ inputSchema, execute: async () => 'rain' }) }
  for (const id of [geminiModels.budget, geminiModels.level]) {
    const whole = await generateText({ model: client(id), prompt: 'who?', tools, stopWhen: stepCountIs(3) })
    const streamed = streamText({ model: client(id), prompt: 'who?', tools, stopWhen: stepCountIs(3) })

    expect([whole.text, await streamed.text]).toEqual([`I am ${id}.`, `I am ${id}.`])
    expect(whole.steps).toHaveLength(2)
  }
  google.callTool('')
  const embedded = await embedMany({ model: client.embeddingModel(geminiModels.embedding), values: ['a', 'bc'] })

  expect(embedded.embeddings).toHaveLength(2)
})

describe('a provider of the Gemini dialect', () => {
  test('answers all three dialects, whole and streamed, and its counts are written down', async ({ expect }) => {
    await using gateway = await under()
    const openai = openaiClient(gateway)
    const anthropic = anthropicClient(gateway)
    const chat = await openai.chat.completions.create({ model: budget, messages })
    const streamed = await openai.chat.completions.stream({ model: budget, messages }).finalChatCompletion()
    const response = await openai.responses.create({ model: budget, input: 'who are you?' })
    const streamedResponse = await openai.responses.stream({ model: budget, input: 'who are you?' }).finalResponse()
    const message = await anthropic.messages.create({ model: budget, max_tokens: 100, messages })
    const streamedMessage = await anthropic.messages.stream({ model: budget, max_tokens: 100, messages }).finalMessage()

    const words = `I am ${geminiModels.budget}.`
    expect([chat.choices[0]?.message.content, streamed.choices[0]?.message.content]).toEqual([words, words])
    expect([response.output_text, streamedResponse.output_text]).toEqual([words, words])
    expect([message.content, streamedMessage.content]).toMatchObject([[{ text: words }], [{ text: words }]])
    expect(chat.usage).toMatchObject({
      prompt_tokens: 30,
      completion_tokens: 10,
      completion_tokens_details: { reasoning_tokens: 4 },
    })
    expect(google.calls.map(({ path }) => path.split(':')[1])).toEqual([
      'generateContent',
      'streamGenerateContent?alt=sse',
      'generateContent',
      'streamGenerateContent?alt=sse',
      'generateContent',
      'streamGenerateContent?alt=sse',
    ])
    expect(await callsOf(gateway)).toHaveLength(6)
    for (const call of await callsOf(gateway)) {
      expect(call).toMatchObject({
        provider: 'google',
        model: geminiModels.budget,
        outcome: 'answered',
        tokens: { input: 20, cache_read: 10, output: 10, reasoning: 4 },
        is_estimated: false,
      })
    }
  })

  test.for([
    ['thinks within a budget', budget],
    ['thinks by levels', level],
  ] as const)('that %s brings its signatures back on every dialect', async ([, model], { expect }) => {
    await using gateway = await under()
    google.callTool('weather')
    const openai = openaiClient(gateway)
    const anthropic = anthropicClient(gateway)
    const said: unknown[] = []
    for (const isStream of [false, true]) {
      const ask = { model, messages, tools: [weather], reasoning_effort: 'low' as const }
      const chat = isStream
        ? await openai.chat.completions.stream(ask).finalChatCompletion()
        : await openai.chat.completions.create(ask)
      const called = chat.choices[0]?.message
      const result = { role: 'tool' as const, tool_call_id: called?.tool_calls?.[0]?.id ?? '', content: 'rain' }
      const history = [...messages, called as OpenAI.ChatCompletionMessageParam, result]
      said.push((await openai.chat.completions.create({ ...ask, messages: history })).choices[0]?.message.content)
    }
    const tools = [{ type: 'function' as const, name: 'weather', parameters: { type: 'object' }, strict: false }]
    const respond = { model, tools, reasoning: { effort: 'low' as const } }
    const first = await openai.responses.create({ ...respond, input: 'who are you?' })
    const item = first.output.find((one) => one.type === 'function_call')
    const output = { type: 'function_call_output' as const, call_id: item?.call_id ?? '', output: 'rain' }
    said.push(
      (await openai.responses.create({ ...respond, previous_response_id: first.id, input: [output] })).output_text,
    )
    const own = { model, max_tokens: 4_000, tools: [{ name: 'weather', input_schema: { type: 'object' as const } }] }
    const used = await anthropic.messages.stream({ ...own, messages }).finalMessage()
    const use = used.content.find((block) => block.type === 'tool_use')
    const results = [{ type: 'tool_result' as const, tool_use_id: use?.id ?? '', content: 'rain' }]
    const turn = { role: 'assistant' as const, content: used.content as Anthropic.ContentBlockParam[] }
    const done = await anthropic.messages.create({
      ...own,
      messages: [...messages, turn, { role: 'user', content: results }],
    })
    said.push(done.content.find((block) => block.type === 'text')?.text)

    expect(said).toHaveLength(4)
    for (const text of said) expect(text).toContain(`I am ${geminiModels[model === budget ? 'budget' : 'level']}.`)
    const seconds = bodies().filter(({ contents }) => contents.length > 1)
    expect(seconds).toHaveLength(4)
    for (const { contents } of seconds) {
      const { id } = contents[1]?.parts[0]?.functionCall ?? {}
      expect(contents[1]).toEqual({
        role: 'model',
        parts: [{ functionCall: { id, name: 'weather', args: { place: 'Oslo' } }, thoughtSignature: geminiSignature }],
      })
      expect(contents[2]).toMatchObject({
        role: 'user',
        parts: [{ functionResponse: { id, name: 'weather', response: { output: 'rain' } } }],
      })
    }
    expect(seconds[0]?.generationConfig?.thinkingConfig).toEqual(
      model === budget
        ? { includeThoughts: true, thinkingBudget: 1_024 }
        : { includeThoughts: true, thinkingLevel: 'LOW' },
    )
  })

  test('gets pictures, documents, sound, limits, schemas and choices in its own words', async ({ expect }) => {
    await using gateway = await under()
    const answered = await gateway.call('/chat/completions', {
      json: {
        model: budget,
        max_completion_tokens: 64,
        temperature: 0.5,
        top_p: 0.9,
        stop: ['END'],
        reasoning_effort: 'high',
        tools: [
          {
            type: 'function',
            function: {
              name: 'weather',
              description: 'asks the sky',
              parameters: {
                $schema: 'http://json-schema.org/draft-07/schema#',
                type: 'object',
                properties: { place: { type: 'string', pattern: '^[A-Z]', minLength: 2 }, kind: { const: 'rain' } },
                additionalProperties: false,
              },
            },
          },
        ],
        tool_choice: { type: 'function', function: { name: 'weather' } },
        messages: [
          { role: 'system', content: 'be short' },
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
              { type: 'input_audio', input_audio: { data: btoa('ID3'), format: 'mp3' } },
            ],
          },
        ],
      },
    })
    const format = { type: 'json_schema', name: 'thing', schema: { type: 'object', properties: {} } }
    const shaped = await gateway.call('/responses', { json: { model: level, input: 'is it?', text: { format } } })

    expect([answered.status, shaped.status]).toEqual([200, 200])
    expect(bodies()[0]).toEqual({
      systemInstruction: { parts: [{ text: 'be short' }] },
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'what is it?' },
            { inlineData: { mimeType: 'image/png', data: picture } },
            { inlineData: { mimeType: 'application/pdf', data: btoa('%PDF-1.4') } },
            { text: 'b:\na,b' },
            { inlineData: { mimeType: 'audio/mpeg', data: btoa('ID3') } },
          ],
        },
      ],
      tools: [
        {
          functionDeclarations: [
            {
              name: 'weather',
              description: 'asks the sky',
              parametersJsonSchema: {
                type: 'object',
                properties: {
                  place: { type: 'string', description: 'pattern: "^[A-Z]"; minLength: 2' },
                  kind: { enum: ['rain'] },
                },
                additionalProperties: false,
              },
            },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] } },
      generationConfig: {
        maxOutputTokens: 64,
        temperature: 0.5,
        topP: 0.9,
        stopSequences: ['END'],
        thinkingConfig: { includeThoughts: true, thinkingBudget: 51 },
      },
    })
    expect(bodies()[1]?.generationConfig).toEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object', properties: {} },
    })
  })

  test.for([
    ['alone', {}, 'application/json'],
    ['beside functions by words alone', { tools: [{ type: 'function', name: 'f', parameters: {} }] }, undefined],
  ] as const)('is asked for any JSON object %s', async ([, more, type], { expect }) => {
    await using gateway = await under()
    const text = { format: { type: 'json_object' } }
    await gateway.call('/responses', { json: { model: level, input: 'is it?', text, ...more } })

    expect(bodies()[0]?.generationConfig?.responseMimeType).toBe(type)
    expect(JSON.stringify(bodies()[0]?.systemInstruction)).toContain('one JSON object')
  })

  test('ends with what it said, though its signature comes behind that', async ({ expect }) => {
    await using gateway = await under()
    const anthropic = anthropicClient(gateway)
    const ask = { model: level, max_tokens: 900, messages, thinking: { type: 'enabled' as const, budget_tokens: 512 } }
    const whole = await anthropic.messages.create(ask)
    const streamed = await anthropic.messages.stream(ask).finalMessage()

    for (const { content } of [whole, streamed]) expect(content.map(({ type }) => type)).toEqual(['thinking', 'text'])
  })

  test('says which wishes it does not follow', async ({ expect }) => {
    await using gateway = await under()
    const answer = await gateway.call('/messages', {
      json: {
        model: budget,
        max_tokens: 100,
        system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }],
        tools: [{ name: 'weather', input_schema: { type: 'object' }, strict: true }],
        messages,
      },
    })

    expect(answer.headers.get('x-gateway-ignored')?.split(', ').sort()).toEqual(['cache_control', 'tools.strict'])
  })

  test('counts what a request holds', async ({ expect }) => {
    await using gateway = await under()
    const own = await anthropicClient(gateway).messages.countTokens({ model: budget, system: 'be short', messages })
    const other = await openaiClient(gateway).responses.inputTokens.count({ model: level, input: 'who are you?' })

    expect(own.input_tokens).toBeGreaterThan(other.input_tokens)
    expect(google.calls.map(({ path }) => path)).toEqual([
      `/v1beta/models/${geminiModels.budget}:countTokens`,
      `/v1beta/models/${geminiModels.level}:countTokens`,
    ])
  })

  test.for([
    ['refuses the request', 400, 400, 'bad_request', null],
    ['is not allowed', 403, 502, 'upstream_error', null],
    ['is out of requests', 429, 429, 'rate_limit_exceeded', '9'],
    ['fails', 500, 502, 'upstream_error', null],
    ['is overloaded', 503, 503, 'overloaded', null],
  ] as const)('that %s is told of', async ([, fault, status, code, wait], { expect }) => {
    await using gateway = await under()
    google.next(fault, fault)
    const whole = await gateway.call('/chat/completions', { json: { model: budget, messages } })
    const streamed = await gateway.call('/chat/completions', { json: { model: budget, messages, stream: true } })

    expect([whole.status, streamed.status, whole.headers.get('retry-after')]).toEqual([status, status, wait])
    expect(await whole.json()).toMatchObject({ error: { code } })
  })

  test.for([
    ['a model it does not have', { model: 'google/none' }, 400, 'bad_request'],
    ['a name that is no model', { model: 'google/../x' }, 400, 'bad_request'],
    ['a wrong key of the owner', { model: `locked/${geminiModels.budget}` }, 502, 'upstream_error'],
    [
      'too long an input',
      { messages: [{ role: 'user', content: 'x '.repeat(2_200_000) }] },
      400,
      'context_length_exceeded',
    ],
  ] as const)('refuses %s', async ([, more, status, code], { expect }) => {
    await using gateway = await under()
    const answer = await gateway.call('/chat/completions', { json: { model: budget, messages, ...more } })
    const text = await answer.text()

    expect([answer.status, JSON.parse(text).error.code]).toEqual([status, code])
    expect(text).not.toContain('wrong')
  })

  test.for([
    ['will not answer', 'blocked', 'content_filter', undefined],
    ['breaks off', 'cut', undefined, 'event: error'],
    ['is overloaded in the middle', 'overloaded-within', undefined, 'overloaded'],
    ['makes a call that is none', 'malformed', undefined, 'malformed'],
  ] as const)('that %s is told of in the stream', async ([, fault, reason, text], { expect }) => {
    await using gateway = await under()
    google.next(fault)
    const answer = await gateway.call('/chat/completions', { json: { model: level, messages, stream: true } })

    expect(await answer.text()).toContain(reason === undefined ? text : `"finish_reason":"${reason}"`)
    await expect.poll(async () => (await callsOf(gateway)).length, { timeout: 10_000 }).toBe(1)
  })

  test('and the account’s take a conversation over from one another, each without what the other signed', async ({
    expect,
  }) => {
    const routes = { code: [{ model: level }, { model: sonnet }] }
    await using gateway = await under({ MODEL_ROUTES: JSON.stringify(routes) })
    google.callTool('weather')
    const anthropic = anthropicClient(gateway)
    const thinking = { type: 'enabled' as const, budget_tokens: 1_024 }
    const tools = [{ name: 'weather', input_schema: { type: 'object' as const } }]
    const ask = { model: 'code', max_tokens: 4_000, tools, thinking }
    const first = await anthropic.messages.create({ ...ask, messages })
    const use = first.content.find((block) => block.type === 'tool_use')
    const result = { type: 'tool_result' as const, tool_use_id: use?.id ?? '', content: 'rain' }
    const history = [
      ...messages,
      { role: 'assistant' as const, content: first.content as Anthropic.ContentBlockParam[] },
      { role: 'user' as const, content: [result] },
    ]
    google.next(503)
    const second = await anthropic.messages.create({ ...ask, messages: history })
    const signed = { type: 'thinking' as const, thinking: 'hm', signature: 'of somebody else' }
    const foreign = history.map((one) =>
      one.role === 'assistant'
        ? { ...one, content: [signed, ...one.content.filter((block) => block.type !== 'thinking')] }
        : one,
    )
    const third = await anthropic.messages.create({ ...ask, messages: foreign as Anthropic.MessageParam[] })

    expect((await callsOf(gateway)).map(({ provider, outcome }) => `${provider} ${outcome}`).reverse()).toEqual([
      'google answered',
      'google failed',
      'bedrock answered',
      'google answered',
    ])
    expect([second.stop_reason, third.stop_reason]).toEqual(['end_turn', 'end_turn'])
    expect(bodies().at(-1)?.contents[1]?.parts).toMatchObject([
      { thoughtSignature: 'skip_thought_signature_validator' },
    ])
  })
})
