import { sql } from 'drizzle-orm'
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { downloaderKinds } from '../../../core/vocabulary.ts'
import { minFreeGibDefault } from '../../../limits.ts'

export const downloaders = sqliteTable(
  'downloaders',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
    kind: text('kind', { enum: downloaderKinds }).notNull(),
    baseUrl: text('base_url').notNull(),
    username: text('username').notNull().default(''),
    /** Sealed password or API key; empty when the downloader asks for none. */
    sealedPassword: text('sealed_password').notNull().default(''),
    enabled: integer('enabled', { mode: 'boolean' }).notNull().default(true),
    isDefault: integer('is_default', { mode: 'boolean' }).notNull().default(false),
    /** A push that would leave less free space than this is stopped. */
    minFreeGib: integer('min_free_gib').notNull().default(minFreeGibDefault),
    /** Grows with every change, so that a live connection made with older settings is dropped. */
    revision: integer('revision').notNull().default(1),
    createdAtUnix: integer('created_at_unix').notNull(),
    updatedAtUnix: integer('updated_at_unix').notNull(),
  },
  (table) => [
    uniqueIndex('downloaders_by_name').on(table.name),
    uniqueIndex('downloaders_one_default').on(table.isDefault).where(sql`is_default = 1`),
  ],
)

/** What is known of a downloader, so that a change is told once. */
export const downloaderWatch = sqliteTable('downloader_watch', {
  downloaderId: integer('downloader_id').primaryKey(),
  /** Looks in a row without an answer. */
  misses: integer('misses').notNull(),
  isLow: integer('is_low', { mode: 'boolean' }).notNull(),
})
