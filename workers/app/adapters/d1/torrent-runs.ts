import { and, asc, count, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { BatchOutcome, RunBatch, RunDeed, RunFailure, RunTarget } from '../../core/torrent-run.ts'
import type { TorrentRunEnd } from '../../core/vocabulary.ts'
import { torrentRunFailuresShownMax, torrentRunsKeptMax, torrentRunsOpenMax } from '../../limits.ts'
import type { TorrentRun, UnreadDownloader } from '../../ports/torrent-runs.ts'
import { broughtForward, serviceJob } from './job-list.ts'
import { jobs } from './schema/jobs.ts'
import { torrentRunBatches as batches, torrentRuns as runs } from './schema/torrent-runs.ts'

/** A row stays far below the 2 MB that a parameter may have. */
const batchesPerStatement = 20

export interface OpenRun {
  readonly id: number
  readonly deed: RunDeed
  readonly isStopped: boolean
  readonly createdAtUnix: number
}

export interface OpenBatch extends RunBatch {
  readonly position: number
  /** Its downloader may have been told before. */
  readonly wasBegun: boolean
}

export type TorrentRunStore = ReturnType<typeof createTorrentRunStore>

export function createTorrentRunStore(db: DrizzleD1Database, clock: Clock) {
  const isOpen = isNull(runs.end)
  const isBatch = (runId: number, position: number) => and(eq(batches.runId, runId), eq(batches.position, position))
  const openAt = (runId: number, downloaderId: number) =>
    and(eq(batches.runId, runId), eq(batches.downloaderId, downloaderId), isNull(batches.succeeded))

  async function toRun(row: typeof runs.$inferSelect): Promise<TorrentRun> {
    const [[sums], failedRows] = await db.batch([
      db
        .select({
          succeeded: sql<number>`coalesce(sum(${batches.succeeded}), 0)`,
          failed: sql<number>`coalesce(sum(iif(${batches.succeeded} is null, 0, ${batches.size} - ${batches.succeeded})), 0)`,
        })
        .from(batches)
        .where(eq(batches.runId, row.id)),
      db
        .select()
        .from(batches)
        .where(and(eq(batches.runId, row.id), lt(batches.succeeded, batches.size)))
        .orderBy(asc(batches.position))
        .limit(torrentRunFailuresShownMax),
    ])
    return {
      id: row.id,
      deed: JSON.parse(row.deed) as RunDeed,
      total: row.total,
      succeeded: sums?.succeeded ?? 0,
      failed: sums?.failed ?? 0,
      failures: failedRows.flatMap(failuresIn).slice(0, torrentRunFailuresShownMax),
      unread: JSON.parse(row.unread) as UnreadDownloader[],
      createdAtUnix: row.createdAtUnix,
      finishedAtUnix: row.finishedAtUnix ?? undefined,
      end: row.end ?? undefined,
    }
  }

  return {
    async list(): Promise<TorrentRun[]> {
      const rows = await db.select().from(runs).orderBy(desc(runs.id)).limit(torrentRunsKeptMax)
      return Promise.all(rows.map(toRun))
    },

    async find(id: number): Promise<TorrentRun | undefined> {
      const [row] = await db.select().from(runs).where(eq(runs.id, id))
      return row === undefined ? undefined : toRun(row)
    },

    /** Whole or not at all. Undefined when so many are under way that another one has to wait. */
    async create(deed: RunDeed, chosen: readonly RunBatch[], unread: readonly UnreadDownloader[]) {
      const [open] = await db.select({ count: count() }).from(runs).where(isOpen)
      if ((open?.count ?? 0) >= torrentRunsOpenMax) return undefined
      const nowUnix = unixSeconds(clock)
      const rows = chosen.map(({ downloaderId, targets }, position) => ({
        position,
        downloaderId,
        size: targets.length,
        targets: JSON.stringify(targets),
      }))
      const field = (name: keyof (typeof rows)[number]) => sql`item.value ->> ${`$.${name}`}`
      const parts: BatchItem<'sqlite'>[] = []
      for (let at = 0; at < rows.length; at += batchesPerStatement)
        parts.push(
          db.insert(batches).select(sql`
            select (select max(id) from ${runs}), ${field('position')}, ${field('downloaderId')}, ${field('size')},
              ${field('targets')}, null, null, null
            from json_each(${JSON.stringify(rows.slice(at, at + batchesPerStatement))}) as item`),
        )
      const old = sql`(select id from ${runs} where ${isNotNull(runs.end)} order by id desc limit -1 offset ${torrentRunsKeptMax})`
      const [[row]] = await db.batch([
        db
          .insert(runs)
          .values({
            deed: JSON.stringify(deed),
            total: chosen.reduce((sum, { targets }) => sum + targets.length, 0),
            unread: JSON.stringify(unread),
            createdAtUnix: nowUnix,
          })
          .returning({ id: runs.id }),
        ...parts,
        db.delete(batches).where(sql`${batches.runId} in ${old}`),
        db.delete(runs).where(sql`${runs.id} in ${old}`),
        db
          .insert(jobs)
          .values({ ...serviceJob('torrent_runs'), dueAtUnix: nowUnix })
          .onConflictDoUpdate(broughtForward),
      ])
      if (row === undefined) throw new Error('a run was written without a number')
      return row.id
    },

    async stop(id: number): Promise<void> {
      await db
        .update(runs)
        .set({ isStopped: true })
        .where(and(eq(runs.id, id), isOpen))
    },

    /** Those that it was done to. */
    async doneBy(id: number): Promise<RunBatch[]> {
      const rows = await db
        .select()
        .from(batches)
        .where(and(eq(batches.runId, id), sql`${batches.succeeded} > 0`))
        .orderBy(asc(batches.position))
      return rows.map(({ downloaderId, targets }) => ({ downloaderId, targets: JSON.parse(targets) as RunTarget[] }))
    },

    /** The oldest one that is under way. */
    async next(): Promise<OpenRun | undefined> {
      const [row] = await db.select().from(runs).where(isOpen).orderBy(asc(runs.id)).limit(1)
      return row === undefined ? undefined : { ...row, deed: JSON.parse(row.deed) as RunDeed }
    },

    async isAnyOpen(): Promise<boolean> {
      return (await db.select({ id: runs.id }).from(runs).where(isOpen).limit(1)).length > 0
    },

    async isStopped(id: number): Promise<boolean> {
      const [row] = await db.select({ isStopped: runs.isStopped }).from(runs).where(eq(runs.id, id))
      return row?.isStopped !== false
    },

    async openDownloaders(id: number): Promise<number[]> {
      const rows = await db
        .selectDistinct({ downloaderId: batches.downloaderId })
        .from(batches)
        .where(and(eq(batches.runId, id), isNull(batches.succeeded)))
      return rows.map(({ downloaderId }) => downloaderId)
    },

    /** The next batch for a downloader, written down as begun. */
    async take(id: number, downloaderId: number): Promise<OpenBatch | undefined> {
      const [row] = await db
        .select()
        .from(batches)
        .where(openAt(id, downloaderId))
        .orderBy(asc(batches.position))
        .limit(1)
      if (row === undefined) return undefined
      await db
        .update(batches)
        .set({ begunAtUnix: unixSeconds(clock) })
        .where(isBatch(id, row.position))
      return {
        position: row.position,
        downloaderId,
        targets: JSON.parse(row.targets) as RunTarget[],
        wasBegun: row.begunAtUnix !== null,
      }
    },

    async note(id: number, position: number, { succeeded, failed }: BatchOutcome): Promise<void> {
      await db
        .update(batches)
        .set({ succeeded: succeeded.length, targets: JSON.stringify(succeeded), failed: JSON.stringify(failed) })
        .where(isBatch(id, position))
    },

    /** What is open at a downloader is over, for one reason. */
    async refuseAll(id: number, downloaderId: number, reason: Reason): Promise<void> {
      await db
        .update(batches)
        .set({ succeeded: 0, failed: JSON.stringify(reason) })
        .where(openAt(id, downloaderId))
    },

    async finish(id: number, end: TorrentRunEnd): Promise<void> {
      await db
        .update(runs)
        .set({ end, finishedAtUnix: unixSeconds(clock) })
        .where(and(eq(runs.id, id), isOpen))
    },
  }
}

/** One list, or one reason for all of its targets. */
function failuresIn({ downloaderId, targets, failed }: typeof batches.$inferSelect): TorrentRun['failures'] {
  const stored = JSON.parse(failed ?? '[]') as RunFailure[] | Reason
  const list = Array.isArray(stored)
    ? stored
    : (JSON.parse(targets) as RunTarget[]).map(({ infoHash, title }) => ({ infoHash, title, reason: stored }))
  return list.map((one) => ({ ...one, downloaderId }))
}
