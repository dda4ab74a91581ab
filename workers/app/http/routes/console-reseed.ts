import { failWith, succeed } from '#shared/kernel/result.ts'
import { changeReseed, listReseeds } from '../../contract/console-reseed.ts'
import { wrongField } from '../../core/failure.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { explained } from '../explained.ts'

export function consoleReseedRoutes({ reseeds, sites }: Pick<AppDeps, 'reseeds' | 'sites'>): BoundRoute[] {
  return [
    bind(listReseeds, async ({ say }) => {
      const { enabled, sites: names, asksPerDay } = await reseeds.settings()
      const asked = (await reseeds.sites()).map(({ ways, ...one }) => ({ ...one, ways: [...ways] }))
      const items = (await reseeds.list()).map(({ torrentId, otherTitle, reason, ...one }) => ({
        id: one.id,
        downloader: one.downloader,
        info_hash: one.infoHash,
        title: one.title,
        size: one.sizeBytes,
        site: one.site,
        way: one.way,
        state: one.state,
        ...(torrentId === '' ? {} : { torrent_id: torrentId, other_title: otherTitle }),
        asked_at: one.askedAtUnix,
        since: one.sinceUnix,
        ...(reason === undefined ? {} : explained(say, reason)),
      }))
      return succeed({ body: { enabled, sites: [...names], asks_per_day: asksPerDay, asked, items } })
    }),
    bind(changeReseed, async ({ body }) => {
      const known = new Set((await sites.list()).map(({ record }) => record.name))
      if (body.sites.some((name) => !known.has(name)))
        return failWith(wrongField('sites', { kind: 'none', what: 'site' }))
      await reseeds.change({ enabled: body.enabled, sites: body.sites, asksPerDay: body.asks_per_day })
      return succeed({ body })
    }),
  ]
}
