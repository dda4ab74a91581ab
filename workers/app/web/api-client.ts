/** The only place that talks to the server: one function per endpoint, failures as values. */

import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type {
  WireAssistantStatus,
  WireConfirmation,
  WireConversation,
  WireConversationDetail,
  WireEventPage,
  WireRun,
} from '../contract/assistant.ts'
import type {
  CreateTokenBody,
  DownloaderBody,
  signOutEverywhere,
  TestDownloaderBody,
  WireAuditEntry,
  WireConsoleDownloader,
  WireConsoleState,
  WireEndedEntrances,
  WireTestResult,
  WireToken,
} from '../contract/console.ts'
import type { WireBackup, WireBackupList, WireReadBack } from '../contract/console-backups.ts'
import type { BrushTaskBody, WireBrushTorrent, WireConsoleBrushTask } from '../contract/console-brush.ts'
import type { ChannelBody, TestChannelBody, WireChannel } from '../contract/console-channels.ts'
import type { WireCookiePush } from '../contract/console-cookies.ts'
import type { WireDefinitionAdded, WireOwnDefinition } from '../contract/console-definitions.ts'
import type { DeviceBody, PairingCodeBody, WireDevice, WirePairingCode } from '../contract/console-devices.ts'
import type { FeedBody, WireFeed, WireFeedItem } from '../contract/console-feeds.ts'
import type {
  GatewayKeyBody,
  WireGatewayCall,
  WireGatewayKey,
  WireGatewayKeyList,
  WireGatewayUsage,
} from '../contract/console-gateway.ts'
import type { WireHealth } from '../contract/console-health.ts'
import type { WireJob } from '../contract/console-jobs.ts'
import type { LibraryBody, WireLibrary } from '../contract/console-libraries.ts'
import type {
  AssertedPasskey,
  AttestedPasskey,
  WirePasskey,
  WirePasskeyCreation,
  WirePasskeyRequest,
} from '../contract/console-passkeys.ts'
import type { RuleBody, RuleTrial, WireRule, WireStoredRule } from '../contract/console-rules.ts'
import type {
  AssistantSettingsBody,
  MetadataSettingsBody,
  WireAssistantSettings,
  WireFreeEndSettings,
  WireLocaleSettings,
  WireMetadataSettings,
  WireModelTrial,
  WireProxySettings,
  WireUpdateSettings,
} from '../contract/console-settings.ts'
import type {
  listSiteDefinitions,
  SiteBody,
  TestSiteBody,
  WireConsoleSite,
  WireFixture,
  WireSiteTrial,
} from '../contract/console-sites.ts'
import type {
  addConsoleSubscription,
  changeConsoleSubscription,
  QualityProfileBody,
  WireConsoleSubscription,
  WireQualityProfile,
} from '../contract/console-subscriptions.ts'
import type { WireDownloader } from '../contract/downloaders.ts'
import type { WireExploreItem } from '../contract/explore.ts'
import type { WireMediaRecord } from '../contract/media.ts'
import type { WireOverview } from '../contract/overview.ts'
import type { search } from '../contract/search.ts'
import type { listSeedingDuties, WireSiteDay, WireSiteStanding } from '../contract/site-watch.ts'
import type { WireAttendance, WireSite } from '../contract/sites.ts'
import type { WireSubscription, WireSubscriptionDetail } from '../contract/subscriptions.ts'
import type { WireTask } from '../contract/tasks.ts'
import type { WireTemplateEvent, WireTemplates } from '../contract/templates.ts'
import type { WireTorrentPage } from '../contract/torrents.ts'
import type { WireUpdates } from '../contract/updates.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { ApiFailure } from './model/failure-words.ts'
import type { PushAnswer, PushBody } from './model/push.ts'
import type { SearchBody } from './model/search-query.ts'
import type { Draft } from './model/template-draft.ts'
import type { TorrentTarget } from './model/torrent-query.ts'
import { sessionEnded } from './session.ts'

export type { ApiFailure }

export type Answer<T> = Result<T, ApiFailure>

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  /** Where the server itself waits for others for longer than usual. */
  readonly patienceMs?: number
}

