import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { type Result, succeed } from '#shared/kernel/result.ts'
import type { FeedDecision, FeedDigest, FeedEnd, FeedRunStore } from '../../adapters/d1/feed-runs.ts'
import type { FeedItemRow, FeedRow } from '../../adapters/d1/feeds.ts'
import type { FeedPlace, FeedReading } from '../../adapters/feeds/fetch-feed.ts'
import { readSearchRows } from '../../contract/search-rows.ts'
import type { DownloaderTarget } from '../../core/downloader.ts'
import type { AnnouncedEntry } from '../../core/feeds/announce.ts'
import type { FeedEntry } from '../../core/feeds/feed-entry.ts'
import { foldName } from '../../core/media/fold-name.ts'
import { chooseDownloader } from '../../core/push-plan.ts'
import { pushReason, siteReason } from '../../core/reason/of-fault.ts'
import { Reasons } from '../../core/reason/reasons.ts'
import { noneTaken } from '../../core/rules/day-bound.ts'
import { type Candidate, defaultTarget } from '../../core/rules/filter-rule.ts'
import { judge, prepareRules, type Verdict } from '../../core/rules/judge.ts'
import { Subject } from '../../core/rules/subject.ts'
import { toldFigures } from '../../core/search-figures.ts'
import { isFree } from '../../core/site.ts'
import type { SiteFault } from '../../core/site-fault.ts'
import type { FeedItemStatus } from '../../core/vocabulary.ts'
import {
  eventItemsMax,
  feedItemSeconds,
  feedPushesPerRunMax,
  feedRelistSeconds,
  feedRunMs,
  feedWaitSeconds,
} from '../../limits.ts'
import type { DownloaderStore } from '../../ports/downloaders.ts'
import type { FilterRules, NamedRule, RuleDisks, RuleOwned } from '../../ports/feeds.ts'
import type { PushService } from '../../ports/pushes.ts'
import type { SiteEntry, SiteFleet } from '../../ports/sites.ts'
import { DisksOfRound } from './rule-disks.ts'

export interface FeedDeps {
  readonly clock: Clock
  /** At least 0 and below 1. */
  readonly random: () => number
  readonly store: FeedRunStore
  readonly rules: Pick<FilterRules, 'active'>
  readonly ruleDisks: RuleDisks
  readonly ruleOwned: RuleOwned
  readonly downloaders: Pick<DownloaderStore, 'targets'>
  readonly sites: Pick<SiteFleet, 'search'>
  readonly pushService: PushService
  /** The site's proxy, if it has one. */
  proxyOf(site: SiteEntry): Promise<string | undefined>
  fetchFeed(place: FeedPlace): Promise<Result<FeedReading, SiteFault>>
}

type Row = ReturnType<typeof readSearchRows>[number]

/** What a feed gave: its entries, and what its answer said of itself. */
interface Reading {
  readonly entries: readonly FeedEntry[]
  readonly marks?: { readonly etag: string; readonly lastModified: string }
  /** The site's own list, where that is what was read. */
  readonly rows?: readonly Row[]
}

/**
 * Reads the feeds of a site that are due, one after another, decides about what is new, and pushes what was taken. The
 * first look at a feed only notes what is there. Gives back when the next one is due, and what went wrong.
 */
export async function runFeeds(
  deps: FeedDeps,
  siteId: number,
  site: SiteEntry | undefined,
): Promise<{ readonly dueAtUnix: number | undefined; readonly reason?: NonNullable<ReturnType<Reasons['asOne']>> }> {
  const untilMs = deps.clock.nowMs() + feedRunMs
  const all = new Reasons()
  do {
    const run = await deps.store.begin(siteId)
    if (run === undefined) break
    const faults = new Reasons()
    const end =
      site?.record.enabled === true
        ? await runFeed(deps, run, site, untilMs, faults)
        : { foundNew: false, isUnread: false, digests: [] }
    await deps.store.finish(run, { ...end, reason: faults.asOne(), random: deps.random() })
    all.addAll(faults)
  } while (deps.clock.nowMs() < untilMs)
  const dueAtUnix = await deps.store.nextDue(siteId)
  const reason = all.asOne()
  return { dueAtUnix, ...(reason === undefined ? {} : { reason }) }
}

