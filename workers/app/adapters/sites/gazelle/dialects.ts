/** The two interfaces that there are of this software: where each is, and in what words it is asked. */
import type { SearchHit, SiteProfile, SiteQuery } from '../../../core/site.ts'
import { gameHitsOf } from './game-groups.ts'
import { listedHitsOf } from './torrent-groups.ts'

export interface GazelleDialect {
  readonly keyHeader: string
  /** Whether a key opens torrents by themselves; elsewhere two keys of the account do. */
  readonly givesTorrents: boolean
  /** Whether it has what members see of their peers beside the member's page. */
  readonly countsPeers: boolean
  readonly index: string
  ask(what: string, parameters?: Readonly<Record<string, string>>): string
  list(query: SiteQuery): string
  /** Undefined for what is no list of torrents. */
  hitsOf(response: unknown, utcOffsetMinutes: number): SearchHit[] | undefined
}

const usual: GazelleDialect = {
  keyHeader: 'authorization',
  givesTorrents: true,
  countsPeers: true,
  index: 'index',
  ask: (action, parameters = {}) => `ajax.php?${new URLSearchParams({ action, ...parameters })}`,
  list: ({ keyword, categoryIds, freeOnly }) =>
    usual.ask('browse', {
      searchstr: keyword,
      page: '1',
      ...categories(categoryIds),
      ...(freeOnly ? { freetorrent: '1' } : {}),
    }),
  hitsOf: listedHitsOf,
}

/** The fork for games. Its titles are written without dots, and its third kind of free is the first or the second. */
const forGames: GazelleDialect = {
  keyHeader: 'x-api-key',
  givesTorrents: false,
  countsPeers: false,
  index: 'quick_user',
  ask: (request, parameters = {}) => `api.php?${new URLSearchParams({ request, ...parameters })}`,
  list: ({ keyword, categoryIds, freeOnly }) =>
    forGames.ask('search', {
      search_type: 'torrents',
      empty_groups: 'filled',
      order_by: 'time',
      order_way: 'desc',
      searchstr: keyword.replaceAll('.', ' '),
      ...categories(categoryIds),
      ...(freeOnly ? { freetorrent: '3' } : {}),
    }),
  hitsOf: gameHitsOf,
}

/** Told apart by the page that a definition names for the account. */
export function dialectOf({ paths }: SiteProfile): GazelleDialect {
  return paths['user'] === 'api.php' ? forGames : usual
}

function categories(ids: readonly string[]): Record<string, string> {
  return Object.fromEntries(ids.map((id) => [`filter_cat[${id}]`, '1']))
}
