import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { BrushRules } from '../../core/brush/brush-rules.ts'
import type { ChosenTorrent } from '../../core/brush/choose-torrents.ts'
import { localDay } from '../../core/local-day.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { storeReason } from '../../core/reason/stored-reason.ts'
import { isFree } from '../../core/site.ts'
import {
  brushAttemptsMax,
  brushEndedMax,
  brushFailuresTold,
  brushMinutesMin,
  brushPushSeconds,
  eventItemsMax,
} from '../../limits.ts'
import type { BrushLook } from '../../ports/brush.ts'
import type { OwnerLocaleReader } from '../../ports/settings.ts'
import { type BrushTaskRow, type BrushTorrentRow, inCare, rulesOf } from './brush-tasks.ts'
import { recordEvent } from './events.ts'
import { dueAfterRun, firstDueAt, isEnabledAt, longestDue, planJob } from './own-pace.ts'
import { brushTasks, brushTorrents } from './schema/brush.ts'

/** A task while it runs, as it was when the run began. */
export interface BrushRun extends Omit<BrushTaskRow, 'rules'> {
  readonly rules: BrushRules
}

/** What a look changes in a row. */
export type BrushNote = Pick<
  BrushTorrentRow,
  | 'id'
  | 'status'
  | 'reason'
  | 'removal'
  | 'sizeBytes'
  | 'uploadedBytes'
  | 'downloadedBytes'
  | 'completedAtUnix'
  | 'lastUploadAtUnix'
  | 'missingSinceUnix'
  | 'endedAtUnix'
>

interface Moved {
  readonly uploadedBytes: number
  readonly downloadedBytes: number
  readonly removed: number
}

/**
 * What runs of brush tasks write down. Every statement holds for the newest run of its task only: an older one, which
 * another run or new settings overtook, changes nothing any more, and so nothing is counted twice.
 */
export interface BrushRunStore {
  /** Of all tasks of a site: when the first one is due. Undefined when none is switched on. */
  nextDue(siteId: number): Promise<number | undefined>
  /** Begins a run of the task that waits longest. Undefined when none is due. */
  begin(siteId: number): Promise<BrushRun | undefined>
  /** Makes all that are switched on due now. */
  bringForward(siteId: number): Promise<void>
  plan(siteId: number): Promise<void>
  /**
   * Goes by the push records: what came of pushes, and which torrents somebody else wants too. Of the one that is named,
   * and of those that were taken long ago, no push is under way any more but what the records say.
   */
  settle(run: BrushRun, overId?: string): Promise<void>
  /** Torrents in the care of the task. */
  held(run: BrushRun): Promise<BrushTorrentRow[]>
  note(run: BrushRun, notes: readonly BrushNote[], moved: Moved): Promise<void>
  /** They are gone from their downloader, by a rule of the task. */
  removed(run: BrushRun, rows: readonly BrushTorrentRow[], site: string): Promise<void>
  /** Of these of a site, the ones that were pushed, skipped or tried often enough already. */
  known(site: string, torrentIds: readonly string[]): Promise<ReadonlySet<string>>
  /** What came of looking at the newest list. */
  looked(run: BrushRun, look: BrushLook): Promise<void>
  /** Before it is pushed. False when the run was overtaken, or the torrent is no longer to be had. */
  take(run: BrushRun, site: string, chosen: ChosenTorrent, downloaderId: number): Promise<boolean>
  /** The downloader had it already: it is somebody else's. */
  skip(run: BrushRun, site: string, torrentId: string): Promise<void>
  /** `site` is what it is called where it is told. */
  finish(run: BrushRun, site: string, reason: Reason | undefined): Promise<void>
}

