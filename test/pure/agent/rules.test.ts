import fc from 'fast-check'
import { describe, test } from 'vitest'
import { retryAfterMs } from '../../../local/agent/adapters/retry-after.ts'
import { isLoopbackAddress } from '../../../local/agent/core/bind-address.ts'
import { tailStart, tailTokens, tokensBeforeSummary } from '../../../local/agent/core/compaction.ts'
import { formatEventCursor, parseEventCursor } from '../../../local/agent/core/cursor.ts'
import { formatId, nextTick } from '../../../local/agent/core/identifier.ts'
import { parseJsonc } from '../../../local/agent/core/jsonc.ts'
import { mimeOfName, sniffImage } from '../../../local/agent/core/prompt-file.ts'
import { costOfTokens, modelEntry } from '../../../local/agent/core/provider-catalogue.ts'
import { refuseRequest } from '../../../local/agent/core/request-boundary.ts'
import { checkAnswers } from '../../../local/agent/core/request-text.ts'
import { decodePosition, encodePosition } from '../../../local/agent/core/session/listing.ts'

test.for([
  ['127.0.0.1', true],
  ['127.255.255.254', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['128.0.0.1', false],
  ['10.0.0.1', false],
  ['fe80::1%lo', false],
  ['::ffff:10.0.0.1', false],
  ['127.0.0.1.evil', false],
  ['127.1', false],
  ['', false],
] as const)('%s is loopback: %s', ([address, expected], { expect }) => {
  expect(isLoopbackAddress(address)).toBe(expected)
})

describe('event cursors', () => {
  test('come back as they were made, and only for their session', ({ expect }) => {
    fc.assert(
      fc.property(fc.stringMatching(/^ses_[0-9a-zA-Z]{1,20}$/), fc.nat(), (session, seq) => {
        expect(parseEventCursor(formatEventCursor(session, seq), session)).toBe(seq)
        expect(parseEventCursor(formatEventCursor(session, seq), `${session}x`)).toBeUndefined()
      }),
    )
  })

  test('any other text is none', ({ expect }) => {
    fc.assert(
      fc.property(fc.string(), (tail) => {
        const parsed = parseEventCursor(`ses_a:${tail}`, 'ses_a')
        expect(parsed === undefined || String(parsed) === tail).toBe(true)
      }),
    )
  })
})

describe('identifiers', () => {
  test('sort by age whatever the clock does, sessions from the newest', ({ expect }) => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1.7e12, max: 1.9e12 }), { minLength: 2, maxLength: 50 }), (times) => {
        let tick = 0
        const messages: string[] = []
        const sessions: string[] = []
        for (const time of times) {
          tick = nextTick(tick, time)
          messages.push(formatId('message', tick % 2 ** 47, new Uint8Array(14)))
          sessions.push(formatId('session', tick % 2 ** 47, new Uint8Array(14)))
        }
        // Within one span of the counter: it wraps only after years.
        if (Math.max(...times) - Math.min(...times) > 1e9) return
        expect([...messages].sort()).toEqual(messages)
        expect([...sessions].sort().reverse()).toEqual(sessions)
        expect(new Set(messages).size).toBe(messages.length)
      }),
    )
  })

  test('have a prefix, twelve hex digits of time and fourteen letters or digits', ({ expect }) => {
    expect(formatId('event', nextTick(0, 1.8e12), new Uint8Array(14).fill(255))).toMatch(
      /^evt_[0-9a-f]{12}[0-9A-Za-z]{14}$/,
    )
  })
})

describe('list cursors', () => {
  test('come back as they were made', ({ expect }) => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer())), (value) => {
        expect(decodePosition(encodePosition({ ...value, id: 'x' }))).toEqual({ ...value, id: 'x' })
      }),
    )
  })

  test('any other text never throws', ({ expect }) => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const decoded = decodePosition(text)
        expect(decoded === undefined || typeof decoded === 'object').toBe(true)
      }),
    )
  })
})

describe('configuration text', () => {
  test('comments and trailing commas are allowed, in texts they are text', ({ expect }) => {
    const parsed = parseJsonc('{ // one\n "a": [1, 2,], /* two\n */ "b": "// no /* comment */,]", }')
    expect(parsed).toEqual({ ok: true, value: { a: [1, 2], b: '// no /* comment */,]' } })
  })

  test.for([
    ['{\n "a": 1\n "b": 2\n}', 3],
    ['{\n\n "a: 1\n}', 3],
    ['{ "a": 1 /* open\n\n', 1],
    ['{\n "a": nope\n}', 2],
  ] as const)('a mistake in %o is on line %s', ([text, line], { expect }) => {
    expect(parseJsonc(text)).toMatchObject({ ok: false, failure: { line } })
  })

  test('plain JSON is read as JSON is', ({ expect }) => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseJsonc(JSON.stringify(value, undefined, 1))).toEqual({
          ok: true,
          value: JSON.parse(JSON.stringify(value)),
        })
      }),
    )
  })
})

