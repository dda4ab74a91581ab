/** Going on from an earlier answer: it is kept, or it is refused in the reference's words, never ignored. */
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, stepCountIs, tool } from 'ai'
import { describe, test } from 'vitest'
import { messageAnswer } from '../../../local/gateway/sandbox/provider-shapes.ts'
import { keptResponseCharactersOneMax } from '../../../workers/gateway/limits.ts'
import { startChatStandIn } from '../../support/chat-stand-in.ts'
import {
  type GatewayUnderTest,
  gatewayUnderTest,
  sonnet,
  storageInMemory,
  testKey,
} from '../../support/gateway-under-test.ts'
import { openaiClient } from '../../support/openai-client.ts'

const plain = { ENABLE_PROMPT_CACHING: 'false' }

describe('an earlier answer', () => {
  test.for(['whole', 'streamed'] as const)('that came %s is gone on from', async (way, { expect }) => {
    await using under = await gatewayUnderTest(plain)
    const client = openaiClient(under)
    const ask = { model: sonnet, input: 'my name is Ada', reasoning: { effort: 'low' as const } }
    const first =
      way === 'whole' ? await client.responses.create(ask) : await client.responses.stream(ask).finalResponse()
    const second = await client.responses.create({ ...ask, input: 'who am I?', previous_response_id: first.id })
    const body = JSON.stringify(under.bedrock.calls.at(-1)?.body)

    expect(first).toMatchObject({ store: true })
    expect(second.previous_response_id).toBe(first.id)
    expect(body).toContain('my name is Ada')
    expect(body).toContain('"signature"')
    expect(body).toContain('who am I?')
  })

  test('is counted before it is gone on from', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const client = openaiClient(under)
    const first = await client.responses.create({ model: sonnet, input: 'my name is Ada' })
    const alone = await client.responses.inputTokens.count({ model: sonnet, input: 'who am I?' })
    const after = await client.responses.inputTokens.count({
      model: sonnet,
      input: 'who am I?',
      previous_response_id: first.id,
    })
    const estimated = await under.call('/responses/input_tokens', {
      json: { model: 'us.amazon.nova-pro-v1:0', input: 'x' },
    })
    const unknown = await under.call('/responses/input_tokens', {
      json: { model: sonnet, input: 'x', previous_response_id: 'resp_none' },
    })

    expect(alone).toMatchObject({ object: 'response.input_tokens', input_tokens: expect.any(Number) })
    expect(after.input_tokens).toBeGreaterThan(alone.input_tokens)
    expect(estimated.headers.get('x-gateway-estimated')).toBe('input_tokens')
    expect(unknown.status).toBe(400)
    expect(under.bedrock.callsOf('converse')).toHaveLength(1)
  })

  test('is shown and deleted', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const client = openaiClient(under)
    const first = await client.responses.create({ model: sonnet, input: 'hi' })
    const shown = await client.responses.retrieve(first.id)
    await client.responses.delete(first.id)

    expect(shown.output_text).toBe(first.output_text)
    await expect(client.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 })
    await expect(client.responses.delete(first.id)).rejects.toMatchObject({ status: 404 })
  })

  test.for([
    ['an answer that nobody gave', { previous_response_id: 'resp_none' }, 400, 'previous_response_not_found'],
    ['a conversation', { conversation: 'conv_1' }, 404, 'not_found'],
    ['an item that nobody gave', { input: [{ type: 'item_reference', id: 'msg_none' }] }, 400, 'bad_request'],
    ['an item with an id alone', { input: [{ role: 'user', content: 'x' }, { id: 'msg_none' }] }, 400, 'bad_request'],
  ] as const)('%s is refused, not ignored', async ([, more, status, code], { expect }) => {
    await using under = await gatewayUnderTest(plain)
    const answer = await under.call('/responses', { json: { model: sonnet, input: 'x', ...more } })

    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({
      error: { code, type: 'invalid_request_error', message: expect.stringContaining('not found') },
    })
    expect(under.bedrock.callsOf('converse')).toEqual([])
  })

  test('that was not to be stored is not there', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const client = openaiClient(under)
    const first = await client.responses.create({ model: sonnet, input: 'hi', store: false })

    await expect(
      client.responses.create({ model: sonnet, input: 'hi', previous_response_id: first.id }),
    ).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' })
  })
})

