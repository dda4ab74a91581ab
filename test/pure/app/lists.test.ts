/** What lists say, and which title is meant. */
import { describe, test } from 'vitest'
import { readDouban, readFilmFeed, readImdb, readTrakt } from '../../../workers/app/adapters/lists/list-shapes.ts'
import { readCsv } from '../../../workers/app/core/lists/csv.ts'
import { chooseTitle, idsIn, nameAndYear } from '../../../workers/app/core/lists/list-entry.ts'
import { watchlistChoicesMax, watchlistEntriesMax } from '../../../workers/app/limits.ts'

const title = (id: number, name: string, year?: number, originalTitle = '') => ({
  ...{ id, mediaType: 'movie' as const, title: name, originalTitle, overview: '' },
  ...(year === undefined ? {} : { year }),
})

describe('a title', () => {
  const wanted = { key: 'k', title: 'Salt & Road', originalTitle: 'Le Sel', year: 2024 }
  test.for([
    ['one of that name and year', [title(1, 'Salt and Road', 2024), title(2, 'Other', 2024)], 'one'],
    ['one by its original name', [title(1, '盐路', 2024, 'LE SEL')], 'one'],
    ['the year before', [title(1, 'Salt and Road', 2023)], 'unclear'],
    ['two of that name and year', [title(1, 'Salt and Road', 2024), title(2, 'Salt and Road', 2024)], 'unclear'],
    ['one without a year', [title(1, 'Salt and Road')], 'unclear'],
    ['other names alone', [title(1, 'Other', 2024)], 'unclear'],
    ['nothing', [], 'none'],
  ] as const)('%s', ([, found, kind], { expect }) => {
    expect(chooseTitle(wanted, found, watchlistChoicesMax).kind).toBe(kind)
  })

  test('is never one where the list has no year, and so many are asked about', ({ expect }) => {
    const { year: _, ...nameless } = wanted
    const found = Array.from({ length: watchlistChoicesMax + 1 }, (__, at) => title(at + 1, 'Salt and Road', 2024))
    expect(chooseTitle(nameless, [title(1, 'Salt and Road', 2024)], watchlistChoicesMax).kind).toBe('unclear')
    const asked = chooseTitle(wanted, found, watchlistChoicesMax)
    expect(asked.kind === 'unclear' ? asked.titles.length : 0).toBe(watchlistChoicesMax)
  })
})

test.for([
  ['Salt Road (2024)', { title: 'Salt Road', year: 2024 }],
  ['Salt Road, 2024', { title: 'Salt Road', year: 2024 }],
  ['盐路（2024）', { title: '盐路', year: 2024 }],
  ['1984', { title: '1984' }],
  ['Room 2046 of it', { title: 'Room 2046 of it' }],
] as const)('%s is %j', ([text, read], { expect }) => {
  expect(nameAndYear(text)).toEqual(read)
})

test('ids stand in addresses', ({ expect }) => {
  expect(idsIn('https://www.imdb.com/title/tt0137523/?x')).toEqual({ imdbId: 'tt0137523' })
  expect(idsIn('https://www.themoviedb.org/tv/1396-x')).toEqual({ mediaType: 'tv', tmdbId: 1396 })
  expect(idsIn('https://x.example/att0137523')).toEqual({})
})

test('rows have quotes, commas and line ends in them', ({ expect }) => {
  expect(readCsv('\uFEFFa,b\r\n"x, ""y""\nz",\n\n1,2', 10)).toEqual([
    ['a', 'b'],
    ['x, "y"\nz', ''],
    ['1', '2'],
  ])
  expect(readCsv('a\nb\nc', 2)).toEqual([['a'], ['b']])
})

describe('a list', () => {
  const head = 'Const,Title,Title Type,Year\n'
  test('of IMDb: films and series in each of its three forms, as many as are kept', ({ expect }) => {
    const rows = 'tt0000001,A,movie,2001\ntt0000002,B,TV Mini Series,2002\ntt0000003,C,tvEpisode,2003\nx,D,movie,1\n'
    expect(readImdb(head + rows)).toEqual([
      { key: 'tt0000001', imdbId: 'tt0000001', title: 'A', mediaType: 'movie', year: 2001 },
      { key: 'tt0000002', imdbId: 'tt0000002', title: 'B', mediaType: 'tv', year: 2002 },
    ])
    const many = Array.from(
      { length: watchlistEntriesMax + 1 },
      (_, at) => `tt${String(at).padStart(7, '0')},T,movie,2000`,
    )
    expect(readImdb(head + many.slice(1).join('\n'))).toHaveLength(watchlistEntriesMax)
    expect(readImdb(head + many.join('\n'))).toHaveLength(watchlistEntriesMax)
    expect(readImdb('<html>')).toBeUndefined()
  })

  test('of Trakt: a season is one, and what else there is is left', ({ expect }) => {
    const show = { title: 'S', year: 2020, ids: { trakt: 9, imdb: null, tmdb: 5 } }
    const list = [{ type: 'season', season: { number: 2 }, show }, { type: 'person' }, { type: 'show', show }, null]
    expect(readTrakt(list)).toEqual([
      { key: 'season 9 2', mediaType: 'tv', title: 'S', year: 2020, tmdbId: 5, season: 2 },
      { key: 'show 9', mediaType: 'tv', title: 'S', year: 2020, tmdbId: 5 },
    ])
    expect(readTrakt({ error: 'x' })).toBeUndefined()
  })

  test.for([
    ['盐路 第二季', 2],
    ['盐路 第10季', 10],
    ['盐路 第十季', 10],
    ['盐路第二十一季', 21],
    ['盐路', undefined],
  ] as const)('of douban: %s is season %s', ([name, season], { expect }) => {
    const subject = { id: 1, type: 'tv', title: name, year: '2020' }
    const [entry] = readDouban({ total: 1, interests: [{ subject }] })?.entries ?? []
    expect([entry?.title, entry?.season]).toEqual(['盐路', season])
    expect(readDouban({ msg: 'need_login' })).toBeUndefined()
  })

  test('of a feed: the names and ids that its items have of their own', ({ expect }) => {
    const item = '<item><title>A, 2020 - ★★</title><letterboxd:filmTitle>A</letterboxd:filmTitle>'
    const own = '<letterboxd:filmYear>2020</letterboxd:filmYear><tmdb:movieId>77</tmdb:movieId></item>'
    expect(readFilmFeed(`<rss><channel>${item}${own}</channel></rss>`)).toEqual([
      { key: 'tmdb 77', title: 'A', year: 2020, tmdbId: 77, mediaType: 'movie' },
    ])
    expect(readFilmFeed('<html><body>sign in</body></html>')).toBeUndefined()
  })
})