test('whatever is sent, a foreign page is refused and the boundary never throws', ({ expect }) => {
  const rules = { boundHostname: '127.0.0.1', port: 4096, acceptsAnyHost: false }
  const own = { method: 'GET', target: '/api/health', hosts: ['localhost:4096'], origins: [], fetchSites: [] }
  expect(refuseRequest(own, rules)).toBeUndefined()
  const names = ['localhost:4096', '127.0.0.1:4096', '[::1]:4096']
  const header = fc.oneof(
    fc.string(),
    fc.constantFrom(...names, 'evil.example', 'evil.example:4096', 'localhost:80', 'LOCALHOST:4096'),
  )
  fc.assert(
    fc.property(fc.array(header, { maxLength: 2 }), fc.array(header, { maxLength: 2 }), (hosts, origins) => {
      const refused = refuseRequest({ ...own, hosts, origins: origins.map((origin) => `http://${origin}`) }, rules)
      const [host = ''] = hosts
      const isOwn = hosts.length === 1 && names.includes(host.toLowerCase())
      const isSameOrigin = origins.length === 0 || (origins.length === 1 && origins[0] === host.toLowerCase())
      expect(refused === undefined).toBe(isOwn && isSameOrigin)
    }),
    { numRuns: 2000 },
  )
})

describe('answers to questions', () => {
  const item = {
    question: 'q',
    header: 'h',
    options: [
      { label: 'A', description: '' },
      { label: 'B', description: '' },
    ],
  }
  const request = (more: object) => ({ id: 'que_1', sessionID: 'ses_1', questions: [{ ...item, ...more }] })
  test.for([
    [{}, [['A']], true],
    [{}, [['free text']], true],
    [{}, [[]], true],
    [{}, [['A', 'B']], false],
    [{ multiple: true }, [['A', 'B']], true],
    [{ custom: false }, [['free text']], false],
    [{ custom: false, multiple: true }, [['A', 'C']], false],
    [{}, [], false],
    [{}, [['A'], ['B']], false],
  ] as const)('%o takes %o: %s', ([more, answers, isTaken], { expect }) => {
    expect(checkAnswers(request(more), answers) === undefined).toBe(isTaken)
  })
})

test('images are known by their first bytes', ({ expect }) => {
  expect(sniffImage(Buffer.from('GIF89a...'))).toBe('image/gif')
  expect(sniffImage(Buffer.from('RIFFxxxxWEBPx'))).toBe('image/webp')
  expect(sniffImage(Buffer.from('RIFFxxxxWAVEx'))).toBeUndefined()
  expect(sniffImage(Buffer.from([0xff, 0xd8, 0xff, 0xe0]))).toBe('image/jpeg')
  expect(sniffImage(Buffer.from('<svg>'))).toBeUndefined()
  expect(mimeOfName('a.MD')).toBe('text/markdown')
  expect(mimeOfName('Makefile')).toBe('text/plain')
})

test('the kept tail begins at a user message and fits', ({ expect }) => {
  const kind = fc.constantFrom('user', 'assistant', 'synthetic')
  fc.assert(
    fc.property(fc.array(fc.record({ type: kind, characters: fc.nat(50) })), fc.nat(200), (messages, budget) => {
      const start = tailStart(messages, budget)
      const tail = messages.slice(start)
      expect(tail.reduce((sum, message) => sum + message.characters, 0)).toBeLessThanOrEqual(budget)
      if (tail.length > 0) expect(tail[0]?.type).not.toBe('assistant')
    }),
  )
})

test.for([
  ['a large window', 200_000, 64_000, 148_000, 15_000],
  ['a window of the documents', 32_000, 8_000, 17_600, 5_866],
  ['a small one that may be all answer', 8_192, 8_192, 2_457, 819],
] as const)('%s leaves room for a session before it is summarised', ([, context, output, room, tail], { expect }) => {
  expect(tokensBeforeSummary({ context, output }, { answerMax: 32_000, reserveMax: 20_000 })).toBe(room)
  expect(tailTokens(room, 15_000)).toBe(tail)
  expect(tailTokens(undefined, 15_000)).toBe(15_000)
})

test.for([
  ['7', 7_000],
  [' 0 ', 0],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 7_000],
  ['Sun, 06 Nov 1994 08:49:29 GMT', 0],
  ['Sun, 99 Nov 1994 08:49:29 GMT', undefined],
  ['1994-11-06T08:49:37Z', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
] as const)('a provider that says to come back after %o is waited for %o ms', ([header, wait], { expect }) => {
  expect(retryAfterMs(header, Date.UTC(1994, 10, 6, 8, 49, 30))).toBe(wait)
})

describe('the cost of a step', () => {
  const cost = { input: 1, output: 10, cacheRead: 0.5, cacheWrite: 2 }
  const longCost = { above: 1_000, input: 2, output: 20, cacheRead: 1, cacheWrite: 4 }
  const tokens = (input: number) => ({ input, output: 100, reasoning: 50, cache: { read: 300, write: 200 } })

  test.for([
    [500, 500 + 1_500 + 150 + 400],
    [501, 2 * (501 + 1_500 + 150 + 400)],
  ] as const)('with %i tokens sent anew beside 500 cached ones', ([input, millionths], { expect }) => {
    const spent = costOfTokens(tokens(input), modelEntry('m', { cost, longCost }))
    expect(spent).toBeCloseTo(millionths / 1_000_000, 12)
  })

  test('is nothing where the price is not known', ({ expect }) => {
    expect(costOfTokens(tokens(1), modelEntry('m'))).toBe(0)
  })
})
