import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { historyStatuses, libraryModes, mediaTypes } from '../../../core/vocabulary.ts'

/** Folders that films or series are brought into. */
export const libraries = sqliteTable(
  'libraries',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
    mediaType: text('media_type', { enum: mediaTypes }).notNull(),
    path: text('path').notNull(),
    mode: text('mode', { enum: libraryModes }).notNull(),
    isDefault: integer('is_default', { mode: 'boolean' }).notNull(),
    createdAtUnix: integer('created_at_unix').notNull(),
    updatedAtUnix: integer('updated_at_unix').notNull(),
  },
  (table) => [
    uniqueIndex('libraries_by_name').on(table.name),
    uniqueIndex('libraries_one_default').on(table.mediaType).where(sql`is_default = 1`),
  ],
)

/**
 * What became of each torrent that was complete: one row for each film or season that it was taken for. Written before
 * anything is moved, and kept when its subscription goes: from it the service knows what the library holds.
 */
export const mediaHistory = sqliteTable(
  'media_history',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    mediaType: text('media_type', { enum: mediaTypes }).notNull(),
    tmdbId: integer('tmdb_id').notNull(),
    /** 0 for a film. */
    season: integer('season').notNull(),
    title: text('title').notNull(),
    year: integer('year'),
    /** Without one it is all of it. */
    episode: integer('episode'),
    episodeEnd: integer('episode_end'),
    site: text('site').notNull(),
    torrentId: text('torrent_id').notNull(),
    torrentName: text('torrent_name').notNull(),
    /** Title and name of the torrent, for searches in any case. */
    foldedText: text('folded_text').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    /** JSON of what the release's name says of its quality. */
    quality: text('quality').notNull(),
    /** The library's name, which outlives it; empty for none. */
    library: text('library').notNull().default(''),
    mode: text('mode', { enum: libraryModes }).notNull().default('keep'),
    /** Where it lies, or is to lie; empty while nobody knows. */
    targetPath: text('target_path').notNull().default(''),
    /** Null before anything came of it. */
    status: text('status', { enum: historyStatuses }),
    message: text('message').notNull().default(''),
    subscriptionTorrentId: integer('subscription_torrent_id').notNull(),
    downloaderId: integer('downloader_id').notNull(),
    infoHashes: text('info_hashes').notNull(),
    /** It is being organised, for the first time or once more. */
    underWay: integer('under_way', { mode: 'boolean' }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** When the downloader was last asked to move it. */
    askedAtUnix: integer('asked_at_unix'),
    /** When it is looked at next while it is being organised. */
    nextAtUnix: integer('next_at_unix').notNull(),
    /** When it was last begun. */
    begunAtUnix: integer('begun_at_unix').notNull(),
    createdAtUnix: integer('created_at_unix').notNull(),
    updatedAtUnix: integer('updated_at_unix').notNull(),
  },
  (table) => [
    uniqueIndex('media_history_by_torrent').on(
      table.mediaType,
      table.tmdbId,
      table.season,
      table.site,
      table.torrentId,
    ),
    index('media_history_by_update').on(table.updatedAtUnix),
    index('media_history_by_place').on(table.site, table.torrentId),
    index('media_history_by_downloader').on(table.downloaderId),
    index('media_history_under_way').on(table.nextAtUnix).where(sql`under_way = 1`),
  ],
)
