import { drizzle } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { readProxy } from '../adapters/catalogue/catalogue-settings.ts'
import { openChannel } from '../adapters/channel-secrets.ts'
import { createAuditLog } from '../adapters/d1/audit-log.ts'
import { createBrushRunStore } from '../adapters/d1/brush-runs.ts'
import { createBrushTasks } from '../adapters/d1/brush-tasks.ts'
import { createChannels } from '../adapters/d1/channels.ts'
import { type ChatStore, createChats } from '../adapters/d1/chats.ts'
import { createDownloaderWatch } from '../adapters/d1/downloader-watch.ts'
import { createDownloaderStore } from '../adapters/d1/downloaders.ts'
import { createEndRules } from '../adapters/d1/end-rules.ts'
import { createEvents, createOwnerMessages } from '../adapters/d1/events.ts'
import { createFeedRunStore } from '../adapters/d1/feed-runs.ts'
import { createFeeds } from '../adapters/d1/feeds.ts'
import { createFilterRules } from '../adapters/d1/filter-rules.ts'
import { createFreeEndStore } from '../adapters/d1/free-ends.ts'
import { createHitAndRunStore } from '../adapters/d1/hit-and-runs.ts'
import { bringJobForward, createJobList, planJob, serviceJob } from '../adapters/d1/job-list.ts'
import { createKeeping } from '../adapters/d1/keeping.ts'
import { createLoginReminderRows } from '../adapters/d1/login-reminders.ts'
import { planOrganising } from '../adapters/d1/media-history.ts'
import { createMessageTemplates } from '../adapters/d1/message-templates.ts'
import { createOutbox } from '../adapters/d1/outbox.ts'
import { createOwnDefinitions } from '../adapters/d1/own-definitions.ts'
import { createOwnerPushKey } from '../adapters/d1/owner-push-key.ts'
import { createPushRecords, type PushRecordStore } from '../adapters/d1/push-records.ts'
import { createReseedStore } from '../adapters/d1/reseeds.ts'
import { createSiteFigures, type SiteFigureStore } from '../adapters/d1/site-figures.ts'
import { createSitePlanStore } from '../adapters/d1/site-plans.ts'
import { createSiteStore } from '../adapters/d1/sites.ts'
import { createSubscriptionSearchStore, planSearches } from '../adapters/d1/subscription-searches.ts'
import { createTitleRefreshes } from '../adapters/d1/title-refreshes.ts'
import { createTorrentEndStore } from '../adapters/d1/torrent-ends.ts'
import { createTorrentRunStore } from '../adapters/d1/torrent-runs.ts'
import { createTransferStore } from '../adapters/d1/transfers.ts'
import { createWatchlists } from '../adapters/d1/watchlists.ts'
import { createDownloaderFleet } from '../adapters/downloaders/downloader-fleet.ts'
import { type FeedPlace, fetchFeed } from '../adapters/feeds/fetch-feed.ts'
import { fetchTorrent } from '../adapters/fetch-torrent.ts'
import { fetchList, type ListPlace, readExport } from '../adapters/lists/fetch-list.ts'
import { createMachineService } from '../adapters/machine-service.ts'
import { createReseedService } from '../adapters/reseed-service/reseed-service.ts'
import { rulesText } from '../adapters/rules-text.ts'
import { sendToChannel } from '../adapters/send-to-channel.ts'
import { openCredentials } from '../adapters/site-credentials.ts'
import { createSiteFleet } from '../adapters/site-fleet.ts'
import { type OutgoingSide, siteRuntimeOf } from '../adapters/site-runtime.ts'
import { createDefinitionService } from '../adapters/sites/cardigann/definition-service.ts'
import { siteAnnouncesOf } from '../adapters/sites/site-announces.ts'
import { siteRulesOf } from '../adapters/sites/site-rules.ts'
import { randomIdentifiers } from '../adapters/web-crypto.ts'
import { channelRuntime, workerRuntime } from '../adapters/worker-runtime.ts'
import type { SiteAnnounces } from '../contract/site-announces.ts'
import type { SiteRules } from '../contract/site-rules.ts'
import { isTimeZone } from '../core/local-day.ts'
import { registry } from '../jobs/registry.ts'
import { createScheduler, type Scheduler } from '../jobs/scheduler.ts'
import { timeZoneDefault, watchlistMoreSeconds } from '../limits.ts'
import type { ChatHost } from '../objects/chat-object.ts'
import type { DownloaderHost } from '../objects/downloader-object.ts'
import type { SiteHost } from '../objects/site-object.ts'
import type { BrushTasks } from '../ports/brush.ts'
import type { DownloaderFleet, DownloaderStore, TorrentService } from '../ports/downloaders.ts'
import type { EndRules, TorrentEnds } from '../ports/ends.ts'
import type { AnnounceService, Feeds, FilterRules, RuleDisks, RuleOwned, RulesText } from '../ports/feeds.ts'
import type { Channels, MessageTemplates, OwnerMessages } from '../ports/messages.ts'
import type { FreeStandings, HitAndRunStore, PushForesight, PushService } from '../ports/pushes.ts'
import type { Reseeds } from '../ports/reseeds.ts'
import type { Logger, Telemetry } from '../ports/runtime.ts'
import type { SecretBox } from '../ports/secrets.ts'
import type { OwnerLocaleReader } from '../ports/settings.ts'
import type { DefinitionService, OwnDefinitions } from '../ports/site-definitions.ts'
import type { SitePlans } from '../ports/site-plans.ts'
import type { SiteEntry, SiteFleet, SiteStore } from '../ports/sites.ts'
import type { SubscriptionSearch } from '../ports/subscriptions.ts'
import type { TorrentRuns } from '../ports/torrent-runs.ts'
import type { Transfers } from '../ports/transfers.ts'
import type { Watchlists, WatchlistTrials } from '../ports/watchlists.ts'
import { runBrush } from '../services/brush/run-brush.ts'
import { carryOnRuns, createTorrentRuns } from '../services/downloaders/torrent-runs.ts'
import { watchDownloaders } from '../services/downloaders/watch-downloaders.ts'
import { areEndsWatched, createTorrentEnds, watchEnds } from '../services/ends/watch-ends.ts'
import { createAnnounceService } from '../services/feeds/hear-announce.ts'
import { createRuleDisks } from '../services/feeds/rule-disks.ts'
import { createRuleOwned } from '../services/feeds/rule-owned.ts'
import { runFeeds } from '../services/feeds/run-feeds.ts'
import { libraryAwareFleet } from '../services/library/library-aware-fleet.ts'
import { organiseMedia } from '../services/library/organise-media.ts'
import { createWatchlistTrials, runLists } from '../services/lists/run-lists.ts'
import { deliverEvents } from '../services/messages/deliver-events.ts'
import { followPushes } from '../services/pushes/follow-pushes.ts'
import { freeStandings } from '../services/pushes/free-standings.ts'
import { createTorrentService } from '../services/pushes/torrent-service.ts'
import { isFreeEndWatched, watchFreeEnds } from '../services/pushes/watch-free-ends.ts'
import { isHitAndRunWatched, watchHitAndRuns } from '../services/pushes/watch-hit-and-runs.ts'
import { createReseeds } from '../services/reseed/reseed-settings.ts'
import { isReseeding, runReseed } from '../services/reseed/run-reseed.ts'
import { createLoginReminders, type LoginReminders } from '../services/sites/login-reminders.ts'
import { createSiteNews } from '../services/sites/site-news.ts'
import { createSitePlans, runSitePlans } from '../services/sites/site-plans.ts'
import { createSiteSignIn, type SiteSignIn } from '../services/sites/site-sign-in.ts'
import { refreshTitles } from '../services/subscriptions/refresh-titles.ts'
import { createSubscriptionSearches } from '../services/subscriptions/search-subscriptions.ts'
import { createTransfers, runTransfers } from '../services/transfers/run-transfers.ts'
import { createMediaParts, type MediaParts } from './media-parts.ts'

