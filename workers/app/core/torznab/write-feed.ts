/** Documents of the protocol: capabilities, a feed of torrents, and an error. */
import type { Discount } from '../vocabulary.ts'
import { categoryTree } from './categories.ts'
import { type TorznabFault, torznabCodes } from './query.ts'

export interface TorznabItem {
  readonly site: string
  readonly torrentId: string
  readonly title: string
  readonly subtitle: string | undefined
  readonly link: string
  /** 0 where the site does not tell it: an enclosure has to have a length. */
  readonly sizeBytes: number
  readonly categories: readonly number[]
  /** Undefined where the site does not tell it. */
  readonly uploadedAtUnix: number | undefined
  /** Undefined for what the site does not tell, here and below. */
  readonly seeders: number | undefined
  readonly leechers: number | undefined
  readonly snatched: number | undefined
  readonly infoHash: string | undefined
  readonly imdbId: string | undefined
  readonly discount: Discount | undefined
  /** How long it has to be seeded, where that is asked of it and known. */
  readonly seedSeconds: number | undefined
}

export interface TorznabPage {
  readonly title: string
  readonly items: readonly TorznabItem[]
  readonly offset: number
  readonly total: number
  readonly nowUnix: number
  /** Seconds as RFC 822 has them. */
  readonly dateOf: (unixSeconds: number) => string
}

const head = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** The share of a download that counts, and of an upload. */
const factors = {
  NONE: [1, 1],
  FREE: [0, 1],
  '2XFREE': [0, 2],
  PERCENT_50: [0.5, 1],
  PERCENT_30: [0.3, 1],
  PERCENT_70: [0.7, 1],
  '2XUP': [1, 2],
  '2X50': [0.5, 2],
} as const satisfies Record<Discount, readonly [number, number]>

export function writeError({ code, description }: TorznabFault): string {
  return `${head}<error code="${torznabCodes[code]}" description="${escaped(description)}"/>\n`
}

/** Programs that hear of a film's number ask by it alone, which no site of ours can be: they are told of words. */
export function writeCapabilities(itemsMax: number): string {
  const searching = [
    ['search', 'q'],
    ['tv-search', 'q,season,ep'],
    ['movie-search', 'q'],
  ].map(([name, parameters]) => `<${name} available="yes" supportedParams="${parameters}"/>`)
  const withheld = ['music-search', 'audio-search', 'book-search'].map(
    (name) => `<${name} available="no" supportedParams="q"/>`,
  )
  const categories = categoryTree.map(({ id, name, parts }) => {
    const below = parts.map((part) => `<subcat id="${part.id}" name="${part.name}"/>`).join('')
    return `<category id="${id}" name="${name}">${below}</category>`
  })
  return `${head}<caps>
<server title="Wharf"/>
<limits default="${itemsMax}" max="${itemsMax}"/>
<searching>${searching.join('')}${withheld.join('')}</searching>
<categories>${categories.join('')}</categories>
</caps>
`
}

export function writeFeed({ title, items, offset, total, nowUnix, dateOf }: TorznabPage): string {
  return `${head}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:newznab="http://www.newznab.com/DTD/2010/feeds/attributes/" xmlns:torznab="http://torznab.com/schemas/2015/feed">
<channel>
<title>${escaped(title)}</title>
<newznab:response offset="${offset}" total="${total}"/>
${items.map((item) => itemElement(item, dateOf(item.uploadedAtUnix ?? nowUnix))).join('\n')}
</channel>
</rss>
`
}

/** Readers refuse a whole feed in which one item has no date: one that its site does not tell is that of the answer. */
function itemElement(item: TorznabItem, date: string): string {
  const link = escaped(item.link)
  const [download, upload] = item.discount === undefined ? [] : factors[item.discount]
  const attributes: readonly (readonly [string, string | number | undefined])[] = [
    ...item.categories.map((number) => ['category', number] as const),
    ['seeders', item.seeders],
    ['peers', peersOf(item)],
    ['grabs', item.snatched],
    ['infohash', item.infoHash],
    ['imdb', item.imdbId?.replace(/^tt/, '')],
    ['imdbid', item.imdbId],
    ['downloadvolumefactor', download],
    ['uploadvolumefactor', upload],
    ['minimumseedtime', item.seedSeconds],
  ]
  const lines = [
    `<title>${escaped(item.title)}</title>`,
    `<guid isPermaLink="false">${escaped(`${item.site}/${item.torrentId}`)}</guid>`,
    `<link>${link}</link>`,
    `<pubDate>${date}</pubDate>`,
    `<size>${item.sizeBytes}</size>`,
    ...(item.subtitle === undefined ? [] : [`<description>${escaped(item.subtitle)}</description>`]),
    ...item.categories.map((number) => `<category>${number}</category>`),
    `<enclosure url="${link}" length="${item.sizeBytes}" type="application/x-bittorrent"/>`,
    ...attributes.flatMap(([name, value]) =>
      value === undefined ? [] : [`<torznab:attr name="${name}" value="${escaped(String(value))}"/>`],
    ),
  ]
  return `<item>${lines.join('')}</item>`
}

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Seeders among them, by the protocol. */
function peersOf({ seeders, leechers }: TorznabItem): number | undefined {
  return seeders === undefined || leechers === undefined ? undefined : seeders + leechers
}

/** Titles are written by strangers: XML has no place for control characters and halves of pairs. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (mark) => marks[mark] ?? mark)
}
