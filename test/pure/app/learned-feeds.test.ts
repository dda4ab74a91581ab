/** What the sites' drivers make of pages and answers that say where the owner's feed is; the pages are those of the software. */
import { describe, test } from 'vitest'
import { createSiteDriver } from '../../../workers/app/adapters/sites/create-driver.ts'
import { siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import type { SiteKind } from '../../../workers/app/core/vocabulary.ts'
import { feedAddressCharactersMax } from '../../../workers/app/limits.ts'
import { siteRuntime } from '../../support/site-runtime.ts'

const key = 'CanaryLinkKeyOfTheSite47OfLength'

/** What one call is answered with, and how it was asked. */
async function learn(kind: SiteKind, answer: string, settings: { baseUrl?: string; apiKey?: string } = {}) {
  const asked: { address: string; init: RequestInit }[] = []
  const { baseUrl = 'https://site.example', apiKey = '' } = settings
  const driver = createSiteDriver(
    { kind, baseUrl, credentials: { cookie: 'c=1', apiKey }, profile: siteProfile(kind, {}) },
    siteRuntime(async (address, init) => {
      asked.push({ address, init })
      return new Response(answer)
    }),
  )
  return { told: await driver.feedAddress?.(AbortSignal.timeout(5000)), asked }
}

const page = (text: string) => `<!DOCTYPE html><html><body><a href="logout.php">x</a>${text}</body></html>`
const anchor = (href: string) => `<a class="faqlink" href="${href}" target="_blank">${href}</a>`
const none = { ok: false, failure: { kind: 'no_feed' } }

describe('NexusPHP', () => {
  test.for([
    // xiaomlove/nexusphp `public/getrss.php` at a514ed5, and at 0541f2a, where the first address has no key.
    [
      `${anchor(`https://site.example/torrentrss.php?passkey=${key}&amp;rows=50`)}<br />${anchor(`https://site.example/torrentrss.php?passkey=${key}&amp;rows=50&amp;linktype=dl`)}`,
      `https://site.example/torrentrss.php?passkey=${key}&rows=50&linktype=dl`,
    ],
    [
      `${anchor('https://site.example/torrentrss.php?rows=50')}<br />${anchor(`https://site.example/torrentrss.php?rows=50&amp;linktype=dl&amp;passkey=${key}`)}`,
      `https://site.example/torrentrss.php?rows=50&linktype=dl&passkey=${key}`,
    ],
    // The name that the site calls itself by is another of its own, or somebody else's: the key goes to the owner's host.
    [
      anchor(`http://elsewhere.example/torrentrss.php?passkey=${key}`),
      `https://site.example/torrentrss.php?passkey=${key}`,
    ],
    [`<p>torrentrss.php?passkey=${key}</p>`, `https://site.example/torrentrss.php?passkey=${key}`],
  ] as const)('makes the address by its form: %s', async ([said, address], { expect }) => {
    const { told, asked } = await learn('nexusphp', page(said))
    expect(told).toEqual({ ok: true, value: address })
    expect(asked.map(({ address: url, init }) => [url, init.method, init.body])).toEqual([
      ['https://site.example/getrss.php', 'POST', 'showrows=50&inclbookmarked=0'],
    ])
  })

  test.for([
    ['', none],
    [anchor('https://site.example/torrentrss.php?rows=50'), none],
    [anchor('https://site.example/torrentrss.php?passkey=&amp;rows=50'), none],
    [anchor(`https://site.example/other.php?passkey=${key}`), none],
  ] as const)('tells none by %s', async ([said, failure], { expect }) => {
    expect((await learn('nexusphp', page(said))).told).toEqual(failure)
  })

  test('reads an address as long as one may be, and none that is longer', async ({ expect }) => {
    const said = (length: number) => `https://site.example/torrentrss.php?passkey=${key}&x=`.padEnd(length, 'x')
    const longest = said(feedAddressCharactersMax)
    expect((await learn('nexusphp', page(anchor(longest)))).told).toEqual({ ok: true, value: longest })
    expect((await learn('nexusphp', page(anchor(`${longest}x`)))).told).toEqual(none)
  })

  test('says that the sign-in is over', async ({ expect }) => {
    const form = '<html><body><form action="takelogin.php"><input type="password" name="password"></form></body></html>'
    expect((await learn('nexusphp', form)).told).toEqual({ ok: false, failure: { kind: 'login_expired' } })
  })
})

describe('Gazelle', () => {
  const link = (feed: string, rest: string) =>
    `<link rel="alternate" type="application/rss+xml" title="x" href="feeds.php?feed=${feed}${rest}" />`

  test.for([
    // OPSnet/Gazelle at 71b4515, and its elder.
    [`&amp;auth=1f&amp;passkey=${key}`, `&auth=1f&passkey=${key}`],
    [`&amp;user=7&amp;auth=1f&amp;passkey=${key}&amp;authkey=2e`, `&user=7&auth=1f&passkey=${key}&authkey=2e`],
  ] as const)('has the address of all torrents in the head of its pages: %s', async ([written, read], { expect }) => {
    const head = ['feed_news', `torrents_notify_${key}`, 'torrents_all', 'torrents_music']
    const { told, asked } = await learn('gazelle', page(head.map((feed) => link(feed, written)).join('')))
    expect(told).toEqual({ ok: true, value: `https://site.example/feeds.php?feed=torrents_all${read}` })
    expect(asked).toHaveLength(1)
  })

  test('shows it to a cookie alone, and is not asked with a key', async ({ expect }) => {
    const { told, asked } = await learn('gazelle', '', { apiKey: 'k' })
    expect(told).toEqual({ ok: false, failure: { kind: 'cookie_needed' } })
    expect(asked).toEqual([])
  })
})

describe('M-Team', () => {
  const ofMteam = { baseUrl: 'https://api.site.example/api', apiKey: 'k' }
  const answer = (dlUrl: unknown) => JSON.stringify({ code: '0', message: 'SUCCESS', data: { dlUrl } })

  test('makes the address for a key, on its own host or one beside it', async ({ expect }) => {
    for (const host of ['api.site.example', 'rss.site.example', 'site.example']) {
      const address = `https://${host}/api/rss/fetch?dl=1&sign=${key}`
      const { told, asked } = await learn('mteam', answer(address), ofMteam)
      expect(told).toEqual({ ok: true, value: address })
      expect(asked.map(({ address: url }) => url)).toEqual(['https://api.site.example/api/rss/genlink'])
    }
  })

  test.for([
    ['https://elsewhere.example/api/rss/fetch?sign=x'],
    ['https://notsite.example/api/rss/fetch?sign=x'],
    ['http://rss.site.example/api/rss/fetch?sign=x'],
    ['https://rss.site.example:8443/api/rss/fetch?sign=x'],
    ['https://walker@rss.site.example/api/rss/fetch?sign=x'],
    ['/api/rss/fetch'],
    [7],
  ])('sends no key to %s', async ([address], { expect }) => {
    expect((await learn('mteam', answer(address), ofMteam)).told).toEqual(none)
  })

  test('at an address of this network, only on its very host', async ({ expect }) => {
    const local = { baseUrl: 'http://10.0.0.7:8080/api', apiKey: 'k' }
    const own = 'http://10.0.0.7:8080/api/rss/fetch?sign=x'
    expect((await learn('mteam', answer(own), local)).told).toEqual({ ok: true, value: own })
    for (const other of ['https://10.0.0.8/rss', 'https://5.0.0.7/rss', 'http://10.0.0.7/rss'])
      expect((await learn('mteam', answer(other), local)).told).toEqual(none)
  })
})
