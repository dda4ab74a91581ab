import { z } from '@hono/zod-openapi'
import { sortOrders, torrentActions, torrentConditions, torrentSorts, torrentStates } from '../core/vocabulary.ts'
import { actionTargetsMax, taskIdCharactersMax, torrentPageSizeMax } from '../limits.ts'
import { keyword, pageOf, pageParameters, wholeNumber } from './paging.ts'
import { withReason } from './reason.ts'
import { declareRoute } from './route.ts'

const wireTorrent = z
  .object({
    downloader_id: z.int(),
    downloader: z.string(),
    task_id: z.string(),
    info_hash: z.string(),
    title: z.string(),
    progress: z.number().min(0).max(100),
    size: z.int(),
    state: z.enum(torrentStates),
    /** What the state does not tell, and whose words there are about it. */
    condition: z.enum(torrentConditions).optional(),
    condition_said: z.string().optional(),
    ratio: z.number(),
    seeds: z.int(),
    peers: z.int(),
    upload_speed: z.int(),
    download_speed: z.int(),
    eta: z.int(),
    added_at: z.int(),
    completed_at: z.int(),
    category: z.string().optional(),
    tags: z.string().optional(),
    save_path: z.string().optional(),
  })
  .meta({ id: 'Torrent' })
export type WireTorrent = z.infer<typeof wireTorrent>

const wireTorrentFailure = z.object({
  downloader_id: z.int(),
  downloader: z.string(),
  error: z.string(),
  ...withReason,
})

/** Of the torrents that the other filters leave, whatever their state. */
const wireTorrentCounts = z.object({
  states: z.partialRecord(z.enum(torrentStates), z.int()),
  conditions: z.partialRecord(z.enum(torrentConditions), z.int()),
})
export type WireTorrentCounts = z.infer<typeof wireTorrentCounts>

const wireTorrentPage = z.object({
  ...pageOf(wireTorrent),
  counts: wireTorrentCounts,
  failures: z.array(wireTorrentFailure),
})
export type WireTorrentPage = z.infer<typeof wireTorrentPage>

export const listTorrents = declareRoute({
  operationId: 'listTorrents',
  method: 'get',
  path: '/torrents',
  permission: 'read',
  feature: 'torrents',
  summary: '所有已启用下载器中的种子',
  query: z.object({
    downloader_id: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
    state: z.enum(torrentStates).optional(),
    condition: z.enum(torrentConditions).optional(),
    q: keyword.optional(),
    sort: z.enum(torrentSorts).optional(),
    order: z.enum(sortOrders).optional(),
    ...pageParameters(torrentPageSizeMax),
  }),
  answers: { 200: wireTorrentPage },
})

export const actOnTorrents = declareRoute({
  operationId: 'actOnTorrents',
  method: 'post',
  path: '/torrents/actions',
  permission: 'operate',
  feature: 'torrents',
  summary: '暂停、继续或删除一批种子',
  body: z.strictObject({
    action: z.enum(torrentActions),
    targets: z
      .array(
        z.strictObject({
          downloader_id: z.int().min(1),
          task_id: z.string().min(1).max(taskIdCharactersMax),
        }),
      )
      .min(1)
      .max(actionTargetsMax),
  }),
  answers: {
    200: z.object({
      succeeded: z.int(),
      failed: z.int(),
      results: z.array(
        z.object({
          downloader_id: z.int(),
          task_id: z.string(),
          success: z.boolean(),
          message: z.string().optional(),
          ...withReason,
        }),
      ),
    }),
  },
})
