import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { conversationEntries } from '../../../core/vocabulary.ts'

/** Conversations with the assistant, as far as they are listed and counted. What was said is in their own objects. */
export const conversations = sqliteTable(
  'conversations',
  {
    id: text('id').primaryKey(),
    principalId: text('principal_id').notNull(),
    title: text('title').notNull(),
    entry: text('entry', { enum: conversationEntries }).notNull(),
    /** What is being answered. */
    runId: text('run_id'),
    createdAtMs: integer('created_at_ms').notNull(),
    updatedAtMs: integer('updated_at_ms').notNull(),
  },
  (table) => [
    index('conversations_by_principal').on(table.principalId, table.updatedAtMs),
    index('conversations_by_run').on(table.runId),
  ],
)
