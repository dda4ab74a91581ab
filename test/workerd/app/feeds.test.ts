/** Runs of feeds: the real database and scheduler, a manual clock, a feed, a site and a downloader that do as they are told. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'
import { failWith, succeed } from '#shared/kernel/result.ts'
import type { StoredAnnounces } from '../../../workers/app/core/feeds/announce.ts'
import {
  feedAttemptsMax,
  feedBackOffSecondsMax,
  feedItemSeconds,
  feedPushesPerRunMax,
  feedPushSeconds,
  feedsMax,
  feedWaitSeconds,
  filterRulesMax,
} from '../../../workers/app/limits.ts'
import { plantMedia } from '../../support/workerd/planted-media.ts'
import { gib, hashOf, hit } from '../../support/workerd/told-brush.ts'
import {
  addFeed,
  addRule,
  entry,
  type FeedWorld,
  feeds,
  feedWorld,
  filterRules,
  statuses,
} from '../../support/workerd/told-feeds.ts'
import { subscribeTo } from '../../support/workerd/told-searches.ts'
import { addSite, clock, feedRuns, records, removeSites, settle, unix } from '../../support/workerd/told-sites.ts'

let world: FeedWorld

beforeEach(async () => {
  clock.now = unix('2026-11-20T19:00:00Z')
  await removeSites()
  for (const table of ['subscriptions', 'media_history']) await env.DB.prepare(`delete from ${table}`).run()
  world = await feedWorld()
})

/** The next look at the feeds, after so many minutes. */
async function lookAfter(minutes = 10): Promise<void> {
  clock.now += minutes * 60
  await settle(world.readFeeds())
}

/** A feed whose first look is over. */
async function primedFeed(change: Parameters<typeof addFeed>[1] = {}): Promise<number> {
  const id = await addFeed(world, change)
  await lookAfter(0)
  return id
}

const feedOf = async (id: number) => (await feeds.list()).find((one) => one.id === id)
const itemOf = async (torrentId: string) =>
  (await feeds.items({})).find(({ candidate }) => candidate.torrentId === torrentId)
const sources = async () => {
  const { results } = await env.DB.prepare('select torrent_id, source from push_records order by id').all<{
    torrent_id: string
    source: string
  }>()
  return results.map(({ torrent_id, source }) => `${torrent_id} ${source}`)
}
const notices = async () => {
  const { results } = await env.DB.prepare("select facts from notices where type = 'rss.matched'").all<{
    facts: string
  }>()
  return results.map(({ facts }) => JSON.parse(facts))
}
async function openChannel(): Promise<void> {
  await env.DB.prepare(
    "insert into channels (name, kind, place, sealed_secrets, enabled, events, created_at_unix, updated_at_unix) values ('c', 'webhook', 'http://127.0.0.1:1', '', 1, ',rss.matched,', 0, 0)",
  ).run()
}

