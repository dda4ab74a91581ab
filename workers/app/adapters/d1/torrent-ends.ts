import { and, desc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { EndVerdict } from '../../core/ends/plan-ends.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { readReason, storeReason } from '../../core/reason/stored-reason.ts'
import type { Clause } from '../../core/rules/clause.ts'
import { endsDueKept, endsShown, heldRecordsMax, torrentEndSeconds } from '../../limits.ts'
import type { TorrentEnd } from '../../ports/ends.ts'
import { torrentEnds } from './schema/ends.ts'
import { pushRecords } from './schema/pushes.ts'

/** A push of a torrent that its downloader may still hold. */
export interface HeldRecord {
  readonly site: string
  readonly hasHr: boolean
  readonly seededSeconds: number | undefined
  readonly infoHashes: readonly string[]
}

/** One verdict with the name of its rule. */
export type NamedVerdict = EndVerdict & { readonly rule: string }

export interface TorrentEndStore {
  list(): Promise<TorrentEnd[]>
  records(downloaderId: number): Promise<HeldRecord[]>
  /** Torrents that were paused once: whoever started one again wants it. */
  paused(downloaderId: number): Promise<ReadonlySet<string>>
  /**
   * Brings what is due of a downloader in step with a look at it: what is due still stays so since then, what is not due
   * any more is forgotten, and what was about to end and is gone, or is paused, ended. `held` is all it shows.
   */
  settle(
    downloaderId: number,
    held: ReadonlySet<string>,
    verdicts: readonly NamedVerdict[],
  ): Promise<ReadonlyMap<string, { readonly id: number; readonly dueSinceUnix: number }>>
  begin(ids: readonly number[]): Promise<void>
  finish(id: number, reason: Reason | undefined): Promise<void>
  /** Nothing is wanted ended any more. */
  forgetDue(): Promise<void>
  /** Clears what ended long ago. */
  trim(): Promise<void>
}

type Row = typeof torrentEnds.$inferSelect

export function createTorrentEndStore(db: DrizzleD1Database, clock: Clock): TorrentEndStore {
  const isOpen = inArray(torrentEnds.status, ['due', 'ending'])

  const columnsOf = ({ held, ruleId, rule, action, clauses }: NamedVerdict) => ({
    downloader: held.downloader,
    title: held.torrent.title,
    site: held.site ?? '',
    sizeBytes: held.torrent.sizeBytes,
    action,
    ruleId,
    ruleName: rule,
    clauses: JSON.stringify(clauses),
    status: 'due' as const,
    decidedAtUnix: unixSeconds(clock),
  })

  return {
    async list() {
      const rows = await db
        .select()
        .from(torrentEnds)
        .orderBy(sql`${torrentEnds.status} in ('due', 'ending') desc`, desc(torrentEnds.decidedAtUnix), torrentEnds.id)
        .limit(endsShown)
      return rows.map(toEnd)
    },

    async records(downloaderId) {
      const rows = await db
        .select({
          site: pushRecords.site,
          hasHr: pushRecords.hasHr,
          seededSeconds: pushRecords.seededSeconds,
          infoHashes: pushRecords.infoHashes,
        })
        .from(pushRecords)
        .where(and(eq(pushRecords.downloaderId, downloaderId), eq(pushRecords.pushed, true)))
        .orderBy(desc(pushRecords.id))
        .limit(heldRecordsMax)
      return rows.map(({ seededSeconds, infoHashes, ...row }) => ({
        ...row,
        seededSeconds: seededSeconds ?? undefined,
        infoHashes: infoHashes.split(','),
      }))
    },

    async paused(downloaderId) {
      const rows = await db
        .select({ infoHash: torrentEnds.infoHash })
        .from(torrentEnds)
        .where(
          and(
            eq(torrentEnds.downloaderId, downloaderId),
            eq(torrentEnds.status, 'ended'),
            eq(torrentEnds.action, 'pause'),
          ),
        )
      return new Set(rows.map(({ infoHash }) => infoHash))
    },

    async settle(downloaderId, held, verdicts) {
      const nowUnix = unixSeconds(clock)
      const open = new Map(
        (
          await db
            .select()
            .from(torrentEnds)
            .where(and(eq(torrentEnds.downloaderId, downloaderId), isOpen))
        ).map((row) => [row.infoHash, row]),
      )
      const wanted = new Map(verdicts.slice(0, endsDueKept).map((one) => [one.held.torrent.infoHash, one]))
      const due = new Map<string, { id: number; dueSinceUnix: number }>()
      for (const [infoHash, verdict] of wanted) {
        const row = open.get(infoHash)
        const isSame = row?.ruleId === verdict.ruleId && row.action === verdict.action
        const dueSinceUnix = isSame ? row.dueSinceUnix : nowUnix
        const columns = { ...columnsOf(verdict), dueSinceUnix }
        const id =
          row === undefined
            ? (
                await db
                  .insert(torrentEnds)
                  .values({ ...columns, downloaderId, infoHash })
                  .returning({ id: torrentEnds.id })
              )[0]?.id
            : row.id
        if (id === undefined) continue
        if (row !== undefined) await db.update(torrentEnds).set(columns).where(eq(torrentEnds.id, id))
        due.set(infoHash, { id, dueSinceUnix })
      }
      for (const row of open.values()) {
        if (wanted.has(row.infoHash)) continue
        // Its end was cut off between the deed and its note.
        const hasEnded = row.status === 'ending' && (row.action === 'pause' || !held.has(row.infoHash))
        await (hasEnded
          ? db.update(torrentEnds).set({ status: 'ended', decidedAtUnix: nowUnix }).where(eq(torrentEnds.id, row.id))
          : db.delete(torrentEnds).where(eq(torrentEnds.id, row.id)))
      }
      return due
    },

    async begin(ids) {
      await db
        .update(torrentEnds)
        .set({ status: 'ending' })
        .where(inArray(torrentEnds.id, [...ids]))
    },

    async finish(id, reason) {
      await db
        .update(torrentEnds)
        .set({
          status: reason === undefined ? 'ended' : 'failed',
          reason: storeReason(reason),
          decidedAtUnix: unixSeconds(clock),
        })
        .where(eq(torrentEnds.id, id))
    },

    async forgetDue() {
      await db.delete(torrentEnds).where(eq(torrentEnds.status, 'due'))
    },

    async trim() {
      await db.delete(torrentEnds).where(lte(torrentEnds.decidedAtUnix, unixSeconds(clock) - torrentEndSeconds))
    },
  }
}

function toEnd(row: Row): TorrentEnd {
  const reason = readReason(row.reason)
  return {
    id: row.id,
    downloaderId: row.downloaderId,
    downloader: row.downloader,
    infoHash: row.infoHash,
    title: row.title,
    site: row.site,
    sizeBytes: row.sizeBytes,
    action: row.action,
    status: row.status,
    rule: row.ruleName,
    clauses: JSON.parse(row.clauses) as Clause[],
    ...(reason === undefined ? {} : { reason }),
    dueSinceUnix: row.dueSinceUnix,
    decidedAtUnix: row.decidedAtUnix,
  }
}
