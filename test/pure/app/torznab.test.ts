/** The protocol that other programs search through: what they ask, what they are told, and which numbers stand for what. */
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { readFeed } from '../../../workers/app/adapters/feeds/read-feed.ts'
import { categoriesOf, categoryTree, isAsked, searchWordOf } from '../../../workers/app/core/torznab/categories.ts'
import { readFunction, readQuery } from '../../../workers/app/core/torznab/query.ts'
import {
  type TorznabItem,
  writeCapabilities,
  writeError,
  writeFeed,
} from '../../../workers/app/core/torznab/write-feed.ts'
import { discounts } from '../../../workers/app/core/vocabulary.ts'

const bounds = { itemsMax: 100, offsetMax: 10_000, keywordCharactersMax: 100, categoriesMax: 100 }
const read = (text: string) => {
  const parameters = new URLSearchParams(text)
  const name = readFunction(parameters)
  if (!name.ok) return name.failure.code
  if (name.value === 'caps') return name.value
  const query = readQuery(name.value, parameters, bounds)
  return query.ok ? query.value : query.failure.code
}

const item: TorznabItem = {
  site: 'lantern',
  torrentId: '7',
  title: 'Planet <Walk> & "Friends" \u0007\ud800 星球',
  subtitle: undefined,
  link: 'http://127.0.0.1:1/torznab/lantern/file?id=7&apikey=k',
  sizeBytes: 20 * 1024 ** 3,
  categories: [2000, 2040],
  uploadedAtUnix: 1_790_000_000,
  seeders: 3,
  leechers: 2,
  snatched: 9,
  infoHash: 'a'.repeat(40),
  imdbId: 'tt0000123',
  discount: 'FREE',
  seedSeconds: 7200,
}
const page = {
  title: 'Lantern & Co',
  offset: 0,
  total: 1,
  nowUnix: 1_800_000_000,
  dateOf: (unix: number) => `at ${unix}`,
}

describe('what is asked', () => {
  const nothing = { keyword: '', categories: [], imdbId: undefined, limit: 100, offset: 0 }
  test.for([
    ['t=search', nothing],
    ['t=SEARCH&q=%20planet%20walk%20', { ...nothing, keyword: 'planet walk' }],
    [
      't=search&q=a&cat=5000,5040&limit=50&offset=100',
      { ...nothing, keyword: 'a', categories: [5000, 5040], limit: 50, offset: 100 },
    ],
    ['t=search&limit=5000', nothing],
    ['t=tvsearch', nothing],
    ['t=tvsearch&q=Quiet+River&season=1', { ...nothing, keyword: 'Quiet River S01' }],
    ['t=tvsearch&q=Quiet+River&season=1&ep=2', { ...nothing, keyword: 'Quiet River S01E02' }],
    ['t=tvsearch&q=Quiet+River&season=S11&ep=E123', { ...nothing, keyword: 'Quiet River S11E123' }],
    ['t=tvsearch&q=Late+News&season=2026&ep=3/9', { ...nothing, keyword: 'Late News 2026.03.09' }],
    ['t=movie&q=Planet+Walk&imdbid=123', { ...nothing, keyword: 'Planet Walk', imdbId: 'tt0000123' }],
    ['t=movie&q=Planet+Walk&imdbid=tt12345678', { ...nothing, keyword: 'Planet Walk', imdbId: 'tt12345678' }],
    [`t=search&q=${'a'.repeat(100)}`, { ...nothing, keyword: 'a'.repeat(100) }],
    [`t=search&offset=10000`, { ...nothing, offset: 10_000 }],
    ['t=caps', 'caps'],
  ] as const)('%s', ([text, expected], { expect }) => {
    expect(read(text)).toEqual(expected)
  })

  test.for([
    ['', 'missing'],
    ['q=a', 'missing'],
    ['t=tvsearch&season=1', 'missing'],
    ['t=movie&imdbid=tt0000123', 'missing'],
    ['t=nothing', 'unknownFunction'],
    ['t=music&q=a', 'notOffered'],
    ['t=book', 'notOffered'],
    ['t=search&limit=-1', 'incorrect'],
    ['t=search&limit=ten', 'incorrect'],
    ['t=search&offset=10001', 'incorrect'],
    ['t=search&cat=tv', 'incorrect'],
    [`t=search&cat=${Array.from({ length: 101 }, () => 1).join()}`, 'incorrect'],
    ['t=tvsearch&q=a&season=one', 'incorrect'],
    ['t=tvsearch&q=a&ep=3', 'incorrect'],
    ['t=tvsearch&q=a&season=1&ep=03/09', 'incorrect'],
    ['t=movie&q=a&imdbid=nm1', 'incorrect'],
    [`t=search&q=${'a'.repeat(101)}`, 'incorrect'],
  ] as const)('"%s" is refused as %s', ([text, code], { expect }) => {
    expect(read(text)).toBe(code)
  })
})

