import type { Result } from '#shared/kernel/result.ts'
import type { DownloaderTarget, TorrentFilter } from '../core/downloader.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { RunDeed, RunFailure } from '../core/torrent-run.ts'
import type { TorrentRunEnd } from '../core/vocabulary.ts'

export interface UnreadDownloader {
  readonly downloaderId: number
  readonly downloader: string
  readonly reason: Reason
}

/** How far something done to all torrents that match is. */
export interface TorrentRun {
  readonly id: number
  readonly deed: RunDeed
  readonly total: number
  readonly succeeded: number
  readonly failed: number
  /** The first of those that failed. */
  readonly failures: readonly (RunFailure & { readonly downloaderId: number })[]
  /** Whose torrents could not be read when it began, and are not in it. */
  readonly unread: readonly UnreadDownloader[]
  readonly createdAtUnix: number
  readonly finishedAtUnix: number | undefined
  /** Undefined while it is under way. */
  readonly end: TorrentRunEnd | undefined
}

interface RunOrder {
  readonly deed: RunDeed
  readonly owners: readonly DownloaderTarget[]
  readonly filter: TorrentFilter
  readonly except: ReadonlyMap<number, ReadonlySet<string>>
  /** What the caller saw: when more match, nothing is done. */
  readonly countMax: number
}

type RunRefusal = { readonly kind: 'more_match'; readonly count: number } | { readonly kind: 'too_many' }

export interface TorrentRuns {
  /** Those of the last ones that are kept, newest first. */
  list(): Promise<TorrentRun[]>
  find(id: number): Promise<TorrentRun | undefined>
  /** Chooses what matches now, writes it down, and has the scheduler carry it out. */
  begin(order: RunOrder): Promise<Result<TorrentRun, RunRefusal>>
  /** What is under way is done; nothing further is begun. Undefined when there is none. */
  stop(id: number): Promise<TorrentRun | undefined>
  /** Another run that takes this one back. */
  undo(id: number): Promise<Result<TorrentRun, 'not_found' | 'no_way_back' | 'too_many'>>
}
