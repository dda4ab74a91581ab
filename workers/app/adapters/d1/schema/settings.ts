import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** What the owner settled for the service as a whole: one row a matter. */
export const settings = sqliteTable('settings', {
  name: text('name').primaryKey(),
  /** JSON of the matter's own shape. */
  value: text('value').notNull(),
  /** Its secret, sealed; empty when it keeps none. */
  sealed: text('sealed').notNull().default(''),
  revision: integer('revision').notNull().default(1),
  updatedAtUnix: integer('updated_at_unix').notNull(),
})
