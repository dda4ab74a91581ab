/**
 * What qBittorrent tells of one torrent: src/webui/api/torrentscontroller.cpp (properties, files, trackers) and
 * synccontroller.cpp (torrentPeers) at release-4.5.2 and release-5.2.3.
 */

import { z } from 'zod'
import { isTracker, trackerFaults } from '../../../core/qbittorrent-torrent.ts'
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
import { trackerList } from './shapes.ts'

const count = z.number().optional()

const about = z.object({
  comment: z.string().default(''),
  pieces_num: count,
  piece_size: count,
  up_limit: count,
  dl_limit: count,
  /** From 5.0 on; null while there is no metadata. */
  private: z.boolean().nullish(),
  is_private: z.boolean().nullish(),
})
export const fileList = z.array(
  z.object({ index: z.int().optional(), name: z.string(), size: z.number(), progress: z.number(), priority: z.int() }),
)
const peers = z.object({
  peers: z
    .record(z.string(), z.object({ client: z.string().default(''), progress: count, dl_speed: count, up_speed: count }))
    .optional(),
})

/** Of the list, what its properties do not say. */
export const rowList = z.array(
  z.object({
    hash: z.string(),
    availability: count,
    super_seeding: z.boolean().optional(),
    seq_dl: z.boolean().optional(),
    f_l_piece_prio: z.boolean().optional(),
  }),
)
/** 2 is one that is here. */
const pieceStates = z.array(z.int())
const pieceIsHere = 2

/** 4 stands for files whose parts differ. */
const priorities: Readonly<Record<number, FilePriority>> = { 0: 'skip', 1: 'normal', 4: 'normal', 6: 'high', 7: 'high' }
/** It has nothing between normal and not at all. */
export const filePriorityNumbers: Readonly<Record<FilePriority, number>> = { skip: 0, low: 1, normal: 1, high: 6 }

const states: Readonly<Record<number, TrackerState>> = { 0: 'off', 1: 'waiting', 2: 'working', 3: 'updating' }

export function readDetails(answers: {
  readonly about: unknown
  readonly files: unknown
  readonly trackers: unknown
  readonly peers: unknown
  readonly pieces: unknown
  readonly row: unknown
}): TorrentDetails | undefined {
  const properties = about.safeParse(answers.about)
  if (!properties.success) return undefined
  const facts = properties.data
  const [row] = rowList.safeParse(answers.row).data ?? []
  const pieces = pieceStates.safeParse(answers.pieces).data ?? []
  const isPrivate = facts.private ?? facts.is_private
  return {
    comment: quotedLine(facts.comment, torrentCommentCharactersMax),
    ...(typeof isPrivate === 'boolean' ? { isPrivate } : {}),
    pieces: wholeAmount(facts.pieces_num),
    pieceBytes: wholeAmount(facts.piece_size),
    uploadLimit: wholeAmount(facts.up_limit),
    downloadLimit: wholeAmount(facts.dl_limit),
    // -1 while it is not loading.
    ...(row?.availability === undefined || row.availability < 0 ? {} : { availability: row.availability }),
    pieceMap: pieceMapOf(pieces.length, (index) => pieces[index] === pieceIsHere),
    ...(row?.super_seeding === undefined ? {} : { superSeeding: row.super_seeding }),
    ...(row?.seq_dl === undefined ? {} : { sequential: row.seq_dl }),
    ...(row?.f_l_piece_prio === undefined ? {} : { firstLast: row.f_l_piece_prio }),
    files: (fileList.safeParse(answers.files).data ?? []).slice(0, torrentFilesShownMax).map((file, position) => ({
      index: file.index ?? position,
      path: file.name,
      sizeBytes: wholeAmount(file.size),
      progressPercent: percent(file.progress),
      priority: priorities[file.priority] ?? 'normal',
    })),
    trackers: (trackerList.safeParse(answers.trackers).data ?? [])
      .filter(isTracker)
      .slice(0, torrentTrackersShownMax)
      .map((tracker) => ({
        host: trackerHost(tracker.url),
        state: trackerFaults.has(tracker.status) ? 'error' : (states[tracker.status] ?? 'waiting'),
        said: quotedLine(tracker.msg, trackerWordsCharactersMax),
        ...counted('seeds', tracker.num_seeds),
        ...counted('peers', tracker.num_leeches),
      })),
    peers: Object.entries(peers.safeParse(answers.peers).data?.peers ?? {})
      .slice(0, torrentPeersShownMax)
      .map(([address, peer]) => ({
        address,
        client: quotedLine(peer.client, trackerWordsCharactersMax),
        progressPercent: percent(peer.progress),
        downloadBytesPerSecond: wholeAmount(peer.dl_speed),
        uploadBytesPerSecond: wholeAmount(peer.up_speed),
      })),
  }
}
