import { unixSeconds } from '#shared/kernel/clock.ts'
import { localDay } from '../core/local-day.ts'
import { siteReason } from '../core/reason/of-fault.ts'
import { siteAbilities } from '../core/site.ts'
import { statisticsRetrySeconds, statisticsSeconds } from '../limits.ts'
import type { Job } from './job.ts'
import { after, enabledSiteOf } from './job-parts.ts'

export const statisticsJob: Job = {
  name: 'statistics',
  label: { zh: '读取数据', en: 'Figures' },
  scope: 'site',
  isVisit: true,
  schedule: {
    async first(parts, siteId) {
      const entry = await enabledSiteOf(parts, siteId)
      return entry !== undefined && siteAbilities[entry.record.kind].statistics ? unixSeconds(parts.clock) : undefined
    },
  },

  async run(parts, { subjectId }) {
    const entry = await enabledSiteOf(parts, subjectId)
    if (entry === undefined) return undefined
    const { record, target } = entry
    const { clock, figures, fleet, news, timeZone } = parts
    const reading = await fleet.read(target)
    const nowUnix = unixSeconds(clock)
    if (reading.ok) {
      await figures.noteReading(record.id, reading.value, localDay(nowUnix, timeZone), nowUnix)
      return { dueAtUnix: after(parts, statisticsSeconds) }
    }
    await news.siteFailed(record, reading.failure)
    await figures.noteProbe(record.id, reading.failure.kind, undefined, nowUnix)
    return { dueAtUnix: after(parts, statisticsRetrySeconds), reason: siteReason(reading.failure) }
  },

  async tidy({ clock, figures, timeZone }) {
    await figures.trim(localDay(unixSeconds(clock), timeZone))
  },
}
