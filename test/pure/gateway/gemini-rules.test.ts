import { describe, test } from 'vitest'
import { geminiBody } from '../../../workers/gateway/core/providers/gemini/gemini-body.ts'
import { GeminiChunkReader, readGeminiAnswer } from '../../../workers/gateway/core/providers/gemini/gemini-reading.ts'
import { geminiRefusal } from '../../../workers/gateway/core/providers/gemini/gemini-refusal.ts'
import { geminiSchema } from '../../../workers/gateway/core/providers/gemini/gemini-schema.ts'
import { thinkingConfig, thinks } from '../../../workers/gateway/core/providers/gemini/gemini-thinking.ts'
import type { ContentBlock } from '../../../workers/gateway/core/wire/converse-request.ts'

const newId = () => 'call_new'

describe('a schema', () => {
  test.for([
    ['keeps what is read', { type: 'object', required: ['a'], properties: { a: { enum: ['x'] } } }, undefined],
    ['loses its mark of a draft', { $schema: 'x', type: 'string' }, { type: 'string' }],
    [
      'tells a bound in words',
      { type: 'string', description: 'a', maxLength: 3 },
      { type: 'string', description: 'a; maxLength: 3' },
    ],
    ['has one value as a choice of one', { const: 1 }, { enum: [1] }],
    ['takes over what it is all of', { allOf: [{ $ref: '#/$defs/a' }], description: 'b' }, { $ref: '#/$defs/a' }],
    [
      'has older definitions in their new place',
      { properties: { a: { $ref: '#/definitions/a', title: 'x' } }, definitions: { a: { pattern: 'y' } } },
      { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { description: 'pattern: "y"' } } },
    ],
    [
      'may be true or false',
      { additionalProperties: false, items: true },
      { additionalProperties: false, items: true },
    ],
    ['has properties that are named as keywords', { properties: { pattern: { type: 'string' } } }, undefined],
  ] as const)('%s', ([, schema, written], { expect }) => {
    expect(geminiSchema(schema)).toEqual(written ?? schema)
  })
})

test.for([
  ['gemini-2.0-flash', 'low', 100, undefined],
  ['gemini-2.5-pro', 'high', undefined, { includeThoughts: true, thinkingBudget: 24_576 }],
  ['gemini-2.5-pro', 'high', 1_000, { includeThoughts: true, thinkingBudget: 800 }],
  ['gemini-3-flash-preview', 'medium', 10, { includeThoughts: true, thinkingLevel: 'MEDIUM' }],
  ['gemini-flash-latest', 'low', 10, { includeThoughts: true, thinkingLevel: 'LOW' }],
  ['gemma-3', 'low', 10, undefined],
  ['gemini-3-pro', undefined, 10, undefined],
] as const)('%s thinks at effort %s within %s', ([model, effort, most, config], { expect }) => {
  expect(thinkingConfig(model, effort, most)).toEqual(config)
  expect(thinks(model)).toBe(config !== undefined || effort === undefined)
})

test.for([
  ['ESCALATION', 'content_filtered'],
  ['MODEL_ARMOR', 'content_filtered'],
  ['PUP_LIMITED_DISABLED', 'content_filtered'],
  ['MISSING_THOUGHT_SIGNATURE', 'malformed_model_output'],
] as const)('an answer that ends by %s is %s', ([finishReason, stopReason], { expect }) => {
  const answer = { candidates: [{ content: { parts: [] }, finishReason }] }

  expect(readGeminiAnswer(answer, newId)).toMatchObject({ stopReason })
})

