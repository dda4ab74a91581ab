import type { z } from '@hono/zod-openapi'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { search } from '../../contract/search.ts'
import { joinSearchRows } from '../../contract/search-rows.ts'
import { failure } from '../../core/failure.ts'
import { siteReason } from '../../core/reason/of-fault.ts'
import type { SiteSearchQuery } from '../../core/search-plan.ts'
import { canSearch } from '../../core/site.ts'
import { searchItemsMax } from '../../limits.ts'
import type { SiteEntry } from '../../ports/sites.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind, FinishedJson } from '../bind.ts'
import { explained } from '../explained.ts'

/** The sites that are asked, and for what. */
export async function searchOf(
  deps: Pick<AppDeps, 'sites'>,
  body: z.output<typeof search.body>,
): Promise<{ readonly asked: readonly SiteEntry[]; readonly wish: SiteSearchQuery }> {
  const enabled = (await deps.sites.list()).filter(({ record }) => record.enabled)
  const named = new Set((body.sites ?? []).map((name) => name.toLowerCase()))
  return {
    // One without lists that can be read is asked by its name only, and says so.
    asked: enabled.filter(({ record }) =>
      named.size === 0 ? canSearch(record.kind, record.profile) : named.has(record.name),
    ),
    wish: {
      keyword: body.keyword,
      ...(body.category === undefined ? {} : { category: body.category }),
      freeOnly: body.free_only ?? false,
      minSeeders: body.min_seeders ?? 0,
    },
  }
}

export function searchRoutes(deps: Pick<AppDeps, 'sites' | 'siteFleet' | 'clock'>): BoundRoute[] {
  return [
    bind(search, async ({ body, say }) => {
      const startedMs = deps.clock.nowMs()
      const { asked, wish } = await searchOf(deps, body)
      // Every site has its own object, and with it its own connections: all are asked at once.
      const answers = await Promise.all(
        asked.map(async ({ record, target }) => ({
          site: record.name,
          found: await deps.siteFleet.search(target, wish),
        })),
      )
      const found = answers.flatMap(({ site, found: rows }) => (rows.ok ? [{ site, rows: rows.value }] : []))
      const failed = answers.flatMap(({ site, found: rows }) =>
        rows.ok ? [] : [{ site, reason: siteReason(rows.failure) }],
      )
      if (found.length === 0 && failed.length > 0)
        return failWith(failure('search_failed', { kind: 'search.failed', sites: failed }))
      const told = {
        total: found.reduce((sum, { rows }) => sum + rows.count, 0),
        sites: Object.fromEntries(found.map(({ site, rows }) => [site, rows.count])),
        errors: failed.map(({ site, reason }) => ({ site, ...explained(say, reason) })),
        duration_ms: Math.max(0, deps.clock.nowMs() - startedMs),
      } satisfies Omit<z.input<(typeof search.answers)[200]>, 'items'>
      const items = joinSearchRows(
        found.map(({ rows }) => rows),
        searchItemsMax,
      )
      return succeed({ body: new FinishedJson(['{"items":[', ...items, `],${JSON.stringify(told).slice(1)}`]) })
    }),
  ]
}
