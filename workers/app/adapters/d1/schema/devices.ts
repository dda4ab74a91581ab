import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { devicePermissions } from '../../../core/vocabulary.ts'

/** Devices paired through remote access. Their private keys are theirs alone. */
export const devices = sqliteTable(
  'devices',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** X25519, as base64url. */
    publicKey: text('public_key').notNull(),
    permission: text('permission', { enum: devicePermissions }).notNull(),
    pairedAtUnix: integer('paired_at_unix').notNull(),
    lastUsedAtUnix: integer('last_used_at_unix'),
  },
  (table) => [uniqueIndex('devices_by_key').on(table.publicKey)],
)

/** The one code that a device may be paired with now. */
export const pairingCode = sqliteTable('pairing_code', {
  id: integer('id').primaryKey(),
  sealed: text('sealed').notNull(),
  permission: text('permission', { enum: devicePermissions }).notNull(),
  expiresAtUnix: integer('expires_at_unix').notNull(),
})

/** The service's own key for handshakes with devices; made with the first code and kept. */
export const tunnelKey = sqliteTable('tunnel_key', {
  id: integer('id').primaryKey(),
  publicKey: text('public_key').notNull(),
  sealed: text('sealed').notNull(),
  /** Devices that were paired before know another one. */
  madeAtUnix: integer('made_at_unix').notNull().default(0),
})