describe('a look at a feed', () => {
  test('only notes what is there at first, and pushes what comes later', async ({ expect }) => {
    world.entries = [entry(2), entry(1)]
    world.newest = [hit(1), hit(2), hit(3)]
    await primedFeed()
    expect(await statuses()).toEqual({ 1: 'seen', 2: 'seen' })
    expect(world.pushes).toEqual([])

    world.entries = [entry(3), entry(2), entry(1)]
    await lookAfter()
    await lookAfter()

    expect(world.pushes).toEqual(['3'])
    expect(await statuses()).toEqual({ 1: 'seen', 2: 'seen', 3: 'taken' })
  })

  test('takes without any rule what the site itself calls free, as free_download', async ({ expect }) => {
    await primedFeed()
    world.entries = [entry(4, { title: 'Torrent 4 [Free]' }), entry(3), entry(2), entry(1)]
    world.newest = [
      hit(1),
      hit(2, { discount: '2XFREE' }),
      hit(3, { discount: 'PERCENT_50' }),
      hit(4, { discount: 'NONE', title: 'Torrent 4 [Free]' }),
    ]

    await lookAfter()

    expect(await sources()).toEqual(['1 free_download', '2 free_download'])
    expect(await statuses()).toEqual({ 1: 'taken', 2: 'taken', 3: 'left', 4: 'left' })
    expect(await itemOf('3')).toMatchObject({
      rule: '',
      clauses: [{ asked: { field: 'promotion' }, state: 'unmet', found: 'PERCENT_50' }],
    })
  })

  test('asks the site once a look, and not at all for nothing new', async ({ expect }) => {
    await primedFeed()
    world.entries = [entry(2), entry(1)]
    world.newest = [hit(1), hit(2)]
    await lookAfter()
    await lookAfter()
    expect(world.fleet.asked).toEqual(['search shelf'])
  })

  test('waits for the promotion while the site does not list it, and leaves it when the time is over', async ({
    expect,
  }) => {
    await primedFeed()
    world.entries = [entry(2), entry(1)]
    await lookAfter()
    expect(await statuses()).toEqual({ 1: 'waiting', 2: 'waiting' })

    world.newest = [hit(1)]
    await lookAfter()
    expect(await statuses()).toEqual({ 1: 'taken', 2: 'waiting' })

    await lookAfter(feedWaitSeconds / 60)
    expect(await statuses()).toEqual({ 1: 'taken', 2: 'left' })
    expect((await itemOf('2'))?.clauses).toMatchObject([{ state: 'unknown' }])
  })

  test('does not wait for what a list that shows the torrent leaves untold', async ({ expect }) => {
    await primedFeed()
    world.entries = [entry(1)]
    world.newest = [hit(1, { discount: undefined })]
    await lookAfter()

    expect(await statuses()).toEqual({ 1: 'left' })
    expect((await itemOf('1'))?.clauses).toMatchObject([{ asked: { field: 'promotion' }, state: 'unknown' }])
  })

  test('sends back what the last answer said of itself, and takes an unchanged feed for what it is', async ({
    expect,
  }) => {
    const id = await primedFeed()
    world.answer = succeed({ kind: 'unchanged' })
    await lookAfter()
    expect(world.places.map(({ etag }) => etag)).toEqual(['', '"a"'])
    expect((await feedOf(id))?.lastReason).toBeUndefined()
  })

  test("of the site's own newest list needs no address, and decides alike", async ({ expect }) => {
    world.newest = [hit(1)]
    const id = await primedFeed({ address: '' })
    world.newest = [hit(2), hit(1)]
    await lookAfter()
    expect(await statuses()).toEqual({ 1: 'seen', 2: 'taken' })
    expect(world.places).toEqual([])
    expect(await feedOf(id)).toMatchObject({ host: '', found: 2, taken: 1 })
  })

  test('that fails says why, is asked less and less often, and takes nothing for seen', async ({ expect }) => {
    const id = await addFeed(world)
    world.answer = failWith({ kind: 'login_expired' })
    await lookAfter(0)
    expect(await feedOf(id)).toMatchObject({ lastReason: { kind: 'site.login_expired' }, dueAtUnix: clock.now + 1200 })
    await lookAfter(20)
    expect((await feedOf(id))?.dueAtUnix).toBe(clock.now + 2400)
    for (let round = 0; round < 8; round += 1) await lookAfter(feedBackOffSecondsMax / 60)
    expect((await feedOf(id))?.dueAtUnix).toBe(clock.now + feedBackOffSecondsMax)

    world.answer = undefined
    world.entries = [entry(1)]
    world.newest = [hit(1)]
    await lookAfter(feedBackOffSecondsMax / 60)
    expect(await statuses()).toEqual({ 1: 'seen' })
    expect(await feedOf(id)).toMatchObject({ dueAtUnix: clock.now + 600 })
    expect((await feedOf(id))?.lastReason).toBeUndefined()
  })

  test.for([
    [0, 600],
    [0.5, 630],
    [0.999, 659],
  ] as const)(
    'comes back by chance (%d) after %i s, so that feeds part that began together',
    async ([chance, seconds], { expect }) => {
      const id = await addFeed(world)
      world.chance = chance
      await lookAfter(0)
      expect(await feedOf(id)).toMatchObject({ dueAtUnix: clock.now + seconds })
    },
  )

  test('of a site that is off or gone brings nothing', async ({ expect }) => {
    await primedFeed()
    world.entries = [entry(1)]
    world.newest = [hit(1)]
    await env.DB.prepare('update sites set enabled = 0').run()
    await lookAfter()
    await env.DB.prepare('delete from sites').run()
    await lookAfter()
    expect(world.pushes).toEqual([])
    expect(await statuses()).toEqual({})
  })
})

