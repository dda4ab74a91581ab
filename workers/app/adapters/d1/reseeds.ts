import { and, asc, desc, eq, getTableColumns, gt, inArray, lte, ne, notInArray, or, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { readReason, storeReason } from '../../core/reason/stored-reason.ts'
import type { ReseedState, ReseedWay } from '../../core/reseed/reseed.ts'
import {
  piecesKept,
  reseedAgainSeconds,
  reseedRowsPerStatement,
  reseedsShown,
  reseedTorrentsTold,
  reseedUnansweredSeconds,
} from '../../limits.ts'
import type { Reseed, ReseedSite } from '../../ports/reseeds.ts'
import { downloaders } from './schema/downloaders.ts'
import { pushRecords } from './schema/pushes.ts'
import { pieceHashes, reseedAsks, reseeds } from './schema/reseeds.ts'

export type ReseedRow = typeof reseeds.$inferSelect

/** What came of looking for one torrent on one site. */
export interface ReseedFinding {
  readonly downloaderId: number
  readonly infoHash: string
  readonly title: string
  readonly sizeBytes: number
  readonly site: string
  readonly way: ReseedWay
  readonly state: ReseedState
  readonly torrentId?: string
  readonly otherTitle?: string
  readonly otherHashes?: readonly string[]
  readonly hasHr?: boolean
  readonly reason?: Reason
}

export interface ReseedStore {
  list(): Promise<Reseed[]>
  /** Those that were looked at, each with how it was asked and what was found. */
  sites(): Promise<ReseedSite[]>
  asksToday(): Promise<ReadonlyMap<string, number>>
  noteAsks(site: string, asks: number): Promise<void>
  /** Torrents of a downloader that a site need not be asked about: asked not long ago, or pushed from there. */
  done(site: string, downloaderId: number): Promise<ReadonlySet<string>>
  /** Torrents of a downloader that are of the same files: what was looked for, and what was found. */
  sameContent(downloaderId: number): Promise<readonly (readonly [string, string])[]>
  /** What a site is said to have and whose file is yet to be compared, the largest first. */
  told(site: string): Promise<readonly Pick<ReseedRow, 'downloaderId' | 'infoHash' | 'torrentId'>[]>
  /** What is looked for again goes on in the same row. */
  note(findings: readonly ReseedFinding[]): Promise<void>
  /** Hashes of pieces by info hash, of up to `piecesPerAskMax`. */
  pieces(infoHashes: readonly string[]): Promise<ReadonlyMap<string, string>>
  keepPieces(infoHash: string, hash: string): Promise<void>
  /** To be added or checked. */
  open(): Promise<ReseedRow[]>
  isAnyOpen(): Promise<boolean>
  enter(id: number, state: ReseedState, reason?: Reason): Promise<void>
  retry(id: number, reason: Reason): Promise<number>
}

const daySeconds = 24 * 3600

/** One that was noted before takes what is noted now, but for what it is called by. */
const allAsNoted = Object.fromEntries(
  Object.entries(getTableColumns(reseeds))
    .filter(([name]) => !['id', 'site', 'downloaderId', 'infoHash'].includes(name))
    .map(([name, column]) => [name, sql.raw(`excluded.${column.name}`)]),
)

function parted<T>(all: readonly T[], most: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most))
}

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
          way: row.way,
          state: row.state,
          torrentId: row.torrentId,
          otherTitle: row.otherTitle,
          ...(reason === undefined ? {} : { reason }),
          askedAtUnix: row.askedAtUnix,
          sinceUnix: row.sinceUnix,
        }
      })
    },

    async sites() {
      const isFound = sql`${reseeds.torrentId} <> '' and ${reseeds.state} <> 'told'`
      const [rows, asks] = await Promise.all([
        db
          .select({ site: reseeds.site, way: reseeds.way, found: sql<number>`sum(${isFound})` })
          .from(reseeds)
          .groupBy(reseeds.site, reseeds.way)
          .orderBy(reseeds.site, desc(reseeds.way)),
        this.asksToday(),
      ])
      const names = [...new Set([...asks.keys(), ...rows.map(({ site }) => site)])]
      return names.map((site) => ({
        site,
        asks: asks.get(site) ?? 0,
        ways: rows.filter((row) => row.site === site).map(({ way, found }) => ({ way, found })),
      }))
    },

    async asksToday() {
      const rows = await db
        .select({ site: reseedAsks.site, asks: sql<number>`sum(${reseedAsks.asks})` })
        .from(reseedAsks)
        .where(gt(reseedAsks.atUnix, unixSeconds(clock) - daySeconds))
        .groupBy(reseedAsks.site)
      return new Map(rows.map(({ site, asks }) => [site, asks]))
    },

    async noteAsks(site, asks) {
      const atUnix = unixSeconds(clock)
      await db.batch([
        db.delete(reseedAsks).where(lte(reseedAsks.atUnix, atUnix - daySeconds)),
        db.insert(reseedAsks).values({ site, asks, atUnix }),
      ])
    },

    async done(site, downloaderId) {
      const since = (seconds: number) => gt(reseeds.askedAtUnix, unixSeconds(clock) - seconds)
      const [asked, pushed] = await db.batch([
        db
          .select({ infoHash: reseeds.infoHash })
          .from(reseeds)
          .where(
            and(
              eq(reseeds.site, site),
              eq(reseeds.downloaderId, downloaderId),
              or(
                notInArray(reseeds.state, ['none', 'other', 'unanswered']),
                since(reseedUnansweredSeconds),
                and(ne(reseeds.state, 'unanswered'), since(reseedAgainSeconds)),
              ),
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

    async sameContent(downloaderId) {
      const rows = await db
        .select({ infoHash: reseeds.infoHash, otherHashes: reseeds.otherHashes })
        .from(reseeds)
        .where(
          and(
            eq(reseeds.downloaderId, downloaderId),
            inArray(reseeds.state, ['present', 'adding', 'checking', 'seeding']),
          ),
        )
      return rows.flatMap(({ infoHash, otherHashes }) =>
        otherHashes.split(',').map((other) => [infoHash, other] as const),
      )
    },

    async told(site) {
      const { downloaderId, infoHash, torrentId } = reseeds
      return db
        .select({ downloaderId, infoHash, torrentId })
        .from(reseeds)
        .where(and(eq(reseeds.site, site), eq(reseeds.state, 'told')))
        .orderBy(desc(reseeds.sizeBytes))
        .limit(reseedTorrentsTold)
    },

    async note(findings) {
      const nowUnix = unixSeconds(clock)
      const rows = findings.map(({ otherHashes, reason, ...finding }) => ({
        ...{ torrentId: '', otherTitle: '', hasHr: false, ...finding },
        otherHashes: otherHashes?.join(',') ?? '',
        reason: storeReason(reason),
        attempts: 0,
        askedAtUnix: nowUnix,
        sinceUnix: nowUnix,
      }))
      const [first, ...others] = parted(rows, reseedRowsPerStatement).map((some) =>
        db
          .insert(reseeds)
          .values(some)
          .onConflictDoUpdate({ target: [reseeds.site, reseeds.downloaderId, reseeds.infoHash], set: allAsNoted }),
      )
      if (first !== undefined) await db.batch([first, ...others])
    },

    async pieces(infoHashes) {
      const rows = await db
        .select()
        .from(pieceHashes)
        .where(inArray(pieceHashes.infoHash, [...infoHashes]))
      return new Map(rows.map(({ infoHash, hash }) => [infoHash, hash]))
    },

    async keepPieces(infoHash, hash) {
      await db.batch([
        db.insert(pieceHashes).values({ infoHash, hash }).onConflictDoNothing(),
        db.delete(pieceHashes).where(sql`${pieceHashes.id} <= (select max(id) from ${pieceHashes}) - ${piecesKept}`),
      ])
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
