/** What is searched for lives in the address; what of the answer is shown is decided here. */
import type { WireFoundTorrent } from '../../contract/console-search.ts'
import type { WireSearchItem } from '../../contract/search.ts'
import { toldFigure } from '../../core/search-figures.ts'

export const searchSorts = [
  'seeders',
  'title',
  'site',
  'quality',
  'size',
  'leechers',
  'snatched',
  'uploaded_at',
] as const
export type SearchSort = (typeof searchSorts)[number]

export interface SearchForm {
  readonly words: string
  /** Names of the chosen sites; empty for all. */
  readonly sites: readonly string[]
  readonly category: string
  readonly freeOnly: boolean
  readonly minSeeders: number
}

export interface SearchView {
  readonly sort: SearchSort
  readonly order: 'asc' | 'desc'
  readonly page: number
}

export interface SearchQuery extends SearchForm, SearchView {}

export const searchRowsPerPage = 50
export const searchWordsMax = 100
export const searchCategoryMax = 64
export const searchSitesMax = 100
export const minSeedersMax = 99_999

export const noSearch: SearchQuery = {
  words: '',
  sites: [],
  category: '',
  freeOnly: false,
  minSeeders: 0,
  sort: 'seeders',
  order: 'desc',
  page: 1,
}

function oneOf<T extends string>(list: readonly T[], text: string | null): T | undefined {
  return list.find((item) => item === text)
}

function cut(text: string | null, max: number): string {
  return [...(text ?? '')].slice(0, max).join('')
}

function whole(text: string | null, max: number): number | undefined {
  return text !== null && /^[0-9]{1,7}$/.test(text) ? Math.min(max, Number(text)) : undefined
}

function firstOrder(sort: SearchSort): 'asc' | 'desc' {
  return sort === 'title' || sort === 'site' ? 'asc' : 'desc'
}

export function readSearchQuery(search: URLSearchParams): SearchQuery {
  const sort = oneOf(searchSorts, search.get('sort')) ?? noSearch.sort
  const sites = (search.get('sites') ?? '').split(',').filter((name) => /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name))
  return {
    words: cut(search.get('q'), searchWordsMax),
    sites: [...new Set(sites)].slice(0, searchSitesMax),
    category: cut(search.get('category'), searchCategoryMax),
    freeOnly: search.get('free') === '1',
    minSeeders: whole(search.get('min'), minSeedersMax) ?? 0,
    sort,
    order: oneOf(['asc', 'desc'], search.get('order')) ?? firstOrder(sort),
    page: Math.max(1, whole(search.get('page'), 1_000_000) ?? 1),
  }
}

export function searchHash(query: SearchQuery): string {
  const search = new URLSearchParams()
  if (query.words !== '') search.set('q', query.words)
  if (query.sites.length > 0) search.set('sites', query.sites.join(','))
  if (query.category !== '') search.set('category', query.category)
  if (query.freeOnly) search.set('free', '1')
  if (query.minSeeders > 0) search.set('min', String(query.minSeeders))
  if (query.sort !== noSearch.sort) search.set('sort', query.sort)
  if (query.order !== firstOrder(query.sort)) search.set('order', query.order)
  if (query.page !== 1) search.set('page', String(query.page))
  const text = search.toString()
  return text === '' ? '#/search' : `#/search?${text}`
}

export interface SearchBody {
  readonly keyword: string
  readonly sites?: readonly string[]
  readonly category?: string
  readonly free_only?: boolean
  readonly min_seeders?: number
}

/** What is sent; undefined when there is nothing to search for. */
export function searchBody(form: SearchForm): SearchBody | undefined {
  const keyword = form.words.trim()
  if (keyword === '') return undefined
  return {
    keyword,
    ...(form.sites.length === 0 ? {} : { sites: form.sites }),
    ...(form.category.trim() === '' ? {} : { category: form.category.trim() }),
    ...(form.freeOnly ? { free_only: true } : {}),
    ...(form.minSeeders > 0 ? { min_seeders: form.minSeeders } : {}),
  }
}

/** Whether the form asks for something the answer in hand cannot hold: then only a new search can tell. */
export function asksForMore(form: SearchForm, asked: SearchForm): boolean {
  const askedAll = asked.sites.length === 0
  const wantsAll = form.sites.length === 0
  return (
    form.category.trim() !== asked.category.trim() ||
    (asked.freeOnly && !form.freeOnly) ||
    form.minSeeders < asked.minSeeders ||
    (!askedAll && (wantsAll || form.sites.some((name) => !asked.sites.includes(name))))
  )
}

/** Filters that only narrow are applied to the answer in hand at once. */
export function narrow(items: readonly WireFoundTorrent[], form: SearchForm): WireFoundTorrent[] {
  const sites = new Set(form.sites)
  return items.filter(
    (item) =>
      (sites.size === 0 || sites.has(item.site)) &&
      (!form.freeOnly || item.free) &&
      (form.minSeeders <= 0 || item.seeders >= form.minSeeders),
  )
}

export function sortResults(items: readonly WireFoundTorrent[], view: SearchView): WireFoundTorrent[] {
  const sign = view.order === 'asc' ? 1 : -1
  const sortValue = (item: WireFoundTorrent) =>
    view.sort === 'title' || view.sort === 'site' ? item[view.sort].toLowerCase() : figureOf(item, view.sort)
  return items
    .map((item) => ({ item, value: sortValue(item) }))
    .toSorted((a, b) => {
      if (a.value === b.value) return b.item.seeders - a.item.seeders
      // What a site does not say stands behind all that others say.
      if (a.value === undefined) return 1
      if (b.value === undefined) return -1
      return a.value < b.value ? -sign : sign
    })
    .map(({ item }) => item)
}

function figureOf(item: WireFoundTorrent, sort: Exclude<SearchSort, 'title' | 'site'>): number | undefined {
  // Of `2160p` the number: more lines are better.
  if (sort === 'quality') return item.quality.resolution && Number.parseInt(item.quality.resolution, 10)
  return sort === 'size' || sort === 'seeders' || sort === 'leechers' ? toldFigure(item, sort) : item[sort]
}

export function sortResultsBy(query: SearchQuery, sort: SearchSort): SearchQuery {
  const order = query.sort !== sort ? firstOrder(sort) : query.order === 'asc' ? 'desc' : 'asc'
  return { ...query, sort, order, page: 1 }
}

export function resultKey(item: Pick<WireSearchItem, 'site' | 'torrent_id'>): string {
  return `${item.site}/${item.torrent_id}`
}
