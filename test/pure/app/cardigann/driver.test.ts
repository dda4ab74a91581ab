/** Invented definitions against the sites they describe, by the driver that real ones run in. */
import { describe, test } from 'vitest'
import { checkDefinition } from '../../../../workers/app/adapters/sites/cardigann/definition-service.ts'
import { createSiteDriver } from '../../../../workers/app/adapters/sites/create-driver.ts'
import { siteProfile } from '../../../../workers/app/adapters/sites/site-definitions.ts'
import type { SiteDriver } from '../../../../workers/app/adapters/sites/site-driver.ts'
import {
  type Answer,
  type InventedDefinition,
  inventedDateUnix,
  inventedDefinitions,
  inventedNowUnix,
  inventedRows,
  inventedText,
  origin,
} from '../../../support/invented-definitions.ts'

const signal = () => AbortSignal.timeout(30_000)

function driverOf(
  one: InventedDefinition,
  site: InventedDefinition['site'] = one.site,
): { driver: SiteDriver; asked: Request[] } {
  const checked = checkDefinition(inventedText(one))
  if (!checked.ok) throw new Error(JSON.stringify(checked.failure))
  const asked: Request[] = []
  const { answers, choices, cookie = '' } = one
  const driver = createSiteDriver(
    {
      kind: 'cardigann',
      baseUrl: origin,
      credentials: { cookie, apiKey: '', ...(answers === undefined ? {} : { answers }) },
      profile: siteProfile('cardigann', checked.value.overrides as never, choices === undefined ? {} : { choices }),
      definition: JSON.stringify(checked.value.tree),
    },
    {
      bounds: { callMs: 20_000, answerBytesMax: 4 * 1024 * 1024, queueMax: 32 },
      fetch: async (address, init) => {
        const request = new Request(address, { ...init, signal: null })
        asked.push(request.clone())
        return toResponse(site(request, await request.clone().text()))
      },
      nowMs: () => inventedNowUnix * 1000,
      wait: async () => {},
    },
  )
  return { driver, asked }
}

function toResponse({ status = 200, body, headers }: Answer): Response {
  const list = Array.isArray(headers) ? headers : Object.entries(headers ?? {})
  return new Response(status === 302 ? null : body, { status, headers: list as [string, string][] })
}

function named(name: string): InventedDefinition {
  const one = inventedDefinitions.find((candidate) => candidate.name === name)
  if (one === undefined) throw new Error(name)
  return one
}

describe('invented definitions', () => {
  test('there are enough of them, each with its own name', ({ expect }) => {
    expect(inventedDefinitions.length).toBeGreaterThanOrEqual(60)
    expect(new Set(inventedDefinitions.map(({ name }) => name)).size).toBe(inventedDefinitions.length)
  })

  test.for(inventedDefinitions.map((one) => [one.name, one.feature, one] as const))(
    '%s (%s): rows with their figures',
    async ([, , one], { expect }) => {
      const found = await driverOf(one).driver.search(
        { keyword: one.keyword ?? '', categoryIds: one.categoryIds ?? [], freeOnly: false },
        signal(),
      )

      if (!found.ok) throw new Error(JSON.stringify(found.failure))
      const expected = (one.rows ?? [0, 1]).map((index) => inventedRows[index])
      expect(found.value.map(({ torrentId }) => torrentId)).toEqual(expected.map((row) => String(row?.id)))
      for (const [index, row] of expected.entries()) {
        if (row === undefined) throw new Error(one.name)
        expect(found.value[index]).toMatchObject({
          title: one.feature === 'title by parts' ? row.title.split(' ')[0] : row.title,
          category: row.category === '11' ? 'Films' : 'Series',
          sizeBytes: row.bytes,
          seeders: row.seeders,
          leechers: row.leechers,
          snatched: row.grabs,
          uploadedAtUnix: inventedDateUnix,
          discount: row.free ? 'FREE' : 'NONE',
          hasHr: false,
          downloadKey: `${origin}/get.php?id=${row.id}`,
        })
      }
    },
  )
})

