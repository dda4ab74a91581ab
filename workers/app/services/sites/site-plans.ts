/** Makes plans for the next level of a site out of what sites and downloaders tell, and carries out those that got their yes. */

import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { SitePlanStore } from '../../adapters/d1/site-plans.ts'
import type { TorrentEndStore } from '../../adapters/d1/torrent-ends.ts'
import { readSearchRows } from '../../contract/search-rows.ts'
import type { SiteRules } from '../../contract/site-rules.ts'
import type { DownloaderTarget } from '../../core/downloader.ts'
import { gibBytes } from '../../core/gib-bytes.ts'
import { addDays, localDay } from '../../core/local-day.ts'
import { chooseDownloader } from '../../core/push-plan.ts'
import { pushReason, siteReason } from '../../core/reason/of-fault.ts'
import type { NamedReason, Reason } from '../../core/reason/reason.ts'
import { toldFigures } from '../../core/search-figures.ts'
import { canSearch, isFree } from '../../core/site.ts'
import { levelOf, spanDays } from '../../core/site-levels.ts'
import { siteOfTracker } from '../../core/site-of-tracker.ts'
import { type PushChoice, roomFor, type SeedChoice, simulatePlan, worthOf } from '../../core/site-plan.ts'
import type { Torrent } from '../../core/torrent.ts'
import { holdsForAll } from '../../core/torrent-run.ts'
import {
  levelPaceDays,
  sitePlanAttemptsMax,
  sitePlanFreeSeconds,
  sitePlanLookSeconds,
  sitePlanRetrySeconds,
  sitePlanStepSeconds,
  sitePlanStepsMax,
  sitePlanStepsPerLook,
  sitePlanYesSeconds,
} from '../../limits.ts'
import type { DownloaderFleet, DownloaderStore } from '../../ports/downloaders.ts'
import type { PushService } from '../../ports/pushes.ts'
import type { OwnerLocaleReader } from '../../ports/settings.ts'
import type { SitePlan, SitePlanStep, SitePlans } from '../../ports/site-plans.ts'
import type { FetchedUser, SiteEntry, SiteFigures, SiteFleet, SiteStore } from '../../ports/sites.ts'
import { allTorrentsOf } from '../downloaders/all-torrents.ts'

export interface SitePlanDeps {
  readonly clock: Clock
  readonly store: SitePlanStore
  readonly records: Pick<TorrentEndStore, 'records'>
  readonly locale: OwnerLocaleReader
  readonly sites: Pick<SiteStore, 'list'>
  readonly figures: Pick<SiteFigures, 'users' | 'historyOf'>
  readonly rulesOf: (definition: string) => SiteRules
  readonly downloaders: Pick<DownloaderStore, 'targets'>
  readonly fleet: Pick<DownloaderFleet, 'select' | 'status' | 'act'>
  readonly siteFleet: Pick<SiteFleet, 'search'>
  readonly pushService: PushService
}

export function createSitePlans(
  deps: SitePlanDeps & { readonly plan: () => Promise<unknown>; readonly wake: () => Promise<void> },
): SitePlans {
  const { store, clock } = deps
  const isWorthShowing = ({ state, madeAtUnix }: SitePlan) =>
    state !== 'replaced' && (state !== 'proposed' || unixSeconds(clock) - madeAtUnix < sitePlanYesSeconds)

  return {
    async current(siteId) {
      const plans = await store.newest(siteId)
      return plans.find(({ state }) => state === 'running') ?? plans.find(isWorthShowing)
    },
    find: (id) => store.find(id),
    make: (site) => makePlan(deps, site),

    async carryOut(id) {
      const plan = await store.find(id)
      if (plan === undefined) return failWith({ kind: 'none', what: 'site_plan' })
      if (plan.state === 'running') return succeed(plan)
      if (plan.state !== 'proposed') return failWith({ kind: 'plan.over' })
      if (!isWorthShowing(plan)) return failWith({ kind: 'plan.too_old' })
      const isBegun = await store.begin(plan)
      await deps.plan()
      await deps.wake()
      return asPlan(await store.find(id), isBegun)
    },

    async stop(id) {
      await store.end(id, 'stopped')
      return asPlan(await store.find(id), true)
    },
  }
}

function asPlan(plan: SitePlan | undefined, isDone: boolean): Result<SitePlan, Reason> {
  if (plan === undefined) return failWith({ kind: 'none', what: 'site_plan' })
  return isDone || plan.state === 'running' ? succeed(plan) : failWith({ kind: 'plan.over' })
}

