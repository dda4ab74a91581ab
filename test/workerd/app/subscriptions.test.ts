/** Subscriptions end to end: the Worker, its catalogue object, and a stand-in provider. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'
import { appPrefix } from '../../../workers/app/app.ts'
import { subscriptionSources, subscriptionStatuses } from '../../../workers/app/core/vocabulary.ts'
import {
  episodesMax,
  keywordCharactersMax,
  seasonMax,
  subscriptionsMax,
  tmdbIdMax,
} from '../../../workers/app/limits.ts'
import { type Answer, auditRows, makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'
import { plantMedia } from '../../support/workerd/planted-media.ts'
import { ServiceUnderTest, setProvider, useProvider } from '../../support/workerd/service-under-test.ts'

const path = `${appPrefix}/subscriptions`

const session = await ownerSession()
const reader = (await makeToken(session, ['app:read'])).caller
const operator = (await makeToken(session, ['app:read', 'app:write'])).caller

beforeEach(async () => {
  await useProvider(session, usual)
  const tables = ['subscriptions', 'subscription_episodes', 'subscription_torrents', 'push_records', 'media_history']
  await env.DB.batch(tables.map((table) => env.DB.prepare(`delete from ${table}`)))
})

/** What it says is kept, so that most tests ask nobody. */
const usual = new ServiceUnderTest('subscriptions-usual')
const provider = (change?: Readonly<Record<string, unknown>>, key?: string) =>
  setProvider(session, 'subscriptions', change, key)

const subscribe = (json: unknown): Promise<Answer> => send('POST', path, operator, { json })
const setStatus = (id: number, status: unknown) => send('POST', `${path}/${id}/status`, operator, { json: { status } })
const list = async (query = '') => (await send('GET', `${path}${query}`, reader)).body
const read = async (id: number) => (await send('GET', `${path}/${id}`, reader)).body
const film = { media_type: 'movie', tmdb_id: 11 }
const series = { media_type: 'tv', tmdb_id: 21 }

const nowUnix = () => Math.floor(Date.now() / 1000)
const daySeconds = 24 * 3600
/** Far enough from today to be on its side of it in every time zone. */
const dayIn = (days: number) => new Date((nowUnix() + days * daySeconds) * 1000).toISOString().slice(0, 10)

/** A torrent that was taken for a subscription. */
async function addTorrent(id: number, columns: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const row = {
    subscription_id: id,
    site: 'planted',
    torrent_id: crypto.randomUUID(),
    title: 'The.Salt.Road.S02',
    size_bytes: 5,
    status: 'downloading',
    created_at_unix: 100,
    updated_at_unix: 100,
    ...columns,
  }
  await env.DB.prepare(
    `insert into subscription_torrents (${Object.keys(row).join()}) values (${Object.keys(row).map(() => '?')})`,
  )
    .bind(...Object.values(row))
    .run()
}

async function mark(id: number, status: string): Promise<void> {
  await env.DB.prepare('update subscriptions set status = ?, next_search_at_unix = null where id = ?')
    .bind(status, id)
    .run()
}

