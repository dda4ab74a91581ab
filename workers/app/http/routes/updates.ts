import { failWith, succeed } from '#shared/kernel/result.ts'
import { getUpdates, type WireRelease } from '../../contract/updates.ts'
import { failure } from '../../core/failure.ts'
import { serviceReason } from '../../core/reason/of-fault.ts'
import { newerReleases, type Release } from '../../core/release.ts'
import { newReleasesMax } from '../../limits.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

export function updateRoutes(deps: Pick<AppDeps, 'catalogue' | 'version'>): BoundRoute[] {
  /** Of an owner who has named no list nothing failed: what runs is known, and nothing newer. */
  const notLookedAt = {
    current_version: deps.version,
    has_update: false,
    checked_at: 0,
    unchecked: 'not_set_up' as const,
    new_releases: [],
  }
  return [
    bind(getUpdates, async ({ query }) => {
      const checked = await deps.catalogue.releases()
      if (!checked.ok && checked.failure.kind === 'not_set_up') return succeed({ body: notLookedAt })
      if (!checked.ok) return failWith(failure('upstream', serviceReason('releases', checked.failure)))
      const newer = newerReleases(checked.value.releases, deps.version, query.include_prerelease === '1')
      return succeed({
        body: {
          current_version: deps.version,
          has_update: newer.length > 0,
          checked_at: checked.value.checkedAtUnix,
          new_releases: newer.slice(0, newReleasesMax).map(toWireRelease),
          ...(newer.length > newReleasesMax ? { has_more_releases: true as const } : {}),
        },
      })
    }),
  ]
}

function toWireRelease({ version, name, publishedAtUnix, url, changelog, isPreview }: Release): WireRelease {
  return {
    version,
    name,
    published_at: publishedAtUnix,
    url,
    changelog,
    ...(isPreview ? { prerelease: true as const } : {}),
  }
}
