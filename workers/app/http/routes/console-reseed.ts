import { failWith, succeed } from '#shared/kernel/result.ts'
import {
  changeReseed,
  changeReseedService,
  listReseeds,
  type WireReseedService,
} from '../../contract/console-reseed.ts'
import { failure, wrongField } from '../../core/failure.ts'
import type { Say } from '../../core/reason/say.ts'
import { parseTokenAddress } from '../../core/service-address.ts'
import type { ReseedServiceState } from '../../ports/reseeds.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { explained } from '../explained.ts'

export function consoleReseedRoutes({ reseeds, sites }: Pick<AppDeps, 'reseeds' | 'sites'>): BoundRoute[] {
  return [
    bind(listReseeds, async ({ say }) => {
      const { enabled, sites: names, asksPerDay } = await reseeds.settings()
      const asked = (await reseeds.found()).map(({ ways, ...one }) => ({ ...one, ways: [...ways] }))
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
      const service = toWire(await reseeds.service(), say)
      return succeed({ body: { enabled, sites: [...names], asks_per_day: asksPerDay, asked, service, items } })
    }),
    bind(changeReseed, async ({ body }) => {
      const known = new Set((await sites.list()).map(({ record }) => record.name))
      if (body.sites.some((name) => !known.has(name)))
        return failWith(wrongField('sites', { kind: 'none', what: 'site' }))
      await reseeds.change({ enabled: body.enabled, sites: body.sites, asksPerDay: body.asks_per_day })
      return succeed({ body })
    }),
    bind(changeReseedService, async ({ body, say }) => {
      const address = parseTokenAddress(body.address)
      if (!address.ok) return failWith(wrongField('address', address.failure))
      const changed = await reseeds.changeService({ address: address.value, token: body.token })
      if (!changed.ok) return failWith(changed.failure === 'moves' ? tokenStays : cannotSeal)
      return succeed({ body: toWire(await reseeds.service(), say) })
    }),
  ]
}

const tokenStays = failure('invalid_argument', { kind: 'field.fill_in_again', field: 'token', changed: 'address' })
const cannotSeal = failure('unavailable', { kind: 'cannot_seal', what: 'key' })

function toWire({ address, hasToken, sites, askedAtUnix, reason }: ReseedServiceState, say: Say): WireReseedService {
  return {
    address,
    has_token: hasToken,
    sites: [...sites],
    ...(askedAtUnix === 0 ? {} : { asked_at: askedAtUnix }),
    ...(reason === undefined ? {} : explained(say, reason)),
  }
}
