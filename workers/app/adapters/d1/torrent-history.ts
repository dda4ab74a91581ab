import { and, desc, eq, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { readReason } from '../../core/reason/stored-reason.ts'
import type { Clause } from '../../core/rules/clause.ts'
import { torrentEventsMax } from '../../limits.ts'
import type { TorrentEvent, TorrentHistory } from '../../ports/torrent-history.ts'
import { brushTasks, brushTorrents } from './schema/brush.ts'
import { torrentEnds } from './schema/ends.ts'
import { feedItems, feeds } from './schema/feeds.ts'
import { mediaHistory } from './schema/library.ts'
import { pushRecords } from './schema/pushes.ts'

const hasHash = (column: SQLiteColumn, infoHash: string) =>
  sql`instr(',' || ${column} || ',', ',' || ${infoHash} || ',') > 0`

export function createTorrentHistory(db: DrizzleD1Database): TorrentHistory {
  return {
    async of(downloaderId, infoHash) {
      const isPush = and(eq(pushRecords.downloaderId, downloaderId), hasHash(pushRecords.infoHashes, infoHash))
      const isSame = (site: typeof feedItems.site, torrentId: typeof feedItems.torrentId) =>
        and(eq(site, pushRecords.site), eq(torrentId, pushRecords.torrentId))
      const [pushes, found, brushed, organised, ends] = await db.batch([
        db.select().from(pushRecords).where(isPush).orderBy(desc(pushRecords.id)).limit(torrentEventsMax),
        db
          .select({ item: feedItems, feed: feeds.name })
          .from(pushRecords)
          .innerJoin(feedItems, isSame(feedItems.site, feedItems.torrentId))
          .leftJoin(feeds, eq(feeds.id, feedItems.feedId))
          .where(isPush)
          .limit(torrentEventsMax),
        db
          .select({ item: brushTorrents, task: brushTasks.name })
          .from(brushTorrents)
          .leftJoin(brushTasks, eq(brushTasks.id, brushTorrents.taskId))
          .where(and(eq(brushTorrents.downloaderId, downloaderId), eq(brushTorrents.infoHash, infoHash)))
          .limit(torrentEventsMax),
        db
          .select()
          .from(mediaHistory)
          .where(and(eq(mediaHistory.downloaderId, downloaderId), hasHash(mediaHistory.infoHashes, infoHash)))
          .limit(torrentEventsMax),
        db
          .select()
          .from(torrentEnds)
          .where(and(eq(torrentEnds.downloaderId, downloaderId), eq(torrentEnds.infoHash, infoHash)))
          .limit(torrentEventsMax),
      ])
      const events: TorrentEvent[] = [
        ...found.map(
          ({ item, feed }): TorrentEvent => ({
            ...{
              at: item.decidedAtUnix,
              kind: 'found',
              site: item.site,
              torrentId: item.torrentId,
              rule: item.ruleName,
            },
            ...(feed === null ? {} : { by: feed }),
            clauses: JSON.parse(item.clauses) as Clause[],
          }),
        ),
        ...pushes.flatMap((row): TorrentEvent[] => {
          const named = { site: row.site, torrentId: row.torrentId, source: row.source }
          const reason = readReason(row.error)
          return [
            ...(row.pushedAtUnix === null ? [] : [{ ...named, at: row.pushedAtUnix, kind: 'pushed' } as const]),
            ...(reason === undefined ? [] : [{ ...named, at: row.createdAtUnix, kind: 'not_pushed', reason } as const]),
            ...(row.completedAtUnix === null ? [] : [{ at: row.completedAtUnix, kind: 'completed' } as const]),
          ]
        }),
        ...brushed.flatMap(({ item, task }): TorrentEvent[] => {
          const by = task === null ? {} : { by: task }
          const clauses = JSON.parse(item.clauses) as Clause[]
          return [
            // Older ones were taken when nothing said why.
            { at: item.takenAtUnix, kind: 'brush_taken', ...by, ...(clauses.length === 0 ? {} : { clauses }) },
            ...(item.endedAtUnix === null || item.reason === null
              ? []
              : [
                  {
                    ...by,
                    at: item.endedAtUnix,
                    kind: 'brush_removed',
                    reason: { kind: 'brush.removed', why: item.reason },
                  } as const,
                ]),
          ]
        }),
        ...organised.flatMap((row): TorrentEvent[] => {
          if (row.status === null) return []
          const reason = readReason(row.message)
          return [
            {
              ...{ at: row.updatedAtUnix, kind: 'organised' },
              ...(row.library === '' ? {} : { by: row.library }),
              ...(row.targetPath === '' ? {} : { path: row.targetPath }),
              ...(reason === undefined ? {} : { reason }),
            } as const,
          ]
        }),
      ]
      for (const row of ends) {
        const told = { rule: row.ruleName, clauses: JSON.parse(row.clauses) as Clause[] }
        const isDue = row.status === 'due' || row.status === 'ending'
        const reason = readReason(row.reason)
        events.push({
          ...told,
          at: isDue ? row.dueSinceUnix : row.decidedAtUnix,
          kind: isDue ? 'end_due' : 'ended',
          ...(reason === undefined ? {} : { reason }),
        })
      }
      return events.sort((one, other) => other.at - one.at).slice(0, torrentEventsMax)
    },
  }
}
