import fc from 'fast-check'
import { describe, test } from 'vitest'
import { parseConverseEvent, readConverseEvent } from '../../../workers/gateway/core/wire/converse-answer.ts'

const encoder = new TextEncoder()
/** Without the mark that a text is plain, which may stand where JSON escapes nothing in it and nowhere else. */
function read(payload: string) {
  const event = readConverseEvent('contentBlockDelta', encoder.encode(payload))
  if (event?.kind !== 'text') return event
  const { isPlain, ...rest } = event
  if (isPlain === true && JSON.stringify(event.text) !== `"${event.text}"`) throw new Error('the text is not plain')
  return rest
}

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

  test.for([39, 40, 41, 4_000])('of %i characters is read whole', (length, { expect }) => {
    for (const unit of ['a', '\u{feff}', '界']) {
      const text = unit.repeat(length)
      expect(read(JSON.stringify({ contentBlockIndex: 3, delta: { text } }))).toEqual({ kind: 'text', block: 3, text })
    }
  })

  test('is its own although another was read lately that is kept in its place', ({ expect }) => {
    // 31 * 'A' + 'a' is 31 * 'B' + 'B': the two share a place.
    for (const text of ['Aa', 'BB', 'Aa', 'AaBB', 'BBAa', '', 'BB']) {
      expect(read(JSON.stringify({ contentBlockIndex: 3, delta: { text } }))).toEqual({ kind: 'text', block: 3, text })
    }
  })

  test('lies between other bytes and is read from its own', ({ expect }) => {
    const payload = '{"contentBlockIndex":0,"delta":{"text":"a"}}'
    const bytes = encoder.encode(`}"${payload}"}`)
    expect(readConverseEvent('contentBlockDelta', bytes, 2, 2 + payload.length)).toEqual({
      kind: 'text',
      block: 0,
      text: 'a',
      isPlain: true,
    })
    for (const [start, end] of [
      [2, 1 + payload.length],
      [2, 3 + payload.length],
      [1, 2 + payload.length],
      [2, 2],
    ]) {
      expect(readConverseEvent('contentBlockDelta', bytes, start, end)).toBeUndefined()
    }
  })

  test.for([
    '{"contentBlockIndex":0,"delta":{"text":"a"}',
    '{"contentBlockIndex":0,"delta":{"text":"a"}}x',
    '{"contentBlockIndex":01,"delta":{"text":"a"}}',
    '{"contentBlockIndex":0,"delta":{"text":"a\u0000"}}',
    '{"contentBlockIndex":0,"delta":{"text":"a\n"}}',
    '{"contentBlockIndex":0,"delta":{"text":"a\\"}}',
    '{"contentBlockIndex":0,"delta":{"text":"a',
    '{"contentBlockIndex":,"delta":{"text":"a"}}',
    '{"contentBlockIndex":0,"delta":{"text":"a"},"p":"a"',
    '{"contentBlockIndex":0,"delta":{"text":"a"},"p":"a"}}',
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
    ['{"contentBlockIndex":1234567890,"delta":{"text":"a"}}', { kind: 'text', block: 1_234_567_890, text: 'a' }],
    ['{"contentBlockIndex":0,"delta":{"text":"a"},"p":"ä"}', { kind: 'text', block: 0, text: 'a' }],
  ] as const)('written otherwise is read alike: %j', ([payload, event], { expect }) => {
    expect(read(payload)).toEqual(event)
  })
})
