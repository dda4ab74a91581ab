import { isFree, type SearchHit, type SiteProfile, type SiteQuery } from './site.ts'

export interface SiteSearchQuery {
  readonly keyword: string
  readonly category?: string
  readonly freeOnly: boolean
  readonly minSeeders: number
  /** Rows tell also what the console shows: quality, and where the site shows the torrent. */
  readonly forConsole?: true
}

/** What one site found of it, as finished JSON in UTF-8: objects with a comma before each. */
export interface SearchRows {
  readonly count: number
  readonly json: Uint8Array
}

/** What one site is asked, and what of its answer is kept. */
export interface SearchPlan {
  readonly query: SiteQuery
  keeps(hit: SearchHit): boolean
}

/**
 * A category is a name the site's settings know, or one of the site's own ids; any other word is compared with what the
 * site calls the category of each result.
 */
export function planSearch(profile: SiteProfile, wish: SiteSearchQuery): SearchPlan {
  const word = wish.category?.trim().toLowerCase() ?? ''
  const named = Object.entries(profile.categories).find(([name]) => name.toLowerCase() === word)?.[1]
  const ids = word === '' ? [] : (named ?? (/^[0-9]{1,9}$/.test(word) ? [word] : []))
  const isCompared = word !== '' && ids.length === 0
  return {
    query: {
      keyword: wish.keyword,
      categoryIds: ids,
      freeOnly: wish.freeOnly,
      ...(wish.forConsole ? { withPages: true } : {}),
    },
    // The site is asked for these too, but not every site listens.
    keeps: (hit) =>
      (!wish.freeOnly || isFree(hit.discount)) &&
      (wish.minSeeders <= 0 || (hit.seeders ?? 0) >= wish.minSeeders) &&
      (!isCompared || hit.category?.toLowerCase() === word),
  }
}
