import { succeed } from '#shared/kernel/result.ts'
import { listAudit } from '../../contract/console.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

export function consoleAuditRoutes(deps: Pick<AppDeps, 'audit'>): BoundRoute[] {
  return [
    bind(listAudit, async ({ query }) => {
      const { items, total } = await deps.audit.page(query.page, query.page_size)
      return succeed({
        body: {
          items: items.map(({ atUnix, latencyMs, about, ...entry }) => ({
            ...entry,
            at: atUnix,
            ...(about === undefined ? {} : { about: { ...about, names: [...about.names] } }),
            ...(latencyMs === undefined ? {} : { latency_ms: latencyMs }),
          })),
          total,
          page: query.page,
          page_size: query.page_size,
        },
      })
    }),
  ]
}
