import { describe, test } from 'vitest'
import {
  beginSearch,
  foundTotal,
  missingSites,
  type SearchProgress,
  takeSearchEvent,
} from '../../../../workers/app/web/model/search-progress.ts'
import { noSearch } from '../../../../workers/app/web/model/search-query.ts'

const begun = beginSearch(noSearch, 7)
const seen = (events: readonly (readonly [string, object])[], from = begun): SearchProgress =>
  events.reduce((now, [name, data]) => takeSearchEvent(now, name, JSON.stringify(data)), from)
const asked = ['asked', { sites: ['a', 'b', 'c'] }] as const
const found = (site: string, total: number) => ['found', { site, total, items: [{ site, torrent_id: '1' }] }] as const
const failed = (site: string) => ['failed', { site, reason: { kind: 'site.timeout' } }] as const

describe('a search as its sites answer', () => {
  test('nothing is known before the sites are', ({ expect }) => {
    expect(begun).toMatchObject({ at: 7, waiting: undefined, isOver: false })
    expect(foundTotal(begun)).toBe(0)
    expect(missingSites(begun)).toBe(undefined)
  })

  test('who answers is waited for no longer; rows and counts add up, reasons too', ({ expect }) => {
    const now = seen([asked, found('b', 3), failed('a')])
    expect(now.waiting).toEqual(['c'])
    expect(now.counts).toEqual({ b: 3 })
    expect(now.items.map(({ site }) => site)).toEqual(['b'])
    expect(now.errors).toEqual([{ site: 'a', reason: { kind: 'site.timeout' } }])
    expect(foundTotal(seen([found('c', 4)], now))).toBe(7)
  })

  test('whoever did not tell is asked once more: those that failed, and those that never answered', ({ expect }) => {
    expect(missingSites(seen([asked, found('b', 3), failed('a')]))).toEqual(['a', 'c'])
    // Nobody told anything: all are asked, those of now and not those of then.
    expect(missingSites(seen([asked, failed('a')]))).toBe(undefined)
  })

  test('an event of another name changes nothing', ({ expect }) => {
    expect(seen([['more', {}]])).toEqual(begun)
    expect(seen([asked, ['done', { duration_ms: 12 }]]).durationMs).toBe(12)
  })
})
