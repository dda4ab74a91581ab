/** The service's own work on sites, with a clock that a test moves and sites that do as they are told. */

import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { openChannel } from '../../../workers/app/adapters/channel-secrets.ts'
import { createBrushRunStore } from '../../../workers/app/adapters/d1/brush-runs.ts'
import { createDownloaderWatch } from '../../../workers/app/adapters/d1/downloader-watch.ts'
import { createDownloaderStore } from '../../../workers/app/adapters/d1/downloaders.ts'
import { createEvents } from '../../../workers/app/adapters/d1/events.ts'
import { createFeedRunStore } from '../../../workers/app/adapters/d1/feed-runs.ts'
import { createJobList } from '../../../workers/app/adapters/d1/job-list.ts'
import { createKeeping } from '../../../workers/app/adapters/d1/keeping.ts'
import { createKeyCheckStore } from '../../../workers/app/adapters/d1/key-check.ts'
import { createLoginReminderRows } from '../../../workers/app/adapters/d1/login-reminders.ts'
import { planOrganising } from '../../../workers/app/adapters/d1/media-history.ts'
import { createMessageTemplates } from '../../../workers/app/adapters/d1/message-templates.ts'
import { createOutbox } from '../../../workers/app/adapters/d1/outbox.ts'
import { createPushRecords } from '../../../workers/app/adapters/d1/push-records.ts'
import { createSiteFigures } from '../../../workers/app/adapters/d1/site-figures.ts'
import { createSiteStore } from '../../../workers/app/adapters/d1/sites.ts'
import { planSearches } from '../../../workers/app/adapters/d1/subscription-searches.ts'
import { createTitleRefreshes } from '../../../workers/app/adapters/d1/title-refreshes.ts'
import type { CallRuntime } from '../../../workers/app/adapters/downloaders/downloader-http.ts'
import { createSecretBox } from '../../../workers/app/adapters/secret-box.ts'
import { sendToChannel } from '../../../workers/app/adapters/send-to-channel.ts'
import { channelRuntime } from '../../../workers/app/adapters/worker-runtime.ts'
import type { DownloaderStatus } from '../../../workers/app/core/downloader.ts'
import type { Reason } from '../../../workers/app/core/reason/reason.ts'
import type { SignInOutcome, SiteReading, SiteTarget } from '../../../workers/app/core/site.ts'
import type { SiteFault } from '../../../workers/app/core/site-fault.ts'
import type { SiteUser } from '../../../workers/app/core/site-figures.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import type { Job } from '../../../workers/app/jobs/job.ts'
import type { JobParts } from '../../../workers/app/jobs/job-parts.ts'
import { registry } from '../../../workers/app/jobs/registry.ts'
import { createScheduler, type Scheduler, type SchedulerDeps } from '../../../workers/app/jobs/scheduler.ts'
import { jobSecondsMax } from '../../../workers/app/limits.ts'
import type { DownloaderChange, DownloaderFleet } from '../../../workers/app/ports/downloaders.ts'
import type { Logger } from '../../../workers/app/ports/runtime.ts'
import type { OwnerLocaleReader } from '../../../workers/app/ports/settings.ts'
import type { SiteChange, SiteFleet } from '../../../workers/app/ports/sites.ts'
import { watchDownloaders } from '../../../workers/app/services/downloaders/watch-downloaders.ts'
import { type DeliverDeps, deliverEvents } from '../../../workers/app/services/messages/deliver-events.ts'
import { type FollowDeps, followPushes } from '../../../workers/app/services/pushes/follow-pushes.ts'
import { createLoginReminders } from '../../../workers/app/services/sites/login-reminders.ts'
import { createSiteNews } from '../../../workers/app/services/sites/site-news.ts'
import { createSiteSignIn, type SiteSignIn } from '../../../workers/app/services/sites/site-sign-in.ts'
import { localeOf } from '../locale-of.ts'
import { unwrap } from '../unwrap.ts'

export const unix = (iso: string) => Date.parse(iso) / 1000
export const db = drizzle(env.DB)
export const silent: Logger = { info: () => undefined, error: () => undefined }

/** 03:00 in Shanghai, five hours before the window opens. */
export const clock = { now: unix('2026-11-20T19:00:00Z'), nowMs: () => clock.now * 1000 }
export const secrets = createSecretBox(env.MASTER_KEY, createKeyCheckStore(db))
export const store = createSiteStore(db, { clock, secrets })
export const figures = createSiteFigures(db, silent)
export const records = createPushRecords(db, clock)
export const downloaders = createDownloaderStore(db, { clock, secrets })

export const shanghai = localeOf('Asia/Shanghai')
export const feedRuns = createFeedRunStore(db, { clock, secrets })
export const brushRuns = createBrushRunStore(db, { clock, locale: shanghai })

