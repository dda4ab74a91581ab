/**
 * Tables of the App API in D1. Sizes are bytes and times Unix seconds unless a name says otherwise. Secrets are sealed
 * (`SecretBox`) before they reach a row; of tokens and sessions only the SHA-256 is kept, as hex.
 */
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { downloaderKinds } from '../../core/vocabulary.ts'

/** The one owner of this installation; the row exists once set-up is done. */
export const owner = sqliteTable('owner', {
  id: integer('id').primaryKey(),
  passwordHash: text('password_hash').notNull(),
  /** SHA-256 of the set-up code that made this password: a code works once. */
  setupCodeHash: text('setup_code_hash').notNull(),
  createdAtUnix: integer('created_at_unix').notNull(),
  updatedAtUnix: integer('updated_at_unix').notNull(),
})

export const sessions = sqliteTable(
  'sessions',
  {
    tokenHash: text('token_hash').primaryKey(),
    createdAtUnix: integer('created_at_unix').notNull(),
    expiresAtUnix: integer('expires_at_unix').notNull(),
    lastUsedAtUnix: integer('last_used_at_unix').notNull(),
  },
  (table) => [index('sessions_by_expiry').on(table.expiresAtUnix)],
)

export const apiTokens = sqliteTable(
  'api_tokens',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    tokenHash: text('token_hash').notNull(),
    /** Comma-separated scopes in the vocabulary's order. */
    scopes: text('scopes').notNull(),
    createdAtUnix: integer('created_at_unix').notNull(),
    expiresAtUnix: integer('expires_at_unix'),
    revokedAtUnix: integer('revoked_at_unix'),
    lastUsedAtUnix: integer('last_used_at_unix'),
  },
  (table) => [index('api_tokens_by_creation').on(table.createdAtUnix)],
)

/** One row per Operate call of a token or device, refused ones included. Written before the call takes effect. */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    atUnix: integer('at_unix').notNull(),
    channel: text('channel').notNull(),
    user: text('user').notNull(),
    /** Method and route pattern, never the path as sent. */
    command: text('command').notNull(),
    /** `started` until the call ended; then `ok`, `error`, or `error:<what>`. */
    result: text('result').notNull(),
    status: integer('status'),
    latencyMs: integer('latency_ms'),
    requestId: text('request_id').notNull(),
  },
  (table) => [index('audit_entries_by_time').on(table.atUnix)],
)

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

/** A known text sealed under the master key: tells a lost or changed key from damaged data. */
export const keyCheck = sqliteTable('key_check', {
  id: integer('id').primaryKey(),
  sealed: text('sealed').notNull(),
})

/** Failed attempts at something guarded by a secret, in fixed windows. */
export const attempts = sqliteTable('attempts', {
  key: text('key').primaryKey(),
  count: integer('count').notNull(),
  windowStartUnix: integer('window_start_unix').notNull(),
})