describe('rules', () => {
  test('decide in their order, as filter_rule and where the rule says', async ({ expect }) => {
    await primedFeed()
    await addRule('no screeners', [{ field: 'title', op: 'has_any', value: ['cam'] }], { action: 'skip' })
    await addRule('note trailers', [{ field: 'title', op: 'like', value: ['*trailer*'] }], { action: 'notify' })
    await addRule('small', [{ field: 'size_gib', op: 'at_most', value: 5 }], {
      target: { downloader_id: 0, category: 'tv', tags: ['a', 'b'], save_path: '/data/tv' },
    })
    world.entries = [entry(4), entry(3, { title: 'Trailer 3' }), entry(2), entry(1, { title: 'Film CAM' })]
    world.newest = [
      hit(1, { title: 'Film CAM', sizeBytes: gib }),
      hit(2, { discount: 'NONE', sizeBytes: 4 * gib }),
      hit(3, { title: 'Trailer 3', sizeBytes: gib }),
      hit(4),
    ]

    await lookAfter()

    expect(await statuses()).toEqual({ 1: 'skipped', 2: 'taken', 3: 'told', 4: 'left' })
    const { results } = await env.DB.prepare('select torrent_id, source, category, tags from push_records').all()
    expect(results).toEqual([{ torrent_id: '2', source: 'filter_rule', category: 'tv', tags: 'a,b' }])
    expect((await filterRules.list()).map(({ name, taken, takenToday }) => [name, taken, takenToday])).toEqual([
      ['no screeners', 0, { count: 0, bytes: 0 }],
      ['note trailers', 0, { count: 0, bytes: 0 }],
      ['small', 1, { count: 1, bytes: 4 * gib }],
    ])
    expect(await itemOf('4')).toMatchObject({ rule: expect.stringMatching(/./), clauses: [{ state: 'unmet' }] })
  })

  test('that are off decide nothing', async ({ expect }) => {
    await primedFeed()
    const id = await addRule('all', [{ field: 'size_gib', op: 'at_least', value: 0 }])
    const [stored] = await filterRules.list()
    if (stored !== undefined) await filterRules.update(id, { ...stored, enabled: false })
    world.entries = [entry(1)]
    world.newest = [hit(1, { discount: 'NONE' })]
    await lookAfter()
    expect(await statuses()).toEqual({ 1: 'left' })
  })

  test('are asked whether what it brings is in the library, and keep that', async ({ expect }) => {
    await primedFeed()
    await subscribeTo(3)
    await plantMedia([{ media_type: 'tv', tmdb_id: 11, season: 2, episode: 1 }])
    const titled = { 1: 'The.Salt.Road.S02E01.1080p', 2: 'The.Salt.Road.S02E02.1080p', 3: 'Glass.Pier.2026.1080p' }
    world.newest = [1, 2, 3].map((id) => hit(id, { title: titled[id as 1 | 2 | 3] }))
    const asked = { field: 'owned', op: 'is', value: false } as const
    await addRule('is not there', [asked])
    world.entries = [entry(3), entry(2), entry(1)]
    await lookAfter()
    expect(await statuses()).toEqual({ 1: 'left', 2: 'taken', 3: 'left' })
    const found = async (id: string) => (await itemOf(id))?.clauses[0]
    expect(await found('1')).toEqual({ asked, state: 'unmet', found: true, from: 'subscription' })
    expect(await found('2')).toEqual({ asked, state: 'met', found: false, from: 'subscription' })
    expect(await found('3')).toEqual({ asked, state: 'unknown', lack: 'unheard' })
    expect((await itemOf('1'))?.candidate.isOwned).toBe(true)
  })

  test('are asked whether it is there without a subscription: by the library, the downloaders and what was pushed', async ({
    expect,
  }) => {
    await primedFeed()
    await plantMedia([
      {
        ...{ media_type: 'tv', season: 2, episode: 1, episode_end: 3, title: '盐路' },
        ...{ torrent_name: 'The.Salt.Road.S02E01-E03.1080p', folded_text: '盐路\nthe.salt.road.s02e01-e03.1080p' },
      },
      { title: 'Not There', year: 2020, folded_text: 'not there', status: 'failed' },
    ])
    const pushed = {
      torrentId: '90',
      sizeBytes: 1,
      category: '',
      tags: '',
      free: true,
      hasHr: false,
      infoHashes: ['a'],
    }
    for (const [title, source] of [
      ["The Keeper's Boat 2019 1080p", 'manual_push'],
      ['Brushed.2018.1080p', 'brush'],
    ] as const) {
      const facts = { ...pushed, site: title, title, source, downloader: 'nas-1', downloaderId: world.downloaderId }
      await records.succeeded(await records.begin(facts), facts, 'a')
    }
    const asked: (readonly string[])[] = []
    world.called = (names) => {
      asked.push(names)
      return succeed(['Harbour.Lights.2021.2160p.BluRay-RIVAL', 'The.Salt.Road.S02E04.720p'])
    }
    const titled = [
      ['The.Salt.Road.S02E03.2160p', true, 'library'],
      ['Harbour Lights 2021 1080p', true, 'downloader'],
      ['The.Keepers.Boat.2019.2160p', true, 'pushes'],
      ['The.Salt.Road.S02E03-E04.2160p', true, undefined],
      ['The.Salt.Road.S02E05.2160p', false, 'library'],
      ['The.Salt.Road.S02.2160p', undefined, 'partly'],
      ['Not.There.2020.1080p', undefined, 'unheard'],
      ['Brushed.2018.2160p', undefined, 'unheard'],
      ['Glass Pier', undefined, 'unnamed'],
    ] as const
    await addRule('is there', [{ field: 'owned', op: 'is', value: true }], { action: 'notify' })
    world.newest = titled.map(([title], at) => hit(at + 1, { title }))
    world.entries = titled.map((_, at) => entry(at + 1))
    await lookAfter()
    for (const [at, [title, found, why]] of titled.entries()) {
      const [clause] = (await itemOf(String(at + 1)))?.clauses ?? []
      expect([title, clause?.found, clause?.from ?? clause?.lack]).toEqual([title, found, why])
    }
    // Once for all of them.
    expect(asked).toHaveLength(1)

    // One that keeps still may have what nobody else knows.
    world.called = () => failWith({ kind: 'downloader.timeout' })
    world.newest = [hit(20, { title: 'Glass.Pier.2021.1080p' })]
    world.entries = [entry(20)]
    await lookAfter()
    expect((await itemOf('20'))?.clauses[0]).toMatchObject({ state: 'unknown', lack: 'silent' })
  })

  test('are asked what the disk has left: read once a look, less by what the look takes, and kept', async ({
    expect,
  }) => {
    await primedFeed()
    const roomy = { field: 'free_gib', op: 'at_least', value: 85 } as const
    await addRule('roomy', [roomy], {
      target: { downloader_id: 0, category: '', tags: [], save_path: '/data/tv' },
    })
    await addRule('roomy to notice', [roomy, { field: 'title', op: 'has_all', value: ['nothing'] }], {
      action: 'notify',
      target: { downloader_id: 0, category: '', tags: [], save_path: '/data/tv' },
    })
    const asked: string[] = []
    world.space = async (folder) => {
      asked.push(folder)
      return succeed({ freeBytes: 104 * gib, pendingBytes: 4 * gib, minFreeBytes: 0 })
    }
    world.entries = [entry(3), entry(2), entry(1)]
    world.newest = [hit(1), hit(2), hit(3), hit(4)]
    await lookAfter()
    expect(await statuses()).toEqual({ 1: 'taken', 2: 'taken', 3: 'left' })
    const clauseOf = async (id: string) => (await itemOf(id))?.clauses[0]
    expect(await clauseOf('1')).toEqual({ asked: roomy, state: 'met', found: 100, from: 'downloader' })
    expect(await clauseOf('2')).toEqual({ asked: roomy, state: 'met', found: 90, from: 'downloader' })
    expect(await clauseOf('3')).toEqual({ asked: roomy, state: 'unmet', found: 80, from: 'downloader' })
    expect(asked).toEqual(['/data/tv'])
    expect((await itemOf('3'))?.candidate.disks?.map(({ leftBytes }) => leftBytes)).toEqual([80 * gib])

    // Nothing new: nothing is asked.
    await lookAfter()
    expect(asked).toHaveLength(1)

    world.space = async () => failWith({ kind: 'downloader.unreachable' })
    world.entries = [entry(4), ...world.entries]
    await lookAfter()
    expect(await clauseOf('4')).toEqual({ asked: roomy, state: 'unknown' })
    expect(await statuses()).toMatchObject({ 4: 'left' })
  })

  test('hold their bound of a day over several looks', async ({ expect }) => {
    await primedFeed()
    await addRule('two a day', [{ field: 'size_gib', op: 'at_least', value: 0 }], { per_day_max: 2 })
    world.entries = [entry(3), entry(2), entry(1)]
    world.newest = [hit(1), hit(2), hit(3), hit(4), hit(5)]
    await lookAfter()
    world.entries = [entry(4), ...world.entries]
    await lookAfter()
    expect(world.pushes).toEqual(['1', '2'])
    expect((await itemOf('4'))?.clauses).toContainEqual({
      asked: { field: 'per_day', op: 'at_most', value: 2 },
      state: 'unmet',
      found: 2,
      from: 'pushes',
    })
    world.entries = [entry(5)]
    await lookAfter(24 * 60)
    expect(world.pushes).toEqual(['1', '2', '5'])
  })

  test('hold the GiB of their day over several looks, by what the site told of their size', async ({ expect }) => {
    await primedFeed()
    await addRule('some a day', [{ field: 'size_gib', op: 'at_least', value: 0 }], { per_day_gib_max: 10 })
    world.entries = [entry(3), entry(2), entry(1)]
    world.newest = [
      hit(1, { sizeBytes: 6 * gib }),
      hit(2, { sizeBytes: 5 * gib }),
      hit(3, { sizeBytes: 4 * gib }),
      hit(4),
      hit(5),
    ]
    await lookAfter()
    expect(world.pushes).toEqual(['1', '3'])
    const asked = { field: 'per_day_gib', op: 'at_most', value: 10 }
    expect((await itemOf('2'))?.clauses.at(-1)).toEqual({ asked, state: 'unmet', found: 6, from: 'pushes' })
    // Another look, as after a restart: what was taken stands in the database.
    world.entries = [entry(4), ...world.entries]
    await lookAfter()
    expect((await itemOf('4'))?.clauses.at(-1)).toEqual({ asked, state: 'unmet', found: 10, from: 'pushes' })
    expect((await filterRules.list())[0]).toMatchObject({ takenToday: { count: 2, bytes: 10 * gib } })
    world.entries = [entry(5)]
    await lookAfter(24 * 60)
    expect(world.pushes).toEqual(['1', '3', '5'])
  })

  test('hold both bounds of a day over sites that decide at once', async ({ expect }) => {
    const ids = [await addFeed(world), await addFeed(world, { name: 'other', siteId: await addSite('quay') })]
    const bounds = { per_day_max: 2, per_day_gib_max: 10 }
    const ruleId = await addRule('a day', [{ field: 'size_gib', op: 'at_least', value: 0 }], bounds)
    const day = { field: 'per_day', op: 'at_most', value: 2 } as const
    const ofSize = { field: 'per_day_gib', op: 'at_most', value: 10 } as const
    const clauses = [
      { asked: day, state: 'met', found: 0, from: 'pushes' },
      { asked: ofSize, state: 'met', found: 0, from: 'pushes' },
    ] as const
    const sizes = [6 * gib, 4 * gib + 1]
    const runs = await Promise.all(ids.map((id) => feedRuns.beginNow(id)))
    for (const [at, run] of runs.entries()) {
      const candidate = {
        site: `site${at}`,
        feed: 'x',
        torrentId: String(at),
        title: `Title ${at}`,
        subtitle: '',
        sizeBytes: sizes[at],
      }
      const decision = { candidate, releaseKey: `title${at}`, status: 'taking', ruleId, ruleName: '', clauses } as const
      if (run !== undefined) await feedRuns.note(run, [decision])
    }
    const attempts: unknown[] = []
    for (const [at, run] of runs.entries())
      if (run !== undefined) attempts.push(await feedRuns.attempt(run, String(at), bounds))

    expect(attempts).toEqual(['begun', 'full'])
    expect(await statuses()).toEqual({ 0: 'taking', 1: 'left' })
    expect((await itemOf('1'))?.clauses).toEqual([
      { asked: day, state: 'met', found: 1, from: 'pushes' },
      { asked: ofSize, state: 'unmet', found: 6, from: 'pushes' },
    ])
    // It counts for itself once: what was cut off goes on.
    expect(runs[0] && (await feedRuns.attempt(runs[0], '0', bounds))).toBe('begun')
    expect(runs[1] && (await feedRuns.attempt(runs[1], '1', bounds))).toBe('overtaken')
  })

  test('take one release from one site', async ({ expect }) => {
    const other = await addSite('quay')
    await primedFeed()
    await primedFeed({ name: 'other', siteId: other })
    world.entries = [entry(1, { title: 'Harbour.Lights.S01E01.1080p.WEB-DL-QUAY' })]
    world.newest = [hit(1, { title: 'Harbour Lights S01E01 1080p WEB-DL-QUAY' })]
    await lookAfter()
    const items = await feeds.items({})
    expect(items.map(({ status }) => status).sort()).toEqual(['left', 'taken'])
    expect(items.find(({ status }) => status === 'left')?.clauses.at(-1)).toMatchObject({
      asked: { field: 'same_release' },
      found: expect.stringMatching(/shelf|quay/),
    })
  })

  test('take one release once, though it could not be pushed at first from where it came first', async ({ expect }) => {
    const title = 'Harbour.Lights.S01E01.1080p.WEB-DL-QUAY'
    await primedFeed({ everyMinutes: 10 })
    await primedFeed({ name: 'other', siteId: await addSite('quay'), everyMinutes: 15 })
    world.midPush = async () =>
      succeed({ kind: 'refused', infoHash: hashOf(1), reason: { kind: 'downloader.unreachable' } })
    world.entries = [entry(1, { title })]
    world.newest = [hit(1, { title }), hit(2, { title })]
    await lookAfter(10)
    expect(await statuses()).toEqual({ 1: 'waiting' })

    world.midPush = async () => undefined
    world.entries = [entry(2, { title })]
    await lookAfter(5)
    expect(await statuses()).toEqual({ 1: 'waiting', 2: 'taken' })

    world.entries = []
    await lookAfter(5)
    expect(await statuses()).toEqual({ 1: 'left', 2: 'taken' })
    expect(world.pushes).toEqual(['1', '2'])
    expect((await itemOf('1'))?.clauses.at(-1)).toMatchObject({ asked: { field: 'same_release' }, found: 'quay' })
  })
})

