import * as z from '#shared/schema/deferred.ts'
import { discountEnds, freeEndings, taskSources } from '../core/vocabulary.ts'
import { pageSizeMax, siteNameCharactersMax } from '../limits.ts'
import { keyword, pageOf, pageParameters } from './paging.ts'
import { withReason } from './reason.ts'
import { declareRoute } from './route.ts'

const wireTask = z
  .object({
    id: z.int(),
    site: z.string(),
    torrent_id: z.string(),
    title: z.string(),
    size: z.int(),
    category: z.string().optional(),
    tags: z.string().optional(),
    free: z.boolean(),
    free_level: z.string().optional(),
    free_end_at: z.int().optional(),
    /** Of a free one: `unknown` where the site did not tell its end. */
    free_end: z.enum(discountEnds).optional(),
    /** What was done because the free period ends before it is complete. */
    free_ending: z.enum(freeEndings).optional(),
    has_hr: z.boolean(),
    pushed: z.boolean(),
    pushed_at: z.int().optional(),
    downloader: z.string().optional(),
    progress: z.number().min(0).max(100),
    completed: z.boolean(),
    completed_at: z.int().optional(),
    source: z.enum(taskSources).optional(),
    error: z.string().optional(),
    ...withReason,
    created_at: z.int(),
  })
  .meta({ id: 'Task' })
export type WireTask = z.infer<typeof wireTask>

export const listTasks = declareRoute('read', 'get', '/tasks', {
  operationId: 'listTasks',
  feature: 'tasks',
  summary: 'Records of pushes, newest first',
  description: 'Everything that was pushed or was to be pushed, by whom (`source`), and how far the download is.',
  query: z.object({
    site: z.string().max(siteNameCharactersMax).optional(),
    q: keyword.optional(),
    pushed: z.literal('1').optional(),
    ...pageParameters(pageSizeMax),
  }),
  answers: { 200: z.object(pageOf(wireTask)) },
})
