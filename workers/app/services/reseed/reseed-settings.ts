/** What the owner sees and settles of reseeding. */
import { failWith, succeed } from '#shared/kernel/result.ts'
import type { ReseedStore } from '../../adapters/d1/reseeds.ts'
import { readReason } from '../../core/reason/stored-reason.ts'
import { reseedAddressOf, sidOf } from '../../core/reseed/reseed-service.ts'
import { isSameOrigin } from '../../core/service-address.ts'
import type { Reseeds } from '../../ports/reseeds.ts'
import type { OwnerSettings } from '../../ports/settings.ts'
import type { SiteStore } from '../../ports/sites.ts'

export function createReseeds(deps: {
  readonly settings: Pick<OwnerSettings, 'read' | 'write'>
  readonly store: ReseedStore
  readonly sites: Pick<SiteStore, 'list'>
  readonly lookSoon: () => Promise<void>
}): Reseeds {
  return {
    settings: async () => (await deps.settings.read('reseed')).value,
    async change({ enabled, sites, asksPerDay }) {
      await deps.settings.write('reseed', { enabled, sites: [...sites], asksPerDay })
      await deps.lookSoon()
    },
    async service() {
      const { value, hasSecret } = await deps.settings.read('reseedService')
      const { value: seen } = await deps.settings.read('reseedServiceSeen')
      const reason = readReason(seen.reason)
      return {
        address: value.address,
        hasToken: hasSecret,
        sites: (await deps.sites.list())
          .filter(({ target }) => sidOf([target.baseUrl, ...target.profile.hosts], seen.sites) !== undefined)
          .map(({ record }) => record.name),
        askedAtUnix: seen.askedAtUnix,
        ...(reason === undefined ? {} : { reason }),
      }
    },
    async changeService({ address, token }) {
      const present = await deps.settings.read('reseedService')
      // A stored token goes only where it was meant to go: a form must not be able to fetch it from elsewhere.
      const stays = isSameOrigin(reseedAddressOf({ address }), reseedAddressOf(present.value))
      if (token === undefined && present.hasSecret && !stays) return failWith('moves')
      const stored = await deps.settings.write('reseedService', { address }, token)
      if (!stored.ok) return failWith('secrets')
      // What another place or token was told and said is none of this one's.
      await deps.settings.write('reseedServiceSeen', {
        ...{ sites: {}, sitesAtUnix: 0, sidSha1: '', told: [], toldAtUnix: 0 },
        ...{ askedAtUnix: 0, restsUntilUnix: 0, reason: '' },
      })
      await deps.lookSoon()
      return succeed(undefined)
    },
    list: () => deps.store.list(),
    found: () => deps.store.sites(),
  }
}
