import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { reseedStates } from '../../../core/reseed/reseed.ts'

/** What became of looking for a torrent on another site. Written before anything is added. */
export const reseeds = sqliteTable(
  'reseeds',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    downloaderId: integer('downloader_id').notNull(),
    /** Of the torrent whose files they are. */
    infoHash: text('info_hash').notNull(),
    title: text('title').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    site: text('site').notNull(),
    state: text('state', { enum: reseedStates }).notNull(),
    /** At the other site; empty while nothing fits. */
    torrentId: text('torrent_id').notNull().default(''),
    otherTitle: text('other_title').notNull().default(''),
    /** Under which the downloader may show it, comma-separated. */
    otherHashes: text('other_hashes').notNull().default(''),
    hasHr: integer('has_hr', { mode: 'boolean' }).notNull().default(false),
    /** Searches and files that this took of the site. */
    asks: integer('asks').notNull(),
    attempts: integer('attempts').notNull().default(0),
    reason: text('reason'),
    askedAtUnix: integer('asked_at_unix').notNull(),
    sinceUnix: integer('since_unix').notNull(),
  },
  (table) => [
    uniqueIndex('reseeds_by_torrent').on(table.site, table.downloaderId, table.infoHash),
    index('reseeds_by_state').on(table.state),
    index('reseeds_by_age').on(table.askedAtUnix),
  ],
)
