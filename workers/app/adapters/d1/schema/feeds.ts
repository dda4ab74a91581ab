import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { feedItemStatuses } from '../../../core/vocabulary.ts'
import { ruleColumns } from './rules.ts'

/** Where torrents turn up by themselves: a feed of a site, or the site's own newest list. */
export const feeds = sqliteTable(
  'feeds',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
    enabled: integer('enabled', { mode: 'boolean' }).notNull(),
    siteId: integer('site_id').notNull(),
    /** As it was last called: a feed outlives its site. */
    site: text('site').notNull(),
    /** Holds the owner's key. Empty for the site's own newest list. */
    sealedAddress: text('sealed_address').notNull().default(''),
    /** All of the address that may be shown. */
    host: text('host').notNull().default(''),
    /** JSON of `Announces` for a channel that says what is new; empty for what is read. */
    announces: text('announces').notNull().default(''),
    /** Why the channel cannot be heard. */
    unheard: text('unheard'),
    everyMinutes: integer('every_minutes').notNull(),
    /** Its first look is over: what was there then was only noted. */
    primed: integer('primed', { mode: 'boolean' }).notNull().default(false),
    /** What the last answer said of itself, for the next question. */
    etag: text('etag').notNull().default(''),
    lastModified: text('last_modified').notNull().default(''),
    /** When it last told all it holds; null until then. */
    listedAtUnix: integer('listed_at_unix'),
    dueAtUnix: integer('due_at_unix').notNull(),
    /** Number of its last run: one that another run overtook writes nothing any more. */
    run: integer('run').notNull().default(0),
    lastFinishedAtUnix: integer('last_finished_at_unix'),
    lastItemAtUnix: integer('last_item_at_unix'),
    lastError: text('last_error'),
    /** Runs that failed, in a row. */
    failures: integer('failures').notNull().default(0),
    createdAtUnix: integer('created_at_unix').notNull(),
    updatedAtUnix: integer('updated_at_unix').notNull(),
  },
  (table) => [uniqueIndex('feeds_by_name').on(table.name), index('feeds_by_site').on(table.siteId)],
)

/** In their order, the first that fits decides. */
export const filterRules = sqliteTable('filter_rules', ruleColumns, (table) => [
  uniqueIndex('filter_rules_by_name').on(table.name),
])

/** What turned up, what was decided about it and why. Written before anything is pushed. */
export const feedItems = sqliteTable(
  'feed_items',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    feedId: integer('feed_id').notNull(),
    /** Site and id name its push record too. */
    site: text('site').notNull(),
    torrentId: text('torrent_id').notNull(),
    title: text('title').notNull(),
    /** What titles of one release have in common, on whichever site. */
    releaseKey: text('release_key').notNull(),
    status: text('status', { enum: feedItemStatuses }).notNull(),
    /** JSON of `Candidate`, as it was when it was decided. */
    candidate: text('candidate').notNull(),
    /** Of the rule that decided, or came nearest; null for the rule of free ones. */
    ruleId: integer('rule_id'),
    ruleName: text('rule_name').notNull().default(''),
    /** JSON of `Clause`s. */
    clauses: text('clauses').notNull().default('[]'),
    attempts: integer('attempts').notNull().default(0),
    /** Why it could not be pushed. */
    reason: text('reason'),
    foundAtUnix: integer('found_at_unix').notNull(),
    /** When a feed last showed it again, to the day: what is still shown is not forgotten. */
    shownAtUnix: integer('shown_at_unix').notNull().default(0),
    decidedAtUnix: integer('decided_at_unix').notNull(),
  },
  (table) => [
    uniqueIndex('feed_items_by_torrent').on(table.site, table.torrentId),
    index('feed_items_by_feed').on(table.feedId, table.status),
    index('feed_items_by_rule').on(table.ruleId, table.decidedAtUnix),
    index('feed_items_by_age').on(table.foundAtUnix),
    index('feed_items_by_release').on(table.releaseKey),
  ],
)
