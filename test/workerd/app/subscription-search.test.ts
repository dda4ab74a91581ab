/** From a subscription to a torrent in the downloader: the real Worker and its scheduler, with stand-ins on real sockets. */
import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, inject, test } from 'vitest'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import { consoleSite } from '../../support/console-site.ts'
import { auditRows, type Caller, makeToken, ownerSession, type Sent, send } from '../../support/workerd/app-client.ts'
import { setProvider } from '../../support/workerd/service-under-test.ts'

const origin = inject('standInSites')
const downloader = inject('standInDownloaders').searches
const path = `${appPrefix}/subscriptions`

let session: Caller
let operator: Caller
let skin: string
let skins = 0

beforeAll(async () => {
  session = await ownerSession()
  operator = (await makeToken(session, ['app:read', 'app:write'])).caller
  // The film that the stand-in sites have.
  const film = {
    id: 11,
    title: '星球漫步',
    original_title: 'Planet Walk',
    release_date: '2026-03-01',
    poster_path: null,
  }
  await setProvider(session, 'searches', { details: { '/movie/11': film } })
  const { baseUrl: address, ...signIn } = downloader
  const first = { name: 'nas-1', type: 'qbittorrent', address, ...signIn, enabled: true, default: true }
  const added = await send('POST', `${consolePrefix}/downloaders`, session, { json: first })
  if (added.status !== 200) throw new Error(JSON.stringify(added.body))
})

beforeEach(async () => {
  for (const { id } of (await send('GET', `${consolePrefix}/sites`, session)).body.items)
    await send('DELETE', `${consolePrefix}/sites/${id}`, session)
  for (const { id } of (await send('GET', path, operator)).body) await send('DELETE', `${path}/${id}`, operator)
  await env.DB.prepare('delete from push_records').run()
  const orders = { freeBytes: 78e9, adding: 'accept' }
  await fetch(`${downloader.baseUrl}/control`, { method: 'POST', body: JSON.stringify({ orders, empty: true }) })
  skins += 1
  skin = `searches${skins}`
})

async function control(change: Readonly<Record<string, unknown>>): Promise<void> {
  await fetch(`${origin}/control/nexusphp/${skin}`, { method: 'POST', body: JSON.stringify(change) })
}

async function addSite(): Promise<void> {
  await control({ fileBytes: 1000 })
  const keys = { cookie: 'c_secure_pass=CanaryCookieOfTheSite9', api_key: 'CanaryApiKeyOfTheSite91' }
  const site = consoleSite('shelf', 'nexusphp', `${origin}/nexusphp/${skin}`, keys)
  const added = await send('POST', `${consolePrefix}/sites`, session, { json: site })
  if (added.status !== 200) throw new Error(JSON.stringify(added.body))
}

const read = async (id: number) => (await send('GET', `${path}/${id}`, operator)).body
const search = (id: number, sent: Sent = {}) => send('POST', `${path}/${id}/search`, operator, sent)
const setStatus = (id: number, status: string) => send('POST', `${path}/${id}/status`, operator, { json: { status } })

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const deadlineMs = Date.now() + 15_000; Date.now() < deadlineMs; ) {
    const found = await look()
    if (found !== undefined) return found
  }
  throw new Error(`waited for ${what}`)
}

/** A film that the stand-in site has, after the search that the service makes by itself has found no site to ask. */
async function subscribed(): Promise<number> {
  const added = await send('POST', path, operator, { json: { media_type: 'movie', tmdb_id: 11 } })
  if (added.status !== 200) throw new Error(JSON.stringify(added.body))
  await searchedBy(added.body.id, (body) => body.message === '没有可以搜索的站点')
  return added.body.id
}

// biome-ignore lint/suspicious/noExplicitAny: the body of an answer
function searchedBy(id: number, isSo: (body: any) => boolean): Promise<any> {
  return until('the service to search by itself', async () => {
    await runDurableObjectAlarm(env.SCHEDULER.get(env.SCHEDULER.idFromName('scheduler')))
    const body = await read(id)
    return isSo(body) ? body : undefined
  })
}