/** A server that says nothing for this long counts as not reached. Downloaders have ten seconds of their own. */
const patienceMs = 30_000
/** A search may take half a minute by its contract; signing in at a site, testing one and pushing a minute. */
const searchPatienceMs = 45_000
const sitePatienceMs = 75_000
/** A search of two keywords, and a push of each torrent that is chosen. */
const huntPatienceMs = 300_000
/** Events are waited for by the server for 25 s. */
const eventsPatienceMs = 40_000

function retryAfter(response: Response): { retryAfterSeconds?: number } {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? { retryAfterSeconds: Math.ceil(seconds) } : {}
}

async function call<T>(request: Call): Promise<Answer<T>> {
  const timeout = AbortSignal.timeout(request.patienceMs ?? patienceMs)
  let response: Response
  let parsed: unknown
  try {
    response = await fetch(request.path, {
      method: request.method,
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      signal: request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]),
      ...(request.body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(request.body) }),
    })
    parsed = await response.json().catch(() => undefined)
  } catch {
    return failWith({ code: 'offline', status: 0 })
  }
  if (response.ok && parsed !== undefined) return succeed(parsed as T)
  if (response.status === 401) sessionEnded()
  const { error, reason } = (parsed ?? {}) as { error?: unknown; reason?: Reason }
  return failWith({
    code: typeof error === 'string' ? error : 'unreadable',
    status: response.status,
    ...(reason === undefined ? {} : { reason }),
    ...retryAfter(response),
  })
}

const own = '/api/console/v1'
const app = '/api/app/v1'

interface Done {
  readonly ok: true
}

export function fetchState(): Promise<Answer<WireConsoleState>> {
  return call({ method: 'GET', path: `${own}/state` })
}
/** What cannot be opened with the master key at hand is entered again after it. */
export function adoptMasterKey(): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/master-key`, body: {} })
}
export interface PasswordSet extends Done {
  readonly ended: WireEndedEntrances
}
export function setUp(code: string, password: string, keep: readonly Entrance[]): Promise<Answer<PasswordSet>> {
  return call({ method: 'POST', path: `${own}/setup`, body: { code, password, keep } })
}
export function signIn(password: string): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/sign-in`, body: { password } })
}
export function signOut(): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/sign-out`, body: {} })
}
export function changePassword(current: string, next: string, keep: readonly Entrance[]): Promise<Answer<PasswordSet>> {
  return call({ method: 'POST', path: `${own}/password`, body: { current, next, keep } })
}
export type Entrance = keyof WireEndedEntrances
type Ended = (typeof signOutEverywhere)['answers'][200]['_output']
export type SignedInKind = keyof Ended['ended']
export function endSignIns(ends: readonly SignedInKind[]): Promise<Answer<Ended>> {
  return call({ method: 'POST', path: `${own}/sign-out-everywhere`, body: { ends } })
}

export function fetchPasskeys(signal?: AbortSignal): Items<WirePasskey> {
  return call({ method: 'GET', path: `${own}/passkeys`, signal })
}
export function beginPasskey(): Promise<Answer<WirePasskeyCreation>> {
  return call({ method: 'POST', path: `${own}/passkeys/options`, body: {} })
}
export function addPasskey(name: string, credential: AttestedPasskey): Promise<Answer<WirePasskey>> {
  return call({ method: 'POST', path: `${own}/passkeys`, body: { name, credential } })
}
export function renamePasskey(id: string, name: string): Promise<Answer<WirePasskey>> {
  return call({ method: 'PUT', path: `${own}/passkeys/${id}`, body: { name } })
}
export function removePasskey(id: string): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/passkeys/${id}` })
}
export function beginPasskeySignIn(): Promise<Answer<WirePasskeyRequest>> {
  return call({ method: 'POST', path: `${own}/sign-in/passkey/options`, body: {} })
}
export function signInByPasskey(credential: AssertedPasskey): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/sign-in/passkey`, body: { credential } })
}

export function fetchGatewayKeys(signal?: AbortSignal): Promise<Answer<WireGatewayKeyList>> {
  return call({ method: 'GET', path: `${own}/gateway/keys`, signal })
}
type FreshGatewayKey = { key: WireGatewayKey; secret: string }
export function makeGatewayKey(body: GatewayKeyBody): Promise<Answer<FreshGatewayKey>> {
  return call({ method: 'POST', path: `${own}/gateway/keys`, body })
}
export function changeGatewayKey(id: string, body: GatewayKeyBody): Promise<Answer<WireGatewayKey>> {
  return call({ method: 'PUT', path: `${own}/gateway/keys/${id}`, body })
}
export function removeGatewayKey(id: string): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/gateway/keys/${id}` })
}
export function renewGatewayKey(id: string): Promise<Answer<FreshGatewayKey>> {
  return call({ method: 'POST', path: `${own}/gateway/keys/${id}/secret`, body: {} })
}
export function fetchGatewayUsage(signal?: AbortSignal): Promise<Answer<{ today: string; items: WireGatewayUsage[] }>> {
  return call({ method: 'GET', path: `${own}/gateway/usage`, signal })
}
export function fetchGatewayUsageTable(): Promise<Answer<{ csv: string }>> {
  return call({ method: 'GET', path: `${own}/gateway/usage/table` })
}
export function fetchGatewayCalls(signal?: AbortSignal): Items<WireGatewayCall> {
  return call({ method: 'GET', path: `${own}/gateway/calls`, signal })
}

