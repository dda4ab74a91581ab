import { describe, test } from 'vitest'
import { keywordCharactersMax } from '../../../../workers/app/limits.ts'
import { parseRoute } from '../../../../workers/app/web/model/hash-route.ts'
import {
  airDayText,
  countByStatus,
  progressShares,
  standingOf,
  torrentSpan,
} from '../../../../workers/app/web/model/subscription-facts.ts'
import {
  everySubscription,
  readSubscriptionQuery,
  subscriptionHash,
  subscriptionParameters,
  subscriptionWordsMax,
} from '../../../../workers/app/web/model/subscription-query.ts'
import { langOf } from '../../../../workers/app/web/model/title-language.ts'
import { inventedSubscriptions } from '../../../support/invented-subscriptions.ts'

describe('the address', () => {
  test.for([
    ['#/subscriptions', everySubscription],
    ['#/subscriptions?status=pending&q=%E7%9B%90', { status: 'pending', words: '盐', id: undefined }],
    ['#/subscriptions/12?status=done', { status: 'done', words: '', id: 12 }],
  ] as const)('%s says what is shown, and comes back from it', ([hash, query], { expect }) => {
    const route = parseRoute(hash)
    expect(route.name === 'subscriptions' && readSubscriptionQuery(route.id, route.query)).toEqual(query)
    expect(subscriptionHash(query)).toBe(hash)
  })

  test.for([
    ['#/subscriptions/0', everySubscription],
    ['#/subscriptions/x', everySubscription],
    ['#/subscriptions?status=gone', everySubscription],
    [`#/subscriptions?q=${'w'.repeat(101)}`, { ...everySubscription, words: 'w'.repeat(100) }],
  ] as const)('%s is brought to what there is', ([hash, query], { expect }) => {
    const route = parseRoute(hash)
    expect(route.name === 'subscriptions' && readSubscriptionQuery(route.id, route.query)).toEqual(query)
  })

  test('has the bound of the server, which is asked for words alone', ({ expect }) => {
    expect(subscriptionWordsMax).toBe(keywordCharactersMax)
    const query = { ...everySubscription, status: 'done', words: ' salt ' } as const
    expect(String(subscriptionParameters(query))).toBe('q=salt')
    expect(String(subscriptionParameters({ ...query, words: ' ' }))).toBe('')
  })
})

describe('what matters most of a subscription', () => {
  const none = { total: 10, aired: 6, in_library: 0, downloading: 0, missing: [] }
  test.for([
    [
      { ...none, downloading: 2, missing: [5] },
      { kind: 'missing', count: 1, numbers: ['5'] },
    ],
    [
      { ...none, missing: [7, 3, 4, 5] },
      { kind: 'missing', count: 4, numbers: ['3–5', '7'] },
    ],
    [
      { ...none, missing: [1, 3, 5] },
      { kind: 'missing', count: 3, numbers: ['1', '3', '5'] },
    ],
    [
      { ...none, missing: [1, 3, 5, 7] },
      { kind: 'missing', count: 4, numbers: [] },
    ],
    [
      { ...none, downloading: 2 },
      { kind: 'downloading', count: 2 },
    ],
    [{ ...none, in_library: 10 }, { kind: 'held' }],
    [{ ...none, in_library: 6 }, { kind: 'upToDate' }],
    [{ ...none, aired: 0 }, { kind: 'nothingOut' }],
    [{ ...none, total: 0, aired: 0 }, { kind: 'notKnown' }],
  ] as const)('of %o it is %o', ([progress, standing], { expect }) => {
    expect(standingOf({ ...progress, missing: [...progress.missing] })).toEqual(standing)
  })

  test.for([
    [
      { total: 8, in_library: 2, downloading: 1, downloading_percent: 40 },
      { held: 25, downloading: 5 },
    ],
    // A film that has only just begun is not full.
    [
      { total: 1, in_library: 0, downloading: 1, downloading_percent: 0 },
      { held: 0, downloading: 0 },
    ],
    [
      { total: 1, in_library: 0, downloading: 1 },
      { held: 0, downloading: 0 },
    ],
    [
      { total: 0, in_library: 0, downloading: 0 },
      { held: 0, downloading: 0 },
    ],
    // What is listed may be less than what is there already.
    [
      { total: 2, in_library: 3, downloading: 3, downloading_percent: 100 },
      { held: 100, downloading: 0 },
    ],
  ] as const)('of %o the bar shows %o', ([progress, shares], { expect }) => {
    expect(progressShares({ aired: 0, missing: [], ...progress })).toEqual(shares)
  })

  test('states are counted together', ({ expect }) => {
    expect(countByStatus(inventedSubscriptions(0))).toEqual({ all: 11, active: 5, paused: 2, pending: 2, done: 2 })
    expect(countByStatus([])).toEqual({ all: 0, active: 0, paused: 0, pending: 0, done: 0 })
  })

  test('a day has its year where that is another one', ({ expect }) => {
    expect(airDayText('2026-10-09', 2026, 'zh')).toBe('10 月 9 日')
    expect(airDayText('2026-10-09', 2026, 'en')).toBe('9 Oct')
    expect(airDayText('2025-10-09', 2026, 'en')).toBe('2025-10-09')
  })

  test.for([
    [{}, { kind: 'whole' }],
    [{ episode: 6 }, { kind: 'one', number: 6 }],
    [
      { episode: 6, episode_end: 6 },
      { kind: 'one', number: 6 },
    ],
    [
      { episode: 1, episode_end: 3 },
      { kind: 'some', from: 1, to: 3 },
    ],
  ] as const)('a torrent with %o covers %o', ([span, covered], { expect }) => {
    expect(torrentSpan(span)).toEqual(covered)
  })

  test('a title in Han letters is told to be Chinese', ({ expect }) => {
    expect([langOf('盐路'), langOf('Salt 盐'), langOf('Salt'), langOf('')]).toEqual([
      'zh-CN',
      'zh-CN',
      undefined,
      undefined,
    ])
  })
})
