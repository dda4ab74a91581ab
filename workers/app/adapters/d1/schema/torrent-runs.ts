import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { torrentRunEnds } from '../../../core/vocabulary.ts'

/** Something done to every torrent that matched when it was asked for. */
export const torrentRuns = sqliteTable('torrent_runs', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  /** JSON of `RunDeed`. */
  deed: text('deed').notNull(),
  total: integer('total').notNull(),
  /** JSON of the downloaders whose torrents could not be read, and why. */
  unread: text('unread').notNull(),
  /** Whoever asked wants no more of it. */
  isStopped: integer('is_stopped', { mode: 'boolean' }).notNull().default(false),
  createdAtUnix: integer('created_at_unix').notNull(),
  finishedAtUnix: integer('finished_at_unix'),
  /** Null while it is under way. */
  end: text('end', { enum: torrentRunEnds }),
})

/** A part of a run that its downloader is told at once. */
export const torrentRunBatches = sqliteTable(
  'torrent_run_batches',
  {
    runId: integer('run_id').notNull(),
    position: integer('position').notNull(),
    downloaderId: integer('downloader_id').notNull(),
    size: integer('size').notNull(),
    /** JSON of `RunTarget[]`; once it is done, of those it was done to. */
    targets: text('targets').notNull(),
    /** Written before its downloader is told: what was cut off is known by it. */
    begunAtUnix: integer('begun_at_unix'),
    /** Null while it is open. */
    succeeded: integer('succeeded'),
    /** JSON of `RunFailure[]`. */
    failed: text('failed'),
  },
  (table) => [primaryKey({ columns: [table.runId, table.position] })],
)