export function fetchTokens(signal?: AbortSignal): Promise<Answer<{ items: WireToken[] }>> {
  return call({ method: 'GET', path: `${own}/tokens`, signal })
}
export function createToken(body: CreateTokenBody): Promise<Answer<{ token: WireToken; text: string }>> {
  return call({ method: 'POST', path: `${own}/tokens`, body })
}
export function revokeToken(id: string): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/tokens/${encodeURIComponent(id)}` })
}

export function fetchDevices(signal?: AbortSignal): Promise<Answer<{ items: WireDevice[] }>> {
  return call({ method: 'GET', path: `${own}/devices`, signal })
}
export function makePairingCode(body: PairingCodeBody): Promise<Answer<WirePairingCode>> {
  return call({ method: 'POST', path: `${own}/devices/code`, body })
}
export function renameDevice(id: string, body: DeviceBody): Promise<Answer<WireDevice>> {
  return call({ method: 'PUT', path: `${own}/devices/${encodeURIComponent(id)}`, body })
}
export function revokeDevice(id: string): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/devices/${encodeURIComponent(id)}` })
}

export function fetchDownloaderSettings(signal?: AbortSignal): Promise<Answer<{ items: WireConsoleDownloader[] }>> {
  return call({ method: 'GET', path: `${own}/downloaders`, signal })
}
export function addDownloader(body: DownloaderBody): Promise<Answer<WireConsoleDownloader>> {
  return call({ method: 'POST', path: `${own}/downloaders`, body })
}
export function changeDownloader(id: number, body: DownloaderBody): Promise<Answer<WireConsoleDownloader>> {
  return call({ method: 'PUT', path: `${own}/downloaders/${id}`, body })
}
export function removeDownloader(id: number): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/downloaders/${id}` })
}
export function testDownloader(body: TestDownloaderBody): Promise<Answer<WireTestResult>> {
  return call({ method: 'POST', path: `${own}/downloaders/test`, body })
}

export interface AuditPage {
  readonly items: WireAuditEntry[]
  readonly total: number
  readonly page: number
  readonly page_size: number
}
export function fetchAudit(page: number, pageSize: number, signal?: AbortSignal): Promise<Answer<AuditPage>> {
  return call({ method: 'GET', path: `${own}/audit?page=${page}&page_size=${pageSize}`, signal })
}

export function fetchDownloaders(signal?: AbortSignal): Promise<Answer<{ items: WireDownloader[] }>> {
  return call({ method: 'GET', path: `${app}/downloaders`, signal })
}
export function fetchTorrents(parameters: URLSearchParams, signal?: AbortSignal): Promise<Answer<WireTorrentPage>> {
  return call({ method: 'GET', path: `${app}/torrents?${parameters}`, signal })
}

export type TorrentAction = 'pause' | 'resume' | 'delete' | 'delete_with_files'
export interface ActionOutcome {
  readonly succeeded: number
  readonly failed: number
  readonly results: readonly (TorrentTarget & { readonly success: boolean; readonly reason?: Reason })[]
}
export function actOnTorrents(
  action: TorrentAction,
  targets: readonly TorrentTarget[],
): Promise<Answer<ActionOutcome>> {
  return call({ method: 'POST', path: `${app}/torrents/actions`, body: { action, targets } })
}

type Items<T> = Promise<Answer<{ readonly items: readonly T[] }>>

export function fetchOverview(signal?: AbortSignal): Promise<Answer<WireOverview>> {
  return call({ method: 'GET', path: `${app}/overview`, signal })
}
export interface HistoryDay {
  readonly day: string
  readonly uploaded: number
  readonly downloaded: number
  readonly bonus: number
  /** Sites whose figures were read that day. */
  readonly sites: number
}
export function fetchSiteHistory(days: number, signal?: AbortSignal): Items<HistoryDay> {
  return call({ method: 'GET', path: `${own}/site-history?days=${days}`, signal })
}

export function fetchSiteStanding(site: string, signal?: AbortSignal): Promise<Answer<WireSiteStanding>> {
  return call({ method: 'GET', path: `${app}/sites/${encodeURIComponent(site)}/level`, signal })
}
export function fetchSiteDays(site: string, days: number, signal?: AbortSignal): Items<WireSiteDay> {
  return call({ method: 'GET', path: `${app}/sites/${encodeURIComponent(site)}/history?days=${days}`, signal })
}

export type SeedingDuties = (typeof listSeedingDuties)['answers'][200]['_output']
export function fetchSeedingDuties(site: string, signal?: AbortSignal): Promise<Answer<SeedingDuties>> {
  return call({ method: 'GET', path: `${app}/sites/${encodeURIComponent(site)}/hit-and-runs`, signal })
}

export type WireSiteDefinition = (typeof listSiteDefinitions)['answers'][200]['_output']['items'][number]
export function fetchSiteDefinitions(signal?: AbortSignal): Items<WireSiteDefinition> {
  return call({ method: 'GET', path: `${own}/site-definitions`, signal })
}
export function fetchOwnDefinitions(signal?: AbortSignal): Items<WireOwnDefinition> {
  return call({ method: 'GET', path: `${own}/own-definitions`, signal })
}
export function addOwnDefinition(body: { source: string } | { address: string }): Promise<Answer<WireDefinitionAdded>> {
  return call({ method: 'POST', path: `${own}/own-definitions`, body, patienceMs: sitePatienceMs })
}
export function reloadOwnDefinition(id: string): Promise<Answer<WireDefinitionAdded>> {
  return call({
    method: 'POST',
    path: `${own}/own-definitions/${encodeURIComponent(id)}/reload`,
    patienceMs: sitePatienceMs,
  })
}
export function removeOwnDefinition(id: string): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/own-definitions/${encodeURIComponent(id)}` })
}
export function fetchSiteSettings(signal?: AbortSignal): Items<WireConsoleSite> {
  return call({ method: 'GET', path: `${own}/sites`, signal })
}
export function fetchSites(
  signal?: AbortSignal,
): Promise<Answer<{ readonly items: readonly WireSite[]; readonly user_error?: string; readonly reason?: Reason }>> {
  return call({ method: 'GET', path: `${app}/sites`, signal })
}
export function addSite(body: SiteBody): Promise<Answer<WireConsoleSite>> {
  return call({ method: 'POST', path: `${own}/sites`, body })
}
export function changeSite(id: number, body: SiteBody): Promise<Answer<WireConsoleSite>> {
  return call({ method: 'PUT', path: `${own}/sites/${id}`, body })
}
export function removeSite(id: number): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/sites/${id}` })
}
/** How a try went, and why it did not work. */
export interface Trial {
  readonly works: boolean
  readonly reason?: Reason
}
export function makeSiteFixture(id: number): Promise<Answer<WireFixture>> {
  return call({ method: 'POST', path: `${own}/sites/${id}/fixture`, body: {} })
}
export function testSite(body: TestSiteBody): Promise<Answer<WireSiteTrial>> {
  return call({ method: 'POST', path: `${own}/sites/test`, body, patienceMs: sitePatienceMs })
}
export function attendSite(name: string): Promise<Answer<WireAttendance>> {
  return call({
    method: 'POST',
    path: `${app}/sites/${encodeURIComponent(name)}/attend`,
    body: {},
    patienceMs: sitePatienceMs,
  })
}
export function faviconOf(name: string): string {
  return `${app}/favicon/${encodeURIComponent(name)}`
}

export function fetchBackups(signal?: AbortSignal): Promise<Answer<WireBackupList>> {
  return call({ method: 'GET', path: `${own}/backups`, signal })
}
export function makeBackup(): Promise<Answer<WireBackup>> {
  return call({ method: 'POST', path: `${own}/backups`, body: {} })
}
export function readBackBackup(name: string): Promise<Answer<WireReadBack>> {
  return call({ method: 'POST', path: `${own}/backups/${encodeURIComponent(name)}/read-back`, body: {} })
}
/** Where a browser fetches it by itself. */
export function backupAddress(name: string): string {
  return `${own}/backups/${encodeURIComponent(name)}/file`
}
export function fetchHealth(signal?: AbortSignal): Promise<Answer<WireHealth>> {
  return call({ method: 'GET', path: `${own}/health`, signal })
}
export function fetchJobs(signal?: AbortSignal): Items<WireJob> {
  return call({ method: 'GET', path: `${own}/jobs`, signal })
}
export function runJob(job: string, site?: string, downloader?: string): Promise<Answer<Done>> {
  const subject = { ...(site === undefined ? {} : { site }), ...(downloader === undefined ? {} : { downloader }) }
  return call({ method: 'POST', path: `${own}/jobs/run`, body: { job, ...subject } })
}

export type SearchAnswer = (typeof search)['answers'][200]['_output']
/** A search that no site answered is an answer too: it names every site and its reason. */
export async function searchSites(body: SearchBody, signal?: AbortSignal): Promise<Answer<SearchAnswer>> {
  const startedMs = performance.now()
  const answer = await call<SearchAnswer>({
    method: 'POST',
    path: `${app}/search`,
    body,
    signal,
    patienceMs: searchPatienceMs,
  })
  if (answer.ok || answer.failure.code !== 'search_failed') return answer
  const { reason } = answer.failure
  if (reason?.kind !== 'search.failed') return answer
  const errors = reason.sites.map((one) => ({ ...one, error: '' }))
  return {
    ok: true,
    value: { items: [], total: 0, sites: {}, errors, duration_ms: Math.round(performance.now() - startedMs) },
  }
}
export function pushToDownloader(body: PushBody): Promise<Answer<PushAnswer>> {
  return call({ method: 'POST', path: `${app}/push`, body, patienceMs: sitePatienceMs })
}

export interface TaskPage {
  readonly items: readonly WireTask[]
  readonly total: number
  readonly page: number
  readonly page_size: number
}
export function fetchTasks(parameters: URLSearchParams, signal?: AbortSignal): Promise<Answer<TaskPage>> {
  return call({ method: 'GET', path: `${app}/tasks?${parameters}`, signal })
}

export interface MediaPage {
  readonly items: readonly WireMediaRecord[]
  readonly total: number
  readonly page: number
  readonly page_size: number
}
export function fetchMediaHistory(parameters: URLSearchParams, signal?: AbortSignal): Promise<Answer<MediaPage>> {
  return call({ method: 'GET', path: `${app}/media/history?${parameters}`, signal })
}
export function organiseAgain(id: number): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/media/history/${id}/retry`, body: {} })
}
export function fetchLibraries(signal?: AbortSignal): Items<WireLibrary> {
  return call({ method: 'GET', path: `${own}/libraries`, signal })
}
export function addLibrary(body: LibraryBody): Promise<Answer<WireLibrary>> {
  return call({ method: 'POST', path: `${own}/libraries`, body })
}
export function changeLibrary(id: number, body: LibraryBody): Promise<Answer<WireLibrary>> {
  return call({ method: 'PUT', path: `${own}/libraries/${id}`, body })
}
export function removeLibrary(id: number): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/libraries/${id}` })
}

export interface ExplorePage {
  readonly items: readonly WireExploreItem[]
  readonly page: number
  readonly total_pages: number
}
export function fetchExplore(parameters: URLSearchParams, signal?: AbortSignal): Promise<Answer<ExplorePage>> {
  return call({ method: 'GET', path: `${app}/explore?${parameters}`, signal })
}
export function posterOf(size: string, path: string): string {
  return `${app}/images/tmdb/${size}/${encodeURIComponent(path.slice(1))}`
}

export function fetchSubscriptions(
  parameters: URLSearchParams,
  signal?: AbortSignal,
): Promise<Answer<readonly WireSubscription[]>> {
  return call({ method: 'GET', path: `${app}/subscriptions?${parameters}`, signal })
}
export function fetchSubscription(id: number, signal?: AbortSignal): Promise<Answer<WireSubscriptionDetail>> {
  return call({ method: 'GET', path: `${app}/subscriptions/${id}`, signal })
}
export function setSubscriptionStatus(id: number, status: 'active' | 'paused'): Promise<Answer<WireSubscription>> {
  return call({ method: 'POST', path: `${app}/subscriptions/${id}/status`, body: { status } })
}
/** It searches every site once, and may push what it finds. */
export function searchForSubscription(id: number): Promise<Answer<{ readonly message: string }>> {
  return call({ method: 'POST', path: `${app}/subscriptions/${id}/search`, body: {}, patienceMs: huntPatienceMs })
}
export function removeSubscription(id: number): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${app}/subscriptions/${id}` })
}
/** With what is chosen for it. */
export function fetchSubscriptionChoices(id: number, signal?: AbortSignal): Promise<Answer<WireConsoleSubscription>> {
  return call({ method: 'GET', path: `${own}/subscriptions/${id}`, signal })
}
type SubscribeBody = (typeof addConsoleSubscription)['body']['_output']
export function subscribeTo(body: SubscribeBody): Promise<Answer<WireConsoleSubscription>> {
  return call({ method: 'POST', path: `${own}/subscriptions`, body })
}
type SubscriptionChoicesBody = (typeof changeConsoleSubscription)['body']['_output']
export function changeSubscription(
  id: number,
  body: SubscriptionChoicesBody,
): Promise<Answer<WireConsoleSubscription>> {
  return call({ method: 'PUT', path: `${own}/subscriptions/${id}`, body })
}
export function fetchProfiles(signal?: AbortSignal): Items<WireQualityProfile> {
  return call({ method: 'GET', path: `${own}/quality-profiles`, signal })
}
export function addProfile(body: QualityProfileBody): Promise<Answer<WireQualityProfile>> {
  return call({ method: 'POST', path: `${own}/quality-profiles`, body })
}
export function changeProfile(id: number, body: QualityProfileBody): Promise<Answer<WireQualityProfile>> {
  return call({ method: 'PUT', path: `${own}/quality-profiles/${id}`, body })
}
export function removeProfile(id: number): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/quality-profiles/${id}` })
}

export function fetchCookiePush(signal?: AbortSignal): Promise<Answer<WireCookiePush>> {
  return call({ method: 'GET', path: `${own}/settings/cookies`, signal })
}
export function startCookiePush(): Promise<Answer<WireCookiePush & { readonly password: string }>> {
  return call({ method: 'POST', path: `${own}/settings/cookies`, body: {} })
}
export function stopCookiePush(): Promise<Answer<WireCookiePush>> {
  return call({ method: 'DELETE', path: `${own}/settings/cookies`, body: {} })
}
export function fetchMetadataSettings(signal?: AbortSignal): Promise<Answer<WireMetadataSettings>> {
  return call({ method: 'GET', path: `${own}/settings/metadata`, signal })
}
export function changeMetadataSettings(body: MetadataSettingsBody): Promise<Answer<WireMetadataSettings>> {
  return call({ method: 'PUT', path: `${own}/settings/metadata`, body })
}
export function testMetadataKey(body: Omit<MetadataSettingsBody, 'image_address'>): Promise<Answer<Trial>> {
  return call({ method: 'POST', path: `${own}/settings/metadata/test`, body })
}
export function fetchLocaleSettings(signal?: AbortSignal): Promise<Answer<WireLocaleSettings>> {
  return call({ method: 'GET', path: `${own}/settings/locale`, signal })
}
export function changeLocaleSettings(timeZone: string): Promise<Answer<WireLocaleSettings>> {
  return call({ method: 'PUT', path: `${own}/settings/locale`, body: { time_zone: timeZone } })
}
export function fetchFreeEndSettings(signal?: AbortSignal): Promise<Answer<WireFreeEndSettings>> {
  return call({ method: 'GET', path: `${own}/settings/free-end`, signal })
}
export function changeFreeEndSettings(body: WireFreeEndSettings): Promise<Answer<WireFreeEndSettings>> {
  return call({ method: 'PUT', path: `${own}/settings/free-end`, body })
}
export function fetchUpdateSettings(signal?: AbortSignal): Promise<Answer<WireUpdateSettings>> {
  return call({ method: 'GET', path: `${own}/settings/updates`, signal })
}
export function changeUpdateSettings(body: WireUpdateSettings): Promise<Answer<WireUpdateSettings>> {
  return call({ method: 'PUT', path: `${own}/settings/updates`, body })
}
export function fetchUpdates(signal?: AbortSignal): Promise<Answer<WireUpdates>> {
  return call({ method: 'GET', path: `${app}/updates`, signal })
}
/** Nothing while the owner named no list to look at. */
export async function fetchNewerRelease(signal?: AbortSignal): Promise<Answer<WireUpdates | undefined>> {
  const settings = await fetchUpdateSettings(signal)
  if (!settings.ok) return settings
  return settings.value.repository === '' ? succeed(undefined) : fetchUpdates(signal)
}
export function fetchProxySettings(signal?: AbortSignal): Promise<Answer<WireProxySettings>> {
  return call({ method: 'GET', path: `${own}/settings/proxy`, signal })
}
export function changeProxySettings(body: { readonly proxy: string }): Promise<Answer<WireProxySettings>> {
  return call({ method: 'PUT', path: `${own}/settings/proxy`, body })
}

export function fetchTemplates(signal?: AbortSignal): Promise<Answer<WireTemplates>> {
  return call({ method: 'GET', path: `${app}/templates`, signal })
}
export function previewTemplate(type: string, draft: Draft, signal?: AbortSignal): Promise<Answer<Draft>> {
  return call({ method: 'POST', path: `${app}/templates/preview`, body: { type, ...draft }, signal })
}
export function saveTemplate(type: string, body: Draft): Promise<Answer<WireTemplateEvent>> {
  return call({ method: 'PUT', path: `${app}/templates/${encodeURIComponent(type)}`, body })
}
export function resetTemplate(type: string): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${app}/templates/${encodeURIComponent(type)}` })
}

