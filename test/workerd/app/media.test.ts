/** From a torrent that is complete to the library and its history, with a clock the test moves and a downloader that does as it is told. */

import { env } from 'cloudflare:workers'
import { beforeEach, describe, inject, test } from 'vitest'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { createChannels } from '../../../workers/app/adapters/d1/channels.ts'
import { createLibraries } from '../../../workers/app/adapters/d1/libraries.ts'
import { createMediaHistory } from '../../../workers/app/adapters/d1/media-history.ts'
import { createQualityProfiles } from '../../../workers/app/adapters/d1/quality-profiles.ts'
import { channelRuntime } from '../../../workers/app/adapters/worker-runtime.ts'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import type { MoveOutcome } from '../../../workers/app/core/downloader.ts'
import { fromQbittorrent } from '../../../workers/app/core/qbittorrent-torrent.ts'
import type { Reason } from '../../../workers/app/core/reason/reason.ts'
import { storeReason } from '../../../workers/app/core/reason/stored-reason.ts'
import { historyStatuses } from '../../../workers/app/core/vocabulary.ts'
import {
  jobLeaseSeconds,
  keywordCharactersMax,
  lostPushSeconds,
  mediaHistoryMax,
  moveGraceSeconds,
  moveLookSeconds,
  moveSeconds,
  organisedAtOnceMax,
  organiseRetrySeconds,
  organiseWaitSeconds,
  pageSizeMax,
} from '../../../workers/app/limits.ts'
import type { DownloaderFleet } from '../../../workers/app/ports/downloaders.ts'
import { libraryAwareFleet } from '../../../workers/app/services/library/library-aware-fleet.ts'
import { organiseMedia } from '../../../workers/app/services/library/organise-media.ts'
import { localeOf } from '../../support/locale-of.ts'
import { unwrap } from '../../support/unwrap.ts'
import { makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'
import { plantMedia } from '../../support/workerd/planted-media.ts'
import {
  clock,
  db,
  downloaders,
  fakeFleet,
  noWatch,
  organisedBy,
  records,
  secrets,
  settle,
  unix,
  workWith,
} from '../../support/workerd/told-sites.ts'

const wake = async () => undefined
const history = createMediaHistory(db, { clock, wake })
const libraries = createLibraries(db, clock)
const channels = createChannels(db, {
  clock,
  locale: localeOf('Asia/Shanghai'),
  secrets,
  sending: { runtime: channelRuntime, pushKey: async () => undefined },
  wake,
  botChanged: async () => undefined,
  botLeaves: async () => undefined,
})
const channelOrigin = inject('standInChannel')
const settings = { kind: 'qbittorrent', baseUrl: 'http://127.0.0.1:1', username: '', enabled: true } as const

let downloaderId: number
let place = 0

const session = await ownerSession()
const reader = (await makeToken(session, ['app:read'])).caller

beforeEach(async () => {
  clock.now = unix('2026-11-20T19:00:00Z')
  const tables = [
    ...['media_history', 'libraries', 'subscriptions', 'subscription_episodes', 'subscription_torrents'],
    ...['push_records', 'jobs', 'downloaders', 'channels', 'notices', 'deliveries'],
  ]
  await env.DB.batch(tables.map((table) => env.DB.prepare(`delete from ${table}`)))
  const added = unwrap(await downloaders.add({ ...settings, name: 'nas', isDefault: true }))
  downloaderId = added.id
})

/** A downloader that moves at once, unless it is told otherwise. */
function toldDownloader() {
  const torrents = new Map<string, { folder: string; state: string; progress: number }>()
  const fleet = {
    torrents,
    fault: undefined as Reason | undefined,
    moves: [] as string[],
    move: (infoHash: string, folder: string): Result<MoveOutcome['kind'], Reason> => {
      const torrent = torrents.get(infoHash)
      if (torrent !== undefined) torrent.folder = folder
      return succeed('moved')
    },
    port: {} as Pick<DownloaderFleet, 'find' | 'move'>,
  }
  const shown = (infoHash: string) => {
    const one = torrents.get(infoHash)
    if (one === undefined) return []
    const { folder, state, progress } = one
    return [fromQbittorrent(infoHash, { name: infoHash, state, progress, size: 700, save_path: folder })]
  }
  fleet.port = {
    find: async (_, infoHashes) =>
      fleet.fault === undefined ? succeed(infoHashes.flatMap(shown)) : failWith(fleet.fault),
    move: async (_, [infoHash = ''], folder) => {
      fleet.moves.push(folder)
      const moved = fleet.move(infoHash, folder)
      if (!moved.ok) return moved
      const [torrent] = shown(infoHash)
      return torrent === undefined || moved.value === 'gone'
        ? succeed({ kind: 'gone' })
        : succeed({ kind: moved.value, torrent })
    },
  }
  return fleet
}
type Told = ReturnType<typeof toldDownloader>

/** A new instance each time: it knows only what is stored. */
const organiseWith = (told: Told) =>
  workWith(fakeFleet(), {
    downloaders: noWatch,
    organising: organisedBy(() =>
      organiseMedia({
        clock,
        history,
        libraries,
        profiles: createQualityProfiles(db, clock, localeOf('Asia/Shanghai')),
        downloaders,
        fleet: told.port,
      }),
    ),
  })
const organise = (told: Told) => settle(organiseWith(told))
const later = (told: Told, seconds: number) => {
  clock.now += seconds
  return organise(told)
}

interface Wanted {
  readonly mediaType?: 'movie' | 'tv'
  readonly tmdbId?: number
  readonly season?: number
  readonly title?: string
  readonly year?: number | null
  readonly episodes?: number
}

async function subscribe(wanted: Wanted = {}): Promise<number> {
  const { mediaType = 'movie', tmdbId = 11, season = 0, title = '星球漫步', year = 2020, episodes = 0 } = wanted
  const row = await env.DB.prepare(
    `insert into subscriptions (media_type, tmdb_id, season, title, original_title, folded_title, search_title, year,
       total_episodes, status, upgrade, source, refreshed_at_unix, created_at_unix)
     values (?, ?, ?, ?, '', ?, '', ?, ?, 'active', 0, 'app', ?, 1) returning id`,
  )
    // Looked up a moment ago, whenever that is: nobody here asks the provider.
    .bind(mediaType, tmdbId, season, title, title, year, episodes, 4e9)
    .first<{ id: number }>()
  const id = row?.id ?? 0
  for (let number = 1; number <= episodes; number++)
    await env.DB.prepare('insert into subscription_episodes values (?, ?, ?, ?)')
      .bind(id, number, '', '2020-01-01')
      .run()
  return id
}

let hashes = 0

/** A torrent of a subscription that its downloader has. */
async function take(
  told: Told,
  subscriptionId: number,
  change: Readonly<Record<string, unknown>> = {},
  complete = true,
) {
  const { quality = {}, ...columns } = change
  hashes += 1
  const infoHash = hashes.toString(16).padStart(40, '0')
  const row = {
    subscription_id: subscriptionId,
    site: 'shelf',
    torrent_id: String(hashes),
    title: `Planet.Walk.${hashes}`,
    size_bytes: 700,
    status: 'downloading',
    created_at_unix: 1,
    updated_at_unix: 1,
    quality: JSON.stringify(quality),
    ...columns,
  }
  const torrent = await env.DB.prepare(
    `insert into subscription_torrents (${Object.keys(row).join()}) values (${Object.keys(row).map(() => '?')}) returning id`,
  )
    .bind(...Object.values(row))
    .first<{ id: number }>()
  const facts = {
    ...{ site: row.site, torrentId: String(row.torrent_id), title: String(row.title), sizeBytes: 700, category: '' },
    ...({ tags: '', free: false, hasHr: false, source: 'subscription', downloader: 'nas', downloaderId } as const),
    infoHashes: [infoHash, 'f'.repeat(40)],
  }
  const pushId = await records.begin(facts)
  await records.succeeded(pushId, facts, infoHash)
  told.torrents.set(infoHash, { folder: '/downloads', state: 'uploading', progress: complete ? 1 : 0.5 })
  const completed = fromQbittorrent(infoHash, { progress: 1, size: 700 })
  if (complete) await records.note([{ id: pushId, torrent: completed }])
  return { id: torrent?.id ?? 0, infoHash, title: String(row.title), pushId, completed }
}

const addLibrary = (
  mediaType: 'movie' | 'tv' = 'movie',
  mode: 'move' | 'keep' = 'move',
  path = `/media/${mediaType}`,
) => libraries.add({ name: `${mediaType} of ${path}`, mediaType, path, mode, isDefault: false })
const page = async (query = '') => (await send('GET', `${appPrefix}/media/history${query}`, reader)).body
const listed = async () => (await page()).items
const rowOf = async (id: number) =>
  env.DB.prepare('select status, message from subscription_torrents where id = ?').bind(id).first()
const progressOf = async (id: number) => (await send('GET', `${appPrefix}/subscriptions/${id}`, reader)).body.progress
const jobOf = async () => env.DB.prepare("select * from jobs where name = 'organise'").first()

describe('a torrent that is complete', () => {
  test('goes into the folder of its film, counts as in the library, and is told of', async ({ expect }) => {
    const told = toldDownloader()
    await addLibrary()
    place += 1
    const events = ['media.organised', 'media.failed'] as const
    const channel = {
      name: 'told',
      kind: 'webhook',
      address: `${channelOrigin}/media${place}/hook`,
      enabled: true,
    } as const
    expect((await channels.add({ ...channel, events })).ok).toBe(true)
    const id = await subscribe()
    const torrent = await take(told, id, { size_bytes: 650 })
    const before = await progressOf(id)

    await organise(told)

    expect(before).toMatchObject({ in_library: 0, downloading: 1, missing: [] })
    expect(told.torrents.get(torrent.infoHash)?.folder).toBe('/media/movie/星球漫步 (2020)')
    expect(await listed()).toEqual([
      {
        id: expect.any(Number),
        media_type: 'movie',
        tmdb_id: 11,
        title: '星球漫步',
        year: 2020,
        torrent_name: torrent.title,
        library: 'movie of /media/movie',
        target_path: '/media/movie/星球漫步 (2020)',
        mode: 'move',
        size: 700,
        status: 'done',
        created_at: clock.now,
      },
    ])
    expect(await rowOf(torrent.id)).toEqual({ status: 'done', message: '' })
    expect(await progressOf(id)).toMatchObject({ in_library: 1, downloading: 0, missing: [] })
    const taken = await fetch(`${channelOrigin}/control/media${place}`, { method: 'POST' })
    expect(await taken.json()).toMatchObject([
      { body: { title: '已入库：星球漫步', text: `${torrent.title}\n/media/movie/星球漫步 (2020)　700 B` } },
    ])
    // Nothing is left to do, and nothing is done twice.
    await later(told, 3600)
    expect(told.moves).toHaveLength(1)
    expect(await jobOf()).toBeNull()
  })

  test('of a series goes below its season, episode by episode', async ({ expect }) => {
    const told = toldDownloader()
    await addLibrary('tv')
    const id = await subscribe({ mediaType: 'tv', tmdbId: 21, season: 2, title: '盐路: 二', year: null, episodes: 4 })
    await take(told, id, { episode: 1 })
    await take(told, id, { episode: 2, episode_end: 3 })

    await organise(told)

    expect(told.moves).toEqual(['/media/tv/盐路 二/Season 02', '/media/tv/盐路 二/Season 02'])
    expect(
      (await listed()).map(({ season, episode, episode_end }: Record<string, unknown>) => [
        season,
        episode,
        episode_end,
      ]),
    ).toEqual([
      [2, 2, 3],
      [2, 1, undefined],
    ])
    expect((await listed())[0]).not.toHaveProperty('year')
    expect(await progressOf(id)).toMatchObject({ in_library: 3, downloading: 0, missing: [4] })
  })

  test('stays where it is in a library that keeps, and where there is none', async ({ expect }) => {
    const told = toldDownloader()
    await addLibrary('tv', 'keep')
    const series = await subscribe({ mediaType: 'tv', tmdbId: 21, season: 1, title: '盐路', episodes: 1 })
    const film = await subscribe()
    await take(told, series)
    const { id } = await take(told, film)

    await organise(told)

    expect(told.moves).toEqual([])
    const seen = (await listed()).toSorted((a: { id: number }, b: { id: number }) => a.id - b.id)
    expect(seen).toMatchObject([
      { library: 'tv of /media/tv', target_path: '/downloads', mode: 'keep', status: 'done' },
      { target_path: '/downloads', mode: 'keep', status: 'skipped', message: '没有电影媒体库，留在原处' },
    ])
    expect(await rowOf(id)).toMatchObject({ status: 'done' })
    // It is there, whatever there is no folder for.
    expect(await progressOf(film)).toMatchObject({ in_library: 1, missing: [] })
    expect(await progressOf(series)).toMatchObject({ in_library: 1, missing: [] })
  })

  test('goes into the library that is the default of its kind', async ({ expect }) => {
    const told = toldDownloader()
    await addLibrary()
    await libraries.add({ name: 'new', mediaType: 'movie', path: '/new', mode: 'move', isDefault: true })
    await take(told, await subscribe())

    await organise(told)

    expect(told.moves).toEqual(['/new/星球漫步 (2020)'])
  })

  test.for([
    ['as good', {}, {}, 'skipped'],
    ['of the same name', { resolution: '1080p', source: 'web' }, { resolution: '1080p', source: 'web' }, 'skipped'],
    ['worse', { resolution: '1080p' }, { resolution: '720p' }, 'skipped'],
    ['worse in what the profile puts first', { resolution: '1080p' }, { resolution: '2160p' }, 'skipped'],
    ['of a quality nobody knows', { resolution: '720p' }, {}, 'skipped'],
    ['better', { resolution: '720p' }, { resolution: '1080p' }, 'done'],
    ['better than one nobody knows', {}, { resolution: '720p' }, 'done'],
  ] as const)('beside one in the library that it is %s: %s', async ([, first, second, status], { expect }) => {
    const told = toldDownloader()
    await addLibrary()
    const id = await subscribe()
    const old = await take(told, id, { quality: first })
    await organise(told)
    clock.now += 60
    const next = await take(told, id, { quality: second })

    await organise(told)

    const items = await listed()
    expect(items.find((one: { torrent_name: string }) => one.torrent_name === next.title)).toMatchObject({ status })
    expect(items.find((one: { torrent_name: string }) => one.torrent_name === old.title)).toMatchObject(
      status === 'done' ? { status: 'removed', message: '已被更好的版本取代' } : { status: 'done' },
    )
    expect(await rowOf(old.id)).toMatchObject({ status: status === 'done' ? 'replaced' : 'done' })
    expect(await progressOf(id)).toMatchObject({ in_library: 1, missing: [] })
  })

  test('is skipped only when the library has every episode of it', async ({ expect }) => {
    const told = toldDownloader()
    await addLibrary('tv')
    const id = await subscribe({ mediaType: 'tv', tmdbId: 21, season: 1, title: '盐路', episodes: 3 })
    for (const episode of [1, 2]) await take(told, id, { episode })
    await organise(told)

    const whole = await take(told, id)
    await organise(told)
    const again = await take(told, id, { episode: 2, episode_end: 3 })
    await organise(told)

    const statusOf = async (title: string) =>
      (await listed()).find((one: { torrent_name: string }) => one.torrent_name === title).status
    expect(await statusOf(whole.title)).toBe('done')
    expect(await statusOf(again.title)).toBe('skipped')
    expect(await progressOf(id)).toMatchObject({ in_library: 3, missing: [] })
  })

  test('that was taken for two seasons lies in one place', async ({ expect }) => {
    const told = toldDownloader()
    await addLibrary('tv')
    const first = await subscribe({ mediaType: 'tv', tmdbId: 21, season: 1, title: '盐路', episodes: 1 })
    const second = await subscribe({ mediaType: 'tv', tmdbId: 21, season: 2, title: '盐路', episodes: 1 })
    const { title } = await take(told, first)
    await env.DB.prepare(
      `insert into subscription_torrents (subscription_id, site, torrent_id, title, size_bytes, status, created_at_unix, updated_at_unix)
       select ?, site, torrent_id, title, size_bytes, status, 1, 1 from subscription_torrents where title = ?`,
    )
      .bind(second, title)
      .run()

    await organise(told)

    expect(told.moves).toHaveLength(1)
    expect((await listed()).map((one: { target_path: string }) => one.target_path)).toEqual(
      Array(2).fill('/media/tv/盐路 (2020)/Season 01'),
    )
    expect(await progressOf(second)).toMatchObject({ in_library: 1 })
  })
})

describe('a move', () => {
  async function begun() {
    const told = toldDownloader()
    await addLibrary()
    const subscription = await subscribe()
    const torrent = await take(told, subscription)
    const shown = () => told.torrents.get(torrent.infoHash)
    return { told, torrent, shown, subscription }
  }
  const statuses = async () => (await listed()).map(({ status }: { status: string }) => status)

  test('that takes long is waited for, and asked for once', async ({ expect }) => {
    const { told, torrent, shown } = await begun()
    told.move = () => succeed('moving')
    await organise(told)
    const one = shown()
    if (one !== undefined) one.state = 'moving'

    for (let seconds = 0; seconds < moveSeconds - moveLookSeconds; seconds += 1800) await later(told, 1800 - 600)
    const before = await statuses()
    if (one !== undefined) Object.assign(one, { state: 'uploading', folder: '/media/movie/星球漫步 (2020)/' })
    await later(told, moveLookSeconds)

    expect(before).toEqual([])
    expect(await listed()).toMatchObject([{ status: 'done', target_path: '/media/movie/星球漫步 (2020)' }])
    expect(told.moves).toHaveLength(1)
    expect(await rowOf(torrent.id)).toMatchObject({ status: 'done' })
  })

  test('that a crash cut off after it was asked for is looked at, and not asked for again', async ({ expect }) => {
    const { told, shown } = await begun()
    const gate = Promise.withResolvers<never>()
    const { move } = told.port
    told.port.move = async (...asked) => {
      await move(...asked)
      return gate.promise
    }
    void organiseWith(told).runDue()
    await expect.poll(() => told.moves.length).toBe(1)
    const stored = await env.DB.prepare('select asked_at_unix, target_path, under_way from media_history').first()
    told.port.move = move

    await later(told, jobLeaseSeconds)

    expect(stored).toEqual({ asked_at_unix: clock.now - jobLeaseSeconds, target_path: shown()?.folder, under_way: 1 })
    expect(told.moves).toHaveLength(1)
    expect(await statuses()).toEqual(['done'])
  })

  test('that a crash cut off before it was asked for is asked for', async ({ expect }) => {
    const { told } = await begun()
    const { move } = told.port
    told.port.move = () => new Promise(() => undefined)
    void organiseWith(told).runDue()
    await expect
      .poll(
        async () => (await env.DB.prepare('select asked_at_unix as at from media_history').first<{ at: number }>())?.at,
      )
      .toBe(clock.now)
    told.port.move = move

    await later(told, jobLeaseSeconds)
    const early = told.moves.length
    await later(told, moveGraceSeconds)
    await later(told, organiseRetrySeconds[0] ?? 0)

    expect([early, told.moves.length]).toEqual([0, 1])
    expect(await statuses()).toEqual(['done'])
  })

  test('that two runs at once begin ends as one', async ({ expect }) => {
    const { told } = await begun()

    await Promise.all([organise(told), organise(told)])

    expect(await statuses()).toEqual(['done'])
    expect(new Set(told.moves).size).toBe(1)
  })

  test('that is refused is tried again with growing pauses, has then failed, and is told of', async ({ expect }) => {
    const { told, torrent, subscription } = await begun()
    const events = ['media.failed'] as const
    place += 1
    const channel = {
      name: 'told',
      kind: 'webhook',
      address: `${channelOrigin}/media${place}/hook`,
      enabled: true,
    } as const
    await channels.add({ ...channel, events })
    told.move = () => failWith({ kind: 'downloader.rejected' })
    await organise(told)
    for (const [index, seconds] of organiseRetrySeconds.entries()) {
      expect(await statuses()).toEqual([])
      await later(told, seconds - 1)
      expect(told.moves).toHaveLength(index + 1)
      await later(told, 1)
    }

    expect(await listed()).toMatchObject([{ status: 'failed', message: '下载器拒绝了这个请求' }])
    // Whoever looks for missing episodes gives it up by its age.
    expect(await rowOf(torrent.id)).toEqual({
      status: 'downloading',
      message: storeReason({ kind: 'downloader.rejected' }),
    })
    expect(await progressOf(subscription)).toMatchObject({ in_library: 0, downloading: 1 })
    const taken = await fetch(`${channelOrigin}/control/media${place}`, { method: 'POST' })
    expect(await taken.json()).toMatchObject([
      { body: { title: '整理失败：星球漫步', text: `${torrent.title}\n下载器拒绝了这个请求` } },
    ])
    await later(told, 24 * 3600)
    expect(told.moves).toHaveLength(organiseRetrySeconds.length + 1)
  })

  test('that the downloader takes and does not do is asked for again, and fails in the end', async ({ expect }) => {
    const { told } = await begun()
    told.move = () => succeed('moving')
    await organise(told)
    await later(told, moveGraceSeconds - 1)
    const early = told.moves.length
    for (const seconds of organiseRetrySeconds) {
      await later(told, moveGraceSeconds)
      await later(told, seconds)
    }
    await later(told, moveGraceSeconds)

    expect(early).toBe(1)
    expect(told.moves).toHaveLength(organiseRetrySeconds.length + 1)
    expect(await listed()).toMatchObject([{ status: 'failed', message: expect.stringContaining('目录和权限') }])
  })

  test('of a torrent that is gone from its downloader says so once it was missed twice', async ({ expect }) => {
    const { told, torrent, shown } = await begun()
    const other = await take(told, await subscribe({ tmdbId: 12, title: '别处' }))
    const one = shown()
    told.torrents.clear()
    await organise(told)
    const first = await statuses()
    // A downloader that starts shows its torrents one after another.
    if (one !== undefined) told.torrents.set(torrent.infoHash, one)

    await later(told, lostPushSeconds)

    expect(first).toEqual([])
    const of = async (name: string) =>
      (await listed()).find(({ torrent_name }: { torrent_name: string }) => torrent_name === name)
    expect(await of(torrent.title)).toMatchObject({ status: 'done' })
    expect(await of(other.title)).toMatchObject({ status: 'removed', message: '种子已从下载器中移除' })
    expect(await rowOf(other.id)).toMatchObject({ status: 'failed' })
  })

  test('waits for a downloader that is silent or switched off, and fails with one that was removed', async ({
    expect,
  }) => {
    const { told } = await begun()
    told.fault = { kind: 'downloader.unreachable' }
    await organise(told)
    const job = await jobOf()
    told.fault = undefined
    await downloaders.update(downloaderId, { ...settings, name: 'nas', enabled: false, isDefault: true })
    await later(told, organiseRetrySeconds[0] ?? 0)
    await later(told, organiseWaitSeconds - 1)
    const whileOff = [...told.moves]
    await downloaders.remove(downloaderId)
    await later(told, 1)

    expect(job).toMatchObject({
      last_ok: 0,
      last_error: storeReason({ kind: 'several', of: [{ name: 'nas', reason: { kind: 'downloader.unreachable' } }] }),
    })
    expect(whileOff).toEqual([])
    expect(await listed()).toMatchObject([{ status: 'failed', message: '下载器已被删除' }])
  })

  test('that failed or was skipped is made again when the owner wants it, and no other', async ({ expect }) => {
    const { told, torrent } = await begun()
    told.move = () => failWith({ kind: 'downloader.rejected' })
    await organise(told)
    for (const seconds of organiseRetrySeconds) await later(told, seconds)
    const [failed] = await listed()
    const again = (id: number) => send('POST', `${consolePrefix}/media/history/${id}/retry`, session, { json: {} })
    told.move = (infoHash, folder) => {
      Object.assign(told.torrents.get(infoHash) ?? {}, { folder })
      return succeed('moved')
    }

    const begunAgain = await history.tryAgain(failed.id)
    const meanwhile = await statuses()
    await organise(told)
    const done = await again(failed.id)
    const unknown = await again(failed.id + 1)

    expect(begunAgain.ok).toBe(true)
    expect(meanwhile).toEqual(['failed'])
    expect(await statuses()).toEqual(['done'])
    expect(await rowOf(torrent.id)).toMatchObject({ status: 'done' })
    expect([done, unknown].map(({ status, body }) => [status, body.error])).toEqual([
      [400, 'invalid_argument'],
      [404, 'not_found'],
    ])
  })
})

test('more than one run takes is organised all the same', async ({ expect }) => {
  const told = toldDownloader()
  await addLibrary('tv')
  const id = await subscribe({
    mediaType: 'tv',
    tmdbId: 21,
    season: 1,
    title: '盐路',
    episodes: organisedAtOnceMax + 1,
  })
  for (let episode = 1; episode <= organisedAtOnceMax + 1; episode++) await take(told, id, { episode })

  await organise(told)

  expect((await page('?page_size=1')).total).toBe(organisedAtOnceMax + 1)
  expect(await progressOf(id)).toMatchObject({ in_library: organisedAtOnceMax + 1, missing: [] })
})

test('what is not complete, or was not taken for a subscription, is left alone', async ({ expect }) => {
  const told = toldDownloader()
  await addLibrary()
  const id = await subscribe()
  const unfinished = await take(told, id, {}, false)
  await take(told, id, { status: 'failed' })
  await take(told, id + 1000)

  await organise(told)
  const early = await listed()
  await records.note([{ id: unfinished.pushId, torrent: unfinished.completed }])
  await organise(told)
  const incomplete = await listed()
  Object.assign(told.torrents.get(unfinished.infoHash) ?? {}, { progress: 1 })
  await later(told, organiseRetrySeconds[0] ?? 0)

  expect([early, incomplete]).toEqual([[], []])
  expect(await listed()).toMatchObject([{ status: 'done', torrent_name: unfinished.title }])
})

test('files that are deleted through the service leave the library; a torrent without its files does not', async ({
  expect,
}) => {
  const told = toldDownloader()
  await addLibrary()
  const id = await subscribe()
  const { infoHash, id: torrentId } = await take(told, id)
  await organise(told)
  const [target] = await downloaders.targets()
  const all = {
    act: async (_: unknown, __: unknown, infoHashes: readonly string[]) =>
      succeed(infoHashes.map((one) => ({ infoHash: one, success: one === infoHash }))),
  }
  const fleet = libraryAwareFleet(all as unknown as DownloaderFleet, history)
  if (target === undefined) throw new Error('no downloader')
  const statusAfter = async (action: 'delete' | 'delete_with_files', infoHashes: readonly string[], of = target) => {
    await fleet.act(of, action, infoHashes)
    return (await listed())[0].status
  }

  const seen = [
    await statusAfter('delete', [infoHash]),
    await statusAfter('delete_with_files', ['f'.repeat(40)]),
    await statusAfter('delete_with_files', [infoHash], { ...target, id: target.id + 1 }),
    await statusAfter('delete_with_files', ['a'.repeat(40), infoHash]),
  ]

  expect(seen).toEqual(['done', 'done', 'done', 'removed'])
  expect((await listed())[0]).toMatchObject({ message: '种子和文件已从下载器中删除' })
  expect(await rowOf(torrentId)).toEqual({ status: 'failed', message: storeReason({ kind: 'media.files_deleted' }) })
  expect(await progressOf(id)).toMatchObject({ in_library: 0, missing: [1] })
})

describe('GET /media/history', () => {
  const names = ({ items }: { items: { torrent_name: string }[] }) => items.map(({ torrent_name }) => torrent_name)

  test('lists what was updated last first, and only what came to something', async ({ expect }) => {
    await plantMedia([
      { updated_at_unix: 300 },
      { updated_at_unix: 500 },
      { updated_at_unix: 300 },
      { updated_at_unix: 900, status: null, under_way: 1, next_at_unix: 2 ** 40 },
    ])

    expect(names(await page())).toEqual(['Film.1', 'Film.2', 'Film.0'])
  })

  test.for(historyStatuses)('status=%s gives those alone', async (status, { expect }) => {
    await plantMedia(historyStatuses.map((one) => ({ status: one, torrent_name: one })))

    expect(await page(`?status=${status}`)).toMatchObject({ items: [{ status, torrent_name: status }], total: 1 })
    expect((await page()).total).toBe(historyStatuses.length)
  })

  test('q finds a part of the title or of the torrent’s name in any case, and reads no pattern', async ({ expect }) => {
    const told = toldDownloader()
    const id = await subscribe({ title: '星球 Walk 100%' })
    await take(told, id, { title: 'PLANET.Été_[1]' })
    await organise(told)
    const total = async (q: string) => (await page(`?q=${encodeURIComponent(q)}`)).total

    const found = await Promise.all(['planet', 'ÉTÉ_', ' walk ', '星球', '100%', '[1]', ''].map(total))
    const missed = await Promise.all(['plant', '%%', '_%', 'W_lk', '*'].map(total))

    expect(found).toEqual(Array(7).fill(1))
    expect(missed).toEqual(Array(5).fill(0))
  })

  test('comes in pages of up to 100', async ({ expect }) => {
    await plantMedia(Array.from({ length: pageSizeMax + 5 }, () => ({})))

    const first = await page(`?page_size=${pageSizeMax}`)
    const second = await page(`?page_size=${pageSizeMax}&page=2`)

    expect([first.items.length, first.total, first.page, first.page_size]).toEqual([100, 105, 1, 100])
    expect([second.items.length, second.total, second.page]).toEqual([5, 105, 2])
    expect(new Set([...names(first), ...names(second)]).size).toBe(105)
    expect(await page()).toMatchObject({ page: 1, page_size: 20 })
    expect((await page('?page=99')).items).toEqual([])
  })

  test.for([
    'status=moving',
    `page_size=${pageSizeMax + 1}`,
    'page_size=0',
    'page=0',
    'page=1.5',
    'page=-1',
    `q=${'x'.repeat(keywordCharactersMax + 1)}`,
    'status=done&status=failed',
  ])('?%s is refused', async (query, { expect }) => {
    const { status, body } = await send('GET', `${appPrefix}/media/history?${query}`, reader)

    expect([status, body.error]).toEqual([400, 'invalid_argument'])
  })

  test('keeps so many, and the newest of them', async ({ expect }) => {
    await plantMedia([{ id: 1 }, { id: 2 }, { id: mediaHistoryMax + 99, status: null, under_way: 0 }])
    const told = toldDownloader()
    await addLibrary()
    await take(told, await subscribe())

    await organise(told)

    const { results } = await env.DB.prepare('select id from media_history order by id').all<{ id: number }>()
    expect(results.map(({ id }) => id)).toEqual([mediaHistoryMax + 99, mediaHistoryMax + 100])
  })
})
