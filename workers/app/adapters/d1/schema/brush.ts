import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { brushReasons, brushStatuses } from '../../../core/vocabulary.ts'

/** What takes fresh torrents of a site and removes them when they no longer pay, and what came of it. */
export const brushTasks = sqliteTable(
  'brush_tasks',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
    enabled: integer('enabled', { mode: 'boolean' }).notNull(),
    siteId: integer('site_id').notNull(),
    /** As it was last called: a task outlives its site. */
    site: text('site').notNull(),
    /** 0 for the default one. */
    downloaderId: integer('downloader_id').notNull(),
    everyMinutes: integer('every_minutes').notNull(),
    /** JSON of `BrushRules`. */
    rules: text('rules').notNull(),
    dueAtUnix: integer('due_at_unix').notNull(),
    /** Number of its last run: one that another run overtook writes nothing any more. */
    run: integer('run').notNull().default(0),
    lastFinishedAtUnix: integer('last_finished_at_unix'),
    lastError: text('last_error'),
    /** Runs that failed, in a row. */
    failures: integer('failures').notNull().default(0),
    /** The local day that the first four figures are of. */
    day: text('day').notNull().default(''),
    dayUploadedBytes: integer('day_uploaded_bytes').notNull().default(0),
    dayDownloadedBytes: integer('day_downloaded_bytes').notNull().default(0),
    dayAdded: integer('day_added').notNull().default(0),
    dayRemoved: integer('day_removed').notNull().default(0),
    uploadedBytes: integer('uploaded_bytes').notNull().default(0),
    downloadedBytes: integer('downloaded_bytes').notNull().default(0),
    added: integer('added').notNull().default(0),
    removed: integer('removed').notNull().default(0),
    createdAtUnix: integer('created_at_unix').notNull(),
    updatedAtUnix: integer('updated_at_unix').notNull(),
  },
  (table) => [uniqueIndex('brush_tasks_by_name').on(table.name), index('brush_tasks_by_site').on(table.siteId)],
)

/** A torrent of a site that a brush task wanted. Written before it is pushed, and before it is removed. */
export const brushTorrents = sqliteTable(
  'brush_torrents',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    taskId: integer('task_id').notNull(),
    /** Site and id name its push record too. */
    site: text('site').notNull(),
    torrentId: text('torrent_id').notNull(),
    title: text('title').notNull(),
    downloaderId: integer('downloader_id').notNull(),
    /** As the downloader shows it; empty until it does. */
    infoHash: text('info_hash').notNull().default(''),
    status: text('status', { enum: brushStatuses }).notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    uploadedBytes: integer('uploaded_bytes').notNull().default(0),
    downloadedBytes: integer('downloaded_bytes').notNull().default(0),
    /** JSON of `Clause`s: why it was taken. */
    clauses: text('clauses').notNull().default('[]'),
    takenAtUnix: integer('taken_at_unix').notNull(),
    completedAtUnix: integer('completed_at_unix'),
    lastUploadAtUnix: integer('last_upload_at_unix').notNull(),
    freeEndAtUnix: integer('free_end_at_unix'),
    missingSinceUnix: integer('missing_since_unix'),
    attempts: integer('attempts').notNull().default(1),
    /** Why it is or was removed. */
    reason: text('reason', { enum: brushReasons }),
    /** JSON of the figures of a `Removal`. */
    removal: text('removal'),
    endedAtUnix: integer('ended_at_unix'),
  },
  (table) => [
    uniqueIndex('brush_torrents_by_torrent').on(table.site, table.torrentId),
    index('brush_torrents_by_task').on(table.taskId, table.status),
  ],
)

/** What each task saw at its last look and did not take. Apart from the tasks, which are listed every few seconds. */
export const brushLooks = sqliteTable('brush_looks', {
  taskId: integer('task_id').primaryKey(),
  atUnix: integer('at_unix').notNull(),
  /** JSON of a `BrushLook`. */
  look: text('look').notNull(),
})
