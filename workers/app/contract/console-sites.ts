/** The console's endpoints for sites. */

import * as z from '#shared/schema/deferred.ts'
import { freeOutlooks } from '../core/free-end.ts'
import { maskedKinds } from '../core/masking.ts'
import { figureNames } from '../core/site-figures.ts'
import { cookieOrigins, discounts, freeEndActions, freeEndings, loginTiers, siteKinds } from '../core/vocabulary.ts'
import {
  capacityGibMax,
  cookieTextCharactersMax,
  historyDaysDefault,
  inactivityDaysMax,
  siteAddressCharactersMax,
  siteAnswersMax,
  siteCredentialCharactersMax,
  siteDisplayNameCharactersMax,
  siteNameCharactersMax,
  snapshotDays,
} from '../limits.ts'
import { ofFile } from './of-file.ts'
import { wholeNumber } from './paging.ts'
import { withReason } from './reason.ts'
import { declareRoute, emptyBody, type RouteDeclaration } from './route.ts'
import { wireSiteAnnounces } from './site-announces.ts'
import { siteOverrides } from './site-definition.ts'
import { wireReadFigure } from './site-watch.ts'

const done = z.object({ ok: z.literal(true) })

/** What a kind of site can do, and what opens its account. */
const wireAbilities = {
  statistics: z.boolean(),
  sign_in: z.boolean(),
  search: z.boolean(),
  hit_and_run: z.boolean(),
  credential: z.enum(['cookie', 'api_key', 'either', 'none']),
}

const wireSiteDefinition = z.object({
  id: z.string(),
  name: z.string(),
  name_en: z.string().optional(),
  kind: z.enum(siteKinds),
  address: z.string().optional(),
  inactivity_days: z.int().optional(),
  ...wireAbilities,
})

export const listSiteDefinitions = declareRoute('session', 'get', '/site-definitions', {
  operationId: 'listSiteDefinitions',
  summary: '现成的站点定义',
  answers: { 200: z.object({ items: z.array(wireSiteDefinition) }) },
})

const wireConsoleSite = z.object({
  id: z.int(),
  name: z.string(),
  display_name: z.string(),
  kind: z.enum(siteKinds),
  definition: z.string(),
  address: z.string(),
  /** Cookie and key themselves are write-only. */
  has_cookie: z.boolean(),
  has_api_key: z.boolean(),
  /** Of the cookie: how it came and when. Left out for none, and for one from before this was noted. */
  cookie_from: z.enum(cookieOrigins).optional(),
  cookie_at: z.int().optional(),
  /** Host and port of its proxy; the rest of the address is write-only. Left out for none. */
  proxy_host: z.string().optional(),
  enabled: z.boolean(),
  auto_sign_in: z.boolean(),
  inactivity_days: z.int(),
  remind_before_days: z.int(),
  /** Seeding on this site stops growing beyond it; 0 for no limit. */
  capacity_gib: z.int(),
  overrides: siteOverrides,
  /** Names of what was answered to a definition of the owner's; the answers themselves are write-only. */
  answered: z.array(z.string()),
  /** Of the channel in which it says what is new; left out where nothing is known. */
  announces: wireSiteAnnounces.optional(),
  ...wireAbilities,
  ...ofFile,
})
export type WireConsoleSite = z.infer<typeof wireConsoleSite>

export const listConsoleSites = declareRoute('session', 'get', '/sites', {
  operationId: 'listConsoleSites',
  summary: '站点设置',
  answers: { 200: z.object({ items: z.array(wireConsoleSite) }) },
})

/** What is asked and read where the owner says nothing: the kind's own, and what the definition sets. */
const wireSiteUsual = z.object({
  user_agent: z.string(),
  request_interval_ms: z.int(),
  /** Requests that went to the site in the last 24 hours. Left out where that cannot be told. */
  calls: z.int().optional(),
  utc_offset_minutes: z.int(),
  /** Of these, left out what is the kind's own. */
  labels: z.record(z.string(), z.array(z.string())),
  paths: z.record(z.string(), z.string()),
  selectors: z.record(z.string(), z.string()),
  headers: z.record(z.string(), z.string()),
  categories: z.record(z.string(), z.array(z.string())),
  hosts: z.array(z.string()),
  /** Whether the platform adds headers of its own to a call, which no setting takes away. */
  adds_headers: z.boolean(),
})
export type WireSiteUsual = z.infer<typeof wireSiteUsual>

/** What goes into a header: printable, on one line. */
const credential = z
  .string()
  .max(siteCredentialCharactersMax)
  .regex(/^[\x20-\x7e]*$/)
  .transform((text) => text.trim())