test('another library refers to items of its earlier steps, as it does with nothing set', async ({ expect }) => {
  await using under = await gatewayUnderTest(plain)
  const toolUse = { toolUseId: 'tooluse_1', name: 'weather', input: { city: 'Oslo' } }
  under.bedrock.next(messageAnswer([{ text: 'Looking.' }, { toolUse }], 'tool_use'), messageAnswer([{ text: 'Rain.' }]))
  const provider = createOpenAI({
    apiKey: testKey,
    baseURL: 'http://gateway.test/api/v1',
    fetch: async (input, init) => under.gateway.fetch(new Request(input, init)),
  })
  const { text, steps } = await generateText({
    model: provider(sonnet),
    prompt: 'Weather in Oslo?',
    stopWhen: stepCountIs(3),
    tools: {
      weather: tool({
        inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
        execute: async ({ city }) => `rain in ${city}`,
      }),
    },
  })

  expect([steps.length, text]).toEqual([2, 'Rain.'])
  expect(under.bedrock.callsOf('converse')[1]?.body).toMatchObject({
    messages: [{}, { content: [{ text: 'Looking.' }, { toolUse }] }, { content: [{ toolResult: {} }] }],
  })
})

describe('items of an answer', () => {
  test('are listed page by page, what came before included', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const client = openaiClient(under)
    const image = { type: 'input_text' as const, text: 'and now?' }
    const first = await client.responses.create({
      model: sonnet,
      input: 'my name is Ada',
      reasoning: { effort: 'low' },
    })
    const second = await client.responses.create({
      model: sonnet,
      previous_response_id: first.id,
      input: [{ role: 'user', content: [image] }],
    })
    const newest: string[] = []
    for await (const item of client.responses.inputItems.list(second.id, { limit: 2 })) newest.push(item.id ?? '')
    const { data } = await client.responses.inputItems.list(second.id, { order: 'asc', limit: 100 })
    const sealed = await client.responses.inputItems.list(second.id, {
      order: 'asc',
      include: ['reasoning.encrypted_content'],
    })

    expect(data.map((item) => item.type)).toEqual(['message', 'reasoning', 'message', 'message'])
    expect(data[0]).toMatchObject({
      role: 'user',
      status: 'completed',
      content: [{ type: 'input_text', text: 'my name is Ada' }],
    })
    expect(data[3]).toMatchObject({ role: 'user', content: [image] })
    expect(newest).toEqual(data.map((item) => item.id).reverse())
    expect(new Set(newest).size).toBe(4)
    expect(data[1]).not.toHaveProperty('encrypted_content')
    expect(sealed.data[1]).toMatchObject({ encrypted_content: expect.any(String) })
  })

  test.for([
    ['limit=0', 400],
    ['limit=101', 400],
    ['limit=100', 200],
    ['order=up', 400],
    ['after=item_none', 400],
  ] as const)('asked for with %s: %i', async ([query, status], { expect }) => {
    await using under = await gatewayUnderTest(plain)
    const { id } = await openaiClient(under).responses.create({ model: sonnet, input: 'hi' })

    expect((await under.call(`/responses/${id}/input_items?${query}`)).status).toBe(status)
  })

  test('can be referred to whoever said them, and are not said twice', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const client = openaiClient(under)
    const first = await client.responses.create({ model: sonnet, input: 'my name is Ada' })
    const { data } = await client.responses.inputItems.list(first.id)
    const references = [data[0]?.id, first.output.at(-1)?.id].map((id) => ({
      type: 'item_reference' as const,
      id: id ?? '',
    }))
    await client.responses.create({ model: sonnet, input: [...references, { role: 'user', content: 'who am I?' }] })
    await client.responses.create({ model: sonnet, previous_response_id: first.id, input: references })
    const bare = [...references.map(({ id }) => ({ id })), { role: 'user' as const, content: 'who am I?' }]
    await client.responses.create({ model: sonnet, input: bare })
    const said = under.bedrock.callsOf('converse').map(({ body }) => body['messages'])

    expect(said[1]).toMatchObject([{ role: 'user' }, { role: 'assistant' }, { role: 'user' }])
    expect(said[2]).toMatchObject([{ role: 'user', content: [{ text: 'my name is Ada' }] }, { role: 'assistant' }])
    expect(said[3]).toEqual(said[1])
  })
})

