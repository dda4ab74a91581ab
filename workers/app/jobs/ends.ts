import { unixSeconds } from '#shared/kernel/clock.ts'
import type { Job } from './job.ts'

/** Ends torrents by the owner's rules, or says which it would end. */
export const endsJob: Job = {
  name: 'torrent_ends',
  label: { zh: '种子结束规则', en: 'Ends of torrents' },
  scope: 'service',
  isVisit: false,
  schedule: {
    async first({ clock, ends }) {
      return (await ends.isAny()) ? unixSeconds(clock) : undefined
    },
  },
  run: ({ ends }) => ends.watch(),
}
