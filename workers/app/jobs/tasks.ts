import { unixSeconds } from '#shared/kernel/clock.ts'
import { taskFollowSeconds } from '../limits.ts'
import type { Job } from './job.ts'

/** Follows what was pushed until all of it is complete. */
export const tasksJob: Job = {
  name: 'tasks',
  label: { zh: '推送进度', en: 'Progress of pushes' },
  scope: 'service',
  isVisit: false,
  schedule: {},

  async run({ clock, pushes }) {
    const { isMore, reason } = await pushes.follow()
    const dueAtUnix = isMore ? unixSeconds(clock) + taskFollowSeconds : undefined
    return { dueAtUnix, ...(reason === undefined ? {} : { reason }) }
  },

  /**
   * A push that began meanwhile found this job on the list and planned nothing. What is complete may have to be seeded, and
   * without pushes to follow nothing else may be due for hours.
   */
  async after({ clock, list, pushes, hitAndRuns }, subjectId, isOver) {
    if (!isOver) return
    const plan = (name: string, dueAtUnix: number) => list.plan({ scope: 'service', subjectId, name }, dueAtUnix)
    if (await pushes.isAnyFollowed()) await plan('tasks', unixSeconds(clock) + taskFollowSeconds)
    if (await hitAndRuns.isAny()) await plan('hit_and_run', unixSeconds(clock))
  },
}
