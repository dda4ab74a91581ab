/** Titles of subscriptions as they are looked up again, with a clock that the test moves. */

import { env } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { createLibraryFacts } from '../../../workers/app/adapters/d1/library-facts.ts'
import { subscriptions as rows } from '../../../workers/app/adapters/d1/schema/subscriptions.ts'
import { createSubscriptions } from '../../../workers/app/adapters/d1/subscriptions.ts'
import type { TitleDetails } from '../../../workers/app/core/media/title-details.ts'
import type { ServiceFault } from '../../../workers/app/core/service-fault.ts'
import {
  endedSeasonDays,
  titleRefreshSeconds,
  titleRetrySeconds,
  titleRunMs,
  titlesPerRun,
} from '../../../workers/app/limits.ts'
import { refreshTitles } from '../../../workers/app/services/subscriptions/refresh-titles.ts'
import { localeOf } from '../../support/locale-of.ts'
import { unwrap } from '../../support/unwrap.ts'
import { plantMedia } from '../../support/workerd/planted-media.ts'
import {
  clock,
  db,
  fakeFleet,
  noWatch,
  refreshedBy,
  restingOutbox,
  titles,
  unix,
  workWith,
} from '../../support/workerd/told-sites.ts'

const locale = localeOf('Asia/Shanghai')
const library = createLibraryFacts(db)
const subscriptions = createSubscriptions(db, { clock, locale, library, wake: async () => undefined })

/** What the provider says, by its id; what is not here it does not have. */
let known: Map<number, TitleDetails>
let fault: ServiceFault | undefined
let asked: number[]
let onAsk: () => void

beforeEach(async () => {
  clock.now = unix('2026-11-22T04:00:00Z')
  known = new Map()
  fault = undefined
  asked = []
  onAsk = () => undefined
  const tables = ['subscriptions', 'subscription_episodes', 'subscription_torrents', 'media_history', 'jobs', 'sites']
  await env.DB.batch(tables.map((table) => env.DB.prepare(`delete from ${table}`)))
})

function season(tmdbId: number, airDates: readonly string[], change: Partial<TitleDetails> = {}): TitleDetails {
  return {
    mediaType: 'tv',
    tmdbId,
    season: 1,
    title: `t${tmdbId}`,
    originalTitle: '',
    searchTitle: 't',
    totalEpisodes: airDates.length,
    episodes: airDates.map((airDate, at) => ({ number: at + 1, name: '', airDate })),
    ...(airDates[0] === undefined ? {} : { releasedOn: airDates[0] }),
    ...change,
  }
}

async function subscribe(details: TitleDetails): Promise<number> {
  known.set(details.tmdbId, details)
  const wanted = { details, upgrade: false, profileId: 0, downloaderId: 0, source: 'app' } as const
  const added = unwrap(await subscriptions.add(wanted))
  return added.record.id
}

const catalogue = {
  details: async ({ tmdbId }: { tmdbId: number }): Promise<Result<TitleDetails, ServiceFault>> => {
    asked.push(tmdbId)
    onAsk()
    if (fault !== undefined) return failWith(fault)
    const details = known.get(tmdbId)
    return details === undefined ? failWith({ kind: 'not_found' }) : succeed(details)
  },
}
const refresh = () => refreshTitles({ clock, titles, locale, catalogue, subscriptions })
const work = workWith(fakeFleet(), { downloaders: noWatch, outbox: restingOutbox, titles: refreshedBy(refresh) })
const job = async () => (await work.runs()).find(({ name }) => name === 'titles')
const read = async (id: number) => {
  const found = await subscriptions.read(id)
  if (found === undefined) throw new Error('it is gone')
  return found
}

