/** The way in for other programs: who may, what they are told of the owner's sites, and what they may fetch. */
import { env, exports, waitUntil } from 'cloudflare:workers'
import { beforeEach, describe, inject, test } from 'vitest'
import { readFeed } from '../../../workers/app/adapters/feeds/read-feed.ts'
import { consolePrefix, createApp } from '../../../workers/app/app.ts'
import { composeAppDeps } from '../../../workers/app/compose.ts'
import { torrentIdCharactersMax } from '../../../workers/app/limits.ts'
import { consoleSite } from '../../support/console-site.ts'
import {
  askedByCollector,
  askedByManager,
  readCapabilities,
  readReleases,
  type Wish,
} from '../../support/search-program.ts'
import {
  auditRows,
  type Caller,
  origin as here,
  makeToken,
  ownerSession,
  send,
} from '../../support/workerd/app-client.ts'
import { withoutAuditLog } from '../../support/workerd/without-audit-log.ts'

const sites = inject('standInSites')
const goodCookie = 'c_secure_pass=CanaryCookieOfTheSite9'
const linkKey = 'CanaryLinkKeyOfTheSite47OfLength'

let skins = 0

const session = await ownerSession()
const reader = await makeToken(session, ['app:read'])
const operator = await makeToken(session, ['app:write'])
const program = await makeToken(session, ['app:read', 'app:write'])
beforeEach(async () => {
  await env.DB.batch([env.DB.prepare('delete from sites'), env.DB.prepare('delete from audit_entries')])
})

async function addSite(name: string, kind = 'nexusphp', change: object = { cookie: goodCookie }): Promise<string> {
  skins += 1
  const address = `${sites}/${kind}/torznab${skins}`
  const added = await send('POST', `${consolePrefix}/sites`, session, {
    json: consoleSite(name, kind, address, change),
  })
  if (added.status !== 200) throw new Error(JSON.stringify(added.body))
  return address
}

async function ask(path: string, headers: Caller = {}, method = 'GET') {
  const response = await exports.default.fetch(new Request(`${here}/torznab${path}`, { method, headers }))
  const { status } = response
  const type = response.headers.get('content-type')
  return { status, type, headers: response.headers, text: await response.text() }
}
async function search(path: string) {
  const { status, type, text } = await ask(`${path}${path.includes('?') ? '&' : '?'}apikey=${program.text}`)
  return { status, type, text, ...readFeed(text) }
}

test('links lead below the path that the service has at that name', async ({ expect }) => {
  await addSite('lantern')
  const work = { run: (one: Promise<unknown>) => waitUntil(one) }
  const server = createApp(composeAppDeps({ ...env, BASED_AT: 'https://nas.example/wharf' }, work))
  const linkAt = async (origin: string) => {
    const asked = new Request(`${origin}/torznab/lantern/api?t=search&q=planet&apikey=${program.text}`)
    const [first] = readFeed(await (await server.fetch(asked)).text()).items
    return first?.enclosure?.url?.split('?')[0]
  }
  expect(await linkAt('https://nas.example')).toBe('https://nas.example/wharf/torznab/lantern/file')
  expect(await linkAt('https://other.example')).toBe('https://other.example/torznab/lantern/file')
})

describe('who may', () => {
  const cases: readonly (readonly [string, () => string, () => Caller, string | undefined])[] = [
    ['no key', () => '', () => ({}), '100'],
    ['an empty key', () => '&apikey=', () => ({}), '100'],
    ['a wrong key', () => '&apikey=wharf_nothing', () => ({}), '100'],
    ['a key that may only read', () => `&apikey=${reader.text}`, () => ({}), '102'],
    ['a key that may only operate', () => `&apikey=${operator.text}`, () => ({}), '102'],
    ['a signed-in browser', () => '', () => session, '100'],
    ['a key in the address', () => `&apikey=${program.text}`, () => ({}), undefined],
    ['a key in a header of its own', () => '', () => ({ 'x-api-key': program.text }), undefined],
    ['a bearer token', () => '', () => program.caller, undefined],
  ]
  test.for(cases)('%s', async ([, query, headers, code], { expect }) => {
    await addSite('lantern')
    for (const place of ['', '/lantern']) {
      const answer = await ask(`${place}/api?t=search&q=planet${query()}`, headers())
      expect(answer.status).toBe(200)
      expect(readFeed(answer.text).error?.code).toBe(code)
      if (code !== undefined) expect(answer.text).not.toContain('Planet')
    }
    const file = await ask(`/lantern/file?id=101${query()}`, headers())
    expect(file.status).toBe(code === undefined ? 200 : code === '102' ? 403 : 401)
  })

  test('anybody learns what can be asked, and nothing of the sites', async ({ expect }) => {
    await addSite('lantern')
    const [one, other, all] = await Promise.all(['/lantern', '/nowhere', ''].map((place) => ask(`${place}/api?t=caps`)))
    expect(one?.text).toContain('<tv-search available="yes"')
    expect(one?.type).toBe('application/xml; charset=utf-8')
    expect([other?.text, all?.text]).toEqual([one?.text, one?.text])
  })
})

