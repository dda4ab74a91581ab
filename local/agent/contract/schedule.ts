import { z } from '@hono/zod-openapi'
import { idPattern } from '../core/identifier.ts'
import { failureCodes } from '../core/vocabulary.ts'
import { promptTextBytesMax, scheduleEveryMinutesMax, scheduleEveryMinutesMin } from '../limits.ts'
import { locationQuery } from './location.ts'
import { declareRoute } from './route.ts'

const wireSchedule = z
  .object({
    id: z.string(),
    directory: z.string(),
    sessionID: z.string().optional().openapi({ description: 'Whose next prompt it is; a new session without one.' }),
    text: z.string(),
    agent: z.string().optional(),
    everyMinutes: z.number().int().optional(),
    next: z.number().optional(),
    missed: z.number().int().openapi({ description: 'Times that went by while no server ran.' }),
    last: z
      .object({
        time: z.number(),
        sessionID: z.string().optional(),
        problem: z.string().optional().openapi({ description: 'Why it did not begin.' }),
        code: z.enum(failureCodes).optional().openapi({ description: 'What kind of failure `problem` is.' }),
      })
      .optional(),
    time: z.object({ created: z.number() }),
  })
  .openapi('Schedule')
export type WireSchedule = z.output<typeof wireSchedule>

const scheduleParams = z.object({ scheduleID: z.string().regex(idPattern.schedule, 'must start with sch_') })

export const listSchedules = declareRoute('get', '/api/schedule', {
  operationId: 'v2.schedule.list',
  summary: 'Prompts that wait for their time, oldest first, those that are over and were not removed included',
  answer: z.object({ data: z.array(wireSchedule) }),
})

export const createSchedule = declareRoute('post', '/api/schedule', {
  operationId: 'v2.schedule.create',
  summary: 'Has a prompt begin at a time, every so often, or both: first at the time, then every so often',
  query: locationQuery,
  body: z.strictObject({
    text: z.string().min(1).max(promptTextBytesMax),
    sessionID: z.string().regex(idPattern.session).optional(),
    agent: z.string().optional(),
    at: z.number().int().optional(),
    everyMinutes: z.number().int().min(scheduleEveryMinutesMin).max(scheduleEveryMinutesMax).optional(),
  }),
  answer: z.object({ data: wireSchedule }),
  failures: ['not_found', 'conflict'],
})

export const removeSchedule = declareRoute('delete', '/api/schedule/{scheduleID}', {
  operationId: 'v2.schedule.remove',
  summary: 'Removes one; what it has begun goes on',
  params: scheduleParams,
  answer: 'none',
  failures: ['not_found'],
})
