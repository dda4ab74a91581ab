import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  InvokeModelCommand,
} from '@aws-sdk/client-bedrock-runtime'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import OpenAI from 'openai'
import { describe, test } from 'vitest'
import { hasProvider } from '../../../local/gateway/has-provider.ts'
import { sandboxLabel } from '../../../local/gateway/sandbox/sandbox-model.ts'
import { startSandbox } from '../../../local/gateway/sandbox/start-sandbox.ts'
import { gatewayOnNode } from '../../support/gateway-on-node.ts'
import { sonnet, testKey } from '../../support/gateway-under-test.ts'

describe('the sandbox', () => {
  test('is taken for the real provider by the provider’s own SDK', async ({ expect }) => {
    const sandbox = await startSandbox()
    const client = new BedrockRuntimeClient({
      endpoint: sandbox.url,
      region: 'us-west-2',
      credentials: {
        accessKeyId: sandbox.variables['AWS_ACCESS_KEY_ID'] ?? '',
        secretAccessKey: sandbox.variables['AWS_SECRET_ACCESS_KEY'] ?? '',
      },
      maxAttempts: 1,
      requestHandler: new NodeHttpHandler(),
    })
    const messages = [{ role: 'user' as const, content: [{ text: 'call weather {"city":"Oslo"}' }] }]
    const toolConfig = { tools: [{ toolSpec: { name: 'weather', inputSchema: { json: { type: 'object' } } } }] }
    const whole = await client.send(new ConverseCommand({ modelId: sonnet, messages, toolConfig }))
    const streamed = await client.send(new ConverseStreamCommand({ modelId: sonnet, messages, toolConfig }))
    let text = ''
    let input = ''
    let stopReason: string | undefined
    for await (const event of streamed.stream ?? []) {
      text += event.contentBlockDelta?.delta?.text ?? ''
      input += event.contentBlockDelta?.delta?.toolUse?.input ?? ''
      stopReason ??= event.messageStop?.stopReason
    }
    const embedded = await client.send(
      new InvokeModelCommand({ modelId: 'amazon.titan-embed-text-v2:0', body: '{"inputText":"x","dimensions":256}' }),
    )
    client.destroy()
    await sandbox.close()

    expect(whole.output?.message?.content).toMatchObject([
      { text: expect.stringContaining(sandboxLabel) },
      { toolUse: { name: 'weather', input: { city: 'Oslo' } } },
    ])
    expect([text.startsWith(sandboxLabel), JSON.parse(input), stopReason]).toEqual([true, { city: 'Oslo' }, 'tool_use'])
    expect(JSON.parse(new TextDecoder().decode(embedded.body)).embedding).toHaveLength(256)
  })

  test('takes no identity but its own', async ({ expect }) => {
    const sandbox = await startSandbox()
    const other = await startSandbox()
    const started = await gatewayOnNode({
      API_KEY: testKey,
      ...other.variables,
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: sandbox.url,
    })
    const answer = await fetch(`${started.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}` },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'hi' }] }),
    })
    await started.stop()
    await Promise.all([sandbox.close(), other.close()])

    expect(answer.status).toBe(401)
  })

  test('lets every interface of the gateway be tried with the official client', async ({ expect }) => {
    const sandbox = await startSandbox()
    const started = await gatewayOnNode({ API_KEY: testKey, ...sandbox.variables })
    const client = new OpenAI({ apiKey: testKey, baseURL: started.url, maxRetries: 0 })
    const user = (content: string) => [{ role: 'user' as const, content }]
    const parameters = {
      type: 'object',
      properties: {
        unit: { enum: ['celsius', 'kelvin'] },
        days: { type: 'array', items: { $ref: '#/$defs/day' }, minItems: 1 },
      },
      required: ['unit', 'days'],
      additionalProperties: false,
      $defs: {
        day: {
          type: 'object',
          properties: { name: { type: 'string' } },
          required: ['name'],
          additionalProperties: false,
        },
      },
    }
    const tools = [{ type: 'function' as const, function: { name: 'weather', parameters } }]
    const example = { unit: 'celsius', days: [{ name: 'sandbox' }] }

    const chat = await client.chat.completions.create({ model: sonnet, messages: user('good morning') })
    const short = await client.chat.completions.create({ model: sonnet, messages: user('one two'), max_tokens: 3 })
    const forced = await client.chat.completions
      .stream({ model: sonnet, messages: user('hi'), tools, tool_choice: 'required' })
      .finalChatCompletion()
    const call = forced.choices[0]?.message.tool_calls?.[0]
    if (call?.type !== 'function') throw new Error('no tool was called')
    const continued = await client.chat.completions.create({
      model: sonnet,
      messages: [
        ...user('hi'),
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: call.id, content: 'rain' },
      ],
      tools,
    })
    const structured = await client.chat.completions.create({
      model: sonnet,
      messages: user('as JSON'),
      response_format: { type: 'json_schema', json_schema: { name: 'weather', schema: parameters } },
    })
    const mistyped = await client.chat.completions.create({ model: `${sonnet}x`, messages: user('hi') }).catch(String)
    const response = await client.responses.stream({ model: sonnet, input: 'good morning' }).finalResponse()
    const near = await client.embeddings.create({
      model: 'cohere.embed-multilingual-v3',
      input: ['green apples', 'green pears', 'fast cars'],
    })
    const models = await client.models.list()
    await started.stop()
    await sandbox.close()

    expect(chat.choices[0]?.message.content).toBe(`${sandboxLabel} You said: good morning`)
    expect(short.choices[0]?.finish_reason).toBe('length')
    expect(mistyped).toMatch(/^Error: 400 The provided model identifier is invalid/)
    expect(JSON.parse(call.function.arguments)).toEqual(example)
    expect(continued.choices[0]?.message.content).toBe(`${sandboxLabel} The tool answered: rain`)
    expect(JSON.parse(structured.choices[0]?.message.content ?? '')).toEqual(example)
    expect(response.output_text).toBe(`${sandboxLabel} You said: good morning`)
    const [apples = [], pears = [], cars = []] = near.data.map((entry) => entry.embedding)
    const likeness = (left: number[], right: number[]) => left.reduce((sum, one, at) => sum + one * (right[at] ?? 0), 0)
    expect(likeness(apples, pears)).toBeGreaterThan(likeness(apples, cars))
    expect(models.data.map((model) => model.id)).toContain(sonnet)
  })
})

test.for([
  ['nothing', {}, false],
  ['a region alone', { AWS_REGION: 'us-east-1' }, false],
  ['empty credentials', { AWS_ACCESS_KEY_ID: '' }, false],
  ['an access key', { AWS_ACCESS_KEY_ID: 'AKID' }, true],
  ['a provider key', { AWS_BEARER_TOKEN_BEDROCK: 'key' }, true],
  ['a web identity', { AWS_WEB_IDENTITY_TOKEN_FILE: '/token' }, true],
  ['a container’s credentials', { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://127.0.0.1/' }, true],
  ['another address', { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: 'http://127.0.0.1:1' }, true],
] as const)('with %s in the settings, a provider is there or not', ([, variables, isThere], { expect }) => {
  expect(hasProvider(variables)).toBe(isThere)
})
