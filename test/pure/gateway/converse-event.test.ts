import fc from 'fast-check'
import { describe, test } from 'vitest'
import { parseConverseEvent, readConverseEvent } from '../../../workers/gateway/core/wire/converse-answer.ts'

const read = (payload: string) => readConverseEvent('contentBlockDelta', payload)

describe('a piece of text', () => {
  test('is read without parsing just as it is with parsing', ({ expect }) => {
    const payloads = fc.record({
      contentBlockIndex: fc.nat(),
      delta: fc.record({ text: fc.oneof(fc.string({ unit: 'binary' }), fc.string()) }),
      p: fc.stringMatching(/^[a-zA-Z0-9]*$/),
    })
    fc.assert(
      fc.property(payloads, ({ p, ...payload }) => {
        for (const text of [JSON.stringify(payload), JSON.stringify({ ...payload, p })]) {
          const event = read(text)
          expect(event).toEqual(parseConverseEvent('contentBlockDelta', text))
          expect(event).toEqual({ kind: 'text', block: payload.contentBlockIndex, text: payload.delta.text })
        }
      }),
      { numRuns: 300 },
    )
  })

  test.for([
    '{"contentBlockIndex":0,"delta":{"text":"a"}',
    '{"contentBlockIndex":0,"delta":{"text":"a"}}x',
    '{"contentBlockIndex":01,"delta":{"text":"a"}}',
    '{"contentBlockIndex":0,"delta":{"text":"a\u0000"}}',
    '{"contentBlockIndex":0,"delta":{"text":"a\n"}}',
    '{"contentBlockIndex":0,"delta":{"text":"a\\"}}',
  ])('that is no JSON is none: %j', (payload, { expect }) => {
    expect(read(payload)).toBeUndefined()
  })

  test.for([
    ['{"contentBlockIndex":2,"delta":{"text":"a\\nb\\u00e9\\""},"p":"ab"}', { kind: 'text', block: 2, text: 'a\nbé"' }],
    ['{ "contentBlockIndex": 0, "delta": {"text":"a"} }', { kind: 'text', block: 0, text: 'a' }],
    ['{"delta":{"text":"a"},"contentBlockIndex":4}', { kind: 'text', block: 4, text: 'a' }],
    [
      '{"contentBlockIndex":1,"delta":{"text":"größer \u{1f600}\u2028"}}',
      { kind: 'text', block: 1, text: 'größer \u{1f600}\u2028' },
    ],
    [
      '{"contentBlockIndex":0,"delta":{"text":"a"},"p":"a","delta":{"toolUse":{"input":"{"}}}',
      { kind: 'toolInput', block: 0, json: '{' },
    ],
  ] as const)('written otherwise is read alike: %j', ([payload, event], { expect }) => {
    expect(read(payload)).toEqual(event)
  })
})