/** In any form that a browser or an extension of it gives; of it the site's own are kept. */
const cookieText = z
  .string()
  .max(cookieTextCharactersMax)
  .transform((text) => text.trim())

const place = {
  kind: z.enum(siteKinds),
  /** Id of a ready-made definition; empty for none. */
  definition: z.string().max(siteNameCharactersMax),
  /** http or https, with an optional path; no user name in it. */
  address: z.string().trim().min(1).max(siteAddressCharactersMax),
  /** Left out when changing a site: the stored one stays. */
  cookie: cookieText.optional(),
  api_key: credential.optional(),
  /** `http(s)://[user:password@]host[:port]`, on one's own machine only. Left out: the stored one stays; empty: none. */
  proxy: z.string().trim().max(siteAddressCharactersMax).optional(),
  overrides: siteOverrides.optional(),
  /** What a definition of the owner's asks for, by its names. Names left out keep what is stored; empty: none. */
  answers: z
    .record(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), z.string().max(siteCredentialCharactersMax))
    .refine((given) => Object.keys(given).length <= siteAnswersMax)
    .optional(),
}

export const siteBody = z.strictObject({
  /** The identifier in paths and search results. */
  name: z
    .string()
    .max(siteNameCharactersMax)
    .regex(/^[a-z0-9][a-z0-9._-]*$/),
  display_name: z.string().trim().max(siteDisplayNameCharactersMax),
  ...place,
  enabled: z.boolean(),
  auto_sign_in: z.boolean(),
  inactivity_days: z.int().min(1).max(inactivityDaysMax).optional(),
  remind_before_days: z.int().min(0).max(inactivityDaysMax).optional(),
  capacity_gib: z.int().min(0).max(capacityGibMax).optional(),
})
export type SiteBody = z.output<typeof siteBody>

const siteId = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })

/** What an override is compared with. */
export const getSiteUsual = declareRoute('session', 'get', '/sites/{id}/usual', {
  operationId: 'getSiteUsual',
  summary: '不作覆盖时的站点设置',
  params: siteId,
  answers: { 200: wireSiteUsual },
})

const wirePromotion = z.object({
  torrent_id: z.string(),
  title: z.string(),
  downloader: z.string(),
  discount: z.enum(discounts),
  /** Left out where the site does not tell it. */
  ends_at: z.int().optional(),
  /** How it stands with what its downloader shows now. */
  outlook: z.enum(freeOutlooks),
  /** Seconds until it is complete, at the speed of now. Left out while nothing comes. */
  needs: z.int().optional(),
  /** What would be left to download at the end, and be billed. Left out where nobody can say. */
  billed: z.int().optional(),
  /** What was done about it. */
  ending: z.enum(freeEndings).optional(),
  /** When it will be paused or warned about, if nothing changes. Left out where nothing will be done. */
  acts_at: z.int().optional(),
})
export type WirePromotion = z.infer<typeof wirePromotion>

const wirePromotions = z.object({
  /** What is done about one that will not be complete in time. */
  action: z.enum(freeEndActions),
  items: z.array(wirePromotion),
  /** Downloaders that could not be asked, by name. */
  silent: z.array(z.string()),
})
export type WirePromotions = z.infer<typeof wirePromotions>

/** What was pushed from the site while it was free and is not complete, the nearest end first. */
export const listPromotions = declareRoute('session', 'get', '/sites/{id}/promotions', {
  operationId: 'listPromotions',
  summary: '免费期限将至的种子',
  params: siteId,
  answers: { 200: wirePromotions },
})

export const addSite = declareRoute('session', 'post', '/sites', {
  operationId: 'addSite',
  summary: '添加站点',
  body: siteBody,
  answers: { 200: wireConsoleSite },
})

export const changeSite = declareRoute('session', 'put', '/sites/{id}', {
  operationId: 'changeSite',
  summary: '修改站点',
  params: siteId,
  body: siteBody,
  answers: { 200: wireConsoleSite },
})

export const removeSite = declareRoute('session', 'delete', '/sites/{id}', {
  operationId: 'removeSite',
  summary: '删除站点及其历史数据',
  params: siteId,
  body: emptyBody,
  answers: { 200: done },
})

/** With `id`, what is left out is taken from that site, as long as the address is still its own. */
const testSiteBody = z.strictObject({ ...place, id: z.int().min(1).optional() })
export type TestSiteBody = z.output<typeof testSiteBody>

