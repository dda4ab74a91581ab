/** The console's endpoints for feeds and what they brought: for the signed-in browser only. No answer holds an address. */

import * as z from '#shared/schema/deferred.ts'
import { signIns } from '../core/feeds/announce.ts'
import {
  announceChannelCharactersMax,
  announceEnterCharactersMax,
  announceLineCharactersMax,
  announcersMax,
  feedAddressCharactersMax,
  feedMinutesMax,
  feedMinutesMin,
  feedNameCharactersMax,
  siteNameCharactersMax,
} from '../limits.ts'
import { wholeNumber } from './paging.ts'
import { withReason } from './reason.ts'
import { declareRoute, emptyBody, type RouteDeclaration } from './route.ts'

/** A channel in which the site says what is new. Only where the service runs on one's own machine. */
export const wireAnnounces = z.strictObject({
  channel: z
    .string()
    .trim()
    .max(announceChannelCharactersMax)
    .regex(/^[#&][^ ,:\p{Cc}]+$/u),
  announcers: z
    .array(
      z
        .string()
        .trim()
        .regex(/^[^ ,:!@\p{Cc}]{1,64}$/u),
    )
    .min(1)
    .max(announcersMax),
  /** As a line is written, with names in braces for what differs. */
  line: z.string().trim().min(1).max(announceLineCharactersMax),
  sign_in: z.enum(signIns),
  /** SHA-256 of the server's certificate, for one that signed itself. */
  certificate: z
    .string()
    .trim()
    .regex(/^(?:[0-9A-Fa-f]{2}:?){32}$/)
    .optional(),
})

const wireFeed = z.object({
  id: z.int(),
  name: z.string(),
  enabled: z.boolean(),
  site: z.string(),
  site_enabled: z.boolean(),
  /** All that is shown of the address. Empty for the site's own newest list. */
  host: z.string(),
  every_minutes: z.int(),
  announces: wireAnnounces.optional(),
  /** A command that opens the channel is stored. */
  enters: z.literal(true).optional(),
  due_at: z.int(),
  last_at: z.int().optional(),
  /** When something new was in it last. */
  last_item_at: z.int().optional(),
  /** In the last 24 hours. */
  found: z.int(),
  taken: z.int(),
  /** Why the last look did not do all it should have, in the caller's language, fit to show. */
  last_error: z.string().optional(),
  ...withReason,
})
export type WireFeed = z.infer<typeof wireFeed>

const feedBody = z.strictObject({
  name: z.string().trim().min(1).max(feedNameCharactersMax),
  enabled: z.boolean(),
  /** The site's identifier. */
  site: z.string().min(1).max(siteNameCharactersMax),
  /** Left out keeps the stored one; empty for the site's own newest list. */
  address: z.string().trim().max(feedAddressCharactersMax).optional(),
  /** In place of an address: the site is asked where the account's own feed is, and what it says is sealed like one. */
  learn: z.literal(true).optional(),
  every_minutes: z.int().min(feedMinutesMin).max(feedMinutesMax),
  /** Left out for what is read. */
  announces: wireAnnounces.optional(),
  /**
   * Of a channel that opens by a command: whom it is said to, and what, key and all. Left out keeps the stored one, unless the
   * address is another one.
   */
  enter: z
    .string()
    .trim()
    .max(announceEnterCharactersMax)
    .regex(/^[^ ,:!@#&{}\p{Cc}]+ [^{}\p{Cc}]+$/u)
    .optional(),
})
export type FeedBody = z.output<typeof feedBody>

const feedId = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })
const done = z.object({ ok: z.literal(true) })

export const listFeeds = declareRoute('session', 'get', '/feeds', {
  operationId: 'listFeeds',
  summary: '订阅源（RSS）',
  answers: { 200: z.object({ items: z.array(wireFeed) }) },
})

export const addFeed = declareRoute('session', 'post', '/feeds', {
  operationId: 'addFeed',
  summary: '添加订阅源；第一次只记录已有的种子',
  body: feedBody,
  answers: { 200: wireFeed },
})

export const changeFeed = declareRoute('session', 'put', '/feeds/{id}', {
  operationId: 'changeFeed',
  summary: '修改订阅源',
  params: feedId,
  body: feedBody,
  answers: { 200: wireFeed },
})

/** What it brought stays in the downloader. */
export const removeFeed = declareRoute('session', 'delete', '/feeds/{id}', {
  operationId: 'removeFeed',
  summary: '删除订阅源，保留下载器中的种子',
  params: feedId,
  body: emptyBody,
  answers: { 200: done },
})

/** In the background, as soon as the site is free. 404 also for a feed that is switched off. */
export const runFeed = declareRoute('session', 'post', '/feeds/{id}/run', {
  operationId: 'runFeed',
  summary: '立即读取订阅源',
  params: feedId,
  body: emptyBody,
  answers: { 200: done },
})

export const consoleFeedDeclarations: readonly RouteDeclaration[] = [
  listFeeds,
  addFeed,
  changeFeed,
  removeFeed,
  runFeed,
]
