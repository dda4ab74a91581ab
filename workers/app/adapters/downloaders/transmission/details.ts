/** What Transmission tells of one torrent: docs/rpc-spec.md of transmission/transmission at 85fc9d9, in both dialects. */

import { z } from 'zod'
import { fromBase64 } from '../../../core/bytes.ts'
import { quotedLine } from '../../../core/redact.ts'
import { availabilityOf, pieceMapOf, type TorrentDetails, trackerHost } from '../../../core/torrent-details.ts'
import { counted, percent, wholeAmount } from '../../../core/torrent-numbers.ts'
import { trackerWordsCharactersMax } from '../../../core/tracker.ts'
import type { FilePriority, TrackerState } from '../../../core/vocabulary.ts'
import {
  torrentCommentCharactersMax,
  torrentFilesShownMax,
  torrentPeersShownMax,
  torrentTrackersShownMax,
} from '../../../limits.ts'
import type { Dialect } from './shapes.ts'

/** As the legacy dialect writes them. */
const names = [
  'comment',
  'isPrivate',
  'pieceCount',
  'pieceSize',
  'uploadLimit',
  'uploadLimited',
  'downloadLimit',
  'downloadLimited',
  'metadataPercentComplete',
  'pieces',
  'availability',
  'sequentialDownload',
  'files',
  'fileStats',
  'trackerStats',
  'peers',
]

export function detailFields(dialect: Dialect): readonly string[] {
  return dialect === 'legacy' ? names : names.map(snakeOf)
}

const count = z.number().optional()
const torrent = z.object({
  comment: z.string().default(''),
  isPrivate: z.boolean().optional(),
  pieceCount: count,
  pieceSize: count,
  /** In kB of a thousand bytes. */
  uploadLimit: count,
  uploadLimited: z.boolean().default(false),
  downloadLimit: count,
  downloadLimited: z.boolean().default(false),
  metadataPercentComplete: count,
  /** One bit a piece. Older ones answer 0 for fields that they do not know. */
  pieces: z.string().catch(''),
  /** From 4.0 on: how many peers have a piece, -1 for one that is here. */
  availability: z.array(z.number()).catch([]),
  sequentialDownload: z.boolean().optional().catch(undefined),
  files: z.array(z.object({ name: z.string(), length: z.number(), bytesCompleted: z.number() })).default([]),
  fileStats: z.array(z.object({ wanted: z.boolean(), priority: z.number() })).default([]),
  trackerStats: z
    .array(
      z.object({
        announce: z.string(),
        announceState: z.number(),
        hasAnnounced: z.boolean(),
        lastAnnounceSucceeded: z.boolean(),
        lastAnnounceResult: z.string().default(''),
        seederCount: count,
        leecherCount: count,
      }),
    )
    .default([]),
  peers: z
    .array(
      z.object({
        address: z.string(),
        port: z.number(),
        clientName: z.string().default(''),
        progress: z.number(),
        rateToClient: z.number(),
        rateToPeer: z.number(),
      }),
    )
    .default([]),
})
const answer = z.object({ torrents: z.array(z.unknown()) })

/** -1 is low, 1 high: tr_priority_t. */
const priorities: Readonly<Record<number, FilePriority>> = { [-1]: 'low', 0: 'normal', 1: 'high' }
const limitUnitBytes = 1000
/** tr_tracker_state: it is being asked. */
const active = 3