/** `heard` is what a channel said, in place of what is read. */
export async function runFeed(
  deps: FeedDeps,
  run: FeedRow,
  site: SiteEntry,
  untilMs: number,
  faults: Reasons,
  heard?: AnnouncedEntry,
): Promise<Omit<FeedEnd, 'reason' | 'random'>> {
  const { store } = deps
  await store.settle(run)
  const read = heard === undefined ? await readSource(deps, run, site) : succeed<Reading>({ entries: [heard] })
  if (!read.ok) faults.add(siteReason(read.failure))
  const reading: Reading = read.ok ? read.value : { entries: [] }
  const listed = reading.entries.map(({ torrentId }) => torrentId)
  const known = await store.known(site.record.name, listed)
  if (known.size > 0) await store.shown(site.record.name, listed)
  // Oldest first: what was there earlier is decided, and taken, earlier.
  const fresh = reading.entries.filter(({ torrentId }) => !known.has(torrentId)).reverse()
  const told = { foundNew: fresh.length > 0, isUnread: !read.ok }
  const { marks } = reading
  if (isFirstLook(run, deps.clock)) {
    if (read.ok)
      await store.note(
        run,
        fresh.map((entry) => seen(candidateOf(run, site, entry, undefined))),
      )
    return { ...told, digests: [], marks: read.ok ? (marks ?? { etag: '', lastModified: '' }) : undefined }
  }
  const stored = await deps.rules.active()
  const disks = new DisksOfRound(deps.ruleDisks, stored)
  // What a line tells decides at once, if it can: asking for the list first would cost the time that a channel gains.
  const atOnce =
    heard === undefined ? [] : await decide(deps, run, site, { fresh, waiting: [], rows: new Map(), stored, disks })
  const isDecided = heard !== undefined && atOnce.every(({ status }) => status !== 'waiting')
  const undecided = isDecided ? [] : await store.waiting(run)
  const decisions = [...atOnce]
  if (!isDecided && fresh.length + undecided.length > 0) {
    const rows = await rowsFor(deps, site, reading, faults)
    const others = { fresh: heard === undefined ? fresh : [], waiting: undecided, rows, stored, disks }
    decisions.push(...(await decide(deps, run, site, others)))
  }
  // What an earlier run took and did not come to is settled before it is judged again.
  const taken = decisions.flatMap(({ status, candidate }) => (status === 'taking' ? [candidate.torrentId] : []))
  const digests = taken.length === 0 ? [] : await pushTaken(deps, run, site, { taken, stored, untilMs, faults })
  return { ...told, digests, ...(marks === undefined ? {} : { marks }) }
}

/** Of one that told nothing for as long as items are remembered, nobody can say what of it is new. */
function isFirstLook({ primed, announces, listedAtUnix }: FeedRow, clock: Clock): boolean {
  const isForgotten =
    announces === '' &&
    listedAtUnix !== null &&
    unixSeconds(clock) - listedAtUnix >= feedItemSeconds - feedRelistSeconds
  return !primed || isForgotten
}

/** Now and then it is asked for all that it holds, changed or not: what it shows is not forgotten. */
function marksFor({ primed, etag, lastModified, listedAtUnix }: FeedRow, clock: Clock) {
  const isDue = !primed || listedAtUnix === null || unixSeconds(clock) - listedAtUnix >= feedRelistSeconds
  return isDue ? { etag: '', lastModified: '' } : { etag, lastModified }
}

async function readSource(deps: FeedDeps, run: FeedRow, site: SiteEntry): Promise<Result<Reading, SiteFault>> {
  // A channel says what is new by itself; what waits is looked after.
  if (run.announces !== '') return succeed({ entries: [] })
  if (run.sealedAddress === '') {
    const found = await searchNewest(deps, site)
    if (!found.ok) return found
    const entries = found.value.map(({ torrent_id: torrentId, title }) => ({ torrentId, title }))
    return succeed({ entries, rows: found.value, marks: { etag: '', lastModified: '' } })
  }
  const opened = await deps.store.addressOf(run)
  if ('state' in opened) return { ok: false, failure: { kind: 'secrets', state: opened.state } }
  const { profile: own, baseUrl } = site.target
  // What the owner sends to the site itself is for nobody else.
  const profile = new URL(opened.address).host === new URL(baseUrl).host ? own : { ...own, headers: {} }
  const { etag, lastModified } = marksFor(run, deps.clock)
  const proxy = await deps.proxyOf(site)
  const answer = await deps.fetchFeed({ address: opened.address, profile, proxy, etag, lastModified })
  if (!answer.ok) return answer
  if (answer.value.kind === 'unchanged') return succeed({ entries: [] })
  const { entries, ...marks } = answer.value
  return succeed({ entries, marks: { etag: marks.etag, lastModified: marks.lastModified } })
}

