import { unixSeconds } from '#shared/kernel/clock.ts'
import { localDay } from '../core/local-day.ts'
import { reminderSeconds } from '../limits.ts'
import type { Job } from './job.ts'
import { after } from './job-parts.ts'

/** Looks which accounts come near their end for want of a visit. */
export const remindersJob: Job = {
  name: 'reminders',
  label: { zh: '登录提醒', en: 'Login reminders' },
  scope: 'service',
  isVisit: false,
  schedule: {
    async changed({ clock, list }, scope) {
      if (scope === 'site')
        await list.plan({ scope: 'service', subjectId: 0, name: 'reminders' }, unixSeconds(clock) + reminderSeconds)
    },
    /** Nobody to be reminded of: the scheduler may sleep. */
    eachLook: ({ reminders }) => reminders.unplanIdle(),
  },

  async run(parts) {
    const { clock, news, reminders, sites, timeZone } = parts
    await reminders.review(await sites.list())
    await news.dayMayBeOver(localDay(unixSeconds(clock), timeZone))
    return { dueAtUnix: after(parts, reminderSeconds) }
  },
}
