/** Sites, their figures and what is due to them. */
import type {
  FigureWordBody,
  listSiteDefinitions,
  SiteBody,
  TestSiteBody,
  WireConsoleSite,
  WireFixture,
  WirePromotions,
  WireSiteMessages,
  WireSiteTrial,
  WireSiteUsual,
} from '../../contract/console-sites.ts'
import type { WireOverview } from '../../contract/overview.ts'
import type { makeSitePlan, WireSitePlan } from '../../contract/site-plans.ts'
import type { listSeedingDuties, WireReadFigure, WireSiteDay, WireSiteStanding } from '../../contract/site-watch.ts'
import type { WireAttendance, WireSite } from '../../contract/sites.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { type Answer, app, call, type Items, own, rowsAt, sitePatienceMs } from './call.ts'

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

export interface ReadFigures {
  readonly items: readonly WireReadFigure[]
  readonly read_at?: number
}

export function fetchSiteFigures(site: string, signal?: AbortSignal): Promise<Answer<ReadFigures>> {
  return call({ method: 'GET', path: `${app}/sites/${encodeURIComponent(site)}/figures`, signal })
}

export function fetchSiteStanding(site: string, signal?: AbortSignal): Promise<Answer<WireSiteStanding>> {
  return call({ method: 'GET', path: `${app}/sites/${encodeURIComponent(site)}/level`, signal })
}

export function fetchSiteDays(site: string, days: number, signal?: AbortSignal): Items<WireSiteDay> {
  return call({ method: 'GET', path: `${app}/sites/${encodeURIComponent(site)}/history?days=${days}`, signal })
}

export type PlanAnswer = (typeof makeSitePlan)['answers'][200]['_output']
const planPath = (site: string) => `${app}/sites/${encodeURIComponent(site)}/plan`
export function fetchSitePlan(site: string, signal?: AbortSignal): Promise<Answer<PlanAnswer>> {
  return call({ method: 'GET', path: planPath(site), signal })
}

export function makePlan(site: string): Promise<Answer<PlanAnswer>> {
  return call({ method: 'POST', path: planPath(site), body: {}, patienceMs: sitePatienceMs })
}

export function decideOnPlan(site: string, id: number, decision: 'carry-out' | 'stop'): Promise<Answer<WireSitePlan>> {
  return call({ method: 'POST', path: `${planPath(site)}/${id}/${decision}`, body: {} })
}

export type SeedingDuties = (typeof listSeedingDuties)['answers'][200]['_output']
export function fetchSeedingDuties(site: string, signal?: AbortSignal): Promise<Answer<SeedingDuties>> {
  return call({ method: 'GET', path: `${app}/sites/${encodeURIComponent(site)}/hit-and-runs`, signal })
}

export type WireSiteDefinition = (typeof listSiteDefinitions)['answers'][200]['_output']['items'][number]
export function fetchSiteDefinitions(signal?: AbortSignal): Items<WireSiteDefinition> {
  return call({ method: 'GET', path: `${own}/site-definitions`, signal })
}

export const {
  list: fetchSiteSettings,
  add: addSite,
  change: changeSite,
  remove: removeSite,
} = rowsAt<WireConsoleSite, SiteBody>(`${own}/sites`)

export function fetchSites(
  signal?: AbortSignal,
): Promise<Answer<{ readonly items: readonly WireSite[]; readonly user_error?: string; readonly reason?: Reason }>> {
  return call({ method: 'GET', path: `${app}/sites`, signal })
}

/** How a try went, and why it did not work. */
export interface Trial {
  readonly works: boolean
  readonly reason?: Reason
}

export function makeSiteFixture(id: number): Promise<Answer<WireFixture>> {
  return call({ method: 'POST', path: `${own}/sites/${id}/fixture`, body: {} })
}

export function saySiteFigure(id: number, body: FigureWordBody): Promise<Answer<unknown>> {
  return call({ method: 'POST', path: `${own}/sites/${id}/figures`, body })
}

export function fetchSiteUsual(id: number, signal?: AbortSignal): Promise<Answer<WireSiteUsual>> {
  return call({ method: 'GET', path: `${own}/sites/${id}/usual`, signal })
}

export function fetchPromotions(id: number, signal?: AbortSignal): Promise<Answer<WirePromotions>> {
  return call({ method: 'GET', path: `${own}/sites/${id}/promotions`, signal })
}

export function fetchSiteMessages(id: number, signal?: AbortSignal): Promise<Answer<WireSiteMessages>> {
  return call({ method: 'GET', path: `${own}/sites/${id}/messages`, patienceMs: sitePatienceMs, signal })
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
