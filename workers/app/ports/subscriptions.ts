import type { Result } from '#shared/kernel/result.ts'
import type { EpisodeStanding, Progress } from '../core/media/progress.ts'
import type { QualityProfile, QualityRules } from '../core/media/quality-profile.ts'
import type { TitleDetails } from '../core/media/title-details.ts'
import type { Reason } from '../core/reason/reason.ts'
import type {
  MediaType,
  SubscriptionSource,
  SubscriptionStatus,
  SubscriptionTorrentStatus,
} from '../core/vocabulary.ts'

/** What the owner has of one title. */
export interface TitleStanding {
  readonly inLibrary: boolean
  /** The newest; absent while there is none. */
  readonly subscriptionId?: number
}

export interface TitleStandings {
  /** Those of them of which there is something to tell. */
  of(mediaType: MediaType, ids: readonly number[]): Promise<ReadonlyMap<number, TitleStanding>>
}

/** A film, or one season of a series, that the owner wants to have. */
export interface SubscriptionRecord {
  readonly id: number
  readonly mediaType: MediaType
  readonly tmdbId: number
  /** 0 for a film. */
  readonly season: number
  readonly title: string
  /** Empty for none. */
  readonly originalTitle: string
  /** The name that sites know it by. */
  readonly searchTitle: string
  readonly year?: number
  /** As announced; 0 for a film. */
  readonly totalEpisodes: number
  readonly posterPath?: string
  readonly releasedOn?: string
  readonly status: SubscriptionStatus
  readonly upgrade: boolean
  /** 0 for the one that is the default at the time, as of the downloader. */
  readonly profileId: number
  readonly downloaderId: number
  readonly source: SubscriptionSource
  /** What came of the last search. */
  readonly reason?: Reason
  readonly lastSearchAtUnix?: number
  readonly nextSearchAtUnix?: number
  readonly createdAtUnix: number
}

export interface SubscriptionTorrent {
  readonly id: number
  readonly site: string
  readonly torrentId: string
  readonly title: string
  readonly status: SubscriptionTorrentStatus
  /** Absent for all of it. */
  readonly episode?: number
  readonly episodeEnd?: number
  readonly complete: boolean
  readonly sizeBytes: number
  readonly reason?: Reason
  readonly createdAtUnix: number
}

export interface Subscription {
  readonly record: SubscriptionRecord
  readonly progress: Progress
}

export interface SubscriptionDetail extends Subscription {
  /** None of a film. */
  readonly episodes: readonly EpisodeStanding[]
  /** Newest first. */
  readonly torrents: readonly SubscriptionTorrent[]
}

interface NewSubscription extends Pick<SubscriptionRecord, 'upgrade' | 'profileId' | 'downloaderId' | 'source'> {
  readonly details: TitleDetails
}

/** What the owner wants to have. What is active is searched for as soon as it became so. */
export interface Subscriptions {
  /** Newest first, a bounded number. */
  list(filter: { readonly status?: SubscriptionStatus; readonly keyword?: string }): Promise<Subscription[]>
  read(id: number): Promise<SubscriptionDetail | undefined>
  has(title: Pick<SubscriptionRecord, 'mediaType' | 'tmdbId' | 'season'>): Promise<boolean>
  add(wanted: NewSubscription): Promise<Result<Subscription, 'taken' | 'too_many'>>
  /** Undefined when there is none; so below. */
  setStatus(id: number, status: Extract<SubscriptionStatus, 'active' | 'paused'>): Promise<Subscription | undefined>
  /** One that was done and is to be upgraded from now on is active again. */
  change(
    id: number,
    change: Pick<SubscriptionRecord, 'upgrade' | 'profileId' | 'downloaderId'>,
  ): Promise<Subscription | undefined>
  /** What was pushed for it stays where it is. */
  remove(id: number): Promise<boolean>
}

/** Looks for what is wanted of subscriptions. */
export interface SubscriptionHunt {
  /** Searches once, now: what came of it. */
  searchNow(id: number): Promise<Result<Reason, 'not_found' | 'not_active' | 'busy'>>
}

export interface QualityProfileChange extends QualityRules {
  readonly name: string
  readonly isDefault: boolean
}

/** Which releases are wanted. There is always one, and one of them is the default. */
export interface QualityProfiles {
  /** By id. */
  list(): Promise<QualityProfile[]>
  /** The default for 0, and for one that is gone. */
  of(id: number): Promise<QualityProfile>
  add(change: QualityProfileChange): Promise<Result<QualityProfile, 'name_taken' | 'too_many'>>
  /** The default stays one until another one becomes it. */
  update(
    id: number,
    change: QualityProfileChange,
  ): Promise<Result<QualityProfile, 'not_found' | 'name_taken' | 'is_default'>>
  /** Subscriptions that named it go on with the default. */
  remove(id: number): Promise<Result<void, 'not_found' | 'is_default'>>
}
