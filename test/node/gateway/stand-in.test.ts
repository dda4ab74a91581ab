/** The provider's stand-in, asked by the provider's own SDK: what it refuses, and in which words. */
import { readdirSync, readFileSync } from 'node:fs'
import {
  BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
  CountTokensCommand,
} from '@aws-sdk/client-bedrock-runtime'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { afterAll, describe, test } from 'vitest'
import { accountIn, listingAnswer } from '../../../local/gateway/sandbox/account.ts'
import { serviceModel } from '../../../local/gateway/sandbox/service-model.ts'
import { shapeFault } from '../../../local/gateway/sandbox/shape-fault.ts'
import { fakeAccess, startFakeBedrock } from '../../support/fake-bedrock.ts'
import { opus, sonnet, sonnetFoundation } from '../../support/gateway-under-test.ts'

const bedrock = await startFakeBedrock()
const client = new BedrockRuntimeClient({
  endpoint: bedrock.url,
  region: 'us-west-2',
  credentials: fakeAccess,
  maxAttempts: 1,
  requestHandler: new NodeHttpHandler(),
})
afterAll(async () => {
  client.destroy()
  await bedrock.close()
})

type Turn = NonNullable<ConverseCommandInput['messages']>[number]

const hello: Turn = { role: 'user', content: [{ text: 'hello' }] }
const call: Turn = { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'f', input: {} } }] }
const result: Turn = { role: 'user', content: [{ toolResult: { toolUseId: 'a', content: [{ text: 'x' }] } }] }
const toolConfig = { tools: [{ toolSpec: { name: 'f', inputSchema: { json: { type: 'object' } } } }] }
const enabled = { thinking: { type: 'enabled', budget_tokens: 2_000 } }
const llama = 'meta.llama3-1-70b-instruct-v1:0'
const llm = 'anthropic.claude-3-5-sonnet-20241022-v2:0'

function wide(format: 'png' | 'gif', width: number): Uint8Array {
  const bytes = Buffer.alloc(24)
  bytes.write(format === 'png' ? '\x89PNG\r\n\x1a\n' : 'GIF89a', 'latin1')
  if (format === 'png') bytes.writeUInt32BE(width, 16)
  else bytes.writeUInt16LE(width, 6)
  return bytes
}

function pictured(format: 'png' | 'gif', bytes: Uint8Array): Partial<ConverseCommandInput> {
  return { messages: [{ role: 'user', content: [{ text: 'x' }, { image: { format, source: { bytes } } }] }] }
}

async function refusalOf(input: Partial<ConverseCommandInput>): Promise<string> {
  const asked = client.send(new ConverseCommand({ modelId: sonnet, messages: [hello], ...input }))
  return asked.then(
    () => 'taken',
    (error: Error) => `${error.name}: ${error.message}`,
  )
}

