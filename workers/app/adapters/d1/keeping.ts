import { asc, inArray, lte, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { auditSeconds, auditTrimRows } from '../../limits.ts'
import { sessions } from './schema/account.ts'
import { auditEntries } from './schema/audit.ts'
import { pairingCode } from './schema/devices.ts'

/** What is kept for a time only, and nobody else removes while nothing is called. */
export interface Keeping {
  /** When the first of it is past its time; undefined while there is none. */
  nextAtUnix(): Promise<number | undefined>
  /** Removes what is past its time, so much at once. True when there may be more. */
  prune(): Promise<boolean>
}

export function createKeeping(db: DrizzleD1Database, clock: Clock): Keeping {
  return {
    async nextAtUnix() {
      const [row] = await db.all<{ at: number | null }>(sql`
        select min(at) as at from (
          select (select at_unix from ${auditEntries} order by id limit 1) + ${auditSeconds} as at
          union all select min(expires_at_unix) from ${sessions}
          union all select min(expires_at_unix) from ${pairingCode})`)
      return row?.at ?? undefined
    },

    async prune() {
      const nowUnix = unixSeconds(clock)
      const oldest = db
        .select({ id: auditEntries.id })
        .from(auditEntries)
        .where(lte(auditEntries.atUnix, nowUnix - auditSeconds))
        .orderBy(asc(auditEntries.id))
        .limit(auditTrimRows)
      const [entries] = await db.batch([
        db.delete(auditEntries).where(inArray(auditEntries.id, oldest)).returning({ id: auditEntries.id }),
        db.delete(sessions).where(lte(sessions.expiresAtUnix, nowUnix)),
        db.delete(pairingCode).where(lte(pairingCode.expiresAtUnix, nowUnix)),
      ])
      return entries.length === auditTrimRows
    },
  }
}
