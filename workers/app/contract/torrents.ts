import * as z from '#shared/schema/deferred.ts'
import { isPathInside } from '../core/torrent-details.ts'
import { isTrackerAddress, trackerWordsCharactersMax } from '../core/tracker.ts'
import {
  addWishes,
  filePriorities,
  queuePlaces,
  sortOrders,
  torrentActions,
  torrentConditions,
  torrentSorts,
  torrentStates,
  trackerStates,
} from '../core/vocabulary.ts'
import {
  actionTargetsMax,
  magnetCharactersMax,
  pushCategoryCharactersMax,
  pushTagsCharactersMax,
  pushTitleCharactersMax,
  savePathBytesMax,
  taskIdCharactersMax,
  torrentAddressCharactersMax,
  torrentBodyBytesMax,
  torrentFilesMax,
  torrentFilesShownMax,
  torrentPageSizeMax,
  trackerAddressCharactersMax,
  trackerHostCharactersMax,
} from '../limits.ts'
import { keyword, pageOf, pageParameters, wholeNumber, yesOrNo } from './paging.ts'
import { line, savePath, torrentPlace } from './push.ts'
import { withReason } from './reason.ts'
import { declareRoute } from './route.ts'
import { ask } from './rule.ts'

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
    /** Host of the tracker that works, or else of the first; the whole address holds the owner's key. */
    tracker: z.string().optional(),
  })
  .meta({ id: 'Torrent' })
export type WireTorrent = z.infer<typeof wireTorrent>

export const wireTorrentFailure = z.object({
  downloader_id: z.int(),
  downloader: z.string(),
  error: z.string(),
  /** When it answered last: its torrents are listed as they were then. Left out where none of them are. */
  last_answer_at: z.int().optional(),
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
  /** Of all that match, in bytes. */
  total_size: z.int(),
  counts: wireTorrentCounts,
  failures: z.array(wireTorrentFailure),
})
export type WireTorrentPage = z.infer<typeof wireTorrentPage>

const groupName = z.string().max(savePathBytesMax).optional()
/** Which torrents, beside the downloader. An empty name means those that have none. */
export const torrentFilters = {
  state: z.enum(torrentStates).optional(),
  condition: z.enum(torrentConditions).optional(),
  /** `condition_said`, whole. */
  said: z.string().max(trackerWordsCharactersMax).optional(),
  tracker: groupName,
  category: groupName,
  tag: groupName,
  folder: groupName,
  q: keyword.optional(),
}

const groupFilters = {
  downloader_id: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
  ...torrentFilters,
  /** Those alone whose condition is one of `local_error`, `missing_files` and `tracker_error`. */
  needs_owner: yesOrNo.optional(),
}

/** Which torrents, and in which order. */
export const listFilters = {
  ...groupFilters,
  sort: z.enum(torrentSorts).optional(),
  order: z.enum(sortOrders).optional(),
}

export const listTorrents = declareRoute('read', 'get', '/torrents', {
  operationId: 'listTorrents',
  feature: 'torrents',
  summary: 'Torrents in every enabled downloader',
  description:
    'One page over all downloaders, filtered and sorted by this service. A downloader that does not answer is named in `failures`; the others are listed all the same, and of one that answered within the last hour what it said then, with `last_answer_at`.',
  query: z.object({
    ...listFilters,
    ...pageParameters(torrentPageSizeMax),
  }),
  answers: { 200: wireTorrentPage },
})

const wireTorrentGroups = z.array(z.object({ name: z.string(), total: z.int(), total_size: z.int() }))

const wireTorrentGrouping = z
  .object({
    /** Of each list those with the most torrents. What a torrent has none of is a group with an empty name. */
    trackers: wireTorrentGroups,
    categories: wireTorrentGroups,
    tags: wireTorrentGroups,
    folders: wireTorrentGroups,
    downloaders: z.array(z.object({ downloader_id: z.int(), downloader: z.string(), total: z.int() })),
    /** Torrents that need the owner, by why they do: what a tracker refuses by the tracker, the rest by the downloader. */
    matters: z.array(
      z.object({
        condition: z.enum(torrentConditions),
        condition_said: z.string().optional(),
        tracker: z.string().optional(),
        downloader_id: z.int().optional(),
        downloader: z.string().optional(),
        total: z.int(),
      }),
    ),
    failures: z.array(wireTorrentFailure),
  })
  .meta({ id: 'TorrentGroups' })
export type WireTorrentGroups = z.infer<typeof wireTorrentGrouping>

