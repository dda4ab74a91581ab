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
  /** How many of all pieces the peers and we have between us; undefined where nobody tells. */
  readonly availability?: number
  /** Shares of pieces that are here, from 0 to 100, along the torrent; empty where nobody tells. */
  readonly pieceMap: readonly number[]
  /** How it is loaded and given; undefined where its program does not know that. */
  readonly superSeeding?: boolean
  readonly sequential?: boolean
  readonly firstLast?: boolean
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
  | { readonly kind: 'super_seeding'; readonly on: boolean }
  | { readonly kind: 'sequential'; readonly on: boolean }
  | { readonly kind: 'first_last'; readonly on: boolean }
  /** Of one torrent. The name it is shown under; where the program has none beside it, that of its files' folder. */
  | { readonly kind: 'rename'; readonly name: string }
  /** Of one torrent. `path` as in its details, folders parted by `/`. */
  | { readonly kind: 'rename_file'; readonly index: number; readonly path: string }
  | { readonly kind: 'add_tracker'; readonly address: string }
  /** Trackers are named by host, as they are shown. */
  | { readonly kind: 'change_tracker'; readonly host: string; readonly address: string }
  | { readonly kind: 'remove_tracker'; readonly host: string }
  | { readonly kind: 'files'; readonly indexes: readonly number[]; readonly priority: FilePriority }

export function isTrackerChange({ kind }: TorrentChange): boolean {
  return kind === 'add_tracker' || kind === 'change_tracker' || kind === 'remove_tracker'
}

/** Of how many shares a piece map is made at most: as many as a line on a page shows. */
export const pieceMapSharesMax = 200

/** Shares of pieces that are here along the torrent, whole percents. */
export function pieceMapOf(pieces: number, isHere: (index: number) => boolean): number[] {
  const shares = Math.min(pieces, pieceMapSharesMax)
  const map: number[] = []
  for (let share = 0; share < shares; share++) {
    const from = Math.floor((share * pieces) / shares)
    const to = Math.floor(((share + 1) * pieces) / shares)
    let here = 0
    for (let index = from; index < to; index++) if (isHere(index)) here++
    map.push(Math.floor((here * 100) / (to - from)))
  }
  return map
}

/** How often the rarest piece is there, by the counts of each, and the share of those that are there once more. */
export function availabilityOf(counts: readonly number[]): { readonly availability?: number } {
  if (counts.length === 0) return {}
  const rarest = counts.reduce((least, count) => Math.min(least, count), Number.POSITIVE_INFINITY)
  const above = counts.filter((count) => count > rarest).length
  return { availability: rarest + Math.round((above * 1000) / counts.length) / 1000 }
}

/** A path that stays inside the torrent's folder, whatever reads it. */
export function isPathInside(path: string): boolean {
  return path.split('/').every((part) => part.trim() !== '' && part !== '.' && part !== '..') && !path.includes('\\')
}

/** The folder of a file, with the line after it; empty for one in none. */
export function folderIn(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** What a tracker is called where its address must not be shown. */
export function trackerHost(address: string): string {
  return URL.canParse(address) ? new URL(address).host : quotedLine(address, 100)
}
