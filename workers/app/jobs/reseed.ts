import { unixSeconds } from '#shared/kernel/clock.ts'
import type { Job } from './job.ts'

/** Looks on other sites for what the disks hold, and seeds it there. */
export const reseedJob: Job = {
  name: 'reseed',
  label: { zh: '辅种', en: 'Reseeding' },
  scope: 'service',
  isVisit: true,
  schedule: {
    async first({ clock, reseed }) {
      return (await reseed.isAny()) ? unixSeconds(clock) : undefined
    },
  },
  run: ({ reseed }) => reseed.run(),
}
