import { drizzle } from 'drizzle-orm/d1'
import type { Clock } from '#shared/kernel/clock.ts'
import { isTimeZone } from '../core/local-day.ts'
import { timeZoneDefault } from '../limits.ts'
import type { SiteObject } from '../objects/site-object.ts'
import type { Logger, SecretBox, SiteFleet, SiteStore } from '../ports.ts'
import { createSiteFigures, type SiteFigureBook } from './d1/site-figures.ts'
import { createSiteStore } from './d1/sites.ts'
import { createSiteFleet } from './site-fleet.ts'
import { siteRuntime } from './site-runtime.ts'
import { createSiteWork, type SiteWorkRunner } from './site-work.ts'

export interface SiteParts {
  readonly sites: SiteStore
  readonly siteFigures: SiteFigureBook
  readonly siteFleet: SiteFleet
  readonly siteWork: SiteWorkRunner
  readonly timeZone: string
}

/** What belongs to the sites, for those who answer requests and for the service's own clock alike. */
export function createSiteParts(
  env: Pick<Cloudflare.Env, 'DB' | 'SITES' | 'TIME_ZONE'>,
  deps: {
    readonly clock: Clock
    readonly logger: Logger
    readonly secrets: SecretBox
    readonly random: () => number
    readonly wake: () => Promise<void>
  },
): SiteParts {
  const { clock, logger, secrets, random, wake } = deps
  const db = drizzle(env.DB)
  // The generated types know the object's class by name only.
  const siteObjects = env.SITES as DurableObjectNamespace<SiteObject>
  const store = createSiteStore(db, { clock, secrets })
  const figures = createSiteFigures(db, logger)
  const fleet = createSiteFleet(siteObjects, { logger, runtime: siteRuntime })
  const timeZone = timeZoneOf(env.TIME_ZONE, logger)
  const work = createSiteWork(db, { clock, logger, store, figures, fleet, timeZone, random, wake })
  return { sites: store, siteFigures: figures, siteFleet: fleet, siteWork: work, timeZone }
}

function timeZoneOf(name: string | undefined, logger: Logger): string {
  if (name !== undefined && isTimeZone(name)) return name
  if (name !== undefined) logger.error('setting_ignored', { setting: 'TIME_ZONE' })
  return timeZoneDefault
}
