import { drizzle } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { createAuditLog } from '../adapters/d1/audit-log.ts'
import { createBrushBook } from '../adapters/d1/brush-book.ts'
import { createBrushTasks } from '../adapters/d1/brush-tasks.ts'
import { createChannels } from '../adapters/d1/channels.ts'
import { createDownloaderStore } from '../adapters/d1/downloaders.ts'
import { createFeedBook } from '../adapters/d1/feed-book.ts'
import { createFeeds } from '../adapters/d1/feeds.ts'
import { createFilterRules } from '../adapters/d1/filter-rules.ts'
import { createFreeEndBook } from '../adapters/d1/free-ends.ts'
import { createHitAndRunBook } from '../adapters/d1/hit-and-runs.ts'
import { createJobList, planJob, serviceJob } from '../adapters/d1/job-list.ts'
import { createKeeping } from '../adapters/d1/keeping.ts'
import { planOrganising } from '../adapters/d1/media-history.ts'
import { createMessageTemplates } from '../adapters/d1/message-templates.ts'
import { planNotices } from '../adapters/d1/notices.ts'
import { createOwnDefinitions } from '../adapters/d1/own-definitions.ts'
import { createOwnerPushKey } from '../adapters/d1/owner-push-key.ts'
import { createPushRecords, type PushRecordBook } from '../adapters/d1/push-records.ts'
import { createSiteFigures, type SiteFigureBook } from '../adapters/d1/site-figures.ts'
import { createSiteStore } from '../adapters/d1/sites.ts'
import { createHuntBook, planHunts } from '../adapters/d1/subscription-hunts.ts'
import { planTitles } from '../adapters/d1/title-refreshes.ts'
import { deliverNotices } from '../adapters/deliver-notices.ts'
import { createDownloaderFleet } from '../adapters/downloader-fleet.ts'
import { type FeedPlace, fetchFeed } from '../adapters/feeds/fetch-feed.ts'
import { fetchTorrent } from '../adapters/fetch-torrent.ts'
import { createLoginReminders, type LoginReminders } from '../adapters/login-reminders.ts'
import { refreshTitles } from '../adapters/refresh-titles.ts'
import { openCredentials } from '../adapters/site-credentials.ts'
import { createSiteFleet } from '../adapters/site-fleet.ts'
import { createSiteNews } from '../adapters/site-news.ts'
import { type OutgoingSide, siteRuntimeOf } from '../adapters/site-runtime.ts'
import { createDefinitionDesk } from '../adapters/sites/cardigann/definition-desk.ts'
import { siteRulesOf } from '../adapters/sites/site-rules.ts'
import { watchDownloaders } from '../adapters/watch-downloaders.ts'
import { channelRuntime, workerRuntime } from '../adapters/worker-runtime.ts'
import type { SiteRules } from '../contract/site-rules.ts'
import { isTimeZone } from '../core/local-day.ts'
import { registry } from '../jobs/registry.ts'
import { createScheduler, type Scheduler } from '../jobs/scheduler.ts'
import { timeZoneDefault } from '../limits.ts'
import type { DownloaderHost } from '../objects/downloader-object.ts'
import type { SiteHost } from '../objects/site-object.ts'
import type { BrushTasks } from '../ports/brush.ts'
import type { DownloaderFleet, DownloaderStore, TorrentDesk } from '../ports/downloaders.ts'
import type { Feeds, FilterRules } from '../ports/feeds.ts'
import type { Channels, MessageTemplates } from '../ports/messages.ts'
import type { HitAndRunBook, PushDesk } from '../ports/pushes.ts'
import type { Logger } from '../ports/runtime.ts'
import type { SecretBox } from '../ports/secrets.ts'
import type { OwnerLocaleReader } from '../ports/settings.ts'
import type { DefinitionDesk, OwnDefinitions } from '../ports/site-definitions.ts'
import type { SiteEntry, SiteFleet, SiteStore } from '../ports/sites.ts'
import type { SubscriptionHunt } from '../ports/subscriptions.ts'
import { runBrush } from '../services/brush/run-brush.ts'
import { runFeeds } from '../services/feeds/run-feeds.ts'
import { libraryAwareFleet } from '../services/library/library-aware-fleet.ts'
import { organiseMedia } from '../services/library/organise-media.ts'
import { followPushes } from '../services/pushes/follow-pushes.ts'
import { createTorrentDesk } from '../services/pushes/torrent-desk.ts'
import { isFreeEndWatched, watchFreeEnds } from '../services/pushes/watch-free-ends.ts'
import { isHitAndRunWatched, watchHitAndRuns } from '../services/pushes/watch-hit-and-runs.ts'
import { createSiteSignIn, type SiteSignIn } from '../services/sites/site-sign-in.ts'
import { createSubscriptionHunts } from '../services/subscriptions/hunt-subscriptions.ts'
import { createMediaParts, type MediaParts } from './media-parts.ts'

