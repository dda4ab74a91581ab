import { and, asc, desc, eq, gt, inArray, notInArray, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { readReason, storeReason } from '../../core/reason/stored-reason.ts'
import type { ReseedState } from '../../core/reseed/reseed.ts'
import { reseedAgainSeconds, reseedsShown } from '../../limits.ts'
import type { Reseed } from '../../ports/reseeds.ts'
import { downloaders } from './schema/downloaders.ts'
import { pushRecords } from './schema/pushes.ts'
import { reseeds } from './schema/reseeds.ts'

export type ReseedRow = typeof reseeds.$inferSelect

/** What came of one search. */
export interface ReseedFinding {
  readonly downloaderId: number
  readonly infoHash: string
  readonly title: string
  readonly sizeBytes: number
  readonly site: string
  readonly state: ReseedState
  readonly asks: number
  readonly torrentId?: string
  readonly otherTitle?: string
  readonly otherHashes?: readonly string[]
  readonly hasHr?: boolean
  readonly reason?: Reason
}

export interface ReseedStore {
  list(): Promise<Reseed[]>
  asksToday(): Promise<ReadonlyMap<string, number>>
  /** Torrents of a downloader that a site need not be asked about: asked not long ago, or pushed from there. */
  done(site: string, downloaderId: number): Promise<ReadonlySet<string>>
  /** A search again goes on in the same row. */
  note(finding: ReseedFinding): Promise<void>
  /** To be added or checked. */
  open(): Promise<ReseedRow[]>
  isAnyOpen(): Promise<boolean>
  enter(id: number, state: ReseedState, reason?: Reason): Promise<void>
  retry(id: number, reason: Reason): Promise<number>
}

const daySeconds = 24 * 3600

export function createReseedStore(db: DrizzleD1Database, clock: Clock): ReseedStore {
  const isOpen = inArray(reseeds.state, ['adding', 'checking'])
  return {
    async list() {
      const rows = await db
        .select({ row: reseeds, downloader: downloaders.name })
        .from(reseeds)
        .leftJoin(downloaders, eq(downloaders.id, reseeds.downloaderId))
        // What was not found is mostly what there is, and the least that one wants to see.
        .orderBy(
          sql`${reseeds.state} in ('adding', 'checking') desc`,
          sql`${reseeds.state} in ('none', 'present')`,
          desc(reseeds.sinceUnix),
          desc(reseeds.id),
        )
        .limit(reseedsShown)
      return rows.map(({ row, downloader }) => {
        const reason = readReason(row.reason)
        return {
          id: row.id,
          downloader: downloader ?? '',
          infoHash: row.infoHash,
          title: row.title,
          sizeBytes: row.sizeBytes,
          site: row.site,
          state: row.state,
          torrentId: row.torrentId,
          otherTitle: row.otherTitle,
          ...(reason === undefined ? {} : { reason }),
          askedAtUnix: row.askedAtUnix,
          sinceUnix: row.sinceUnix,
        }
      })
    },

    async asksToday() {
      const rows = await db
        .select({ site: reseeds.site, asks: sql<number>`sum(${reseeds.asks})` })
        .from(reseeds)
        .where(gt(reseeds.askedAtUnix, unixSeconds(clock) - daySeconds))
        .groupBy(reseeds.site)
      return new Map(rows.map(({ site, asks }) => [site, asks]))
    },

    async done(site, downloaderId) {
      const again = unixSeconds(clock) - reseedAgainSeconds
      const [asked, pushed] = await db.batch([
        db
          .select({ infoHash: reseeds.infoHash })
          .from(reseeds)
          .where(
            and(
              eq(reseeds.site, site),
              eq(reseeds.downloaderId, downloaderId),
              sql`(${notInArray(reseeds.state, ['none', 'other'])} or ${gt(reseeds.askedAtUnix, again)})`,
            ),
          ),
        db
          .select({ infoHashes: pushRecords.infoHashes })
          .from(pushRecords)
          .where(and(eq(pushRecords.site, site), eq(pushRecords.downloaderId, downloaderId))),
      ])
      return new Set([
        ...asked.map(({ infoHash }) => infoHash),
        ...pushed.flatMap(({ infoHashes }) => infoHashes.split(',')),
      ])
    },

    async note({ otherHashes, reason, ...finding }) {
      const nowUnix = unixSeconds(clock)
      const columns = {
        ...finding,
        otherHashes: otherHashes?.join(',') ?? '',
        reason: storeReason(reason),
        attempts: 0,
        askedAtUnix: nowUnix,
        sinceUnix: nowUnix,
      }
      await db
        .insert(reseeds)
        .values(columns)
        .onConflictDoUpdate({ target: [reseeds.site, reseeds.downloaderId, reseeds.infoHash], set: columns })
    },

    async open() {
      return db.select().from(reseeds).where(isOpen).orderBy(asc(reseeds.attempts), asc(reseeds.id)).limit(20)
    },

    async isAnyOpen() {
      return (await db.select({ id: reseeds.id }).from(reseeds).where(isOpen).limit(1)).length > 0
    },

    async enter(id, state, reason) {
      await db
        .update(reseeds)
        .set({ state, attempts: 0, reason: storeReason(reason), sinceUnix: unixSeconds(clock) })
        .where(eq(reseeds.id, id))
    },

    async retry(id, reason) {
      const [row] = await db
        .update(reseeds)
        .set({ attempts: sql`${reseeds.attempts} + 1`, reason: storeReason(reason) })
        .where(eq(reseeds.id, id))
        .returning({ attempts: reseeds.attempts })
      return row?.attempts ?? 0
    },
  }
}
