import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { reseedStates, reseedWays } from '../../../core/reseed/reseed.ts'

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
    /** How it was looked for. */
    way: text('way', { enum: reseedWays }).notNull().default('name'),
    attempts: integer('attempts').notNull().default(0),
    reason: text('reason'),
    askedAtUnix: integer('asked_at_unix').notNull(),
    sinceUnix: integer('since_unix').notNull(),
  },
  (table) => [
    uniqueIndex('reseeds_by_torrent').on(table.site, table.downloaderId, table.infoHash),
    index('reseeds_by_state').on(table.state),
  ],
)

/** What reseeding took of a site: lookups, searches and files of one look. A day of it is kept. */
export const reseedAsks = sqliteTable(
  'reseed_asks',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    site: text('site').notNull(),
    asks: integer('asks').notNull(),
    atUnix: integer('at_unix').notNull(),
  },
  (table) => [index('reseed_asks_by_age').on(table.atUnix)],
)

/** By what sites know the content of a torrent. It never changes; the newest are kept. */
export const pieceHashes = sqliteTable('piece_hashes', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  infoHash: text('info_hash').notNull().unique(),
  /** SHA-1 over the hashes of all pieces, in hex; empty for a torrent of version 2 alone, which has none. */
  hash: text('hash').notNull(),
})
