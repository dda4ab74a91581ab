import { sql } from 'drizzle-orm'
import { index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { discounts, freeEndings, taskSources, unknownEnds } from '../../../core/vocabulary.ts'

/** What was pushed into a downloader, or should have been. Written before anything is sent; one row a torrent of a site. */
export const pushRecords = sqliteTable(
  'push_records',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** The name, which outlives the site's settings. */
    site: text('site').notNull(),
    torrentId: text('torrent_id').notNull(),
    title: text('title').notNull(),
    /** For searches in any case. */
    foldedTitle: text('folded_title').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    category: text('category').notNull().default(''),
    tags: text('tags').notNull().default(''),
    free: integer('free', { mode: 'boolean' }).notNull().default(false),
    freeLevel: text('free_level', { enum: discounts }),
    freeEndAtUnix: integer('free_end_at_unix'),
    /** What the rule it was taken by says of an end that nobody tells; null for what the owner settled for all. */
    unknownEnd: text('unknown_end', { enum: unknownEnds }),
    /** What was done because its free period ends before it is complete; null for nothing. */
    freeEnding: text('free_ending', { enum: freeEndings }),
    hasHr: integer('has_hr', { mode: 'boolean' }).notNull().default(false),
    /** What the downloader gave of it: the most that was ever seen. Null before the first look. */
    seededSeconds: integer('seeded_seconds'),
    givenBytes: integer('given_bytes'),
    /** Whether it was seeding when that was last seen, and when that was. */
    isSeeding: integer('is_seeding', { mode: 'boolean' }).notNull().default(false),
    givenAtUnix: integer('given_at_unix'),
    source: text('source', { enum: taskSources }).notNull(),
    downloaderId: integer('downloader_id').notNull(),
    downloader: text('downloader').notNull(),
    /** Info hashes under which the downloader may show it, comma-separated: the first is the torrent's own. */
    infoHashes: text('info_hashes').notNull(),
    pushed: integer('pushed', { mode: 'boolean' }).notNull().default(false),
    pushedAtUnix: integer('pushed_at_unix'),
    progressPercent: real('progress_percent').notNull().default(0),
    completed: integer('completed', { mode: 'boolean' }).notNull().default(false),
    completedAtUnix: integer('completed_at_unix'),
    error: text('error'),
    createdAtUnix: integer('created_at_unix').notNull(),
    /** Set while a push is under way: after a crash the downloader is asked what came of it. */
    startedAtUnix: integer('started_at_unix'),
    /** Followed in the downloader: pushed, not complete, and not gone. */
    followed: integer('followed', { mode: 'boolean' }).notNull().default(false),
    /** Since when its downloader does not show it. */
    missingSinceUnix: integer('missing_since_unix'),
  },
  (table) => [
    uniqueIndex('push_records_by_torrent').on(table.site, table.torrentId),
    index('push_records_followed').on(table.followed).where(sql`followed = 1`),
    index('push_records_started').on(table.startedAtUnix).where(sql`started_at_unix is not null`),
    index('push_records_free').on(table.freeEnding).where(sql`followed = 1 and free = 1`),
    index('push_records_brushed').on(table.downloaderId).where(sql`source = 'brush'`),
  ],
)