describe('a site by a definition', () => {
  const torrent = new TextEncoder().encode('d4:infod4:name1:xee')

  test('signs in once, and again when the site has forgotten', async ({ expect }) => {
    const one = named('form')
    let isForgotten = false
    const { driver, asked } = driverOf(one, (request, body) => {
      const { pathname } = new URL(request.url)
      if (isForgotten && pathname === '/browse.php') {
        isForgotten = false
        return { body: '<form action="takelogin.php"><input type="password"></form>' }
      }
      // The fields of a second form are the same; the cookies are not.
      if (pathname === '/takelogin.php')
        return {
          status: 302,
          body: '',
          headers: [
            ['location', '/index.php'],
            ['set-cookie', 'session=open; path=/'],
          ],
        }
      return one.site(request, body)
    })
    const everything = { keyword: '', categoryIds: [], freeOnly: false }
    const signedIn = () => asked.filter(({ url }) => url.includes('takelogin')).length

    expect((await driver.search(everything, signal())).ok).toBe(true)
    expect((await driver.search(everything, signal())).ok).toBe(true)
    expect(signedIn()).toBe(1)
    isForgotten = true
    expect((await driver.search(everything, signal())).ok).toBe(true)
    expect(signedIn()).toBe(2)
  })

  test('a wrong password is said as such', async ({ expect }) => {
    const one = { ...named('form'), answers: { username: 'sailor', password: 'wrong' } }
    expect(await driverOf(one).driver.probe(signal())).toEqual({ ok: false, failure: { kind: 'sign_in_refused' } })
  })

  test('a captcha is left to the person; a cookie is used in its place', async ({ expect }) => {
    const form = named('form')
    const login = {
      ...(form.definition['login'] as object),
      captcha: { type: 'image', selector: 'img#code', input: 'code' },
    }
    const one = { ...form, definition: { ...form.definition, login } }
    const site: InventedDefinition['site'] = (request, body) => {
      const answer = form.site(request, body)
      return request.url.endsWith('/login.php') ? { ...answer, body: `${answer.body}<img id="code">` } : answer
    }
    expect(await driverOf(one, site).driver.probe(signal())).toEqual({ ok: false, failure: { kind: 'person_needed' } })
    const { driver, asked } = driverOf({ ...one, cookie: 'session=open' }, site)
    expect((await driver.probe(signal())).ok).toBe(true)
    expect(asked.some(({ url }) => url.includes('login'))).toBe(false)
  })

  test('an error that the definition knows refuses the search', async ({ expect }) => {
    const plain = named('plain')
    const search = { ...(plain.definition['search'] as object), error: [{ selector: 'h1:contains("Too many")' }] }
    const one = { ...plain, definition: { ...plain.definition, search } }
    const { driver } = driverOf(one, () => ({ body: '<h1>Too many searches</h1>' }))
    expect(await driver.search({ keyword: '', categoryIds: [], freeOnly: false }, signal())).toEqual({
      ok: false,
      failure: { kind: 'refused' },
    })
  })

  test('minimum ratio and time are told as hit and run', async ({ expect }) => {
    const plain = named('plain')
    const search = plain.definition['search'] as { fields: object }
    for (const field of ['minimumratio', 'minimumseedtime']) {
      const fields = { ...search.fields, [field]: { text: field === 'minimumratio' ? 1 : 86_400 } }
      const one = { ...plain, definition: { ...plain.definition, search: { ...search, fields } } }
      const found = await driverOf(one).driver.search({ keyword: '', categoryIds: [], freeOnly: false }, signal())
      expect(found.ok && found.value.map(({ hasHr }) => hasHr)).toEqual([true, true])
    }
  })

  test.for([
    [0, 1, 'FREE'],
    [0, 2, '2XFREE'],
    [0.25, 1, 'PERCENT_30'],
    [0.5, 1, 'PERCENT_50'],
    [0.5, 2, '2X50'],
    [0.75, 1, 'NONE'],
    [1, 2, '2XUP'],
    [1, 1, 'NONE'],
    ['gold', 1, undefined],
    // A mark that is looked for and not there.
    [{ selector: 'b.none', optional: true }, 1, 'NONE'],
    // Who looks for promotions, and not for this one, means that it is paid.
    [undefined, 2, '2XUP'],
    [undefined, undefined, undefined],
  ] as const)('factors %j and %s are %s', async ([down, up, expected], { expect }) => {
    const plain = named('plain')
    const {
      downloadvolumefactor: _,
      uploadvolumefactor: __,
      ...others
    } = (plain.definition['search'] as { fields: Record<string, object> }).fields
    const search = plain.definition['search'] as object
    const told = down === undefined ? {} : { downloadvolumefactor: typeof down === 'object' ? down : { text: down } }
    const fields = { ...others, ...told, ...(up === undefined ? {} : { uploadvolumefactor: { text: up } }) }
    const one = { ...plain, definition: { ...plain.definition, search: { ...search, fields } } }
    const found = await driverOf(one).driver.search({ keyword: '', categoryIds: [], freeOnly: false }, signal())
    expect(found.ok && found.value[0]?.discount).toBe(expected)
  })

  test.for([
    ['as the row says', {}, '/get.php?id=7001'],
    [
      'from a page',
      {
        selectors: [
          { selector: 'a.none', attribute: 'href' },
          { selector: 'a.real', attribute: 'href' },
        ],
      },
      '/real.torrent',
    ],
    [
      'after another page',
      { before: { path: 'thanks.php', method: 'post', inputs: { id: '{{ .DownloadUri.Query.id }}' } } },
      '/get.php?id=7001',
    ],
    [
      'from the page before',
      {
        before: { pathselector: { selector: 'a.next', attribute: 'href' } },
        selectors: [
          {
            selector: 'a.real',
            attribute: 'href',
            usebeforeresponse: true,
            filters: [{ name: 'append', args: '?x=1' }],
          },
        ],
      },
      '/real.torrent?x=1',
    ],
  ] as const)('downloads %s', async ([, download, place], { expect }) => {
    const plain = named('plain')
    const one = {
      ...plain,
      definition: { ...plain.definition, ...(Object.keys(download).length === 0 ? {} : { download }) },
    }
    let isThanked = false
    const { driver, asked } = driverOf(one, (request, body) => {
      const { pathname, search } = new URL(request.url)
      if (pathname === '/thanks.php') isThanked = request.method === 'POST' && body === 'id=7001'
      if (pathname + search === place && (pathname !== '/get.php' || !('before' in download) || isThanked))
        return { body: torrent }
      return { body: '<a class="next" href="/next.php">n</a><a class="real" href="/real.torrent">r</a>' }
    })
    const bytes = await driver.download('7001', `${origin}/get.php?id=7001`, signal())
    expect(bytes.ok && bytes.value.byteLength).toBe(torrent.byteLength)
    expect(asked.at(-1)?.url).toBe(`${origin}${place}`)
  })

  test('has no file behind a magnet link, and none without a search', async ({ expect }) => {
    const { driver } = driverOf(named('plain'))
    expect(await driver.download('1', `magnet:?xt=urn:btih:${'a'.repeat(40)}`, signal())).toEqual({
      ok: false,
      failure: { kind: 'unsupported' },
    })
    expect(await driver.download('1', undefined, signal())).toEqual({ ok: false, failure: { kind: 'search_first' } })
  })

  test('cookies stay at the site, and addresses of this network are not asked', async ({ expect }) => {
    const plain = named('plain')
    const login = { method: 'cookie' }
    const settings = [{ name: 'cookie', type: 'text', label: 'c' }]
    const one = { ...plain, cookie: 'session=open', definition: { ...plain.definition, login, settings } }
    const { driver, asked } = driverOf(one, () => ({ body: torrent }))
    expect((await driver.download('1', 'https://files.example.org/1.torrent', signal())).ok).toBe(true)
    expect(asked[0]?.headers.get('cookie')).toBeNull()
    for (const address of [
      'http://127.0.0.1/x',
      'http://[::1]/x',
      'http://nas.local/x',
      'http://router/x',
      'http://10.0.0.1:80/x',
    ]) {
      expect(await driver.download('1', address, signal())).toEqual({ ok: false, failure: { kind: 'redirected' } })
    }
    expect(asked).toHaveLength(1)
  })

  test('a site whose definition is gone says so', async ({ expect }) => {
    const driver = createSiteDriver(
      {
        kind: 'cardigann',
        baseUrl: origin,
        credentials: { cookie: '', apiKey: '' },
        profile: siteProfile('cardigann'),
      },
      {
        bounds: { callMs: 1, answerBytesMax: 1, queueMax: 1 },
        fetch: () => Promise.reject(new Error('asked')),
        nowMs: () => 0,
        wait: async () => {},
      },
    )
    expect(await driver.probe(signal())).toEqual({ ok: false, failure: { kind: 'no_definition' } })
  })
})