describe('a subscribed title', () => {
  test('is looked up again after a day, and not before', async ({ expect }) => {
    const id = await subscribe(season(1, ['2026-11-01', '2026-11-29']))
    const made = clock.now
    known.set(1, season(1, ['2026-11-01', '2026-11-22', '2026-11-29'], { title: '新名', posterPath: '/p.jpg' }))

    expect(await work.runDue()).toBe(made + titleRefreshSeconds)
    clock.now = made + titleRefreshSeconds - 1
    await work.runDue()
    expect(asked).toEqual([])

    clock.now += 1
    expect(await work.runDue()).toBe(clock.now + titleRefreshSeconds)
    expect(asked).toEqual([1])
    const { record, progress, episodes } = await read(id)
    expect(record).toMatchObject({ title: '新名', posterPath: '/p.jpg', totalEpisodes: 3, status: 'active' })
    expect(progress.missing).toEqual([1, 2])
    expect(episodes.map(({ number, airDate }) => [number, airDate])).toEqual([
      [1, '2026-11-01'],
      [2, '2026-11-22'],
      [3, '2026-11-29'],
    ])
    expect((await subscriptions.list({ keyword: '新名' })).length).toBe(1)
    expect(await job()).toMatchObject({ lastOk: true })
  })

  test('is not looked up while it is paused, and is at once when it goes on', async ({ expect }) => {
    const id = await subscribe(season(1, ['2026-11-01']))
    await subscriptions.setStatus(id, 'paused')
    clock.now += 2 * titleRefreshSeconds

    expect(await work.runDue()).toBeUndefined()
    expect(asked).toEqual([])
    expect(await job()).toBeUndefined()

    await subscriptions.setStatus(id, 'active')
    await work.runDue()
    expect(asked).toEqual([1])
  })

  test('that is deleted while it is looked up stays so, and one made anew is left alone', async ({ expect }) => {
    const id = await subscribe(season(1, ['2026-11-01']))
    clock.now += titleRefreshSeconds
    const meanwhile = async (change: () => Promise<unknown>) => {
      const slow = { details: () => change().then(() => catalogue.details({ tmdbId: 1 })) }
      await refreshTitles({ clock, titles, locale, catalogue: slow, subscriptions })
    }

    await meanwhile(() => subscriptions.remove(id))
    expect(await subscriptions.list({})).toEqual([])
    const left = await env.DB.prepare('select count(*) n from subscription_episodes').first<{ n: number }>()
    expect(left?.n).toBe(0)

    const again = await subscribe(season(1, ['2026-11-01']))
    clock.now += titleRefreshSeconds
    await meanwhile(async () => {
      await subscriptions.remove(again)
      await subscribe(season(1, ['2026-11-01', '2026-11-08']))
    })
    expect(await subscriptions.list({})).toMatchObject([{ progress: { total: 2 } }])
  })
})

describe('what waits for its day', () => {
  test('is searched for from midnight of that day in the time zone of the service', async ({ expect }) => {
    const id = await subscribe(season(1, ['2026-11-23']))
    const midnight = unix('2026-11-22T16:00:00Z')
    expect((await read(id)).record).toMatchObject({ status: 'pending' })

    expect(await work.runDue()).toBe(midnight)
    clock.now = midnight - 1
    await work.runDue()
    expect((await read(id)).record.status).toBe('pending')

    clock.now = midnight
    await work.runDue()
    expect((await read(id)).record).toMatchObject({ status: 'active', nextSearchAtUnix: midnight })
    expect((await read(id)).progress.missing).toEqual([1])
  })

  test('goes on waiting when its day is put off, and stays active when it was asked to be', async ({ expect }) => {
    const waiting = await subscribe(season(1, ['2026-11-24']))
    const begun = await subscribe(season(2, ['2026-11-24']))
    await subscriptions.setStatus(begun, 'active')
    for (const id of [1, 2]) known.set(id, season(id, ['2027-01-01']))
    clock.now += titleRefreshSeconds
    await work.runDue()

    clock.now = unix('2026-11-24T04:00:00Z')
    await work.runDue()
    expect((await read(waiting)).record).toMatchObject({ status: 'pending', releasedOn: '2027-01-01' })
    expect((await read(begun)).record.status).toBe('active')
  })
})

test('what waits for a day that nobody knows any more is searched for', async ({ expect }) => {
  const id = await subscribe(season(1, ['2027-01-01']))
  known.set(1, season(1, []))
  clock.now += titleRefreshSeconds

  await work.runDue()

  expect((await read(id)).record).toMatchObject({ status: 'active', nextSearchAtUnix: clock.now })
})

