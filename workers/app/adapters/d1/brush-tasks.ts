import { and, asc, count, desc, eq, inArray, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { brushRules } from '../../contract/console-brush.ts'
import type { BrushRules } from '../../core/brush/brush-rules.ts'
import type { Removal } from '../../core/brush/brushed-torrent.ts'
import { localDay } from '../../core/local-day.ts'
import { chooseDownloader } from '../../core/push-plan.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { readReason } from '../../core/reason/stored-reason.ts'
import type { Clause } from '../../core/rules/clause.ts'
import type { BrushStatus } from '../../core/vocabulary.ts'
import { brushTasksMax, brushTorrentsShown } from '../../limits.ts'
import type {
  BrushFigures,
  BrushLook,
  BrushTask,
  BrushTaskChange,
  BrushTasks,
  BrushTorrent,
} from '../../ports/brush.ts'
import type { DownloaderStore } from '../../ports/downloaders.ts'
import type { OwnerLocaleReader } from '../../ports/settings.ts'
import { isTaken } from './is-taken.ts'
import { planJob } from './own-pace.ts'
import { brushLooks, brushTasks, brushTorrents } from './schema/brush.ts'
import { sites } from './schema/sites.ts'

export type BrushTaskRow = typeof brushTasks.$inferSelect
export type BrushTorrentRow = typeof brushTorrents.$inferSelect

/** Of torrents that a task answers for: they count against its bounds. */
export const inCare: BrushStatus[] = ['taking', 'active', 'removing']

export function rulesOf({ rules }: Pick<BrushTaskRow, 'rules'>): BrushRules {
  return brushRules.parse(JSON.parse(rules))
}

export function createBrushTasks(
  db: DrizzleD1Database,
  deps: {
    readonly clock: Clock
    readonly locale: OwnerLocaleReader
    readonly downloaders: Pick<DownloaderStore, 'list'>
    readonly wake: () => Promise<void>
  },
): BrushTasks {
  const { clock } = deps

  async function list(id?: number): Promise<BrushTask[]> {
    const care = db
      .select({
        taskId: brushTorrents.taskId,
        active: count().as('active'),
        downloading: sql<number>`sum(${brushTorrents.completedAtUnix} is null)`.as('downloading'),
        activeBytes: sql<number>`sum(${brushTorrents.sizeBytes})`.as('active_bytes'),
      })
      .from(brushTorrents)
      .where(inArray(brushTorrents.status, inCare))
      .groupBy(brushTorrents.taskId)
      .as('care')
    const rows = await db
      .select({
        row: brushTasks,
        site: sites.name,
        siteEnabled: sites.enabled,
        active: care.active,
        downloading: care.downloading,
        activeBytes: care.activeBytes,
      })
      .from(brushTasks)
      .leftJoin(sites, eq(sites.id, brushTasks.siteId))
      .leftJoin(care, eq(care.taskId, brushTasks.id))
      .where(id === undefined ? undefined : eq(brushTasks.id, id))
      .orderBy(asc(brushTasks.id))
    const known = await deps.downloaders.list()
    const chosen = chooseDownloader(
      known.filter(({ enabled }) => enabled),
      0,
    )
    const { timeZone } = await deps.locale.read()
    const today = localDay(unixSeconds(clock), timeZone)
    return rows.map(({ row, site, siteEnabled, active, downloading, activeBytes }) => ({
      id: row.id,
      name: row.name,
      enabled: row.enabled,
      site: site ?? row.site,
      siteEnabled: siteEnabled ?? false,
      downloaderId: row.downloaderId,
      downloader:
        (row.downloaderId === 0
          ? chosen.ok
            ? chosen.value
            : undefined
          : known.find(({ id }) => id === row.downloaderId)
        )?.name ?? '',
      everyMinutes: row.everyMinutes,
      rules: rulesOf(row),
      active: active ?? 0,
      downloading: downloading ?? 0,
      activeBytes: activeBytes ?? 0,
      today: row.day === today ? todayOf(row) : noFigures,
      ...(row.run > 0 ? { hasBegun: true as const } : {}),
      total: totalOf(row),
      dueAtUnix: row.dueAtUnix,
      ...(row.lastFinishedAtUnix === null ? {} : { lastFinishedAtUnix: row.lastFinishedAtUnix }),
      ...(row.lastError === null ? {} : { lastReason: readReason(row.lastError) as Reason }),
    }))
  }

  /** What is set anew runs at once, and knows nothing of failures before. */
  function columnsOf({ rules, siteId, ...change }: BrushTaskChange) {
    const nowUnix = unixSeconds(clock)
    return {
      ...change,
      siteId,
      site: sql<string>`(select name from sites where id = ${siteId})`,
      rules: JSON.stringify(rules),
      dueAtUnix: nowUnix,
      lastError: null,
      failures: 0,
      updatedAtUnix: nowUnix,
    }
  }

  async function planned(id: number, siteId: number): Promise<BrushTask> {
    await planJob(db, 'brush', brushTasks, siteId)
    await deps.wake()
    const [task] = await list(id)
    if (task === undefined) throw new Error('the brush task was not written')
    return task
  }

  return {
    list: () => list(),

    async add(change) {
      const [totals] = await db.select({ count: count() }).from(brushTasks)
      if ((totals?.count ?? 0) >= brushTasksMax) return failWith('too_many')
      const added = await named(() =>
        db
          .insert(brushTasks)
          .values({ ...columnsOf(change), createdAtUnix: unixSeconds(clock) })
          .returning({ id: brushTasks.id }),
      )
      if (!added.ok) return added
      const [row] = added.value
      if (row === undefined) throw new Error('the brush task was not written')
      return succeed(await planned(row.id, change.siteId))
    },

    async update(id, change) {
      const changed = await named(() =>
        db
          .update(brushTasks)
          // A run that goes by the old rules takes and removes nothing more.
          .set({ ...columnsOf(change), run: sql`${brushTasks.run} + 1` })
          .where(eq(brushTasks.id, id))
          .returning({ id: brushTasks.id }),
      )
      if (!changed.ok) return changed
      return changed.value.length === 0 ? failWith('not_found') : succeed(await planned(id, change.siteId))
    },

    async remove(id) {
      const [removed] = await db.batch([
        db.delete(brushTasks).where(eq(brushTasks.id, id)).returning({ id: brushTasks.id }),
        db.delete(brushTorrents).where(eq(brushTorrents.taskId, id)),
        db.delete(brushLooks).where(eq(brushLooks.taskId, id)),
      ])
      return removed.length > 0
    },

    async runSoon(id) {
      const [row] = await db
        .update(brushTasks)
        .set({ dueAtUnix: unixSeconds(clock) })
        .where(and(eq(brushTasks.id, id), eq(brushTasks.enabled, true)))
        .returning({ siteId: brushTasks.siteId })
      if (row === undefined) return false
      await planJob(db, 'brush', brushTasks, row.siteId)
      await deps.wake()
      return true
    },

    async lastLook(id) {
      const [row] = await db
        .select({ look: brushLooks })
        .from(brushTasks)
        .leftJoin(brushLooks, eq(brushLooks.taskId, brushTasks.id))
        .where(eq(brushTasks.id, id))
      if (row === undefined) return false
      if (row.look === null) return undefined
      return { ...(JSON.parse(row.look.look) as BrushLook), atUnix: row.look.atUnix }
    },

    async torrents(id) {
      const [task] = await db.select({ id: brushTasks.id }).from(brushTasks).where(eq(brushTasks.id, id))
      if (task === undefined) return undefined
      const rows = await db
        .select()
        .from(brushTorrents)
        .where(eq(brushTorrents.taskId, id))
        .orderBy(desc(inArray(brushTorrents.status, inCare)), desc(brushTorrents.id))
        .limit(brushTorrentsShown)
      return rows.map(toTorrent)
    },
  }
}

/** The index over names decides, so that two writes at once cannot make one name twice. */
async function named<T>(write: () => Promise<T>): Promise<Result<T, 'name_taken'>> {
  try {
    return succeed(await write())
  } catch (error) {
    if (isTaken(error, 'brush_tasks.name')) return failWith('name_taken')
    throw error
  }
}

const noFigures: BrushFigures = { uploadedBytes: 0, downloadedBytes: 0, added: 0, removed: 0 }

function todayOf(row: BrushTaskRow): BrushFigures {
  return {
    uploadedBytes: row.dayUploadedBytes,
    downloadedBytes: row.dayDownloadedBytes,
    added: row.dayAdded,
    removed: row.dayRemoved,
  }
}

function totalOf({ uploadedBytes, downloadedBytes, added, removed }: BrushTaskRow): BrushFigures {
  return { uploadedBytes, downloadedBytes, added, removed }
}

function toTorrent(row: BrushTorrentRow): BrushTorrent {
  const { completedAtUnix, endedAtUnix, freeEndAtUnix, reason, clauses, removal, ...present } = row
  return {
    ...present,
    clauses: JSON.parse(clauses) as Clause[],
    ...(removal === null ? {} : { removal: JSON.parse(removal) as Omit<Removal, 'reason'> }),
    ...(completedAtUnix === null ? {} : { completedAtUnix }),
    ...(endedAtUnix === null ? {} : { endedAtUnix }),
    ...(freeEndAtUnix === null ? {} : { freeEndAtUnix }),
    ...(reason === null ? {} : { reason }),
  }
}
