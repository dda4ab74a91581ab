import { integer, text } from 'drizzle-orm/sqlite-core'

/** Of a table of rules, whatever they decide about. */
export const ruleColumns = {
  id: integer('id').primaryKey({ autoIncrement: true }),
  name: text('name').notNull(),
  enabled: integer('enabled', { mode: 'boolean' }).notNull(),
  position: integer('position').notNull(),
  /** JSON of the rule. */
  rule: text('rule').notNull(),
  createdAtUnix: integer('created_at_unix').notNull(),
  updatedAtUnix: integer('updated_at_unix').notNull(),
}