describe('subscribing', () => {
  test('to a film answers the new subscription, which is searched for at once', async ({ expect }) => {
    const before = nowUnix()

    const { status, body } = await subscribe(film)

    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(Number),
      media_type: 'movie',
      tmdb_id: 11,
      season: 0,
      title: '星球漫步',
      original_title: 'Planet Walk',
      year: 2020,
      poster_path: '/planetWalk.jpg',
      status: 'active',
      upgrade: false,
      source: 'app',
      next_search_at: body.created_at,
      created_at: expect.any(Number),
      progress: { total: 1, aired: 1, in_library: 0, downloading: 0, missing: [1] },
    })
    expect(body.created_at).toBeGreaterThanOrEqual(before)
    expect(await read(body.id)).toEqual({ ...body, episodes: [], torrents: [] })
    const row = await env.DB.prepare('select search_title from subscriptions').first()
    expect(row).toEqual({ search_title: 'Planet Walk' })
  })

  test('to a series takes its latest season, with the names that Chinese lacks in English', async ({ expect }) => {
    const service = await provider()

    const { body } = await subscribe({ ...series, upgrade: true })

    expect(body).toMatchObject({ season: 2, title: '盐路', year: 2018, poster_path: '/saltRoad2.jpg' })
    expect(body).toMatchObject({ total_episodes: 3, upgrade: true, status: 'active' })
    expect((await read(body.id)).episodes).toEqual([
      { number: 1, name: '干涸', air_date: '2020-05-01', state: 'missing' },
      { number: 2, name: 'Salt', air_date: '2020-05-02', state: 'missing' },
      { number: 3, name: '归途', air_date: '2020-05-03', state: 'missing' },
    ])
    expect((await service.calls()).map((call) => call.replace(/&api_key=.*/, ''))).toEqual([
      '/3/tv/21?language=zh-CN',
      '/3/tv/21/season/2?language=zh-CN',
      '/3/tv/21?language=en-US',
      '/3/tv/21/season/2?language=en-US',
    ])
  })

  test('to one season leaves the others to be subscribed to, and 0 is the latest', async ({ expect }) => {
    expect((await subscribe({ ...series, season: 1 })).body).toMatchObject({ season: 1, total_episodes: 2 })
    expect((await subscribe({ ...series, season: 0 })).body).toMatchObject({ season: 2 })
    expect((await subscribe({ ...film, season: 3 })).body).toMatchObject({ season: 0 })
  })

  test('to what is not out yet waits for its day, and to what nobody dates does not', async ({ expect }) => {
    const titled = (title: string, release_date: unknown) => ({ id: 1, title, release_date })
    await provider({
      details: {
        '/movie/1': titled('later', dayIn(40)),
        '/movie/2': titled('undated', ''),
        '/tv/3': { name: 'soon', seasons: [{ season_number: 1, air_date: dayIn(9), episode_count: 8 }] },
        '/tv/3/season/1': { episodes: [{ episode_number: 1, name: 'one', air_date: dayIn(9) }] },
      },
    })
    const later = (await subscribe({ media_type: 'movie', tmdb_id: 1 })).body
    const undated = (await subscribe({ media_type: 'movie', tmdb_id: 2 })).body
    const soon = (await subscribe({ media_type: 'tv', tmdb_id: 3 })).body

    expect(later).toMatchObject({ status: 'pending', progress: { total: 1, aired: 0, missing: [] } })
    expect(later).not.toHaveProperty('next_search_at')
    expect(undated).toMatchObject({ status: 'active', progress: { aired: 1, missing: [1] } })
    expect(soon).toMatchObject({ status: 'pending', progress: { total: 8, aired: 0, missing: [] } })
    expect((await read(soon.id)).episodes).toEqual([{ number: 1, name: 'one', air_date: dayIn(9), state: 'upcoming' }])
  })

  test('twice at once to the same title makes one subscription', async ({ expect }) => {
    const answers = await Promise.all([subscribe(series), subscribe(series), subscribe({ ...series, season: 2 })])

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect(await list()).toHaveLength(1)
    expect((await read((await list())[0].id)).episodes).toHaveLength(3)
  })

  test('takes so many episodes of what the provider says, and reads the rest tolerantly', async ({ expect }) => {
    const many = Array.from({ length: episodesMax + 1 }, (_, at) => ({ episode_number: at + 1, name: `e${at}` }))
    const odd = [
      { episode_number: 2, name: null, air_date: 'soon' },
      { episode_number: 1, name: 'n'.repeat(1000), air_date: '2020-01-01' },
      { episode_number: 2, name: 'twice' },
      { episode_number: -1 },
      'no episode',
    ]
    const tv = { name: 'x', seasons: [{ season_number: 1 }, { season_number: 2 }, 'no season'] }
    await provider({
      details: { '/tv/5': tv, '/tv/5/season/1': { episodes: many }, '/tv/5/season/2': { episodes: odd } },
    })

    const long = (await subscribe({ media_type: 'tv', tmdb_id: 5, season: 1 })).body
    const strange = (await subscribe({ media_type: 'tv', tmdb_id: 5, season: 2 })).body

    expect(long).toMatchObject({ total_episodes: episodesMax })
    expect(await read(strange.id)).toMatchObject({
      status: 'active',
      total_episodes: 2,
      progress: { total: 2, aired: 1, missing: [1] },
      episodes: [
        { number: 1, name: `${'n'.repeat(127)}…`, state: 'missing' },
        { number: 2, name: 'twice', state: 'upcoming' },
      ],
    })
  })
})