export const user: SiteUser = {
  username: 'walker',
  uploadedBytes: 100,
  downloadedBytes: 10,
  ratio: 10,
  bonus: 1,
  seeding: 1,
  leeching: 0,
  unreadMessages: 0,
}
export const broken: SiteFault = { kind: 'broken', part: 'sign_in' }
export const signed: SignInOutcome = { status: 'signed', reason: { kind: 'sign_in.done' } }

export const idle: DownloaderStatus = {
  version: '5.1',
  uploadBytesPerSecond: 0,
  downloadBytesPerSecond: 0,
  uploadedBytes: 0,
  downloadedBytes: 0,
  freeSpaceBytes: 1024 ** 4,
}

export type FakeFleet = ReturnType<typeof fakeFleet>

/** A site that answers what it is told to, and remembers what it was asked. */
export function fakeFleet() {
  const fleet: {
    readonly asked: string[]
    signs: (Result<SignInOutcome, SiteFault> | 'never')[]
    reading: Result<SiteReading, SiteFault>
    readAs: (target: SiteTarget) => Promise<Result<SiteReading, SiteFault>>
    port: SiteFleet
    /** What the one downloader shows, or why it does not. */
    torrents: Result<Torrent[], Reason>
    /** Whether it can be reached, and how much space it has. */
    status: Result<DownloaderStatus, Reason>
    downloads: Pick<DownloaderFleet, 'find' | 'status'>
  } = {
    asked: [],
    signs: [],
    reading: succeed({ user }),
    readAs: () => Promise.resolve(fleet.reading),
    port: {} as SiteFleet,
    torrents: succeed([]),
    status: succeed(idle),
    downloads: {} as Pick<DownloaderFleet, 'find' | 'status'>,
  }
  fleet.port = {
    probe: async ({ name }) => {
      fleet.asked.push(`probe ${name}`)
      return succeed({})
    },
    read: async (target) => {
      fleet.asked.push(`read ${target.name}`)
      return fleet.readAs(target)
    },
    search: async () => succeed({ count: 0, json: new Uint8Array() }),
    download: async () => succeed(new Uint8Array()),
    fixture: async () => succeed({ pages: [], replaced: {} }),
    calls: async () => succeed(0),
    messages: async () => succeed([]),
    mayFindByPieces: async () => succeed(false),
    findByPieces: async () => succeed({ asks: 0, torrents: failWith({ kind: 'unsupported' }) }),
    feedAddress: async () => succeed('https://site.example/rss'),
    signIn: async ({ name }) => {
      fleet.asked.push(`sign-in ${name}`)
      const next = fleet.signs.shift() ?? succeed(signed)
      return next === 'never' ? new Promise(() => undefined) : next
    },
    icon: async () => undefined,
    tryOut: async () => succeed({}),
  }
  fleet.downloads = {
    status: async () => fleet.status,
    find: async (_, infoHashes) =>
      fleet.torrents.ok
        ? succeed(fleet.torrents.value.filter(({ infoHash }) => infoHashes.includes(infoHash)))
        : fleet.torrents,
  }
  return fleet
}

export const templates = createMessageTemplates(db, clock)

export const events = createEvents(db, clock)
export const titles = createTitleRefreshes(db, clock)

export function sentThrough(runtime: CallRuntime): DeliverDeps['send'] {
  return (settings, message, nowUnix) =>
    sendToChannel(settings, message, { runtime, pushKey: async () => undefined }, nowUnix)
}

export const delivering: DeliverDeps = {
  clock,
  logger: silent,
  outbox: createOutbox(db),
  templates,
  locale: shanghai,
  open: (channelId, sealed) => openChannel(secrets, channelId, sealed),
  send: sentThrough(channelRuntime),
}

export const reminders = createLoginReminders({ clock, logger: silent, rows: createLoginReminderRows(db) })

/** What a job says that is not to come again. */
const nothingLeft = async () => ({ dueAtUnix: undefined })
/** Messages that nobody sends, for those whose tests are of something else. */
export const restingOutbox: JobParts['outbox'] = {
  plan: () => events.planDelivery(),
  deliver: nothingLeft,
}
export const noFreeEnds: JobParts['freeEnds'] = { isAny: async () => false, watch: nothingLeft }
export const noWatch: JobParts['downloaders'] = { watch: nothingLeft }
export const sentBy = (deps: DeliverDeps): JobParts['outbox'] => ({
  ...restingOutbox,
  deliver: () => deliverEvents(deps),
})
export const organisedBy = (run: JobParts['organising']['run']): JobParts['organising'] => ({
  async plan() {
    await planOrganising(db, unixSeconds(clock))
  },
  run,
})
export const refreshedBy = (
  refresh: JobParts['titles']['refresh'],
  locale: OwnerLocaleReader = shanghai,
): JobParts['titles'] => ({
  async plan() {
    await titles.plan((await locale.read()).timeZone)
  },
  refresh,
})

