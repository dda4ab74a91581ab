import { unixSeconds } from '#shared/kernel/clock.ts'
import { siteReason } from '../core/reason/of-fault.ts'
import { probeRetrySeconds, probeSeconds } from '../limits.ts'
import type { Job } from './job.ts'
import { after, enabledSiteOf } from './job-parts.ts'

/** Looks whether a site still takes its credentials. */
export const probeJob: Job = {
  name: 'probe',
  label: { zh: '登录检查', en: 'Login check' },
  scope: 'site',
  isVisit: true,
  schedule: {
    async first(parts, siteId) {
      return (await enabledSiteOf(parts, siteId)) === undefined ? undefined : after(parts, probeSeconds)
    },
  },

  async run(parts, { subjectId }) {
    const entry = await enabledSiteOf(parts, subjectId)
    if (entry === undefined) return undefined
    const { record, target } = entry
    const { clock, figures, fleet, news } = parts
    const visit = await fleet.probe(target)
    const nowUnix = unixSeconds(clock)
    if (visit.ok) {
      await figures.noteProbe(record.id, 'ok', visit.value.lastActiveAtUnix, nowUnix)
      return { dueAtUnix: after(parts, probeSeconds) }
    }
    // Somebody else is at the site: that says nothing about the sign-in.
    if (visit.failure.kind !== 'busy') {
      await news.siteFailed(record, visit.failure)
      await figures.noteProbe(record.id, visit.failure.kind, undefined, nowUnix)
    }
    return { dueAtUnix: after(parts, probeRetrySeconds), reason: siteReason(visit.failure) }
  },
}