test('its poster is fetched by us, in the sizes there are', async ({ expect }) => {
  const { poster_path: poster } = (await subscribe(film)).body

  for (const size of ['w342', 'w92', 'w780']) {
    const image = await send('GET', `${appPrefix}/images/tmdb/${size}/${poster.slice(1)}`, reader)
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
  }
})

describe('refusals change nothing', () => {
  test.for([
    ['no type', { tmdb_id: 11 }, 'invalid_argument'],
    ['an unknown type', { ...film, media_type: 'book' }, 'invalid_argument'],
    ['no id', { media_type: 'movie' }, 'invalid_argument'],
    ['id 0', { ...film, tmdb_id: 0 }, 'invalid_argument'],
    ['an id that is no whole number', { ...film, tmdb_id: 1.5 }, 'invalid_body'],
    ['an id past the largest', { ...film, tmdb_id: tmdbIdMax + 1 }, 'invalid_argument'],
    ['an id in words', { ...film, tmdb_id: '11' }, 'invalid_body'],
    ['a season below 0', { ...series, season: -1 }, 'invalid_argument'],
    ['a season past the last', { ...series, season: seasonMax + 1 }, 'invalid_argument'],
    ['an unknown profile', { ...film, profile_id: 999 }, 'invalid_argument'],
    ['an upgrade in words', { ...film, upgrade: 'yes' }, 'invalid_body'],
    ['an unknown field', { ...film, downloader_id: 1 }, 'invalid_body'],
  ] as const)('%s is 400, and nobody is asked', async ([, json, error], { expect }) => {
    const service = await provider()

    expect(await subscribe(json)).toMatchObject({ status: 400, body: { error } })
    expect(await service.calls()).toEqual([])
    expect(await list()).toEqual([])
  })

  test('a title that is subscribed already is 400, whoever holds it and in whatever state', async ({ expect }) => {
    const service = await provider()
    const { id } = (await subscribe(film)).body
    const calls = (await service.calls()).length

    for (const status of subscriptionStatuses) {
      await mark(id, status)
      expect(await subscribe(film)).toMatchObject({ status: 400, body: { error: 'invalid_argument' } })
    }
    expect(await service.calls()).toHaveLength(calls)
    expect(await list()).toHaveLength(1)
  })

  test.for([
    ['a film', { ...film, tmdb_id: 404 }],
    ['a series', { ...series, tmdb_id: 404 }],
    ['a season', { ...series, season: 7 }],
  ] as const)('%s that the provider does not have is 404', async ([, json], { expect }) => {
    expect(await subscribe(json)).toMatchObject({ status: 404, body: { error: 'not_found' } })
    expect(await list()).toEqual([])
  })

  test.for([
    ['expired', 502, 'upstream'],
    ['throttled', 429, 'rate_limited'],
    ['down', 502, 'upstream'],
    ['broken', 502, 'upstream'],
    ['huge', 502, 'upstream'],
    ['closing', 502, 'upstream'],
  ] as const)('a provider that is %s is %d %s', async ([mode, status, error], { expect }) => {
    await provider({ mode })

    const answer = await subscribe(series)

    expect([answer.status, answer.body.error]).toEqual([status, error])
    expect(answer.headers.get('retry-after')).toBe(mode === 'throttled' ? '7' : null)
    expect(await list()).toEqual([])
  })

  test('without a key of the provider it is 400', async ({ expect }) => {
    await provider({}, '')

    expect(await subscribe(film)).toMatchObject({
      status: 400,
      body: { error: 'invalid_argument', message: '还没有设置影视资料服务的密钥' },
    })
    expect(await list()).toEqual([])
  })

  test('one subscription past the bound is 400, and the last one is made', async ({ expect }) => {
    await env.DB.prepare(
      `insert into subscriptions (media_type, tmdb_id, season, title, original_title, folded_title, search_title,
         total_episodes, status, upgrade, source, refreshed_at_unix, created_at_unix)
       select 'movie', value + 1000, 0, 'x', '', 'x', 'x', 0, 'active', 0, 'app', 0, 0
       from json_each('[${Array.from({ length: subscriptionsMax - 1 }, (_, at) => at)}]')`,
    ).run()

    expect((await subscribe(film)).status).toBe(200)
    expect(await subscribe(series)).toMatchObject({ status: 400, body: { error: 'invalid_argument' } })
    expect(await list()).toHaveLength(subscriptionsMax)
  })
})

