import type { Reason } from './reason/reason.ts'
import type { Torrent } from './torrent.ts'
import type {
  DownloaderKind,
  SortOrder,
  TorrentCondition,
  TorrentGrouping,
  TorrentSort,
  TorrentState,
} from './vocabulary.ts'

/** How to reach a downloader. Chosen by the owner, so private addresses are allowed. */
export interface DownloaderSettings {
  readonly kind: DownloaderKind
  /** http(s) address with an optional path, without a trailing slash. */
  readonly baseUrl: string
  readonly username: string
  /** Password, or an API key where the downloader takes one and the user name is empty. */
  readonly password: string
}

/** An enabled downloader as the live side knows it. The password stays sealed until a connection needs it. */
export interface DownloaderTarget {
  readonly id: number
  readonly name: string
  readonly kind: DownloaderKind
  readonly isDefault: boolean
  /** A push that would leave less free space than this is stopped. */
  readonly minFreeGib: number
  /** Changes with the settings; a live connection made for another revision is dropped. */
  readonly revision: number
  readonly baseUrl: string
  readonly username: string
  readonly sealedPassword: string
}

export interface DownloaderStatus {
  readonly version: string
  readonly uploadBytesPerSecond: number
  readonly downloadBytesPerSecond: number
  /** The downloader's own totals, over all time. */
  readonly uploadedBytes: number
  readonly downloadedBytes: number
  /** Undefined when the downloader could not tell. */
  readonly freeSpaceBytes?: number
}

/** Which torrents are meant. An empty text means those that have none. */
export interface TorrentFilter extends Readonly<Partial<Record<TorrentGrouping, string>>> {
  readonly state?: TorrentState
  readonly condition?: TorrentCondition
  /** What was said of its condition, as it is shown. */
  readonly said?: string
  /** Those alone that need the owner, whatever they have. */
  readonly needsOwner?: boolean
  /** Matched case-insensitively in the title. */
  readonly keyword?: string
}

export interface TorrentQuery extends TorrentFilter {
  readonly sort: TorrentSort
  readonly order: SortOrder
}

/** Of the torrents that the other filters leave, whatever their state. */
export interface TorrentCounts {
  readonly states: Readonly<Partial<Record<TorrentState, number>>>
  readonly conditions: Readonly<Partial<Record<TorrentCondition, number>>>
}

export interface TorrentGroup {
  readonly name: string
  readonly total: number
  readonly totalBytes: number
}

/** Torrents that need the owner for one reason. */
export interface TorrentMatter {
  readonly condition: TorrentCondition
  /** Empty where nothing was said. */
  readonly said: string
  /** Empty where it is no matter of a tracker, or none is known. */
  readonly tracker: string
  readonly total: number
}

/** How many torrents each group holds, of those that the filters leave but for the group's own. */
export interface TorrentGroups {
  readonly by: Readonly<Record<TorrentGrouping, readonly TorrentGroup[]>>
  /** Of those that the filters leave, whatever their state and condition. */
  readonly matters: readonly TorrentMatter[]
  readonly total: number
}

/** A part of a list, and what the whole of it holds. */
export interface TorrentSelection {
  readonly torrents: Torrent[]
  readonly total: number
  /** Of all of them. */
  readonly totalBytes: number
  readonly counts: TorrentCounts
  /** It did not answer just now: all of this is as of then. */
  readonly late?: { readonly atUnix: number; readonly reason: Reason }
}

/** A torrent to be taken up, and the space that must stay free. */
export interface TorrentUpload {
  /** The bytes of a torrent file, or a magnet link. */
  readonly content: Uint8Array | string
  /** Under which a downloader may show it; the torrent's own first. */
  readonly infoHashes: InfoHashes
  /** Undefined when nobody knows. */
  readonly sizeBytes: number | undefined
  readonly category: string
  readonly tags: readonly string[]
  /** Empty for the downloader's own. */
  readonly savePath: string
  /** Loads nothing until it is resumed. */
  readonly isPaused?: boolean
}

export type AddOutcome =
  | { readonly kind: 'added' | 'present'; readonly infoHash: string }
  /** A gate stopped it: nothing was sent. */
  | { readonly kind: 'stopped'; readonly reason: Reason }
  /** `mayHaveArrived`: nobody can say what the downloader did with it. */
  | { readonly kind: 'refused'; readonly reason: Reason; readonly mayHaveArrived: boolean }

/** `moving`: it was asked for, or something else has the torrent's files at the moment; a later look tells. */
export type MoveOutcome = { readonly kind: 'moved' | 'moving'; readonly torrent: Torrent } | { readonly kind: 'gone' }

/** A v2 hash is shown and asked for by its first 40 digits. */
export const shownHashDigits = 40

/** Never empty: to a downloader an empty list of ids means every torrent it has. */
export type InfoHashes = readonly [string, ...string[]]

export interface ActionOutcome {
  readonly infoHash: string
  /** Of one that is there, or was. */
  readonly title?: string
  readonly success: boolean
  /** Why not, or that it does not show yet. */
  readonly reason?: Reason
}