describe('what is done', () => {
  async function finish(id: number): Promise<void> {
    const { mediaType, tmdbId, season } = (await read(id)).record
    await plantMedia([{ media_type: mediaType, tmdb_id: tmdbId, season, episode: 1 }])
    await db.update(rows).set({ status: 'done', nextSearchAtUnix: null })
  }

  test('is active again when its list has grown, and stays done when it has not', async ({ expect }) => {
    const id = await subscribe(season(1, ['2026-11-20']))
    await finish(id)
    clock.now += titleRefreshSeconds
    await work.runDue()
    expect(asked).toEqual([1])
    expect((await read(id)).record.status).toBe('done')

    known.set(1, season(1, ['2026-11-20', '2026-11-23']))
    clock.now += titleRefreshSeconds
    await work.runDue()
    expect((await read(id)).record).toMatchObject({ status: 'active', nextSearchAtUnix: clock.now })
    expect((await read(id)).progress).toMatchObject({ inLibrary: 1, missing: [2] })
  })

  test.for([
    ['so many days after its last episode', '2026-10-24', [1]],
    ['and not a day longer', '2026-10-23', []],
  ] as const)('is looked up %s', async ([, airDate, expected], { expect }) => {
    expect(endedSeasonDays).toBe(30)
    await finish(await subscribe(season(1, [airDate])))
    clock.now += titleRefreshSeconds

    await work.runDue()

    expect(asked).toEqual(expected)
  })
})

describe('a run', () => {
  test('looks up so many, and the next one begins at once with those that wait longest', async ({ expect }) => {
    for (let id = 1; id <= titlesPerRun + 1; id += 1) {
      await subscribe(season(id, ['2026-11-01']))
      clock.now += 1
    }
    clock.now += titleRefreshSeconds

    expect(await refresh()).toMatchObject({ dueAtUnix: expect.any(Number) })
    expect(asked).toEqual(Array.from({ length: titlesPerRun }, (_, at) => at + 1))
    await work.runDue()
    expect(asked.at(-1)).toBe(titlesPerRun + 1)
    expect(asked).toHaveLength(titlesPerRun + 1)
  })

  test('begins no other look-up once its time is over', async ({ expect }) => {
    for (const id of [1, 2, 3]) await subscribe(season(id, ['2026-11-01']))
    clock.now += titleRefreshSeconds
    onAsk = () => {
      clock.now += titleRunMs / 2000
    }

    const { dueAtUnix } = await refresh()

    expect(asked).toEqual([1, 2])
    expect(dueAtUnix).toBeLessThanOrEqual(clock.now)
  })

  test('stops at a provider that cannot be read, says why, and all are tried again in an hour', async ({ expect }) => {
    for (const id of [1, 2]) await subscribe(season(id, ['2026-11-01']))
    clock.now += titleRefreshSeconds
    fault = { kind: 'unreachable' }

    expect(await work.runDue()).toBe(clock.now + titleRetrySeconds)
    expect(asked).toEqual([1])
    expect(await job()).toMatchObject({
      lastOk: false,
      lastReason: { kind: 'service.unreachable', service: 'metadata' },
    })

    fault = undefined
    clock.now += titleRetrySeconds
    await work.runDue()
    expect(asked).toEqual([1, 1, 2])
    expect(await job()).toMatchObject({ lastOk: true })
  })

  test('names what the provider has no more, which keeps what is known and keeps no other waiting', async ({
    expect,
  }) => {
    const id = await subscribe(season(1, ['2026-11-01']))
    await subscribe(season(2, ['2026-11-01']))
    clock.now += titleRefreshSeconds
    known.delete(1)

    expect(await work.runDue()).toBe(clock.now + titleRefreshSeconds)

    expect(asked).toEqual([1, 2])
    expect((await read(id)).episodes).toHaveLength(1)
    expect(await job()).toMatchObject({
      lastOk: false,
      lastReason: { kind: 'media.titles_gone', titles: expect.arrayContaining(['t1']) },
    })
  })
})
