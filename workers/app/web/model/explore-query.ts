/** What the explore screen shows lives in the address. */

export interface ExploreQuery {
  readonly kind: 'movie' | 'tv'
  readonly list: 'trending' | 'popular'
  /** Not empty: a search, and the list waits behind it. */
  readonly words: string
  readonly page: number
}

export const firstExplore: ExploreQuery = { kind: 'movie', list: 'trending', words: '', page: 1 }
export const exploreWordsMax = 100
export const explorePagesMax = 20

export function readExploreQuery(search: URLSearchParams): ExploreQuery {
  const page = search.get('page') ?? ''
  const words = [...(search.get('q') ?? '')].slice(0, exploreWordsMax).join('')
  return {
    kind: search.get('kind') === 'tv' ? 'tv' : 'movie',
    list: search.get('list') === 'popular' ? 'popular' : 'trending',
    words,
    page: words.trim() === '' && /^[1-9][0-9]?$/.test(page) ? Math.min(explorePagesMax, Number(page)) : 1,
  }
}

export function exploreHash(query: ExploreQuery): string {
  const search = new URLSearchParams()
  if (query.kind !== firstExplore.kind) search.set('kind', query.kind)
  if (query.list !== firstExplore.list) search.set('list', query.list)
  if (query.words !== '') search.set('q', query.words)
  if (query.page !== 1) search.set('page', String(query.page))
  const text = search.toString()
  return text === '' ? '#/explore' : `#/explore?${text}`
}

/** Parameters of `GET /explore` in the names of the interface. */
export function exploreParameters({ kind, list, words, page }: ExploreQuery): URLSearchParams {
  const wanted = words.trim()
  return wanted === ''
    ? new URLSearchParams({ kind, list, page: String(page) })
    : new URLSearchParams({ kind, list: 'search', q: wanted })
}

/** What to search the sites for: torrents are named after the original title where it is in Latin letters. */
export function wordsForSites(title: {
  readonly media_type: 'movie' | 'tv'
  readonly title: string
  readonly original_title?: string | undefined
  readonly year?: number | undefined
}): string {
  const original = title.original_title ?? ''
  const name = /[a-z]/i.test(original) ? original : title.title
  const words = title.media_type === 'movie' && title.year !== undefined ? `${name} ${title.year}` : name
  return [...words].slice(0, exploreWordsMax).join('')
}
