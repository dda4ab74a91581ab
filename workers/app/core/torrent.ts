import type { TorrentCondition, TorrentState } from './vocabulary.ts'

/** One torrent of one downloader, in the interface's units whatever the downloader calls them. */
export interface Torrent {
  /** 40 hexadecimal digits, lower case (of a v2-only torrent the first 40). Also the `task_id` on the wire. */
  readonly infoHash: string
  readonly title: string
  /** 0 to 100. */
  readonly progressPercent: number
  readonly sizeBytes: number
  readonly state: TorrentState
  /** What the state does not tell, with the downloader's or the tracker's own words where there are any. */
  readonly condition?: { readonly kind: TorrentCondition; readonly said?: string }
  readonly ratio: number
  /** Peers we download from and peers we upload to that are connected now. */
  readonly seeds: number
  readonly peers: number
  readonly uploadBytesPerSecond: number
  readonly downloadBytesPerSecond: number
  /** Moved so far, as the downloader counts it. A counter may begin anew. */
  readonly uploadedBytes: number
  readonly downloadedBytes: number
  /** Estimated seconds left; -1 when it cannot be estimated. */
  readonly etaSeconds: number
  readonly addedAtUnix: number
  /** Seeded so far, as the downloader counts it. Left out where it does not tell. */
  readonly seedingSeconds?: number
  /** 0 while not completed. */
  readonly completedAtUnix: number
  readonly category: string
  /** Comma-separated. */
  readonly tags: string
  readonly savePath: string
  /** Host of the tracker that works, or else of the first. Left out where there is none, or none is known. */
  readonly tracker?: string
}
