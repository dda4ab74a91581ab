import { unixSeconds } from '#shared/kernel/clock.ts'
import type { Job } from './job.ts'

/** Reads lists of what somebody wants to see, and subscribes to what is new on them. */
export const watchlistsJob: Job = {
  name: 'watchlists',
  label: { zh: '片单', en: 'Watchlists' },
  scope: 'service',
  isVisit: true,
  schedule: {
    async first({ clock, watchlists }) {
      return (await watchlists.nextDue()) === undefined ? undefined : unixSeconds(clock)
    },
  },
  run: ({ watchlists }) => watchlists.run(),
  /** What was changed while it ran brought its next run forward, and that was overwritten. */
  after: ({ watchlists }) => watchlists.plan(),
}
