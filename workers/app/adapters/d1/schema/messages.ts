import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { ChannelType } from '../../../core/channel.ts'
import type { ShownFields } from '../../../core/channel-services/settle-service.ts'
import { eventTypes, templateTypes } from '../../../core/vocabulary.ts'

/** Texts of events as the owner wrote them. An event without a row has its built-in text. */
export const messageTemplates = sqliteTable('message_templates', {
  type: text('type', { enum: templateTypes }).primaryKey(),
  title: text('title').notNull(),
  text: text('text').notNull(),
  updatedAtUnix: integer('updated_at_unix').notNull(),
})

/** Where messages are sent, and how that last went. */
export const channels = sqliteTable('channels', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  name: text('name').notNull(),
  kind: text('kind').$type<ChannelType>().notNull(),
  /** Scheme and host of a webhook, whose address may hold a key; the base address of a bot or of a service. */
  place: text('place').notNull(),
  chatId: text('chat_id').notNull().default(''),
  headerName: text('header_name').notNull().default(''),
  /** Whether its messages are signed, with a key among the sealed. */
  signed: integer('signed', { mode: 'boolean' }).notNull().default(false),
  /** Of a service, without its secrets. */
  fields: text('fields', { mode: 'json' }).$type<ShownFields>().notNull().default({}),
  sealedSecrets: text('sealed_secrets').notNull(),
  enabled: integer('enabled', { mode: 'boolean' }).notNull(),
  /** `,a,b,`: each type between commas, so that one is found by its whole name. */
  events: text('events').notNull(),
  lastAtUnix: integer('last_at_unix'),
  lastOk: integer('last_ok', { mode: 'boolean' }),
  lastError: text('last_error'),
  /** Notices given up since the settings were last saved. */
  lost: integer('lost').notNull().default(0),
  createdAtUnix: integer('created_at_unix').notNull(),
  updatedAtUnix: integer('updated_at_unix').notNull(),
})

/** What happened, written together with what it tells. Kept a while after it was passed on, so that it is told once. */
export const outboxEvents = sqliteTable(
  'notices',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    type: text('type', { enum: eventTypes }).notNull(),
    /** Of what may be told once only. */
    key: text('key'),
    facts: text('facts').notNull(),
    atUnix: integer('at_unix').notNull(),
    /** When the messages for the channels were made of it. */
    addressedAtUnix: integer('spread_at_unix'),
  },
  (table) => [
    uniqueIndex('notices_by_key').on(table.key),
    index('notices_waiting').on(table.addressedAtUnix).where(sql`spread_at_unix is null`),
  ],
)

/** A message that a channel has not taken yet. */
export const deliveries = sqliteTable(
  'deliveries',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    noticeId: integer('notice_id').notNull(),
    channelId: integer('channel_id').notNull(),
    type: text('type', { enum: eventTypes }).notNull(),
    title: text('title').notNull(),
    text: text('text').notNull(),
    atUnix: integer('at_unix').notNull(),
    dueAtUnix: integer('due_at_unix').notNull(),
    attempts: integer('attempts').notNull().default(0),
  },
  (table) => [uniqueIndex('deliveries_by_channel').on(table.channelId, table.noticeId)],
)