export type ServiceBindings = Pick<Cloudflare.Env, 'DB' | 'SITES' | 'DOWNLOADERS' | 'CATALOGUE' | 'TIME_ZONE'> &
  OutgoingSide

export interface ServiceParts extends MediaParts {
  readonly sites: SiteStore
  readonly ownDefinitions: OwnDefinitions
  readonly definitionDesk: DefinitionDesk
  readonly siteFigures: SiteFigureBook
  readonly siteFleet: SiteFleet
  readonly hitAndRuns: HitAndRunBook
  readonly siteRulesOf: (definition: string) => SiteRules
  readonly pushDesk: PushDesk
  readonly pushRecords: PushRecordBook
  readonly siteSignIns: SiteSignIn
  readonly loginReminders: LoginReminders
  readonly jobs: Scheduler
  readonly subscriptionHunt: SubscriptionHunt
  readonly downloaders: DownloaderStore
  readonly fleet: DownloaderFleet
  readonly torrentDesk: TorrentDesk
  readonly templates: MessageTemplates
  readonly channels: Channels
  readonly brush: BrushTasks
  readonly feeds: Feeds
  readonly filterRules: FilterRules
  readonly locale: OwnerLocaleReader
  /** Only where a host has an outgoing side. */
  readonly canUseProxies: boolean
}

