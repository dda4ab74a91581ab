/** What a downloader tells of one torrent beyond its row, in the interface's units. */
import { quotedLine } from './redact.ts'
import type { FilePriority, QueuePlace, TrackerState } from './vocabulary.ts'

interface TorrentFileEntry {
  /** By which the downloader names it. */
  readonly index: number
  /** Folders are parted by `/`. */
  readonly path: string
  readonly sizeBytes: number
  /** 0 to 100. */
  readonly progressPercent: number
  readonly priority: FilePriority
}

interface TorrentTracker {
  /** Never the whole address: it holds the owner's key. */
  readonly host: string
  readonly state: TrackerState
  readonly said: string
  /** As the tracker counts them. Undefined where it did not say. */
  readonly seeds?: number
  readonly peers?: number
}

interface TorrentPeer {
  /** IP address with port. */
  readonly address: string
  readonly client: string
  readonly progressPercent: number
  readonly downloadBytesPerSecond: number
  readonly uploadBytesPerSecond: number
}

export interface TorrentDetails {
  readonly comment: string
  /** Undefined while the metadata is on its way. */
  readonly isPrivate?: boolean
  readonly pieces: number
  readonly pieceBytes: number
  /** Of this torrent, in bytes a second; 0 for none. */
  readonly uploadLimit: number
  readonly downloadLimit: number
  readonly files: readonly TorrentFileEntry[]
  readonly trackers: readonly TorrentTracker[]
  readonly peers: readonly TorrentPeer[]
}

/** What may be changed about torrents that are there. */
export type TorrentChange =
  | { readonly kind: 'recheck' | 'reannounce' }
  | { readonly kind: 'move'; readonly folder: string }
  | { readonly kind: 'category'; readonly category: string }
  | { readonly kind: 'tags'; readonly tags: readonly string[] }
  /** Bytes a second; 0 for none. */
  | { readonly kind: 'limits'; readonly upload: number; readonly download: number }
  | { readonly kind: 'queue'; readonly place: QueuePlace }
  | { readonly kind: 'files'; readonly indexes: readonly number[]; readonly priority: FilePriority }

/** What a tracker is called where its address must not be shown. */
export function trackerHost(address: string): string {
  return URL.canParse(address) ? new URL(address).host : quotedLine(address, 100)
}