describe('the list', () => {
  test('is a bare array, newest first, of one status where one is asked for', async ({ expect }) => {
    const first = (await subscribe(film)).body
    const second = (await subscribe({ ...series, season: 1 })).body
    await mark(first.id, 'done')

    expect((await list()).map(({ id }: { id: number }) => id)).toEqual([second.id, first.id])
    expect(await list('?status=active')).toEqual([second])
    expect(await list('?status=done')).toMatchObject([{ id: first.id, status: 'done' }])
    expect(await list('?status=pending')).toEqual([])
  })

  test('is searched in both titles, in any case and literally', async ({ expect }) => {
    await provider({ details: { '/movie/1': { title: '盐路', original_title: 'The 100%_Salt' } } })
    await subscribe({ media_type: 'movie', tmdb_id: 1 })

    for (const q of ['盐', 'SALT', '100%', '_', ' the ', ''])
      expect(await list(`?q=${encodeURIComponent(q)}`)).toHaveLength(1)
    for (const q of ['1%0', 'S_lt', '路the', 'x']) expect(await list(`?q=${encodeURIComponent(q)}`)).toEqual([])
  })

  test.for([
    ['an unknown status', '?status=waiting'],
    ['two statuses', '?status=active&status=done'],
    ['words past their limit', `?q=${'词'.repeat(keywordCharactersMax + 1)}`],
  ])('refuses %s', async ([, query], { expect }) => {
    expect(await send('GET', `${path}${query}`, reader)).toMatchObject({
      status: 400,
      body: { error: 'invalid_argument' },
    })
  })
})