/** What belongs to the sites, to what they push into and to what is looked for on them, for those who answer requests and for the service's own clock alike. */
export function createServiceParts(
  env: ServiceBindings,
  deps: {
    readonly clock: Clock
    readonly logger: Logger
    readonly secrets: SecretBox
    readonly random: () => number
    readonly wake: () => Promise<void>
  },
): ServiceParts {
  const { clock, logger, secrets, random, wake } = deps
  const db = drizzle(env.DB)
  // The generated types know the object's class by name only.
  const siteObjects = env.SITES as DurableObjectNamespace<SiteHost>
  const downloaderObjects = env.DOWNLOADERS as DurableObjectNamespace<DownloaderHost>
  const store = createSiteStore(db, { clock, secrets })
  const figures = createSiteFigures(db, logger)
  const downloaders = createDownloaderStore(db, { clock, secrets })
  const timeZone = timeZoneOf(env.TIME_ZONE, logger)
  const media = createMediaParts(env, { clock, logger, secrets, timeZone, wake })
  const fleetOfDownloaders = libraryAwareFleet(
    createDownloaderFleet(downloaderObjects, { logger, runtime: workerRuntime }),
    media.mediaHistory,
  )
  const records = createPushRecords(db, clock)
  const reminders = createLoginReminders(db, { clock, logger })
  const templates = createMessageTemplates(db, clock)
  const pushes = { clock, records, downloaders, fleet: fleetOfDownloaders }
  const runtime = siteRuntimeOf(env)
  const fleet = createSiteFleet(siteObjects, { logger, runtime })
  const { locale } = media
  const sending = { runtime: channelRuntime, pushKey: createOwnerPushKey(media.settings) }
  const hitAndRuns = {
    clock,
    book: createHitAndRunBook(db, clock),
    sites: store,
    rulesOf: siteRulesOf,
    downloaders,
    fleet: fleetOfDownloaders,
  }
  const freeEnds = {
    clock,
    settings: media.settings,
    book: createFreeEndBook(db, clock),
    downloaders,
    fleet: fleetOfDownloaders,
    audit: createAuditLog(db, clock),
  }
  const book = createBrushBook(db, { clock, locale })
  const brushing = { clock, book, downloaders, fleet: fleetOfDownloaders, sites: fleet, desk: fleet }
  const filterRules = createFilterRules(db, clock)
  const feedBook = createFeedBook(db, { clock, secrets })
  const feeding = {
    clock,
    random,
    book: feedBook,
    rules: filterRules,
    downloaders,
    sites: fleet,
    desk: fleet,
    async proxyOf({ target }: SiteEntry) {
      const opened = await openCredentials(secrets, target.id, target.sealedCredentials)
      return opened.ok ? opened.value.proxy : undefined
    },
    fetchFeed: (place: FeedPlace) => fetchFeed(place, runtime),
  }
  const hunts = createSubscriptionHunts({
    book: createHuntBook(db, clock),
    subscriptions: media.subscriptions,
    profiles: media.qualityProfiles,
    sites: store,
    siteFleet: fleet,
    pushDesk: fleet,
    downloaders,
    fleet: fleetOfDownloaders,
    records,
    follow: () => planJob(db, serviceJob('tasks'), unixSeconds(clock)),
    clock,
    logger,
    random,
    wake,
  })
  const signIn = createSiteSignIn({ clock, figures, fleet, locale })
  const list = createJobList(db)
  const jobs = createScheduler(registry, {
    clock,
    logger,
    list,
    parts: {
      clock,
      random,
      locale,
      list,
      sites: store,
      figures,
      fleet,
      news: createSiteNews(db, { clock, store, figures }),
      signIn,
      reminders,
      keeping: createKeeping(db, clock),
      pushes: { follow: () => followPushes(pushes), isAnyFollowed: records.isAnyFollowed },
      freeEnds: { isAny: () => isFreeEndWatched(freeEnds), watch: () => watchFreeEnds(freeEnds) },
      hitAndRuns: { isAny: () => isHitAndRunWatched(hitAndRuns), watch: () => watchHitAndRuns(hitAndRuns) },
      downloaders: { watch: () => watchDownloaders(db, { clock, downloaders, fleet: fleetOfDownloaders }) },
      notices: {
        async plan() {
          await planNotices(db, unixSeconds(clock))
        },
        deliver: () => deliverNotices(db, { clock, logger, secrets, templates, sending, locale }),
      },
      titles: {
        async plan() {
          await planTitles(db, clock, (await locale.read()).timeZone)
        },
        refresh: () => refreshTitles(db, { clock, ...media }),
      },
      organising: {
        async plan() {
          await planOrganising(db, unixSeconds(clock))
        },
        run: () =>
          organiseMedia({
            clock,
            history: media.mediaHistory,
            libraries: media.libraries,
            profiles: media.qualityProfiles,
            downloaders,
            fleet: fleetOfDownloaders,
          }),
      },
      hunts: { plan: () => planHunts(db), runDue: () => hunts.runDue(), settle: () => hunts.settle() },
      feeds: { ...feedBook, run: (siteId, entry) => runFeeds(feeding, siteId, entry) },
      brush: { ...book, run: (siteId, entry) => runBrush(brushing, siteId, entry) },
    },
    wake,
    wait: runtime.wait,
  })
  return {
    ...media,
    sites: store,
    ownDefinitions: createOwnDefinitions(db, clock),
    definitionDesk: createDefinitionDesk((address, init) => runtime.fetch(address, init)),
    siteFigures: figures,
    siteFleet: fleet,
    hitAndRuns: hitAndRuns.book,
    siteRulesOf,
    siteSignIns: signIn,
    loginReminders: reminders,
    jobs,
    subscriptionHunt: hunts,
    downloaders,
    fleet: fleetOfDownloaders,
    torrentDesk: createTorrentDesk({
      fleet: fleetOfDownloaders,
      fetchTorrent: (address) => fetchTorrent((from, init) => runtime.fetch(from, init), address),
    }),
    pushDesk: fleet,
    pushRecords: records,
    templates,
    channels: createChannels(db, { clock, locale, secrets, sending, wake }),
    feeds: createFeeds(db, { clock, secrets, wake }),
    filterRules,
    brush: createBrushTasks(db, { clock, locale, downloaders, wake }),
    canUseProxies: env.OUTGOING !== undefined,
  }
}

function timeZoneOf(name: string | undefined, logger: Logger): string {
  if (name !== undefined && isTimeZone(name)) return name
  if (name !== undefined) logger.error('setting_ignored', { setting: 'TIME_ZONE' })
  return timeZoneDefault
}