/** Searches for subscriptions, for tests of other work: there is nothing to be found, and much later still nothing. */
const laterSearches: Omit<JobParts['searches'], 'plan'> = {
  async runDue() {
    const dueAtUnix = clock.now + 365 * 24 * 3600
    await env.DB.prepare(`update subscriptions set next_search_at_unix = ? where status = 'active'`)
      .bind(dueAtUnix)
      .run()
    return { dueAtUnix }
  },
  settle: async () => undefined,
}

type Change = Partial<Omit<JobParts, 'searches'>> & {
  readonly searches?: Omit<JobParts['searches'], 'plan'>
  readonly jobs?: readonly Job[]
  readonly logger?: Logger
  /** Between two looks at what is short. */
  readonly wait?: SchedulerDeps['wait']
  /** For a run that hangs. */
  readonly patience?: SchedulerDeps['wait']
  readonly telemetry?: SchedulerDeps['telemetry']
}

export interface ToldWork extends Scheduler, Pick<SiteSignIn, 'signInNow'> {
  plan(siteId: number): Promise<void>
}

const untilOver: SchedulerDeps['wait'] = (_, over) =>
  new Promise((resolve) => over.addEventListener('abort', () => resolve()))

/** Instances know only what is stored, as after an eviction. Time passes only when the test moves the clock. */
export function workWith(fleet: FakeFleet, change: Change = {}): ToldWork {
  const { wait = untilOver, patience = untilOver, ...rest } = change
  const { searches = laterSearches, jobs = registry, logger = silent, telemetry, ...parts } = rest
  const locale = parts.locale ?? shanghai
  const list = createJobList(db)
  const signIn = createSiteSignIn({ clock, figures, fleet: fleet.port, locale })
  const scheduler = createScheduler(jobs, {
    clock,
    logger,
    telemetry,
    list,
    parts: {
      clock,
      random: () => 0,
      locale,
      list,
      sites: store,
      figures,
      fleet: fleet.port,
      news: createSiteNews({ events, store, figures }),
      signIn,
      reminders,
      keeping: createKeeping(db, clock),
      pushes: pushesOf({ clock, records, downloaders, fleet: fleet.downloads }),
      freeEnds: noFreeEnds,
      torrentRuns: { carryOn: async () => false, isAnyOpen: async () => false },
      hitAndRuns: noFreeEnds,
      downloaders: {
        watch: () => watchDownloaders({ clock, watch: createDownloaderWatch(db), downloaders, fleet: fleet.downloads }),
      },
      outbox: sentBy(delivering),
      titles: refreshedBy(nothingLeft, locale),
      organising: organisedBy(nothingLeft),
      searches: { plan: () => planSearches(db), runDue: () => searches.runDue(), settle: () => searches.settle() },
      brush: { ...brushRuns, run: nothingLeft },
      feeds: { ...feedRuns, run: nothingLeft },
      transfers: { isAny: async () => false, run: nothingLeft },
      reseed: { isAny: async () => false, run: nothingLeft },
      sitePlans: { isAny: async () => false, run: nothingLeft },
      ends: { isAny: async () => false, watch: nothingLeft },
      chats: { isAnyHeard: async () => false, watch: async () => undefined },
      watchlists: { plan: async () => undefined, nextDue: async () => undefined, run: nothingLeft },
      ...parts,
    },
    wake: async () => undefined,
    wait: (ms, over) => (ms === jobSecondsMax * 1000 ? patience : wait)(ms, over),
  })
  return {
    ...scheduler,
    signInNow: (entry) => signIn.signInNow(entry),
    plan: (siteId) => scheduler.subjectChanged('site', siteId),
  }
}

export function pushesOf(deps: FollowDeps): JobParts['pushes'] {
  return { follow: () => followPushes(deps), isAnyFollowed: () => deps.records.isAnyFollowed() }
}

export async function addSite(name: string, change: Partial<SiteChange> = {}): Promise<number> {
  const added = unwrap(
    await store.add({
      name,
      displayName: '',
      kind: 'nexusphp',
      definition: '',
      baseUrl: 'http://127.0.0.1:1',
      enabled: true,
      autoSignIn: true,
      inactivityDays: 30,
      remindBeforeDays: 10,
      capacityGib: 0,
      overrides: {},
      ...change,
    }),
  )
  return added.id
}

/** As the scheduler does: again at once while something is due. */
export async function settle(work: Scheduler): Promise<void> {
  for (let tick = 0; tick < 10; tick += 1) {
    const next = await work.runDue()
    if (next === undefined || next > clock.now) return
  }
  throw new Error('the work does not come to rest')
}

export async function removeSites(): Promise<void> {
  for (const { record } of await store.list()) await store.remove(record.id)
}

export async function addDownloader(name: string, change: Partial<DownloaderChange> = {}): Promise<number> {
  const added = unwrap(
    await downloaders.add({
      ...{ name, kind: 'qbittorrent', baseUrl: 'http://127.0.0.1:1', username: '', enabled: true, isDefault: true },
      ...change,
    }),
  )
  return added.id
}
