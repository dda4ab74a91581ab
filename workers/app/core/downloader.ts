import type { DownloaderKind, SortOrder, TorrentSort, TorrentState } from './vocabulary.ts'

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

export interface TorrentQuery {
  readonly state?: TorrentState
  /** Matched case-insensitively in the title. */
  readonly keyword?: string
  readonly sort: TorrentSort
  readonly order: SortOrder
}

export interface ActionOutcome {
  readonly infoHash: string
  readonly success: boolean
  /** Chinese; empty when there is nothing to say. */
  readonly message: string
}
