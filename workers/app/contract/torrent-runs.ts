import * as z from '#shared/schema/deferred.ts'
import { torrentActions, torrentRunEnds } from '../core/vocabulary.ts'
import { torrentRunExceptMax, torrentRunTargetsMax } from '../limits.ts'
import { wholeNumber } from './paging.ts'
import { withReason } from './reason.ts'
import { declareRoute, emptyBody } from './route.ts'
import { pluralChanges, torrentFilters, torrentTarget, wireTorrentFailure } from './torrents.ts'

const [pause, resume, remove, removeFiles] = torrentActions
/** What is done: one of the actions on torrents, or one of the changes that several can take. */
const runDeed = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal(pause) }),
  z.strictObject({ kind: z.literal(resume) }),
  z.strictObject({ kind: z.literal(remove) }),
  z.strictObject({ kind: z.literal(removeFiles) }),
  ...pluralChanges,
])
const deedKinds = runDeed.options.map((option) => option.shape.kind.value)
export type WireRunDeed = z.infer<typeof runDeed>

const runBody = z.strictObject({
  deed: runDeed,
  /** Which torrents: as the list is filtered. Without any of these it is all there are. */
  downloader_id: z.int().min(1).optional(),
  ...torrentFilters,
  needs_owner: z.boolean().optional(),
  /** Those that are left as they are. */
  except: z.array(torrentTarget).max(torrentRunExceptMax).optional(),
  /** How many the caller means. When more match by now, nothing is done. */
  at_most: z.int().min(1).max(torrentRunTargetsMax),
})
export type TorrentRunBody = z.infer<typeof runBody>

const wireTorrentRun = z
  .object({
    id: z.int(),
    deed: z.enum(deedKinds),
    status: z.enum(['running', ...torrentRunEnds]),
    /** Of them so many are done, so many failed, and the rest was not tried yet, or never will be. */
    total: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    /** The first of those that failed. */
    failures: z.array(
      z.object({
        downloader_id: z.int(),
        task_id: z.string(),
        title: z.string(),
        message: z.string(),
        ...withReason,
      }),
    ),
    /** Downloaders whose torrents could not be read, and are not among them. */
    unread: z.array(wireTorrentFailure),
    created_at: z.int(),
    finished_at: z.int().optional(),
  })
  .meta({ id: 'TorrentRun' })
export type WireTorrentRun = z.infer<typeof wireTorrentRun>

const params = z.object({ run_id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })

export const beginTorrentRun = declareRoute('operate', 'post', '/torrent-runs', {
  operationId: 'beginTorrentRun',
  feature: 'torrents',
  summary: 'Do something to every torrent that matches',
  description:
    'For more torrents than one call of `/torrents/actions` takes: what matches now is chosen and written down, and this service carries it out by itself, also after a restart. `at_most` is how many the caller means; when more match, nothing is done. Read the run to follow it.',
  body: runBody,
  answers: { 200: wireTorrentRun },
  failures: ['busy_conflict'],
})

export const listTorrentRuns = declareRoute('read', 'get', '/torrent-runs', {
  operationId: 'listTorrentRuns',
  feature: 'torrents',
  summary: 'The last actions on every torrent that matched',
  description: 'Newest first; a fixed number of them is kept.',
  answers: { 200: z.object({ items: z.array(wireTorrentRun) }) },
})

export const readTorrentRun = declareRoute('read', 'get', '/torrent-runs/{run_id}', {
  operationId: 'readTorrentRun',
  feature: 'torrents',
  summary: 'How far an action on many torrents is',
  description:
    'While `status` is `running` the counts grow. Afterwards `total` less `succeeded` and `failed` is what was not tried.',
  params,
  answers: { 200: wireTorrentRun },
  failures: ['not_found'],
})

export const stopTorrentRun = declareRoute('operate', 'post', '/torrent-runs/{run_id}/stop', {
  operationId: 'stopTorrentRun',
  feature: 'torrents',
  summary: 'Stop an action on many torrents',
  description: 'What a downloader was told is done; nothing further is begun. A run that is over stays as it is.',
  params,
  body: emptyBody,
  answers: { 200: wireTorrentRun },
  failures: ['not_found'],
})

export const undoTorrentRun = declareRoute('operate', 'post', '/torrent-runs/{run_id}/undo', {
  operationId: 'undoTorrentRun',
  feature: 'torrents',
  summary: 'Take back an action on many torrents',
  description: 'Of `pause` and `resume` once they are over: another run, over those alone that the first one changed.',
  params,
  body: emptyBody,
  answers: { 200: wireTorrentRun },
  failures: ['not_found', 'busy_conflict'],
})
