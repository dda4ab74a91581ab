import { unixSeconds } from '#shared/kernel/clock.ts'
import type { Job } from './job.ts'

/** Notes what was given of torrents that have to be seeded. */
export const hitAndRunJob: Job = {
  name: 'hit_and_run',
  label: { zh: 'H&R 记录', en: 'Seeding duties' },
  scope: 'service',
  isVisit: false,
  schedule: {
    async first({ clock, hitAndRuns }) {
      return (await hitAndRuns.isAny()) ? unixSeconds(clock) : undefined
    },
  },
  run: ({ hitAndRuns }) => hitAndRuns.watch(),
}
