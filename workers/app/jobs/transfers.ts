import { unixSeconds } from '#shared/kernel/clock.ts'
import type { Job } from './job.ts'

/** Takes torrents that move to another downloader one step on. */
export const transfersJob: Job = {
  name: 'transfers',
  label: { zh: '转移种子', en: 'Moves between downloaders' },
  scope: 'service',
  isVisit: false,
  schedule: {
    async first({ clock, transfers }) {
      return (await transfers.isAny()) ? unixSeconds(clock) : undefined
    },
  },
  run: ({ transfers }) => transfers.run(),
}
