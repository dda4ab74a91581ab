import { z } from '@hono/zod-openapi'
import { sortOrders, torrentActions, torrentSorts, torrentStates } from '../core/vocabulary.ts'
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

const wireTorrentPage = z.object({ ...pageOf(wireTorrent), failures: z.array(wireTorrentFailure) })
export type WireTorrentPage = z.infer<typeof wireTorrentPage>

export const listTorrents = declareRoute({
  operationId: 'listTorrents',
  method: 'get',
  path: '/torrents',
  permission: 'read',
  feature: 'torrents',
  summary: 'Torrents in every enabled downloader',
  description:
    'One page over all downloaders, filtered and sorted by this service. A downloader that does not answer is named in `failures`; the others are listed all the same.',
  query: z.object({
    downloader_id: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
    state: z.enum(torrentStates).optional(),
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
  summary: 'Pause, resume or delete torrents',
  description:
    'Takes up to a fixed number of targets, in several downloaders if need be. The answer is 200 also where some failed: read `results`.',
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
