/** What the gateway's pages make of what they are told, and of what is typed. */
import { describe, test } from 'vitest'
import type {
  WireGatewayCall,
  WireGatewayKey,
  WireGatewayUsage,
} from '../../../../workers/app/contract/console-gateway.ts'
import { commonBudget, errorsOf, goneBy, healthOf, paceOf } from '../../../../workers/app/web/model/gateway-figures.ts'
import { draftOf, isRouteName, newStep, routeIn } from '../../../../workers/app/web/model/gateway-route.ts'

function call(change: Partial<WireGatewayCall>): WireGatewayCall {
  return {
    key: 'k',
    key_name: 'k',
    request_id: 'r',
    at: 1,
    route: '/chat/completions',
    provider: 'north',
    model: 'small-1',
    outcome: 'answered',
    code: null,
    tokens: { input: 1, cache_read: 0, cache_write: 0, output: 1, reasoning: 0 },
    is_estimated: false,
    cost_usd: 0,
    first_token_ms: null,
    took_ms: 1,
    has_body: false,
    attempts: [],
    ...change,
  }
}

test('errors are counted by what they were, the most frequent first, each with its newest', ({ expect }) => {
  const busy = { outcome: 'failed', code: 'overloaded' } as const
  const calls = [
    call({ outcome: 'refused', code: 'requests', at: 9 }),
    call({ ...busy, at: 8 }),
    call({ outcome: 'left', at: 7 }),
    call({ ...busy, at: 6 }),
    call({ at: 5 }),
  ]

  expect(errorsOf(calls).map(({ code, count, last }) => [code, count, last.at])).toEqual([
    ['overloaded', 2, 8],
    ['requests', 1, 9],
  ])
})

test('a provider has a step for each five minutes, and those without a call are empty', ({ expect }) => {
  const recent = {
    ...{ from: 600, step_seconds: 300, steps: 4 },
    calls: [
      { provider: 'north', at: 900, answered: 7, failed: 2 },
      { provider: 'south', at: 900, answered: 90, failed: 0 },
      { provider: 'north', at: 1_500, answered: 0, failed: 1 },
    ],
  }
  const none = { answered: 0, failed: 0 }

  expect(healthOf(recent, 'north')).toMatchObject({
    steps: [none, { answered: 7, failed: 2 }, none, { answered: 0, failed: 1 }],
    ...{ answered: 7, failed: 3, most: 7 },
  })
  expect(healthOf(recent, 'nobody')).toEqual({ steps: [none, none, none, none], answered: 0, failed: 0, most: 1 })
})

test('keys have a budget together where each that opens has one', ({ expect }) => {
  const key = (day: number | null, more: object = {}) =>
    ({ budget_day_usd: day, budget_month_usd: 9, revoked_at: null, expires_at: null, ...more }) as WireGatewayKey

  expect(commonBudget([key(2), key(3), key(null, { revoked_at: 1 }), key(4, { expires_at: 100 })], 'day', 100)).toBe(5)
  expect(commonBudget([key(2), key(4, { expires_at: 101 })], 'day', 100)).toBe(6)
  expect(commonBudget([key(2), key(null)], 'day', 100)).toBeUndefined()
  expect(commonBudget([key(2), key(null)], 'month', 100)).toBe(18)
  expect(commonBudget([], 'day', 100)).toBeUndefined()
})

describe('a route that is typed', () => {
  const draft = {
    ...draftOf(undefined),
    steps: [{ model: ' north/small-1 ', order: '1', weight: '3', calls: '1,000' }],
  }

  test('is sent as numbers and names', ({ expect }) => {
    expect(routeIn({ ...draft, seconds: '600', isSticky: false })).toEqual({
      steps: [{ model: 'north/small-1', order: 1, weight: 3, calls_at_once: 1_000 }],
      go_on_when: ['busy', 'failed', 'slow', 'too_long', 'key_refused'],
      first_token_seconds: 600,
      sticky: false,
      cheapest_first: false,
    })
    expect(routeIn({ ...draft, steps: [{ ...newStep(2), model: 'm' }] })?.steps).toEqual([
      { model: 'm', order: 2, weight: 1 },
    ])
  })

  test.for([
    ['no model', { steps: [newStep(1)] }],
    ['a weight of nothing', { steps: [{ ...newStep(1), model: 'm', weight: '0' }] }],
    ['no weight', { steps: [{ ...newStep(1), model: 'm', weight: '' }] }],
    ['too large an order', { steps: [{ ...newStep(1), model: 'm', order: '10001' }] }],
    ['too many calls', { steps: [{ ...newStep(1), model: 'm', calls: '10001' }] }],
    ['half a second', { seconds: '0.5' }],
    ['too long a wait', { seconds: '601' }],
  ] as const)('is not sent with %s', ([, change], { expect }) => {
    expect(routeIn({ ...draft, ...change })).toBeUndefined()
  })

  test.for([
    ['code', true],
    ['a'.repeat(64), true],
    ['a'.repeat(65), false],
    ['', false],
    ['a/b', false],
    ['.a', false],
  ] as const)('may be called %s: %s', ([name, is], { expect }) => {
    expect(isRouteName(name)).toBe(is)
  })
})

describe('how a month goes on', () => {
  const row = (day: number, cost_usd: number) =>
    ({ day: `2026-11-${String(day).padStart(2, '0')}`, cost_usd, tokens: {} }) as WireGatewayUsage
  const today = '2026-11-20'
  const used = [row(17, 1), row(17, 1), row(19, 4)]

  test.for([
    ['costs nothing', [], undefined],
    ['began two days ago', [row(18, 1), row(19, 1)], undefined],
    ['began today', [row(20, 1)], undefined],
    ['began three days ago, with a day of rest', used, { day: 2, month: 28 }],
    ['has cost less today than it usually does', [...used, row(20, 1.5)], { day: 2, month: 28 }],
    ['has cost more today than it usually does', [...used, row(20, 5)], { day: 2, month: 31 }],
  ] as const)('is told of one that %s', ([, rows, expected], { expect }) => {
    const pace = paceOf(rows, today)

    expect(pace && { day: pace.day, month: pace.month }).toEqual(expected)
    if (pace !== undefined)
      expect([pace.coming[0], pace.coming.at(-1), pace.coming.length]).toEqual(['2026-11-21', '2026-11-30', 10])
  })

  test.for([
    [28, undefined],
    [27.9, '2026-11-30'],
    [12, '2026-11-23'],
    [8, '2026-11-21'],
    [7.9, '2026-11-20'],
  ] as const)('a budget of %d dollars is gone by %s', ([budget, day], { expect }) => {
    const pace = paceOf(used, today)

    expect(pace && goneBy(pace, today, budget)).toBe(day)
  })

  test('ends with its last day', ({ expect }) => {
    const february = [1, 2, 3, 4].map((day) => ({ ...row(day, 1), day: `2028-02-0${day}` }))

    expect(paceOf(february, '2028-02-28')?.coming).toEqual(['2028-02-29'])
    expect(paceOf(february, '2028-02-29')?.coming).toEqual([])
  })
})
