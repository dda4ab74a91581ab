import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

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

/** What the owner's authenticators signed up with. None of it is secret. */
export const passkeys = sqliteTable('passkeys', {
  /** Of the credential, as base64url; so is the key, in COSE form. */
  id: text('id').primaryKey(),
  publicKey: text('public_key').notNull(),
  name: text('name').notNull(),
  /** The host it works at: browsers offer it nowhere else. */
  host: text('host').notNull(),
  /** What authenticators know the owner of this installation by. */
  userHandle: text('user_handle').notNull(),
  counter: integer('counter').notNull(),
  isSynced: integer('is_synced', { mode: 'boolean' }).notNull(),
  /** When the challenge it answered last was made: none made before it is answered again. */
  challengeMs: integer('challenge_ms').notNull(),
  createdAtUnix: integer('created_at_unix').notNull(),
  lastUsedAtUnix: integer('last_used_at_unix'),
})

/** A known text sealed under the master key: tells a lost or changed key from damaged data. */
export const keyCheck = sqliteTable('key_check', {
  id: integer('id').primaryKey(),
  sealed: text('sealed').notNull(),
})

/** Attempts at the password, in fixed windows. */
export const attempts = sqliteTable(
  'attempts',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    windowStartUnix: integer('window_start_unix').notNull(),
  },
  (table) => [index('attempts_by_window').on(table.windowStartUnix)],
)
