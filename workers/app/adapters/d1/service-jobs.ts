import { sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import type { ServiceJob } from '../../core/vocabulary.ts'
import { siteJobs } from './schema.ts'

/** Stands for all sites together in the list of jobs. */
export const everySite = 0

/** What is planned already stays as it is. */
export async function planServiceJob(db: DrizzleD1Database, job: ServiceJob, dueAtUnix: number): Promise<void> {
  await db.insert(siteJobs).values({ siteId: everySite, job, dueAtUnix }).onConflictDoNothing()
}

/** What is planned for later becomes due by then. */
export const broughtForward = {
  target: [siteJobs.siteId, siteJobs.job],
  set: { dueAtUnix: sql`min(${siteJobs.dueAtUnix}, excluded.due_at_unix)` },
}

export async function hastenServiceJob(db: DrizzleD1Database, job: ServiceJob, dueAtUnix: number): Promise<void> {
  await db.insert(siteJobs).values({ siteId: everySite, job, dueAtUnix }).onConflictDoUpdate(broughtForward)
}
