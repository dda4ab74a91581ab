import * as z from '#shared/schema/deferred.ts'
import {
  episodeStates,
  mediaTypes,
  subscriptionSources,
  subscriptionStatuses,
  subscriptionTorrentStatuses,
} from '../core/vocabulary.ts'
import { seasonMax, tmdbIdMax } from '../limits.ts'
import { keyword, wholeNumber } from './paging.ts'
import { withReason } from './reason.ts'
import { declareRoute, emptyBody } from './route.ts'

export const wireSubscription = z
  .object({
    id: z.int(),
    media_type: z.enum(mediaTypes),
    /** The metadata provider's. */
    tmdb_id: z.int(),
    /** 0 for a film. */
    season: z.int(),
    title: z.string(),
    original_title: z.string().optional(),
    year: z.int().optional(),
    total_episodes: z.int().optional(),
    poster_path: z.string().optional(),
    status: z.enum(subscriptionStatuses),
    upgrade: z.boolean(),
    source: z.enum(subscriptionSources),
    message: z.string().optional(),
    ...withReason,
    last_search_at: z.int().optional(),
    next_search_at: z.int().optional(),
    created_at: z.int(),
    /** A film counts as one episode. */
    progress: z.object({
      total: z.int(),
      aired: z.int(),
      in_library: z.int(),
      downloading: z.int(),
      /** How far those are on average; left out where none is. */
      downloading_percent: z.number().min(0).max(100).optional(),
      missing: z.array(z.int()),
    }),
  })
  .meta({ id: 'Subscription' })
export type WireSubscription = z.infer<typeof wireSubscription>

const wireSubscriptionDetail = wireSubscription
  .extend({
    episodes: z.array(
      z.object({
        number: z.int(),
        name: z.string().optional(),
        /** `YYYY-MM-DD`. */
        air_date: z.string().optional(),
        state: z.enum(episodeStates),
      }),
    ),
    torrents: z.array(
      z.object({
        site: z.string(),
        torrent_id: z.string(),
        title: z.string(),
        status: z.enum(subscriptionTorrentStatuses),
        /** Absent for a film, and for a whole season. */
        episode: z.int().optional(),
        episode_end: z.int().optional(),
        complete: z.boolean(),
        size: z.int(),
        message: z.string().optional(),
        ...withReason,
        created_at: z.int(),
      }),
    ),
  })
  .meta({ id: 'SubscriptionDetail' })
export type WireSubscriptionDetail = z.infer<typeof wireSubscriptionDetail>

export const subscriptionId = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })

export const listSubscriptions = declareRoute('read', 'get', '/subscriptions', {
  operationId: 'listSubscriptions',
  feature: 'subscriptions',
  summary: 'Subscriptions, newest first',
  description:
    'Films and seasons that are looked for, with how many of the episodes are in the library. All in one answer.',
  query: z.object({ status: z.enum(subscriptionStatuses).optional(), q: keyword.optional() }),
  answers: { 200: z.array(wireSubscription) },
})

export const getSubscription = declareRoute('read', 'get', '/subscriptions/{id}', {
  operationId: 'getSubscription',
  feature: 'subscriptions',
  summary: 'One subscription with its episodes and torrents',
  description: 'The state of every episode, and each torrent that was taken for the subscription.',
  params: subscriptionId,
  answers: { 200: wireSubscriptionDetail },
  failures: ['not_found'],
})

/** What a subscription is made of. */
export const subscriptionFields = {
  media_type: z.enum(mediaTypes),
  tmdb_id: z.int().min(1).max(tmdbIdMax),
  /** Of a series; empty or 0 for the latest. */
  season: z.int().min(0).max(seasonMax).optional(),
  /** Empty or 0 for the default. */
  profile_id: z.int().min(0).optional(),
  upgrade: z.boolean().optional(),
}
const subscriptionBody = z.strictObject(subscriptionFields)
export type SubscriptionBody = z.output<typeof subscriptionBody>

/** 400 `invalid_argument` also for what is subscribed already, and while no key of the metadata provider is set. */
export const addSubscription = declareRoute('operate', 'post', '/subscriptions', {
  operationId: 'addSubscription',
  feature: 'subscriptions',
  summary: 'Subscribe to a film or a season',
  description:
    'Looks the title up at the metadata provider and begins to search for it. Answers `invalid_argument` for what is subscribed already, and while no key of the metadata provider is set.',
  body: subscriptionBody,
  answers: { 200: wireSubscription },
  failures: ['not_found', 'rate_limited', 'upstream'],
})

export const setSubscriptionStatus = declareRoute('operate', 'post', '/subscriptions/{id}/status', {
  operationId: 'setSubscriptionStatus',
  feature: 'subscriptions',
  summary: 'Pause or resume a subscription',
  description: 'A paused subscription keeps its episodes and torrents, and is not searched for.',
  params: subscriptionId,
  body: z.strictObject({ status: z.enum(['paused', 'active']) }),
  answers: { 200: wireSubscription },
  failures: ['not_found'],
})

/** 400 `invalid_argument` unless the subscription is active, 409 `busy` while it is being searched for already. */
export const searchSubscription = declareRoute('operate', 'post', '/subscriptions/{id}/search', {
  operationId: 'searchSubscription',
  feature: 'subscriptions',
  summary: 'Search for a subscription now',
  description:
    'Looks for what is missing without waiting for the next round. Answers `invalid_argument` unless the subscription is active, and `busy` while a search is under way.',
  params: subscriptionId,
  body: emptyBody,
  answers: { 200: z.object({ message: z.string(), ...withReason }) },
  failures: ['not_found', 'busy_conflict'],
})

export const deleteSubscription = declareRoute('operate', 'delete', '/subscriptions/{id}', {
  operationId: 'deleteSubscription',
  feature: 'subscriptions',
  summary: 'Delete a subscription',
  description: 'Torrents in the downloaders and files in the library stay.',
  params: subscriptionId,
  body: emptyBody,
  answers: { 200: z.object({ ok: z.literal(true) }) },
  failures: ['not_found'],
})