export const groupTorrents = declareRoute('read', 'get', '/torrents/groups', {
  operationId: 'groupTorrents',
  feature: 'torrents',
  summary: 'How many torrents each tracker, category, tag, folder and downloader has',
  description:
    'Of the torrents that the filters leave, but for the filter of the list itself, so that it tells what else there is to choose. `matters` are those that need the owner, whatever `state` and `condition` are asked for.',
  query: z.object(groupFilters),
  answers: { 200: wireTorrentGrouping },
})

export const torrentTarget = z.strictObject({
  downloader_id: z.int().min(1),
  task_id: z.string().min(1).max(taskIdCharactersMax),
})

const wireOutcomes = z.object({
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
})

export const actOnTorrents = declareRoute('operate', 'post', '/torrents/actions', {
  operationId: 'actOnTorrents',
  feature: 'torrents',
  summary: 'Pause, resume or delete torrents',
  description:
    'Takes up to a fixed number of targets, in several downloaders if need be. The answer is 200 also where some failed: read `results`.',
  body: z.strictObject({
    action: z.enum(torrentActions),
    targets: z.array(torrentTarget).min(1).max(actionTargetsMax),
  }),
  answers: { 200: wireOutcomes },
})

const speedLimit = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

const addBody = z
  .strictObject({
    magnet: z.string().min(1).max(magnetCharactersMax).optional(),
    /** Of a torrent file, or of what leads to a magnet link. */
    address: z.string().min(1).max(torrentAddressCharactersMax).optional(),
    /** A torrent file as base64. */
    file: z.string().min(1).optional(),
    ...torrentPlace,
    /** Loads nothing until it is resumed. */
    paused: z.boolean().optional(),
    /** Of a torrent file: those that are loaded, by their place in it. The others are skipped before it starts. */
    files: z.array(z.int().min(0).max(torrentFilesMax)).min(1).max(torrentFilesShownMax).optional(),
    /** Bytes a second; 0 for none. */
    upload_limit: speedLimit.optional(),
    download_limit: speedLimit.optional(),
    sequential: z.boolean().optional(),
    first_last: z.boolean().optional(),
  })
  .refine(({ magnet, files }) => magnet === undefined || files === undefined, ask({ kind: 'rule.torrent_file' }))
  .refine(
    ({ magnet, address, file }) => [magnet, address, file].filter((source) => source !== undefined).length === 1,
    ask({ kind: 'rule.one_source' }),
  )

export const addTorrent = declareRoute('operate', 'post', '/torrents', {
  operationId: 'addTorrent',
  feature: 'torrents',
  summary: 'Add a torrent from a magnet link, an address or a file',
  description:
    'Takes exactly one of `magnet`, `address` and `file`. A torrent that is there already is no failure: `skipped` says so, and nothing about it is changed. With `files`, limits or an order it is added paused, told them, and then started; what its program cannot is named in `unmet`.',
  body: addBody,
  bodyBytesMax: torrentBodyBytesMax,
  answers: {
    200: z
      .object({
        success: z.boolean(),
        /** It is there already. */
        skipped: z.boolean(),
        message: z.string().optional(),
        ...withReason,
        title: z.string(),
        info_hash: z.string(),
        downloader_id: z.int(),
        downloader: z.string(),
        /** Wishes beyond its place that its program did not take; it is there without them, paused where files were chosen. */
        unmet: z.array(z.object({ wish: z.enum(addWishes), message: z.string(), ...withReason })).optional(),
      })
      .meta({ id: 'AddedTorrent' }),
  },
  failures: ['download_failed'],
})

const wireTorrentDetails = z
  .object({
    torrent: wireTorrent,
    comment: z.string(),
    /** Left out while the metadata is on its way. */
    private: z.boolean().optional(),
    pieces: z.int(),
    piece_size: z.int(),
    /** Bytes a second; 0 for none. */
    upload_limit: z.int(),
    download_limit: z.int(),
    /** Copies of the rarest piece that are to be had, and the share of those that are there once more. */
    availability: z.number().optional(),
    /** Shares of pieces that are here along the torrent; empty where its program does not tell. */
    piece_map: z.array(z.int().min(0).max(100)),
    /** Each of the three left out where its program does not know it. */
    super_seeding: z.boolean().optional(),
    sequential: z.boolean().optional(),
    first_last: z.boolean().optional(),
    files: z.array(
      z.object({
        index: z.int(),
        path: z.string(),
        size: z.int(),
        progress: z.number().min(0).max(100),
        priority: z.enum(filePriorities),
      }),
    ),
    /** By host: the whole address holds the owner's key. */
    trackers: z.array(
      z.object({
        host: z.string(),
        state: z.enum(trackerStates),
        said: z.string().optional(),
        seeds: z.int().optional(),
        peers: z.int().optional(),
      }),
    ),
    peers: z.array(
      z.object({
        address: z.string(),
        client: z.string(),
        progress: z.number().min(0).max(100),
        download_speed: z.int(),
        upload_speed: z.int(),
      }),
    ),
  })
  .meta({ id: 'TorrentDetails' })
