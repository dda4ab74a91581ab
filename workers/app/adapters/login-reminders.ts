import { and, eq, inArray, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { loginStanding } from '../core/login-tier.ts'
import type { Logger } from '../ports/runtime.ts'
import type { LoginReminderList, SiteEntry } from '../ports/sites.ts'
import { tell } from './d1/notices.ts'
import { jobs } from './d1/schema/jobs.ts'
import { loginReminders } from './d1/schema/sites.ts'

export interface LoginReminders extends LoginReminderList {
  /** One for each account that came nearer to its end since the last look; those of accounts that were visited go. */
  review(entries: readonly SiteEntry[]): Promise<void>
  /** Takes the look off the scheduler's list while no site is switched on. */
  unplanIdle(): Promise<void>
}

export function createLoginReminders(
  db: DrizzleD1Database,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): LoginReminders {
  return {
    async list() {
      return db.select().from(loginReminders).orderBy(loginReminders.daysRemaining, loginReminders.siteId)
    },

    async unplanIdle() {
      await db
        .delete(jobs)
        .where(
          and(
            eq(jobs.scope, 'service'),
            eq(jobs.name, 'reminders'),
            sql`not exists (select 1 from sites where enabled = 1)`,
          ),
        )
    },

    async review(entries) {
      const nowUnix = unixSeconds(clock)
      const raised = new Map((await db.select().from(loginReminders)).map((row) => [row.siteId, row]))
      const over = new Set(raised.keys())
      for (const { record } of entries) {
        if (!record.enabled) continue
        const { tier, daysRemaining } = loginStanding(record.lastActiveAtUnix, record, nowUnix)
        if (tier === 'none' || tier === 'unknown') continue
        over.delete(record.id)
        const before = raised.get(record.id)
        if (before?.tier === tier) {
          if (before.daysRemaining !== daysRemaining)
            await db.update(loginReminders).set({ daysRemaining }).where(eq(loginReminders.siteId, record.id))
          continue
        }
        const row = { tier, daysRemaining, raisedAtUnix: nowUnix }
        const facts = {
          site: record.displayName || record.name,
          days_remaining: daysRemaining,
          tier,
          urgent: tier === 'banned-imminent',
        }
        await db.batch([
          db
            .insert(loginReminders)
            .values({ siteId: record.id, ...row })
            .onConflictDoUpdate({ target: loginReminders.siteId, set: row }),
          ...tell(db, { type: 'login.reminder', facts }, nowUnix),
        ])
        logger.info('login_reminder', { site_id: record.id, tier, days_remaining: daysRemaining })
      }
      if (over.size > 0) await db.delete(loginReminders).where(inArray(loginReminders.siteId, [...over].slice(0, 50)))
    },
  }
}
