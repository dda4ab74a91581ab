import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { LoginReminderRows } from '../../adapters/d1/login-reminders.ts'
import { loginStanding } from '../../core/login-tier.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { LoginReminderList, SiteEntry } from '../../ports/sites.ts'

export interface LoginReminders extends LoginReminderList {
  /** One for each account that came nearer to its end since the last look; those of accounts that were visited go. */
  review(entries: readonly SiteEntry[]): Promise<void>
  /** Takes the look off the scheduler's list while no site is switched on. */
  unplanIdle(): Promise<void>
}

export function createLoginReminders(deps: {
  readonly clock: Clock
  readonly logger: Logger
  readonly rows: LoginReminderRows
}): LoginReminders {
  const { clock, logger, rows } = deps
  return {
    list: () => rows.list(),
    unplanIdle: () => rows.unplanIdle(),

    async review(entries) {
      const nowUnix = unixSeconds(clock)
      const raised = new Map((await rows.list()).map((row) => [row.siteId, row]))
      const over = new Set(raised.keys())
      for (const { record } of entries) {
        if (!record.enabled) continue
        const { tier, daysRemaining } = loginStanding(record.lastActiveAtUnix, record, nowUnix)
        if (tier === 'none' || tier === 'unknown') continue
        over.delete(record.id)
        const before = raised.get(record.id)
        if (before?.tier === tier) {
          if (before.daysRemaining !== daysRemaining) await rows.noteDays(record.id, daysRemaining)
          continue
        }
        await rows.raise(
          { siteId: record.id, tier, daysRemaining, raisedAtUnix: nowUnix },
          {
            site: record.displayName || record.name,
            days_remaining: daysRemaining,
            tier,
            urgent: tier === 'banned-imminent',
          },
        )
        logger.info('login_reminder', { site_id: record.id, tier, days_remaining: daysRemaining })
      }
      if (over.size > 0) await rows.remove([...over].slice(0, 50))
    },
  }
}
