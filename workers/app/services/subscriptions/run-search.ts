import { failWith, type Result } from '#shared/kernel/result.ts'
import type { PushRecordStore } from '../../adapters/d1/push-records.ts'
import type { SearchRun, SubscriptionSearchStore } from '../../adapters/d1/subscription-searches.ts'
import { readSearchRows } from '../../contract/search-rows.ts'
import type { DownloaderTarget } from '../../core/downloader.ts'
import { chooseReleases, type PickedRelease, type Wish } from '../../core/media/choose-releases.ts'
import type { Candidate } from '../../core/media/judge-release.ts'
import type { QualityRules } from '../../core/media/quality-profile.ts'
import {
  coversOf,
  newsOf,
  type SearchFindings,
  searchKeywords,
  searchReason,
  wishFor,
} from '../../core/media/subscription-search.ts'
import { chooseDownloader } from '../../core/push-plan.ts'
import { siteReason } from '../../core/reason/of-fault.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { toldFigures } from '../../core/search-figures.ts'
import { canSearch } from '../../core/site.ts'
import type { SiteFault } from '../../core/site-fault.ts'
import type { UnknownEnd } from '../../core/vocabulary.ts'
import { keywordCharactersMax, picksMax, searchItemsMax } from '../../limits.ts'
import type { DownloaderFleet, DownloaderStore } from '../../ports/downloaders.ts'
import type { PushService } from '../../ports/pushes.ts'
import type { SiteEntry, SiteFleet, SiteStore } from '../../ports/sites.ts'
import type {
  QualityProfiles,
  SubscriptionDetail,
  SubscriptionRecord,
  Subscriptions,
} from '../../ports/subscriptions.ts'

export interface RunSearchDeps {
  readonly store: SubscriptionSearchStore
  readonly subscriptions: Pick<Subscriptions, 'read'>
  readonly profiles: Pick<QualityProfiles, 'of'>
  readonly sites: Pick<SiteStore, 'list'>
  readonly siteFleet: Pick<SiteFleet, 'search'>
  readonly pushService: PushService
  readonly downloaders: Pick<DownloaderStore, 'targets'>
  readonly fleet: Pick<DownloaderFleet, 'status' | 'find'>
  readonly records: Pick<PushRecordStore, 'begin' | 'note'>
  /** Has the scheduler keep push records in step with their downloaders. */
  readonly follow: () => Promise<void>
}

export interface SearchOutcome {
  /** The search that was held to the end: its lease was renewed. */
  readonly run: SearchRun
  /** What came of it; undefined for a subscription that is gone. */
  readonly told: Reason | undefined
  /** Whether any site could be asked. */
  readonly hasSearched: boolean
  /** Nobody could be asked, or nothing be pushed: not a matter of this subscription, and to be tried again soon. */
  readonly isTrouble: boolean
}

type PushTold = SearchFindings['pushes'][number]

interface Found {
  readonly picks: readonly PickedRelease[]
  readonly refusals: SearchFindings['refusals']
  readonly errors: SearchFindings['errors']
  readonly hasSearched: boolean
}

/** Searches once for what is wanted of a subscription, and pushes what is best of what was found. */
export async function runSearch(deps: RunSearchDeps, begun: SearchRun): Promise<SearchOutcome> {
  const detail = await deps.subscriptions.read(begun.id)
  const ended = (told: Reason | undefined, more: Partial<SearchOutcome> = {}): SearchOutcome => ({
    run: begun,
    told,
    hasSearched: false,
    isTrouble: false,
    ...more,
  })
  if (detail === undefined) return ended(undefined)
  const { record } = detail
  const wish = wishFor(record, detail, await deps.store.torrents(record.id))
  if (wish.missing.length === 0 && wish.improvable.size === 0) return ended({ kind: 'subscription.nothing_wanted' })
  const profile = await deps.profiles.of(record.profileId)
  const asked = (await deps.sites.list()).filter(
    ({ record: { enabled, name, kind, profile: site } }) =>
      enabled && (profile.sites.length === 0 ? canSearch(kind, site) : profile.sites.includes(name)),
  )
  if (asked.length === 0) return ended({ kind: 'subscription.no_sites' }, { isTrouble: true })
  const downloader = await reachable(deps, record)
  if (!downloader.ok) return ended(downloader.failure, { isTrouble: true })

  const found = await search(deps, record, wish, profile, asked)
  if (!found.hasSearched) return ended({ kind: 'search.failed', sites: found.errors }, { isTrouble: true })
  const pushes: PushTold[] = []
  let run = begun
  for (const pick of found.picks) {
    // Paused or deleted meanwhile: nothing more is pushed for it.
    const renewed = await deps.store.renew(run)
    if (renewed === undefined) break
    run = renewed
    const site = asked.find(({ record: { name } }) => name === pick.candidate.site)
    if (site !== undefined)
      pushes.push(await push(deps, detail, pick, site, downloader.value, profile.unknownEnd ?? 'ending'))
  }
  return { run, told: searchReason({ ...found, pushes }), hasSearched: true, isTrouble: false }
}

/** The downloader that takes what is found, or why there is none. One that is away would make every push fail. */
async function reachable(
  { downloaders, fleet }: RunSearchDeps,
  { downloaderId }: SubscriptionRecord,
): Promise<Result<DownloaderTarget, Reason>> {
  const chosen = chooseDownloader(await downloaders.targets(), downloaderId)
  if (!chosen.ok)
    return failWith(
      chosen.failure === 'none'
        ? { kind: 'none_enabled', what: 'downloader' }
        : { kind: 'none', what: 'downloader_on' },
    )
  const status = await fleet.status(chosen.value)
  return status.ok ? chosen : failWith({ kind: 'several', of: [{ name: chosen.value.name, reason: status.failure }] })
}