describe('the stand-in refuses as the provider does', () => {
  test.for<readonly [string, Partial<ConverseCommandInput>, string]>([
    ['a name nobody has', { modelId: 'a.b' }, 'ValidationException: The provided model identifier is invalid'],
    ['a profile of another part of the world', { modelId: `eu.${sonnetFoundation}` }, 'identifier is invalid'],
    ['a model that only profiles lead to', { modelId: sonnetFoundation }, 'with on-demand throughput isn’t supported'],
    ['a retired model', { modelId: `us.${llm}` }, 'ResourceNotFoundException: This model version has reached the end'],
    ['an abandoned one', { modelId: 'us.amazon.nova-premier-v1:0' }, 'ResourceNotFoundException: Access denied. This'],
    ['an embedding model', { modelId: 'cohere.embed-english-v3' }, "This action doesn't support the model"],
    [
      'an answer to begin with',
      { messages: [{ role: 'assistant', content: [{ text: 'x' }] }] },
      'must start with a user',
    ],
    ['two turns of one role', { messages: [hello, hello] }, 'must alternate between user and assistant'],
    ['an empty turn', { messages: [{ role: 'user', content: [] }] }, 'messages.0 is empty'],
    ['blank text', { messages: [{ role: 'user', content: [{ text: ' ' }] }] }, 'messages.0.content.0 is blank'],
    ['calls without tools', { messages: [hello, call, result] }, 'toolConfig field must be defined'],
    [
      'a call without a result',
      { messages: [hello, call, hello], toolConfig },
      'Expected toolResult blocks at messages.2',
    ],
    ['a result without a call', { messages: [result], toolConfig }, 'exceeds the number of toolUse blocks'],
    [
      'words beside results where the model has no place for them',
      {
        modelId: llama,
        toolConfig,
        messages: [hello, call, { role: 'user', content: [...(result.content ?? []), { text: 'x' }] }],
      },
      'cannot be provided in the same turn',
    ],
    [
      'a tool of no object',
      { toolConfig: { tools: [{ toolSpec: { name: 'f', inputSchema: { json: {} } } }] } },
      'must be one of the following: object',
    ],
    [
      'a forced tool where there is none',
      { modelId: llama, toolConfig: { ...toolConfig, toolChoice: { any: {} } } },
      "doesn't support the toolConfig.toolChoice.any field",
    ],
    [
      'a name of a tool that is too long',
      { toolConfig: { tools: [{ toolSpec: { name: 'x'.repeat(65), inputSchema: { json: { type: 'object' } } } }] } },
      'failed to satisfy constraint',
    ],
    [
      'a temperature over its range',
      { inferenceConfig: { temperature: 1.5 } },
      "at 'inferenceConfig.temperature' failed",
    ],
    ['temperature and top_p at once', { inferenceConfig: { temperature: 1, topP: 1 } }, 'cannot both be specified'],
    [
      'sampling where it is no more',
      { modelId: 'us.anthropic.claude-opus-4-8', inferenceConfig: { temperature: 0 } },
      '`temperature` is deprecated',
    ],
    [
      'more tokens than the model gives',
      { inferenceConfig: { maxTokens: 64_001 } },
      'exceeds the model limit of 64000',
    ],
    [
      'an endless input',
      { messages: [{ role: 'user', content: [{ text: 'x'.repeat(900_000) }] }] },
      'Input is too long for requested model',
    ],
    [
      'a budget too small',
      { additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1_023 } } },
      'greater than or equal to 1024',
    ],
    [
      'a budget over the limit',
      { additionalModelRequestFields: enabled, inferenceConfig: { maxTokens: 2_000 } },
      'must be greater than `thinking.budget_tokens`',
    ],
    [
      'thinking and a temperature',
      { additionalModelRequestFields: enabled, inferenceConfig: { temperature: 0 } },
      'may only be set to 1',
    ],
    [
      'thinking and a forced tool',
      { additionalModelRequestFields: enabled, toolConfig: { ...toolConfig, toolChoice: { any: {} } } },
      'when tool_choice forces tool use',
    ],
    [
      'a call without its thinking',
      { additionalModelRequestFields: enabled, toolConfig, messages: [hello, call, result] },
      'but found `tool_use`',
    ],
    [
      'adaptive thinking too early',
      { additionalModelRequestFields: { thinking: { type: 'adaptive' } } },
      'adaptive thinking is not supported',
    ],
    [
      'a budget too late',
      { modelId: 'us.anthropic.claude-opus-4-8', additionalModelRequestFields: enabled },
      '"thinking.type.enabled" is not supported',
    ],
    [
      'a beginning where none may be',
      { modelId: opus, messages: [hello, { role: 'assistant', content: [{ text: 'x' }] }] },
      'does not support assistant message prefill',
    ],
    ['a field nobody knows', { additionalModelRequestFields: { foo: 1 } }, 'foo: Extra inputs are not permitted'],
    [
      'made-up reasoning',
      {
        messages: [
          hello,
          {
            role: 'assistant',
            content: [{ reasoningContent: { reasoningText: { text: 'x', signature: 'y' } } }, { text: 'z' }],
          },
          hello,
        ],
      },
      'Invalid `signature` in `thinking` block',
    ],
    [
      'a mark where nothing is cached',
      { modelId: llama, system: [{ text: 'x' }, { cachePoint: { type: 'default' } }] },
      'AccessDeniedException: You invoked an unsupported model',
    ],
    [
      'five marks',
      { system: Array.from({ length: 5 }, () => ({ cachePoint: { type: 'default' as const } })) },
      'A maximum of 4 blocks',
    ],
    [
      'a picture that is none',
      { messages: [{ role: 'user', content: [{ image: { format: 'png', source: { bytes: new Uint8Array(9) } } }] }] },
      'Could not process image',
    ],
    ['a PNG that is too wide', pictured('png', wide('png', 8_001)), 'exceed max allowed size: 8000 pixels'],
    ['a PNG of the most', pictured('png', wide('png', 8_000)), 'taken'],
    ['a GIF that is too wide', pictured('gif', wide('gif', 8_001)), 'exceed max allowed size: 8000 pixels'],
    [
      'a document without words',
      { messages: [{ role: 'user', content: [{ document: { format: 'txt', name: 'a', source: { text: 'x' } } }] }] },
      'no text block',
    ],
    [
      'a document named like a file',
      {
        messages: [
          {
            role: 'user',
            content: [{ text: 'x' }, { document: { format: 'txt', name: 'a.txt', source: { text: 'x' } } }],
          },
        ],
      },
      'document name is invalid',
    ],
  ])('%s', async ([, input, words], { expect }) => {
    expect(await refusalOf(input)).toContain(words)
  })

  test('an account that asks too often', async ({ expect }) => {
    bedrock.callsLeft = 1
    const refusals = [await refusalOf({}), await refusalOf({})]
    bedrock.callsLeft = Number.POSITIVE_INFINITY

    expect(refusals).toEqual(['taken', expect.stringContaining('ThrottlingException: Too many requests')])
  })

  test('strangers', async ({ expect }) => {
    const stranger = new BedrockRuntimeClient({
      endpoint: bedrock.url,
      region: 'us-west-2',
      credentials: { ...fakeAccess, accessKeyId: 'AKIDSTRANGER' },
      maxAttempts: 1,
      requestHandler: new NodeHttpHandler(),
    })
    const asked = stranger.send(new ConverseCommand({ modelId: sonnet, messages: [hello] }))

    await expect(asked).rejects.toMatchObject({ name: 'UnrecognizedClientException' })
    stranger.destroy()
  })
})

