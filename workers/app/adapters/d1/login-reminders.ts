import { and, eq, inArray, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import type { EventFacts } from '../../core/event-values.ts'
import type { LoginReminderList } from '../../ports/sites.ts'
import { recordEvent } from './events.ts'
import { jobs } from './schema/jobs.ts'
import { loginReminders } from './schema/sites.ts'

type Row = typeof loginReminders.$inferSelect

export interface LoginReminderRows extends LoginReminderList {
  /** With what there is to tell of it. */
  raise(row: Row, facts: EventFacts): Promise<void>
  noteDays(siteId: number, daysRemaining: number): Promise<void>
  remove(siteIds: readonly number[]): Promise<void>
  /** Takes the look off the scheduler's list while no site is switched on. */
  unplanIdle(): Promise<void>
}

export function createLoginReminderRows(db: DrizzleD1Database): LoginReminderRows {
  return {
    async list() {
      return db.select().from(loginReminders).orderBy(loginReminders.daysRemaining, loginReminders.siteId)
    },

    async raise(row, facts) {
      const { siteId: _, ...set } = row
      await db.batch([
        db.insert(loginReminders).values(row).onConflictDoUpdate({ target: loginReminders.siteId, set }),
        ...recordEvent(db, { type: 'login.reminder', facts }, row.raisedAtUnix),
      ])
    },

    async noteDays(siteId, daysRemaining) {
      await db.update(loginReminders).set({ daysRemaining }).where(eq(loginReminders.siteId, siteId))
    },

    async remove(siteIds) {
      await db.delete(loginReminders).where(inArray(loginReminders.siteId, [...siteIds]))
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
  }
}
