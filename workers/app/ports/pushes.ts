import type { Result } from '#shared/kernel/result.ts'
import type { DownloaderTarget } from '../core/downloader.ts'
import type { FreeStanding } from '../core/free-end.ts'
import type { Given } from '../core/hit-and-run.ts'
import type { PushFailure } from '../core/push-fault.ts'
import type { PushGate } from '../core/push-plan.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { SiteTarget } from '../core/site.ts'
import type { SiteFault } from '../core/site-fault.ts'
import type { Discount, FreeEndAction, FreeEnding, TaskSource, UnknownEnd } from '../core/vocabulary.ts'

/** Of one site: what was taken as free and is not complete, the nearest end first. */
export interface FreeStandings {
  readonly action: FreeEndAction
  readonly items: readonly (FreeStanding & {
    readonly torrentId: string
    readonly title: string
    readonly downloader: string
    readonly discount: Discount
    readonly endAtUnix?: number
    readonly ending?: FreeEnding
  })[]
  /** Downloaders that could not be asked. */
  readonly silent: readonly string[]
}

/** A push of what has to be seeded, and what its downloader gave of it. */
export interface HitAndRunRecord extends Given {
  readonly id: number
  readonly site: string
  readonly torrentId: string
  readonly title: string
  /** The site's lists marked it. */
  readonly isMarked: boolean
  readonly downloader: string
  readonly downloaderId: number
  readonly infoHashes: readonly string[]
}

export interface HitAndRunStore {
  /** The newest first: what its lists marked, and of a site that asks it of every torrent all of them. */
  ofSite(site: string, isAskedOfAll: boolean): Promise<HitAndRunRecord[]>
  /** What is complete, of all sites; `askedOfAll` are names. Those looked at longest ago first. */
  open(askedOfAll: readonly string[]): Promise<HitAndRunRecord[]>
  isAny(askedOfAll: readonly string[]): Promise<boolean>
  note(
    looks: readonly {
      readonly id: number
      /** Undefined where its downloader does not have it. */
      readonly shown:
        | { readonly seededSeconds: number | undefined; readonly givenBytes: number; readonly isSeeding: boolean }
        | undefined
    }[],
  ): Promise<void>
}

export interface PushRecord {
  readonly id: number
  readonly site: string
  readonly torrentId: string
  readonly title: string
  readonly sizeBytes: number
  readonly category: string
  /** Comma-separated. */
  readonly tags: string
  readonly free: boolean
  readonly freeLevel?: Discount
  readonly freeEndAtUnix?: number
  readonly freeEnding?: FreeEnding
  readonly hasHr: boolean
  readonly source: TaskSource
  readonly downloader: string
  readonly pushed: boolean
  readonly pushedAtUnix?: number
  readonly progressPercent: number
  readonly completed: boolean
  readonly completedAtUnix?: number
  /** Why it was not pushed, or is lost. */
  readonly reason?: Reason
  readonly createdAtUnix: number
}

export interface PushRecords {
  /** Newest first. */
  page(
    filter: { readonly site?: string; readonly keyword?: string; readonly pushedOnly: boolean },
    page: number,
    pageSize: number,
  ): Promise<{ items: PushRecord[]; total: number }>
  /**
   * Titles of the newest that were pushed to stay and are not lost, and may be called by one of the folded names. What a
   * brush task took goes again.
   */
  called(names: readonly string[]): Promise<readonly string[]>
}

/** A torrent of a site that somebody wants in a downloader. */
export interface PushOrder {
  readonly torrentId: string
  readonly source: TaskSource
  /** Empty: the name inside the torrent file. */
  readonly title: string
  readonly category: string
  readonly tags: readonly string[]
  readonly savePath: string
  /** Added without being started. */
  readonly isPaused?: boolean | undefined
  /** By the rule that ordered it: what a free period is whose end nobody tells. */
  readonly unknownEnd?: UnknownEnd
}

/** What became of it. */
export type PushOutcome =
  | { readonly kind: 'pushed' | 'skipped'; readonly infoHash: string }
  /** A gate stopped it, or the downloader did. */
  | { readonly kind: 'stopped' | 'refused'; readonly infoHash: string; readonly reason: Reason }

/** Brings torrents from sites into downloaders: one at a time for each site. */
export interface PushService {
  push(site: SiteTarget, downloader: DownloaderTarget, order: PushOrder): Promise<Result<PushOutcome, PushFailure>>
}

/** A torrent of a site as far as its list tells it. */
export interface ForeseenPush {
  readonly torrentId: string
  readonly infoHash?: string | undefined
  readonly sizeBytes?: number | undefined
  readonly savePath: string
}

export interface PushForesight {
  /** What a push would meet at each gate if it were made now. Nothing is fetched, sent or written down. */
  foresee(
    site: SiteTarget,
    downloader: DownloaderTarget,
    wish: ForeseenPush,
  ): Promise<Result<readonly PushGate[], SiteFault>>
}
