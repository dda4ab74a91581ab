// What a client gets, byte by byte, from the stream of each model family. The files are committed; a changed byte shows
// as a difference of one of them.
import path from 'node:path'
import { describe, test } from 'vitest'
import { eventFrame } from '../../../local/gateway/sandbox/frames.ts'
import type { Step } from '../../../local/gateway/sandbox/provider-wire.ts'
import { fakeBearer } from '../../support/fake-bedrock.ts'
import { gatewayUnderTest, sonnetFoundation } from '../../support/gateway-under-test.ts'

const fixtures = path.join(import.meta.dirname, '../../fixtures/gateway')
const nowMs = Date.UTC(2026, 8, 1, 12, 0, 0)

type Event = readonly [type: string, payload: object]

const start: Event = ['messageStart', { role: 'assistant', p: 'abcdefghij' }]
const delta = (contentBlockIndex: number, content: object): Event => [
  'contentBlockDelta',
  { contentBlockIndex, delta: content, p: 'abcd' },
]
const text = (block: number, piece: string) => delta(block, { text: piece })
const stop = (contentBlockIndex: number): Event => ['contentBlockStop', { contentBlockIndex, p: 'ab' }]
const tool = (contentBlockIndex: number, toolUseId: string, name: string): Event => [
  'contentBlockStart',
  { contentBlockIndex, start: { toolUse: { toolUseId, name } } },
]
const end = (stopReason: string, usage: object = {}): readonly Event[] => [
  ['messageStop', { stopReason }],
  [
    'metadata',
    { usage: { inputTokens: 20, outputTokens: 30, totalTokens: 50, ...usage }, metrics: { latencyMs: 345 } },
  ],
]

/** The ways in which families differ on the wire, as the provider documents them. */
const families: Readonly<Record<string, { readonly model: string; readonly events: readonly Event[] }>> = {
  // Signed reasoning, then text, then two tools at once, one of them without arguments.
  'claude-reasoning-and-tools': {
    model: sonnetFoundation,
    events: [
      start,
      delta(0, { reasoningContent: { text: 'Two things' } }),
      delta(0, { reasoningContent: { text: ' to look up.' } }),
      delta(0, { reasoningContent: { signature: 'c2lnbmVk' } }),
      stop(0),
      text(1, 'Looking “it” up: ü, 漢, 🛶\n'),
      stop(1),
      tool(2, 'tooluse_one', 'look'),
      delta(2, { toolUse: { input: '' } }),
      delta(2, { toolUse: { input: '{"word":' } }),
      delta(2, { toolUse: { input: '"plum"}' } }),
      stop(2),
      tool(3, 'tooluse_two', 'now'),
      delta(3, { toolUse: { input: '' } }),
      stop(3),
      ...end('tool_use', { cacheReadInputTokens: 7, cacheWriteInputTokens: 5 }),
    ],
  },
  // Reasoning that the provider keeps to itself.
  'claude-redacted': {
    model: 'anthropic.claude-opus-4-6-v1',
    events: [
      start,
      delta(0, { reasoningContent: { redactedContent: 'cmVkYWN0ZWQ=' } }),
      stop(0),
      text(1, 'Yes.'),
      stop(1),
      ...end('end_turn'),
    ],
  },
  // Cut by the output limit.
  nova: {
    model: 'amazon.nova-pro-v1:0',
    events: [start, text(0, 'A long'), text(0, ' answer'), stop(0), ...end('max_tokens')],
  },
  // Readable reasoning without a signature, before the text.
  deepseek: {
    model: 'deepseek.v3-v1:0',
    events: [
      start,
      delta(0, { reasoningContent: { text: 'Hm.' } }),
      stop(0),
      text(1, 'Done.'),
      stop(1),
      ...end('end_turn'),
    ],
  },
  // Opaque reasoning before a tool call.
  'open-weight': {
    model: 'openai.gpt-oss-120b-1:0',
    events: [
      start,
      delta(0, { reasoningContent: { redactedContent: 'b3BhcXVl' } }),
      stop(0),
      tool(1, 'tooluse_one', 'look'),
      delta(1, { toolUse: { input: '{}' } }),
      stop(1),
      ...end('tool_use'),
    ],
  },
  // Text alone, ended by a stop word; a kind of event the gateway does not know is among it.
  llama: {
    model: 'meta.llama3-1-70b-instruct-v1:0',
    events: [start, text(0, 'One'), ['somethingNew', { a: 1 }], text(0, ' two'), stop(0), ...end('stop_sequence')],
  },
}

/** Pieces of eleven bytes, so that no frame arrives whole. */
function inPieces(events: readonly Event[]): readonly Step[] {
  const bytes = Buffer.concat(events.map(([type, payload]) => eventFrame(type, payload)))
  return Array.from({ length: Math.ceil(bytes.length / 11) }, (_, at) => ({
    bytes: bytes.subarray(at * 11, at * 11 + 11),
  }))
}

const interfaces: Readonly<Record<string, { readonly path: string; readonly body: object }>> = {
  chat: {
    path: '/chat/completions',
    body: { messages: [{ role: 'user', content: 'hi' }], stream: true, stream_options: { include_usage: true } },
  },
  responses: {
    path: '/responses',
    body: { input: 'hi', stream: true, include: ['reasoning.encrypted_content'] },
  },
}

describe.each(Object.keys(interfaces))('the stream of %s', (name) => {
  test.for(Object.keys(families))('is what it was for %s', async (family, { expect }) => {
    const { model, events } = families[family] ?? { model: '', events: [] }
    const { path: route, body } = interfaces[name] ?? { path: '', body: {} }
    let drawn = 0
    await using under = await gatewayUnderTest(
      {
        AWS_BEARER_TOKEN_BEDROCK: fakeBearer,
        MODEL_CATALOG_REFRESH_SECS: '0',
        CHAT_REASONING_CAPSULE_ENABLED: 'false',
      },
      {
        clock: { nowMs: () => nowMs },
        random: {
          hex(bytes) {
            drawn += 1
            return String(drawn).padStart(2 * bytes, '0')
          },
          fraction: () => 0,
        },
      },
      { authentication: 'bearer' },
    )
    // The catalogue is read first, so that it draws nothing in between.
    await under.call('/models')
    under.bedrock.next({ steps: inPieces(events) })
    const answer = await under.call(route, { json: { ...body, model } })

    await expect(await answer.text()).toMatchFileSnapshot(path.join(fixtures, `${family}.${name}.txt`))
  })
})
