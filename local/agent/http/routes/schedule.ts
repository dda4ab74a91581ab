import { succeed } from '#shared/kernel/result.ts'
import { createSchedule, listSchedules, removeSchedule } from '../../contract/schedule.ts'
import type { AgentDeps } from '../../ports.ts'
import { answerWith, type BoundRoute, bind } from '../bind.ts'
import { locationOf } from './location.ts'

export function scheduleRoutes({
  locations,
  schedules,
}: Pick<AgentDeps, 'locations' | 'schedules'>): readonly BoundRoute[] {
  return [
    bind(listSchedules, () => answerWith({ data: [...schedules.list()] })),
    bind(createSchedule, async ({ query, headers, body }) => {
      const location = await locationOf(locations, query, headers)
      if (!location.ok) return location
      const created = schedules.create(location.value.directory, body)
      return created.ok ? answerWith({ data: created.value }) : created
    }),
    bind(removeSchedule, ({ params }) => {
      const removed = schedules.remove(params.scheduleID)
      return removed.ok ? succeed(undefined) : removed
    }),
  ]
}