export type ServiceBindings = Pick<
  Cloudflare.Env,
  'DB' | 'CHATS' | 'SITES' | 'DOWNLOADERS' | 'CATALOGUE' | 'TIME_ZONE'
> &
  OutgoingSide & { readonly OWN_HOST?: Fetcher; readonly PUBLIC_NETWORK?: Fetcher }

export interface ServiceParts extends MediaParts {
  readonly sites: SiteStore
  readonly ownDefinitions: OwnDefinitions
  readonly definitionService: DefinitionService
  readonly siteFigures: SiteFigureStore
  readonly siteFleet: SiteFleet
  readonly hitAndRuns: HitAndRunStore
  readonly freeStandings: (site: string) => Promise<FreeStandings>
  readonly siteRulesOf: (definition: string) => SiteRules
  readonly siteAnnouncesOf: (definition: string) => SiteAnnounces | undefined
  readonly pushService: PushService
  readonly pushForesight: PushForesight
  readonly pushRecords: PushRecordStore
  readonly siteSignIns: SiteSignIn
  readonly loginReminders: LoginReminders
  readonly jobs: Scheduler
  readonly subscriptionSearch: SubscriptionSearch
  readonly downloaders: DownloaderStore
  readonly fleet: DownloaderFleet
  readonly torrentService: TorrentService
  readonly torrentRuns: TorrentRuns
  readonly templates: MessageTemplates
  readonly ownerMessages: OwnerMessages
  readonly channels: Channels
  readonly chats: ChatStore
  readonly brush: BrushTasks
  readonly watchlists: Watchlists
  readonly watchlistTrials: WatchlistTrials
  readonly feeds: Feeds
  readonly announces: AnnounceService
  readonly filterRules: FilterRules
  readonly ruleDisks: RuleDisks
  readonly ruleOwned: RuleOwned
  readonly rulesText: RulesText
  readonly endRules: EndRules
  readonly torrentEnds: TorrentEnds
  readonly transfers: Transfers
  readonly reseeds: Reseeds
  readonly sitePlans: SitePlans
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
    readonly telemetry?: Telemetry | undefined
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
  const reminders = createLoginReminders({ clock, logger, rows: createLoginReminderRows(db) })
  const templates = createMessageTemplates(db, clock)
  const pushes = { clock, records, downloaders, fleet: fleetOfDownloaders }
  const torrentRuns = { clock, store: createTorrentRunStore(db, clock), downloaders, fleet: fleetOfDownloaders }
  const runtime = siteRuntimeOf(env)
  const fleet = createSiteFleet(siteObjects, { logger, runtime })
  const { locale } = media
  const sending = { runtime: channelRuntime, pushKey: createOwnerPushKey(media.settings) }
  const hitAndRuns = {
    clock,
    store: createHitAndRunStore(db, clock),
    sites: store,
    rulesOf: siteRulesOf,
    downloaders,
    fleet: fleetOfDownloaders,
  }
  const recording = { clock, logger, audit: createAuditLog(db, clock) }
  const freeEnds = {
    ...recording,
    settings: media.settings,
    store: createFreeEndStore(db, clock),
    downloaders,
    fleet: fleetOfDownloaders,
  }
  const transferring = {
    clock,
    store: createTransferStore(db, clock),
    downloaders,
    fleet: fleetOfDownloaders,
    sites: store,
    siteFleet: fleet,
  }
  const reseeding = {
    ...transferring,
    settings: media.settings,
    store: createReseedStore(db, clock),
    service: createReseedService(runtime, clock),
    proxy: () => readProxy(media.settings),
    records,
    follow: () => planJob(db, serviceJob('tasks'), unixSeconds(clock)),
  }
  const sitePlanStore = createSitePlanStore(db, clock)
  const ending = {
    ...recording,
    kept: sitePlanStore.kept,
    settings: media.settings,
    rules: createEndRules(db, clock),
    store: createTorrentEndStore(db, clock),
    sites: store,
    figures,
    rulesOf: siteRulesOf,
    downloaders,
    fleet: fleetOfDownloaders,
  }
  const planning = {
    ...{ clock, locale, store: sitePlanStore, records: ending.store, sites: store, figures, rulesOf: siteRulesOf },
    ...{ downloaders, fleet: fleetOfDownloaders, siteFleet: fleet, pushService: fleet },
  }
  const brushRuns = createBrushRunStore(db, { clock, locale })
  const brushing = { clock, store: brushRuns, downloaders, fleet: fleetOfDownloaders, sites: fleet, pushService: fleet }
  const bot = (channelId: number) => chatObject(env.CHATS, channelId)
  const chats = createChats(db, {
    clock,
    identifiers: randomIdentifiers,
    secrets,
    wake: async (channelId) => await bot(channelId).wake(channelId),
  })
  const machine = createMachineService(env.OWN_HOST)
  const filterRules = createFilterRules(db, clock)
  const feedRuns = createFeedRunStore(db, { clock, secrets })
  const feeding = {
    clock,
    random,
    store: feedRuns,
    rules: filterRules,
    ruleDisks: createRuleDisks({ downloaders, fleet: fleetOfDownloaders }),
    ruleOwned: createRuleOwned({ ...media, records, downloaders, fleet: fleetOfDownloaders }),
    downloaders,
    sites: fleet,
    pushService: fleet,
    async proxyOf({ target }: SiteEntry) {
      const opened = await openCredentials(secrets, target.id, target.sealedCredentials)
      return opened.ok ? opened.value.proxy : undefined
    },
    fetchFeed: (place: FeedPlace) => fetchFeed(place, runtime),
  }
  const searches = createSubscriptionSearches({
    store: createSubscriptionSearchStore(db, clock),
    subscriptions: media.subscriptions,
    profiles: media.qualityProfiles,
    sites: store,
    siteFleet: fleet,
    pushService: fleet,
    downloaders,
    fleet: fleetOfDownloaders,
    records,
    follow: () => planJob(db, serviceJob('tasks'), unixSeconds(clock)),
    clock,
    logger,
    random,
    wake,
  })
  const watchlists = createWatchlists(db, { clock, secrets, wake })
  const listing = {
    clock,
    random,
    store: watchlists,
    catalogue: media.catalogue,
    subscriptions: media.subscriptions,
    standings: media.titleStandings,
    locale,
    proxy: () => readProxy(media.settings),
    fetchList: (place: ListPlace) => fetchList(place, runtime),
    readExport,
  }
  const events = createEvents(db, clock)
  const titles = createTitleRefreshes(db, clock)
  const signIn = createSiteSignIn({ clock, figures, fleet, locale })
  const list = createJobList(db)
  const jobs = createScheduler(registry, {
    clock,
    logger,
    telemetry: deps.telemetry,
    list,
    parts: {
      clock,
      random,
      locale,
      list,
      sites: store,
      figures,
      fleet,
      news: createSiteNews({ events, store, figures }),
      signIn,
      reminders,
      keeping: createKeeping(db, clock),
      pushes: { follow: () => followPushes(pushes), isAnyFollowed: records.isAnyFollowed },
      torrentRuns: { carryOn: () => carryOnRuns(torrentRuns), isAnyOpen: torrentRuns.store.isAnyOpen },
      freeEnds: { isAny: () => isFreeEndWatched(freeEnds), watch: () => watchFreeEnds(freeEnds) },
      hitAndRuns: { isAny: () => isHitAndRunWatched(hitAndRuns), watch: () => watchHitAndRuns(hitAndRuns) },
      transfers: { isAny: () => transferring.store.isAnyOpen(), run: () => runTransfers(transferring) },
      reseed: { isAny: () => isReseeding(reseeding), run: () => runReseed(reseeding) },
      sitePlans: {
        isAny: async () => (await sitePlanStore.running()).length > 0,
        run: () => runSitePlans(planning),
      },
      ends: { isAny: () => areEndsWatched(ending), watch: () => watchEnds(ending) },
      downloaders: {
        watch: () =>
          watchDownloaders({ clock, watch: createDownloaderWatch(db), downloaders, fleet: fleetOfDownloaders }),
      },
      outbox: {
        plan: () => events.planDelivery(),
        deliver: () =>
          deliverEvents({
            clock,
            logger,
            outbox: createOutbox(db),
            templates,
            locale,
            open: (channelId, sealed) => openChannel(secrets, channelId, sealed),
            send: (settings, message, nowUnix) => sendToChannel(settings, message, sending, nowUnix),
          }),
      },
      watchlists: {
        nextDue: () => watchlists.nextDue(0),
        run: () => runLists(listing),
        async plan() {
          const dueAtUnix = await watchlists.nextDue(watchlistMoreSeconds)
          if (dueAtUnix !== undefined) await bringJobForward(db, serviceJob('watchlists'), dueAtUnix)
        },
      },
      chats: {
        isAnyHeard: chats.isAnyHeard,
        async watch() {
          for (const channelId of await chats.heardChannels()) await bot(channelId).watch(channelId)
        },
      },
      titles: {
        async plan() {
          await titles.plan((await locale.read()).timeZone)
        },
        refresh: () => refreshTitles({ clock, titles, ...media }),
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
      searches: { plan: () => planSearches(db), runDue: () => searches.runDue(), settle: () => searches.settle() },
      feeds: { ...feedRuns, run: (siteId, entry) => runFeeds(feeding, siteId, entry) },
      brush: { ...brushRuns, run: (siteId, entry) => runBrush(brushing, siteId, entry) },
    },
    wake,
    wait: runtime.wait,
  })
  return {
    ...media,
    sites: store,
    ownDefinitions: createOwnDefinitions(db, clock),
    definitionService: createDefinitionService((address, init) => runtime.fetch(address, init)),
    siteFigures: figures,
    siteFleet: fleet,
    hitAndRuns: hitAndRuns.store,
    freeStandings: (site) => freeStandings(freeEnds, site),
    siteRulesOf,
    siteAnnouncesOf,
    siteSignIns: signIn,
    loginReminders: reminders,
    jobs,
    subscriptionSearch: searches,
    downloaders,
    fleet: fleetOfDownloaders,
    torrentRuns: createTorrentRuns({ ...torrentRuns, wake }),
    torrentService: createTorrentService({
      fleet: fleetOfDownloaders,
      fetchTorrent: (address) =>
        fetchTorrent((from, init) => (env.PUBLIC_NETWORK ?? globalThis).fetch(from, init), address),
    }),
    pushService: fleet,
    pushForesight: fleet,
    pushRecords: records,
    templates,
    ownerMessages: createOwnerMessages(db, { clock, wake }),
    channels: createChannels(db, {
      clock,
      locale,
      secrets,
      sending,
      wake,
      async botChanged(channelId) {
        // One that hears nothing needs no object.
        if ((await chats.bot(channelId)) !== undefined) await bot(channelId).wake(channelId)
      },
      async botLeaves(channelId) {
        if ((await chats.bot(channelId)) !== undefined) await bot(channelId).leave(channelId)
      },
    }),
    chats,
    watchlists,
    watchlistTrials: createWatchlistTrials(listing),
    feeds: createFeeds(db, { clock, secrets, wake, channelsChanged: () => machine.joinChannels() }),
    announces: createAnnounceService(feeding, store),
    filterRules,
    ruleDisks: feeding.ruleDisks,
    ruleOwned: feeding.ruleOwned,
    rulesText,
    endRules: ending.rules,
    transfers: createTransfers({
      store: transferring.store,
      plan: () => bringJobForward(db, serviceJob('transfers'), unixSeconds(clock)),
      wake,
    }),
    reseeds: createReseeds({
      settings: media.settings,
      store: reseeding.store,
      sites: store,
      async lookSoon() {
        await bringJobForward(db, serviceJob('reseed'), unixSeconds(clock))
        await wake()
      },
    }),
    sitePlans: createSitePlans({
      ...planning,
      plan: () => bringJobForward(db, serviceJob('site_plans'), unixSeconds(clock)),
      wake,
    }),
    torrentEnds: createTorrentEnds({
      ...ending,
      plan: () => bringJobForward(db, serviceJob('torrent_ends'), unixSeconds(clock)),
      wake,
    }),
    brush: createBrushTasks(db, { clock, locale, downloaders, wake }),
    canUseProxies: env.OUTGOING !== undefined,
  }
}

/** The object of one bot. */
export function chatObject(objects: Cloudflare.Env['CHATS'], channelId: number): DurableObjectStub<ChatHost> {
  // The generated types know the object's class by name only.
  const chats = objects as DurableObjectNamespace<ChatHost>
  return chats.get(chats.idFromName(String(channelId)))
}

function timeZoneOf(name: string | undefined, logger: Logger): string {
  if (name !== undefined && isTimeZone(name)) return name
  if (name !== undefined) logger.error('setting_ignored', { setting: 'TIME_ZONE' })
  return timeZoneDefault
}
