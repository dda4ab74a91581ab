/** Lists that make subscriptions: the real Worker, a stand-in of the services that keep them, and one of the metadata provider. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, inject, test } from 'vitest'
import { appPrefix, consolePrefix, settingsPrefix } from '../../../workers/app/app.ts'
import {
  watchlistMinutesMax,
  watchlistMinutesMin,
  watchlistPageSize,
  watchlistsMax,
  watchlistTriedMax,
} from '../../../workers/app/limits.ts'
import { makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'
import { type ServiceUnderTest, setProvider } from '../../support/workerd/service-under-test.ts'

const origin = inject('standInLists')
const path = `${consolePrefix}/watchlists`
const clientId = 'CanaryClientIdOfTheLists'
const film = (id: number, title: string) => ({
  id,
  title,
  original_title: title,
  release_date: '2020-03-01',
  poster_path: null,
})

let provider: ServiceUnderTest
let place: string
let places = 0

async function control(change: Readonly<Record<string, unknown>> = {}) {
  const response = await fetch(`${origin}/control/${place}`, { method: 'POST', body: JSON.stringify(change) })
  return response.json<{ calls: string[] }>()
}
const trakt = (change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  name: 'want to see',
  enabled: true,
  kind: 'trakt',
  address: `${origin}/${place}/trakt`,
  account: 'ada',
  key: clientId,
  every_minutes: 60,
  first_look: 'all',
  ...change,
})
const without = (body: Readonly<Record<string, unknown>>, ...keys: string[]) =>
  Object.fromEntries(Object.entries(body).filter(([key]) => !keys.includes(key)))
const movie = (id: number, title: string, year: number, ids: Readonly<Record<string, unknown>> = {}) => ({
  rank: 1,
  id,
  type: 'movie',
  movie: { title, year, ids: { trakt: id, slug: 'x', ...ids } },
})
const post = (json: unknown) => send('POST', path, session, { json })
const tryOf = (body: Readonly<Record<string, unknown>>) =>
  send('POST', `${path}/try`, session, { json: without(body, 'name', 'enabled', 'every_minutes', 'first_look') })
interface Item {
  readonly id: number
  readonly title: string
  readonly year?: number
  readonly season?: number
  readonly status: string
  readonly choices: readonly unknown[]
}
const items = async (query = ''): Promise<Item[]> =>
  (await send('GET', `${consolePrefix}/watchlist-items${query}`, session)).body.items
const subscriptions = async (): Promise<{ id: number; tmdb_id: number; source: string }[]> =>
  (await send('GET', `${appPrefix}/subscriptions`, session)).body
const subscribed = async () => (await subscriptions()).map(({ tmdb_id }) => tmdb_id).toSorted()

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let round = 0; round < 300; round += 1) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`it never came: ${JSON.stringify(await items())}`)
}
/** Until nothing waits, by title. */
const settled = (count: number) =>
  until(async () => {
    const all = await items()
    const isDone = all.length >= count && all.every(({ status }) => status !== 'waiting')
    return isDone ? Object.fromEntries(all.map((one) => [one.title, one.status])) : undefined
  })
async function readAgain(id: number) {
  const before = (await control()).calls.length
  await send('POST', `${path}/${id}/run`, session)
  await until(async () => ((await control()).calls.length > before ? true : undefined))
  return until(async () => {
    const [one] = (await send('GET', path, session)).body.items
    return one.due_at > Date.now() / 1000 ? one : undefined
  })
}

const session = await ownerSession()

beforeEach(async () => {
  for (const table of ['watchlists', 'watchlist_items', 'subscriptions', 'jobs'])
    await env.DB.prepare(`delete from ${table}`).run()
  places += 1
  place = `lists${places}`
  provider = await setProvider(session, 'watchlists', {
    details: {
      '/movie/11': film(11, 'Planet Walk'),
      '/movie/12': film(12, 'Quiet River'),
      '/movie/77': film(77, 'By Id'),
    },
  })
})

