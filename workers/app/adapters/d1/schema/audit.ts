import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** One row per act of a token, a device or the owner, refused ones included. Written before it takes effect. */
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
    /** JSON of why it did not do what was asked, or of what came of it; empty where there is nothing to say. */
    reason: text('reason').notNull().default(''),
    /** JSON of what was done and to what, by name; empty where that is not known. */
    about: text('about').notNull().default(''),
    latencyMs: integer('latency_ms'),
    requestId: text('request_id').notNull(),
  },
  (table) => [index('audit_entries_by_time').on(table.atUnix)],
)
