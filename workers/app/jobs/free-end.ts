import { unixSeconds } from '#shared/kernel/clock.ts'
import type { Job } from './job.ts'

/** Looks after what downloads because it is free, until all of it is complete or was dealt with. */
export const freeEndJob: Job = {
  name: 'free_end',
  label: { zh: '免费期限', en: 'Free periods' },
  scope: 'service',
  isVisit: false,
  schedule: {
    async first({ clock, freeEnds }) {
      return (await freeEnds.isAny()) ? unixSeconds(clock) : undefined
    },
  },
  run: ({ freeEnds }) => freeEnds.watch(),
}