export function createBrushRunStore(
  db: DrizzleD1Database,
  deps: { readonly clock: Clock; readonly locale: OwnerLocaleReader },
): BrushRunStore {
  const { clock, locale } = deps
  const now = () => unixSeconds(clock)

  const today = async () => localDay(now(), (await locale.read()).timeZone)

  /** Its figures grow by so much, on that day and in all. */
  function count(run: BrushRun, day: string, by: { readonly [Name in keyof Moved | 'added']?: number | SQL }) {
    const { uploadedBytes = 0, downloadedBytes = 0, added = 0, removed = 0 } = by
    const ofDay = (known: SQL, more: number | SQL) => sql`case when day = ${day} then ${known} else 0 end + ${more}`
    return db
      .update(brushTasks)
      .set({
        day,
        dayUploadedBytes: ofDay(sql`day_uploaded_bytes`, uploadedBytes),
        dayDownloadedBytes: ofDay(sql`day_downloaded_bytes`, downloadedBytes),
        dayAdded: ofDay(sql`day_added`, added),
        dayRemoved: ofDay(sql`day_removed`, removed),
        uploadedBytes: sql`uploaded_bytes + ${uploadedBytes}`,
        downloadedBytes: sql`downloaded_bytes + ${downloadedBytes}`,
        added: sql`added + ${added}`,
        removed: sql`removed + ${removed}`,
      })
      .where(isNewest(run))
  }

  function write(run: BrushRun, notes: readonly BrushNote[]) {
    const field = (name: keyof BrushNote) => sql`note.value ->> ${`$.${name}`}`
    return db
      .update(brushTorrents)
      .set({
        status: field('status'),
        reason: field('reason'),
        removal: field('removal'),
        sizeBytes: field('sizeBytes'),
        uploadedBytes: field('uploadedBytes'),
        downloadedBytes: field('downloadedBytes'),
        completedAtUnix: field('completedAtUnix'),
        lastUploadAtUnix: field('lastUploadAtUnix'),
        missingSinceUnix: field('missingSinceUnix'),
        endedAtUnix: field('endedAtUnix'),
      })
      .from(sql`json_each(${JSON.stringify(notes.map(toNote))}) as note`)
      .where(sql`brush_torrents.id = ${field('id')} and task_id = ${run.id} and ${isFenced(run)}`)
  }

  return {
    nextDue: (siteId) => firstDueAt(db, brushTasks, siteId),

    async begin(siteId) {
      const first = await longestDue(db, brushTasks, siteId, now())
      if (first === undefined) return undefined
      const [row] = await db
        .update(brushTasks)
        // One that is cut off is made up for before long, and one that always is does not fill the service's time.
        .set({ run: first.run + 1, dueAtUnix: now() + brushMinutesMin * 60 })
        .where(and(eq(brushTasks.id, first.id), eq(brushTasks.run, first.run)))
        .returning()
      return row === undefined ? undefined : { ...row, rules: rulesOf(row) }
    },

    async bringForward(siteId) {
      await db.update(brushTasks).set({ dueAtUnix: now() }).where(isEnabledAt(brushTasks, siteId))
    },

    async plan(siteId) {
      await planJob(db, 'brush', brushTasks, siteId)
    },

    async settle(run, overId = '') {
      const ofTask = sql`task_id = ${run.id} and ${isFenced(run)}`
      const isOurs = sql`p.source = 'brush' and p.pushed = 1 and p.downloader_id = brush_torrents.downloader_id`
      // A push that was given up may still have come to its end.
      const arrived = sql`task_id = ${run.id} and status in ('taking', 'failed') and ${hasRecord(isOurs)}`
      const day = await today()
      await db.batch([
        count(run, day, { added: sql`(select count(*) from brush_torrents where ${arrived})` }),
        db
          .update(brushTorrents)
          .set({
            status: 'active',
            endedAtUnix: null,
            infoHash: sql`(select substr(info_hashes, 1, instr(info_hashes || ',', ',') - 1) from push_records p where ${isRecord})`,
          })
          .where(sql`${arrived} and ${isFenced(run)}`),
        db
          .update(brushTorrents)
          .set({ status: 'failed', endedAtUnix: now() })
          .where(
            sql`${ofTask} and status = 'taking' and not ${hasRecord(sql`p.started_at_unix is not null`)}
              and (torrent_id = ${overId} or taken_at_unix <= ${now() - brushPushSeconds})`,
          ),
        db
          .update(brushTorrents)
          .set({ status: 'released', endedAtUnix: now() })
          .where(sql`${ofTask} and status in ('active', 'removing') and ${hasRecord(sql`p.source <> 'brush'`)}`),
      ])
    },

    async held(run) {
      return db
        .select()
        .from(brushTorrents)
        .where(and(eq(brushTorrents.taskId, run.id), inArray(brushTorrents.status, inCare)))
        .orderBy(asc(brushTorrents.id))
    },

    async note(run, notes, moved) {
      if (notes.length > 0) await db.batch([count(run, await today(), moved), write(run, notes)])
    },

    async removed(run, rows, site) {
      if (rows.length === 0) return
      const endedAtUnix = now()
      const items = rows.map(({ title, reason, uploadedBytes: uploaded }) => ({
        title,
        reason: reason === null ? '' : ({ kind: 'brush.removed', why: reason } as const),
        uploaded,
      }))
      const day = await today()
      await db.batch([
        count(run, day, { removed: rows.length }),
        write(
          run,
          rows.map((row) => ({ ...row, status: 'removed', endedAtUnix })),
        ),
        ...recordEvent(
          db,
          {
            type: 'brush.removed',
            key: `brush.removed:${run.id}:${rows[0]?.id}`,
            facts: { task: run.name, site, items: items.slice(0, eventItemsMax) },
          },
          endedAtUnix,
        ),
      ])
    },

    async known(site, torrentIds) {
      const ids = sql`(select value from json_each(${JSON.stringify(torrentIds)}))`
      const rows = await db.all<{ id: string }>(sql`
        select torrent_id as id from push_records
          where site = ${site} and torrent_id in ${ids} and (pushed = 1 or started_at_unix is not null)
        union
        select torrent_id from brush_torrents
          where site = ${site} and torrent_id in ${ids} and (status <> 'failed' or attempts >= ${brushAttemptsMax})`)
      return new Set(rows.map(({ id }) => id))
    },

    async looked(run, look) {
      await db.run(sql`
        insert into brush_looks (task_id, at_unix, look)
        select ${run.id}, ${now()}, ${JSON.stringify(look)} where ${isFenced(run)}
        on conflict (task_id) do update set at_unix = excluded.at_unix, look = excluded.look`)
    },

    async take(run, site, chosen, downloaderId) {
      const { torrentId, title, sizeBytes, discount, discountEndAtUnix, clauses } = chosen
      const freeEndAtUnix = isFree(discount) ? (discountEndAtUnix ?? null) : null
      const nowUnix = now()
      const taken = await db.all(sql`
        insert into brush_torrents
          (task_id, site, torrent_id, title, downloader_id, status, size_bytes, taken_at_unix, last_upload_at_unix, free_end_at_unix, clauses)
        select ${run.id}, ${site}, ${torrentId}, ${title}, ${downloaderId}, 'taking', ${sizeBytes}, ${nowUnix}, ${nowUnix}, ${freeEndAtUnix}, ${JSON.stringify(clauses)}
          where ${isFenced(run)}
        on conflict (site, torrent_id) do update set
          task_id = excluded.task_id, title = excluded.title, downloader_id = excluded.downloader_id, status = 'taking',
          size_bytes = excluded.size_bytes, taken_at_unix = excluded.taken_at_unix,
          last_upload_at_unix = excluded.last_upload_at_unix, free_end_at_unix = excluded.free_end_at_unix,
          clauses = excluded.clauses, ended_at_unix = null, attempts = attempts + 1
          where status = 'failed' and attempts < ${brushAttemptsMax}
        returning id`)
      return taken.length > 0
    },

    async skip(run, site, torrentId) {
      await db
        .update(brushTorrents)
        .set({ status: 'skipped', endedAtUnix: now() })
        .where(
          sql`task_id = ${run.id} and site = ${site} and torrent_id = ${torrentId} and status = 'taking' and ${isFenced(run)}`,
        )
    },

    async finish(run, site, reason) {
      const nowUnix = now()
      const failures = reason === undefined ? 0 : run.failures + 1
      const told =
        reason === undefined || failures !== brushFailuresTold
          ? []
          : recordEvent(
              db,
              {
                type: 'brush.failed',
                key: `brush.failed:${run.id}:${run.run}`,
                facts: { task: run.name, site, reason, failures },
              },
              nowUnix,
            )
      await db.batch([
        db
          .update(brushTasks)
          .set({
            dueAtUnix: dueAfterRun(brushTasks, run, nowUnix + run.everyMinutes * 60),
            lastFinishedAtUnix: nowUnix,
            lastError: reason === undefined ? null : storeReason(reason),
            failures,
          })
          .where(isNewest(run)),
        db.delete(brushTorrents).where(
          sql`ended_at_unix is not null and id <= (
            select id from brush_torrents where ended_at_unix is not null order by id desc limit 1 offset ${brushEndedMax})`,
        ),
        ...told,
      ])
    },
  }
}

function isNewest({ id, run }: Pick<BrushRun, 'id' | 'run'>) {
  return and(eq(brushTasks.id, id), eq(brushTasks.run, run))
}

/** In statements about torrents. */
function isFenced({ id, run }: Pick<BrushRun, 'id' | 'run'>): SQL {
  return sql`exists (select 1 from brush_tasks where id = ${id} and run = ${run})`
}

const isRecord = sql`p.site = brush_torrents.site and p.torrent_id = brush_torrents.torrent_id`

/** Whether its push record is like that. */
function hasRecord(condition: SQL): SQL {
  return sql`exists (select 1 from push_records p where ${isRecord} and ${condition})`
}

/** Names and texts of a row stay as they are. */
function toNote(row: BrushNote): BrushNote {
  const { id, status, reason, removal, sizeBytes, uploadedBytes, downloadedBytes, completedAtUnix } = row
  const { lastUploadAtUnix, missingSinceUnix, endedAtUnix } = row
  return {
    id,
    status,
    reason,
    removal,
    sizeBytes,
    uploadedBytes,
    downloadedBytes,
    completedAtUnix,
    lastUploadAtUnix,
    missingSinceUnix,
    endedAtUnix,
  }
}
