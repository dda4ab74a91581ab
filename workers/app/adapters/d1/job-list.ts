import { and, asc, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { readReason, storeReason } from '../../core/reason/stored-reason.ts'
import type { JobKey, JobList, ListedJob } from '../../jobs/job-list.ts'
import { jobLeaseSeconds } from '../../limits.ts'
import { jobs } from './schema/jobs.ts'

/** A job of the service itself. */
export function serviceJob(name: string): JobKey {
  return { scope: 'service', subjectId: 0, name }
}

/** What is planned already stays as it is. */
export async function planJob(db: DrizzleD1Database, job: JobKey, dueAtUnix: number): Promise<void> {
  await db
    .insert(jobs)
    .values({ ...job, dueAtUnix })
    .onConflictDoNothing()
}

/** What is planned for later becomes due by then. */
export const broughtForward = {
  target: [jobs.scope, jobs.subjectId, jobs.name],
  set: { dueAtUnix: sql`min(${jobs.dueAtUnix}, excluded.due_at_unix)` },
}

export async function hastenJob(db: DrizzleD1Database, job: JobKey, dueAtUnix: number): Promise<void> {
  await db
    .insert(jobs)
    .values({ ...job, dueAtUnix })
    .onConflictDoUpdate(broughtForward)
}

/** The row of a job that is due by then, for a statement that plans it where something waits for it. */
export function selectJob({ scope, subjectId, name }: JobKey, dueAtUnix: number | SQL, condition: SQL): SQL {
  return sql`select ${scope}, ${subjectId}, ${name}, ${dueAtUnix}, 0, null, null, null, null ${condition}`
}

export function createJobList(db: DrizzleD1Database): JobList {
  const isJob = ({ scope, subjectId, name }: JobKey) =>
    and(eq(jobs.scope, scope), eq(jobs.subjectId, subjectId), eq(jobs.name, name))
  const isLeased = (job: JobKey, leaseUntilUnix: number) => and(isJob(job), eq(jobs.leaseUntilUnix, leaseUntilUnix))

  return {
    async all() {
      return (await db.select().from(jobs).orderBy(asc(jobs.subjectId), asc(jobs.name))).map(toListed)
    },

    async due(nowUnix) {
      const isDue = and(lte(jobs.dueAtUnix, nowUnix), lte(jobs.leaseUntilUnix, nowUnix))
      return (await db.select().from(jobs).where(isDue)).map(toListed)
    },

    /** Begins when the run begins, not when it is chosen: a run that waited its turn still has its whole time. */
    async lease(job, nowUnix) {
      const leaseUntilUnix = nowUnix + jobLeaseSeconds
      const leased = await db
        .update(jobs)
        .set({ leaseUntilUnix, lastStartedAtUnix: nowUnix })
        .where(and(isLeased(job, job.leaseUntilUnix), eq(jobs.dueAtUnix, job.dueAtUnix)))
        .returning({ name: jobs.name })
      return leased.length === 0 ? undefined : leaseUntilUnix
    },

    async end(job, leaseUntilUnix) {
      await db.delete(jobs).where(isLeased(job, leaseUntilUnix))
    },

    async planNext(job, leaseUntilUnix, { dueAtUnix, reason, nowUnix }) {
      await db
        .update(jobs)
        .set({
          dueAtUnix,
          leaseUntilUnix: 0,
          lastFinishedAtUnix: nowUnix,
          lastOk: reason === undefined,
          lastError: reason === undefined ? null : storeReason(reason),
        })
        .where(isLeased(job, leaseUntilUnix))
    },

    plan: (job, dueAtUnix) => planJob(db, job, dueAtUnix),

    async replace({ scope, subjectId }, runs) {
      const old = db.delete(jobs).where(and(eq(jobs.scope, scope), eq(jobs.subjectId, subjectId)))
      if (runs.length === 0) await old
      else await db.batch([old, db.insert(jobs).values(runs.map((run) => ({ scope, subjectId, ...run })))])
    },

    async bringForward(job, dueAtUnix) {
      const moved = await db.update(jobs).set({ dueAtUnix }).where(isJob(job)).returning({ name: jobs.name })
      return moved.length > 0
    },
  }
}

function toListed({ lastError, ...row }: typeof jobs.$inferSelect): ListedJob {
  return { ...row, lastReason: readReason(lastError) }
}