async function makePlan(deps: SitePlanDeps, site: SiteEntry): Promise<Result<SitePlan, Reason>> {
  const { id, name, definition, capacityGib } = site.record
  const account = await accountOf(deps, site)
  if (!account.ok) return account
  const { user, history, levels } = account.value
  const held = await heldOf(deps, site)
  const offer = await offeredBy(deps, site)
  const unread = [...held.unread, ...(offer.ok ? [] : [{ name, reason: offer.failure }])]
  const known = offer.ok
    ? await deps.store.pushed(
        name,
        offer.value.map(({ torrentId }) => torrentId),
      )
    : new Set<string>()
  const chosen = chooseDownloader(await deps.downloaders.targets(), 0)
  const status = chosen.ok ? await deps.fleet.status(chosen.value) : undefined
  const simulated = simulatePlan({
    ...{ levels, user, history, nowUnix: unixSeconds(deps.clock), held: held.idle },
    offered: offer.ok ? offer.value.filter(({ torrentId }) => !known.has(torrentId)) : [],
    roomBytes:
      chosen.ok && status?.ok === true
        ? roomFor(status.value.freeSpaceBytes, chosen.value.minFreeGib * gibBytes, capacityGib, user)
        : undefined,
    choicesMax: sitePlanStepsMax,
  })
  if (simulated === undefined) {
    if (deps.rulesOf(definition).levels === undefined) return failWith({ kind: 'plan.no_levels' })
    return failWith({ kind: levelOf(levels, user.level) === undefined ? 'plan.level_unknown' : 'plan.highest' })
  }
  const { choices, atUnix, plannedAtUnix, ...facts } = simulated
  const plan = await deps.store.propose(
    id,
    {
      ...facts,
      ...(atUnix === undefined ? {} : { atUnix }),
      ...(plannedAtUnix === undefined ? {} : { plannedAtUnix }),
      ...{ kept: held.seeded, unread, paceDays: spanDays(history), readAtUnix: user.fetchedAtUnix },
    },
    choices.map(
      (choice): SitePlanStep => ({ ...choice, ...worthOf(choice, user, history), state: 'waiting', attempts: 0 }),
    ),
  )
  return asPlan(plan, true)
}

async function accountOf(deps: SitePlanDeps, { record }: SiteEntry) {
  const { timeZone } = await deps.locale.read()
  const today = localDay(unixSeconds(deps.clock), timeZone)
  const [users, history] = await Promise.all([
    deps.figures.users(),
    deps.figures.historyOf(record.id, addDays(today, -levelPaceDays)),
  ])
  if (!users.ok) return users
  const user: FetchedUser | undefined = users.value.get(record.id)
  if (user === undefined) return failWith<Reason>({ kind: 'plan.no_figures' })
  return succeed({ user, history, levels: deps.rulesOf(record.definition).levels ?? [] })
}

/** What of the site lies whole in the downloaders: seeded, or to be had for nothing. */
async function heldOf(deps: SitePlanDeps, { record }: SiteEntry) {
  const sites = (await deps.sites.list()).map(({ record: { name, baseUrl } }) => ({ name, address: baseUrl }))
  const seen = new Set<string>()
  const idle: SeedChoice[] = []
  const seeded = { count: 0, bytes: 0 }
  const unread: NamedReason[] = []
  for (const target of await deps.downloaders.targets()) {
    const torrents = await allTorrentsOf(deps.fleet, target)
    if (!torrents.ok) {
      unread.push({ name: target.name, reason: torrents.failure })
      continue
    }
    const siteOf = new Map(
      (await deps.records.records(target.id)).flatMap(({ site, infoHashes }) =>
        infoHashes.map((infoHash) => [infoHash, site] as const),
      ),
    )
    for (const torrent of torrents.value) {
      const { infoHash, title, sizeBytes, progressPercent, tracker } = torrent
      const owner = siteOf.get(infoHash) ?? (tracker === undefined ? undefined : siteOfTracker(sites, tracker)?.name)
      // The site counts one that two downloaders hold once.
      if (owner !== record.name || progressPercent < 100 || seen.has(infoHash)) continue
      seen.add(infoHash)
      if (isIdle(torrent))
        idle.push({ kind: 'seed', downloaderId: target.id, downloader: target.name, infoHash, title, sizeBytes })
      else if (torrent.state === 'seeding') {
        seeded.count += 1
        seeded.bytes += sizeBytes
      }
    }
  }
  return { idle, seeded, unread }
}

function isIdle({ state, sizeBytes }: Torrent): boolean {
  return (state === 'paused' || state === 'stopped') && sizeBytes > 0
}

/** What costs nothing, will not soon, and somebody gives: one request to the site. */
async function offeredBy(deps: SitePlanDeps, { record, target }: SiteEntry): Promise<Result<PushChoice[], Reason>> {
  if (!record.enabled || !canSearch(record.kind, record.profile)) return succeed([])
  const found = await deps.siteFleet.search(target, { keyword: '', freeOnly: true, minSeeders: 1 })
  if (!found.ok) return failWith(siteReason(found.failure))
  const freeFrom = unixSeconds(deps.clock) + sitePlanFreeSeconds
  return succeed(
    readSearchRows(found.value).flatMap((row): PushChoice[] => {
      const { sizeBytes } = toldFigures(row)
      const { torrent_id: torrentId, title, discount, discount_end_at: freeUntilUnix, has_hr: hasHr } = row
      const isFreeForLong = isFree(discount) && freeUntilUnix !== undefined && freeUntilUnix >= freeFrom
      if (!isFreeForLong || hasHr || sizeBytes === undefined || sizeBytes <= 0) return []
      return [{ kind: 'push', torrentId, title, sizeBytes, freeUntilUnix }]
    }),
  )
}