export interface ChannelList {
  readonly items: readonly WireChannel[]
  /** What a channel may be told of. */
  readonly events: readonly { readonly type: WireChannel['events'][number]; readonly name: string }[]
}
export function fetchChannels(signal?: AbortSignal): Promise<Answer<ChannelList>> {
  return call({ method: 'GET', path: `${own}/channels`, signal })
}
export function addChannel(body: ChannelBody): Promise<Answer<WireChannel>> {
  return call({ method: 'POST', path: `${own}/channels`, body })
}
export function changeChannel(id: number, body: ChannelBody): Promise<Answer<WireChannel>> {
  return call({ method: 'PUT', path: `${own}/channels/${id}`, body })
}
export function removeChannel(id: number): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/channels/${id}` })
}
export interface ChannelTest {
  readonly delivered: boolean
  readonly reason?: Reason
}
export function testChannel(body: TestChannelBody): Promise<Answer<ChannelTest>> {
  return call({ method: 'POST', path: `${own}/channels/test`, body })
}

export function fetchBrushTasks(signal?: AbortSignal): Items<WireConsoleBrushTask> {
  return call({ method: 'GET', path: `${own}/brush-tasks`, signal })
}
export function addBrushTask(body: BrushTaskBody): Promise<Answer<WireConsoleBrushTask>> {
  return call({ method: 'POST', path: `${own}/brush-tasks`, body })
}
export function changeBrushTask(id: number, body: BrushTaskBody): Promise<Answer<WireConsoleBrushTask>> {
  return call({ method: 'PUT', path: `${own}/brush-tasks/${id}`, body })
}
export function removeBrushTask(id: number): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/brush-tasks/${id}` })
}
export function runBrushTask(id: number): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/brush-tasks/${id}/run`, body: {} })
}
export function fetchBrushTorrents(id: number, signal?: AbortSignal): Items<WireBrushTorrent> {
  return call({ method: 'GET', path: `${own}/brush-tasks/${id}/torrents`, signal })
}

export function fetchFeeds(signal?: AbortSignal): Items<WireFeed> {
  return call({ method: 'GET', path: `${own}/feeds`, signal })
}
export function addFeed(body: FeedBody): Promise<Answer<WireFeed>> {
  return call({ method: 'POST', path: `${own}/feeds`, body })
}
export function changeFeed(id: number, body: FeedBody): Promise<Answer<WireFeed>> {
  return call({ method: 'PUT', path: `${own}/feeds/${id}`, body })
}
export function removeFeed(id: number): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/feeds/${id}` })
}
export function runFeed(id: number): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/feeds/${id}/run`, body: {} })
}
export function fetchFeedItems(query: string, signal?: AbortSignal): Items<WireFeedItem> {
  return call({ method: 'GET', path: `${own}/feed-items${query}`, signal })
}
export function fetchRules(signal?: AbortSignal): Items<WireStoredRule> {
  return call({ method: 'GET', path: `${own}/rules`, signal })
}
export function addRule(body: RuleBody): Promise<Answer<WireStoredRule>> {
  return call({ method: 'POST', path: `${own}/rules`, body })
}
export function changeRule(id: number, body: RuleBody): Promise<Answer<WireStoredRule>> {
  return call({ method: 'PUT', path: `${own}/rules/${id}`, body })
}
export function removeRule(id: number): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/rules/${id}` })
}
export function orderRules(ids: readonly number[]): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/rules/order`, body: { ids } })
}
export function tryRules(
  rules: readonly { readonly id: number; readonly rule: WireRule }[],
): Promise<Answer<RuleTrial>> {
  return call({ method: 'POST', path: `${own}/rules/try`, body: { rules } })
}

export function fetchAssistantStatus(signal?: AbortSignal): Promise<Answer<WireAssistantStatus>> {
  return call({ method: 'GET', path: `${app}/assistant/status`, signal })
}
export function fetchConversations(signal?: AbortSignal): Items<WireConversation> {
  return call({ method: 'GET', path: `${app}/assistant/conversations`, signal })
}
/** A new one with its first message. */
export function beginConversation(message: string): Promise<Answer<WireConversation & { readonly run: WireRun }>> {
  return call({ method: 'POST', path: `${app}/assistant/conversations`, body: { message } })
}
function conversation(id: string): string {
  return `${app}/assistant/conversations/${encodeURIComponent(id)}`
}
export function readConversation(id: string, signal: AbortSignal): Promise<Answer<WireConversationDetail>> {
  return call({ method: 'GET', path: conversation(id), signal })
}
export function waitForEvents(id: string, after: number, signal: AbortSignal): Promise<Answer<WireEventPage>> {
  return call({
    method: 'GET',
    path: `${conversation(id)}/events?after=${after}`,
    signal,
    patienceMs: eventsPatienceMs,
  })
}
export function sendMessage(id: string, text: string): Promise<Answer<WireRun>> {
  return call({ method: 'POST', path: `${conversation(id)}/messages`, body: { text } })
}
export function stopAnswer(id: string): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${conversation(id)}/cancel`, body: {} })
}
export function removeConversation(id: string): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: conversation(id) })
}
export function decide(id: string, approve: boolean): Promise<Answer<WireConfirmation>> {
  return call({ method: 'POST', path: `${app}/assistant/confirmations/${encodeURIComponent(id)}`, body: { approve } })
}

export function fetchAssistantSettings(signal?: AbortSignal): Promise<Answer<WireAssistantSettings>> {
  return call({ method: 'GET', path: `${own}/settings/assistant`, signal })
}
export function changeAssistantSettings(body: AssistantSettingsBody): Promise<Answer<WireAssistantSettings>> {
  return call({ method: 'PUT', path: `${own}/settings/assistant`, body })
}
export function tryAssistant(body: Omit<AssistantSettingsBody, 'enabled'>): Promise<Answer<WireModelTrial>> {
  return call({ method: 'POST', path: `${own}/settings/assistant/test`, body, patienceMs: sitePatienceMs })
}
