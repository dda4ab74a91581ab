import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, streamText, tool } from 'ai'
import { describe, test } from 'vitest'
import { messageAnswer, metadataStep, textSteps } from '../../../local/gateway/sandbox/provider-shapes.ts'
import { sandboxLabel } from '../../../local/gateway/sandbox/sandbox-model.ts'
import { type GatewayUnderTest, gatewayUnderTest, sonnet, testKey } from '../../support/gateway-under-test.ts'

function modelOf(under: GatewayUnderTest) {
  return createOpenAICompatible({
    name: 'gateway',
    baseURL: 'http://gateway.test/api/v1',
    apiKey: testKey,
    includeUsage: true,
    fetch: (url, init) => under.gateway.fetch(new Request(url, init)),
  })(sonnet)
}

const look = tool({
  description: 'Looks at a place',
  inputSchema: jsonSchema<{ place: string }>({
    type: 'object',
    properties: { place: { type: 'string' } },
    required: ['place'],
  }),
  execute: async ({ place }) => `seen ${place}`,
})

describe('another client library', () => {
  test('generates a text and counts it', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const { text, usage, finishReason } = await generateText({ model: modelOf(under), prompt: 'hello there' })

    expect(text).toBe(`${sandboxLabel} You said: hello there`)
    expect(finishReason).toBe('stop')
    expect(usage).toMatchObject({ inputTokens: 25, outputTokens: 9 })
  })

  test('streams a text piece by piece', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next({ steps: textSteps(['Hel', 'lo']) })
    const result = streamText({ model: modelOf(under), prompt: 'hi' })
    const pieces: string[] = []
    for await (const piece of result.textStream) pieces.push(piece)

    expect(pieces).toEqual(['Hel', 'lo'])
    expect(await result.usage).toMatchObject({ inputTokens: 11, outputTokens: 7 })
  })

  test('runs its tools over several steps, streamed', async ({ expect }) => {
    await using under = await gatewayUnderTest({ ENABLE_PROMPT_CACHING: 'false' })
    const call = (block: number, id: string, place: string) => [
      {
        event: 'contentBlockStart',
        payload: { contentBlockIndex: block, start: { toolUse: { toolUseId: id, name: 'look' } } },
      },
      { event: 'contentBlockDelta', payload: { contentBlockIndex: block, delta: { toolUse: { input: '{"place":' } } } },
      {
        event: 'contentBlockDelta',
        payload: { contentBlockIndex: block, delta: { toolUse: { input: `"${place}"}` } } },
      },
      { event: 'contentBlockStop', payload: { contentBlockIndex: block } },
    ]
    under.bedrock.next(
      {
        steps: [
          { event: 'messageStart', payload: { role: 'assistant' } },
          ...call(0, 'a', 'Oslo'),
          ...call(1, 'b', 'Rome'),
          { event: 'messageStop', payload: { stopReason: 'tool_use' } },
          metadataStep(),
        ],
      },
      { steps: textSteps(['Both seen.']) },
    )
    const result = streamText({
      model: modelOf(under),
      prompt: 'look at Oslo and Rome',
      tools: { look },
      stopWhen: ({ steps }) => steps.length === 2,
    })

    expect(await result.text).toBe('Both seen.')
    expect(under.bedrock.callsOf('converse-stream')[1]?.body['messages']).toMatchObject([
      {},
      {
        content: [
          { toolUse: { toolUseId: 'a', input: { place: 'Oslo' } } },
          { toolUse: { toolUseId: 'b', input: { place: 'Rome' } } },
        ],
      },
      {
        content: [
          { toolResult: { toolUseId: 'a', content: [{ text: 'seen Oslo' }] } },
          { toolResult: { toolUseId: 'b', content: [{ text: 'seen Rome' }] } },
        ],
      },
    ])
  })

  test('sees a refusal as an error with its status', async ({ expect }) => {
    await using under = await gatewayUnderTest({ AWS_MAX_RETRY_ATTEMPTS: '1' })
    under.bedrock.next(
      { status: 403, error: 'AccessDeniedException', message: 'no access' },
      messageAnswer([{ text: 'x' }]),
    )
    const failed = await generateText({ model: modelOf(under), prompt: 'hi', maxRetries: 0 }).catch(
      (error: unknown) => error,
    )

    expect(failed).toMatchObject({ statusCode: 401, message: 'no access' })
  })
})

describe('its client for responses', () => {
  const toolCall = messageAnswer(
    [
      { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'sig' } } },
      { toolUse: { toolUseId: 'a', name: 'look', input: { place: 'Oslo' } } },
    ],
    'tool_use',
  )
  const ask = (under: GatewayUnderTest, store: boolean | undefined) =>
    generateText({
      model: createOpenAI({
        baseURL: 'http://gateway.test/api/v1',
        apiKey: testKey,
        fetch: (url, init) => under.gateway.fetch(new Request(url, init)),
      }).responses(sonnet),
      providerOptions: {
        openai: { forceReasoning: true, reasoningEffort: 'low', ...(store === undefined ? {} : { store }) },
      },
      prompt: 'look at Oslo',
      tools: { look },
      stopWhen: ({ steps }) => steps.length === 2,
      maxRetries: 0,
    })

  test('runs its tools over several steps, with the reasoning signed', async ({ expect }) => {
    await using under = await gatewayUnderTest({ ENABLE_PROMPT_CACHING: 'false' })
    under.bedrock.next(toolCall, messageAnswer([{ text: 'Seen.' }]))
    const { text } = await ask(under, false)

    expect(text).toBe('Seen.')
    expect(under.bedrock.callsOf('converse')[1]?.body['messages']).toEqual([
      { role: 'user', content: [{ text: 'look at Oslo' }] },
      {
        role: 'assistant',
        content: [
          { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'sig' } } },
          { toolUse: { toolUseId: 'a', name: 'look', input: { place: 'Oslo' } } },
        ],
      },
      { role: 'user', content: [{ toolResult: { toolUseId: 'a', content: [{ text: 'seen Oslo' }] } }] },
    ])
  })

  test('refers to items of its earlier steps instead of sending them, unless it is told otherwise', async ({
    expect,
  }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next(toolCall)
    const { text } = await ask(under, undefined)

    expect(text).toContain('The tool answered')
  })
})