describe('a search', () => {
  test('of one site tells its torrents, newest first, each with a link of ours', async ({ expect }) => {
    await addSite('lantern')
    const { status, type, items, text } = await search('/lantern/api?t=search&q=planet')
    expect([status, type]).toEqual([200, 'application/rss+xml; charset=utf-8'])
    expect(items.map(({ texts }) => texts.get('title'))).toEqual(['Planet.Walk.2026.1080p', 'Planet.Walk.2026.2160p'])
    const [first] = items
    expect(first?.enclosure?.url).toBe(`${here}/torznab/lantern/file?id=101&apikey=${program.text}`)
    expect(first?.texts.get('pubDate')).toBe('Fri, 20 Nov 2026 02:00:00 +0000')
    expect(Object.fromEntries(first?.attributes ?? [])).toMatchObject({
      seeders: '120',
      peers: '127',
      grabs: '310',
      downloadvolumefactor: '0',
      uploadvolumefactor: '1',
    })
    expect(items[1]?.attributes.get('downloadvolumefactor')).toBe('1')
    expect(text).not.toContain(linkKey)
  })

  test('of all sites joins them, and leaves out what fails or is off', async ({ expect }) => {
    await addSite('lantern')
    await addSite('harbour')
    await addSite('gone', 'nexusphp', { cookie: 'c_secure_pass=wrong' })
    await addSite('resting', 'nexusphp', { cookie: goodCookie, enabled: false })
    await addSite('closed', 'nexusphp', { cookie: goodCookie, overrides: { searches: false } })
    const { items } = await search('/api?t=search&q=planet')
    const links = items.map(({ enclosure }) => new URL(enclosure?.url ?? '').pathname)
    expect(new Set(links)).toEqual(new Set(['/torznab/lantern/file', '/torznab/harbour/file']))
    expect(items).toHaveLength(4)
    const dates = items.map(({ texts }) => Date.parse(texts.get('pubDate') ?? ''))
    expect(dates).toEqual(dates.toSorted((left, right) => right - left))
  })

  test('gives pages', async ({ expect }) => {
    await addSite('lantern')
    const whole = await search('/lantern/api?t=search&q=planet')
    const second = await search('/lantern/api?t=search&q=planet&offset=1&limit=1')
    expect(second.items).toEqual(whole.items.slice(1, 2))
    expect(second.text).toContain('<newznab:response offset="1" total="2"/>')
    expect((await search('/lantern/api?t=search&q=planet&limit=0')).items).toEqual([])
  })

  test.for([
    ['/nowhere/api?t=search&q=planet', '201'],
    ['/resting/api?t=search&q=planet', '201'],
    ['/gone/api?t=search&q=planet', '900'],
    ['/throttled/api?t=search&q=planet', '500'],
    ['/lantern/api', '200'],
    ['/lantern/api?t=nothing', '202'],
    ['/lantern/api?t=music&q=planet', '203'],
    ['/lantern/api?t=search&limit=many', '201'],
  ] as const)('%s is refused by number %s', async ([path, code], { expect }) => {
    await addSite('lantern')
    await addSite('gone', 'nexusphp', { cookie: 'c_secure_pass=wrong' })
    await addSite('resting', 'nexusphp', { cookie: goodCookie, enabled: false })
    await send('POST', `${consolePrefix}/sites`, session, {
      json: consoleSite('throttled', 'nexusphp', `${sites}/nexusphp/throttled`, { cookie: goodCookie }),
    })
    const { status, error, isFeed } = await search(path)
    expect([status, error?.code, isFeed]).toEqual([200, code, false])
  })
})