describe('one subscription', () => {
  test('tells of its episodes and torrents, and the list counts them alike', async ({ expect }) => {
    const { id } = (await subscribe(series)).body
    await addTorrent(id, { torrent_id: 'a', episode: 1, status: 'done', complete: 1, created_at_unix: 101 })
    await plantMedia([{ media_type: 'tv', tmdb_id: 21, season: 2, episode: 1 }])
    await addTorrent(id, { torrent_id: 'b', episode: 2, episode_end: 3, status: 'failed', message: '下载失败' })
    await addTorrent(id, { torrent_id: 'c', episode: 2, created_at_unix: 103 })
    await addTorrent(id, { torrent_id: 'd', status: 'replaced' })

    const body = await read(id)

    expect(body.progress).toEqual({
      total: 3,
      aired: 3,
      in_library: 1,
      downloading: 1,
      downloading_percent: 0,
      missing: [3],
    })
    expect(body.episodes.map(({ state }: { state: string }) => state)).toEqual(['library', 'downloading', 'missing'])
    expect((await list())[0]).toEqual({ ...body, episodes: undefined, torrents: undefined })
    const common = { site: 'planted', title: 'The.Salt.Road.S02', size: 5, complete: false, created_at: 100 }
    expect(body.torrents).toEqual([
      { ...common, torrent_id: 'd', status: 'replaced' },
      { ...common, torrent_id: 'c', status: 'downloading', episode: 2, created_at: 103 },
      {
        ...common,
        torrent_id: 'b',
        status: 'failed',
        episode: 2,
        episode_end: 3,
        message: '下载失败',
        reason: { kind: 'quoted', words: '下载失败' },
      },
      { ...common, torrent_id: 'a', status: 'done', episode: 1, complete: true, created_at: 101 },
    ])
  })

  test.for(subscriptionSources)(
    'tells that it came from %s, and what its last search said',
    async (source, { expect }) => {
      const made = (await subscribe(film)).body
      await env.DB.prepare(
        "update subscriptions set source = ?, message = '没有找到', last_search_at_unix = 7, next_search_at_unix = 8",
      )
        .bind(source)
        .run()

      const reason = { kind: 'quoted', words: '没有找到' }
      const told = { ...made, source, message: '没有找到', reason, last_search_at: 7, next_search_at: 8 }
      expect(await list()).toEqual([told])
      expect(await read(made.id)).toEqual({ ...told, episodes: [], torrents: [] })
    },
  )

  test.for([
    ['GET', '', undefined],
    ['POST', '/status', { status: 'paused' }],
    ['POST', '/status', { status: 'active' }],
    ['DELETE', '', undefined],
  ] as const)('that does not exist is 404: %s %s', async ([method, end, json], { expect }) => {
    const answer = await send(method, `${path}/4711${end}`, operator, json === undefined ? {} : { json })

    expect([answer.status, answer.body.error]).toEqual([404, 'not_found'])
  })

  test.for(['0', '-1', 'x', '1.5'])('has no id like %s', async (id, { expect }) => {
    expect((await send('GET', `${path}/${id}`, reader)).body.error).toBe('invalid_argument')
  })
})

describe('its status', () => {
  test.for(subscriptionStatuses)('goes from %s to paused, and then nothing is searched', async (from, { expect }) => {
    const made = (await subscribe(film)).body
    await mark(made.id, from)

    const { status, body } = await setStatus(made.id, 'paused')

    const { next_search_at: _, ...rest } = made
    expect([status, body]).toEqual([200, { ...rest, status: 'paused' }])
    expect((await list('?status=paused')).map(({ id }: { id: number }) => id)).toEqual([made.id])
  })

  test.for(subscriptionStatuses)('goes from %s to active, and is searched for now', async (from, { expect }) => {
    const { id } = (await subscribe(film)).body
    await mark(id, from)
    const before = nowUnix()

    const { status, body } = await setStatus(id, 'active')

    expect([status, body.status]).toEqual([200, 'active'])
    expect(body.next_search_at).toBeGreaterThanOrEqual(before)
    expect(body.next_search_at).toBeLessThanOrEqual(nowUnix())
  })

  test.for([
    ['pending', 'invalid_argument'],
    ['done', 'invalid_argument'],
    ['', 'invalid_argument'],
    [undefined, 'invalid_argument'],
    [{}, 'invalid_body'],
  ] as const)('is nothing else: %s', async ([status, error], { expect }) => {
    const made = (await subscribe(film)).body

    expect(await setStatus(made.id, status)).toMatchObject({ status: 400, body: { error } })
    expect(await list()).toEqual([made])
  })
})