describe('a signature goes back', () => {
  const thought = (signature: string): ContentBlock => ({
    reasoningContent: { reasoningText: { text: 'hm', signature } },
  })
  const call: ContentBlock = { toolUse: { toolUseId: 'a', name: 'f', input: {} } }
  const written = { functionCall: { id: 'a', name: 'f', args: {} } }
  test.for([
    ['with the call behind it', [thought('gemini.s'), call], [{ ...written, thoughtSignature: 's' }]],
    [
      'past a text with the call it led to',
      [thought('gemini.s'), { text: 'so' }, call],
      [{ text: 'so' }, { ...written, thoughtSignature: 's' }],
    ],
    [
      'with the text it led to',
      [thought('gemini.s'), { text: 'so' }, thought('gemini.t'), call],
      [
        { text: 'so', thoughtSignature: 's' },
        { ...written, thoughtSignature: 't' },
      ],
    ],
    [
      'at the end, when nothing is behind it',
      [{ text: 'so' }, thought('gemini.s')],
      [{ text: 'so' }, { text: '', thoughtSignature: 's' }],
    ],
    ['never, when it is another’s', [thought('s'), { text: 'so' }], [{ text: 'so' }]],
    [
      'as the word for none, when a call has none',
      [thought('s'), call, { toolUse: { toolUseId: 'b', name: 'f', input: 'cut' } }],
      [
        { ...written, thoughtSignature: 'skip_thought_signature_validator' },
        { functionCall: { id: 'b', name: 'f', args: {} } },
      ],
    ],
  ] as [string, ContentBlock[], object[]][])('%s', ([, content, parts], { expect }) => {
    const request = { messages: [{ role: 'assistant' as const, content }] }
    const body = geminiBody({
      model: 'gemini-3-pro',
      request,
      isStream: false,
      maxTokensName: 'max_tokens',
      outputTokensMax: undefined,
    })

    expect(body).toMatchObject({ ok: true, value: { body: { contents: [{ role: 'model', parts }] } } })
  })
})

test('a stream means the same as a whole answer of the same parts', ({ expect }) => {
  const parts = [
    { text: 'let ', thought: true },
    { text: 'me', thought: true },
    { text: 'I ', thoughtSignature: 'c2ln' },
    { text: 'am' },
    { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'c2ln' },
    { functionCall: { id: 'own', name: 'g' } },
  ]
  const answer = (some: object[], finishReason?: string) => ({
    candidates: [{ content: { parts: some }, finishReason }],
  })
  const whole = readGeminiAnswer(answer(parts, 'STOP'), newId)
  const reader = new GeminiChunkReader('google', newId)
  const events = parts.flatMap((part) => {
    const read = reader.read(JSON.stringify(answer([part])))
    return read.ok ? read.value : []
  })
  const isWhole = [reader.isWhole(), reader.read(JSON.stringify(answer([], 'STOP'))).ok && reader.isWhole()]

  expect(whole).toMatchObject({
    stopReason: 'tool_use',
    blocks: [
      {
        kind: 'reasoning',
        block: { reasoningContent: { reasoningText: { text: 'let me', signature: 'gemini.c2ln' } } },
      },
      { kind: 'text', text: 'I am' },
      { kind: 'reasoning', block: { reasoningContent: { reasoningText: { text: '', signature: 'gemini.c2ln' } } } },
      { kind: 'toolUse', id: 'call_new', name: 'f', input: { a: 1 } },
      { kind: 'toolUse', id: 'own', name: 'g', input: {} },
    ],
  })
  expect(events.flatMap((event) => (event.kind === 'text' ? [event.text] : []))).toEqual(['I ', 'am'])
  expect(events.filter(({ kind }) => kind === 'blockStop')).toHaveLength(5)
  expect(isWhole).toEqual([false, true])
  expect(reader.end().at(0)).toEqual({ kind: 'stop', stopReason: 'tool_use' })
  expect(readGeminiAnswer(answer(parts), newId)).toBeUndefined()
})

const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }
test.for([
  [400, 'INVALID_ARGUMENT', 'bad', [], 'bad_request', false],
  [400, 'INVALID_ARGUMENT', 'API key not valid.', [info], 'upstream_error', false],
  [
    400,
    'INVALID_ARGUMENT',
    'The input token count (9) exceeds the maximum number of tokens allowed (8).',
    [],
    'context_length_exceeded',
    false,
  ],
  [400, 'FAILED_PRECONDITION', 'not in your country', [], 'upstream_error', false],
  [404, 'NOT_FOUND', 'no model', [], 'bad_request', false],
  [429, 'RESOURCE_EXHAUSTED', 'slowly', [{ retryDelay: '3s' }], 'rate_limit_exceeded', true],
  [503, 'UNAVAILABLE', 'busy', [], 'overloaded', true],
  [504, 'DEADLINE_EXCEEDED', 'late', [], 'upstream_error', false],
  [502, 'unheard of', 'from a proxy', [], 'upstream_error', true],
] as const)('a refusal of %i %s (%s)', ([code, status, message, details, failed, isRetryable], { expect }) => {
  const refusal = geminiRefusal(
    'google',
    code,
    JSON.stringify({ error: { code, status, message, details } }),
    () => undefined,
  )

  expect(refusal).toMatchObject({ failure: { code: failed, message: `google: ${message}` }, isRetryable })
  expect(refusal.failure.retryAfterSeconds).toBe(code === 429 ? 3 : undefined)
})
