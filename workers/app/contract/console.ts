/** The console page's own endpoints, under `/api/console/v1`: for the signed-in browser only, never for tokens. */

import * as z from '#shared/schema/deferred.ts'
import { lostKinds } from '../core/sealed-text.ts'
import { downloaderKinds, entrances, scopes, signedInKinds, tokenLifetimes } from '../core/vocabulary.ts'
import {
  downloaderAddressCharactersMax,
  downloaderCredentialCharactersMax,
  downloaderNameCharactersMax,
  minFreeGibMax,
  pageSizeMax,
  passwordCharactersMax,
  passwordCharactersMin,
  tokenNameCharactersMax,
} from '../limits.ts'
import { consoleBackupDeclarations } from './console-backups.ts'
import { consoleBrushDeclarations } from './console-brush.ts'
import { consoleChannelDeclarations } from './console-channels.ts'
import { consoleChatDeclarations } from './console-chats.ts'
import { consoleCookieDeclarations } from './console-cookies.ts'
import { consoleDefinitionDeclarations } from './console-definitions.ts'
import { consoleDeviceDeclarations } from './console-devices.ts'
import { consoleEndDeclarations } from './console-ends.ts'
import { consoleFeedItemDeclarations } from './console-feed-items.ts'
import { consoleFeedDeclarations } from './console-feeds.ts'
import { consoleGatewayDeclarations } from './console-gateway.ts'
import { consoleHealthDeclarations } from './console-health.ts'
import { consoleJobDeclarations } from './console-jobs.ts'
import { consoleLibraryDeclarations } from './console-libraries.ts'
import { consolePasskeyDeclarations } from './console-passkeys.ts'
import { consoleReseedDeclarations } from './console-reseed.ts'
import { consoleRuleDeclarations } from './console-rules.ts'
import { consoleSearchDeclarations } from './console-search.ts'
import { consoleSettingDeclarations } from './console-settings.ts'
import { consoleSiteDeclarations } from './console-sites.ts'
import { consoleSubscriptionDeclarations } from './console-subscriptions.ts'
import { consoleTorrentDeclarations } from './console-torrents.ts'
import { consoleTransferDeclarations } from './console-transfers.ts'
import { consoleWatchlistDeclarations } from './console-watchlists.ts'
import { ofFile } from './of-file.ts'
import { pageOf, pageParameters, wholeNumber } from './paging.ts'
import { withReason } from './reason.ts'
import { declareRoute, emptyBody, type RouteDeclaration } from './route.ts'

const done = z.object({ ok: z.literal(true) })

/** What the page must know before anything else, signed in or not. */
const wireConsoleState = z.object({
  signed_in: z.boolean(),
  /** False until the owner has set a password. */
  set_up: z.boolean(),
  /** A set-up code that was not used yet exists: its link sets a new password. */
  setup_code_waits: z.boolean(),
  /** There are passkeys that work at the address the page is open under. */
  passkeys: z.boolean(),
  /** Present when signed in: whether stored passwords can be read with the present master key. */
  secrets: z.enum(['ready', 'missing', 'changed']).optional(),
  /** When signed in: what was sealed with another key, and has to be entered or paired again. */
  lost: z.array(z.object({ kind: z.enum(lostKinds), name: z.string() })).optional(),
  version: z.string(),
})
export type WireConsoleState = z.infer<typeof wireConsoleState>

export const getConsoleState = declareRoute('public', 'get', '/state', {
  operationId: 'getConsoleState',
  summary: '页面状态',
  answers: { 200: wireConsoleState },
})

const newPassword = z.string().min(passwordCharactersMin).max(passwordCharactersMax)
/**
 * Goes on with the master key at hand where another one sealed what is stored: from now on new secrets can be stored, and
 * what is lost is entered again, one by one. 503 `unavailable` without a key.
 */
export const adoptMasterKey = declareRoute('session', 'post', '/master-key', {
  operationId: 'adoptMasterKey',
  summary: '改用现在的主密钥',
  body: emptyBody,
  answers: { 200: done },
})

const anyPassword = z.string().min(1).max(passwordCharactersMax)

/** What stays when the password is a new one. All the rest ends with it, every other session in any case. */
const keep = z.array(z.enum(entrances)).max(entrances.length).optional()
const passwordSet = z.object({ ok: z.literal(true), ended: z.record(z.enum(entrances), z.int()) })
export type WireEndedEntrances = z.infer<typeof passwordSet>['ended']

