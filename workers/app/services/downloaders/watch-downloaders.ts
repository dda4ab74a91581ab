import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { Result } from '#shared/kernel/result.ts'
import type { DownloaderWatch, WatchedDownloader } from '../../adapters/d1/downloader-watch.ts'
import type { NewEvent } from '../../adapters/d1/events.ts'
import type { DownloaderStatus, DownloaderTarget } from '../../core/downloader.ts'
import { gibBytes } from '../../core/gib-bytes.ts'
import type { Reason } from '../../core/reason/reason.ts'
import {
  downloaderMissesMax,
  downloaderRecheckSeconds,
  downloaderWatchSeconds,
  spaceRecoveryShare,
} from '../../limits.ts'
import type { DownloaderFleet, DownloaderStore } from '../../ports/downloaders.ts'

export interface WatchDeps {
  readonly clock: Clock
  readonly watch: DownloaderWatch
  readonly downloaders: Pick<DownloaderStore, 'targets'>
  readonly fleet: Pick<DownloaderFleet, 'status'>
}

/** Looks whether downloaders answer and have space, while somebody wants to know. Gives back when to look again. */
export async function watchDownloaders(deps: WatchDeps): Promise<{ readonly dueAtUnix: number | undefined }> {
  const { clock, downloaders, watch } = deps
  if (!(await watch.isWanted())) {
    await watch.clear()
    return { dueAtUnix: undefined }
  }
  const targets = await downloaders.targets()
  const known = new Map((await watch.list()).map((row) => [row.downloaderId, row]))
  const misses = await Promise.all(targets.map((target) => look(deps, target, known.get(target.id))))
  await watch.keepOnly(targets.map(({ id }) => id))
  const isAnyUncertain = misses.some((count) => count > 0 && count < downloaderMissesMax)
  return { dueAtUnix: unixSeconds(clock) + (isAnyUncertain ? downloaderRecheckSeconds : downloaderWatchSeconds) }
}

/** Gives back how many looks in a row it has not answered. */
async function look(
  { clock, fleet, watch }: WatchDeps,
  target: DownloaderTarget,
  before: WatchedDownloader | undefined,
): Promise<number> {
  const status = await fleet.status(target)
  const misses = status.ok ? 0 : Math.min((before?.misses ?? 0) + 1, downloaderMissesMax)
  const isLow = isSpaceLow(status, target, before?.isLow ?? false)
  const events: NewEvent[] = []
  if (!status.ok && misses === downloaderMissesMax && before?.misses !== downloaderMissesMax)
    events.push({ type: 'downloader.unreachable', facts: { downloader: target.name, reason: status.failure } })
  if (status.ok && isLow && before?.isLow !== true)
    events.push({
      type: 'disk.low',
      facts: {
        downloader: target.name,
        free: status.value.freeSpaceBytes ?? 0,
        limit: target.minFreeGib * gibBytes,
      },
    })
  await watch.note({ downloaderId: target.id, misses, isLow }, events, unixSeconds(clock))
  return misses
}

/** What nobody can say stays as it was. */
function isSpaceLow(status: Result<DownloaderStatus, Reason>, target: DownloaderTarget, wasLow: boolean): boolean {
  if (!status.ok || status.value.freeSpaceBytes === undefined) return wasLow
  const limitBytes = target.minFreeGib * gibBytes
  return status.value.freeSpaceBytes < limitBytes * (wasLow ? 1 + spaceRecoveryShare : 1)
}
