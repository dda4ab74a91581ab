import type { Result } from '#shared/kernel/result.ts'
import type { DownloaderStatus, InfoHashes, TorrentUpload } from '../../core/downloader.ts'
import type { DownloaderFault } from '../../core/downloader-fault.ts'
import type { Torrent } from '../../core/torrent.ts'
import type { TorrentChanges } from '../../core/torrent-catalogue.ts'
import type { TorrentChange, TorrentDetails } from '../../core/torrent-details.ts'
import type { TorrentAction } from '../../core/vocabulary.ts'

export interface DownloaderReading {
  readonly changes: TorrentChanges
  readonly status: DownloaderStatus
}

/**
 * Speaks one downloader's protocol, in whichever dialect it finds there. Keeps the sign-in and the place where the last
 * read ended. One operation at a time; `signal` ends it.
 */
export interface DownloaderDriver {
  /** Reads on from the read before. The first read, and one after a failure, finds everything. */
  read(signal: AbortSignal): Promise<Result<DownloaderReading, DownloaderFault>>
  /** Succeeds when the downloader accepted it; what it does about it shows in later reads. */
  act(action: TorrentAction, infoHashes: InfoHashes, signal: AbortSignal): Promise<Result<void, DownloaderFault>>
  /** Succeeds when the downloader accepted the file, also one it has already. */
  add(upload: TorrentUpload, signal: AbortSignal): Promise<Result<void, DownloaderFault>>
  /** Undefined when the downloader has no such torrent. */
  details(infoHash: string, signal: AbortSignal): Promise<Result<TorrentDetails | undefined, DownloaderFault>>
  /**
   * Succeeds when the downloader accepted it. `torrents` as they were read last. One that is moved goes on seeding from
   * the new folder, which the downloader makes where it is missing.
   */
  change(
    change: TorrentChange,
    torrents: readonly [Torrent, ...Torrent[]],
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>>
  /**
   * The torrent's own file. Undefined when the downloader has no such torrent. Left out where a program hands none out, or
   * `unsupported` of a version that does not.
   */
  exportFile?(infoHash: string, signal: AbortSignal): Promise<Result<Uint8Array | undefined, DownloaderFault>>
  /** Of the disk a folder is on, or will be. Left out where the downloader only knows its default folder's. */
  freeSpaceIn?(folder: string, signal: AbortSignal): Promise<number | undefined>
}

/** Time limits, freshness and sizes; limits.ts holds the ones in use. */
interface DownloaderBounds {
  readonly callMs: number
  readonly operationMs: number
  readonly stalenessMs: number
  readonly answerBytesMax: number
}

/** What a driver needs of its runtime. */
export interface DriverRuntime {
  readonly bounds: DownloaderBounds
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>
  readonly nowMs: () => number
  readonly wait: (ms: number) => Promise<void>
}