/** 403 `forbidden`: wrong or used code. 429 `too_many`: too many wrong ones. Signs the browser in. */
export const setUp = declareRoute('public', 'post', '/setup', {
  operationId: 'setUp',
  summary: '用一次性链接设置密码',
  body: z.strictObject({ code: z.string().min(1).max(256), password: newPassword, keep }),
  answers: { 200: passwordSet },
  failures: ['forbidden', 'too_many'],
})

/** 403 `forbidden`: wrong password, or not set up yet. 429 `too_many` with `Retry-After`. */
export const signIn = declareRoute('public', 'post', '/sign-in', {
  operationId: 'signIn',
  summary: '登录',
  body: z.strictObject({ password: anyPassword }),
  answers: { 200: done },
  failures: ['forbidden', 'too_many'],
})

export const signOut = declareRoute('session', 'post', '/sign-out', {
  operationId: 'signOut',
  summary: '退出登录',
  body: emptyBody,
  answers: { 200: done },
})

/** Ends every other session, and what is not kept. 403 `forbidden`: the current password is wrong. */
export const changePassword = declareRoute('session', 'post', '/password', {
  operationId: 'changePassword',
  summary: '修改密码',
  body: z.strictObject({ current: anyPassword, next: newPassword, keep }),
  answers: { 200: passwordSet },
  failures: ['too_many'],
})

/** Ends what is named, this very session included; what waits to be paired goes with the devices. */
export const signOutEverywhere = declareRoute('session', 'post', '/sign-out-everywhere', {
  operationId: 'signOutEverywhere',
  summary: '全部退出：会话、令牌、设备',
  body: z.strictObject({ ends: z.array(z.enum(signedInKinds)).min(1).max(signedInKinds.length) }),
  answers: { 200: z.object({ ok: z.literal(true), ended: z.record(z.enum(signedInKinds), z.int()) }) },
})

const wireToken = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  created_at: z.int(),
  expires_at: z.int().optional(),
  last_used_at: z.int().optional(),
})
export type WireToken = z.infer<typeof wireToken>

export const listTokens = declareRoute('session', 'get', '/tokens', {
  operationId: 'listTokens',
  summary: 'API 令牌',
  answers: { 200: z.object({ items: z.array(wireToken) }) },
})

const createTokenBody = z.strictObject({
  name: z.string().trim().min(1).max(tokenNameCharactersMax),
  scopes: z.array(z.enum(scopes)).min(1).max(scopes.length),
  lifetime: z.enum(tokenLifetimes),
})
export type CreateTokenBody = z.input<typeof createTokenBody>

/** `text` is shown this once and never again. 400 `invalid_argument` when there are 50 already. */
export const createToken = declareRoute('session', 'post', '/tokens', {
  operationId: 'createToken',
  summary: '新建 API 令牌',
  body: createTokenBody,
  answers: { 200: z.object({ token: wireToken, text: z.string() }) },
})

export const revokeToken = declareRoute('session', 'delete', '/tokens/{id}', {
  operationId: 'revokeToken',
  summary: '撤销 API 令牌',
  params: z.object({ id: z.string().min(1).max(64) }),
  body: emptyBody,
  answers: { 200: done },
})

const wireConsoleDownloader = z.object({
  id: z.int(),
  name: z.string(),
  type: z.enum(downloaderKinds),
  address: z.string(),
  username: z.string(),
  /** The password itself is write-only. */
  has_password: z.boolean(),
  enabled: z.boolean(),
  default: z.boolean(),
  /** A push that would leave less free space than this is stopped. */
  min_free_gib: z.int(),
  ...ofFile,
})
export type WireConsoleDownloader = z.infer<typeof wireConsoleDownloader>

export const listConsoleDownloaders = declareRoute('session', 'get', '/downloaders', {
  operationId: 'listConsoleDownloaders',
  summary: '下载器设置',
  answers: { 200: z.object({ items: z.array(wireConsoleDownloader) }) },
})

export const downloaderBody = z.strictObject({
  name: z.string().trim().min(1).max(downloaderNameCharactersMax),
  type: z.enum(downloaderKinds),
  /** http or https, with an optional path; no user name in it. */
  address: z.string().trim().min(1).max(downloaderAddressCharactersMax),
  username: z.string().max(downloaderCredentialCharactersMax),
  /** Left out when changing a downloader: the stored one stays. */
  password: z.string().max(downloaderCredentialCharactersMax).optional(),
  enabled: z.boolean(),
  default: z.boolean(),
  /** Left out: the stored one stays; of a new downloader it is the usual one. */
  min_free_gib: z.int().min(0).max(minFreeGibMax).optional(),
})
export type DownloaderBody = z.input<typeof downloaderBody>

