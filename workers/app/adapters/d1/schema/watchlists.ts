import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { firstLooks, mediaTypes, watchlistKinds, watchlistStatuses } from '../../../core/vocabulary.ts'

/** Lists of films and series that somebody keeps elsewhere, and that make subscriptions. */
export const watchlists = sqliteTable(
  'watchlists',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
    enabled: integer('enabled', { mode: 'boolean' }).notNull(),
    kind: text('kind', { enum: watchlistKinds }).notNull(),
    /** All that is shown of the address; empty for what was sent as a file, which is not read again. */
    host: text('host').notNull(),
    account: text('account').notNull(),
    list: text('list').notNull(),
    /** JSON of address and key. */
    sealed: text('sealed').notNull(),
    everyMinutes: integer('every_minutes').notNull(),
    firstLook: text('first_look', { enum: firstLooks }).notNull(),
    profileId: integer('profile_id').notNull(),
    /** Where its subscriptions push to; 0 for the default one. */
    downloaderId: integer('downloader_id').notNull().default(0),
    upgrade: integer('upgrade', { mode: 'boolean' }).notNull(),
    /** Its first look is over. */
    primed: integer('primed', { mode: 'boolean' }).notNull().default(false),
    etag: text('etag').notNull().default(''),
    lastModified: text('last_modified').notNull().default(''),
    /** Grows with each run and change: one that was overtaken writes nothing. */
    run: integer('run').notNull().default(0),
    failures: integer('failures').notNull().default(0),
    dueAtUnix: integer('due_at_unix').notNull(),
    lastAtUnix: integer('last_at_unix'),
    lastReason: text('last_reason').notNull().default(''),
    createdAtUnix: integer('created_at_unix').notNull(),
  },
  (table) => [uniqueIndex('watchlists_by_name').on(table.name)],
)

/** What was on a list. Kept for as long as the list is, so that nothing is added twice. */
export const watchlistItems = sqliteTable(
  'watchlist_items',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    listId: integer('list_id').notNull(),
    key: text('key').notNull(),
    /** JSON of what the list says. */
    entry: text('entry').notNull(),
    status: text('status', { enum: watchlistStatuses }).notNull(),
    mediaType: text('media_type', { enum: mediaTypes }),
    tmdbId: integer('tmdb_id'),
    subscriptionId: integer('subscription_id'),
    /** JSON of the titles that may be meant. */
    choices: text('choices').notNull().default(''),
    reason: text('reason').notNull().default(''),
    foundAtUnix: integer('found_at_unix').notNull(),
    decidedAtUnix: integer('decided_at_unix').notNull(),
  },
  (table) => [
    uniqueIndex('watchlist_items_by_key').on(table.listId, table.key),
    index('watchlist_items_by_status').on(table.status, table.id),
  ],
)
