/** The console's endpoints for brush tasks: for the signed-in browser only. */

import * as z from '#shared/schema/deferred.ts'
import { leftReasons } from '../core/brush/choose-torrents.ts'
import { brushReasons, brushStatuses, unknownEnds } from '../core/vocabulary.ts'
import {
  brushActiveMax,
  brushDownloadingMax,
  brushHoursMax,
  brushHoursMin,
  brushMinutesMax,
  brushMinutesMin,
  brushNewPerRunMax,
  brushPeersMax,
  brushRatioMax,
  brushSizeGibMax,
  brushTaskNameCharactersMax,
  brushWordCharactersMax,
  brushWordsMax,
  siteNameCharactersMax,
} from '../limits.ts'
import { brushTaskFields } from './brush.ts'
import { ruleTrial, wireClause } from './console-rules.ts'
import { wholeNumber } from './paging.ts'
import { withReason } from './reason.ts'
import { declareRoute, emptyBody, type RouteDeclaration } from './route.ts'
import { ask } from './rule.ts'

const hours = z.number().min(brushHoursMin).max(brushHoursMax).optional()
const gib = z.number().min(0.01).max(brushSizeGibMax)
const peers = z.int().min(0).max(brushPeersMax).optional()

export const brushRules = z.strictObject({
  pick: z
    .strictObject({
      free_only: z.boolean(),
      free_hours_min: hours,
      /** Of a free torrent without a stated end; left out: it ends now. */
      unknown_end: z.enum(unknownEnds).optional(),
      size_gib_min: gib.optional(),
      size_gib_max: gib.optional(),
      seeders_max: peers,
      leechers_min: peers,
      age_hours_max: hours,
      refuse_hr: z.boolean(),
      refused_words: z.array(z.string().trim().min(1).max(brushWordCharactersMax)).max(brushWordsMax),
    })
    .refine(({ size_gib_min = 0, size_gib_max = brushSizeGibMax }) => size_gib_min <= size_gib_max, {
      path: ['size_gib_max'],
      ...ask({ kind: 'rule.not_below', field: 'size_gib_min' }),
    }),
  bounds: z.strictObject({
    active_max: z.int().min(1).max(brushActiveMax),
    downloading_max: z.int().min(1).max(brushDownloadingMax),
    active_gib_max: gib,
    new_per_run_max: z.int().min(1).max(brushNewPerRunMax),
  }),
  removal: z.strictObject({
    seeding_hours: hours,
    ratio: z.number().min(0.01).max(brushRatioMax).optional(),
    uploaded_gib: gib.optional(),
    idle_hours: hours,
    free_over: z.boolean(),
    incomplete_hours: hours,
  }),
})

const wireConsoleBrushTask = z.object({
  ...brushTaskFields,
  /** 0 for the default one. */
  downloader_id: z.int(),
  every_minutes: z.int(),
  rules: brushRules,
  due_at: z.int(),
  /** A run was begun; without `last_at` it is the first one, and under way. */
  has_begun: z.boolean().optional(),
  last_at: z.int().optional(),
  /** Why the last run did not do all it should have, in Chinese, fit to show. */
  last_error: z.string().optional(),
  ...withReason,
})
export type WireConsoleBrushTask = z.infer<typeof wireConsoleBrushTask>

export const listConsoleBrushTasks = declareRoute('session', 'get', '/brush-tasks', {
  operationId: 'listConsoleBrushTasks',
  summary: '刷流任务的设置',
  answers: { 200: z.object({ items: z.array(wireConsoleBrushTask) }) },
})

const brushTaskBody = z.strictObject({
  name: z.string().trim().min(1).max(brushTaskNameCharactersMax),
  enabled: z.boolean(),
  /** The site's identifier. */
  site: z.string().min(1).max(siteNameCharactersMax),
  /** 0 or left out: the default one. */
  downloader_id: z.int().min(0).optional(),
  every_minutes: z.int().min(brushMinutesMin).max(brushMinutesMax),
  rules: brushRules,
})
export type BrushTaskBody = z.output<typeof brushTaskBody>

const taskId = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })
const done = z.object({ ok: z.literal(true) })

const brushTrialBody = z.strictObject({
  /** Of a stored task: beside what that would have taken. */
  id: z.int().min(1).optional(),
  site: z.string().min(1).max(siteNameCharactersMax),
  pick: brushRules.shape.pick,
})
export type BrushTrialBody = z.output<typeof brushTrialBody>