/** One keyword after another, all sites at once, until there is something to push. */
async function search(
  { siteFleet }: RunSearchDeps,
  record: SubscriptionRecord,
  wish: Wish,
  profile: QualityRules,
  asked: readonly SiteEntry[],
): Promise<Found> {
  const { freeOnly, minSeeders } = profile
  let last: Found = { picks: [], refusals: new Map(), errors: [], hasSearched: false }
  for (const keyword of searchKeywords(record)) {
    const cut = [...keyword].slice(0, keywordCharactersMax).join('')
    const answers = await Promise.all(
      asked.map(async ({ record: { name, displayName }, target }) => ({
        site: displayName === '' ? name : displayName,
        found: await siteFleet.search(target, { keyword: cut, freeOnly, minSeeders }),
      })),
    )
    const errors = answers.flatMap(({ site, found }) => (found.ok ? [] : [{ site, reason: siteReason(found.failure) }]))
    const rows = answers.flatMap(({ found }) => (found.ok ? readSearchRows(found.value) : []))
    const { picks, refusals } = chooseReleases(wish, rows.slice(0, searchItemsMax).map(toCandidate), profile, picksMax)
    const hasSearched = last.hasSearched || errors.length < answers.length
    // What the first keyword brought says more than the second one's nothing.
    const told = refusals.size === 0 ? last.refusals : refusals
    last = { picks, refusals: told, errors, hasSearched }
    if (picks.length > 0) break
  }
  return last
}

function toCandidate(row: ReturnType<typeof readSearchRows>[number]): Candidate {
  const { site, torrent_id: torrentId, title, subtitle, free: isFree, has_hr: hasHr } = row
  const { sizeBytes, seeders } = toldFigures(row)
  return {
    ...{ site, torrentId, title, sizeBytes, seeders, isFree, hasHr },
    ...(subtitle === undefined ? {} : { subtitle }),
    ...(isFree && row.discount_end_at !== undefined ? { freeEndAtUnix: row.discount_end_at } : {}),
  }
}

/** Written down before it is sent: after a crash it is known what may have been. */
async function push(
  deps: RunSearchDeps,
  { record }: SubscriptionDetail,
  { candidate, episodes, quality }: PickedRelease,
  site: SiteEntry,
  downloader: DownloaderTarget,
  unknownEnd: UnknownEnd,
): Promise<PushTold> {
  const covered = coversOf(record.mediaType, episodes)
  const covers = covered === undefined ? {} : { covers: covered }
  const notPushed = (reason: Reason): PushTold => ({ ...covers, reason })
  const torrent = await deps.store.take(record.id, {
    candidate,
    ...(episodes === undefined ? {} : { episodes }),
    quality,
  })
  if (torrent === undefined) return notPushed({ kind: 'subscription.pushed_before' })
  const { torrentId, title } = candidate
  const pushed = await deps.pushService.push(site.target, downloader, {
    torrentId,
    source: 'subscription',
    title,
    category: '',
    tags: [],
    savePath: '',
    unknownEnd,
  })
  if (!pushed.ok) {
    switch (pushed.failure.kind) {
      case 'interrupted':
        // Its record says what came of it.
        return notPushed({ kind: 'subscription.push_cut' })
      case 'busy':
        await deps.store.drop(torrent)
        return notPushed({ kind: 'subscription.site_busy' })
      case 'download': {
        const reason = siteReason(pushed.failure.fault)
        await (isLasting(pushed.failure.fault) ? deps.store.fail(torrent, reason) : deps.store.drop(torrent))
        return notPushed(reason)
      }
    }
  }
  const outcome = pushed.value
  switch (outcome.kind) {
    case 'stopped':
      // For want of room: there may be some another time.
      await deps.store.drop(torrent)
      return notPushed(outcome.reason)
    case 'refused':
      await deps.store.fail(torrent, outcome.reason)
      return notPushed(outcome.reason)
    case 'skipped':
      await adopt(deps, candidate, downloader, outcome.infoHash)
  }
  await deps.store.pushed(torrent, {
    ...newsOf(record, covered),
    site: site.record.displayName === '' ? site.record.name : site.record.displayName,
    title,
    size: candidate.sizeBytes ?? 0,
    downloader: downloader.name,
  })
  return covers
}

/** Somebody put it there already: from now on its record is kept in step as of any other push. */
async function adopt(
  { records, fleet, follow }: RunSearchDeps,
  { site, torrentId, title, sizeBytes = 0, isFree, freeEndAtUnix, hasHr }: Candidate,
  downloader: DownloaderTarget,
  infoHash: string,
): Promise<void> {
  const id = await records.begin({
    ...{ site, torrentId, title, sizeBytes, hasHr },
    category: '',
    tags: '',
    free: isFree,
    ...(isFree && freeEndAtUnix !== undefined ? { freeEndAtUnix } : {}),
    source: 'subscription',
    downloader: downloader.name,
    downloaderId: downloader.id,
    infoHashes: [infoHash],
  })
  const found = await fleet.find(downloader, [infoHash])
  const [present] = found.ok ? found.value : []
  // Where it cannot be read just now, the scheduler looks.
  if (present !== undefined) await records.note([{ id, torrent: present }])
  await follow()
}

/** Whether the torrent itself is at fault, so that another one is taken the next time. */
function isLasting({ kind }: SiteFault): boolean {
  return kind === 'broken' || kind === 'status' || kind === 'too_large' || kind === 'refused'
}