test('the stand-in takes its own reasoning back, for that model and unchanged', async ({ expect }) => {
  const input = {
    modelId: sonnet,
    toolConfig,
    inferenceConfig: { maxTokens: 4_000 },
    additionalModelRequestFields: enabled,
    messages: [{ role: 'user' as const, content: [{ text: 'call f' }] }],
  }
  const first = await client.send(new ConverseCommand(input))
  const content = first.output?.message?.content ?? []
  const id = content.at(-1)?.toolUse?.toolUseId
  const messages = [
    ...input.messages,
    { role: 'assistant' as const, content },
    { role: 'user' as const, content: [{ toolResult: { toolUseId: id, content: [{ text: 'x' }] } }] },
  ]
  const elsewhere = { modelId: 'us.anthropic.claude-haiku-4-5-20251001-v1:0', messages }

  expect(content.map((block) => Object.keys(block)[0])).toEqual(['reasoningContent', 'text', 'toolUse'])
  expect(await refusalOf({ ...input, messages })).toBe('taken')
  expect(await refusalOf({ ...input, ...elsewhere })).toContain('Invalid `signature`')
})

test('the stand-in counts tokens for foundation models', async ({ expect }) => {
  const input = { converse: { messages: [hello] } }
  const counted = await client.send(new CountTokensCommand({ modelId: sonnetFoundation, input }))

  expect(counted.inputTokens).toBeGreaterThan(0)
  await expect(client.send(new CountTokensCommand({ modelId: sonnet, input }))).rejects.toThrow('counting tokens')
})

