import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { chatWays, devicePermissions } from '../../../core/vocabulary.ts'

/** Channels that are bots and hear what is written to them. A bot without a row hears nothing. */
export const chatBots = sqliteTable('chat_bots', {
  channelId: integer('channel_id').primaryKey(),
  way: text('way', { enum: chatWays }).notNull(),
  /** `,a,b,`: each command between commas. */
  commands: text('commands').notNull(),
  /** Where the platform sends updates; empty where it is asked for them. */
  origin: text('origin').notNull().default(''),
  heardAtUnix: integer('heard_at_unix'),
  /** Why it hears nothing at the moment. */
  fault: text('fault'),
  /** The one code that a chat may be paired with now: its SHA-256 as hex. */
  codeHash: text('code_hash'),
  codePermission: text('code_permission', { enum: devicePermissions }),
  codeUntilUnix: integer('code_until_unix').notNull().default(0),
  codeTries: integer('code_tries').notNull().default(0),
})

/** Chats that the owner paired. */
export const pairedChats = sqliteTable(
  'paired_chats',
  {
    channelId: integer('channel_id').notNull(),
    /** As the platform numbers it. */
    chat: text('chat').notNull(),
    /** Made with the pairing, so that a chat that is paired anew is another caller. */
    id: text('id').notNull(),
    name: text('name').notNull(),
    permission: text('permission', { enum: devicePermissions }).notNull(),
    pairedAtUnix: integer('paired_at_unix').notNull(),
    heardAtUnix: integer('heard_at_unix'),
  },
  (table) => [primaryKey({ columns: [table.channelId, table.chat] })],
)
