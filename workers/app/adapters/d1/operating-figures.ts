import { asc, count, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { jobOverdueSeconds } from '../../limits.ts'
import type { OperatingStore } from '../../ports/operating.ts'
import { downloaders, downloaderWatch } from './schema/downloaders.ts'
import { jobs } from './schema/jobs.ts'
import { deliveries, outboxEvents } from './schema/messages.ts'
import { pushRecords } from './schema/pushes.ts'
import { sites, siteUsers } from './schema/sites.ts'

/** Reads the figures in one transaction, so that they are of one moment. */
export function createOperatingStore(db: DrizzleD1Database, clock: Clock): OperatingStore {
  const overdueBefore = () => unixSeconds(clock) - jobOverdueSeconds
  return {
    async answers() {
      await db.run(sql`select 1`)
    },

    async figures() {
      const [siteRows, downloaderRows, jobRows, waitingNotices, waitingDeliveries, pushes, followed] = await db.batch([
        db
          .select({
            name: sites.name,
            addedAtUnix: sites.createdAtUnix,
            figuresAtUnix: siteUsers.fetchedAtUnix,
            probedAtUnix: sites.lastProbeAtUnix,
            status: sites.lastProbeStatus,
          })
          .from(sites)
          .leftJoin(siteUsers, eq(siteUsers.siteId, sites.id))
          .where(eq(sites.enabled, true))
          .orderBy(asc(sites.id)),
        db
          .select({ name: downloaders.name, misses: downloaderWatch.misses })
          .from(downloaders)
          .innerJoin(downloaderWatch, eq(downloaderWatch.downloaderId, downloaders.id))
          .where(eq(downloaders.enabled, true))
          .orderBy(asc(downloaders.id)),
        db
          .select({
            name: jobs.name,
            planned: count(),
            failed: sql<number>`sum(${jobs.lastOk} is 0)`,
            overdue: sql<number>`sum(${jobs.dueAtUnix} < ${overdueBefore()} and ${jobs.leaseUntilUnix} < ${overdueBefore()})`,
          })
          .from(jobs)
          .groupBy(jobs.name)
          .orderBy(asc(jobs.name)),
        db.select({ length: count() }).from(outboxEvents).where(isNull(outboxEvents.addressedAtUnix)),
        db.select({ length: count() }).from(deliveries),
        db.select({ length: count() }).from(pushRecords).where(isNotNull(pushRecords.startedAtUnix)),
        db.select({ length: count() }).from(pushRecords).where(eq(pushRecords.followed, true)),
      ])
      return {
        sites: siteRows.map(({ name, addedAtUnix, figuresAtUnix, probedAtUnix, status }) => ({
          name,
          addedAtUnix,
          ...(figuresAtUnix === null ? {} : { figuresAtUnix }),
          ...(probedAtUnix === null ? {} : { probedAtUnix }),
          ...(status === null ? {} : { isProbeOk: status === 'ok' }),
        })),
        downloaders: downloaderRows,
        jobs: jobRows,
        queues: {
          notices: waitingNotices[0]?.length ?? 0,
          deliveries: waitingDeliveries[0]?.length ?? 0,
          pushes: pushes[0]?.length ?? 0,
          followed: followed[0]?.length ?? 0,
        },
      }
    },
  }
}