describe('pushes of a feed', () => {
  beforeEach(async () => {
    await primedFeed()
    world.entries = [entry(1)]
    world.newest = [hit(1)]
  })

  test('that a gate stops are tried a few times, and say why', async ({ expect }) => {
    const reason = { kind: 'push.space_unread' } as const
    world.midPush = async () => succeed({ kind: 'stopped', infoHash: hashOf(1), reason })
    for (let round = 1; round < feedAttemptsMax; round += 1) {
      await lookAfter()
      expect(await itemOf('1')).toMatchObject({ status: 'waiting', reason })
    }
    await lookAfter()
    expect(await itemOf('1')).toMatchObject({ status: 'failed', reason })
    await lookAfter()
    expect(world.pushes).toHaveLength(feedAttemptsMax)
  })

  test('that a crash cut off are settled by their record, or made up for', async ({ expect }) => {
    world.midPush = async () => failWith({ kind: 'interrupted' })
    await lookAfter()
    expect(await statuses()).toEqual({ 1: 'taking' })
    world.midPush = async () => undefined
    await env.DB.prepare('delete from push_records').run()
    await lookAfter(Math.ceil(feedPushSeconds / 60) + 10)
    expect(world.pushes).toEqual(['1', '1'])
    expect(await statuses()).toEqual({ 1: 'taken' })
  })

  test('that are not free any more when they are made up for are not made', async ({ expect }) => {
    world.midPush = async () => failWith({ kind: 'busy' })
    await lookAfter()
    expect(await statuses()).toEqual({ 1: 'waiting' })
    world.newest = [hit(1, { discount: 'NONE' })]
    await lookAfter()
    expect(await statuses()).toEqual({ 1: 'left' })
    expect(world.pushes).toEqual(['1'])
  })

  test('of what the downloader has already are none', async ({ expect }) => {
    world.torrents.set(hashOf(1), {} as never)
    await lookAfter()
    expect(await statuses()).toEqual({ 1: 'present' })
  })

  test('are bounded in one run, and go on in the next', async ({ expect }) => {
    const numbers = Array.from({ length: feedPushesPerRunMax + 1 }, (_, at) => at + 1)
    world.entries = numbers.map((number) => entry(number)).reverse()
    world.newest = numbers.map((number) => hit(number))
    await lookAfter()
    expect(world.pushes).toHaveLength(feedPushesPerRunMax)
    await lookAfter()
    expect(world.pushes).toEqual(numbers.map(String))
  })

  test('are told as one message a rule', async ({ expect }) => {
    await openChannel()
    world.entries = [entry(2), entry(1)]
    world.newest = [hit(1), hit(2)]
    await lookAfter()
    expect(await notices()).toEqual([
      {
        site: 'shelf',
        rule: { kind: 'rss.free_only' },
        downloader: 'nas-1',
        items: [
          { title: 'Torrent 1', size: 10 * gib, free: true },
          { title: 'Torrent 2', size: 10 * gib, free: true },
        ],
      },
    ])
  })

  test('that a rule only tells of are told as well, once', async ({ expect }) => {
    await openChannel()
    await addRule('worth a look', [{ field: 'size_gib', op: 'at_least', value: 1 }], { action: 'notify' })
    world.entries = [entry(2), entry(1)]
    world.newest = [hit(1), hit(2)]
    await lookAfter()
    await lookAfter()
    expect(await statuses()).toEqual({ 1: 'told', 2: 'told' })
    expect(world.pushes).toEqual([])
    expect(await notices()).toEqual([
      {
        site: 'shelf',
        rule: 'worth a look',
        downloader: { kind: 'rss.told_only' },
        items: [
          { title: 'Torrent 1', size: 10 * gib, free: true },
          { title: 'Torrent 2', size: 10 * gib, free: true },
        ],
      },
    ])
  })
})

