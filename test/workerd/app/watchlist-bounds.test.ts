/** How far lists go: what is shown of them at once, how long one that fails is left alone, and how many pages are read. */
import { env } from 'cloudflare:workers'
import { beforeEach, test } from 'vitest'
import { succeed } from '#shared/kernel/result.ts'
import { createWatchlists } from '../../../workers/app/adapters/d1/watchlists.ts'
import { fetchList, type ListReading } from '../../../workers/app/adapters/lists/fetch-list.ts'
import {
  watchlistBackOffSecondsMax,
  watchlistDecisionsMax,
  watchlistEntriesMax,
  watchlistItemsShown,
  watchlistMoreSeconds,
  watchlistPageSize,
  watchlistPagesMax,
} from '../../../workers/app/limits.ts'
import { type ListDeps, runLists } from '../../../workers/app/services/lists/run-lists.ts'
import { localeOf } from '../../support/locale-of.ts'
import { unwrap } from '../../support/unwrap.ts'
import { clock, db, secrets } from '../../support/workerd/told-sites.ts'

const lists = createWatchlists(db, { clock, secrets, wake: async () => undefined })
const away = { kind: 'service.unreachable', service: 'list' } as const
const entry = (at: number) => ({ key: `k${at}`, title: `Film ${at}` })
const change = {
  ...{ name: 'want to see', enabled: true, kind: 'imdb' as const, account: '', list: '', everyMinutes: 60 },
  ...{ firstLook: 'all' as const, profileId: 0, downloaderId: 0, upgrade: false },
}

beforeEach(async () => {
  for (const table of ['watchlists', 'watchlist_items']) await env.DB.prepare(`delete from ${table}`).run()
})

test.for([
  [watchlistItemsShown, watchlistItemsShown],
  [watchlistItemsShown + 1, watchlistItemsShown],
] as const)('of %i entries %i are shown at once, and the rest is behind them', async ([count, shown], { expect }) => {
  unwrap(await lists.add({ ...change, entries: Array.from({ length: count }, (_, at) => entry(at)) }))
  const items = await lists.items({})
  expect(items).toHaveLength(shown)
  expect(await lists.items({ beforeId: items.at(-1)?.id ?? 0 })).toHaveLength(count - shown)
})

test('one that fails is asked less and less, up to a bound, and as before once it answers', async ({ expect }) => {
  unwrap(await lists.add({ ...change, address: 'http://127.0.0.1:1/list.csv' }))
  const waits: number[] = []
  for (let at = 0; at < 7; at++) {
    const row = await lists.begin()
    if (row === undefined) throw new Error('it is not due')
    await lists.finish(row, at < 6 ? { fault: away } : {}, 0)
    const [list] = await lists.list()
    waits.push((list?.dueAtUnix ?? 0) - clock.now)
    clock.now = list?.dueAtUnix ?? 0
  }
  const hours = [2, 4, 8, 16].map((hour) => hour * 3600)
  expect(waits).toEqual([...hours, watchlistBackOffSecondsMax, watchlistBackOffSecondsMax, 3600])
})

test.for([
  [watchlistPagesMax, watchlistPagesMax, false],
  [watchlistPagesMax + 1, watchlistPagesMax, true],
] as const)('of %i pages %i are read, and whether it was cut is told: %s', async ([there, read, isCut], { expect }) => {
  const asked: number[] = []
  const runtime = {
    nowMs: () => 0,
    wait: async () => undefined,
    async fetch(address: string) {
      const page = Number(new URL(address).searchParams.get('page'))
      asked.push(page)
      const films = Array.from({ length: watchlistPageSize }, (_, at) => {
        const id = page * watchlistPageSize + at
        return { type: 'movie', movie: { title: `Film ${id}`, year: 2020, ids: { trakt: id, tmdb: id } } }
      })
      return Response.json(films, { headers: { 'x-pagination-page-count': String(there) } })
    },
  }
  const place = { kind: 'trakt', address: 'https://lists.example', account: 'ada', list: '', key: 'k' } as const
  const reading = unwrap(await fetchList({ ...place, etag: '', lastModified: '', proxy: undefined }, runtime as never))
  expect(asked).toEqual(Array.from({ length: read }, (_, at) => at + 1))
  expect(reading).toMatchObject({ kind: 'entries', isCut })
  expect(reading.kind === 'entries' && reading.entries.length).toBe(
    Math.min(watchlistEntriesMax, read * watchlistPageSize),
  )
})

const reads = (reading: ListReading): ListDeps => ({
  clock,
  random: () => 0,
  store: lists,
  catalogue: {
    titles: async () => succeed({ titles: [], totalPages: 1 }),
    details: () => Promise.reject(new Error('nothing was found')),
    byImdb: async () => succeed([]),
  },
  subscriptions: {
    add: () => Promise.reject(new Error('nothing was found')),
    has: async () => false,
  },
  standings: { of: async () => new Map() },
  locale: localeOf('UTC'),
  proxy: async () => succeed(undefined),
  fetchList: async () => succeed(reading),
  readExport: () => undefined,
})

test('a list that was cut says so on its row, without counting as one that fails, until it is whole', async ({
  expect,
}) => {
  unwrap(await lists.add({ ...change, address: 'http://127.0.0.1:1/list.csv' }))
  const marks = { etag: '"a"', lastModified: '' }
  const reasons: unknown[] = []
  for (const reading of [
    { kind: 'entries', entries: [entry(1), entry(2)], isCut: true, ...marks },
    { kind: 'unchanged' },
    { kind: 'entries', entries: [entry(1)], isCut: false, ...marks },
  ] as const) {
    const { reason } = await runLists(reads(reading))
    const [list] = await lists.list()
    expect(reason).toBeUndefined()
    expect((list?.dueAtUnix ?? 0) - clock.now).toBe(3600)
    reasons.push(list?.lastReason)
    clock.now = list?.dueAtUnix ?? 0
  }

  const cut = { kind: 'watchlist.cut', read: 2 }
  expect(reasons).toEqual([cut, cut, undefined])
})

test.for([
  [watchlistDecisionsMax, 0],
  [watchlistDecisionsMax + 1, 1],
] as const)('of %i entries that wait a run leaves %i to the next', async ([count, left], { expect }) => {
  unwrap(await lists.add({ ...change, entries: Array.from({ length: count }, (_, at) => entry(at)) }))
  const deps = reads({ kind: 'unchanged' })

  const { dueAtUnix } = await runLists(deps)
  const waiting = (await lists.waiting(count)).length
  await runLists(deps)

  expect(waiting).toBe(left)
  if (left > 0) expect(dueAtUnix).toBe(clock.now + watchlistMoreSeconds)
  expect(await lists.waiting(count)).toEqual([])
})
