/**
 * Feeds as the software of sites writes them. Shapes: xiaomlove/nexusphp `public/torrentrss.php` at a514ed5,
 * HDInnovations/UNIT3D `resources/views/rss/show.blade.php` at 44a3aea; what lengths and dates without a zone other software
 * writes is as feeds of sites were kept for tests in Prowlarr/Prowlarr at 0ffcfcc (`Files/Indexers/TorrentRss`). Texts, names
 * and keys are invented.
 */
import { describe, test } from 'vitest'
import { type FeedPlace, fetchFeed } from '../../../workers/app/adapters/feeds/fetch-feed.ts'
import type { SiteRuntime } from '../../../workers/app/adapters/sites/site-driver.ts'
import { parseFeedAddress } from '../../../workers/app/core/feeds/feed-address.ts'
import { feedBytesMax, siteRedirectsMax, torrentFileBytesMax } from '../../../workers/app/limits.ts'

const key = 'c0ffee00c0ffee00c0ffee00c0ffee00'
const nexusphp = `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel>
  <title>Shelf Torrents</title><link><![CDATA[https://shelf.example]]></link><ttl>60</ttl>
  <item>
   <title><![CDATA[[Movies]Harbour.Lights.2021.1080p-QUAY[港口 & 灯火][10.00 GB]]]></title>
   <link>https://shelf.example/details.php?id=4711</link>
   <description><![CDATA[<img src="https://elsewhere.example/a.jpg" />]]></description>
   <author>anonymous@shelf.example (anonymous)</author><category domain="https://shelf.example/torrents.php?cat=401">Movies</category>
   <comments><![CDATA[https://shelf.example/details.php?id=4711&cmtpage=0#startcomments]]></comments>
   <enclosure url="https://shelf.example/download.php?id=4711&amp;downhash=12%7C${key}" length="10737418240" type="application/x-bittorrent" />
   <guid isPermaLink="false">00112233445566778899aabbccddeeff00112233</guid>
   <pubDate>Fri, 20 Nov 2026 18:00:00 +0800</pubDate>
  </item>
  <item><title>News of the house</title><link>https://shelf.example/news.php</link></item>
</channel></rss>`
const unit3d = `<?xml version="1.0" encoding="UTF-8" ?><rss version="2.0"><channel><title>Lantern: All</title>
  <item><title>Northern Passage S01 2160p</title><category>TV</category><contentlength>33487</contentlength>
   <link>https://lantern.example/torrent/download/815.${key}</link><guid>815</guid>
   <pubDate>Fri, 20 Nov 2026 10:00:00 +0000</pubDate></item></channel></rss>`
const gazelle = `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>Cedar</title>
  <item><title>Quiet Band - First [2020]</title>
   <link>https://cedar.example/torrents.php?action=download&amp;authkey=${key}&amp;torrent_pass=${key}&amp;id=99</link>
   <guid>https://cedar.example/torrents.php?action=download&amp;id=99</guid><pubDate>nonsense</pubDate></item></channel></rss>`
const mteam = `<rss version="2.0"><channel><title>M</title><item><title>Salt Road</title>
  <link>https://m.example/detail/1000001</link><enclosure url="https://api.m.example/api/rss/dlv2?sign=${key}&amp;tid=1000001" length="1" type="application/x-bittorrent"/>
  </item></channel></rss>`

type Answer = { readonly status?: number; readonly body?: string; readonly headers?: Record<string, string> }

/** The runtime of a site whose every call gets the next answer. */
function runtimeWith(answers: Answer[], asked: { address: string; headers: Headers }[] = []): SiteRuntime {
  return {
    bounds: { callMs: 10_000, answerBytesMax: 1024, queueMax: 4 },
    nowMs: () => 0,
    wait: async () => undefined,
    async fetch(address, init) {
      asked.push({ address, headers: new Headers(init.headers) })
      const { status = 200, body = '', headers = {} } = answers.shift() ?? {}
      return new Response(status === 304 ? null : body, { status, headers })
    },
  }
}

