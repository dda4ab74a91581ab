/** What only the owner settles about subscriptions: which releases are wanted, and into which downloader they go. */
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, test } from 'vitest'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import { composeAppDeps } from '../../../workers/app/compose.ts'
import {
  dryRunChangesShown,
  feedItemSeconds,
  profileGibMax,
  profileNameCharactersMax,
  profileSeedersMax,
  profileTrialSubscriptionsMax,
  profileWordCharactersMax,
  profileWordsMax,
  qualityProfilesMax,
  searchSitesMax,
} from '../../../workers/app/limits.ts'
import { type Answer, type Caller, ownerSession, send } from '../../support/workerd/app-client.ts'
import { ServiceUnderTest, useProvider } from '../../support/workerd/service-under-test.ts'

const profiles = `${consolePrefix}/quality-profiles`
const subscriptions = `${consolePrefix}/subscriptions`

let session: Caller
let downloaderId: number

const open = {
  name: 'best',
  default: false,
  resolutions: ['2160p'],
  sources: [],
  required_words: [],
  refused_words: [],
  min_gib: 0,
  max_gib: 0,
  min_seeders: 0,
  free_only: false,
  refuse_hr: false,
  sites: [],
}
const film = { media_type: 'movie', tmdb_id: 11, source: 'manual' }

beforeAll(async () => {
  session = await ownerSession()
  await useProvider(session, new ServiceUnderTest('console-subscriptions'))
  const json = { name: 'd', type: 'qbittorrent', address: 'http://127.0.0.1:1', username: '', password: '' }
  const added = await send('POST', `${consolePrefix}/downloaders`, session, {
    json: { ...json, enabled: true, default: true },
  })
  downloaderId = added.body.id
})

beforeEach(async () => {
  const tables = ['quality_profiles', 'subscriptions', 'subscription_episodes']
  await env.DB.batch(tables.map((table) => env.DB.prepare(`delete from ${table}`)))
})

const list = async () => (await send('GET', profiles, session)).body.items
const add = (change: object = {}): Promise<Answer> => send('POST', profiles, session, { json: { ...open, ...change } })
const change = (id: number, json: object): Promise<Answer> =>
  send('PUT', `${profiles}/${id}`, session, { json: { ...open, ...json } })
const remove = (id: number) => send('DELETE', `${profiles}/${id}`, session)
const subscribe = (json: object = {}) => send('POST', subscriptions, session, { json: { ...film, ...json } })
const read = async (id: number) => (await send('GET', `${subscriptions}/${id}`, session)).body

