import { unixSeconds } from '#shared/kernel/clock.ts'
import { pruneSeconds } from '../limits.ts'
import type { Job } from './job.ts'

/** Removes what is past its time to be kept, also while nobody calls. */
export const pruneJob: Job = {
  name: 'prune',
  label: { zh: '清理过期记录', en: 'Clearing old records' },
  scope: 'service',
  isVisit: false,
  schedule: { first: ({ keeping }) => keeping.nextAtUnix() },

  async run({ clock, keeping }) {
    const isMore = await keeping.prune()
    if (isMore) return { dueAtUnix: unixSeconds(clock) }
    const nextUnix = await keeping.nextAtUnix()
    // Once a day, whatever else ends meanwhile.
    const dueAtUnix = nextUnix === undefined ? undefined : Math.max(nextUnix, unixSeconds(clock) + pruneSeconds)
    return { dueAtUnix }
  },
}