export type WireTorrentDetails = z.infer<typeof wireTorrentDetails>

export const readTorrent = declareRoute('read', 'get', '/torrents/{downloader_id}/{task_id}', {
  operationId: 'readTorrent',
  feature: 'torrents',
  summary: 'One torrent with its files, trackers and peers',
  description:
    'As its downloader tells it at this moment. Trackers are named by host alone: their whole addresses hold the key of the owner.',
  params: z.object({
    downloader_id: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    task_id: z.string().min(1).max(taskIdCharactersMax),
  }),
  answers: { 200: wireTorrentDetails },
  failures: ['not_found', 'unavailable'],
})

const trackerAddress = line(trackerAddressCharactersMax).refine(isTrackerAddress, ask({ kind: 'rule.tracker' }))
const trackerName = z.string().min(1).max(trackerHostCharactersMax)
const fileName = line(pushTitleCharactersMax).refine(
  (name) => isPathInside(name) && !name.includes('/'),
  ask({ kind: 'rule.inside' }),
)
/** What several torrents can be told with one call, and what may be written down for later: no address with a key in it. */
export const pluralChanges = [
  z.strictObject({ kind: z.literal('recheck') }),
  z.strictObject({ kind: z.literal('reannounce') }),
  z.strictObject({
    kind: z.literal('move'),
    save_path: savePath.refine((path) => path !== '', ask({ kind: 'rule.not_empty' })),
  }),
  z.strictObject({ kind: z.literal('category'), category: line(pushCategoryCharactersMax) }),
  z.strictObject({ kind: z.literal('tags'), tags: line(pushTagsCharactersMax) }),
  z.strictObject({ kind: z.literal('limits'), upload_limit: speedLimit, download_limit: speedLimit }),
  z.strictObject({ kind: z.literal('queue'), place: z.enum(queuePlaces) }),
  z.strictObject({ kind: z.literal('super_seeding'), on: z.boolean() }),
  /** Pieces in their order, for who looks on while it loads. */
  z.strictObject({ kind: z.literal('sequential'), on: z.boolean() }),
  z.strictObject({ kind: z.literal('first_last'), on: z.boolean() }),
  /** Trackers are named by host, as details name them. */
  z.strictObject({ kind: z.literal('remove_tracker'), host: trackerName }),
] as const
/** Those that say of one torrent what cannot be said of two. */
const singular: ReadonlySet<string> = new Set(['files', 'rename', 'rename_file'])
const wireChange = z.discriminatedUnion('kind', [
  ...pluralChanges,
  z.strictObject({ kind: z.literal('add_tracker'), address: trackerAddress }),
  z.strictObject({ kind: z.literal('change_tracker'), host: trackerName, address: trackerAddress }),
  /** Of one torrent. */
  z.strictObject({ kind: z.literal('rename'), name: fileName }),
  /** Of one torrent; the whole path inside of it, as its details tell it. */
  z.strictObject({
    kind: z.literal('rename_file'),
    index: z.int().min(0).max(torrentFilesMax),
    path: line(savePathBytesMax).refine(isPathInside, ask({ kind: 'rule.inside' })),
  }),
  /** Of one torrent. */
  z.strictObject({
    kind: z.literal('files'),
    indexes: z.array(z.int().min(0)).min(1).max(torrentFilesShownMax),
    priority: z.enum(filePriorities),
  }),
])
export type WireTorrentChange = z.infer<typeof wireChange>

export const changeTorrents = declareRoute('operate', 'post', '/torrents/changes', {
  operationId: 'changeTorrents',
  feature: 'torrents',
  summary: 'Check, move or change torrents',
  description:
    'One change to several torrents: a check of the data, a report to the trackers, another folder, category, tags, limits or place in the queue, super-seeding, the order of pieces, or a tracker more, less or in place of another; or, of one torrent, its name, a name of a file, or which of its files are wanted. What its program cannot do is refused with `downloader.unsupported`, and changes nothing. The answer is 200 also where some failed: read `results`.',
  body: z
    .strictObject({ change: wireChange, targets: z.array(torrentTarget).min(1).max(actionTargetsMax) })
    .refine(
      ({ change, targets }) => !singular.has(change.kind) || targets.length === 1,
      ask({ kind: 'rule.at_most', limit: 1, unit: 'items' }),
    ),
  answers: { 200: wireOutcomes },
})
