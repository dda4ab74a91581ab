/** Going on from an earlier answer: it is kept, or it is refused in the reference's words, never ignored. */
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, stepCountIs, tool } from 'ai'
import { describe, test } from 'vitest'
import { messageAnswer } from '../../../local/gateway/sandbox/provider-shapes.ts'
import { responseMemory } from '../../../workers/gateway/adapters/response-memory.ts'
import { keptResponseMs, keptResponsesMax } from '../../../workers/gateway/limits.ts'
import { gatewayUnderTest, sonnet, testKey } from '../../support/gateway-under-test.ts'
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

describe('the memory of answers', () => {
  const kept = (id: string, text = 'x') => ({ id, response: { id }, items: [{ id: `item ${id}`, text }] })

  test('forgets the oldest of too many', async ({ expect }) => {
    const memory = responseMemory({ nowMs: () => 0 }, 10_000_000)
    for (let number = 0; number <= keptResponsesMax; number += 1) await memory.put(kept(String(number)))

    expect(await memory.get('0')).toBeUndefined()
    expect(await memory.get('1')).toBeDefined()
  })

  test('holds what fits and nothing that is larger than all it may hold', async ({ expect }) => {
    const size = JSON.stringify(kept('a')).length
    const memory = responseMemory({ nowMs: () => 0 }, 2 * size)
    await memory.put(kept('a'))
    await memory.put(kept('b'))
    expect(await memory.get('a')).toBeDefined()
    await memory.put(kept('c'))
    await memory.put(kept('d', 'x'.repeat(2 * size)))

    expect([await memory.get('a'), await memory.get('d')]).toEqual([undefined, undefined])
    expect(await memory.item('item c')).toMatchObject({ text: 'x' })
  })

  test('keeps nothing for longer than its time', async ({ expect }) => {
    let nowMs = 0
    const memory = responseMemory({ nowMs: () => nowMs }, 10_000)
    await memory.put(kept('a'))
    nowMs = keptResponseMs - 1
    expect(await memory.get('a')).toBeDefined()
    nowMs += 1

    expect([await memory.get('a'), await memory.item('item a')]).toEqual([undefined, undefined])
  })
})
