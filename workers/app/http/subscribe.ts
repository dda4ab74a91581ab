/** How a subscription comes to be, whoever asks for it, and how it is shown. */

import { unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { SubscriptionBody, WireSubscription } from '../contract/subscriptions.ts'
import { type Failure, failure, wrongField } from '../core/failure.ts'
import { localDay } from '../core/local-day.ts'
import type { TitleDetails } from '../core/media/title-details.ts'
import type { Say } from '../core/reason/say.ts'
import { cutTo } from '../core/redact.ts'
import type { SubscriptionSource } from '../core/vocabulary.ts'
import { subscriptionMessageCharactersMax, subscriptionsMax } from '../limits.ts'
import type { Subscription } from '../ports/subscriptions.ts'
import type { AppDeps } from '../ports.ts'
import { metadataFailure } from './metadata-failure.ts'

export type SubscribeDeps = Pick<AppDeps, 'subscriptions' | 'qualityProfiles' | 'catalogue' | 'clock' | 'locale'>

const taken = failure('invalid_argument', { kind: 'media.subscribed' })
export const noProfile = wrongField('profile_id', { kind: 'none', what: 'profile' })
const tooMany = failure('invalid_argument', { kind: 'too_many', what: 'subscription', limit: subscriptionsMax })
export const noSubscription = failure('not_found', { kind: 'none', what: 'subscription' })
const unknownTitle = failure('not_found', { kind: 'media.title_unknown' })

export async function subscribe(
  deps: SubscribeDeps,
  wanted: SubscriptionBody & {
    readonly source: SubscriptionSource
    readonly downloaderId: number
  },
): Promise<Result<Subscription, Failure>> {
  const { media_type: mediaType, tmdb_id: tmdbId, profile_id: profileId = 0, upgrade = false } = wanted
  const { source, downloaderId } = wanted
  if (!(await hasProfile(deps, profileId))) return failWith(noProfile)
  const details = await titleToSubscribe(deps, { mediaType, tmdbId, season: wanted.season ?? 0 })
  if (!details.ok) return details
  const added = await deps.subscriptions.add({ details: details.value, profileId, downloaderId, upgrade, source })
  return added.ok ? added : failWith(added.failure === 'taken' ? taken : tooMany)
}

/** What would be subscribed: of a series season 0 stands for the latest. Fails with why it cannot be. */
export async function titleToSubscribe(
  deps: Pick<SubscribeDeps, 'subscriptions' | 'catalogue' | 'clock' | 'locale'>,
  wanted: Pick<TitleDetails, 'mediaType' | 'tmdbId' | 'season'>,
): Promise<Result<TitleDetails, Failure>> {
  const { mediaType, tmdbId } = wanted
  const season = mediaType === 'movie' ? 0 : wanted.season
  const isLatest = mediaType === 'tv' && season === 0
  // The provider need not be asked about what is there already. Of two at once the store takes one.
  if (!isLatest && (await deps.subscriptions.has({ mediaType, tmdbId, season }))) return failWith(taken)
  const { timeZone } = await deps.locale.read()
  const today = localDay(unixSeconds(deps.clock), timeZone)
  const details = await deps.catalogue.details({ mediaType, tmdbId, season, today })
  if (!details.ok)
    return failWith(details.failure.kind === 'not_found' ? unknownTitle : metadataFailure(details.failure))
  return isLatest && (await deps.subscriptions.has(details.value)) ? failWith(taken) : succeed(details.value)
}

export async function hasProfile({ qualityProfiles }: Pick<AppDeps, 'qualityProfiles'>, id: number): Promise<boolean> {
  return id === 0 || (await qualityProfiles.of(id)).id === id
}

export function toWireSubscription({ record, progress }: Subscription, say: Say): WireSubscription {
  return {
    id: record.id,
    media_type: record.mediaType,
    tmdb_id: record.tmdbId,
    season: record.season,
    title: record.title,
    ...(record.originalTitle === '' ? {} : { original_title: record.originalTitle }),
    ...(record.year === undefined ? {} : { year: record.year }),
    ...(record.totalEpisodes === 0 ? {} : { total_episodes: record.totalEpisodes }),
    ...(record.posterPath === undefined ? {} : { poster_path: record.posterPath }),
    status: record.status,
    upgrade: record.upgrade,
    source: record.source,
    ...(record.reason === undefined
      ? {}
      : { message: cutTo(say(record.reason), subscriptionMessageCharactersMax), reason: record.reason }),
    ...(record.lastSearchAtUnix === undefined ? {} : { last_search_at: record.lastSearchAtUnix }),
    ...(record.nextSearchAtUnix === undefined ? {} : { next_search_at: record.nextSearchAtUnix }),
    created_at: record.createdAtUnix,
    progress: {
      total: progress.total,
      aired: progress.aired,
      in_library: progress.inLibrary,
      downloading: progress.downloading,
      ...(progress.downloadingPercent === undefined ? {} : { downloading_percent: progress.downloadingPercent }),
      missing: [...progress.missing],
    },
  }
}
