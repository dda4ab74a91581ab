import type { Job } from './job.ts'
import { siteOf } from './job-parts.ts'

export const brushJob: Job = {
  name: 'brush',
  label: { zh: '刷流任务', en: 'Brush tasks' },
  scope: 'site',
  isVisit: true,
  schedule: {
    async changed({ brush }, scope, siteId) {
      if (scope === 'site') await brush.plan(siteId)
    },
    soon: ({ brush }, siteId) => brush.bringForward(siteId),
  },

  async run(parts, { subjectId }) {
    return parts.brush.run(subjectId, await siteOf(parts, subjectId))
  },

  /** A task that was changed while it ran brought its next run forward, and that was overwritten. */
  after: ({ brush }, siteId) => brush.plan(siteId),
}
