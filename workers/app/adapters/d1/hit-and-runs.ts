import { and, desc, eq, gte, inArray, or, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { hitAndRunDays, hitAndRunTorrentsMax } from '../../limits.ts'
import type { HitAndRunRecord, HitAndRunStore } from '../../ports/pushes.ts'
import { downloaders } from './schema/downloaders.ts'
import { pushRecords } from './schema/pushes.ts'

const daySeconds = 86_400

export function createHitAndRunStore(db: DrizzleD1Database, clock: Clock): HitAndRunStore {
  /** What a rule of the site or a mark of its lists wants seeded. */
  const isAsked = (ruled: readonly string[]) =>
    and(
      eq(pushRecords.pushed, true),
      gte(pushRecords.pushedAtUnix, unixSeconds(clock) - hitAndRunDays * daySeconds),
      ruled.length === 0
        ? eq(pushRecords.hasHr, true)
        : or(eq(pushRecords.hasHr, true), inArray(pushRecords.site, [...ruled])),
    )

  const select = () =>
    db
      .select({ row: pushRecords, downloader: downloaders.name })
      .from(pushRecords)
      .leftJoin(downloaders, eq(downloaders.id, pushRecords.downloaderId))

  return {
    async ofSite(site, isRuled) {
      const rows = await select()
        .where(and(eq(pushRecords.site, site), isAsked(isRuled ? [site] : [])))
        .orderBy(desc(pushRecords.id))
        .limit(hitAndRunTorrentsMax)
      return rows.map(toRecord)
    },

    async open(ruled) {
      const rows = await select()
        .where(and(isAsked(ruled), eq(pushRecords.completed, true)))
        .orderBy(sql`coalesce(${pushRecords.givenAtUnix}, 0)`, desc(pushRecords.id))
        .limit(hitAndRunTorrentsMax)
      return rows.map(toRecord)
    },

    async isAny(ruled) {
      const rows = await select()
        .where(and(isAsked(ruled), eq(pushRecords.completed, true)))
        .limit(1)
      return rows.length > 0
    },

    async note(looks) {
      const nowUnix = unixSeconds(clock)
      const updates = looks.map(({ id, shown }) => {
        if (shown === undefined)
          return db
            .update(pushRecords)
            .set({ missingSinceUnix: sql`coalesce(${pushRecords.missingSinceUnix}, ${nowUnix})` })
            .where(eq(pushRecords.id, id))
        const { seededSeconds, givenBytes, isSeeding } = shown
        return db
          .update(pushRecords)
          .set({
            // A counter that began anew takes nothing back.
            seededSeconds:
              seededSeconds === undefined
                ? sql`${pushRecords.seededSeconds}`
                : sql`max(coalesce(${pushRecords.seededSeconds}, 0), ${seededSeconds})`,
            givenBytes: sql`max(coalesce(${pushRecords.givenBytes}, 0), ${givenBytes})`,
            isSeeding,
            givenAtUnix: nowUnix,
            missingSinceUnix: null,
          })
          .where(eq(pushRecords.id, id))
      })
      for (let start = 0; start < updates.length; start += notesPerBatch) {
        const [first, ...others] = updates.slice(start, start + notesPerBatch)
        if (first !== undefined) await db.batch([first, ...others])
      }
    },
  }
}

const notesPerBatch = 50

function toRecord({
  row,
  downloader,
}: {
  row: typeof pushRecords.$inferSelect
  downloader: string | null
}): HitAndRunRecord {
  return {
    id: row.id,
    site: row.site,
    torrentId: row.torrentId,
    title: row.title,
    sizeBytes: row.sizeBytes,
    isMarked: row.hasHr,
    downloader: downloader ?? row.downloader,
    downloaderId: row.downloaderId,
    infoHashes: row.infoHashes.split(','),
    isComplete: row.completed,
    seededSeconds: row.seededSeconds ?? undefined,
    givenBytes: row.givenBytes ?? undefined,
    isSeeding: row.isSeeding,
    isMissing: row.missingSinceUnix !== null,
    givenAtUnix: row.givenAtUnix ?? undefined,
  }
}
