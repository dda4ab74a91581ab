import { and, asc, eq, isNull, ne, or, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { FreeEndReason } from '../../core/reason/reason.ts'
import type { Discount, FreeEndAction, FreeEnding, UnknownEnd } from '../../core/vocabulary.ts'
import { freeEndTorrentsMax } from '../../limits.ts'
import { recordPushEvents } from './events.ts'
import { downloaders } from './schema/downloaders.ts'
import { pushRecords } from './schema/pushes.ts'

/** A push whose torrent is not complete and was free when it was pushed. */
export interface FreePush {
  readonly id: number
  readonly title: string
  readonly downloaderId: number
  readonly infoHashes: readonly string[]
  readonly endAtUnix: number | undefined
  /** By the rule that ordered it; undefined for what the owner settled for all. */
  readonly unknownEnd: UnknownEnd | undefined
  readonly ending: FreeEnding | undefined
}

interface FreeOfSite extends FreePush {
  readonly torrentId: string
  readonly downloader: string
  readonly discount: Discount
}

export interface FreeEndStore {
  /** Of one site, whatever was done about them; the nearest end first. */
  ofSite(site: string): Promise<FreeOfSite[]>
  /** Of downloaders that are on, those about which something is left to do; the nearest end first. */
  waiting(action: FreeEndAction): Promise<FreePush[]>
  isAnyWaiting(action: FreeEndAction): Promise<boolean>
  /** Written together with what is told of it. */
  note(id: number, ending: FreeEnding, reason: FreeEndReason): Promise<void>
}

export function createFreeEndStore(db: DrizzleD1Database, clock: Clock): FreeEndStore {
  const isLeft = (action: FreeEndAction) =>
    and(
      eq(pushRecords.followed, true),
      eq(pushRecords.free, true),
      action === 'pause'
        ? or(isNull(pushRecords.freeEnding), ne(pushRecords.freeEnding, 'paused'))
        : isNull(pushRecords.freeEnding),
      eq(downloaders.enabled, true),
    )

  const rows = (action: FreeEndAction, limit: number) =>
    db
      .select({ row: pushRecords })
      .from(pushRecords)
      .innerJoin(downloaders, eq(downloaders.id, pushRecords.downloaderId))
      .where(isLeft(action))
      .orderBy(...nearestFirst)
      .limit(limit)

  return {
    async ofSite(site) {
      const found = await db
        .select()
        .from(pushRecords)
        .where(and(eq(pushRecords.site, site), eq(pushRecords.followed, true), eq(pushRecords.free, true)))
        .orderBy(...nearestFirst)
        .limit(freeEndTorrentsMax)
      return found.map((row) => ({
        ...toFreePush(row),
        torrentId: row.torrentId,
        downloader: row.downloader,
        discount: row.freeLevel ?? 'FREE',
      }))
    },

    async waiting(action) {
      if (action === 'off') return []
      return (await rows(action, freeEndTorrentsMax)).map(({ row }) => toFreePush(row))
    },

    async isAnyWaiting(action) {
      return action !== 'off' && (await rows(action, 1)).length > 0
    },

    async note(id, ending, reason) {
      await db.batch([
        ...recordPushEvents(db, 'push.free_ending', { ids: [id], where: sql`1`, reason }, unixSeconds(clock)),
        db.update(pushRecords).set({ freeEnding: ending }).where(eq(pushRecords.id, id)),
      ])
    },
  }
}

const nearestFirst = [sql`coalesce(${pushRecords.freeEndAtUnix}, 0)`, asc(pushRecords.id)]

function toFreePush(row: typeof pushRecords.$inferSelect): FreePush {
  return {
    id: row.id,
    title: row.title,
    downloaderId: row.downloaderId,
    infoHashes: row.infoHashes.split(','),
    endAtUnix: row.freeEndAtUnix ?? undefined,
    unknownEnd: row.unknownEnd ?? undefined,
    ending: row.freeEnding ?? undefined,
  }
}
