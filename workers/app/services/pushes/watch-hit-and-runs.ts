import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { HitAndRunRule, SiteRules } from '../../contract/site-rules.ts'
import { isAskedOfAll, seedingStanding } from '../../core/hit-and-run.ts'
import type { NamedReason, Reason } from '../../core/reason/reason.ts'
import { hitAndRunLookSeconds } from '../../limits.ts'
import type { DownloaderFleet, DownloaderStore } from '../../ports/downloaders.ts'
import type { HitAndRunStore } from '../../ports/pushes.ts'
import type { SiteStore } from '../../ports/sites.ts'

export interface HitAndRunDeps {
  readonly clock: Clock
  readonly store: HitAndRunStore
  readonly sites: Pick<SiteStore, 'list'>
  readonly rulesOf: (definition: string) => SiteRules
  readonly downloaders: Pick<DownloaderStore, 'targets'>
  readonly fleet: Pick<DownloaderFleet, 'find'>
}

/** By the name of the site; and of those sites the ones that ask it of every torrent. */
async function rulesBySite({ sites, rulesOf }: Pick<HitAndRunDeps, 'sites' | 'rulesOf'>) {
  const rules = new Map<string, HitAndRunRule>()
  const ofAll: string[] = []
  for (const { record } of await sites.list()) {
    const rule = rulesOf(record.definition).hit_and_run
    if (rule === undefined) continue
    rules.set(record.name, rule)
    if (isAskedOfAll(record.kind)) ofAll.push(record.name)
  }
  return { rules, ofAll }
}

/** Whether anything has to be seeded that its downloader may tell about. */
export async function isHitAndRunWatched(deps: Pick<HitAndRunDeps, 'store' | 'sites' | 'rulesOf'>): Promise<boolean> {
  return deps.store.isAny((await rulesBySite(deps)).ofAll)
}

/** Notes what the downloaders gave of what has to be seeded, and which they do not have. What is free is left alone. */
export async function watchHitAndRuns(
  deps: HitAndRunDeps,
): Promise<{ readonly dueAtUnix: number | undefined; readonly reason?: Reason }> {
  const { rules, ofAll } = await rulesBySite(deps)
  const all = await deps.store.open(ofAll)
  const open = all.filter((record) => seedingStanding(record, rules.get(record.site), true).state !== 'free')
  const targets = new Map((await deps.downloaders.targets()).map((target) => [target.id, target]))
  const errors: NamedReason[] = []
  await Promise.all(
    [...Map.groupBy(open, ({ downloaderId }) => downloaderId)].map(async ([downloaderId, records]) => {
      const target = targets.get(downloaderId)
      if (target === undefined) return
      const found = await deps.fleet.find(
        target,
        records.flatMap(({ infoHashes }) => infoHashes),
      )
      if (!found.ok) {
        errors.push({ name: target.name, reason: found.failure })
        return
      }
      const shown = new Map(found.value.map((torrent) => [torrent.infoHash, torrent]))
      await deps.store.note(
        records.map(({ id, infoHashes }) => {
          const torrent = infoHashes.map((infoHash) => shown.get(infoHash)).find((one) => one !== undefined)
          if (torrent === undefined) return { id, shown: undefined }
          const { seedingSeconds: seededSeconds, uploadedBytes: givenBytes, state } = torrent
          return { id, shown: { seededSeconds, givenBytes, isSeeding: state === 'seeding' } }
        }),
      )
    }),
  )
  return {
    dueAtUnix: all.length === 0 ? undefined : unixSeconds(deps.clock) + hitAndRunLookSeconds,
    ...(errors.length === 0 ? {} : { reason: { kind: 'several', of: errors } }),
  }
}
