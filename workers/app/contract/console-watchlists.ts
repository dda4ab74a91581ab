/** The console's endpoints for lists of films and series that make subscriptions. No answer holds an address or a key. */
import * as z from '#shared/schema/deferred.ts'
import { firstLooks, mediaTypes, watchlistKinds, watchlistStatuses } from '../core/vocabulary.ts'
import {
  channelNameCharactersMax,
  feedAddressCharactersMax,
  watchlistAccountCharactersMax,
  watchlistFileCharactersMax,
  watchlistKeyCharactersMax,
  watchlistMinutesMax,
  watchlistMinutesMin,
} from '../limits.ts'
import { wholeNumber } from './paging.ts'
import { withReason } from './reason.ts'
import { declareRoute, emptyBody, type RouteDeclaration } from './route.ts'

const wireWatchlist = z.object({
  id: z.int(),
  name: z.string(),
  enabled: z.boolean(),
  kind: z.enum(watchlistKinds),
  /** All that is shown of the address; empty for what was sent as a file. */
  host: z.string(),
  account: z.string(),
  list: z.string(),
  every_minutes: z.int(),
  first_look: z.enum(firstLooks),
  /** 0 for the default one. */
  profile_id: z.int(),
  /** Where its subscriptions push to; 0 for the default one. */
  downloader_id: z.int(),
  upgrade: z.boolean(),
  counts: z.partialRecord(z.enum(watchlistStatuses), z.int()),
  due_at: z.int(),
  last_at: z.int().optional(),
  /** Why it could not be read the last time, in the caller's language, fit to show. */
  last_error: z.string().optional(),
  ...withReason,
})
export type WireWatchlist = z.infer<typeof wireWatchlist>

const place = {
  kind: z.enum(watchlistKinds),
  /** Of a feed or a file; of an interface its base, empty for the public one. Left out keeps the stored one. */
  address: z.string().trim().max(feedAddressCharactersMax).optional(),
  /** Client id. Left out keeps the stored one. */
  key: z
    .string()
    .max(watchlistKeyCharactersMax)
    .regex(/^[\x21-\x7e]*$/)
    .optional(),
  /** Whose list, by name or number. */
  account: z.string().trim().max(watchlistAccountCharactersMax).optional(),
  /** Which one of the account's; empty for what it wants to see. */
  list: z.string().trim().max(watchlistAccountCharactersMax).optional(),
  /** An export of IMDb, in place of an address: it is read this once. */
  file: z.string().min(1).max(watchlistFileCharactersMax).optional(),
}

const watchlistBody = z.strictObject({
  name: z.string().trim().min(1).max(channelNameCharactersMax),
  enabled: z.boolean(),
  every_minutes: z.int().min(watchlistMinutesMin).max(watchlistMinutesMax),
  first_look: z.enum(firstLooks),
  profile_id: z.int().min(0).optional(),
  downloader_id: z.int().min(0).optional(),
  upgrade: z.boolean().optional(),
  ...place,
})
export type WatchlistBody = z.output<typeof watchlistBody>

const watchlistId = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })
const done = z.object({ ok: z.literal(true) })

export const listWatchlists = declareRoute('session', 'get', '/watchlists', {
  operationId: 'listWatchlists',
  summary: '片单',
  answers: { 200: z.object({ items: z.array(wireWatchlist) }) },
})

export const addWatchlist = declareRoute('session', 'post', '/watchlists', {
  operationId: 'addWatchlist',
  summary: '添加片单',
  body: watchlistBody,
  answers: { 200: wireWatchlist },
})

export const changeWatchlist = declareRoute('session', 'put', '/watchlists/{id}', {
  operationId: 'changeWatchlist',
  summary: '修改片单',
  params: watchlistId,
  body: watchlistBody,
  answers: { 200: wireWatchlist },
})

