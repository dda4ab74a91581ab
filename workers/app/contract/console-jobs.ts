/** The console's endpoints for the work that the service does by itself. */

import * as z from '#shared/schema/deferred.ts'
import { downloaderNameCharactersMax, jobNameCharactersMax, siteNameCharactersMax } from '../limits.ts'
import { withReason } from './reason.ts'
import { declareRoute, type RouteDeclaration } from './route.ts'

const wireJob = z.object({
  /** Left out, as `downloader` is, for work of the service itself: `tasks`, `reminders`. */
  site: z.string().optional(),
  downloader: z.string().optional(),
  job: z.string(),
  /** What the job is called, in the languages of the page. */
  label: z.object({ zh: z.string(), en: z.string() }),
  due_at: z.int(),
  running: z.boolean(),
  last_started_at: z.int().optional(),
  last_finished_at: z.int().optional(),
  last_ok: z.boolean().optional(),
  /** Why the last run failed, in Chinese, fit to show. */
  last_error: z.string().optional(),
  ...withReason,
})
export type WireJob = z.infer<typeof wireJob>

export const listJobs = declareRoute('session', 'get', '/jobs', {
  operationId: 'listJobs',
  summary: '后台任务及其上次结果',
  answers: { 200: z.object({ items: z.array(wireJob) }) },
})

/** 400 for a job that there is not; 404 where there is no such work: the site is off, or cannot do it, or there is nothing to follow. */
export const runJob = declareRoute('session', 'post', '/jobs/run', {
  operationId: 'runJob',
  summary: '立即运行后台任务',
  body: z.strictObject({
    site: z.string().max(siteNameCharactersMax).optional(),
    downloader: z.string().max(downloaderNameCharactersMax).optional(),
    job: z.string().max(jobNameCharactersMax),
  }),
  answers: { 200: z.object({ ok: z.literal(true) }) },
})

export const consoleJobDeclarations: readonly RouteDeclaration[] = [listJobs, runJob]
