/** Sites end to end: the real Worker in workerd, its objects and database, and stand-in sites on real sockets. */

import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { beforeAll, beforeEach, describe, inject, test } from 'vitest'
import { createSiteFigures } from '../../../workers/app/adapters/d1/site-figures.ts'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import type { WireReadFigure } from '../../../workers/app/contract/site-watch.ts'
import { figureNames } from '../../../workers/app/core/site-figures.ts'
import {
  cookieTextCharactersMax,
  siteAddressCharactersMax,
  siteCredentialCharactersMax,
  sitesMax,
} from '../../../workers/app/limits.ts'
import { consoleSite } from '../../support/console-site.ts'
import { type Answer, auditRows, type Caller, makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'
import { silent } from '../../support/workerd/told-sites.ts'

const origin = inject('standInSites')
const goodCookie = 'c_secure_pass=CanaryCookieOfTheSite9'
const goodApiKey = 'CanaryApiKeyOfTheSite91'
const path = `${consolePrefix}/sites`

let session: Caller
let reader: Caller
let whole: Caller
let wholeId: string

beforeAll(async () => {
  session = await ownerSession()
  reader = (await makeToken(session, ['app:read'])).caller
  const both = await makeToken(session, ['app:read', 'app:write'])
  whole = both.caller
  wholeId = both.id
})

beforeEach(async () => {
  for (const { id } of (await send('GET', path, session)).body.items) await send('DELETE', `${path}/${id}`, session)
})

let skins = 0
/** Every test gets its own copy of a site, so that no state is shared. */
function ownSkin(): string {
  skins += 1
  return `own${skins}`
}

async function control(kind: string, skin: string, change: Readonly<Record<string, unknown>> = {}) {
  const response = await fetch(`${origin}/control/${kind}/${skin}`, { method: 'POST', body: JSON.stringify(change) })
  return response.json<{ signIns: number; calls: string[]; held: number }>()
}

function settings(kind: string, skin: string, change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const credential = kind === 'nexusphp' ? { cookie: goodCookie } : { api_key: goodApiKey }
  return consoleSite('first', kind, `${origin}/${kind}/${skin}`, { display_name: '第一站', ...credential, ...change })
}

function add(kind: string, skin: string, change: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  return send('POST', path, session, { json: settings(kind, skin, change) })
}

async function site(name = 'first') {
  const { items } = (await send('GET', `${appPrefix}/sites`, reader)).body
  return items.find((one: { name: string }) => one.name === name)
}

describe('site settings', () => {
  test('are listed without credentials, which rest sealed', async ({ expect }) => {
    const added = await add('nexusphp', ownSkin(), { api_key: goodApiKey })

    expect(added.status, JSON.stringify(added.body)).toBe(200)
    expect(added.body).toMatchObject({
      name: 'first',
      display_name: '第一站',
      kind: 'nexusphp',
      has_cookie: true,
      has_api_key: true,
      inactivity_days: 30,
      remind_before_days: 10,
      capacity_gib: 0,
      sign_in: true,
    })
    expect((await send('GET', path, session)).body.items).toEqual([added.body])
    const rows = JSON.stringify((await env.DB.prepare('select * from sites').all()).results)
    expect(rows).not.toContain('Canary')
    expect(JSON.stringify(added.body)).not.toContain('Canary')
  })

  test('say what is known of the channel of a named site, and nothing for another', async ({ expect }) => {
    const named = await add('unit3d', ownSkin(), { definition: 'darkpeers' })
    const other = await add('unit3d', ownSkin(), { name: 'other', definition: '' })

    expect(named.body.announces).toEqual({
      server: 'ircs://irc.darkpeers.org:6697',
      channel: '#announce',
      announcers: ['DP'],
      line: expect.stringContaining('{title}'),
      sign_in: 'nickserv',
    })
    expect(other.body).not.toHaveProperty('announces')
    expect((await send('GET', path, session)).body.items).toEqual([named.body, other.body])
  })

  test('a change without credentials keeps the stored ones; an empty text removes one', async ({ expect }) => {
    const skin = ownSkin()
    const { id } = (await add('nexusphp', skin, { api_key: goodApiKey })).body
    const { cookie: _, ...others } = settings('nexusphp', skin)

    const kept = await send('PUT', `${path}/${id}`, session, { json: { ...others, display_name: 'renamed' } })
    const removed = await send('PUT', `${path}/${id}`, session, { json: { ...others, api_key: '' } })

    expect(kept.body).toMatchObject({ display_name: 'renamed', has_cookie: true, has_api_key: true })
    expect(removed.body).toMatchObject({ has_cookie: true, has_api_key: false })
    // The kept one still opens the account.
    expect((await send('POST', `${path}/test`, session, { json: trialOf(others, id) })).body).toMatchObject({
      works: true,
    })
  })

  test('credentials that cannot be opened any more can be entered again, all that are stored at once', async ({
    expect,
  }) => {
    const skin = ownSkin()
    const { id } = (await add('nexusphp', skin, { api_key: goodApiKey })).body
    await env.DB.prepare("update sites set sealed_credentials = 'AAAA' where id = ?").bind(id).run()
    const { cookie: _, ...others } = settings('nexusphp', skin)
    const put = (change: object) => send('PUT', `${path}/${id}`, session, { json: { ...others, ...change } })

    const part = await put({ cookie: goodCookie })
    const whole = await put({ cookie: goodCookie, api_key: '' })
    await env.DB.prepare("update sites set sealed_credentials = 'AAAA' where id = ?").bind(id).run()
    // Nothing else is stored now, so nothing else has to be opened.
    const only = await put({ cookie: goodCookie })

    expect([part.status, whole.status, only.status]).toEqual([503, 200, 200])
    expect((await send('POST', `${path}/test`, session, { json: trialOf(others, id) })).body).toMatchObject({
      works: true,
    })
  })

  test('cookies are taken as extensions and tools export them, and of them the site’s own', async ({ expect }) => {
    const skin = ownSkin()
    const [name = '', value = ''] = goodCookie.split('=')
    const host = new URL(origin).hostname
    const list = [
      { name, value, domain: host, path: '/', hostOnly: true },
      { name: 'foreign', value: 'x', domain: '.other.example' },
    ]
    const forms = [
      `Cookie: ${goodCookie}`,
      JSON.stringify(list, null, 2),
      JSON.stringify({ cookies: list }),
      `# Netscape HTTP Cookie File\n${host}\tFALSE\t/\tFALSE\t0\t${name}\t${value}\n`,
    ]

    for (const cookie of forms) {
      const tried = await send('POST', `${path}/test`, session, {
        json: trialOf(settings('nexusphp', skin, { cookie })),
      })
      expect(tried.body, cookie).toMatchObject({ works: true })
    }
    const refused = await send('POST', path, session, {
      json: settings('nexusphp', skin, { cookie: JSON.stringify(list.slice(1)) }),
    })
    expect(refused).toMatchObject({
      status: 400,
      body: { reason: { field: 'cookie', rule: { kind: 'cookie.none_fits', host } } },
    })
  })

  test('pages for a report are read from the site, and tell nothing of its account', async ({ expect }) => {
    const made = async (kind: string, skin: string, name: string) => {
      const { id } = (await add(kind, skin, { name })).body
      return (await send('POST', `${path}/${id}/fixture`, session, { json: {} })).body
    }

    const { pages, replaced } = await made('nexusphp', ownSkin(), 'own')
    for (const what of ['secret', 'word', 'number', 'address']) expect(replaced[what], what).toBeGreaterThan(0)

    expect(pages.map(({ page }: { page: string }) => page)).toEqual(
      expect.arrayContaining(['index.php', 'userdetails.php', 'torrents.php']),
    )
    const text = JSON.stringify(pages)
    expect(text).toContain('info_block')
    for (const secret of ['walker', 'Canary', origin, 'Planet.Walk', '星球漫步']) expect(text).not.toContain(secret)
    expect(await made('nexusphp', 'expired', 'gone')).toMatchObject({ reason: { kind: 'site.login_expired' } })
    expect(await made('unit3d', ownSkin(), 'keyed')).toMatchObject({ reason: { kind: 'site.unsupported' } })
    expect(await send('POST', `${path}/999999/fixture`, session, { json: {} })).toMatchObject({ status: 404 })
  })

  test('every definition can be chosen, and says what it needs', { tags: 'slow' }, async ({ expect }) => {
    const { items } = (await send('GET', `${consolePrefix}/site-definitions`, session)).body

    expect(new Set(items.map(({ kind }: { kind: string }) => kind))).toEqual(
      new Set(['nexusphp', 'mteam', 'unit3d', 'gazelle', 'torznab']),
    )
    for (const { id, kind } of items) {
      // Switched off: it is chosen, and not read.
      const { body, status } = await add(kind, ownSkin(), { name: id, definition: id, enabled: false })
      expect(status, JSON.stringify(body)).toBe(200)
      // There are more than a service may have.
      await env.DB.prepare('delete from sites where id = ?').bind(body.id).run()
    }
  })

  test.each([
    ['a name in use', { name: 'taken' }, 'invalid_argument'],
    ['a name in upper case', { name: 'Upper' }, 'invalid_argument'],
    ['a name with a path in it', { name: 'a/b' }, 'invalid_argument'],
    ['a name past its limit', { name: 'n'.repeat(65) }, 'invalid_argument'],
    ['an address with a password', { address: 'https://u:p@a.example' }, 'invalid_argument'],
    ['another scheme', { address: 'ftp://a.example' }, 'invalid_argument'],
    ['an unknown definition', { definition: 'nope' }, 'invalid_argument'],
    ['a definition of another kind', { definition: 'unit3d' }, 'invalid_argument'],
    ['a line break in a cookie', { cookie: 'a=b\r\nx: y' }, 'invalid_argument'],
    ['a cookie past its limit', { cookie: `c=${'c'.repeat(siteCredentialCharactersMax - 1)}` }, 'invalid_argument'],
    ['more than is looked at for cookies', { cookie: ' '.repeat(cookieTextCharactersMax + 1) }, 'invalid_argument'],
    ['no cookie', { cookie: 'my cookie' }, 'invalid_argument'],
    ['the cookies of others', { cookie: '[{"name":"a","value":"b","domain":".other.example"}]' }, 'invalid_argument'],
    ['a proxy of another kind', { proxy: 'socks5://127.0.0.1:1080' }, 'invalid_argument'],
    ['a proxy without a scheme', { proxy: '127.0.0.1:7890' }, 'invalid_argument'],
    ['a proxy with a path', { proxy: 'http://127.0.0.1:7890/path' }, 'invalid_argument'],
    ['a proxy with a broken escape', { proxy: 'http://walker:50%@127.0.0.1:7890' }, 'invalid_argument'],
    ['a proxy password for nobody', { proxy: 'http://:secret@127.0.0.1:7890' }, 'invalid_argument'],
    ['a proxy past its limit', { proxy: `http://${'p'.repeat(siteAddressCharactersMax - 6)}` }, 'invalid_argument'],
    ['an override that nobody knows', { overrides: { surprise: 1 } }, 'invalid_body'],
    [
      'an override that leaves the site',
      { overrides: { paths: { search: 'https://b.example/' } } },
      'invalid_argument',
    ],
    ['an override to another host', { overrides: { paths: { search: '//b.example/' } } }, 'invalid_argument'],
  ])('refuse %s', async (_, change, error) => {
    await add('nexusphp', ownSkin(), { name: 'taken' })
    const answer = await add('nexusphp', ownSkin(), { name: 'fresh', ...change })

    if (answer.status !== 400 || answer.body.error !== error) throw new Error(JSON.stringify(answer))
  })

  test('hold as many sites as their limit, and not one more', async ({ expect }) => {
    const { id } = (await add('torznab', ownSkin())).body
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
       insert into sites (name, display_name, kind, base_url, enabled, inactivity_days, remind_before_days, created_at_unix, updated_at_unix)
       select 'filler' || i, '', 'torznab', 'http://127.0.0.1:1', 0, 30, 10, 1, 1 from n`,
    )
      .bind(sitesMax - 2)
      .run()

    const last = await add('torznab', ownSkin(), { name: 'last' })
    const over = await add('torznab', ownSkin(), { name: 'over' })

    expect([last.status, over.status]).toEqual([200, 400])
    expect(over.body.error).toBe('invalid_argument')
    await env.DB.prepare('delete from sites where id <> ?').bind(id).run()
  })

  test('an id is never used again, and what was learned goes with the site', async ({ expect }) => {
    const { id } = (await add('unit3d', ownSkin())).body
    await expect.poll(async () => (await site())?.user?.username, { timeout: 5000 }).toBe('walker')

    await send('DELETE', `${path}/${id}`, session)

    for (const [table, condition] of [
      ['site_users', 'site_id = ?'],
      ['site_snapshots', 'site_id = ?'],
      ['jobs', "scope = 'site' and subject_id = ?"],
    ]) {
      const row = await env.DB.prepare(`select count(*) as n from ${table} where ${condition}`).bind(id).first()
      expect(row, table).toEqual({ n: 0 })
    }
    expect((await add('unit3d', ownSkin())).body.id).toBeGreaterThan(id)
  })
})

function trialOf(change: Readonly<Record<string, unknown>>, id?: number) {
  const { name: _, display_name: __, enabled: ___, auto_sign_in: ____, ...trial } = change
  return { ...trial, ...(id === undefined ? {} : { id }) }
}

describe('a test of settings', () => {
  test.each([
    ['unit3d', 'ok', {}, undefined],
    ['unit3d', 'ok', { api_key: 'wrong' }, '登录已失效'],
    ['nexusphp', 'expired', {}, '登录已失效'],
    ['nexusphp', 'other', {}, '没有找到账号数据'],
    ['nexusphp', 'challenge', {}, '人机验证'],
    ['mteam', 'throttled', {}, '频率'],
    ['gazelle', 'away', {}, '别的地址'],
    ['torznab', 'closing', {}, '无法连接'],
    ['unit3d', 'huge', {}, '过大'],
  ])('of %s (%s) says what is wrong in words', async (kind, skin, change, reason) => {
    const { body } = await send('POST', `${path}/test`, session, { json: trialOf(settings(kind, skin, change)) })

    if (body.works !== (reason === undefined)) throw new Error(JSON.stringify(body))
    if (reason !== undefined && !body.error.includes(reason)) throw new Error(JSON.stringify(body))
  })

  test.for([
    ['nexusphp', 'chinese'],
    ['nexusphp', 'english'],
    ['unit3d', 'ok'],
    ['gazelle', 'ok'],
    ['mteam', 'ok'],
  ] as const)(
    'of %s (%s) lists every figure, with its place where it has a value',
    async ([kind, skin], { expect }) => {
      const { body } = await send('POST', `${path}/test`, session, { json: trialOf(settings(kind, skin)) })
      const figures: readonly WireReadFigure[] = body.figures

      expect(body).toMatchObject({ works: true, username: expect.stringMatching(/./) })
      expect(figures.map(({ figure }) => figure)).toEqual(figureNames)
      for (const { figure, value, page } of figures)
        expect([figure, page === undefined]).toEqual([figure, value === undefined])
      expect(figures.find(({ figure }) => figure === 'uploaded')?.value).toBeGreaterThan(0)
    },
  )

  test('of a kind without accounts lists none', async ({ expect }) => {
    const { body } = await send('POST', `${path}/test`, session, { json: trialOf(settings('torznab', 'ok')) })

    expect(body).toEqual({ works: true })
  })

  test('never sends stored credentials to another place', async ({ expect }) => {
    const skin = ownSkin()
    const { id } = (await add('unit3d', skin)).body
    const { api_key: _, ...others } = settings('unit3d', skin, { address: origin.replace('127.0.0.1', 'localhost') })

    const { body } = await send('POST', `${path}/test`, session, { json: trialOf(others, id) })

    expect(body.works).toBe(false)
  })
})

describe('GET /sites', () => {
  test('shows no user and an unknown tier until something was fetched, then both', async ({ expect }) => {
    const skin = ownSkin()
    await control('mteam', skin, { hold: true })
    await add('mteam', skin)

    const before = await site()
    await control('mteam', skin, { hold: false })

    expect(before).toEqual({
      name: 'first',
      display_name: '第一站',
      enabled: true,
      login: { tier: 'unknown', days_remaining: 0 },
      attendance: { supported: false, enabled: false, day: before.attendance.day, status: 'unsupported' },
    })
    await expect.poll(async () => (await site()).user?.username, { timeout: 5000 }).toBe('walker')
    const after = await site()
    expect(after.user).toEqual({
      username: 'walker',
      level: 'Elite User',
      uploaded: 5000 * 1024 ** 3,
      downloaded: 1000 * 1024 ** 3,
      ratio: 5,
      bonus: 1234.5,
      bonus_per_hour: 34.567,
      seeding: 42,
      leeching: 3,
      seeding_size: 2.5 * 1024 ** 4,
      unread_messages: 2,
      updated_at: expect.any(Number),
    })
    expect(after.login.last_probe_status).toBe('ok')
    // The site says six days and a half before now, by its own clock.
    expect(Math.abs(Date.now() / 1000 - 6.5 * 86_400 - after.login.last_active_at)).toBeLessThan(600)
  })

  test('says why when figures cannot be read, and then no item has any', async ({ expect }) => {
    await add('unit3d', ownSkin())
    await expect.poll(async () => (await site()).user?.username, { timeout: 5000 }).toBe('walker')
    await env.DB.prepare('alter table site_users rename to site_users_away').run()

    const { body } = await send('GET', `${appPrefix}/sites`, reader)
    const overview = await send('GET', `${appPrefix}/overview`, reader)
    await env.DB.prepare('alter table site_users_away rename to site_users').run()

    expect(body.user_error).toEqual(expect.stringMatching(/\p{Script=Han}/u))
    expect(body.items.map((one: object) => 'user' in one)).toEqual([false])
    expect(overview).toMatchObject({ status: 503, body: { error: 'unavailable' } })
  })

  test('keeps the last figures when a later read fails, and says how the last look went', async ({ expect }) => {
    const skin = ownSkin()
    const { id } = (await add('unit3d', skin)).body
    await expect.poll(async () => (await site()).user?.username, { timeout: 5000 }).toBe('walker')
    await send('PUT', `${path}/${id}`, session, { json: settings('unit3d', skin, { api_key: 'wrong' }) })

    await expect.poll(async () => (await site()).login.last_probe_status, { timeout: 5000 }).toBe('login_expired')
    expect((await site()).user.username).toBe('walker')
    const { items } = (await send('GET', `${consolePrefix}/jobs`, session)).body
    expect(items.find(({ job }: { job: string }) => job === 'statistics')).toMatchObject({
      site: 'first',
      running: false,
      last_ok: false,
      last_error: '登录已失效，请更新 Cookie 或密钥',
    })
  })
})

describe('POST /sites/{site}/attend', () => {
  test('signs in, then says that it was done already; both are of the same shape as in /sites', async ({ expect }) => {
    await add('nexusphp', ownSkin())

    const first = await send('POST', `${appPrefix}/sites/first/attend`, whole)
    const second = await send('POST', `${appPrefix}/sites/FIRST/attend`, whole, { json: {} })

    expect(first.body).toMatchObject({ supported: true, enabled: false, status: 'signed', message: '签到成功' })
    expect(second.body).toMatchObject({ status: 'already' })
    expect((await site()).attendance).toEqual(second.body)
    const recorded = (await auditRows()).filter(
      ({ user, command }) => user === `token:${wholeId}` && command.endsWith('/sites/{site}/attend'),
    )
    expect(recorded.slice(-2).map(({ result }) => result)).toEqual(['ok', 'ok'])
  })

  test('that fails answers attend_failed and leaves the day as it was', async ({ expect }) => {
    const skin = ownSkin()
    await control('nexusphp', skin, { failures: 1 })
    await add('nexusphp', skin)
    const before = (await site()).attendance

    const failed = await send('POST', `${appPrefix}/sites/first/attend`, whole)

    expect(failed).toMatchObject({ status: 502, body: { error: 'attend_failed' } })
    expect((await site()).attendance).toEqual(before)
    expect((await send('POST', `${appPrefix}/sites/first/attend`, whole)).body.status).toBe('signed')
  })

  test('is busy while one is running', async ({ expect }) => {
    const skin = ownSkin()
    await add('nexusphp', skin)
    // The first read after adding has its own calls; they must be over before the door is held.
    await expect.poll(async () => (await site()).user?.username, { timeout: 8000 }).toBe('walker')
    await control('nexusphp', skin, { hold: true })

    const running = send('POST', `${appPrefix}/sites/first/attend`, whole)
    await expect.poll(async () => (await control('nexusphp', skin)).held, { timeout: 5000 }).toBe(1)
    const refused = await send('POST', `${appPrefix}/sites/first/attend`, whole)
    await control('nexusphp', skin, { hold: false })

    expect(refused).toMatchObject({ status: 409, body: { error: 'busy' } })
    expect((await running).body.status).toBe('signed')
  })

  test('of a site that cannot sign in says so', async ({ expect }) => {
    await add('unit3d', ownSkin())

    const { body, status } = await send('POST', `${appPrefix}/sites/first/attend`, whole)

    expect([status, body.status, body.supported]).toEqual([200, 'unsupported', false])
  })

  test('is 404 for an unknown site and for one that is off', async ({ expect }) => {
    await add('nexusphp', ownSkin(), { enabled: false })

    expect((await send('POST', `${appPrefix}/sites/first/attend`, whole)).status).toBe(404)
    expect((await send('POST', `${appPrefix}/sites/nobody/attend`, whole)).status).toBe(404)
  })
})

describe('GET /favicon/{site}', () => {
  test('answers the image with an ETag, and 304 to who has it', async ({ expect }) => {
    const skin = ownSkin()
    await add('nexusphp', skin, { enabled: false })

    const image = await send('GET', `${appPrefix}/favicon/First`, reader)
    const etag = image.headers.get('etag') ?? ''
    const again = await send('GET', `${appPrefix}/favicon/first`, reader, { headers: { 'if-none-match': etag } })

    expect(image.headers.get('content-type')).toBe('image/x-icon')
    expect(image.headers.get('x-content-type-options')).toBe('nosniff')
    expect(image.headers.get('content-security-policy')).toBe('sandbox')
    expect(image.body.length).toBe(64)
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
    expect([again.status, again.body.length]).toEqual([304, 0])
    expect((await control('nexusphp', skin)).calls).toEqual(['GET favicon.ico'])
    // What the site was asked is counted, an icon too.
    const { id } = (await send('GET', `${consolePrefix}/sites`, session)).body.items[0]
    const usual = () => send('GET', `${consolePrefix}/sites/${id}/usual`, session)
    expect((await usual()).body.calls).toBe(1)
    await send('POST', `${consolePrefix}/sites/${id}/fixture`, session, { json: {} })
    const { calls } = await control('nexusphp', skin)
    expect(calls.length).toBeGreaterThan(2)
    expect((await usual()).body.calls).toBe(calls.length)
  })

  test('is 404 where the site has none, and asks it once only', async ({ expect }) => {
    const skin = ownSkin()
    await add('unit3d', skin, { enabled: false })

    for (let times = 0; times < 2; times += 1)
      expect((await send('GET', `${appPrefix}/favicon/first`, reader)).status).toBe(404)
    expect((await control('unit3d', skin)).calls).toEqual(['GET favicon.ico', 'GET '])
  })

  test.each(['a%2Fb', 'a%5Cb', 'n'.repeat(65)])('refuses the name %s', async (name) => {
    const answer = await send('GET', `${appPrefix}/favicon/${name}`, reader)
    if (answer.status !== 400 || answer.body.error !== 'invalid_argument') throw new Error(JSON.stringify(answer))
  })
})

describe('GET /overview', () => {
  test('sums enabled sites, and counts today from the last day before', async ({ expect }) => {
    const one = (await add('unit3d', ownSkin(), { name: 'one' })).body
    const two = (await add('mteam', ownSkin(), { name: 'two' })).body
    for (const name of ['one', 'two'])
      await expect.poll(async () => (await site(name)).user?.username, { timeout: 5000 }).toBe('walker')
    const off = (await add('mteam', ownSkin(), { name: 'off', enabled: false })).body
    const insert = env.DB.prepare(
      'insert into site_snapshots (site_id, day, uploaded_bytes, downloaded_bytes, bonus, ratio, seeding) values (?, ?, ?, ?, ?, 1, 1)',
    )
    const gib = 1024 ** 3
    const { day } = (await site('one')).attendance
    await env.DB.batch([
      insert.bind(one.id, '2026-01-01', 1, 1, 1),
      insert.bind(one.id, '2026-01-05', 4990 * gib, 999 * gib, 1000),
      // Spent bonus and taken-back download count as zero.
      insert.bind(two.id, '2026-01-05', 4000 * gib, 2000 * gib, 9999),
      insert.bind(off.id, '2026-01-05', 0, 0, 0),
      insert.bind(off.id, day, 9999 * gib, 9999 * gib, 9999),
    ])

    const { body } = await send('GET', `${appPrefix}/overview`, reader)

    expect(body.totals).toEqual({
      uploaded: 10_000 * gib,
      downloaded: 2000 * gib,
      ratio: 5,
      seeding: 84,
      leeching: 6,
      bonus: 2469,
      bonus_per_hour: 34.567,
      seeding_size: 2.5 * 1024 ** 4,
      site_count: 2,
      unread_messages: 2,
    })
    expect(body.today).toEqual({
      from: day,
      to: day,
      uploaded: 1010 * gib,
      downloaded: gib,
      bonus: 234.5,
      sites: [
        { site: 'one', uploaded: 10 * gib, downloaded: gib, bonus: 234.5 },
        { site: 'two', uploaded: 1000 * gib, downloaded: 0, bonus: 0 },
      ],
    })
    expect(body.updated_at).toBeGreaterThan(1_700_000_000)
  })

  test('keeps of each day what the site bills, and nothing of what was moved', async ({ expect }) => {
    const gib = 1024 ** 3
    const figures = { uploaded: 5120 * gib, downloaded: 1024 * gib, bonus: 1234.5, seeding: 42 }
    await control('nexusphp', 'moved', { figures })
    const { id } = (await add('nexusphp', 'moved')).body
    await expect.poll(async () => (await site()).user?.username, { timeout: 5000 }).toBe('walker')

    const { results } = await env.DB.prepare('select * from site_snapshots where site_id = ?').bind(id).all()
    // The page says 7 TB up and 9 TB down beside these.
    expect(results).toEqual([
      {
        site_id: id,
        day: (await site()).attendance.day,
        uploaded_bytes: 5120 * gib,
        downloaded_bytes: 1024 * gib,
        bonus: 1234.5,
        ratio: 5,
        seeding: 42,
        seeding_size_bytes: 2.5 * 1024 ** 4,
        seeding_points: null,
      },
    ])
  })

  test('has a history of every day on the console, of which the last is today', async ({ expect }) => {
    const { id } = (await add('unit3d', ownSkin())).body
    await expect.poll(async () => (await site()).user?.username, { timeout: 5000 }).toBe('walker')
    await env.DB.prepare(
      'insert into site_snapshots (site_id, day, uploaded_bytes, downloaded_bytes, bonus, ratio, seeding) values (?, ?, ?, 0, 0, 1, 1)',
    )
      .bind(id, '2026-01-05', 4999 * 1024 ** 3)
      .run()

    const { today } = (await send('GET', `${appPrefix}/overview`, reader)).body
    const usual = (await send('GET', `${consolePrefix}/site-history`, session)).body.items
    const most = await send('GET', `${consolePrefix}/site-history?days=400`, session)

    expect(usual).toHaveLength(30)
    expect(usual.at(-1)).toEqual({
      day: today.from,
      uploaded: today.uploaded,
      downloaded: today.downloaded,
      bonus: today.bonus,
      sites: 1,
    })
    expect(usual.at(-2).sites).toBe(0)
    expect(today.uploaded).toBe(1024 ** 3)
    expect(most.body.items).toHaveLength(400)
    expect((await send('GET', `${consolePrefix}/site-history?days=401`, session)).status).toBe(400)
  })

  test('with 60 sites and 400 days answers as it does with one', async ({ expect }) => {
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 60)
       insert into sites (id, name, display_name, kind, base_url, enabled, inactivity_days, remind_before_days, created_at_unix, updated_at_unix)
       select 1000000 + i, 'many' || i, '', 'torznab', 'http://127.0.0.1:1', 1, 30, 10, 1, 1 from n`,
    ).run()
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 60),
         d(j) as (select 0 union all select j + 1 from d where j < 399)
       insert into site_snapshots (site_id, day, uploaded_bytes, downloaded_bytes, bonus, ratio, seeding)
       select 1000000 + i, date('now', '+8 hours', '-' || j || ' days'), 1000000 - j, 0, 0, 1, 1 from n, d`,
    ).run()
    const { day } = (await site('many1')).attendance

    const { body } = await send('GET', `${appPrefix}/overview`, reader)
    const rowsRead = await rowsReadFor(day)
    await env.DB.prepare('delete from sites where id > 1000000').run()
    await env.DB.prepare("update sqlite_sequence set seq = 1000 where name = 'sites'").run()

    expect(body.today).toMatchObject({ from: day, uploaded: 60 })
    // A few for each site, of 24,000 that are there.
    expect(rowsRead).toBeGreaterThan(0)
    expect(rowsRead).toBeLessThan(60 * 10)
  })

  /** Rows the database reads to tell the changes of a day. */
  async function rowsReadFor(day: string): Promise<number> {
    let rowsRead = 0
    const counting = {
      prepare: (query: string) => ({
        bind: (...values: unknown[]) => ({
          all: async () => {
            const answer = await env.DB.prepare(query)
              .bind(...values)
              .all()
            rowsRead += answer.meta.rows_read
            return answer
          },
        }),
      }),
    }
    const figures = createSiteFigures(drizzle(counting as unknown as D1Database), silent)
    await figures.snapshotsFor(day, day)
    return rowsRead
  }

  test('without sites is all zeros, with the day and without an error', async ({ expect }) => {
    const { body } = await send('GET', `${appPrefix}/overview`, reader)

    expect(body.totals.site_count).toBe(0)
    expect(body.today).toMatchObject({ uploaded: 0, sites: [], from: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) })
    expect(body.today).not.toHaveProperty('error')
    expect(body.updated_at).toBe(0)
  })

  test('says why when the changes cannot be computed', async ({ expect }) => {
    await env.DB.prepare('alter table site_snapshots rename to site_snapshots_away').run()

    const { body, status } = await send('GET', `${appPrefix}/overview`, reader)
    await env.DB.prepare('alter table site_snapshots_away rename to site_snapshots').run()

    expect(status).toBe(200)
    expect(body.today).toEqual({
      from: '',
      to: '',
      uploaded: 0,
      downloaded: 0,
      bonus: 0,
      sites: [],
      error: expect.stringMatching(/\p{Script=Han}/u),
      reason: { kind: 'history_unreadable' },
    })
  })
})

describe('POST /search', () => {
  const ask = (json: Readonly<Record<string, unknown>>) => send('POST', `${appPrefix}/search`, reader, { json })

  test('leaves out a site whose lists cannot be read, unless it is named, which says so', async ({ expect }) => {
    const closed = ownSkin()
    await add('nexusphp', ownSkin(), { name: 'open' })
    await add('nexusphp', closed, { name: 'closed', overrides: { searches: false } })

    const { body } = await ask({ keyword: 'planet walk' })
    expect([Object.keys(body.sites), body.errors]).toEqual([['open'], []])
    const named = await ask({ keyword: 'planet walk', sites: ['closed'] })
    const told = [{ site: 'closed', reason: { kind: 'site.unsupported' } }]
    expect(named.body).toMatchObject({ error: 'search_failed', reason: { kind: 'search.failed', sites: told } })
  })

  test('asks every enabled site at once, counts per site, and tells who failed', async ({ expect }) => {
    await add('unit3d', ownSkin(), { name: 'good' })
    await add('torznab', ownSkin(), { name: 'feed' })
    await add('gazelle', 'throttled', { name: 'slow' })
    await add('mteam', ownSkin(), { name: 'off', enabled: false })

    const { body } = await ask({ keyword: ' planet walk ' })

    expect(body.sites).toEqual({ good: 2, feed: 2 })
    expect(body.errors).toEqual([
      { site: 'slow', error: '站点限制了访问频率，请稍后再试', reason: { kind: 'site.rate_limited' } },
    ])
    expect(body.total).toBe(4)
    expect(body.items).toHaveLength(4)
    expect(body.items[0]).toEqual({
      site: 'good',
      torrent_id: '101',
      title: 'Planet.Walk.2026.1080p',
      info_hash: `${'a'.repeat(37)}101`,
      size: 4.5 * 1024 ** 3,
      seeders: 120,
      leechers: 7,
      snatched: 310,
      uploaded_at: Date.UTC(2026, 10, 20, 2) / 1000,
      category: 'Movies',
      discount: 'FREE',
      discount_end: 'unknown',
      free: true,
      has_hr: false,
      imdb_id: 'tt1234567',
    })
  })

  test.each([
    ['free torrents only', { free_only: true }, ['101']],
    ['a minimum of seeders', { min_seeders: 4 }, ['101']],
    ['exactly the minimum', { min_seeders: 3 }, ['101', '102']],
    ['the category by its name', { category: 'movies' }, ['101', '102']],
    ['another category', { category: 'books' }, []],
    ['sites that are asked for', { sites: ['feed'] }, ['101', '102']],
    ['sites of which none is enabled', { sites: ['off', 'nobody'] }, []],
  ])('keeps %s', async (_, wish, ids) => {
    await add('unit3d', ownSkin(), { name: 'feed' })
    await add('unit3d', ownSkin(), { name: 'off', enabled: false })

    const { body } = await ask({ keyword: 'planet', ...wish })

    const found = body.items.map(({ torrent_id }: { torrent_id: string }) => torrent_id)
    if (JSON.stringify(found) !== JSON.stringify(ids) || body.errors.length > 0) throw new Error(JSON.stringify(body))
  })

  test.for(['nexusphp', 'mteam', 'unit3d', 'gazelle', 'torznab'])(
    'of %s with free_only true returns what is free and nothing else, and with false or without it everything',
    async (kind, { expect }) => {
      await add(kind, ownSkin(), { name: kind })
      const found = async (wish: object) => {
        const { body } = await ask({ keyword: 'planet', ...wish })
        return body.items.map(({ torrent_id, free }: { torrent_id: string; free: boolean }) => [torrent_id, free])
      }
      const all = await found({})
      expect(all.map(([id]: [string]) => id).toSorted()).toEqual(['101', '102'])
      expect(await found({ free_only: false })).toEqual(all)
      expect(await found({ free_only: true })).toEqual(all.filter(([, free]: [string, boolean]) => free))
      expect(all).toContainEqual(['101', true])
      expect(all).toContainEqual(['102', false])
    },
  )

  test('that no site answers is answered search_failed, with every reason once', async ({ expect }) => {
    await add('gazelle', 'throttled', { name: 'slow' })
    await add('gazelle', 'throttled', { name: 'slower' })
    await add('unit3d', ownSkin(), { name: 'good' })

    const failed = await ask({ keyword: 'planet', sites: ['slow', 'slower'] })

    expect([failed.status, failed.body]).toEqual([
      502,
      {
        error: 'search_failed',
        message: '搜索失败：站点限制了访问频率，请稍后再试（slow、slower）',
        reason: {
          kind: 'search.failed',
          sites: ['slow', 'slower'].map((site) => ({ site, reason: { kind: 'site.rate_limited' } })),
        },
      },
    ])
    expect((await ask({ keyword: 'planet' })).body.sites).toEqual({ good: 2 })
  })

  test('of sites of which none is enabled asks nobody', async ({ expect }) => {
    const skin = ownSkin()
    await add('unit3d', skin, { name: 'off', enabled: false })

    const { body } = await ask({ keyword: 'planet', sites: ['off'] })

    expect(body).toMatchObject({ items: [], total: 0, sites: {}, errors: [] })
    expect((await control('unit3d', skin)).calls).toEqual([])
  })

  test('never shows a link or a key', async ({ expect }) => {
    for (const kind of ['nexusphp', 'mteam', 'unit3d', 'gazelle', 'torznab']) await add(kind, ownSkin(), { name: kind })

    const { body } = await ask({ keyword: 'planet' })

    expect(body.total).toBe(10)
    const text = JSON.stringify(body)
    expect(text).not.toMatch(/Canary|http:|details\.php|download/)
  })

  test.each([
    ['no keyword', {}, 'invalid_argument'],
    ['a blank keyword', { keyword: '  ' }, 'invalid_argument'],
    ['a keyword past its limit', { keyword: '长'.repeat(101) }, 'invalid_argument'],
    ['too many sites', { keyword: 'x', sites: Array.from({ length: 101 }, (_, n) => `s${n}`) }, 'invalid_argument'],
    ['negative seeders', { keyword: 'x', min_seeders: -1 }, 'invalid_argument'],
    ['an unknown field', { keyword: 'x', page: 1 }, 'invalid_body'],
    ['a keyword of another type', { keyword: 7 }, 'invalid_body'],
    ['a wish for what is free that is no boolean', { keyword: 'x', free_only: 'true' }, 'invalid_body'],
    ['a wish for what is free that is a number', { keyword: 'x', free_only: 1 }, 'invalid_body'],
  ])('refuses %s', async (_, json, error) => {
    const answer = await ask(json)
    if (answer.status !== 400 || answer.body.error !== error) throw new Error(JSON.stringify(answer))
  })

  test('waits at most 30 seconds for a site that does not answer, and tells the others’ results', async ({
    expect,
  }) => {
    const skin = ownSkin()
    await control('unit3d', skin, { hold: true })
    await add('unit3d', skin, { name: 'silent' })
    await add('unit3d', ownSkin(), { name: 'good' })
    const started = Date.now()

    const { body } = await ask({ keyword: 'planet' })
    const waitedMs = Date.now() - started
    await control('unit3d', skin, { hold: false })

    expect(body.sites).toEqual({ good: 2 })
    expect(body.errors).toEqual([{ site: 'silent', error: '站点响应超时', reason: { kind: 'site.timeout' } }])
    expect(waitedMs).toBeLessThan(30_000)
    expect(body.duration_ms).toBeGreaterThan(10_000)
  }, 40_000)

  test('takes a keyword and a list of sites of exactly their limits', async ({ expect }) => {
    const sites = Array.from({ length: 100 }, (_, n) => `s${n}`)

    expect((await ask({ keyword: '长'.repeat(100), sites })).status).toBe(200)
    // A character is one however many units it is written in; blanks around the keyword are none of it.
    expect((await ask({ keyword: ` ${'🜁'.repeat(100)} `, sites: ['nobody'] })).status).toBe(200)
    expect((await ask({ keyword: '🜁'.repeat(101), sites: ['nobody'] })).body.error).toBe('invalid_argument')
  })
})

describe('work of the service, as the owner sees it', () => {
  const jobs = async () => (await send('GET', `${consolePrefix}/jobs`, session)).body.items
  const run = (json: unknown) => send('POST', `${consolePrefix}/jobs/run`, session, { json })

  test('can be asked for now, and says how it went', async ({ expect }) => {
    const skin = ownSkin()
    await add('unit3d', skin)
    await expect.poll(async () => (await site())?.user?.username, { timeout: 5000 }).toBe('walker')
    const before = (await control('unit3d', skin)).calls.length

    const asked = await run({ site: 'first', job: 'probe' })

    expect(asked.body).toEqual({ ok: true })
    await expect
      .poll(async () => (await control('unit3d', skin)).calls.length, { timeout: 5000 })
      .toBeGreaterThan(before)
    const shared = (await jobs()).filter((one: { site?: string }) => one.site === undefined)
    expect(shared).toContainEqual({
      job: 'reminders',
      label: { zh: '登录提醒', en: 'Login reminders' },
      due_at: expect.any(Number),
      running: false,
    })
  })

  test.for([
    ['an unknown site', { site: 'nowhere', job: 'probe' }, 404, 'not_found'],
    ['work a site cannot do', { site: 'first', job: 'sign_in' }, 404, 'not_found'],
    ['work that is nobody’s', { job: 'tasks' }, 404, 'not_found'],
    ['work of a site without the site', { job: 'probe' }, 404, 'not_found'],
    ['work that does not exist', { job: 'dream' }, 400, 'invalid_argument'],
    ['no work', {}, 400, 'invalid_argument'],
    ['a field that nobody knows', { job: 'probe', when: 'now' }, 400, 'invalid_body'],
  ] as const)('is not there for %s', async ([, json, status, error], { expect }) => {
    await add('unit3d', ownSkin())

    const answer = await run(json)

    expect([answer.status, answer.body.error]).toEqual([status, error])
  })

  test('reminds of accounts that were not visited for long', async ({ expect }) => {
    const { id } = (await add('torznab', ownSkin(), { enabled: true })).body
    await env.DB.prepare('update sites set last_active_at_unix = ? where id = ?')
      .bind(Math.floor(Date.now() / 1000) - 24 * 24 * 3600, id)
      .run()

    await run({ job: 'reminders' })

    const reminders = async () => (await send('GET', `${consolePrefix}/reminders`, session)).body.items
    await expect
      .poll(reminders, { timeout: 5000 })
      .toEqual([{ site: 'first', tier: '7d', days_remaining: expect.any(Number), raised_at: expect.any(Number) }])
  })
})