describe('categories', () => {
  test.for([
    ['电影', 'Planet.Walk.2026.2160p.WEB-DL', [2000, 2045]],
    ['Movies/HD', 'Planet Walk 2026 1080p', [2000, 2040]],
    ['影劇/電影', 'Planet Walk 2026 DVDRip', [2000, 2030]],
    ['电视剧', 'Quiet.River.S01E02.720p', [5000, 5040]],
    ['TV Series', 'Quiet.River.S01.480p', [5000, 5030]],
    ['综艺', 'Late Show 2026', [5000]],
    ['动漫', 'Lantern 12', [5000, 5070]],
    ['纪录片', 'The Tide 1080p', [5000, 5080]],
    ['体育', 'Match', [5000, 5060]],
    ['音乐', 'Songs FLAC', [3000]],
    ['有声书', 'A Book', [3000, 3030]],
    ['游戏', 'Game', [4000, 4050]],
    ['Software', 'Tool', [4000]],
    ['电子书', 'A Book', [7000]],
    [undefined, 'Quiet.River.S02E01.1080p', [5000, 5040]],
    [undefined, 'Something', [8000]],
    ['其他', 'Something', [8000]],
  ] as const)('%s, "%s" is in %j', ([word, title, numbers], { expect }) => {
    expect(categoriesOf(word, title)).toEqual(numbers)
    const known = categoryTree.flatMap(({ id, parts }) => [id, ...parts.map((part) => part.id)])
    expect(known).toEqual(expect.arrayContaining([...numbers]))
  })

  test('whoever asks for a head asks for all below it', ({ expect }) => {
    expect(isAsked([5000, 5040], [])).toBe(true)
    expect(isAsked([5000, 5040], [5000])).toBe(true)
    expect(isAsked([5000, 5040], [2000, 5040])).toBe(true)
    expect(isAsked([5000, 5040], [5045])).toBe(false)
    expect([
      searchWordOf([]),
      searchWordOf([5000, 5040]),
      searchWordOf([2045]),
      searchWordOf([2000, 5000]),
      searchWordOf([3000]),
    ]).toEqual([undefined, 'tv', 'movie', undefined, undefined])
  })
})

