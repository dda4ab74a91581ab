/**
 * Programs that search through the protocol, as strict as they are: what they make of the capabilities, what they ask then,
 * and what they refuse in an answer. After Prowlarr/Prowlarr: `NewznabCapabilitiesProvider.cs` at 0c45eb6,
 * `NewznabRequestGenerator.cs` at 0136327 and `TorznabRssParser.cs` at 0509335; after Radarr/Radarr:
 * `NewznabRequestGenerator.cs` at 02142f2.
 */
import { DomUtils, parseDocument } from 'htmlparser2'

type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number]

export interface Capabilities {
  /** Parameters of each kind of search that is offered. */
  readonly search: readonly string[]
  readonly movie: readonly string[]
  readonly tv: readonly string[]
  readonly categories: readonly number[]
}

export interface Wish {
  readonly kind: 'search' | 'movie' | 'tv'
  readonly words?: string
  readonly imdbId?: string
  readonly season?: number
  readonly episode?: string
  readonly categories?: readonly number[]
}

export interface FoundRelease {
  readonly title: string
  readonly guid: string
  readonly link: string
  readonly sizeBytes: number
  readonly publishedUnix: number
  readonly categories: readonly number[]
  readonly seeders: number | undefined
  readonly peers: number | undefined
  readonly factors: readonly [number, number]
}

const under = (element: Element | ReturnType<typeof parseDocument>, name: string): Element[] =>
  DomUtils.getElementsByTagName(name, element, true)

function wholeNumber(text: string | undefined): number {
  if (text === undefined || !/^-?\d{1,15}$/.test(text)) throw new Error(`no whole number: ${text}`)
  return Number(text)
}

/** Throws for what a program would not take as capabilities. */
export function readCapabilities(text: string): Capabilities {
  const document = parseDocument(text, { xmlMode: true })
  if (under(document, 'error').length > 0) throw new Error(text)
  const [root] = under(document, 'caps')
  if (root === undefined) throw new Error('no capabilities')
  for (const limits of under(root, 'limits')) for (const of of ['default', 'max']) wholeNumber(limits.attribs[of])
  const parametersOf = (name: string) => {
    const attribs = under(root, name)[0]?.attribs
    if (attribs?.['available'] !== 'yes') return []
    return attribs['supportedParams']?.split(',') ?? ['q']
  }
  const heads = under(root, 'category')
  for (const { attribs } of heads) if (!attribs['name']) throw new Error('a category without a name')
  return {
    search: parametersOf('search'),
    movie: parametersOf('movie-search'),
    tv: parametersOf('tv-search'),
    categories: [...heads, ...under(root, 'subcat')].map(({ attribs }) => wholeNumber(attribs['id'])),
  }
}

/** As one asks that manages the indexers of others: by what is offered, and by words alone where no number is. */
export function askedByManager(wish: Wish, capabilities: Capabilities, apiKey: string): string {
  const offered = capabilities[wish.kind]
  const asked = new URLSearchParams()
  if (wish.imdbId !== undefined && offered.includes('imdbid')) asked.set('imdbid', wish.imdbId)
  if (wish.season !== undefined && offered.includes('season')) asked.set('season', String(wish.season))
  if (wish.episode !== undefined && offered.includes('ep')) asked.set('ep', wish.episode)
  const name = { search: 'search', movie: 'movie', tv: 'tvsearch' }[wish.kind]
  const by = asked.size === 0 ? 'search' : name
  if (wish.words !== undefined && capabilities[asked.size === 0 ? 'search' : wish.kind].includes('q'))
    asked.set('q', wish.words)
  const categories = wish.categories === undefined ? '' : `&cat=${wish.categories.join(',')}`
  return `?t=${by}&extended=1${categories}&apikey=${apiKey}${asked.size === 0 ? '' : `&${asked}`}`
}

/** As one asks that collects films: by the number alone where it is offered. */
export function askedByCollector(
  film: { readonly imdbId: string; readonly title: string; readonly year: number } | undefined,
  capabilities: Capabilities,
  apiKey: string,
): string {
  const isByNumber = film !== undefined && capabilities.movie.includes('imdbid')
  const isMovie = film === undefined ? capabilities.movie.length > 0 : isByNumber
  const words = film === undefined ? '' : `&q=${encodeURIComponent(film.title)}%20${film.year}`
  const asked = isByNumber ? `&imdbid=${film.imdbId.slice(2)}` : words
  return `?t=${isMovie ? 'movie' : 'search'}&cat=2000,2040,2045&extended=1&apikey=${apiKey}&offset=0&limit=100${asked}`
}

/** Throws for what makes a program refuse the answer or one of its releases. */
export function readReleases(text: string, capabilities: Capabilities): FoundRelease[] {
  const document = parseDocument(text, { xmlMode: true })
  const [error] = under(document, 'error')
  if (error !== undefined) throw new Error(`${wholeNumber(error.attribs['code'])} ${error.attribs['description']}`)
  if (under(document, 'channel').length !== 1) throw new Error('no channel')
  return under(document, 'item').map((item) => {
    const textOf = (name: string) => {
      const [found] = under(item, name)
      return found === undefined ? '' : DomUtils.textContent(found)
    }
    const attributes = under(item, 'torznab:attr').map(
      ({ attribs }) => [attribs['name'] ?? '', attribs['value']] as const,
    )
    const numberOf = (name: string) => {
      const found = attributes.find(([one]) => one.toLowerCase() === name)?.[1]
      return found === undefined ? undefined : wholeNumber(found)
    }
    const factorOf = (name: string) => Number(attributes.find(([one]) => one === name)?.[1] ?? 1)
    const enclosure = under(item, 'enclosure')[0]?.attribs
    if (enclosure?.['type'] !== 'application/x-bittorrent') throw new Error(`an enclosure of ${enclosure?.['type']}`)
    const publishedMs = Date.parse(textOf('pubDate'))
    if (Number.isNaN(publishedMs)) throw new Error(`a date of ${textOf('pubDate')}`)
    const categories = attributes.flatMap(([name, value]) => (name === 'category' ? [wholeNumber(value)] : []))
    const unknown = categories.filter((one) => !capabilities.categories.includes(one))
    if (unknown.length > 0) throw new Error(`categories that were not offered: ${unknown.join()}`)
    for (const name of ['title', 'guid']) if (textOf(name).trim() === '') throw new Error(`no ${name}`)
    return {
      title: textOf('title'),
      guid: textOf('guid'),
      link: new URL(enclosure['url'] ?? '').href,
      sizeBytes: numberOf('size') ?? wholeNumber(enclosure['length']),
      publishedUnix: publishedMs / 1000,
      categories,
      seeders: numberOf('seeders'),
      peers: numberOf('peers'),
      factors: [factorOf('downloadvolumefactor'), factorOf('uploadvolumefactor')],
    }
  })
}