const wireSiteTrial = z.object({
  works: z.boolean(),
  error: z.string().optional(),
  ...withReason,
  /** What was read of the account, and what was not: every figure there is. Absent for a kind without accounts. */
  username: z.string().optional(),
  figures: z.array(wireReadFigure).optional(),
})
export type WireSiteTrial = z.infer<typeof wireSiteTrial>

/** The account is read as it will be. Always 200: what was found out is in the answer. */
export const testSite = declareRoute('session', 'post', '/sites/test', {
  operationId: 'testSite',
  isTrial: true,
  summary: '测试站点',
  body: testSiteBody,
  answers: { 200: wireSiteTrial },
})

const wireFixture = z.object({
  /** Absent where the site could not be read; then `error` says why. */
  pages: z.array(z.object({ page: z.string(), text: z.string() })).optional(),
  /** How often what was replaced, or left out, in all of them. */
  replaced: z.partialRecord(z.enum(maskedKinds), z.int()).optional(),
  error: z.string().optional(),
  ...withReason,
})
export type WireFixture = z.infer<typeof wireFixture>

/**
 * The pages that the account is read from, for a report: names, numbers and addresses in them are replaced before they
 * leave the service. Always 200: what was found out is in the answer.
 */
export const makeSiteFixture = declareRoute('session', 'post', '/sites/{id}/fixture', {
  operationId: 'makeSiteFixture',
  isTrial: true,
  summary: '生成脱敏页面',
  params: siteId,
  body: emptyBody,
  answers: { 200: wireFixture },
})

const figureWord = z.strictObject({
  figure: z.enum(figureNames),
  value: z.number(),
  /** `before`: what was known before it became doubtful. */
  is: z.enum(['right', 'before']),
})
export type FigureWordBody = z.infer<typeof figureWord>

/** What the owner says of a doubtful figure. 404 where it is none any more, or another value than the one that was seen. */
export const saySiteFigure = declareRoute('session', 'post', '/sites/{id}/figures', {
  operationId: 'saySiteFigure',
  summary: '确认存疑的数据',
  params: siteId,
  body: figureWord,
  answers: { 200: done },
})

const wireSiteMessages = z.object({
  /** Absent where the site could not be read; then `error` says why. */
  items: z.array(z.object({ subject: z.string(), sender: z.string().optional(), at: z.int().optional() })).optional(),
  error: z.string().optional(),
  ...withReason,
})
export type WireSiteMessages = z.infer<typeof wireSiteMessages>

/** What is unread, as the site lists it now: nothing of it is kept here, and nothing is marked as read there. */
export const listSiteMessages = declareRoute('session', 'get', '/sites/{id}/messages', {
  operationId: 'listSiteMessages',
  summary: '站点的未读消息',
  params: siteId,
  answers: { 200: wireSiteMessages },
})

/** Statistics are read in the background as soon as the site is free. 404 when the site is off or has none. */
export const refreshSite = declareRoute('session', 'post', '/sites/{id}/refresh', {
  operationId: 'refreshSite',
  summary: '立即刷新统计',
  params: siteId,
  body: emptyBody,
  answers: { 200: done },
})

/** Accounts that were not visited for so long that the owner was reminded, the most urgent first. */
export const listLoginReminders = declareRoute('session', 'get', '/reminders', {
  operationId: 'listLoginReminders',
  summary: '需要登录的站点',
  answers: {
    200: z.object({
      items: z.array(
        z.object({ site: z.string(), tier: z.enum(loginTiers), days_remaining: z.int(), raised_at: z.int() }),
      ),
    }),
  },
})

/** Growth of each day over enabled sites, oldest first; every day is there. */
export const listSiteHistory = declareRoute('session', 'get', '/site-history', {
  operationId: 'listSiteHistory',
  summary: '每日上传、下载与魔力的变化',
  query: z.object({ days: wholeNumber(1, snapshotDays).prefault(String(historyDaysDefault)) }),
  answers: {
    200: z.object({
      items: z.array(
        z.object({
          day: z.string(),
          uploaded: z.int(),
          downloaded: z.int(),
          bonus: z.number(),
          /** Sites whose figures were read that day; with none of them the zeros say nothing. */
          sites: z.int(),
        }),
      ),
    }),
  },
})

export const consoleSiteDeclarations: readonly RouteDeclaration[] = [
  listSiteDefinitions,
  listConsoleSites,
  getSiteUsual,
  listPromotions,
  addSite,
  changeSite,
  removeSite,
  testSite,
  makeSiteFixture,
  saySiteFigure,
  listSiteMessages,
  refreshSite,
  listLoginReminders,
  listSiteHistory,
]
