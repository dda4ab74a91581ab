/** Rows that are looked at each at its own pace: tasks that brush and feeds, by their site, and lists of what is wanted. */
import { and, asc, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { broughtForward, selectJob } from './job-list.ts'
import type { brushTasks } from './schema/brush.ts'
import type { feeds } from './schema/feeds.ts'
import { jobs } from './schema/jobs.ts'
import type { watchlists } from './schema/watchlists.ts'

type Paced = typeof brushTasks | typeof feeds

export function isEnabledAt(table: Paced, siteId: number) {
  return and(eq(table.siteId, siteId), eq(table.enabled, true))
}

/** Has the scheduler look at those of a site when the first of them is due, and not later than planned already. */
export function planJob(db: DrizzleD1Database, name: 'brush' | 'feeds', table: Paced, siteId: number) {
  return db
    .insert(jobs)
    .select(
      selectJob(
        { scope: 'site', subjectId: siteId, name },
        sql`min(due_at_unix)`,
        sql`from ${table} where site_id = ${siteId} and enabled = 1 having count(*) > 0`,
      ),
    )
    .onConflictDoUpdate(broughtForward)
}

/** When the first one is due. Undefined when none is switched on. */
export async function firstDueAt(db: DrizzleD1Database, table: Paced, siteId: number): Promise<number | undefined> {
  const [row] = await db
    .select({ dueAtUnix: sql<number | null>`min(${table.dueAtUnix})` })
    .from(table)
    .where(isEnabledAt(table, siteId))
  return row?.dueAtUnix ?? undefined
}

/** What a run writes at its end. One that was asked for meanwhile stays due: the run may have read what was before. */
export function dueAfterRun(
  { dueAtUnix }: Paced | typeof watchlists,
  run: { readonly dueAtUnix: number },
  nextUnix: number,
): SQL<number> {
  return sql`iif(${dueAtUnix} = ${run.dueAtUnix}, ${nextUnix}, ${dueAtUnix})`
}

/** The one that waits longest, with the number of its last run. Undefined when none is due. */
export async function longestDue(db: DrizzleD1Database, table: Paced, siteId: number, nowUnix: number) {
  const [row] = await db
    .select({ id: table.id, run: table.run })
    .from(table)
    .where(and(isEnabledAt(table, siteId), lte(table.dueAtUnix, nowUnix)))
    .orderBy(asc(table.dueAtUnix), asc(table.id))
    .limit(1)
  return row
}
