import { unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { getOverview, type WireOverview } from '../../contract/overview.ts'
import { failure } from '../../core/failure.ts'
import { localDay } from '../../core/local-day.ts'
import { changesBetween, type Snapshot } from '../../core/site-changes.ts'
import { sumUsers } from '../../core/site-totals.ts'
import type { SiteRecord } from '../../ports/sites.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { explained } from '../explained.ts'

type OverviewDeps = Pick<AppDeps, 'sites' | 'siteFigures' | 'clock' | 'locale' | 'logger'>

export function overviewRoutes(deps: OverviewDeps): BoundRoute[] {
  return [
    bind(getOverview, async ({ say }) => {
      const { timeZone } = await deps.locale.read()
      const day = localDay(unixSeconds(deps.clock), timeZone)
      const [entries, users, snapshots] = await Promise.all([
        deps.sites.list(),
        deps.siteFigures.users(),
        readSnapshots(deps, day),
      ])
      if (!users.ok) return failWith(failure('unavailable', users.failure))
      const enabled = entries.map(({ record }) => record).filter((record) => record.enabled)
      const fetched = enabled.flatMap(({ id }) => users.value.get(id) ?? [])
      const totals = sumUsers(fetched)
      return succeed({
        body: {
          totals: {
            uploaded: totals.uploadedBytes,
            downloaded: totals.downloadedBytes,
            ratio: totals.ratio,
            seeding: totals.seeding,
            leeching: totals.leeching,
            bonus: totals.bonus,
            bonus_per_hour: totals.bonusPerHour,
            seeding_size: totals.seedingSizeBytes,
            site_count: enabled.length,
            unread_messages: totals.unreadMessages,
          },
          today:
            snapshots === undefined
              ? { ...unknownToday, ...explained(say, { kind: 'history_unreadable' }) }
              : today(snapshots, day, enabled),
          updated_at: fetched.reduce((newest, { fetchedAtUnix }) => Math.max(newest, fetchedAtUnix), 0),
        },
      })
    }),
  ]
}

/** Zeros with an error are no statement about the traffic. */
const unknownToday: WireOverview['today'] = {
  from: '',
  to: '',
  uploaded: 0,
  downloaded: 0,
  bonus: 0,
  sites: [],
}

async function readSnapshots(deps: OverviewDeps, day: string): Promise<Snapshot[] | undefined> {
  try {
    return await deps.siteFigures.snapshotsFor(day, day)
  } catch (cause) {
    deps.logger.error('snapshots_unreadable', { cause })
    return undefined
  }
}

function today(snapshots: readonly Snapshot[], day: string, enabled: readonly SiteRecord[]): WireOverview['today'] {
  const names = new Map(enabled.map(({ id, name }) => [id, name]))
  const sites = changesBetween(snapshots, day, day)
    .flatMap(({ siteId, uploadedBytes, downloadedBytes, bonus, unknown }) => {
      const site = names.get(siteId)
      const told = unknown === undefined ? {} : { unknown: [...unknown] }
      return site === undefined ? [] : [{ site, uploaded: uploadedBytes, downloaded: downloadedBytes, bonus, ...told }]
    })
    .sort((left, right) => (left.site < right.site ? -1 : 1))
  return {
    from: day,
    to: day,
    uploaded: sites.reduce((sum, { uploaded }) => sum + uploaded, 0),
    downloaded: sites.reduce((sum, { downloaded }) => sum + downloaded, 0),
    bonus: sites.reduce((sum, { bonus }) => sum + bonus, 0),
    sites,
  }
}
