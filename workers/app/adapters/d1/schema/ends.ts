import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { endActions, endStatuses } from '../../../core/vocabulary.ts'
import { ruleColumns } from './rules.ts'

/** When torrents that downloaders hold come to their end. In their order, the first that fits decides. */
export const endRules = sqliteTable('end_rules', ruleColumns, (table) => [
  uniqueIndex('end_rules_by_name').on(table.name),
])

/** What is due to be ended, and what was. Written before its downloader is told. */
export const torrentEnds = sqliteTable(
  'torrent_ends',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    downloaderId: integer('downloader_id').notNull(),
    /** As it was called then. */
    downloader: text('downloader').notNull(),
    infoHash: text('info_hash').notNull(),
    title: text('title').notNull(),
    /** Empty where nobody knows. */
    site: text('site').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    action: text('action', { enum: endActions }).notNull(),
    status: text('status', { enum: endStatuses }).notNull(),
    ruleId: integer('rule_id').notNull(),
    ruleName: text('rule_name').notNull(),
    /** JSON of `Clause`s, as they were when it was last looked at. */
    clauses: text('clauses').notNull(),
    /** Why it could not be carried out. */
    reason: text('reason'),
    /** Since when it is due without a break. */
    dueSinceUnix: integer('due_since_unix').notNull(),
    decidedAtUnix: integer('decided_at_unix').notNull(),
  },
  (table) => [
    index('torrent_ends_by_torrent').on(table.downloaderId, table.infoHash),
    index('torrent_ends_by_status').on(table.status, table.decidedAtUnix),
    index('torrent_ends_by_rule').on(table.ruleId, table.decidedAtUnix),
  ],
)