/** Takes on a few steps of each plan that runs, and sees whether its level is there. Gives back when to look again. */
export async function runSitePlans(deps: SitePlanDeps): Promise<{ readonly dueAtUnix: number | undefined }> {
  const sites = new Map((await deps.sites.list()).map((entry) => [entry.record.id, entry]))
  const users = await deps.figures.users()
  const levelAt = (siteId: number) => (users.ok ? users.value.get(siteId)?.level : undefined)
  const pauses: number[] = []
  for (const plan of await deps.store.running()) {
    const site = sites.get(plan.siteId)
    if (site === undefined) await deps.store.end(plan.id, 'stopped')
    else if (isReached(deps.rulesOf(site.record.definition), levelAt(plan.siteId), plan))
      await deps.store.end(plan.id, 'reached')
    else pauses.push(await takeOn(deps, site, plan))
  }
  return { dueAtUnix: pauses.length === 0 ? undefined : unixSeconds(deps.clock) + Math.min(...pauses) }
}

function isReached({ levels = [] }: SiteRules, shown: string | undefined, plan: SitePlan): boolean {
  const level = levelOf(levels, shown)
  const wanted = levels.findIndex(({ name }) => name === plan.level)
  return level !== undefined && wanted >= 0 && levels.indexOf(level) >= wanted
}

/** Each step is marked before it is taken: one that was cut off is taken again, which changes nothing. Gives back a pause. */
async function takeOn(deps: SitePlanDeps, site: SiteEntry, plan: SitePlan): Promise<number> {
  const steps = [...plan.steps]
  const isOpen = ({ state }: SitePlanStep) => state === 'waiting' || state === 'begun'
  const open = steps.flatMap((step, at) => (isOpen(step) ? [{ step, at }] : []))
  // What was tried least comes first, so that one that hangs holds up no other.
  open.sort((one, other) => one.step.attempts - other.step.attempts || one.at - other.at)
  const targets = await deps.downloaders.targets()
  const now = open.slice(0, sitePlanStepsPerLook)
  const free = now.some(({ step }) => step.kind === 'push') ? await offeredBy(deps, site) : succeed<PushChoice[]>([])
  for (const { step, at } of now) {
    steps[at] = { ...step, state: 'begun', attempts: step.attempts + 1 }
    if (!(await deps.store.note(plan.id, steps))) return sitePlanLookSeconds
    const trouble = step.kind === 'seed' ? await seed(deps, step, targets) : await push(deps, site, step, targets, free)
    steps[at] = settled(steps[at], trouble)
    await deps.store.note(plan.id, steps)
  }
  const left = steps.filter(isOpen)
  if (left.length === 0) return sitePlanLookSeconds
  return left.some(({ attempts }) => attempts === 0) ? sitePlanStepSeconds : sitePlanRetrySeconds
}

interface Trouble {
  readonly reason: Reason
  /** Another try may do it. */
  readonly mayPass: boolean
}

function settled(step: SitePlanStep, trouble: Trouble | undefined): SitePlanStep {
  const { reason: _, ...rest } = step
  if (trouble === undefined) return { ...rest, state: 'done' }
  const isOver = !trouble.mayPass || step.attempts >= sitePlanAttemptsMax
  return { ...rest, state: isOver ? 'failed' : 'waiting', reason: trouble.reason }
}

async function seed(
  { fleet }: SitePlanDeps,
  { downloaderId, infoHash }: SeedChoice,
  targets: readonly DownloaderTarget[],
): Promise<Trouble | undefined> {
  const target = targets.find(({ id }) => id === downloaderId)
  if (target === undefined) return { reason: { kind: 'none', what: 'downloader_on' }, mayPass: false }
  const acted = await fleet.act(target, 'resume', [infoHash])
  if (!acted.ok) return { reason: acted.failure, mayPass: holdsForAll(acted.failure) }
  const [outcome] = acted.value
  if (outcome?.success === true) return undefined
  return { reason: outcome?.reason ?? { kind: 'none', what: 'torrent' }, mayPass: false }
}

/** Through the gates of every push, and only while the site's list still calls it free. */
async function push(
  { pushService }: SitePlanDeps,
  site: SiteEntry,
  { torrentId, title }: PushChoice,
  targets: readonly DownloaderTarget[],
  free: Result<PushChoice[], Reason>,
): Promise<Trouble | undefined> {
  if (!free.ok) return { reason: free.failure, mayPass: true }
  if (!free.value.some((one) => one.torrentId === torrentId))
    return { reason: { kind: 'plan.not_free' }, mayPass: false }
  const chosen = chooseDownloader(targets, 0)
  if (!chosen.ok) return { reason: { kind: 'none', what: 'downloader_usable' }, mayPass: true }
  const pushed = await pushService.push(site.target, chosen.value, {
    ...{ torrentId, title, source: 'free_download', category: '', tags: [], savePath: '' },
  })
  if (!pushed.ok) return { reason: pushReason(pushed.failure), mayPass: true }
  return 'reason' in pushed.value ? { reason: pushed.value.reason, mayPass: false } : undefined
}