test('what is on its way counts as far as its downloader is, in the list and alone', async ({ expect }) => {
  const { id } = (await subscribe(series)).body
  await addTorrent(id, { torrent_id: 'half', episode: 1 })
  await addTorrent(id, { torrent_id: 'unknown', episode: 2 })
  await env.DB.prepare(
    `insert into push_records (site, torrent_id, title, folded_title, size_bytes, source, downloader_id, downloader,
       info_hashes, created_at_unix, progress_percent)
     values ('planted', 'half', 't', 't', 5, 'subscription', 1, 'd', '${'b'.repeat(40)}', 1, 45.5)`,
  ).run()

  const body = await read(id)

  expect(body.progress).toMatchObject({ downloading: 2, downloading_percent: 22.8 })
  expect((await list())[0].progress).toEqual(body.progress)
})

describe('deleting', () => {
  test.for(subscriptionStatuses)('one that is %s leaves what was pushed for it', async (status, { expect }) => {
    const { id } = (await subscribe(series)).body
    await addTorrent(id, { torrent_id: 'a' })
    await env.DB.prepare(
      `insert into push_records (site, torrent_id, title, folded_title, size_bytes, source, downloader_id, downloader,
         info_hashes, created_at_unix) values ('planted', 'a', 't', 't', 5, 'subscription', 1, 'd', '${'a'.repeat(40)}', 1)`,
    ).run()
    await mark(id, status)

    expect(await send('DELETE', `${path}/${id}`, operator)).toMatchObject({ status: 200, body: { ok: true } })

    expect(await list()).toEqual([])
    expect((await send('GET', `${path}/${id}`, reader)).status).toBe(404)
    expect((await send('DELETE', `${path}/${id}`, operator, { json: {} })).status).toBe(404)
    const left = async (table: string) =>
      (await env.DB.prepare(`select count(*) n from ${table}`).first<{ n: number }>())?.n
    expect([await left('subscription_episodes'), await left('subscription_torrents')]).toEqual([0, 0])
    expect((await send('GET', `${appPrefix}/tasks`, reader)).body.items).toMatchObject([{ torrent_id: 'a' }])
    // Its title may be subscribed to again.
    expect((await subscribe(series)).body.id).toBeGreaterThan(id)
  })
})

test('what a token changes is in the audit log', async ({ expect }) => {
  const before = (await auditRows()).length
  const { id } = (await subscribe(film)).body
  await subscribe(film)
  await setStatus(id, 'paused')
  await send('DELETE', `${path}/${id}`, operator)

  expect((await auditRows()).slice(before).map(({ command, result, status }) => [command, result, status])).toEqual([
    [`POST ${path}`, 'ok', 200],
    [`POST ${path}`, 'error', 400],
    [`POST ${path}/{id}/status`, 'ok', 200],
    [`DELETE ${path}/{id}`, 'ok', 200],
  ])
})

test('exploring tells which titles are subscribed, of a series in any season, and which are in the library', async ({
  expect,
}) => {
  const one = (await subscribe(film)).body
  await provider({
    details: {
      '/tv/11': { name: 'x', seasons: [{ season_number: 1 }, { season_number: 2 }] },
      '/tv/11/season/1': { episodes: [] },
      '/tv/11/season/2': { episodes: [] },
    },
  })
  await subscribe({ media_type: 'tv', tmdb_id: 11, season: 2 })
  const newest = (await subscribe({ media_type: 'tv', tmdb_id: 11, season: 1 })).body
  await plantMedia([
    { media_type: 'tv', tmdb_id: 11, season: 1 },
    { media_type: 'movie', tmdb_id: 12, status: 'removed' },
    { media_type: 'movie', tmdb_id: 13, status: 'skipped' },
  ])
  const explore = async (kind: string) =>
    (await send('GET', `${appPrefix}/explore?kind=${kind}`, reader)).body.items.map(
      (item: { id: number; in_library: boolean; subscribed: boolean; subscription_id?: number }) => [
        item.id,
        item.in_library,
        item.subscribed,
        item.subscription_id,
      ],
    )

  expect(await explore('movie')).toEqual([
    [11, false, true, one.id],
    [12, false, false, undefined],
    [13, true, false, undefined],
  ])
  expect((await explore('tv'))[0]).toEqual([11, true, true, newest.id])
})
