/** One torrent of rTorrent in full, from the answers of one message. */

import { quotedLine } from '../../../core/redact.ts'
import { availabilityOf, pieceMapOf, type TorrentDetails, trackerHost } from '../../../core/torrent-details.ts'
import { counted, percent, wholeAmount } from '../../../core/torrent-numbers.ts'
import { trackerWordsCharactersMax } from '../../../core/tracker.ts'
import type { FilePriority, TrackerState } from '../../../core/vocabulary.ts'
import type { XmlRpcValue } from '../../../core/xml-rpc.ts'
import { torrentFilesShownMax, torrentPeersShownMax, torrentTrackersShownMax } from '../../../limits.ts'
import type { RtorrentCall } from './calls.ts'

export const rtorrentPriorities: Readonly<Partial<Record<FilePriority, number>>> = { skip: 0, normal: 1, high: 2 }
const priorityNames: readonly FilePriority[] = ['skip', 'normal', 'high']
/** Its own network of peers is listed among the trackers. */
const dhtType = 3

export function rtorrentDetailCalls(hash: string): RtorrentCall[] {
  return [
    ['d.is_meta', hash],
    ['d.is_private', hash],
    ['d.size_chunks', hash],
    ['d.chunk_size', hash],
    ['d.bitfield', hash],
    ['d.chunks_seen', hash],
    ['d.is_multi_file', hash],
    ['d.name', hash],
    ['d.message', hash],
    ['f.multicall', hash, '', 'f.path=', 'f.size_bytes=', 'f.size_chunks=', 'f.completed_chunks=', 'f.priority='],
    [
      't.multicall',
      hash,
      '',
      't.url=',
      't.type=',
      't.is_enabled=',
      't.is_busy=',
      't.success_time_last=',
      't.failed_time_last=',
      't.scrape_complete=',
      't.scrape_incomplete=',
    ],
    [
      'p.multicall',
      hash,
      '',
      'p.address=',
      'p.port=',
      'p.client_version=',
      'p.completed_percent=',
      'p.down_rate=',
      'p.up_rate=',
    ],
  ]
}

type Row = readonly XmlRpcValue[]

/** Undefined for what is no answer to these calls. */
export function readRtorrentDetails(answers: readonly XmlRpcValue[]): TorrentDetails | undefined {
  const [isMeta, isPrivate, pieces, pieceBytes, bitfield, seen, isMultiFile, name, message] = answers
  const [files, trackers, peers] = answers.slice(9).map(rowsIn)
  if (files === undefined || trackers === undefined || peers === undefined) return undefined
  if (typeof pieces !== 'number' || typeof bitfield !== 'string' || typeof seen !== 'string') return undefined
  const hasMetadata = isMeta === 0
  const folder = isMultiFile === 0 ? '' : `${text(name)}/`
  const asked = trackers.filter((row) => row[1] !== dhtType)
  const isHere = (index: number) => ((Number.parseInt(bitfield[index >> 2] ?? '0', 16) >> (3 - (index & 3))) & 1) === 1
  return {
    // It reads none from a torrent.
    comment: '',
    ...(hasMetadata ? { isPrivate: isPrivate !== 0 } : {}),
    pieces: hasMetadata ? wholeAmount(pieces) : 0,
    pieceBytes: hasMetadata ? amount(pieceBytes) : 0,
    // Limits are of groups that its owner names.
    uploadLimit: 0,
    downloadLimit: 0,
    ...availabilityOf(seenBy(hasMetadata ? seen : '', isHere)),
    pieceMap: hasMetadata ? pieceMapOf(pieces, isHere) : [],
    files: (hasMetadata ? files : []).slice(0, torrentFilesShownMax).map((row, index) => ({
      index,
      path: folder + text(row[0]),
      sizeBytes: amount(row[1]),
      progressPercent: row[2] === 0 ? 100 : percent(amount(row[3]) / amount(row[2])),
      priority: priorityNames[amount(row[4])] ?? 'normal',
    })),
    trackers: asked.slice(0, torrentTrackersShownMax).map((row) => {
      const state = trackerStateOf(row)
      const words = /^Tracker: \[?(.*?)\]?$/s.exec(text(message))?.[1] ?? ''
      return {
        host: trackerHost(text(row[0])),
        state,
        // It keeps one sentence for all of them: whose it is, is plain only of one.
        said: state === 'error' && asked.length === 1 ? quotedLine(words, trackerWordsCharactersMax) : '',
        ...(row[4] === 0 ? {} : { ...counted('seeds', number(row[6])), ...counted('peers', number(row[7])) }),
      }
    }),
    peers: peers.slice(0, torrentPeersShownMax).map((row) => {
      const address = text(row[0])
      return {
        address: `${address.includes(':') ? `[${address}]` : address}:${amount(row[1])}`,
        client: quotedLine(text(row[2]), trackerWordsCharactersMax),
        progressPercent: percent(amount(row[3]) / 100),
        downloadBytesPerSecond: amount(row[4]),
        uploadBytesPerSecond: amount(row[5]),
      }
    }),
  }
}

function trackerStateOf(row: Row): TrackerState {
  const [, , isEnabled, isBusy, succeededAt, failedAt] = row.map(number)
  if (isEnabled === 0) return 'off'
  if (isBusy !== 0) return 'updating'
  if (succeededAt === 0 && failedAt === 0) return 'waiting'
  return (failedAt ?? 0) > (succeededAt ?? 0) ? 'error' : 'working'
}

/** How many of the peers have each piece, two digits a piece; ours count too. */
function seenBy(seen: string, isHere: (index: number) => boolean): number[] {
  const counts: number[] = []
  for (let at = 0; at + 1 < seen.length; at += 2)
    counts.push(Number.parseInt(seen.slice(at, at + 2), 16) + (isHere(at / 2) ? 1 : 0))
  return counts
}

export function rowsIn(value: XmlRpcValue | undefined): Row[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.every((row) => Array.isArray(row)) ? (value as Row[]) : undefined
}

function text(value: XmlRpcValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function number(value: XmlRpcValue | undefined): number {
  return typeof value === 'number' ? value : 0
}

function amount(value: XmlRpcValue | undefined): number {
  return wholeAmount(number(value))
}
