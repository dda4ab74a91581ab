import { z } from '@hono/zod-openapi'
import { torrentPageSizeMax } from '../limits.ts'
import { wholeNumber } from './paging.ts'
import { declareRoute, type RouteDeclaration } from './route.ts'
import { listFilters } from './torrents.ts'

/**
 * The list as events: `list` is a part of it whole, `change` what is other than in the event before, `downloaders` how
 * they are. It ends by itself after some minutes; who wants more asks again.
 */
export const streamTorrents = declareRoute({
  operationId: 'streamTorrents',
  method: 'get',
  path: '/torrents/events',
  permission: 'session',
  summary: 'A part of the list of torrents, and what changes in it',
  query: z.object({
    ...listFilters,
    from: wholeNumber(0, 1_000_000),
    count: wholeNumber(1, torrentPageSizeMax),
  }),
  answers: { 200: 'file' },
  failures: ['busy_slots'],
})

export const consoleTorrentDeclarations: readonly RouteDeclaration[] = [streamTorrents]