/** What its choice would have taken of what turned up at the site in the last 30 days. Its room and its bounds are not counted. */
export const tryBrushTask = declareRoute('session', 'post', '/brush-tasks/try', {
  operationId: 'tryBrushTask',
  isTrial: true,
  summary: '用最近 30 天出现的种子试用刷流任务的选种规则',
  body: brushTrialBody,
  answers: { 200: ruleTrial },
})

export const addBrushTask = declareRoute('session', 'post', '/brush-tasks', {
  operationId: 'addBrushTask',
  summary: '添加刷流任务',
  body: brushTaskBody,
  answers: { 200: wireConsoleBrushTask },
})

export const changeBrushTask = declareRoute('session', 'put', '/brush-tasks/{id}', {
  operationId: 'changeBrushTask',
  summary: '修改刷流任务',
  params: taskId,
  body: brushTaskBody,
  answers: { 200: wireConsoleBrushTask },
})

/** Its torrents stay in the downloader, and are nobody's any more. */
export const removeBrushTask = declareRoute('session', 'delete', '/brush-tasks/{id}', {
  operationId: 'removeBrushTask',
  summary: '删除刷流任务，保留下载器中的种子',
  params: taskId,
  body: emptyBody,
  answers: { 200: done },
})

/** In the background, as soon as the site is free. 404 also for a task that is switched off. */
export const runBrushTask = declareRoute('session', 'post', '/brush-tasks/{id}/run', {
  operationId: 'runBrushTask',
  summary: '立即运行刷流任务',
  params: taskId,
  body: emptyBody,
  answers: { 200: done },
})

const wireBrushTorrent = z.object({
  torrent_id: z.string(),
  title: z.string(),
  status: z.enum(brushStatuses),
  /** Why it is or was removed. */
  reason: z.enum(brushReasons).optional(),
  /** In hours, as a ratio or in GiB, as the reason counts; `asked` is left out where a free period was over. */
  removal: z.object({ asked: z.number().optional(), found: z.number() }).optional(),
  /** Why it was taken: what the task asked, and what was found. */
  clauses: z.array(wireClause),
  size: z.int(),
  uploaded: z.int(),
  downloaded: z.int(),
  taken_at: z.int(),
  completed_at: z.int().optional(),
  free_end_at: z.int().optional(),
  ended_at: z.int().optional(),
})
export type WireBrushTorrent = z.infer<typeof wireBrushTorrent>

/** Those in its care first, then those it had, the newest first; a bounded number. */
export const listBrushTorrents = declareRoute('session', 'get', '/brush-tasks/{id}/torrents', {
  operationId: 'listBrushTorrents',
  summary: '刷流任务的种子',
  params: taskId,
  answers: { 200: z.object({ items: z.array(wireBrushTorrent) }) },
})

const wireBrushLeft = z.object({
  torrent_id: z.string(),
  title: z.string(),
  /** Left out where the site does not tell it. */
  size: z.int().optional(),
  /** A rule did not want it, others took the places, or it is larger than the room that was left. */
  why: z.enum(leftReasons),
  /** What the task asked, and what was found. */
  clauses: z.array(wireClause),
})
export type WireBrushLeft = z.infer<typeof wireBrushLeft>

/** What the last look at the newest list did not take: what came nearest first, a bounded number. */
export const listBrushLeft = declareRoute('session', 'get', '/brush-tasks/{id}/left', {
  operationId: 'listBrushLeft',
  summary: '刷流任务上一次没有取的种子及原因',
  params: taskId,
  answers: {
    200: z.object({
      items: z.array(wireBrushLeft),
      /** Left out while the task never looked. */
      looked: z
        .object({
          at: z.int(),
          seen: z.int(),
          /** Of those, had or tried before. */
          known: z.int(),
          /** There was no place left, so the list was not looked at. */
          full: z.boolean(),
        })
        .optional(),
    }),
  },
})
export type WireBrushLeftList = z.infer<(typeof listBrushLeft)['answers'][200]>

export const consoleBrushDeclarations: readonly RouteDeclaration[] = [
  listConsoleBrushTasks,
  tryBrushTask,
  addBrushTask,
  changeBrushTask,
  removeBrushTask,
  runBrushTask,
  listBrushTorrents,
  listBrushLeft,
]
