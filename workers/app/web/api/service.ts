/** What the service does by itself and keeps: jobs, backups, health, settings, releases. */
import { succeed } from '#shared/kernel/result.ts'
import type { WireBackup, WireBackupList, WireReadBack } from '../../contract/console-backups.ts'
import type { WireCookiePush } from '../../contract/console-cookies.ts'
import type { WireHealth } from '../../contract/console-health.ts'
import type { WireJob } from '../../contract/console-jobs.ts'
import type {
  MetadataSettingsBody,
  WireFreeEndSettings,
  WireLocaleSettings,
  WireMetadataSettings,
  WireProxySettings,
  WireUpdateSettings,
} from '../../contract/console-settings.ts'
import type { WireUpdates } from '../../contract/updates.ts'
import { type Answer, app, call, type Done, type Items, own } from './call.ts'
import type { Trial } from './sites.ts'

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

export function changeLocaleSettings(
  timeZone: string,
  language: WireLocaleSettings['language'],
): Promise<Answer<WireLocaleSettings>> {
  return call({ method: 'PUT', path: `${own}/settings/locale`, body: { time_zone: timeZone, language } })
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
