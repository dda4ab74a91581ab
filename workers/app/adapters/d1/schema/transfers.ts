import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { transferStates } from '../../../core/transfers/transfer.ts'

/** Torrents that move from one downloader to another. Each step is written before it is done. */
export const transfers = sqliteTable(
  'transfers',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    fromId: integer('from_id').notNull(),
    toId: integer('to_id').notNull(),
    infoHash: text('info_hash').notNull(),
    /** Under which the other downloader may show it, comma-separated: the first is that of this one. */
    otherHashes: text('other_hashes').notNull().default(''),
    title: text('title').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    /** How the other downloader calls a folder of this one; empty for the same name. */
    folderFrom: text('folder_from').notNull(),
    folderTo: text('folder_to').notNull(),
    /** Without its files being started there. */
    state: text('state', { enum: transferStates }).notNull(),
    /** It was paused before, and stays so. */
    wasPaused: integer('was_paused', { mode: 'boolean' }).notNull().default(false),
    attempts: integer('attempts').notNull().default(0),
    isStopped: integer('is_stopped', { mode: 'boolean' }).notNull().default(false),
    reason: text('reason'),
    createdAtUnix: integer('created_at_unix').notNull(),
    /** Since when it is in this state. */
    sinceUnix: integer('since_unix').notNull(),
  },
  (table) => [
    uniqueIndex('transfers_open')
      .on(table.fromId, table.infoHash)
      .where(sql`state in ('waiting', 'adding', 'checking', 'switching')`),
    index('transfers_by_state').on(table.state, table.id),
  ],
)
