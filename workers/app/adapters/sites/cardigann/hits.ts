/** Rows of texts as what a search answers. */
import { readAnyDate } from '../../../core/cardigann/dates.ts'
import type { Definition } from '../../../core/cardigann/definition.ts'
import type { FilterContext } from '../../../core/cardigann/filters.ts'
import { discountOfFactors, type SearchHit } from '../../../core/site.ts'
import { plainText, readCount, readNumber, readSize, toldNumber, toldSize } from '../../../core/site-numbers.ts'
import { shownPage } from '../../../core/torrent-page.ts'
import { pageAddressCharactersMax, siteTextCharactersMax } from '../../../limits.ts'
import { rowIdentifier } from '../row-identifier.ts'
import type { RowTexts } from './read-rows.ts'

/** Undefined for a row without a name, or without a way to its file. */
export function toHit(
  { texts, uploadedAtUnix }: RowTexts,
  definition: Definition,
  context: FilterContext,
  secrets?: readonly string[],
): SearchHit | undefined {
  const text = (name: string) => texts.get(name) ?? ''
  const title = plainText(text('title'), siteTextCharactersMax)
  const infoHash =
    /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.exec(text('infohash').trim())?.[0].toLowerCase() ?? hashIn(text('magnet'))
  const link = text('download') === '' ? text('magnet') : text('download')
  const downloadKey = link !== '' ? link : infoHash === undefined ? '' : `magnet:?xt=urn:btih:${infoHash}`
  if (title === '' || downloadKey === '') return undefined
  const subtitle = plainText(text('description'), siteTextCharactersMax)
  const imdb = /[0-9]{5,10}/.exec(text('imdbid') || text('imdb'))?.[0]
  const douban = /[0-9]{5,10}/.exec(text('doubanid'))?.[0]
  return {
    torrentId: rowIdentifier(identity(text('details') || downloadKey)),
    title,
    subtitle: subtitle === '' ? undefined : subtitle,
    infoHash: infoHash?.length === 40 ? infoHash : undefined,
    sizeBytes: toldSize(readSize(text('size')) ?? readCount(text('size'))),
    seeders: readCount(text('seeders')),
    leechers: readCount(text('leechers')),
    snatched: texts.has('grabs') ? readCount(text('grabs')) : undefined,
    uploadedAtUnix: texts.has('date') ? readAnyDate(text('date'), context.dates) : uploadedAtUnix,
    category: categoryOf(texts, definition),
    tags: text('genre')
      .split(/[,;|/]/)
      .map((one) => plainText(one.replaceAll('_', ' '), 64))
      .filter((one) => one !== '')
      .slice(0, 20),
    discount: discountOfFactors(paidShare(text(paidField), definition), toldNumber(text('uploadvolumefactor'))),
    hasHr: (readNumber(text('minimumratio')) ?? 0) > 0 || (readNumber(text('minimumseedtime')) ?? 0) > 0,
    imdbId: imdb === undefined ? undefined : `tt${imdb.padStart(7, '0')}`,
    doubanId: douban,
    pageUrl: secrets && shownPage(text('details'), secrets, pageAddressCharactersMax),
    downloadKey,
  }
}

const paidField = 'downloadvolumefactor'
const promotionFields: ReadonlySet<string> = new Set([paidField, 'uploadvolumefactor'])

/** Where the definition looks for promotions, a row that tells of none is paid whole; where it does not, nobody knows. */
function paidShare(told: string, { search }: Definition): number | undefined {
  if (told !== '') return toldNumber(told)
  return search.fields.some(({ name }) => promotionFields.has(name)) ? 1 : undefined
}

function hashIn(magnet: string): string | undefined {
  return /[?&]xt=urn:btih:([0-9a-f]{40})(?![0-9a-z])/i.exec(magnet)?.[1]?.toLowerCase()
}

/** The number a site counts its torrents by, where the address has just one; else the address without its host. */
function identity(address: string): string {
  const path = address.replace(/^https?:\/\/[^/]+/i, '')
  const numbers = path.match(/(?<![0-9A-Za-z])[0-9]{1,12}(?![0-9A-Za-z])/g) ?? []
  return numbers.length === 1 && numbers[0] !== undefined ? numbers[0] : path
}

/** In the words of the definition; a row names several at times, and the last is the closest. */
function categoryOf(texts: ReadonlyMap<string, string>, { categories }: Definition): string | undefined {
  const id = texts.get('category')?.trim() ?? ''
  const words = texts.get('categorydesc')?.trim() ?? ''
  const known = categories.find((one) =>
    id === '' ? one.description.toLowerCase() === words.toLowerCase() : one.id.toLowerCase() === id.toLowerCase(),
  )
  const name = known === undefined ? words : known.description || known.name
  return name === '' ? undefined : plainText(name, siteTextCharactersMax)
}