async function searchNewest(deps: FeedDeps, { target }: SiteEntry): Promise<Result<readonly Row[], SiteFault>> {
  const found = await deps.sites.search(target, { keyword: '', freeOnly: false, minSeeders: 0 })
  return found.ok ? succeed(readSearchRows(found.value)) : found
}

/** What promotion a torrent has stands in the site's own list, never in a title: one request a run. */
async function rowsFor(deps: FeedDeps, site: SiteEntry, reading: Reading, faults: Reasons): Promise<Map<string, Row>> {
  const found = reading.rows === undefined ? await searchNewest(deps, site) : succeed(reading.rows)
  if (!found.ok) faults.add(siteReason(found.failure))
  return new Map((found.ok ? found.value : []).map((row) => [row.torrent_id, row]))
}

/** Written down before anything is pushed: what a crash cuts off is not decided twice. */
async function decide(
  { store, clock, ruleOwned }: FeedDeps,
  run: FeedRow,
  site: SiteEntry,
  found: {
    readonly fresh: readonly AnnouncedEntry[]
    readonly waiting: readonly FeedItemRow[]
    readonly rows: ReadonlyMap<string, Row>
    readonly stored: readonly NamedRule[]
    readonly disks: DisksOfRound
  },
): Promise<FeedDecision[]> {
  const nowUnix = unixSeconds(clock)
  const candidates = [
    ...found.waiting.map((row) => {
      const before = JSON.parse(row.candidate) as Candidate
      const seenRow = found.rows.get(row.torrentId)
      return {
        candidate: seenRow === undefined ? recalled(before) : candidateOf(run, site, recalled(before), seenRow),
        isListed: seenRow !== undefined,
        isOld: nowUnix - row.foundAtUnix >= feedWaitSeconds,
      }
    }),
    ...found.fresh.map((entry) => ({
      candidate: candidateOf(run, site, entry, found.rows.get(entry.torrentId)),
      isListed: found.rows.has(entry.torrentId),
      isOld: false,
    })),
  ].map((one) => ({ ...one, releaseKey: foldName(one.candidate.title) }))
  if (candidates.length > 0) await found.disks.read()
  const ownedOf = await ruleOwned(
    found.stored,
    candidates.map(({ candidate }) => candidate),
  )
  const taken = new Map(await store.takenToday())
  const rules = prepareRules(found.stored)
  const decisions = candidates.map(({ candidate: told, isListed, isOld, releaseKey }): FeedDecision => {
    const candidate: Candidate = { ...told, ...ownedOf(told), disks: found.disks.left }
    // What a list leaves untold it will not tell later either.
    const mayWait = !isOld && !isListed && candidate.promotion === undefined
    const takenToday = (id: number) => taken.get(id) ?? noneTaken
    const verdict = judge(new Subject(candidate, nowUnix), rules, { mayWait, takenToday })
    const rule = found.stored.find(({ id }) => id === verdict.ruleId)
    if (verdict.act === 'take' && rule !== undefined) {
      const { count, bytes } = takenToday(rule.id)
      taken.set(rule.id, { count: count + 1, bytes: bytes + (candidate.sizeBytes ?? 0) })
      found.disks.take(rule.rule.target, candidate.sizeBytes ?? 0)
    }
    return {
      candidate,
      releaseKey,
      status: statusOf[verdict.act],
      ruleId: verdict.ruleId,
      ruleName: rule?.name ?? '',
      clauses: verdict.clauses,
    }
  })
  const told = new Digests(site)
  for (const { status, ruleName, candidate } of decisions)
    if (status === 'told') told.add(ruleName, { kind: 'rss.told_only' }, candidate)
  await store.note(run, decisions, told.all())
  return decisions
}

/** What is told of it: a message a rule and downloader. */
class Digests {
  readonly #site: string
  readonly #digests = new Map<string, FeedDigest & { readonly items: FeedDigest['items'][number][] }>()

  constructor({ record }: SiteEntry) {
    this.#site = record.displayName || record.name
  }