describe('a list', () => {
  test('has its subscriptions push to the downloader that it names, which may be changed', async ({ expect }) => {
    const downloader = { name: 'of the list', type: 'qbittorrent', address: 'http://127.0.0.1:9' }
    const settings = { ...downloader, username: 'a', password: 'b', enabled: true, default: false }
    const { id } = (await send('POST', `${consolePrefix}/downloaders`, session, { json: settings })).body
    await control({ items: [movie(1, 'By Id', 2020, { tmdb: 77 })] })
    const list = (await post(trakt({ downloader_id: id }))).body
    expect(list).toMatchObject({ downloader_id: id })
    await settled(1)
    const chosen = async (tmdbId: number) => {
      const one = (await subscriptions()).find(({ tmdb_id }) => tmdb_id === tmdbId)
      return (await send('GET', `${consolePrefix}/subscriptions/${one?.id}`, session)).body.downloader_id
    }
    expect(await chosen(77)).toBe(id)

    expect((await send('PUT', `${path}/${list.id}`, session, { json: trakt() })).body.downloader_id).toBe(0)
    await control({ items: [movie(2, 'By Imdb', 2024, { imdb: 'tt0000012' })] })
    await readAgain(list.id)
    await settled(2)
    expect([await chosen(77), await chosen(12)]).toEqual([id, 0])
  })

  test('subscribes by an id, by the very name and year, and asks about everything else', async ({ expect }) => {
    await control({
      items: [
        movie(1, 'By Id', 2020, { tmdb: 77 }),
        movie(2, 'By Imdb', 2024, { imdb: 'tt0000012' }),
        movie(3, 'Planet Walk', 2026),
        movie(4, 'Planet Walk', 1987),
        { type: 'episode', episode: { title: 'none' } },
      ],
    })
    const added = await post(trakt())
    expect(added.status, JSON.stringify(added.body)).toBe(200)
    await settled(4)
    const all = await items()
    expect(all.map(({ title, year, status }) => [title, year, status]).toReversed()).toEqual([
      ['By Id', 2020, 'added'],
      ['By Imdb', 2024, 'added'],
      ['Planet Walk', 2026, 'added'],
      ['Planet Walk', 1987, 'unclear'],
    ])
    expect(await subscribed()).toEqual([11, 12, 77])
    expect((await subscriptions()).map(({ source }) => source)).toEqual(['manual', 'manual', 'manual'])
    const unclear = all.find(({ status }) => status === 'unclear')
    expect(unclear?.choices).toContainEqual({
      media_type: 'movie',
      tmdb_id: 11,
      title: expect.any(String),
      year: 2026,
    })
    // Nothing that opens anything is told, and nothing of it rests open.
    expect(JSON.stringify([added.body, (await send('GET', path, session)).body])).not.toContain(clientId)
    const rows = await env.DB.prepare('select * from watchlists').all()
    expect(JSON.stringify(rows.results)).not.toContain(clientId)
  })

  test('is read again without taking anything twice, and brings what is new', async ({ expect }) => {
    await control({ items: [movie(3, 'Planet Walk', 2026)] })
    const { id } = (await post(trakt())).body
    await settled(1)
    const [made] = await subscriptions()
    // What the owner deletes stays deleted.
    await send('DELETE', `${appPrefix}/subscriptions/${made?.id}`, session)
    await control({ items: [movie(3, 'Planet Walk', 2026), movie(5, 'Quiet River', 2024)] })
    await readAgain(id)
    expect(await settled(2)).toEqual({ 'Planet Walk': 'added', 'Quiet River': 'added' })
    expect(await subscribed()).toEqual([12])
  })

  test('that is asked for while it is read is read once more', async ({ expect }) => {
    await control({ mode: 'held', items: [movie(3, 'Planet Walk', 2026)] })
    const { id } = (await post(trakt())).body
    await until(async () => ((await control()).calls.length > 0 ? true : undefined))
    await control({ items: [movie(3, 'Planet Walk', 2026), movie(5, 'Quiet River', 2024)] })
    await send('POST', `${path}/${id}/run`, session)
    await control({ mode: 'ok' })
    expect(await settled(2)).toEqual({ 'Planet Walk': 'added', 'Quiet River': 'added' })
  })

  test('may be looked at for what comes from now on', async ({ expect }) => {
    await control({ items: [movie(3, 'Planet Walk', 2026)] })
    const { id } = (await post(trakt({ first_look: 'new' }))).body
    expect(await settled(1)).toEqual({ 'Planet Walk': 'seen' })
    await control({ items: [movie(3, 'Planet Walk', 2026), movie(5, 'Quiet River', 2024)] })
    await readAgain(id)
    expect(await settled(2)).toEqual({ 'Planet Walk': 'seen', 'Quiet River': 'added' })
  })

  test('of many pages is read to its end', async ({ expect }) => {
    const many = Array.from({ length: watchlistPageSize + 1 }, (_, at) => movie(100 + at, `Nobody ${at}`, 1999))
    await control({ items: many })
    await post(trakt({ first_look: 'new' }))
    expect(Object.keys(await settled(many.length))).toHaveLength(many.length)
    expect((await control()).calls).toHaveLength(2)
  })

  test('whose service fails is asked less often, and says why', async ({ expect }) => {
    await control({ mode: 'throttled' })
    const { id } = (await post(trakt())).body
    const failed = await until(async () => {
      const [one] = (await send('GET', path, session)).body.items
      return one.reason === undefined ? undefined : one
    })
    expect(failed.reason).toEqual({ kind: 'service.rate_limited', service: 'list' })
    expect(failed.due_at).toBeGreaterThan(Date.now() / 1000 + 2 * 3600 - 60)
    await control({ mode: 'login' })
    expect((await readAgain(id)).reason).toEqual({ kind: 'service.broken', service: 'list' })
  })

  test('waits while the metadata provider is away', async ({ expect }) => {
    await provider.control({ mode: 'down' })
    await control({ items: [movie(3, 'Planet Walk', 2026)] })
    await post(trakt())
    await until(async () => ((await provider.calls()).length > 0 ? true : undefined))
    expect((await items())[0]?.status).toBe('waiting')
  })
})

