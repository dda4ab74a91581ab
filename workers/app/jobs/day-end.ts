import { unixSeconds } from '#shared/kernel/clock.ts'
import { jitter } from '../core/job-schedule.ts'
import { addDays, localDay, momentOfDay } from '../core/local-day.ts'
import { siteAbilities } from '../core/site.ts'
import { dayEndSeconds } from '../limits.ts'
import type { Job } from './job.ts'
import { enabledSiteOf, type JobParts } from './job-parts.ts'

/**
 * Has the figures of a site read once more before the owner's midnight. What a day brought is told from its last
 * reading: with one of hours before, the evening would count as the next day's.
 */
export const dayEndJob: Job = {
  name: 'day_end',
  label: { zh: '日终读取', en: 'Last reading of the day' },
  scope: 'site',
  isVisit: false,
  schedule: {
    first: async (parts, siteId) => ((await isRead(parts, siteId)) ? (await moments(parts)).today : undefined),
  },

  async run(parts, { subjectId }) {
    if (!(await isRead(parts, subjectId))) return undefined
    const { isEnding, today, tomorrow } = await moments(parts)
    // A machine that was off is late for a day that is over.
    if (!isEnding) return { dueAtUnix: today }
    await parts.list.bringForward({ scope: 'site', subjectId, name: 'statistics' }, unixSeconds(parts.clock))
    return { dueAtUnix: tomorrow }
  },
}

async function isRead(parts: JobParts, siteId: number): Promise<boolean> {
  const entry = await enabledSiteOf(parts, siteId)
  return entry !== undefined && siteAbilities[entry.record.kind].statistics
}

/** In the last minutes of today and of tomorrow, each site at another one, so that the visit too is over by midnight. */
async function moments({ clock, locale, random }: JobParts) {
  const nowUnix = unixSeconds(clock)
  const { timeZone } = await locale.read()
  const day = localDay(nowUnix, timeZone)
  const begin = (of: string) => momentOfDay(addDays(of, 1), 0, timeZone) - dayEndSeconds.before
  const within = (of: string) => jitter(begin(of), begin(of) + dayEndSeconds.spread, random())
  return { isEnding: nowUnix >= begin(day), today: within(day), tomorrow: within(addDays(day, 1)) }
}
