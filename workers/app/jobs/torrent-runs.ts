import { unixSeconds } from '#shared/kernel/clock.ts'
import type { Job } from './job.ts'

/** Carries out what is done to all torrents that match, a bounded time at once. */
export const torrentRunsJob: Job = {
  name: 'torrent_runs',
  label: { zh: '批量操作种子', en: 'Actions on many torrents' },
  scope: 'service',
  isVisit: false,
  schedule: {},

  async run({ clock, torrentRuns }) {
    return { dueAtUnix: (await torrentRuns.carryOn()) ? unixSeconds(clock) : undefined }
  },

  /** What began while this was about to end found it on the list. */
  async after({ clock, list, torrentRuns }, subjectId, isOver) {
    if (isOver && (await torrentRuns.isAnyOpen()))
      await list.plan({ scope: 'service', subjectId, name: 'torrent_runs' }, unixSeconds(clock))
  },
}