describe('a profile that is tried', () => {
  const nowUnix = Math.floor(Date.now() / 1000)
  const turnedUp = (torrentId: string, title: string, sizeBytes: number, atUnix = nowUnix) =>
    env.DB.prepare(
      `insert into feed_items (feed_id, site, torrent_id, title, release_key, status, candidate, rule_name, clauses, found_at_unix, decided_at_unix)
       values (1, 'shelf', ?, ?, ?, 'left', ?, '', '[]', ?, ?)`,
    )
      .bind(
        torrentId,
        title,
        torrentId,
        JSON.stringify({ site: 'shelf', feed: '', torrentId, title, subtitle: '', sizeBytes, seeders: 3 }),
        atUnix,
        atUnix,
      )
      .run()
  const tryOut = (json: object, profile: object = {}) =>
    send('POST', `${profiles}/try`, session, { json: { ...json, profile: { ...open, ...profile } } })
  const hd = 'Planet.Walk.2020.1080p.WEB-DL.H264-LAMP'
  const uhd = 'Planet.Walk.2020.2160p.WEB-DL.H265-QUAY'

  beforeEach(async () => {
    await env.DB.prepare('delete from feed_items').run()
    await turnedUp('1', hd, 4000)
    await turnedUp('2', uhd, 9000)
    await turnedUp('3', 'Another.Planet.2020.2160p.WEB-DL.H265-QUAY', 9000)
    await turnedUp('4', 'Planet.Walk.2020.2160p.BluRay.H265-OLD', 9000, nowUnix - feedItemSeconds - 60)
  })

  test('says what it would have chosen for the subscriptions that use it, and changes nothing', async ({ expect }) => {
    const [{ id: usual }] = await list()
    const { id } = (await subscribe()).body
    const before = await list()

    const { status, body } = await tryOut({ id: usual })

    expect([status, body]).toEqual([
      200,
      {
        judged: 3,
        subscriptions: 1,
        compared: 1,
        stored: { chosen: 1, size: 4000 },
        tried: { chosen: 1, size: 9000 },
        changed: [
          {
            id,
            title: (await read(id)).title,
            season: 0,
            stored: [{ site: 'shelf', title: hd, size: 4000, against: 'resolution' }],
            tried: [{ site: 'shelf', title: uhd, size: 9000 }],
          },
        ],
      },
    ])
    expect(await list()).toEqual(before)
    expect((await read(id)).status).toBe('active')
  })

  test('is compared for those that would use it: by name, or as the default', async ({ expect }) => {
    const [{ id: usual }] = await list()
    const other = (await add({ name: 'other' })).body
    const users = async (json: object, profile: object = {}) => (await tryOut(json, profile)).body.subscriptions
    await subscribe()
    const asDefault = [
      await users({ id: usual }),
      await users({ id: other.id }),
      await users({}),
      await users({}, { default: true }),
    ]
    await env.DB.prepare('update subscriptions set profile_id = ?').bind(other.id).run()
    const byName = [await users({ id: usual }), await users({ id: other.id }), await users({}, { default: true })]

    expect(asDefault).toEqual([1, 0, 0, 1])
    expect(byName).toEqual([0, 1, 0])
  })

  test('is tried on as many subscriptions as the bound, the newest, and says how many use it', async ({ expect }) => {
    const [{ id: usual }] = await list()
    const many = (count: number) =>
      env.DB.prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
         insert into subscriptions (media_type, tmdb_id, season, title, original_title, folded_title, search_title,
           total_episodes, status, upgrade, source, refreshed_at_unix, created_at_unix)
         select 'movie', 1000 + i, 0, 'Planet Walk', '', 'planet walk', 'Planet Walk', 0, 'active', 0, 'app', 1, 1 from n`,
      )
        .bind(count)
        .run()
    await many(profileTrialSubscriptionsMax)
    const at = (await tryOut({ id: usual })).body
    await env.DB.prepare('delete from subscriptions').run()
    await many(profileTrialSubscriptionsMax + 1)
    const past = (await tryOut({ id: usual })).body

    const most = profileTrialSubscriptionsMax
    expect([at.subscriptions, at.compared, at.changed.length]).toEqual([most, most, dryRunChangesShown])
    expect([past.subscriptions, past.compared]).toEqual([most + 1, most])
  })

  test('needs to be right as one that is stored', async ({ expect }) => {
    expect((await tryOut({}, { resolutions: [] })).body.error).toBe('invalid_argument')
    expect((await tryOut({ id: 0 })).body.error).toBe('invalid_argument')
  })
})

describe('quality profiles', () => {
  test('begin with one that is the default and takes what is usual', async ({ expect }) => {
    expect(await list()).toEqual([
      { ...open, id: expect.any(Number), name: '默认', default: true, resolutions: ['1080p', '2160p', '720p'] },
    ])
    expect(await list()).toHaveLength(1)
  })

  test('are stored with all they say, and are told back', async ({ expect }) => {
    const whole = {
      name: 'p'.repeat(profileNameCharactersMax),
      default: false,
      resolutions: ['720p', '2160p', '1080p', '480p'],
      sources: ['dvd', 'remux', 'bluray', 'web', 'hdtv'],
      required_words: Array.from({ length: profileWordsMax }, (_, at) => `w${at}`),
      refused_words: ['x'.repeat(profileWordCharactersMax)],
      min_gib: 0.5,
      max_gib: profileGibMax,
      min_seeders: profileSeedersMax,
      free_only: true,
      refuse_hr: true,
      sites: Array.from({ length: searchSitesMax }, (_, at) => `site${at}`),
    }

    const { status, body } = await send('POST', profiles, session, { json: whole })

    expect([status, body]).toEqual([200, { ...whole, id: body.id }])
    expect((await list())[1]).toEqual(body)
    expect((await change(body.id, { name: 'other' })).body).toEqual({ ...open, id: body.id, name: 'other' })
  })

  test.for([
    ['no name', { name: ' ' }],
    ['a name past its length', { name: 'p'.repeat(profileNameCharactersMax + 1) }],
    ['a name that another one has', { name: '默认' }],
    ['no resolution', { resolutions: [] }],
    ['an unknown resolution', { resolutions: ['8k'] }],
    ['a resolution twice', { resolutions: ['720p', '720p'] }],
    ['an unknown source', { sources: ['cam'] }],
    ['one word too many', { required_words: Array.from({ length: profileWordsMax + 1 }, (_, at) => `w${at}`) }],
    ['a blank word', { refused_words: [' '] }],
    ['a word past its length', { refused_words: ['x'.repeat(profileWordCharactersMax + 1)] }],
    ['a size below 0', { min_gib: -1 }],
    ['a size past the largest', { max_gib: profileGibMax + 1 }],
    ['a largest size below the smallest', { min_gib: 2, max_gib: 1 }],
    ['seeders past the most', { min_seeders: profileSeedersMax + 1 }],
    ['one site too many', { sites: Array.from({ length: searchSitesMax + 1 }, (_, at) => `s${at}`) }],
  ] as const)('with %s are refused, new or changed', async ([, json], { expect }) => {
    const [{ id }] = await list()
    const other = (await add({ name: 'other' })).body
    const before = await list()

    expect((await add(json)).body.error).toBe('invalid_argument')
    expect((await change(other.id, json)).body.error).toBe('invalid_argument')
    expect(await list()).toEqual(before)
    expect(id).not.toBe(other.id)
  })

  test('begin with one in the language of the owner, which keeps its name afterwards', async ({ expect }) => {
    const choose = (language: string) =>
      send('PUT', `${consolePrefix}/settings/locale`, session, { json: { time_zone: '', language } })
    await choose('en')
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(['Default'])
    await choose('zh')
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(['Default'])
  })

  test('are so many and no more', async ({ expect }) => {
    await list()
    for (let at = 1; at < qualityProfilesMax; at += 1) expect((await add({ name: `p${at}` })).status).toBe(200)

    expect(await add({ name: 'one more' })).toMatchObject({ status: 400, body: { error: 'invalid_argument' } })
    expect(await list()).toHaveLength(qualityProfilesMax)
  })

  test('have one default, which stays until another one becomes it', async ({ expect }) => {
    const [first] = await list()
    expect((await change(first.id, { name: first.name })).body.error).toBe('invalid_argument')
    expect((await remove(first.id)).body.error).toBe('invalid_argument')

    const second = (await add({ default: true })).body
    expect((await list()).map((one: { default: boolean }) => one.default)).toEqual([false, true])
    expect((await change(first.id, { name: first.name, default: true })).status).toBe(200)
    expect((await list()).map((one: { default: boolean }) => one.default)).toEqual([true, false])
    expect(await remove(second.id)).toMatchObject({ status: 200, body: { ok: true } })
    expect(await list()).toHaveLength(1)
  })

  test('that do not exist are 404', async ({ expect }) => {
    expect((await change(4711, {})).status).toBe(404)
    expect((await remove(4711)).status).toBe(404)
  })
})

describe('a subscription', () => {
  test.for(['manual', 'explore'])('of the page says %s, and what was chosen for it', async (source, { expect }) => {
    const profile = (await add()).body

    const { status, body } = await subscribe({ source, profile_id: profile.id, downloader_id: downloaderId })

    const chosen = { source, profile_id: profile.id, downloader_id: downloaderId, upgrade: false }
    expect([status, body]).toMatchObject([200, chosen])
    expect(await read(body.id)).toEqual(body)
    // The interface shows the subscription, and not what only the owner chooses.
    const [listed] = (await send('GET', `${appPrefix}/subscriptions`, session)).body
    expect({ ...listed, profile_id: profile.id, downloader_id: downloaderId }).toEqual(body)
  })

  test('that names no profile has the one that is the default at the time', async ({ expect }) => {
    const { qualityProfiles } = composeAppDeps(env, { run: (work) => void work })
    const { id, profile_id } = (await subscribe()).body
    expect([profile_id, (await qualityProfiles.of(0)).name]).toEqual([0, '默认'])

    await add({ default: true })

    expect([(await read(id)).profile_id, (await qualityProfiles.of(0)).name]).toEqual([0, 'best'])
    expect((await qualityProfiles.of(4711)).name).toBe('best')
  })

  test('goes on with the default once its profile is gone', async ({ expect }) => {
    const profile = (await add()).body
    const { id } = (await subscribe({ profile_id: profile.id })).body
    await remove((await list())[0].id)
    expect((await read(id)).profile_id).toBe(profile.id)

    await remove(profile.id)

    expect((await read(id)).profile_id).toBe(0)
  })

  test('is changed, and is active again when a better one is wanted after it was done', async ({ expect }) => {
    const { id } = (await subscribe()).body
    const profile = (await add()).body
    await env.DB.prepare("update subscriptions set status = 'done', next_search_at_unix = null").run()
    const set = (json: object) =>
      send('PUT', `${subscriptions}/${id}`, session, {
        json: { profile_id: 0, upgrade: false, downloader_id: 0, ...json },
      })

    expect((await set({ profile_id: profile.id })).body).toMatchObject({ status: 'done', profile_id: profile.id })
    const upgraded = (await set({ upgrade: true, downloader_id: downloaderId })).body
    expect(upgraded).toMatchObject({ status: 'active', upgrade: true, profile_id: 0, downloader_id: downloaderId })
    expect(upgraded.next_search_at).toBeGreaterThan(0)
    await env.DB.prepare("update subscriptions set status = 'done'").run()
    expect((await set({ upgrade: true })).body.status).toBe('done')
  })

  test.for([
    ['an unknown source', 'POST', { ...film, source: 'app' }, 400],
    ['no source', 'POST', { media_type: 'movie', tmdb_id: 11 }, 400],
    ['an unknown downloader', 'POST', { ...film, downloader_id: 4711 }, 400],
    ['an unknown profile', 'POST', { ...film, profile_id: 4711 }, 400],
    ['a title the provider does not have', 'POST', { ...film, tmdb_id: 404 }, 404],
    ['an unknown profile', 'PUT', { profile_id: 4711, upgrade: true, downloader_id: 0 }, 400],
    ['an unknown downloader', 'PUT', { profile_id: 0, upgrade: true, downloader_id: 4711 }, 400],
    ['no upgrade', 'PUT', { profile_id: 0, downloader_id: 0 }, 400],
  ] as const)('is neither made nor changed with %s: %s', async ([, method, json, status], { expect }) => {
    const made = (await subscribe()).body
    if (method === 'POST') await env.DB.prepare('delete from subscriptions').run()

    const answer = await send(method, method === 'PUT' ? `${subscriptions}/${made.id}` : subscriptions, session, {
      json,
    })

    expect(answer.status).toBe(status)
    const listed = (await send('GET', `${appPrefix}/subscriptions`, session)).body
    expect(listed).toHaveLength(method === 'POST' ? 0 : 1)
    const { profile_id, upgrade, downloader_id } = made
    // The service may have searched for it meanwhile, and says when.
    if (method === 'PUT') expect(await read(made.id)).toMatchObject({ profile_id, upgrade, downloader_id })
  })

  test('that does not exist is 404', async ({ expect }) => {
    const json = { profile_id: 0, upgrade: true, downloader_id: 0 }

    expect((await send('GET', `${subscriptions}/4711`, session)).status).toBe(404)
    expect((await send('PUT', `${subscriptions}/4711`, session, { json })).status).toBe(404)
  })
})
