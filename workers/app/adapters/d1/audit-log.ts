import { count, desc, eq, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { AuditAbout } from '../../core/audit-about.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { readReason, storeReason } from '../../core/reason/stored-reason.ts'
import { auditRowsMax, auditSeconds, auditTrimRows } from '../../limits.ts'
import type { AuditLog } from '../../ports/audit-log.ts'
import { auditEntries } from './schema/audit.ts'

/** How often a new entry also removes old ones: each hundredth, decided by its id. */
const trimEvery = 100

export function createAuditLog(db: DrizzleD1Database, clock: Clock): AuditLog {
  /** Oldest first, a bounded number at a time, by age and by number. Ids only grow, so the newest id bounds the count. */
  async function trim(newestId: number): Promise<void> {
    const oldestKept = unixSeconds(clock) - auditSeconds
    await db.run(
      sql`delete from audit_entries where id in (select id from audit_entries where at_unix < ${oldestKept} or id <= ${newestId - auditRowsMax} order by id limit ${auditTrimRows})`,
    )
  }

  return {
    async begin({ channel, user, command, requestId }) {
      const [row] = await db
        .insert(auditEntries)
        .values({ atUnix: unixSeconds(clock), channel, user, command, result: 'started', requestId })
        .returning({ id: auditEntries.id })
      if (row === undefined) throw new Error('the audit row was not written')
      if (row.id % trimEvery === 0) await trim(row.id)
      return row.id
    },

    async finish(id, { result, status, latencyMs, reason, about }) {
      await db
        .update(auditEntries)
        .set({
          result,
          status,
          latencyMs,
          reason: storeReason(reason),
          about: about === undefined ? '' : JSON.stringify(about),
        })
        .where(eq(auditEntries.id, id))
    },

    async page(page, pageSize) {
      const [rows, totals] = await db.batch([
        db
          .select()
          .from(auditEntries)
          .orderBy(desc(auditEntries.id))
          .limit(pageSize)
          .offset((page - 1) * pageSize),
        db.select({ count: count() }).from(auditEntries),
      ])
      return {
        total: totals[0]?.count ?? 0,
        items: rows.map((row) => ({
          ...reasonOf(row),
          ...(row.about === '' ? {} : { about: JSON.parse(row.about) as AuditAbout }),
          id: row.id,
          atUnix: row.atUnix,
          channel: row.channel,
          user: row.user,
          command: row.command,
          result: row.result,
          ...(row.status === null ? {} : { status: row.status }),
          ...(row.latencyMs === null ? {} : { latencyMs: row.latencyMs }),
        })),
      }
    },
  }
}

function reasonOf({ reason: stored }: typeof auditEntries.$inferSelect): { readonly reason?: Reason } {
  const reason = readReason(stored)
  return reason === undefined ? {} : { reason }
}
