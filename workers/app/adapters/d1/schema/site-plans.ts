import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { sitePlanStates } from '../../../core/vocabulary.ts'

/** Ways to the next level of a site: what was simulated, and what carries it out. */
export const sitePlans = sqliteTable(
  'site_plans',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    siteId: integer('site_id').notNull(),
    state: text('state', { enum: sitePlanStates }).notNull(),
    /** As it was simulated: JSON that never changes. */
    plan: text('plan').notNull(),
    /** JSON; each step is marked before it is taken. */
    steps: text('steps').notNull(),
    madeAtUnix: integer('made_at_unix').notNull(),
    begunAtUnix: integer('begun_at_unix'),
    endedAtUnix: integer('ended_at_unix'),
  },
  (table) => [index('site_plans_by_site').on(table.siteId), index('site_plans_by_state').on(table.state)],
)