describe('an answer is its key’s alone', () => {
  async function keysOf(
    under: GatewayUnderTest,
    name: string,
  ): Promise<{ id: string; headers: { authorization: string } }> {
    const made = await under.call('/admin/keys', { json: { name } })
    const { id, secret } = (await made.json()) as { id: string; secret: string }
    return { id, headers: { authorization: `Bearer ${secret}` } }
  }

  test('and others are told that there is none', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const [mine, other] = [await keysOf(under, 'mine'), await keysOf(under, 'other')]
    const first = await under.call('/responses', { headers: mine.headers, json: { model: sonnet, input: 'hi' } })
    const response = (await first.json()) as { id: string; output: { id: string }[] }
    const statuses = async (headers: Record<string, string>) => [
      (await under.call(`/responses/${response.id}`, { headers })).status,
      (await under.call(`/responses/${response.id}/input_items`, { headers })).status,
      (
        await under.call('/responses', {
          headers,
          json: { model: sonnet, input: 'x', previous_response_id: response.id },
        })
      ).status,
      (
        await under.call('/responses', {
          headers,
          json: { model: sonnet, input: [{ type: 'item_reference', id: response.output.at(-1)?.id }] },
        })
      ).status,
      (await under.call(`/responses/${response.id}`, { headers, method: 'DELETE' })).status,
    ]

    expect(await statuses(other.headers)).toEqual([404, 404, 400, 400, 404])
    expect(await statuses({})).toEqual([404, 404, 400, 400, 404])
    expect(await statuses(mine.headers)).toEqual([200, 200, 200, 200, 200])
    expect((await under.call(`/responses/${response.id}`, { headers: mine.headers })).status).toBe(404)
  })

  test('and goes with it', async ({ expect }) => {
    await using under = await gatewayUnderTest(plain)
    const mine = await keysOf(under, 'mine')
    const first = await under.call('/responses', { headers: mine.headers, json: { model: sonnet, input: 'hi' } })
    const { id } = (await first.json()) as { id: string }
    await under.call(`/admin/keys/${mine.id}`, { method: 'DELETE' })
    const revoked = await under.storage.responseStore.get(mine.id, id, Date.now())
    await under.call(`/admin/keys/${mine.id}`, { method: 'DELETE' })

    expect(revoked).toBeDefined()
    expect(await under.storage.responseStore.get(mine.id, id, Date.now())).toBeUndefined()
  })
})

test('an answer too large to be kept is given, and said not to be there', { tags: 'slow' }, async ({ expect }) => {
  const north = await startChatStandIn()
  const providers = { north: { address: north.url, key: north.key, prices: 'free' } }
  await using under = await gatewayUnderTest({ ...plain, PROVIDERS: JSON.stringify(providers) })
  const client = openaiClient(under)
  const input = 'x'.repeat(keptResponseCharactersOneMax)
  const first = await client.responses.create({ model: 'north/small-1', input: input.slice(0, -10_000) })
  const second = await client.responses.create({ model: 'north/small-1', input })
  await north.close()

  expect((await under.call(`/responses/${first.id}`)).status).toBe(200)
  expect((await under.call(`/responses/${second.id}`)).status).toBe(404)
  expect(under.logs.filter(({ event }) => event === 'response-not-kept')).toHaveLength(1)
})

test('a store that fails costs no answer', async ({ expect }) => {
  const { keyStore, responseStore } = storageInMemory()
  const put = () => Promise.reject(new Error('no space'))
  await using under = await gatewayUnderTest(plain, { keyStore, responseStore: { ...responseStore, put } })
  const client = openaiClient(under)
  const whole = await client.responses.create({ model: sonnet, input: 'hi' })
  const streamed = await client.responses.stream({ model: sonnet, input: 'hi' }).finalResponse()

  expect([whole.status, streamed.status]).toEqual(['completed', 'completed'])
  expect(under.logs.filter(({ event }) => event === 'response-not-kept')).toMatchObject([
    { cause: 'no space' },
    { cause: 'no space' },
  ])
})