const place: FeedPlace = {
  address: `https://shelf.example/torrentrss.php?rows=50&linktype=dl&passkey=${key}`,
  profile: {
    utcOffsetMinutes: 0,
    requestIntervalMs: 0,
    categories: {},
    paths: {},
    selectors: {},
    labels: {},
    hosts: [],
    headers: {},
    signsIn: false,
    searches: true,
    userAgent: 'Browser/1',
  },
  etag: '',
  lastModified: '',
}
const read = async (body: string) => {
  const feed = await fetchFeed(place, runtimeWith([{ body }]))
  return feed.ok && feed.value.kind === 'entries' ? feed.value.entries : feed
}

describe('the items of a feed', () => {
  test('name their torrent in each family of software, and keep nothing of a link', async ({ expect }) => {
    const all = [await read(nexusphp), await read(unit3d), await read(gazelle), await read(mteam)]
    expect(all).toEqual([
      [
        {
          torrentId: '4711',
          title: '[Movies]Harbour.Lights.2021.1080p-QUAY[港口 & 灯火][10.00 GB]',
          sizeBytes: 10737418240,
          uploadedAtUnix: Date.parse('2026-11-20T10:00:00Z') / 1000,
          category: 'Movies',
        },
      ],
      [
        {
          torrentId: '815',
          title: 'Northern Passage S01 2160p',
          sizeBytes: 33487,
          uploadedAtUnix: Date.parse('2026-11-20T10:00:00Z') / 1000,
          category: 'TV',
        },
      ],
      [{ torrentId: '99', title: 'Quiet Band - First [2020]' }],
      [{ torrentId: '1000001', title: 'Salt Road' }],
    ])
    expect(JSON.stringify(all)).not.toContain(key)
  })

  const sized = (id: number, length: number, more = '') =>
    `<item><title>T${id}</title><link>https://s.example/details.php?id=${id}</link><enclosure url="https://s.example/f" length="${length}" type="application/x-bittorrent"/>${more}</item>`
  const sizesOf = async (...items: readonly string[]) => {
    const entries = await read(`<rss><channel>${items.join('')}</channel></rss>`)
    return Array.isArray(entries) && entries.map(({ sizeBytes }) => sizeBytes)
  }
  test('have no size where the lengths may be those of the torrent files', async ({ expect }) => {
    expect(await sizesOf(sized(1, 13_625), sized(2, torrentFileBytesMax))).toEqual([undefined, undefined])
    // One that is no torrent file tells what the length of the others is.
    expect(await sizesOf(sized(1, 13_625), sized(2, torrentFileBytesMax + 1))).toEqual([
      13_625,
      torrentFileBytesMax + 1,
    ])
    expect(await sizesOf(sized(1, 103_641, '<size>5412993028</size>'))).toEqual([5_412_993_028])
  })

  test.for([
    ['Fri, 20 Nov 2026 18:00:00 +0800', 10],
    ['Fri, 20 Nov 2026 10:00:00 GMT', 10],
    ['Fri, 20 Nov 2026 06:00:00 EDT', 10],
    ['2026-11-20T10:00:00Z', 10],
    // Of what clock nobody knows.
    ['2026-11-20 10:00:00', undefined],
    ['Fri, 20 Nov 2026 10:00:00', undefined],
  ] as const)('published at %s', async ([text, hour], { expect }) => {
    const item = `<item><title>A</title><link>https://s.example/details.php?id=1</link><pubDate>${text}</pubDate></item>`
    const entries = await read(`<rss><channel>${item}</channel></rss>`)
    const at = hour === undefined ? undefined : Date.UTC(2026, 10, 20, hour) / 1000
    expect(Array.isArray(entries) && entries.map(({ uploadedAtUnix }) => uploadedAtUnix)).toEqual([at])
  })

  test('that stand there twice count once', async ({ expect }) => {
    const item = '<item><title>A</title><link>https://s.example/details.php?id=1</link></item>'
    expect(await read(`<rss><channel>${item}${item}</channel></rss>`)).toHaveLength(1)
  })
})