  add(
    rule: FeedDigest['rule'],
    downloader: FeedDigest['downloader'],
    { title, sizeBytes, promotion }: Candidate,
  ): void {
    const key = JSON.stringify([rule, downloader])
    const digest = this.#digests.get(key) ?? { site: this.#site, rule, downloader, items: [] }
    if (digest.items.length < eventItemsMax) digest.items.push({ title, size: sizeBytes ?? 0, free: isFree(promotion) })
    this.#digests.set(key, digest)
  }

  all(): FeedDigest[] {
    return [...this.#digests.values()]
  }
}

/** What was free without a certain end may not be any more: only the site's list can say so again. */
function recalled(before: Candidate): Candidate {
  const { promotion, freeUntilUnix } = before
  return isFree(promotion) && freeUntilUnix === undefined ? { ...before, promotion: undefined } : before
}

const statusOf = {
  take: 'taking',
  notify: 'told',
  skip: 'skipped',
  wait: 'waiting',
  leave: 'left',
} as const satisfies Record<Verdict['act'], FeedItemStatus>

function seen(candidate: Candidate): FeedDecision {
  const releaseKey = foldName(candidate.title)
  return { candidate, releaseKey, status: 'seen', ruleId: undefined, ruleName: '', clauses: [] }
}

/** The site's own list knows more than its feed, and is believed before it. */
function candidateOf(
  run: FeedRow,
  { record }: SiteEntry,
  entry: AnnouncedEntry | Candidate,
  row: Row | undefined,
): Candidate {
  const { torrentId, title, sizeBytes, uploadedAtUnix, category, promotion } = entry
  const told = { site: record.name, feed: run.name, torrentId }
  if (row === undefined) return { ...told, title, subtitle: '', sizeBytes, uploadedAtUnix, category, promotion }
  const figures = toldFigures(row)
  return {
    ...told,
    isListed: true,
    title: row.title,
    subtitle: row.subtitle ?? '',
    ...figures,
    sizeBytes: figures.sizeBytes ?? sizeBytes,
    uploadedAtUnix: row.uploaded_at ?? uploadedAtUnix,
    category: row.category ?? category,
    tags: row.tags,
    promotion: row.discount ?? promotion,
    freeUntilUnix: row.discount_end_at,
    hasHr: row.has_hr,
  }
}

/** One after another, each written down before it is pushed. Gives back what is told of it. */
async function pushTaken(
  deps: FeedDeps,
  run: FeedRow,
  site: SiteEntry,
  {
    taken,
    stored,
    untilMs,
    faults,
  }: {
    readonly taken: readonly string[]
    readonly stored: readonly NamedRule[]
    readonly untilMs: number
    readonly faults: Reasons
  },
): Promise<FeedDigest[]> {
  const { store, clock, pushService } = deps
  const targets = await deps.downloaders.targets()
  const digests = new Digests(site)
  let pushes = 0
  for (const row of await store.taking(run, taken)) {
    if (pushes >= feedPushesPerRunMax || clock.nowMs() >= untilMs) break
    const rule = stored.find(({ id }) => id === row.ruleId)
    const { downloader_id, category, tags, save_path, paused } = rule?.rule.target ?? defaultTarget
    const chosen = chooseDownloader<DownloaderTarget>(targets, downloader_id)
    if (!chosen.ok) {
      faults.add({ kind: 'none', what: 'downloader_usable' })
      break
    }
    const attempt = await store.attempt(run, row.torrentId, rule?.rule ?? {})
    if (attempt === 'overtaken') break
    if (attempt === 'full') continue
    pushes += 1
    const candidate = JSON.parse(row.candidate) as Candidate
    const pushed = await pushService.push(site.target, chosen.value, {
      torrentId: row.torrentId,
      source: row.ruleId === null ? 'free_download' : 'filter_rule',
      title: row.title,
      category,
      tags,
      savePath: save_path,
      isPaused: paused,
    })
    if (!pushed.ok) {
      const reason = pushReason(pushed.failure)
      faults.add(reason)
      // One that is still under way is settled by its record.
      if (pushed.failure.kind !== 'interrupted') await store.ended(run, row.torrentId, 'failed', reason)
    } else if (pushed.value.kind === 'pushed') {
      await store.ended(run, row.torrentId, 'taken')
      digests.add(row.ruleId === null ? { kind: 'rss.free_only' } : row.ruleName, chosen.value.name, candidate)
    } else if ('reason' in pushed.value) {
      const { reason } = pushed.value
      faults.add(reason)
      await store.ended(run, row.torrentId, 'failed', reason)
    } else await store.ended(run, row.torrentId, 'present')
  }
  return digests.all()
}