describe('the owner', () => {
  test('says which title is meant, or leaves it', async ({ expect }) => {
    await control({ items: [movie(4, 'Planet Walk', 1987), movie(6, 'Quiet River', 1950)] })
    await post(trakt())
    await settled(2)
    const [second, first] = await items()
    const itemOf = (item: Item | undefined, what: string) => `${consolePrefix}/watchlist-items/${item?.id}/${what}`
    const choose = (item: Item | undefined) =>
      send('POST', itemOf(item, 'choose'), session, { json: { media_type: 'movie', tmdb_id: 11 } })
    expect((await choose(first)).status).toBe(200)
    expect((await send('POST', itemOf(second, 'leave'), session)).status).toBe(200)
    await settled(2)
    expect((await items()).map(({ status }) => status)).toEqual(['left', 'added'])
    expect(await subscribed()).toEqual([11])
    // What is decided is decided.
    expect((await choose(first)).status).toBe(404)
    expect((await send('POST', itemOf(second, 'leave'), session)).status).toBe(404)
  })

  test('sees what a list would do before it is stored', async ({ expect }) => {
    const many = Array.from({ length: watchlistTriedMax }, (_, at) => movie(200 + at, 'Planet Walk', 1900 + at))
    await control({ items: [movie(1, 'By Id', 2020, { tmdb: 77 }), ...many] })
    const { body } = await tryOf(trakt())
    expect(body).toMatchObject({
      works: true,
      found: many.length + 1,
      untried: 1,
      counts: { added: 1, unclear: many.length - 1 },
    })
    expect(await subscriptions()).toEqual([])
    expect(await items()).toEqual([])
    await control({ mode: 'gone' })
    const reason = { kind: 'service.not_found', service: 'list' }
    expect((await tryOf(trakt())).body).toMatchObject({ works: false, reason })
    await control({ mode: 'ok' })
    expect((await tryOf(trakt({ key: 'Wrong' }))).body.reason).toEqual({ kind: 'service.refused', service: 'list' })
  })

  test('keeps a key at its own address', async ({ expect }) => {
    await control({ items: [] })
    const { id } = (await post(trakt())).body
    const same = { ...without(trakt(), 'key'), id }
    expect((await tryOf(same)).body.works).toBe(true)
    expect((await tryOf({ ...same, address: `${origin}/${place}x/trakt` })).body.works).toBe(false)
  })
})

