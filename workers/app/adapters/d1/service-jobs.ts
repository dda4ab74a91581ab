import type { DrizzleD1Database } from 'drizzle-orm/d1'
import type { ServiceJob } from '../../core/vocabulary.ts'
import { siteJobs } from './schema.ts'

/** Stands for all sites together in the list of jobs. */
export const everySite = 0

/** What is planned already stays as it is. */
export async function planServiceJob(db: DrizzleD1Database, job: ServiceJob, dueAtUnix: number): Promise<void> {
  await db.insert(siteJobs).values({ siteId: everySite, job, dueAtUnix }).onConflictDoNothing()
}
