import * as z from '#shared/schema/deferred.ts'
import { taskSources } from '../core/vocabulary.ts'
import { taskIdCharactersMax, torrentPageSizeMax } from '../limits.ts'
import { wireClause } from './console-rules.ts'
import { wholeNumber } from './paging.ts'
import { withReason } from './reason.ts'
import { declareRoute, type RouteDeclaration } from './route.ts'
import { listFilters } from './torrents.ts'

/**
 * The list as events: `list` is a part of it whole, `change` what is other than in the event before, `downloaders` how
 * they are. It ends by itself after some minutes; who wants more asks again.
 */
export const streamTorrents = declareRoute('session', 'get', '/torrents/events', {
  operationId: 'streamTorrents',
  summary: 'A part of the list of torrents, and what changes in it',
  query: z.object({
    ...listFilters,
    from: wholeNumber(0, 1_000_000),
    count: wholeNumber(1, torrentPageSizeMax),
  }),
  answers: { 200: 'file' },
  failures: ['busy_slots'],
})

const torrentParams = z.object({
  downloader_id: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  task_id: z.string().min(1).max(taskIdCharactersMax),
})

const wireTorrentEvent = z.object({
  at: z.int(),
  kind: z.enum([
    'found',
    'pushed',
    'not_pushed',
    'completed',
    'organised',
    'brush_taken',
    'brush_removed',
    'end_due',
    'ended',
  ]),
  site: z.string().optional(),
  torrent_id: z.string().optional(),
  source: z.enum(taskSources).optional(),
  /** Of the rule that decided; empty where only what is free is taken. */
  rule: z.string().optional(),
  /** The feed, the brush task or the library that did it. */
  by: z.string().optional(),
  path: z.string().optional(),
  clauses: z.array(wireClause).optional(),
  error: z.string().optional(),
  ...withReason,
})
export type WireTorrentEvent = z.infer<typeof wireTorrentEvent>

/** What this service did about it, newest first. */
export const readTorrentHistory = declareRoute('session', 'get', '/torrents/{downloader_id}/{task_id}/history', {
  operationId: 'readTorrentHistory',
  summary: 'What was done about one torrent, and why',
  params: torrentParams,
  answers: { 200: z.object({ items: z.array(wireTorrentEvent) }) },
})

/** The addresses in it hold the owner's keys: it is for the owner's own session, and no token reads it. */
export const exportTorrent = declareRoute('session', 'get', '/torrents/{downloader_id}/{task_id}/file', {
  operationId: 'exportTorrent',
  summary: 'The torrent file, as its downloader holds it',
  params: torrentParams,
  answers: { 200: 'file' },
  failures: ['not_found', 'unavailable', 'busy_conflict'],
})

export const consoleTorrentDeclarations: readonly RouteDeclaration[] = [
  streamTorrents,
  readTorrentHistory,
  exportTorrent,
]