export const removeWatchlist = declareRoute('session', 'delete', '/watchlists/{id}', {
  operationId: 'removeWatchlist',
  summary: '删除片单，保留它添加的订阅',
  params: watchlistId,
  body: emptyBody,
  answers: { 200: done },
})

/** 404 also for one that is switched off, or was sent as a file. */
export const runWatchlist = declareRoute('session', 'post', '/watchlists/{id}/run', {
  operationId: 'runWatchlist',
  summary: '立即读取片单',
  params: watchlistId,
  body: emptyBody,
  answers: { 200: done },
})

const wireEntry = {
  title: z.string(),
  original_title: z.string().optional(),
  year: z.int().optional(),
  season: z.int().optional(),
}
const wireChoice = z.object({
  media_type: z.enum(mediaTypes),
  tmdb_id: z.int(),
  title: z.string(),
  year: z.int().optional(),
})

const tryBody = z.strictObject({
  ...place,
  /** What is left out is taken from this list. */ id: z.int().min(1).optional(),
})
export type TryWatchlistBody = z.output<typeof tryBody>

const wireTrial = z.object({
  /** False when the list could not be read, or the metadata provider not asked. */
  works: z.boolean(),
  error: z.string().optional(),
  ...withReason,
  found: z.int(),
  untried: z.int(),
  /** `added` is what would be added. */
  counts: z.partialRecord(z.enum(watchlistStatuses), z.int()),
  items: z.array(z.object({ ...wireEntry, status: z.enum(watchlistStatuses), meant: z.string().optional() })),
})
export type WireWatchlistTrial = z.infer<typeof wireTrial>

/** Nothing is stored and nothing is subscribed. */
export const tryWatchlist = declareRoute('session', 'post', '/watchlists/try', {
  operationId: 'tryWatchlist',
  isTrial: true,
  summary: '试读片单，看看会添加什么',
  body: tryBody,
  answers: { 200: wireTrial },
})

const wireItem = z.object({
  id: z.int(),
  list_id: z.int(),
  list: z.string(),
  ...wireEntry,
  status: z.enum(watchlistStatuses),
  media_type: z.enum(mediaTypes).optional(),
  tmdb_id: z.int().optional(),
  subscription_id: z.int().optional(),
  /** Of one that is unclear. */
  choices: z.array(wireChoice),
  error: z.string().optional(),
  ...withReason,
  found_at: z.int(),
  decided_at: z.int(),
})
export type WireWatchlistItem = z.infer<typeof wireItem>

/** Newest first, a bounded number; `before` goes on from an entry's number. */
export const listWatchlistItems = declareRoute('session', 'get', '/watchlist-items', {
  operationId: 'listWatchlistItems',
  summary: '片单中的影片和剧集，以及处理结果',
  query: z.object({
    list: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
    status: z.enum(watchlistStatuses).optional(),
    before: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
  }),
  answers: { 200: z.object({ items: z.array(wireItem) }) },
})

/** 404 for one that was added, is there, or waits. */
export const chooseWatchlistTitle = declareRoute('session', 'post', '/watchlist-items/{id}/choose', {
  operationId: 'chooseWatchlistTitle',
  summary: '指明片单中的一项是哪部影片或剧集，随后订阅',
  params: watchlistId,
  body: z.strictObject({ media_type: z.enum(mediaTypes), tmdb_id: z.int().min(1) }),
  answers: { 200: done },
})

export const leaveWatchlistItem = declareRoute('session', 'post', '/watchlist-items/{id}/leave', {
  operationId: 'leaveWatchlistItem',
  summary: '不订阅片单中的这一项',
  params: watchlistId,
  body: emptyBody,
  answers: { 200: done },
})

export const consoleWatchlistDeclarations: readonly RouteDeclaration[] = [
  listWatchlists,
  addWatchlist,
  tryWatchlist,
  changeWatchlist,
  removeWatchlist,
  runWatchlist,
  listWatchlistItems,
  chooseWatchlistTitle,
  leaveWatchlistItem,
]
