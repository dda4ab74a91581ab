import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { Keeping } from '../adapters/d1/keeping.ts'
import type { SiteFigureStore } from '../adapters/d1/site-figures.ts'
import { jitter } from '../core/job-schedule.ts'
import type { Reason } from '../core/reason/reason.ts'
import { jobJitterShare } from '../limits.ts'
import type { OwnerLocaleReader } from '../ports/settings.ts'
import type { SiteEntry, SiteFleet, SiteStore } from '../ports/sites.ts'
import type { LoginReminders } from '../services/sites/login-reminders.ts'
import type { SiteNews } from '../services/sites/site-news.ts'
import type { SiteSignIn } from '../services/sites/site-sign-in.ts'
import type { JobList, JobOutcome } from './job-list.ts'

/** What jobs are made of. A job that needs something new gets a line here, and one in the wiring. */
export interface JobParts {
  readonly clock: Clock
  /** At least 0 and below 1. */
  readonly random: () => number
  readonly locale: OwnerLocaleReader
  readonly list: Pick<JobList, 'plan' | 'bringForward'>
  readonly sites: Pick<SiteStore, 'list'>
  readonly figures: SiteFigureStore
  readonly fleet: Pick<SiteFleet, 'probe' | 'read'>
  readonly news: SiteNews
  readonly signIn: SiteSignIn
  readonly reminders: LoginReminders
  readonly keeping: Keeping
  readonly pushes: {
    follow(): Promise<{ readonly isMore: boolean; readonly reason?: Reason }>
    isAnyFollowed(): Promise<boolean>
  }
  readonly torrentRuns: { carryOn(): Promise<boolean>; isAnyOpen(): Promise<boolean> }
  readonly freeEnds: { isAny(): Promise<boolean>; watch(): Promise<JobOutcome> }
  readonly hitAndRuns: { isAny(): Promise<boolean>; watch(): Promise<JobOutcome> }
  readonly transfers: { isAny(): Promise<boolean>; run(): Promise<JobOutcome> }
  readonly reseed: { isAny(): Promise<boolean>; run(): Promise<JobOutcome> }
  readonly sitePlans: { isAny(): Promise<boolean>; run(): Promise<JobOutcome> }
  readonly ends: { isAny(): Promise<boolean>; watch(): Promise<JobOutcome> }
  readonly downloaders: { watch(): Promise<JobOutcome> }
  readonly outbox: Planned & { deliver(): Promise<JobOutcome> }
  readonly chats: { isAnyHeard(): Promise<boolean>; watch(): Promise<void> }
  readonly watchlists: Planned & { nextDue(): Promise<number | undefined>; run(): Promise<JobOutcome> }
  readonly titles: Planned & { refresh(): Promise<JobOutcome> }
  readonly organising: Planned & { run(): Promise<JobOutcome> }
  readonly searches: Planned & {
    runDue(): Promise<JobOutcome>
    /** Brings what was pushed for subscriptions in step with the push records. */
    settle(): Promise<void>
  }
  /** Tasks of a site, which need not be switched on for it, nor be there: what was taken is looked after. */
  readonly brush: OfSite
  /** Feeds that belong to a site. */
  readonly feeds: OfSite
}

interface OfSite {
  plan(siteId: number): Promise<void>
  bringForward(siteId: number): Promise<void>
  run(siteId: number, entry: SiteEntry | undefined): Promise<JobOutcome>
}

interface Planned {
  /** Puts it on the list for when something waits for it, and not later than it is planned already. */
  plan(): Promise<void>
}

export async function siteOf({ sites }: Pick<JobParts, 'sites'>, id: number): Promise<SiteEntry | undefined> {
  return (await sites.list()).find(({ record }) => record.id === id)
}

/** Undefined for one that is gone or switched off. */
export async function enabledSiteOf(parts: Pick<JobParts, 'sites'>, id: number): Promise<SiteEntry | undefined> {
  const entry = await siteOf(parts, id)
  return entry?.record.enabled === true ? entry : undefined
}

/** In so many seconds and a share more, so that what begins together does not stay together. */
export function after({ clock, random }: Pick<JobParts, 'clock' | 'random'>, seconds: number): number {
  const nowUnix = unixSeconds(clock)
  return jitter(nowUnix + seconds, nowUnix + seconds * (1 + jobJitterShare), random())
}