/** Undefined for what is no answer, `gone` when there is no such torrent. */
export function readTransmissionDetails(result: unknown, dialect: Dialect): TorrentDetails | 'gone' | undefined {
  const list = answer.safeParse(result)
  if (!list.success) return undefined
  const [first] = list.data.torrents
  if (first === undefined) return 'gone'
  const parsed = torrent.safeParse(dialect === 'legacy' ? first : camelOf(first))
  if (!parsed.success) return undefined
  const one = parsed.data
  const hasMetadata = one.metadataPercentComplete === undefined || one.metadataPercentComplete >= 1
  return {
    comment: quotedLine(one.comment, torrentCommentCharactersMax),
    ...(hasMetadata && one.isPrivate !== undefined ? { isPrivate: one.isPrivate } : {}),
    pieces: hasMetadata ? wholeAmount(one.pieceCount) : 0,
    pieceBytes: hasMetadata ? wholeAmount(one.pieceSize) : 0,
    uploadLimit: one.uploadLimited ? wholeAmount(one.uploadLimit) * limitUnitBytes : 0,
    downloadLimit: one.downloadLimited ? wholeAmount(one.downloadLimit) * limitUnitBytes : 0,
    ...availabilityOf(hasMetadata ? one.availability.map((count) => (count < 0 ? 1 : count)) : []),
    pieceMap: hasMetadata ? pieceMapOf(one.pieceCount ?? 0, bitsOf(one.pieces)) : [],
    ...(one.sequentialDownload === undefined ? {} : { sequential: one.sequentialDownload }),
    files: one.files.slice(0, torrentFilesShownMax).map((file, index) => {
      const { wanted, priority } = one.fileStats[index] ?? { wanted: true, priority: 0 }
      return {
        index,
        path: file.name,
        sizeBytes: wholeAmount(file.length),
        progressPercent: percent(file.length > 0 ? file.bytesCompleted / file.length : 1),
        priority: wanted ? (priorities[priority] ?? 'normal') : 'skip',
      }
    }),
    trackers: one.trackerStats.slice(0, torrentTrackersShownMax).map((tracker) => {
      const state: TrackerState =
        tracker.announceState === active
          ? 'updating'
          : !tracker.hasAnnounced
            ? 'waiting'
            : tracker.lastAnnounceSucceeded
              ? 'working'
              : 'error'
      return {
        host: trackerHost(tracker.announce),
        state,
        // It says `Success` where there is nothing to say.
        said: state === 'working' ? '' : quotedLine(tracker.lastAnnounceResult, trackerWordsCharactersMax),
        ...counted('seeds', tracker.seederCount),
        ...counted('peers', tracker.leecherCount),
      }
    }),
    peers: one.peers.slice(0, torrentPeersShownMax).map((peer) => ({
      address: peer.address.includes(':') ? `[${peer.address}]:${peer.port}` : `${peer.address}:${peer.port}`,
      client: quotedLine(peer.clientName, trackerWordsCharactersMax),
      progressPercent: percent(peer.progress),
      downloadBytesPerSecond: wholeAmount(peer.rateToClient),
      uploadBytesPerSecond: wholeAmount(peer.rateToPeer),
    })),
  }
}

function bitsOf(base64: string): (index: number) => boolean {
  const bytes = fromBase64(base64) ?? new Uint8Array()
  return (index) => (((bytes[index >> 3] ?? 0) >> (7 - (index & 7))) & 1) === 1
}

const numbered = z.object({ id: z.int(), announce: z.string() })
const trackersOf = z.union([
  z.object({ trackerStats: z.array(numbered) }).transform(({ trackerStats }) => trackerStats),
  z.object({ tracker_stats: z.array(numbered) }).transform(({ tracker_stats }) => tracker_stats),
])

/** Its number of each tracker of the one torrent that was asked about. */
export function trackerNumbers(result: unknown): readonly z.infer<typeof numbered>[] {
  const list = answer.safeParse(result)
  return list.success ? (trackersOf.safeParse(list.data.torrents[0]).data ?? []) : []
}

const listedTrackers = z.looseObject({ trackers: z.array(z.object({ announce: z.string() })) })
const hashOf = z.union([
  z.object({ hashString: z.string() }).transform(({ hashString }) => hashString),
  z.object({ hash_string: z.string() }).transform(({ hash_string }) => hash_string),
])

/** The address of the first tracker of each. */
export function firstTrackers(result: unknown): ReadonlyMap<string, string> {
  const list = answer.safeParse(result)
  return new Map(
    (list.success ? list.data.torrents : []).flatMap((one) => {
      const hash = hashOf.safeParse(one)
      const [first] = listedTrackers.safeParse(one).data?.trackers ?? []
      return hash.success && first !== undefined ? [[hash.data, first.announce] as const] : []
    }),
  )
}

const named = z.object({ files: z.array(z.object({ name: z.string() })) })

/** Of the one torrent that was asked about, in their order. */
export function fileNames(result: unknown): readonly string[] {
  const list = answer.safeParse(result)
  const files = list.success ? (named.safeParse(list.data.torrents[0]).data?.files ?? []) : []
  return files.map(({ name }) => name)
}

/** `torrent-set` in either dialect; the limits in its unit, rounded up so that no limit becomes none. */
export function limitsOf(upload: number, download: number): Record<string, number | boolean> {
  const unit = (bytes: number) => Math.ceil(bytes / limitUnitBytes)
  return {
    uploadLimited: upload > 0,
    downloadLimited: download > 0,
    ...(upload > 0 ? { uploadLimit: unit(upload) } : {}),
    ...(download > 0 ? { downloadLimit: unit(download) } : {}),
  }
}

export function filesOf(indexes: readonly number[], priority: FilePriority): Record<string, readonly number[]> {
  if (priority === 'skip') return { 'files-unwanted': indexes }
  return { 'files-wanted': indexes, [`priority-${priority}`]: indexes }
}

/** The newer dialect's way to write a name of the older one. */
export function snakeOf(name: string): string {
  return name.replace(/-/g, '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function camelOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      camelOf(one),
    ]),
  )
}
