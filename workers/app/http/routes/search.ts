import { succeed } from '#shared/kernel/result.ts'
import { search, type WireSearchItem } from '../../contract/search.ts'
import { planSearch } from '../../core/search-plan.ts'
import { isFree, type SearchHit } from '../../core/site.ts'
import { describeSiteFault } from '../../core/site-fault.ts'
import { searchItemsMax } from '../../limits.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

export function searchRoutes(deps: Pick<AppDeps, 'sites' | 'siteFleet' | 'clock'>): BoundRoute[] {
  return [
    bind(search, async ({ body }) => {
      const startedMs = deps.clock.nowMs()
      const enabled = (await deps.sites.list()).filter(({ record }) => record.enabled)
      const named = new Set((body.sites ?? []).map((name) => name.toLowerCase()))
      const asked = named.size === 0 ? enabled : enabled.filter(({ record }) => named.has(record.name))
      const wish = {
        keyword: body.keyword,
        ...(body.category === undefined ? {} : { category: body.category }),
        freeOnly: body.free_only ?? false,
        minSeeders: body.min_seeders ?? 0,
      }
      // Every site has its own object, and with it its own connections: all are asked at once.
      const answers = await Promise.all(
        asked.map(async ({ record, target }) => {
          const plan = planSearch(record.profile, wish)
          const found = await deps.siteFleet.search(target, plan.query)
          return { site: record.name, found, hits: found.ok ? found.value.filter((hit) => plan.keeps(hit)) : [] }
        }),
      )
      const items = answers.flatMap(({ site, hits }) => hits.map((hit) => toWireItem(site, hit)))
      return succeed({
        body: {
          items: items.slice(0, searchItemsMax),
          total: items.length,
          sites: Object.fromEntries(
            answers.filter(({ found }) => found.ok).map(({ site, hits }) => [site, hits.length]),
          ),
          errors: answers.flatMap(({ site, found }) =>
            found.ok ? [] : [{ site, error: describeSiteFault(found.failure) }],
          ),
          duration_ms: Math.max(0, deps.clock.nowMs() - startedMs),
        },
      })
    }),
  ]
}

/** Field by field: what a result needs for its download never leaves. */
export function toWireItem(site: string, hit: SearchHit): WireSearchItem {
  return {
    site,
    torrent_id: hit.torrentId,
    title: hit.title,
    ...(hit.subtitle === undefined ? {} : { subtitle: hit.subtitle }),
    ...(hit.infoHash === undefined ? {} : { info_hash: hit.infoHash }),
    size: hit.sizeBytes,
    seeders: hit.seeders,
    leechers: hit.leechers,
    ...(hit.snatched === undefined ? {} : { snatched: hit.snatched }),
    ...(hit.uploadedAtUnix === undefined ? {} : { uploaded_at: hit.uploadedAtUnix }),
    ...(hit.category === undefined ? {} : { category: hit.category }),
    ...(hit.tags.length === 0 ? {} : { tags: [...hit.tags] }),
    discount: hit.discount,
    ...(hit.discountEndAtUnix === undefined ? {} : { discount_end_at: hit.discountEndAtUnix }),
    free: isFree(hit.discount),
    has_hr: hit.hasHr,
    ...(hit.imdbId === undefined ? {} : { imdb_id: hit.imdbId }),
    ...(hit.doubanId === undefined ? {} : { douban_id: hit.doubanId }),
  }
}
