import { describe, test } from 'vitest'
import { factsOf, readPriceList } from '#shared/models/price-list.ts'
import {
  refusalOfCall,
  refusalOfKey,
  refusalOfRequest,
  type Used,
} from '../../../workers/gateway/core/keys/admission.ts'
import { mayCallFrom } from '../../../workers/gateway/core/keys/allowed-addresses.ts'
import { costMaxNano, costNano } from '../../../workers/gateway/core/keys/call-cost.ts'
import { firstBoundsMs, firstClass, waitOf } from '../../../workers/gateway/core/keys/call-record.ts'
import { keyIdIn, mayUseModel, secretOf } from '../../../workers/gateway/core/keys/key-record.ts'
import { calendarOf } from '../../../workers/gateway/core/keys/moment.ts'
import { usageInText } from '../../../workers/gateway/core/keys/usage-in-text.ts'
import { unwrap } from '../../support/unwrap.ts'

const now = calendarOf('UTC')(Date.UTC(2026, 1, 28, 23, 59, 30))
const nothing: Used = { minuteRequests: 0, minuteTokens: 0, dayNano: 0, monthNano: 0, heldTokens: 0, heldNano: 0 }

describe('admission', () => {
  test.for([
    ['what fits to the last', { dayBudgetNano: 10 }, { dayNano: 4, heldNano: 3 }, undefined, undefined],
    ['one more than the day has', { dayBudgetNano: 9 }, { dayNano: 4, heldNano: 3 }, 'day_budget', 30],
    ['what is under way counts', { dayBudgetNano: 9 }, { heldNano: 7 }, 'day_budget', 30],
    ['one more than the month has', { dayBudgetNano: 99, monthBudgetNano: 9 }, { monthNano: 7 }, 'month_budget', 30],
    ['tokens to the last', { tokensPerMinute: 10 }, { minuteTokens: 4, heldTokens: 1 }, undefined, undefined],
    ['one token more', { tokensPerMinute: 9 }, { minuteTokens: 4, heldTokens: 1 }, 'tokens', 30],
    ['no limit', {}, { dayNano: 1e15, minuteTokens: 1e12 }, undefined, undefined],
  ] as const)('of %s', ([, limits, used, reason, wait], { expect }) => {
    const refusal = refusalOfCall(limits, { ...nothing, ...used }, { costNano: 3, tokens: 5 }, now)

    expect(refusal?.reason).toBe(reason)
    expect(refusal?.retryAfterSeconds).toBe(wait)
  })

  test('of requests of a minute: the last one, and one more', ({ expect }) => {
    expect(refusalOfRequest({ requestsPerMinute: 2 }, 1, now)).toBeUndefined()
    expect(refusalOfRequest({ requestsPerMinute: 2 }, 2, now)).toEqual({ reason: 'requests', retryAfterSeconds: 30 })
  })

  test('of a key that is revoked, or has expired', ({ expect }) => {
    const key = { id: 'k', name: 'k', models: [], limits: {}, madeMs: 0, secretEnd: '' }

    expect(refusalOfKey({ ...key, expiresMs: now.ms + 1 }, now)).toBeUndefined()
    expect(refusalOfKey({ ...key, expiresMs: now.ms }, now)?.reason).toBe('expired')
    expect(refusalOfKey({ ...key, revokedMs: 1, expiresMs: now.ms }, now)?.reason).toBe('revoked')
  })
})

test.for([
  ['any caller, without a list', [], undefined, true],
  ['an address on the list', ['203.0.113.7'], '203.0.113.7', true],
  ['one of a network', ['198.51.100.0/24', '10.0.0.0/8'], '10.255.0.1', true],
  ['one past a network', ['10.0.0.0/8'], '11.0.0.0', false],
  ['one that a socket of both families shows', ['10.0.0.0/8'], '::ffff:10.0.0.1', true],
  ['one of a network of the newer kind', ['2001:db8::/32'], '2001:db8:1::1', true],
  ['one past it', ['2001:db8::/32'], '2001:db9::', false],
  ['one that nobody knows', ['127.0.0.0/8'], undefined, false],
  ['what is no address', ['127.0.0.0/8'], 'localhost', false],
] as const)('a key with addresses is for %s', ([, allowed, caller, opens], { expect }) => {
  expect(mayCallFrom(allowed, caller)).toBe(opens)
})

test.for([
  ['UTC', Date.UTC(2026, 1, 28, 12), '2026-02-28', Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 1)],
  ['Asia/Shanghai', Date.UTC(2026, 1, 28, 16), '2026-03-01', Date.UTC(2026, 2, 1, 16), Date.UTC(2026, 2, 31, 16)],
  // The night in which the clock goes back has 25 hours.
  ['Europe/Berlin', Date.UTC(2026, 9, 24, 22), '2026-10-25', Date.UTC(2026, 9, 25, 23), Date.UTC(2026, 9, 31, 23)],
] as const)('a day of %s ends with its clock', ([zone, ms, day, dayEndsMs, monthEndsMs], { expect }) => {
  expect(calendarOf(zone)(ms)).toEqual({ ms, day, dayEndsMs, monthEndsMs })
})

test('a calendar goes on to the next day, and back', ({ expect }) => {
  const calendar = calendarOf('UTC')
  const days = [0, 86_399_999, 86_400_000, 5].map((ms) => calendar(ms).day)

  expect(days).toEqual(['1970-01-01', '1970-01-01', '1970-01-02', '1970-01-01'])
})