const folder = new URL('../../../local/gateway/sandbox/', import.meta.url)
const facts: { readonly devDependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
)

test.for(readdirSync(folder))('%s names the source it was derived from, and its version', (file, { expect }) => {
  const text = readFileSync(new URL(file, folder), 'utf8')
  const inComments = text.split('\n').filter((line) => /^\s*(\/\/|\*|\/\*\*)/.test(line))
  const told = inComments.map((line) => line.replace(/^\s*(\/\/|\/?\*+)\s?/, '')).join(' ')

  expect(told).toMatch(/API 20\d\d-\d\d-\d\d|version 4/)
  // A package that is here is the one that was read.
  for (const [, version] of told.matchAll(/AWS SDK for JavaScript ([\d.]*\d)/g)) {
    expect(version).toBe(facts.devDependencies['@aws-sdk/client-bedrock-runtime'])
  }
  for (const [, name = '', version] of told.matchAll(/`(@[\w/-]+)` ([\d.]*\d)/g)) {
    expect(version).toBe(facts.devDependencies[name])
  }
})

test.for<readonly [string, string, string]>([
  ['a filter by another name', '/inference-profiles?typeEquals=APPLICATION', "Unexpected member 'typeEquals'"],
  ['a kind of profile nobody has', '/inference-profiles?type=OWN', 'SYSTEM_DEFINED, APPLICATION'],
  ['a page of too many', '/inference-profiles?maxResults=1001', "at 'maxResults' failed"],
  ['a modality nobody has', '/foundation-models?byOutputModality=VIDEO', 'TEXT, IMAGE, EMBEDDING'],
])('the listings refuse %s', ([, target, words], { expect }) => {
  const account = accountIn('us-west-2', [{ id: 'own', name: 'own', foundationId: sonnetFoundation }])

  expect(listingAnswer(account, target)).toMatchObject({ status: 400, message: expect.stringContaining(words) })
  expect(listingAnswer(account, '/inference-profiles?type=APPLICATION')).toEqual({
    json: { inferenceProfileSummaries: [expect.objectContaining({ type: 'APPLICATION', inferenceProfileId: 'own' })] },
  })
})

test('a member that the service model does not have is refused', ({ expect }) => {
  const body = { messages: [{ role: 'user', content: [{ text: 'x' }] }] }

  expect(shapeFault('ConverseRequest', body)).toBeUndefined()
  expect(shapeFault('ConverseRequest', { ...body, maxTokens: 1 })?.message).toContain("Unexpected member 'maxTokens'")
  expect(shapeFault('ConverseRequest', { messages: [{ role: 'user', content: [{}] }] })?.message).toContain(
    'exactly one member',
  )
})

/** Schemas of the SDK: kind, namespace, name, traits, members, their types, and how many of the first are required. */
type SdkStructure = readonly [3 | 4, string, string, unknown, readonly string[], readonly unknown[], number?]

test('the service model has the members that the SDK has', async ({ expect }) => {
  const sdk: Readonly<Record<string, unknown>> = await import('@aws-sdk/client-bedrock-runtime')
  const structures = new Map(
    Object.values(sdk)
      .filter((schema): schema is SdkStructure => Array.isArray(schema) && (schema[0] === 3 || schema[0] === 4))
      .map((schema) => [schema[2], schema]),
  )
  const compared: string[] = []
  for (const [name, shape] of Object.entries(serviceModel)) {
    const schema = structures.get(name)
    if (shape.kind !== 'structure' || schema === undefined) continue
    const inBody = schema[4].filter((member) => member !== 'modelId')
    expect([name, Object.keys(shape.members).toSorted()]).toEqual([name, inBody.toSorted()])
    compared.push(name)
  }
  expect(compared).toEqual(expect.arrayContaining(['ConverseRequest', 'Message', 'ContentBlock', 'ToolResultBlock']))
})
