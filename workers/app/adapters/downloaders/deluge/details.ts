/** One torrent of Deluge in full, from one answer of its daemon. */

import { z } from 'zod'
import { trackerWordOf } from '../../../core/deluge-torrent.ts'
import { quotedLine } from '../../../core/redact.ts'
import { pieceMapOf, type TorrentDetails, trackerHost } from '../../../core/torrent-details.ts'
import { counted, percent, wholeAmount } from '../../../core/torrent-numbers.ts'
import { trackerWordsCharactersMax } from '../../../core/tracker.ts'
import type { FilePriority, TrackerState } from '../../../core/vocabulary.ts'
import {
  torrentCommentCharactersMax,
  torrentFilesShownMax,
  torrentPeersShownMax,
  torrentTrackersShownMax,
} from '../../../limits.ts'

export const delugeDetailFields = [
  'comment',
  'private',
  'num_pieces',
  'piece_length',
  'pieces',
  'progress',
  'distributed_copies',
  'max_upload_speed',
  'max_download_speed',
  'super_seeding',
  'sequential_download',
  'prioritize_first_last_pieces',
  'files',
  'file_progress',
  'file_priorities',
  'trackers',
  'tracker',
  'tracker_status',
  'total_seeds',
  'total_peers',
  'peers',
] as const

const listedTrackers = z.record(z.string(), z.object({ trackers: z.array(z.looseObject({ url: z.string() })) }))

/** The address of the first tracker of each. */
export function firstTrackers(answer: unknown): ReadonlyMap<string, string> {
  const listed = Object.entries(listedTrackers.safeParse(answer).data ?? {})
  return new Map(
    listed.flatMap(
      ([
        infoHash,
        {
          trackers: [first],
        },
      ]) => (first ? [[infoHash, first.url] as const] : []),
    ),
  )
}

const number = z.number()
export const delugeDetails = z.object({
  comment: z.string().default(''),
  private: z.boolean().default(false),
  num_pieces: number.default(0),
  piece_length: number.default(0),
  /** 3 is one that is here; none are told of a torrent that seeds. */
  pieces: z.array(number).nullish(),
  progress: number.default(0),
  distributed_copies: number.optional(),
  max_upload_speed: number,
  max_download_speed: number,
  super_seeding: z.boolean().optional(),
  sequential_download: z.boolean().optional(),
  prioritize_first_last_pieces: z.boolean().optional(),
  files: z.array(z.object({ index: z.int(), path: z.string(), size: number })).default([]),
  file_progress: z.array(number).default([]),
  file_priorities: z.array(z.int()).default([]),
  trackers: z.array(z.looseObject({ url: z.string(), tier: z.int().default(0) })).default([]),
  tracker: z.string().default(''),
  tracker_status: z.string().default(''),
  total_seeds: number.optional(),
  total_peers: number.optional(),
  peers: z
    .array(z.object({ ip: z.string(), client: z.string(), progress: number, down_speed: number, up_speed: number }))
    .default([]),
})
export type DelugeDetails = z.infer<typeof delugeDetails>

/** Those of libtorrent that its own pages offer. */
export const delugePriorities: Readonly<Record<FilePriority, number>> = { skip: 0, low: 1, normal: 4, high: 7 }
const limitUnitBytes = 1024
const pieceIsHere = 3

export function delugeLimit(bytes: number): number {
  return bytes > 0 ? bytes / limitUnitBytes : -1
}

function bytesOfLimit(units: number): number {
  return units > 0 ? Math.round(units * limitUnitBytes) : 0
}

function priorityOf(value: number | undefined): FilePriority {
  if (value === undefined) return 'normal'
  if (value <= 0) return 'skip'
  return value < delugePriorities.normal ? 'low' : value > delugePriorities.normal ? 'high' : 'normal'
}

export function readDelugeDetails(told: DelugeDetails): TorrentDetails {
  const hasMetadata = told.files.length > 0
  const { pieces } = told
  // Its own word for it comes late, and not to one that was whole when it was added.
  const isWhole = hasMetadata && told.progress >= 100
  return {
    comment: quotedLine(told.comment, torrentCommentCharactersMax),
    ...(hasMetadata ? { isPrivate: told.private } : {}),
    pieces: wholeAmount(told.num_pieces),
    pieceBytes: wholeAmount(told.piece_length),
    uploadLimit: bytesOfLimit(told.max_upload_speed),
    downloadLimit: bytesOfLimit(told.max_download_speed),
    ...(told.distributed_copies === undefined || isWhole ? {} : { availability: told.distributed_copies }),
    pieceMap:
      pieces === null || pieces === undefined || pieces.length === 0
        ? pieceMapOf(isWhole ? told.num_pieces : 0, () => true)
        : pieceMapOf(pieces.length, (index) => pieces[index] === pieceIsHere),
    ...(told.super_seeding === undefined ? {} : { superSeeding: told.super_seeding }),
    ...(told.sequential_download === undefined ? {} : { sequential: told.sequential_download }),
    ...(told.prioritize_first_last_pieces === undefined ? {} : { firstLast: told.prioritize_first_last_pieces }),
    files: told.files.slice(0, torrentFilesShownMax).map(({ index, path, size }) => ({
      index,
      path,
      sizeBytes: wholeAmount(size),
      progressPercent: percent(told.file_progress[index]),
      priority: priorityOf(told.file_priorities[index]),
    })),
    trackers: told.trackers.slice(0, torrentTrackersShownMax).map(({ url }) => {
      // It keeps the word of one tracker, the one that it asked last.
      const isAsked = told.tracker === url || told.trackers.length === 1
      const word = isAsked ? trackerWordOf(told.tracker_status) : undefined
      return {
        host: trackerHost(url),
        state: isAsked ? stateOf(told.tracker_status) : 'waiting',
        said: word?.said ?? '',
        ...(isAsked ? { ...counted('seeds', told.total_seeds), ...counted('peers', told.total_peers) } : {}),
      }
    }),
    peers: told.peers.slice(0, torrentPeersShownMax).map((peer) => ({
      address: peer.ip,
      client: quotedLine(peer.client, trackerWordsCharactersMax),
      progressPercent: percent(peer.progress),
      downloadBytesPerSecond: wholeAmount(peer.down_speed),
      uploadBytesPerSecond: wholeAmount(peer.up_speed),
    })),
  }
}

function stateOf(status: string): TrackerState {
  if (trackerWordOf(status)?.isError === true) return 'error'
  if (status.startsWith('Announce Sent')) return 'updating'
  return status === '' ? 'waiting' : 'working'
}