const pushedOne = {
  message: '推送了 1 个种子',
  reason: { kind: 'subscription.told', pushes: [{}], refused: [], sites: [] },
}

describe('POST /subscriptions/{id}/search', () => {
  test('searches once now, pushes what was found, and says so', async ({ expect }) => {
    const id = await subscribed()
    await addSite()
    const before = Math.floor(Date.now() / 1000)

    const { status, body } = await search(id)

    expect([status, body]).toEqual([200, pushedOne])
    const detail = await read(id)
    expect(detail).toMatchObject({ message: body.message, progress: { downloading: 1, missing: [] } })
    expect(detail.last_search_at).toBeGreaterThanOrEqual(before)
    expect(detail.next_search_at).toBeGreaterThan(detail.last_search_at)
    expect(detail.torrents).toEqual([
      {
        site: 'shelf',
        torrent_id: '101',
        title: expect.stringContaining('Planet.Walk.2026.1080p'),
        status: 'downloading',
        complete: false,
        size: 4.5 * 1024 ** 3,
        created_at: expect.any(Number),
      },
    ])
    const { items } = (await send('GET', `${appPrefix}/tasks`, operator)).body
    expect(items).toMatchObject([{ torrent_id: '101', source: 'subscription', pushed: true, downloader: 'nas-1' }])
    const audit = (await auditRows()).at(-1)
    expect(audit).toMatchObject({ command: `POST ${path}/{id}/search`, result: 'ok', status: 200 })
    // What is on its way is not looked for again.
    expect((await search(id)).body).toEqual({
      message: '目前没有要找的内容',
      reason: { kind: 'subscription.nothing_wanted' },
    })
  })

  test('accepts no body and an empty object, and nothing else', async ({ expect }) => {
    const id = await subscribed()
    for (const sent of [{}, { json: {} }]) expect((await search(id, sent)).status).toBe(200)
    for (const json of [{ force: true }, [], null, 'now', 1]) {
      const { status, body } = await search(id, { json })
      expect([status, body.error], JSON.stringify(json)).toEqual([400, 'invalid_body'])
    }
  })

  test('refuses one that is not active, and leaves it as it is', async ({ expect }) => {
    const id = await subscribed()
    await addSite()
    for (const status of ['paused', 'pending', 'done']) {
      await env.DB.prepare('update subscriptions set status = ?, next_search_at_unix = null').bind(status).run()
      const answer = await search(id)
      expect([answer.status, answer.body.error], status).toEqual([400, 'invalid_argument'])
      expect((await read(id)).status).toBe(status)
    }
    expect((await read(id)).torrents).toEqual([])
    const unknown = await search(id + 1)
    expect([unknown.status, unknown.body.error]).toEqual([404, 'not_found'])
  })

  test('is busy while the same one is being searched for', async ({ expect }) => {
    const id = await subscribed()
    await addSite()
    await control({ hold: true })
    const first = search(id)
    await until('the search to begin', async () => {
      const row = await env.DB.prepare('select searching_until_unix as until from subscriptions').first<{
        until: number
      }>()
      return row !== null && row.until > 0 ? true : undefined
    })

    const second = await search(id)
    await control({ hold: false })

    expect([second.status, second.body.error]).toEqual([409, 'busy'])
    expect((await first).body).toEqual(pushedOne)
  })
})

test('a subscription that is set back to active is searched for soon, by itself', async ({ expect }) => {
  const id = await subscribed()
  expect((await setStatus(id, 'paused')).body).not.toHaveProperty('next_search_at')
  await addSite()
  expect((await read(id)).torrents).toEqual([])

  expect((await setStatus(id, 'active')).status).toBe(200)

  const found = await searchedBy(id, ({ torrents, message }) => torrents.length > 0 && message === '推送了 1 个种子')
  expect(found.torrents).toMatchObject([{ torrent_id: '101', status: 'downloading' }])
})
