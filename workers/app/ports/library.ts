import type { Result } from '#shared/kernel/result.ts'
import type { HeldTitle } from '../core/media/held-release.ts'
import type { EpisodeSpan } from '../core/media/progress.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { HistoryStatus, LibraryMode, MediaType } from '../core/vocabulary.ts'
import type { SubscriptionRecord } from './subscriptions.ts'

/** What is in the library. */
export interface LibraryFacts {
  /** Of each of the films and seasons, in the order they were asked for. */
  holdings(
    wanted: readonly Pick<SubscriptionRecord, 'mediaType' | 'tmdbId' | 'season'>[],
  ): Promise<(readonly EpisodeSpan[])[]>
  /** Those of the titles of which anything is there. */
  titles(mediaType: MediaType, ids: readonly number[]): Promise<ReadonlySet<number>>
  /** What is there of titles that may be called by one of the folded names: more than those, of the newest. */
  called(names: readonly string[]): Promise<readonly HeldTitle[]>
}

/** A folder on the downloader's machine that the owner's films or series lie in. */
export interface Library {
  readonly id: number
  readonly name: string
  readonly mediaType: MediaType
  readonly path: string
  readonly mode: LibraryMode
  readonly isDefault: boolean
}

export type LibraryChange = Omit<Library, 'id'>

/** Of each kind that has libraries one is the default, whatever is changed or removed. */
export interface Libraries {
  /** All of them, by id. */
  list(): Promise<Library[]>
  add(change: LibraryChange): Promise<Result<Library, 'name_taken' | 'too_many'>>
  update(id: number, change: LibraryChange): Promise<Result<Library, 'not_found' | 'name_taken'>>
  /** Files stay, and what is known of them. */
  remove(id: number): Promise<boolean>
}

/** What became of a torrent that was complete. */
export interface MediaRecord {
  readonly id: number
  readonly mediaType: MediaType
  readonly tmdbId: number
  readonly title: string
  readonly year?: number
  /** Absent for a film. */
  readonly season?: number
  /** Absent for all of it. */
  readonly episode?: number
  readonly episodeEnd?: number
  readonly torrentName: string
  /** Empty for none. */
  readonly library: string
  readonly targetPath: string
  readonly mode: LibraryMode
  readonly sizeBytes: number
  readonly status: HistoryStatus
  readonly reason?: Reason
  readonly createdAtUnix: number
}

export interface MediaHistory {
  /** Most recently updated first. What is being organised is not among them yet. */
  page(
    filter: { readonly status?: HistoryStatus; readonly keyword?: string },
    page: number,
    pageSize: number,
  ): Promise<{ items: MediaRecord[]; total: number }>
  /** Organises it once more, with the libraries as they are now. */
  tryAgain(id: number): Promise<Result<void, 'not_found' | 'not_needed'>>
}