const downloaderId = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })

export const addDownloader = declareRoute('session', 'post', '/downloaders', {
  operationId: 'addDownloader',
  summary: '添加下载器',
  body: downloaderBody,
  answers: { 200: wireConsoleDownloader },
})

export const changeDownloader = declareRoute('session', 'put', '/downloaders/{id}', {
  operationId: 'changeDownloader',
  summary: '修改下载器',
  params: downloaderId,
  body: downloaderBody,
  answers: { 200: wireConsoleDownloader },
})

export const removeDownloader = declareRoute('session', 'delete', '/downloaders/{id}', {
  operationId: 'removeDownloader',
  summary: '删除下载器',
  params: downloaderId,
  body: emptyBody,
  answers: { 200: done },
})

const testDownloaderBody = z.strictObject({
  type: z.enum(downloaderKinds),
  address: z.string().trim().min(1).max(downloaderAddressCharactersMax),
  username: z.string().max(downloaderCredentialCharactersMax),
  /** Left out together with `id`: the stored password of that downloader is tried. */
  password: z.string().max(downloaderCredentialCharactersMax).optional(),
  id: z.int().min(1).optional(),
})
export type TestDownloaderBody = z.input<typeof testDownloaderBody>

const wireTestResult = z.object({
  reachable: z.boolean(),
  version: z.string().optional(),
  /** Why not, in Chinese, fit to show. */
  error: z.string().optional(),
  ...withReason,
  free_space: z.int().optional(),
})
export type WireTestResult = z.infer<typeof wireTestResult>

/** Always 200: what was found out is in the answer. */
export const testDownloader = declareRoute('session', 'post', '/downloaders/test', {
  operationId: 'testDownloader',
  isTrial: true,
  summary: '测试连接',
  body: testDownloaderBody,
  answers: { 200: wireTestResult },
})

const wireAuditEntry = z.object({
  id: z.int(),
  at: z.int(),
  channel: z.string(),
  user: z.string(),
  command: z.string(),
  result: z.string(),
  status: z.int().optional(),
  ...withReason,
  /** What was done where the command does not say it, and to what: the first names, and how many more. */
  about: z.object({ deed: z.string().optional(), names: z.array(z.string()), more: z.int() }).optional(),
  latency_ms: z.int().optional(),
})
export type WireAuditEntry = z.infer<typeof wireAuditEntry>

export const listAudit = declareRoute('session', 'get', '/audit', {
  operationId: 'listAudit',
  summary: '操作记录，最新在前',
  query: z.object(pageParameters(pageSizeMax)),
  answers: { 200: z.object(pageOf(wireAuditEntry)) },
})

/** Every endpoint of the console. */
export const consoleRouteDeclarations: readonly RouteDeclaration[] = [
  getConsoleState,
  setUp,
  signIn,
  signOut,
  changePassword,
  signOutEverywhere,
  adoptMasterKey,
  listTokens,
  createToken,
  revokeToken,
  listConsoleDownloaders,
  addDownloader,
  changeDownloader,
  removeDownloader,
  testDownloader,
  listAudit,
  ...consoleTorrentDeclarations,
  ...consoleSearchDeclarations,
  ...consoleTransferDeclarations,
  ...consoleReseedDeclarations,
  ...consoleSiteDeclarations,
  ...consoleJobDeclarations,
  ...consoleHealthDeclarations,
  ...consoleBackupDeclarations,
  ...consoleSettingDeclarations,
  ...consoleChannelDeclarations,
  ...consoleChatDeclarations,
  ...consoleBrushDeclarations,
  ...consoleDefinitionDeclarations,
  ...consoleFeedDeclarations,
  ...consoleFeedItemDeclarations,
  ...consoleRuleDeclarations,
  ...consoleEndDeclarations,
  ...consoleSubscriptionDeclarations,
  ...consoleWatchlistDeclarations,
  ...consoleLibraryDeclarations,
  ...consoleGatewayDeclarations,
  ...consoleDeviceDeclarations,
  ...consolePasskeyDeclarations,
  ...consoleCookieDeclarations,
]