describe('what is kept', () => {
  test('holds no key of the feed: its address is sealed', async ({ expect }) => {
    await primedFeed()
    world.entries = [entry(1)]
    await lookAfter()
    for (const table of ['feeds', 'feed_items', 'jobs', 'notices']) {
      const { results } = await env.DB.prepare(`select * from ${table}`).all()
      expect(JSON.stringify(results)).not.toContain('CanaryPassKeyOfTheFeed')
    }
    expect(world.places[0]?.address).toContain('CanaryPassKeyOfTheFeed')
  })

  test('holds what opens a channel sealed, for as long as its server is the same', async ({ expect }) => {
    const announces = { channel: '#fresh', announcers: ['Herald'], line: '{title} {id}', sign_in: 'none' as const }
    const address = 'ircs://reader:secret@irc.example'
    const enter = 'Herald enter #fresh walker CanaryIrcKeyOfTheSite'
    const id = await addFeed(world, { announces, address, enter })
    const change = { name: 'fresh', enabled: true, everyMinutes: 10, siteId: world.siteId, announces }
    const told = async () => {
      const [row] = await feedRuns.channels()
      const { sealed_enter: sealed } = JSON.parse(row?.announces ?? '{}') as StoredAnnounces
      return sealed === undefined ? undefined : feedRuns.enterOf(id, sealed)
    }
    expect(await told()).toBe(enter)
    const { results } = await env.DB.prepare('select * from feeds').all()
    expect(JSON.stringify(results)).not.toContain('CanaryIrcKeyOfTheSite')
    expect(await feeds.list()).toMatchObject([{ announces, hasEnter: true }])

    await feeds.update(id, { ...change, announces: { ...announces, announcers: ['Crier'] } })
    expect(await told()).toBe(enter)
    await feeds.update(id, { ...change, enter: 'Herald enter again' })
    expect(await told()).toBe('Herald enter again')
    await feeds.update(id, { ...change, address: 'ircs://reader:secret@other.example' })
    expect(await told()).toBeUndefined()
    expect((await feeds.list())[0]).not.toHaveProperty('hasEnter')
    // Sealed for this feed, it is worth nothing in another one's row.
    await feeds.update(id, { ...change, enter })
    const [row] = await feedRuns.channels()
    const { sealed_enter: sealed = '' } = JSON.parse(row?.announces ?? '{}') as StoredAnnounces
    expect(await feedRuns.enterOf(id + 1, sealed)).toBeUndefined()
  })

  test('goes after its time', async ({ expect }) => {
    await primedFeed()
    world.entries = [entry(1)]
    await lookAfter()
    world.entries = []
    await lookAfter(feedItemSeconds / 60)
    expect(await statuses()).toEqual({})
  })

  test('has its bounds: so many feeds and so many rules, and one more is refused', async ({ expect }) => {
    for (let at = 1; at < feedsMax; at += 1)
      await env.DB.prepare(
        "insert into feeds (name, enabled, site_id, site, every_minutes, due_at_unix, created_at_unix, updated_at_unix) values (?, 0, 0, '', 10, 0, 0, 0)",
      )
        .bind(`f${at}`)
        .run()
    const body = { enabled: false, siteId: world.siteId, everyMinutes: 10 }
    expect((await feeds.add({ ...body, name: 'last' })).ok).toBe(true)
    expect(await feeds.add({ ...body, name: 'one more' })).toEqual(failWith('too_many'))
    await env.DB.prepare(
      `insert into filter_rules (name, enabled, position, rule, created_at_unix, updated_at_unix)
       with recursive n(at) as (select 1 union all select at + 1 from n where at < ${filterRulesMax - 1})
       select 'r' || at, 0, at, '{"action":"skip","conditions":[{"field":"title","op":"has_any","value":["x"]}],"target":{"downloader_id":0,"category":"","tags":[],"save_path":""}}', 0, 0 from n`,
    ).run()
    await addRule('last', [{ field: 'title', op: 'has_any', value: ['x'] }])
    await expect(addRule('one more', [{ field: 'title', op: 'has_any', value: ['x'] }])).rejects.toThrow('too_many')
  })
})