describe('the answer of a feed', () => {
  const page = '<html><body><form><input type="password" name="password"></form></body></html>'
  const refused: readonly [string, Answer, unknown][] = [
    ['a key that is not known any more, with 200', { body: 'invalid passkey' }, { kind: 'login_expired' }],
    [
      'an account that is parked, with 200',
      { body: 'account disabed or parked' },
      { kind: 'account_closed', state: 'either' },
    ],
    ['a page to sign in, with 200', { body: page }, { kind: 'login_expired' }],
    ['something else, with 200', { body: '{"a":1}' }, { kind: 'broken', part: 'xml' }],
    ['nothing at all', { body: '' }, { kind: 'broken', part: 'xml' }],
    ['403', { status: 403 }, { kind: 'refused' }],
    ['429', { status: 429 }, { kind: 'rate_limited' }],
    ['503', { status: 503 }, { kind: 'status', status: 503 }],
    ['another host', { status: 302, headers: { location: 'https://elsewhere.example/' } }, { kind: 'redirected' }],
    ['a plain address', { status: 302, headers: { location: 'http://shelf.example/' } }, { kind: 'redirected' }],
    ['one byte too many', { body: 'x'.repeat(feedBytesMax + 1) }, { kind: 'too_large' }],
  ]
  for (const [name, answer, fault] of refused)
    test(`${name} is a fault`, async ({ expect }) => {
      expect(await fetchFeed(place, runtimeWith([answer]))).toEqual({ ok: false, failure: fault })
    })

  test('ends after so many redirects', async ({ expect }) => {
    const again = { status: 302, headers: { location: place.address } }
    const fetched = await fetchFeed(place, runtimeWith(Array.from({ length: siteRedirectsMax + 1 }, () => again)))
    expect(fetched).toEqual({ ok: false, failure: { kind: 'redirected' } })
    const last = [...Array.from({ length: siteRedirectsMax }, () => again), { body: unit3d }]
    expect((await fetchFeed(place, runtimeWith(last))).ok).toBe(true)
  })

  test("is asked for as the owner's browser, with its own marks and without a cookie", async ({ expect }) => {
    const asked: { address: string; headers: Headers }[] = []
    const headers = { etag: '"v1"', 'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT' }
    const first = await fetchFeed(place, runtimeWith([{ body: nexusphp, headers }], asked))
    expect(first).toMatchObject({ value: { etag: '"v1"', lastModified: headers['last-modified'] } })
    const marked = { ...place, etag: '"v1"', lastModified: headers['last-modified'] }
    expect(await fetchFeed(marked, runtimeWith([{ status: 304 }], asked))).toEqual({
      ok: true,
      value: { kind: 'unchanged' },
    })
    expect(asked.map(({ address }) => address)).toEqual([place.address, place.address])
    expect(
      asked.map(({ headers: sent }) => [sent.get('user-agent'), sent.get('cookie'), sent.get('if-none-match')]),
    ).toEqual([
      ['Browser/1', null, null],
      ['Browser/1', null, '"v1"'],
    ])
    expect(asked[1]?.headers.get('if-modified-since')).toBe(headers['last-modified'])
  })

  test('whose mark is longer than any is not sent back cut', async ({ expect }) => {
    const answer = await fetchFeed(place, runtimeWith([{ body: unit3d, headers: { etag: 'x'.repeat(257) } }]))
    expect(answer).toMatchObject({ value: { etag: '' } })
  })
})

describe('the address of a feed', () => {
  const refused: readonly [string, string][] = [
    ['', 'address.incomplete'],
    ['shelf.example/rss', 'address.incomplete'],
    ['ftp://shelf.example/rss', 'address.scheme'],
    ['https://me:word@shelf.example/rss', 'address.user'],
  ]
  for (const [text, kind] of refused)
    test(`${JSON.stringify(text)} is refused without repeating it`, ({ expect }) => {
      expect(parseFeedAddress(text)).toEqual({ ok: false, failure: { kind } })
    })

  test('keeps its key and loses its fragment', ({ expect }) => {
    expect(parseFeedAddress(`https://shelf.example/rss?passkey=${key}#top`)).toEqual({
      ok: true,
      value: `https://shelf.example/rss?passkey=${key}`,
    })
  })
})