describe('what is told', () => {
  test('is read again as it was, whatever a title holds', ({ expect }) => {
    const feed = writeFeed({
      ...page,
      items: [item, { ...item, torrentId: '8', uploadedAtUnix: undefined, infoHash: undefined }],
    })
    const { items, isFeed, error } = readFeed(feed)
    expect([isFeed, error, items.length]).toEqual([true, undefined, 2])
    const [first, second] = items
    expect(first?.texts.get('title')).toBe('Planet <Walk> & "Friends" \ufffd 星球')
    expect(first?.enclosure).toEqual({ url: item.link, length: '21474836480' })
    expect(first?.texts.get('pubDate')).toBe('at 1790000000')
    expect(second?.texts.get('pubDate')).toBe('at 1800000000')
    expect(Object.fromEntries(first?.attributes ?? [])).toMatchObject({
      seeders: '3',
      peers: '5',
      grabs: '9',
      infohash: 'a'.repeat(40),
      imdbid: 'tt0000123',
      downloadvolumefactor: '0',
      uploadvolumefactor: '1',
      minimumseedtime: '7200',
    })
    expect(second?.attributes.has('infohash')).toBe(false)
  })

  test.for([
    [{ seeders: undefined }, []],
    [{ leechers: undefined }, ['seeders']],
    [{ seeders: 0, leechers: 0 }, ['seeders', 'peers']],
  ] as const)('has of the counts of %j only what the site told', ([change, names], { expect }) => {
    const { items } = readFeed(writeFeed({ ...page, items: [{ ...item, ...change }] }))
    expect(['seeders', 'peers'].filter((name) => items[0]?.attributes.has(name))).toEqual(names)
  })

  test('of every promotion its factors', ({ expect }) => {
    const told = discounts.map((discount) => {
      const { items } = readFeed(writeFeed({ ...page, items: [{ ...item, discount }] }))
      return [
        discount,
        items[0]?.attributes.get('downloadvolumefactor'),
        items[0]?.attributes.get('uploadvolumefactor'),
      ].join(' ')
    })
    expect(told).toEqual([
      'NONE 1 1',
      'FREE 0 1',
      '2XFREE 0 2',
      'PERCENT_50 0.5 1',
      'PERCENT_30 0.3 1',
      'PERCENT_70 0.7 1',
      '2XUP 1 2',
      '2X50 0.5 2',
    ])
  })

  test('of no promotion that the site does not tell any factor', ({ expect }) => {
    const { items } = readFeed(writeFeed({ ...page, items: [{ ...item, discount: undefined }] }))
    expect([...(items[0]?.attributes.keys() ?? [])].filter((name) => name.endsWith('factor'))).toEqual([])
  })

  test('an error by its number', ({ expect }) => {
    expect(readFeed(writeError({ code: 'credentials', description: 'Not "you"' })).error).toEqual({
      code: '100',
      description: 'Not "you"',
    })
  })

  test('what can be asked', ({ expect }) => {
    const told = writeCapabilities(100)
    expect(told).toContain('<limits default="100" max="100"/>')
    expect(told).toContain('<tv-search available="yes" supportedParams="q,season,ep"/>')
    expect(told).toContain('<movie-search available="yes" supportedParams="q"/>')
    expect(told).toContain('<category id="5000" name="TV"><subcat id="5030" name="TV/SD"/>')
  })
})

describe('whatever strangers write', () => {
  const anything = fc.string({ unit: 'binary', maxLength: 60 })

  test('a title and a subtitle come out as they went in, but for what XML has no place for', ({ expect }) => {
    fc.assert(
      fc.property(anything, anything, (title, subtitle) => {
        const { items } = readFeed(writeFeed({ ...page, items: [{ ...item, title, subtitle }] }))
        expect(items).toHaveLength(1)
        const readable = (text: string) =>
          text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
        expect(items[0]?.texts.get('title')?.trim()).toBe(readable(title).trim())
        expect(items[0]?.enclosure?.url).toBe(item.link)
      }),
      { numRuns: 2000 },
    )
  })

  test('a question is read or refused, and its keyword stays within its bound', ({ expect }) => {
    const name = fc.constantFrom('t', 'q', 'cat', 'limit', 'offset', 'season', 'ep', 'imdbid', 'apikey')
    const value = fc.oneof(anything, fc.constantFrom('search', 'tvsearch', 'movie', '1', '5000,2000', '03/09'))
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 8 }), (pairs) => {
        const parameters = new URLSearchParams(pairs)
        const asked = readFunction(parameters)
        if (!asked.ok || asked.value === 'caps') return
        const query = readQuery(asked.value, parameters, bounds)
        if (!query.ok) {
          expect(query.failure.description).not.toBe('')
          return
        }
        expect([...query.value.keyword].length).toBeLessThanOrEqual(bounds.keywordCharactersMax)
        expect(query.value.limit).toBeLessThanOrEqual(bounds.itemsMax)
      }),
      { numRuns: 5000 },
    )
  })
})
