import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { jobScopes } from '../../../core/vocabulary.ts'

/** What the service does by itself: for what, when next, and how the last run went. */
export const jobs = sqliteTable(
  'jobs',
  {
    scope: text('scope', { enum: jobScopes }).notNull(),
    /** The number of a site or a downloader; the service itself has 0. */
    subjectId: integer('subject_id').notNull().default(0),
    /** Of the registry; a name that stands there no more is left alone. */
    name: text('name').notNull(),
    dueAtUnix: integer('due_at_unix').notNull(),
    /** A run that began and did not end by then was cut off; it begins again. */
    leaseUntilUnix: integer('lease_until_unix').notNull().default(0),
    lastStartedAtUnix: integer('last_started_at_unix'),
    lastFinishedAtUnix: integer('last_finished_at_unix'),
    lastOk: integer('last_ok', { mode: 'boolean' }),
    lastError: text('last_error'),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.subjectId, table.name] }),
    index('jobs_by_due').on(table.dueAtUnix),
  ],
)
