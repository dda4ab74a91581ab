/** Sites as the console shows them: settings, figures and background work of one site in one row. */
import type { WireJob } from '../../contract/console-jobs.ts'
import type { WireConsoleSite } from '../../contract/console-sites.ts'
import type { WireSite } from '../../contract/sites.ts'
import { knownFigure, type TodayChange } from './account-figures.ts'

export type LoginTier = WireSite['login']['tier']

export interface SiteRow {
  readonly settings: WireConsoleSite
  /** Undefined while the figures are not read, or cannot be. */
  readonly live: WireSite | undefined
  readonly jobs: readonly WireJob[]
  readonly today: TodayChange | undefined
}

export function siteRows(
  settings: readonly WireConsoleSite[],
  live: readonly WireSite[],
  jobs: readonly WireJob[],
  today: readonly TodayChange[],
): SiteRow[] {
  const liveByName = new Map(live.map((one) => [one.name, one]))
  const todayByName = new Map(today.map((one) => [one.site, one]))
  return settings.map((one) => ({
    settings: one,
    live: liveByName.get(one.name),
    jobs: jobs.filter((job) => job.site === one.name),
    today: todayByName.get(one.name),
  }))
}

export function siteLabel(settings: Pick<WireConsoleSite, 'name' | 'display_name'>): string {
  return settings.display_name === '' ? settings.name : settings.display_name
}

/** The newest reason why work for the site failed; undefined when the last run of each went well. */
export function lastFailure(row: SiteRow): WireJob | undefined {
  if (!row.settings.enabled) return undefined
  return row.jobs
    .filter((job) => job.last_ok === false && job.reason !== undefined)
    .toSorted((a, b) => (b.last_finished_at ?? 0) - (a.last_finished_at ?? 0))[0]
}

/** How pressing the inactivity limit is; the shape and colour of the gauge follow it. */
export type Urgency = 'calm' | 'soon' | 'now' | 'unknown'

export function urgencyOf(tier: LoginTier): Urgency {
  switch (tier) {
    case 'banned-imminent':
    case '3d':
      return 'now'
    case '7d':
    case '14d':
    case '30d':
      return 'soon'
    case 'none':
      return 'calm'
    case 'unknown':
      return 'unknown'
  }
}

export const siteSorts = ['days', 'name', 'ratio', 'uploaded', 'downloaded', 'bonus', 'seeding', 'today'] as const
export type SiteSort = (typeof siteSorts)[number]
export const siteFilters = ['all', 'attention', 'off'] as const
type SiteFilter = (typeof siteFilters)[number]

export interface SiteQuery {
  readonly words: string
  readonly show: SiteFilter
  readonly sort: SiteSort
  readonly order: 'asc' | 'desc'
}

export const everySite: SiteQuery = { words: '', show: 'all', sort: 'days', order: 'asc' }
export const siteWordsMax = 64

function oneOf<T extends string>(list: readonly T[], text: string | null): T | undefined {
  return list.find((item) => item === text)
}

function firstOrder(sort: SiteSort): 'asc' | 'desc' {
  return sort === 'days' || sort === 'name' ? 'asc' : 'desc'
}

export function readSiteQuery(search: URLSearchParams): SiteQuery {
  const sort = oneOf(siteSorts, search.get('sort')) ?? everySite.sort
  return {
    words: [...(search.get('q') ?? '')].slice(0, siteWordsMax).join(''),
    show: oneOf(siteFilters, search.get('show')) ?? everySite.show,
    sort,
    order: oneOf(['asc', 'desc'], search.get('order')) ?? firstOrder(sort),
  }
}

export function siteHash(query: SiteQuery): string {
  const search = new URLSearchParams()
  if (query.show !== everySite.show) search.set('show', query.show)
  if (query.words !== '') search.set('q', query.words)
  if (query.sort !== everySite.sort) search.set('sort', query.sort)
  if (query.order !== firstOrder(query.sort)) search.set('order', query.order)
  const text = search.toString()
  return text === '' ? '#/sites' : `#/sites?${text}`
}

export function sortSites(query: SiteQuery, sort: SiteSort): SiteQuery {
  if (query.sort !== sort) return { ...query, sort, order: firstOrder(sort) }
  return { ...query, order: query.order === 'asc' ? 'desc' : 'asc' }
}

export function needsAttention(row: SiteRow): boolean {
  if (!row.settings.enabled) return false
  if (lastFailure(row) !== undefined || row.live?.attendance.status === 'failed') return true
  return row.live !== undefined && ['now', 'soon'].includes(urgencyOf(row.live.login.tier))
}

/** What has no value sorts behind all that has one, whichever way. */
function sortValue(row: SiteRow, sort: SiteSort): number | string | undefined {
  const { live } = row
  switch (sort) {
    case 'name':
      return siteLabel(row.settings).toLowerCase()
    case 'days':
      return live === undefined || live.login.tier === 'unknown' || !row.settings.enabled
        ? undefined
        : live.login.days_remaining
    case 'today':
      return row.today?.uploaded
    default:
      return knownFigure(live?.user, sort)
  }
}

export function arrangeSites(rows: readonly SiteRow[], query: SiteQuery): SiteRow[] {
  const words = query.words.trim().toLowerCase()
  const sign = query.order === 'asc' ? 1 : -1
  return rows
    .filter(
      (row) =>
        (query.show === 'all' || (query.show === 'off' ? !row.settings.enabled : needsAttention(row))) &&
        `${row.settings.name} ${row.settings.display_name}`.toLowerCase().includes(words),
    )
    .map((row) => ({ row, value: sortValue(row, query.sort) }))
    .toSorted((a, b) => {
      if (a.value === b.value) return siteLabel(a.row.settings) < siteLabel(b.row.settings) ? -1 : 1
      if (a.value === undefined) return 1
      if (b.value === undefined) return -1
      return a.value < b.value ? -sign : sign
    })
    .map(({ row }) => row)
}
