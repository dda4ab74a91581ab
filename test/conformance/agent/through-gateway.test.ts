/** The agent server reaches its model through our own gateway, out of the box: an address and a key in the environment. */
import { test } from 'vitest'
import { metadataStep, reasoningSteps, textSteps } from '../../../local/gateway/sandbox/provider-shapes.ts'
import { startTestServer } from '../../support/agent-server.ts'
import { startFakeBedrock } from '../../support/fake-bedrock.ts'
import { gatewayOnNode } from '../../support/gateway-on-node.ts'
import { environmentFor, sonnet, testKey } from '../../support/gateway-under-test.ts'

test('a whole turn with a tool goes through the gateway to the provider and back', async ({ expect }) => {
  const bedrock = await startFakeBedrock()
  const gateway = await gatewayOnNode(environmentFor(bedrock))
  const server = await startTestServer({
    config: { model: `wharf/${sonnet}` },
    environment: { PATH: process.env['PATH'] ?? '', WHARF_GATEWAY_URL: gateway.url, WHARF_API_KEY: testKey },
  })
  await server.write('note.txt', 'the word is plum\n')
  bedrock.next(
    {
      steps: [
        { event: 'messageStart', payload: { role: 'assistant' } },
        { event: 'contentBlockDelta', payload: { contentBlockIndex: 0, delta: { text: 'Looking' } } },
        { event: 'contentBlockStop', payload: { contentBlockIndex: 0 } },
        {
          event: 'contentBlockStart',
          payload: { contentBlockIndex: 1, start: { toolUse: { toolUseId: 'tool_1', name: 'read' } } },
        },
        {
          event: 'contentBlockDelta',
          payload: { contentBlockIndex: 1, delta: { toolUse: { input: '{"path":"note.txt"}' } } },
        },
        { event: 'contentBlockStop', payload: { contentBlockIndex: 1 } },
        { event: 'messageStop', payload: { stopReason: 'tool_use' } },
        metadataStep(),
      ],
    },
    { steps: textSteps(['It is ', 'plum']) },
  )
  const providers = await server.send('GET', '/api/provider')
  expect(providers.body.data.map((provider: { id: string }) => provider.id)).toContain('wharf')
  expect(providers.text).not.toContain(testKey)

  const session = await server.firstTurn('Which word?')

  expect(await server.messages(session)).toMatchObject([
    { type: 'user' },
    {
      finish: 'tool-calls',
      content: [
        { type: 'text', text: 'Looking' },
        { type: 'tool', name: 'read', state: { status: 'completed' } },
      ],
      tokens: { input: 11, output: 7 },
    },
    { finish: 'stop', content: [{ type: 'text', text: 'It is plum' }] },
  ])
  const calls = bedrock.callsOf('converse-stream')
  expect(calls).toHaveLength(2)
  expect(JSON.stringify(calls[1]?.body)).toContain('the word is plum')
  await server.close()
  await gateway.stop()
  await bedrock.close()
})

test('the gateway’s default model answers, and what it thinks is kept apart from what it says', async ({ expect }) => {
  const bedrock = await startFakeBedrock()
  const gateway = await gatewayOnNode(environmentFor(bedrock))
  const server = await startTestServer({
    config: { model: 'wharf/default' },
    environment: { PATH: process.env['PATH'] ?? '', WHARF_GATEWAY_URL: gateway.url, WHARF_API_KEY: testKey },
  })
  const spoken = textSteps(['Plum.'], 'end_turn', undefined, 1)
  bedrock.next({ steps: [...spoken.slice(0, 1), ...reasoningSteps('A fruit.', 'signed'), ...spoken.slice(1)] })
  const session = await server.firstTurn('Which word?')

  expect(await server.messages(session)).toMatchObject([
    { type: 'user' },
    {
      content: [
        { type: 'reasoning', text: 'A fruit.' },
        { type: 'text', text: 'Plum.' },
      ],
    },
  ])
  expect(bedrock.callsOf('converse-stream')[0]?.modelId).toBe('us.anthropic.claude-sonnet-4-6')
  // Limits and prices are those that the gateway lists for what it chooses.
  const models = (await server.send('GET', '/api/model')).body.data
  expect(models.find((model: { id: string }) => model.id === 'default')).toMatchObject({
    providerID: 'wharf',
    limit: { context: 1_000_000, output: 64_000 },
    cost: [{ input: 3, output: 15, cache: { read: 0.3, write: 3.75 } }],
  })
  const { cost, tokens } = (await server.send('GET', `/api/session/${session}`)).body.data
  expect(cost).toBeCloseTo((tokens.input * 3 + (tokens.output + tokens.reasoning) * 15) / 1_000_000, 12)
  expect(cost).toBeGreaterThan(0)
  await server.close()
  await gateway.stop()
  await bedrock.close()
})
