import type { Job } from './job.ts'
import { siteOf } from './job-parts.ts'

/** Looks whether something new stands in the feeds of a site. */
export const feedsJob: Job = {
  name: 'feeds',
  label: { zh: '订阅源', en: 'Feeds' },
  scope: 'site',
  isVisit: true,
  schedule: {
    async changed({ feeds }, scope, siteId) {
      if (scope === 'site') await feeds.plan(siteId)
    },
    soon: ({ feeds }, siteId) => feeds.bringForward(siteId),
  },

  async run(parts, { subjectId }) {
    return parts.feeds.run(subjectId, await siteOf(parts, subjectId))
  },

  /** A feed that was changed while it ran brought its next run forward, and that was overwritten. */
  after: ({ feeds }, siteId) => feeds.plan(siteId),
}
