import { eq, notInArray, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { Result } from '#shared/kernel/result.ts'
import type { DownloaderStatus, DownloaderTarget } from '../core/downloader.ts'
import type { Reason } from '../core/reason/reason.ts'
import { downloaderMissesMax, downloaderRecheckSeconds, downloaderWatchSeconds, spaceRecoveryShare } from '../limits.ts'
import type { DownloaderFleet, DownloaderStore } from '../ports/downloaders.ts'
import { tell } from './d1/notices.ts'
import { downloaderWatch } from './d1/schema/downloaders.ts'
import { channels } from './d1/schema/messages.ts'

export interface WatchDeps {
  readonly clock: Clock
  readonly downloaders: Pick<DownloaderStore, 'targets'>
  readonly fleet: Pick<DownloaderFleet, 'status'>
}

type Watched = typeof downloaderWatch.$inferSelect

const gibBytes = 1024 ** 3

/** Looks whether downloaders answer and have space, while somebody wants to know. Gives back when to look again. */
export async function watchDownloaders(
  db: DrizzleD1Database,
  deps: WatchDeps,
): Promise<{ readonly dueAtUnix: number | undefined }> {
  const isWanted = sql`instr(events, ',downloader.unreachable,') + instr(events, ',disk.low,') > 0`
  const [wants] = await db
    .select({ id: channels.id })
    .from(channels)
    .where(sql`${eq(channels.enabled, true)} and ${isWanted}`)
    .limit(1)
  if (wants === undefined) {
    await db.delete(downloaderWatch)
    return { dueAtUnix: undefined }
  }
  const targets = await deps.downloaders.targets()
  const known = new Map((await db.select().from(downloaderWatch)).map((row) => [row.downloaderId, row]))
  const misses = await Promise.all(targets.map((target) => look(db, deps, target, known.get(target.id))))
  await db.delete(downloaderWatch).where(
    notInArray(
      downloaderWatch.downloaderId,
      targets.map(({ id }) => id),
    ),
  )
  const isAnyUncertain = misses.some((count) => count > 0 && count < downloaderMissesMax)
  return {
    dueAtUnix: unixSeconds(deps.clock) + (isAnyUncertain ? downloaderRecheckSeconds : downloaderWatchSeconds),
  }
}

/** Gives back how many looks in a row it has not answered. */
async function look(
  db: DrizzleD1Database,
  { clock, fleet }: WatchDeps,
  target: DownloaderTarget,
  before: Watched | undefined,
): Promise<number> {
  const status = await fleet.status(target)
  const nowUnix = unixSeconds(clock)
  const misses = status.ok ? 0 : Math.min((before?.misses ?? 0) + 1, downloaderMissesMax)
  const isLow = isSpaceLow(status, target, before?.isLow ?? false)
  const row = { misses, isLow }
  const facts = { downloader: target.name }
  const isNewlyGone = misses === downloaderMissesMax && before?.misses !== downloaderMissesMax
  const isNewlyLow = isLow && before?.isLow !== true
  await db.batch([
    db
      .insert(downloaderWatch)
      .values({ downloaderId: target.id, ...row })
      .onConflictDoUpdate({ target: downloaderWatch.downloaderId, set: row }),
    ...(isNewlyGone && !status.ok
      ? tell(db, { type: 'downloader.unreachable', facts: { ...facts, reason: status.failure } }, nowUnix)
      : []),
    ...(isNewlyLow && status.ok
      ? tell(
          db,
          {
            type: 'disk.low',
            facts: { ...facts, free: status.value.freeSpaceBytes ?? 0, limit: target.minFreeGib * gibBytes },
          },
          nowUnix,
        )
      : []),
  ])
  return misses
}

/** What nobody can say stays as it was. */
function isSpaceLow(status: Result<DownloaderStatus, Reason>, target: DownloaderTarget, wasLow: boolean): boolean {
  if (!status.ok || status.value.freeSpaceBytes === undefined) return wasLow
  const limitBytes = target.minFreeGib * gibBytes
  return status.value.freeSpaceBytes < limitBytes * (wasLow ? 1 + spaceRecoveryShare : 1)
}
