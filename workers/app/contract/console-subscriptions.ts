/** The console's endpoints for what is subscribed to and which releases are wanted: for the signed-in browser only. */
import * as z from '#shared/schema/deferred.ts'
import { choiceRefusals } from '../core/media/release-refusal.ts'
import { releaseSources, resolutions, unknownEnds } from '../core/vocabulary.ts'
import {
  profileGibMax,
  profileNameCharactersMax,
  profileSeedersMax,
  profileWordCharactersMax,
  profileWordsMax,
  searchSitesMax,
  siteNameCharactersMax,
} from '../limits.ts'
import { wholeNumber } from './paging.ts'
import { declareRoute, emptyBody, type RouteDeclaration } from './route.ts'
import { subscriptionFields, subscriptionId, wireSubscription } from './subscriptions.ts'

const words = z.array(z.string().trim().min(1).max(profileWordCharactersMax)).max(profileWordsMax)
const gib = z.number().min(0).max(profileGibMax)

/** What makes a release wanted. Lists of `resolutions` and `sources` begin with the best. */
const qualityRules = {
  resolutions: z.array(z.enum(resolutions)).min(1).max(resolutions.length).refine(isEachOnce),
  /** Empty: any. */
  sources: z.array(z.enum(releaseSources)).max(releaseSources.length).refine(isEachOnce),
  required_words: words,
  refused_words: words,
  /** Of a film or one episode; 0: no bound. */
  min_gib: gib,
  max_gib: gib,
  min_seeders: z.int().min(0).max(profileSeedersMax),
  free_only: z.boolean(),
  /** Of a free one without a stated end; left out: it ends now. */
  unknown_end: z.enum(unknownEnds).optional(),
  refuse_hr: z.boolean(),
  /** Names; empty: all. */
  sites: z.array(z.string().trim().min(1).max(siteNameCharactersMax)).max(searchSitesMax),
}

function isEachOnce(list: readonly string[]): boolean {
  return new Set(list).size === list.length
}

const profileFields = {
  name: z.string().trim().min(1).max(profileNameCharactersMax),
  /** There is always one; it stays until another one becomes it. */
  default: z.boolean(),
  ...qualityRules,
}
const wireQualityProfile = z.object({ id: z.int(), ...profileFields })
export type WireQualityProfile = z.infer<typeof wireQualityProfile>

const profileBody = z
  .strictObject(profileFields)
  .refine(({ min_gib: min, max_gib: max }) => max === 0 || min <= max, { path: ['max_gib'] })
export type QualityProfileBody = z.output<typeof profileBody>

export const listQualityProfiles = declareRoute('session', 'get', '/quality-profiles', {
  operationId: 'listQualityProfiles',
  summary: '画质方案',
  answers: { 200: z.object({ items: z.array(wireQualityProfile) }) },
})

export const addQualityProfile = declareRoute('session', 'post', '/quality-profiles', {
  operationId: 'addQualityProfile',
  summary: '添加画质方案',
  body: profileBody,
  answers: { 200: wireQualityProfile },
})

const triedRelease = z.object({
  site: z.string(),
  title: z.string(),
  /** Left out where nobody told it. */
  size: z.int().optional(),
  /** What the other profile has against it; left out where it prefers another one. */
  against: z.enum(choiceRefusals).optional(),
})
const profileFigures = z.object({ chosen: z.int(), size: z.int() })

const profileTrial = z.object({
  judged: z.int(),
  /** That use it, and those of them of which something turned up. */
  subscriptions: z.int(),
  compared: z.int(),
  stored: profileFigures,
  tried: profileFigures,
  /** For which something else would have been chosen: the newest few. */
  changed: z.array(
    z.object({
      id: z.int(),
      title: z.string(),
      /** 0 for a film. */
      season: z.int(),
      stored: z.array(triedRelease),
      tried: z.array(triedRelease),
    }),
  ),
})
export type WireProfileTrial = z.infer<typeof profileTrial>

/**
 * What it would have chosen of what turned up in the last 30 days for the subscriptions that use it, as if nothing of
 * them were there, beside what their present profile would. Writes nothing.
 */
export const tryQualityProfile = declareRoute('session', 'post', '/quality-profiles/try', {
  operationId: 'tryQualityProfile',
  isTrial: true,
  summary: '用最近三十天的种子试用画质方案',
  body: z.strictObject({
    /** Of a stored one. One that is new is used by nobody, unless it is the default. */
    id: z.int().min(1).optional(),
    profile: profileBody,
  }),
  answers: { 200: profileTrial },
})

const profileId = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })

export const changeQualityProfile = declareRoute('session', 'put', '/quality-profiles/{id}', {
  operationId: 'changeQualityProfile',
  summary: '修改画质方案',
  params: profileId,
  body: profileBody,
  answers: { 200: wireQualityProfile },
  failures: ['not_found'],
})

export const removeQualityProfile = declareRoute('session', 'delete', '/quality-profiles/{id}', {
  operationId: 'removeQualityProfile',
  summary: '删除画质方案，使用它的订阅改用默认方案',
  params: profileId,
  body: emptyBody,
  answers: { 200: z.object({ ok: z.literal(true) }) },
  failures: ['not_found'],
})

/** With what only the owner may choose. 0: the default. */
const wireConsoleSubscription = wireSubscription.extend({ profile_id: z.int(), downloader_id: z.int() })
export type WireConsoleSubscription = z.infer<typeof wireConsoleSubscription>

export const getConsoleSubscription = declareRoute('session', 'get', '/subscriptions/{id}', {
  operationId: 'getConsoleSubscription',
  summary: '一个订阅及其设置',
  params: subscriptionId,
  answers: { 200: wireConsoleSubscription },
  failures: ['not_found'],
})

export const addConsoleSubscription = declareRoute('session', 'post', '/subscriptions', {
  operationId: 'addConsoleSubscription',
  summary: '在网页上订阅影片或剧集的一季',
  body: z.strictObject({
    ...subscriptionFields,
    /** From where on the page. */
    source: z.enum(['manual', 'explore']),
    downloader_id: z.int().min(0).optional(),
  }),
  answers: { 200: wireConsoleSubscription },
  failures: ['not_found', 'rate_limited', 'upstream'],
})

export const changeConsoleSubscription = declareRoute('session', 'put', '/subscriptions/{id}', {
  operationId: 'changeConsoleSubscription',
  summary: '修改订阅的设置',
  params: subscriptionId,
  body: z.strictObject({
    profile_id: z.int().min(0),
    upgrade: z.boolean(),
    downloader_id: z.int().min(0),
  }),
  answers: { 200: wireConsoleSubscription },
  failures: ['not_found'],
})

export const consoleSubscriptionDeclarations: readonly RouteDeclaration[] = [
  listQualityProfiles,
  addQualityProfile,
  tryQualityProfile,
  changeQualityProfile,
  removeQualityProfile,
  getConsoleSubscription,
  addConsoleSubscription,
  changeConsoleSubscription,
]