describe('each kind', () => {
  test('douban: what is wanted there, with the season in its name', async ({ expect }) => {
    const wish = (id: number, title: string, type: string, year: string) => ({
      status: 'mark',
      create_time: '2026-01-01 10:00:00',
      subject: { id: String(id), title, type, year },
    })
    await control({ items: [wish(1, 'Planet Walk', 'movie', '2026'), wish(2, '盐路 第二季', 'tv', '2025')] })
    const body = { ...trakt({ kind: 'douban', address: `${origin}/${place}/douban`, account: 'ada42' }) }
    expect((await post(without(body, 'key'))).status).toBe(200)
    await settled(2)
    expect(await items('?status=added')).toMatchObject([{ title: 'Planet Walk' }])
    expect((await items()).find(({ title }) => title === '盐路')?.season).toBe(2)
    expect(await subscriptions()).toMatchObject([{ tmdb_id: 11, source: 'douban' }])
  })

  test('IMDb: an export at an address, or sent as a file', async ({ expect }) => {
    const content = [
      'Position,Const,Created,Modified,Description,Title,Original Title,URL,Title Type,IMDb Rating,Year',
      '1,tt0000011,2026-01-01,2026-01-01,,"Planet, ""Walk""",Planet Walk,https://x,Movie,8.0,2026',
      '2,tt0000099,2026-01-01,2026-01-01,,Some Game,,https://x,Video Game,8.0,2026',
    ].join('\r\n')
    await control({ content, etag: '"1"' })
    const body = without(trakt({ kind: 'imdb', address: `${origin}/${place}/list.csv` }), 'key', 'account')
    const { id } = (await post(body)).body
    await settled(1)
    expect(await subscribed()).toEqual([11])
    // What did not change is not sent again.
    await readAgain(id)
    expect((await items()).map(({ title }) => title)).toEqual(['Planet, "Walk"'])
    await send('DELETE', `${path}/${id}`, session)
    const sent = without(body, 'address')
    const file = await post({ ...sent, file: content.replaceAll('tt0000011', 'tt0000012') })
    expect(file.body.host).toBe('')
    await settled(1)
    expect(await subscribed()).toEqual([11, 12])
    expect((await send('POST', `${path}/${file.body.id}/run`, session)).status).toBe(404)
    expect((await post({ ...sent, name: 'other', file: 'no list' })).status).toBe(400)
    expect((await post({ ...trakt({ name: 'third' }), file: content })).status).toBe(400)
  })

  test.for([
    [
      'RSS',
      `<rss><channel><title>x</title><item><title>Planet Walk (2026)</title><link>https://x.example/1</link></item>
       <item><title>Whatever</title><link>https://www.imdb.com/title/tt0000012/</link></item></channel></rss>`,
    ],
    [
      'Atom',
      `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Planet Walk, 2026</title><link href="https://x.example/1"/>
       </entry><entry><title>Whatever</title><link href="https://www.imdb.com/title/tt0000012/"/></entry></feed>`,
    ],
  ] as const)('%s: by the name and year of a title, or by an id in an address', async ([, content], { expect }) => {
    await control({ content })
    const address = `${origin}/${place}/films.xml?token=PlantedFeedKey`
    const added = await post(without(trakt({ kind: 'rss', address }), 'key', 'account'))
    expect(JSON.stringify(added.body)).not.toContain('PlantedFeedKey')
    await settled(2)
    expect(await items('?status=added')).toMatchObject([{ title: 'Whatever' }])
    // A name that a film and a series have in common is asked about.
    expect(await items('?status=unclear')).toMatchObject([{ title: 'Planet Walk', year: 2026 }])
  })
})

describe('what is refused', () => {
  test.for([
    ['no account', () => trakt({ account: '' }), 'account'],
    ['no key', () => trakt({ key: '' }), 'key'],
    ['an address that is none', () => trakt({ kind: 'rss', address: 'films' }), 'address'],
    ['a name inside an address', () => trakt({ kind: 'rss', address: 'https://a:b@x.example/' }), 'address'],
    ['less than an hour', () => trakt({ every_minutes: watchlistMinutesMin - 1 }), 'every_minutes'],
    ['more than a week', () => trakt({ every_minutes: watchlistMinutesMax + 1 }), 'every_minutes'],
    ['a profile that is not there', () => trakt({ profile_id: 999 }), 'profile_id'],
    ['a downloader that is not there', () => trakt({ downloader_id: 999 }), 'downloader_id'],
  ] as const)('%s', async ([, body, field], { expect }) => {
    const answer = await post(body())
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body)).toContain(field)
  })

  test('a name twice, and one list more than there may be', async ({ expect }) => {
    await control({ items: [] })
    const body = (at: number) => trakt({ name: `list ${at}`, enabled: false, every_minutes: watchlistMinutesMax })
    for (let at = 1; at <= watchlistsMax; at += 1) expect((await post(body(at))).status).toBe(200)
    expect((await post(body(0))).body.reason).toMatchObject({ kind: 'too_many', what: 'watchlist' })
    const [first, second] = (await send('GET', path, session)).body.items
    await send('DELETE', `${path}/${first.id}`, session)
    expect((await post(body(2))).body.reason).toMatchObject({ kind: 'field.wrong', field: 'name' })
    expect((await send('PUT', `${path}/${second.id}`, session, { json: body(1) })).status).toBe(200)
    expect((await send('DELETE', `${path}/${first.id}`, session)).status).toBe(404)
  })

  test('nothing to a token that may configure', async ({ expect }) => {
    const { caller } = await makeToken(session, ['app:configure'])
    await control({ items: [] })
    expect((await send('POST', `${settingsPrefix}/watchlists`, caller, { json: trakt() })).status).toBe(200)
    expect((await send('GET', `${settingsPrefix}/watchlists`, caller)).body.items).toHaveLength(1)
  })
})
