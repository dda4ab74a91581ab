import { unixSeconds } from '#shared/kernel/clock.ts'
import type { Job } from './job.ts'

/** Carries out plans for the next level of sites, after their yes. */
export const sitePlansJob: Job = {
  name: 'site_plans',
  label: { zh: '升级计划', en: 'Plans for levels' },
  scope: 'service',
  isVisit: true,
  schedule: {
    async first({ clock, sitePlans }) {
      return (await sitePlans.isAny()) ? unixSeconds(clock) : undefined
    },
  },
  run: ({ sitePlans }) => sitePlans.run(),
}
