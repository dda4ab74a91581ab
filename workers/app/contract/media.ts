import * as z from '#shared/schema/deferred.ts'
import { historyStatuses, libraryModes, mediaTypes } from '../core/vocabulary.ts'
import { pageSizeMax } from '../limits.ts'
import { keyword, pageOf, pageParameters } from './paging.ts'
import { withReason } from './reason.ts'
import { declareRoute } from './route.ts'

const wireMediaRecord = z
  .object({
    id: z.int(),
    media_type: z.enum(mediaTypes),
    /** The metadata provider's. */
    tmdb_id: z.int(),
    title: z.string(),
    year: z.int().optional(),
    /** Left out for a film. */
    season: z.int().optional(),
    /** Left out for all of it. */
    episode: z.int().optional(),
    episode_end: z.int().optional(),
    torrent_name: z.string(),
    library: z.string().optional(),
    target_path: z.string().optional(),
    mode: z.enum(libraryModes),
    size: z.int(),
    status: z.enum(historyStatuses),
    message: z.string().optional(),
    ...withReason,
    created_at: z.int(),
  })
  .meta({ id: 'MediaHistory' })
export type WireMediaRecord = z.infer<typeof wireMediaRecord>

export const listMediaHistory = declareRoute('read', 'get', '/media/history', {
  operationId: 'listMediaHistory',
  feature: 'media',
  summary: 'Files placed in the library, last changed first',
  description: 'Where each finished download was linked, copied or moved to, or why it was not.',
  query: z.object({
    status: z.enum(historyStatuses).optional(),
    q: keyword.optional(),
    ...pageParameters(pageSizeMax),
  }),
  answers: { 200: z.object(pageOf(wireMediaRecord)) },
})