describe('a program that searches', () => {
  const offered = async () => readCapabilities((await ask(`/lantern/api?t=caps&apikey=${program.text}`)).text)
  const film = { imdbId: 'tt0000123', title: 'Planet Walk', year: 2026 }

  test.for<[string, Wish, string[]]>([
    ['what is new, when it is added', { kind: 'search' }, ['101', '102', '103']],
    ['words', { kind: 'search', words: 'planet walk' }, ['101', '102']],
    ['films among what is new', { kind: 'search', categories: [2000, 2040, 2045] }, ['101', '102', '103']],
    ['a film by its number and words', { kind: 'movie', words: 'Planet Walk', imdbId: film.imdbId }, ['101', '102']],
    ['a series of which there is nothing', { kind: 'tv', words: 'Planet', season: 1, episode: '2' }, []],
  ])('and manages indexers is told of %s', async ([, wish, ids], { expect }) => {
    await addSite('lantern')
    const capabilities = await offered()
    const { text } = await ask(`/lantern/api${askedByManager(wish, capabilities, program.text)}`)
    const found = readReleases(text, capabilities)
    expect(found.map(({ link }) => new URL(link).searchParams.get('id')).toSorted()).toEqual(ids)
    for (const one of found)
      expect([one.sizeBytes > 0, one.categories.length > 0, one.seeders]).toMatchObject([
        true,
        true,
        expect.any(Number),
      ])
    expect(new Set(found.map(({ guid }) => guid)).size).toBe(found.length)
  })

  test.for([
    ['what is new', undefined],
    ['a film', film],
  ] as const)('and collects films is told of %s, and fetches it', async ([, wanted], { expect }) => {
    await addSite('lantern')
    const capabilities = await offered()
    const { text } = await ask(`/lantern/api${askedByCollector(wanted, capabilities, program.text)}`)
    const found = readReleases(text, capabilities)
    expect(found.map(({ title }) => title)).toContain('Planet.Walk.2026.1080p')
    const link = new URL(found[0]?.link ?? '')
    const file = await ask(`${link.pathname.replace('/torznab', '')}${link.search}`)
    expect([file.status, file.text.startsWith('d')]).toEqual([200, true])
  })

  test('with a wrong key is told so by a number of its own', async ({ expect }) => {
    await addSite('lantern')
    const { text } = await ask(`/lantern/api${askedByManager({ kind: 'search' }, await offered(), 'wharf_nothing')}`)
    expect(() => readReleases(text, { search: [], movie: [], tv: [], categories: [] })).toThrow(/^1\d\d /)
  })
})

describe('a file', () => {
  test('is the torrent as the site gave it, and is written into the log', async ({ expect }) => {
    await addSite('lantern')
    const { items } = await search('/lantern/api?t=search&q=planet')
    const link = new URL(items[0]?.enclosure?.url ?? '')
    const file = await ask(`${link.pathname.replace('/torznab', '')}${link.search}`)
    expect([file.status, file.type]).toEqual([200, 'application/x-bittorrent'])
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="lantern-101.torrent"')
    expect(file.text.slice(0, 11)).toBe('d8:announce')
    const rows = await auditRows()
    expect(rows.at(-1)).toMatchObject({
      user: `token:${program.id}`,
      command: 'GET /torznab/lantern/file',
      result: 'ok',
      status: 200,
    })
    expect(JSON.stringify(rows)).not.toContain(program.text)
  })

  test.for([
    ['/lantern/file', 400, 'invalid_argument'],
    [`/lantern/file?id=${'1'.repeat(torrentIdCharactersMax + 1)}`, 400, 'invalid_argument'],
    ['/nowhere/file?id=101', 404, 'not_found'],
    ['/resting/file?id=101', 404, 'not_found'],
    ['/gone/file?id=101', 502, 'download_failed'],
  ] as const)('%s is refused with %i', async ([path, status, code], { expect }) => {
    await addSite('lantern')
    await addSite('gone', 'nexusphp', { cookie: 'c_secure_pass=wrong' })
    await addSite('resting', 'nexusphp', { cookie: goodCookie, enabled: false })
    const answer = await ask(`${path}${path.includes('?') ? '&' : '?'}apikey=${program.text}`)
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.text).error).toBe(code)
  })

  test('is not given where it cannot be written down', async ({ expect }) => {
    await addSite('lantern')
    const answer = await withoutAuditLog(() => ask(`/lantern/file?id=101&apikey=${program.text}`))
    expect(answer.status).toBe(503)
    expect(JSON.parse(answer.text).reason).toEqual({ kind: 'audit_unavailable' })
  })

  test('other addresses and methods are not there', async ({ expect }) => {
    expect((await ask('/lantern', program.caller)).status).toBe(404)
    expect((await ask('/lantern/other', program.caller)).status).toBe(404)
    const posted = await ask('/api?t=caps', program.caller, 'POST')
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET'])
  })
})