test('a secret names its key', ({ expect }) => {
  const secret = secretOf('0123456789ab', 'f'.repeat(48))

  expect(keyIdIn(secret)).toBe('0123456789ab')
  expect([`${secret}f`, secret.slice(1), 'sk-other', `wgk_0123456789AB_${'f'.repeat(48)}`].map(keyIdIn)).toEqual(
    Array.from({ length: 4 }),
  )
})

test.for([
  [[], ['any'], true],
  [['a'], ['b', 'a'], true],
  [['a'], ['ab'], false],
  [['a*'], ['ab'], true],
  [['*'], ['ab'], true],
  [['a.*'], ['xa.b'], false],
] as const)('models %j allow %j: %s', ([allowed, names, may], { expect }) => {
  expect(mayUseModel(allowed, names)).toBe(may)
})

describe('a price list', () => {
  const list = unwrap(
    readPriceList({
      dated: '2026-07-02',
      source: 'a feed',
      bedrock: {
        'v.model-1': {
          input: 3,
          output: 15,
          cache_read: 0.3,
          cache_write: 3.75,
          context: 1_000_000,
          output_max: 64_000,
          above_200k: { input: 6, output: 22.5 },
        },
        'eu.v.model-1': { input: 3.3, output: 16.5 },
        'us.v.model-2': { input: 1 },
        'v.free': { input: 0, output: 0 },
      },
    }),
  )
  const facts = (id: string, foundation = id) => factsOf(list, 'bedrock', id, foundation)
  const tokens = { input: 100, cacheRead: 300, cacheWrite: 200, output: 20, reasoning: 5 }

  test('prices by the id, by the model behind it, and by one of its profiles', ({ expect }) => {
    expect(facts('eu.v.model-1', 'v.model-1')?.inputNano).toBe(3_300)
    expect(facts('jp.v.model-1', 'v.model-1')?.inputNano).toBe(3_000)
    expect(facts('arn:aws:bedrock:x:1:application-inference-profile/abc', 'v.model-1')?.inputNano).toBe(3_000)
    expect(facts('global.v.model-2', 'v.model-2')?.inputNano).toBe(1_000)
    expect(facts('v.other')).toBeUndefined()
  })

  test('costs tokens by kind, and long requests at their own price', ({ expect }) => {
    expect(costNano(facts('v.model-1'), tokens)).toBe(100 * 3_000 + 300 * 300 + 200 * 3_750 + 20 * 15_000)
    expect(costNano(facts('v.model-1'), { ...tokens, input: 199_500, output: 0 })).toBe(
      199_500 * 3_000 + 90_000 + 750_000,
    )
    expect(costNano(facts('v.model-1'), { ...tokens, input: 199_501, output: 1 })).toBe(
      199_501 * 6_000 + 500 * 6_000 + 22_500,
    )
    expect(costNano(facts('v.free'), tokens)).toBe(0)
    expect(costNano(undefined, tokens)).toBeUndefined()
  })

  test('bounds what a call may cost', ({ expect }) => {
    const most = facts('v.model-1')
    if (most === undefined) throw new Error('the model is listed')

    expect(costMaxNano(most, 600, 20)).toBeGreaterThanOrEqual(costNano(most, tokens) ?? Number.NaN)
  })

  test.for([
    ['no date', {}],
    ['a date that is none', { dated: 'today' }],
    ['a price below nothing', { dated: '2026-07-02', bedrock: { x: { input: -1 } } }],
    ['a price in words', { dated: '2026-07-02', bedrock: { x: { input: 'much' } } }],
    ['an entry that is none', { dated: '2026-07-02', bedrock: { x: 3 } }],
  ])('with %s is refused', ([, document], { expect }) => {
    expect(readPriceList(document).ok).toBe(false)
  })
})

test.for([
  [
    'chat',
    '{"choices":[{"message":{"content":"\\"usage\\": {}"}}],"usage":{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":2}}}',
    { input: 6, cacheRead: 4, cacheWrite: 0, output: 5, reasoning: 2 },
  ],
  [
    'responses',
    'data: {"response":{"usage":{"input_tokens":10,"input_tokens_details":{"cached_tokens":4},"output_tokens":5,"output_tokens_details":{"reasoning_tokens":0}}}}\n\n',
    { input: 6, cacheRead: 4, cacheWrite: 0, output: 5, reasoning: 0 },
  ],
  [
    'messages',
    '{"usage":{"input_tokens":10,"cache_creation_input_tokens":3,"cache_read_input_tokens":4,"output_tokens":5}}',
    { input: 10, cacheRead: 4, cacheWrite: 3, output: 5, reasoning: 0 },
  ],
  [
    'chat with nothing at its end',
    '{"usage":{"prompt_tokens":1,"completion_tokens":1}} {"usage":null}',
    { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, reasoning: 0 },
  ],
  ['no count', '{"choices":[]}', undefined],
  ['a count that is cut', '{"usage":{"prompt_tokens":1', undefined],
] as const)('the tokens of an answer in %s', ([, text, expected], { expect }) => {
  expect(usageInText(text)).toEqual(expected)
})

test('waits are told from their classes', ({ expect }) => {
  const firsts = firstBoundsMs.map(() => 0).concat(0)
  for (const ms of [400, 420, 450, 480, 2_500]) firsts[firstClass(ms)] = (firsts[firstClass(ms)] ?? 0) + 1

  expect(firstClass(50)).toBe(0)
  expect(firstClass(51)).toBe(1)
  expect(firstClass(1e9)).toBe(firstBoundsMs.length)
  expect(waitOf(firsts, 0.5)).toBeGreaterThan(300)
  expect(waitOf(firsts, 0.5)).toBeLessThanOrEqual(500)
  expect(waitOf(firsts, 0.95)).toBeGreaterThan(2_000)
  expect(waitOf([], 0.5)).toBeUndefined()
})
