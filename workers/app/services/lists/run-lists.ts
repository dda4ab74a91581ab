import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { WatchlistRow, WatchlistStore } from '../../adapters/d1/watchlists.ts'
import type { ListPlace, ListReading } from '../../adapters/lists/fetch-list.ts'
import { chooseTitle, type ListEntry, type TitleChoice } from '../../core/lists/list-entry.ts'
import { localDay } from '../../core/local-day.ts'
import { serviceReason } from '../../core/reason/of-fault.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { Reasons } from '../../core/reason/reasons.ts'
import { readReason } from '../../core/reason/stored-reason.ts'
import type { ServiceFault } from '../../core/service-fault.ts'
import type { Title } from '../../core/title.ts'
import type { MediaType, SubscriptionSource } from '../../core/vocabulary.ts'
import {
  subscriptionsMax,
  watchlistChoicesMax,
  watchlistDecisionsMax,
  watchlistMoreSeconds,
  watchlistTrialMs,
  watchlistTriedMax,
} from '../../limits.ts'
import type { Catalogue } from '../../ports/catalogue.ts'
import type { OwnerLocaleReader } from '../../ports/settings.ts'
import type { Subscriptions, TitleStandings } from '../../ports/subscriptions.ts'
import type { EntryDecision, WatchlistTrials } from '../../ports/watchlists.ts'

export interface ListDeps {
  readonly clock: Clock
  readonly random: () => number
  readonly store: WatchlistStore
  readonly catalogue: Pick<Catalogue, 'titles' | 'details' | 'byImdb'>
  readonly subscriptions: Pick<Subscriptions, 'add' | 'has'>
  readonly standings: TitleStandings
  readonly locale: OwnerLocaleReader
  /** For services on the internet. */
  proxy(): Promise<Result<string | undefined, ServiceFault>>
  fetchList(place: ListPlace): Promise<Result<ListReading, ServiceFault>>
  readExport(text: string): ListEntry[] | undefined
}

/** Reads the lists that are due, and decides about what waits. */
export async function runLists(
  deps: ListDeps,
): Promise<{ readonly dueAtUnix: number | undefined; readonly reason?: Reason }> {
  const faults = new Reasons()
  for (let row = await deps.store.begin(); row !== undefined; row = await deps.store.begin()) {
    const { fault, note } = await readOne(deps, row)
    if (fault !== undefined) faults.add(fault)
    await deps.store.finish(row, { fault, note }, deps.random())
  }
  for (const { item, list } of await deps.store.waiting(watchlistDecisionsMax)) {
    const entry = JSON.parse(item.entry) as ListEntry
    const decided = await decide(deps, entry, list)
    if (!decided.ok) {
      // The provider is away: what waits goes on waiting, and is not asked about one after another.
      faults.add(serviceReason('metadata', decided.failure))
      break
    }
    await deps.store.decide(item, decided.value)
  }
  const reason = faults.asOne()
  return { dueAtUnix: await deps.store.nextDue(watchlistMoreSeconds), ...(reason === undefined ? {} : { reason }) }
}

/** `note`: it was read, and this is to be known of it. */
async function readOne(
  deps: ListDeps,
  row: WatchlistRow,
): Promise<{ readonly fault?: Reason; readonly note?: Reason }> {
  const place = await deps.store.place(row)
  if (place === undefined) return { fault: { kind: 'cannot_seal', what: 'watchlist' } }
  const read = await readPlace(deps, place)
  if (!read.ok) return { fault: serviceReason('list', read.failure) }
  if (read.value.kind === 'unchanged') {
    const before = readReason(row.lastReason)
    return before?.kind === 'watchlist.cut' ? { note: before } : {}
  }
  const { entries, isCut, etag, lastModified } = read.value
  await deps.store.note(row, entries, { etag, lastModified })
  return isCut ? { note: { kind: 'watchlist.cut', read: entries.length } } : {}
}

async function readPlace(deps: ListDeps, place: Omit<ListPlace, 'proxy'>): Promise<Result<ListReading, ServiceFault>> {
  const proxy = await deps.proxy()
  return proxy.ok ? deps.fetchList({ ...place, proxy: proxy.value }) : proxy
}

/** Of the words that the interface document has, one alone names a list; the others are the owner's own. */
function sourceOf({ kind }: Pick<WatchlistRow, 'kind'>): SubscriptionSource {
  return kind === 'douban' ? 'douban' : 'manual'
}

async function decide(
  deps: ListDeps,
  entry: ListEntry,
  list: WatchlistRow,
): Promise<Result<EntryDecision, ServiceFault>> {
  const known = await standing(deps, entry)
  if (!known.ok || known.value.status !== 'added') return known
  const title = known.value.title
  if (title === undefined) return known
  const { timeZone } = await deps.locale.read()
  const details = await deps.catalogue.details({
    mediaType: title.mediaType,
    tmdbId: title.id,
    season: title.mediaType === 'movie' ? 0 : (entry.season ?? 0),
    today: localDay(unixSeconds(deps.clock), timeZone),
  })
  if (!details.ok)
    return details.failure.kind === 'not_found'
      ? succeed({ status: 'unknown', title, reason: { kind: 'media.title_unknown' } })
      : details
  const added = await deps.subscriptions.add({
    details: details.value,
    profileId: list.profileId,
    downloaderId: list.downloaderId,
    upgrade: list.upgrade,
    source: sourceOf(list),
  })
  if (added.ok) return succeed({ status: 'added', title, subscriptionId: added.value.record.id })
  return succeed(
    added.failure === 'taken'
      ? { status: 'present', title }
      : { status: 'failed', title, reason: { kind: 'too_many', what: 'subscription', limit: subscriptionsMax } },
  )
}

/** Which title it is, and whether it is wanted; `added` is what a run would add. */
async function standing(deps: ListDeps, entry: ListEntry): Promise<Result<EntryDecision, ServiceFault>> {
  const chosen = await findTitle(deps, entry)
  if (!chosen.ok) return chosen
  const choice = chosen.value
  if (choice.kind === 'none') return succeed({ status: 'unknown', reason: { kind: 'media.title_unknown' } })
  if (choice.kind === 'unclear') return succeed({ status: 'unclear', choices: choice.titles })
  const { id, mediaType, title, year } = choice.title
  const named = { id, mediaType, title, ...(year === undefined ? {} : { year }) }
  // Another season of a series is another subscription.
  if (mediaType === 'tv' && entry.season !== undefined) {
    const has = await deps.subscriptions.has({ mediaType, tmdbId: id, season: entry.season })
    return succeed({ status: has ? 'present' : 'added', title: named })
  }
  const there = (await deps.standings.of(mediaType, [id])).get(id)
  const isThere = there !== undefined && (there.inLibrary || there.subscriptionId !== undefined)
  return succeed({
    status: isThere ? 'present' : 'added',
    title: named,
    ...(there?.subscriptionId === undefined ? {} : { subscriptionId: there.subscriptionId }),
  })
}

/** By an id, where the list has one; by the very name and year otherwise. */
async function findTitle(deps: ListDeps, entry: ListEntry): Promise<Result<TitleChoice, ServiceFault>> {
  const { mediaType, tmdbId, imdbId } = entry
  if (tmdbId !== undefined && mediaType !== undefined)
    return succeed({
      kind: 'one',
      title: { id: tmdbId, mediaType, title: entry.title, originalTitle: '', overview: '' },
    })
  if (imdbId !== undefined) {
    const found = await deps.catalogue.byImdb(imdbId)
    if (!found.ok && found.failure.kind !== 'not_found') return found
    const [one, ...more] = found.ok ? found.value : []
    if (one !== undefined)
      return succeed(more.length === 0 ? { kind: 'one', title: one } : { kind: 'unclear', titles: [one, ...more] })
  }
  const found: Title[] = []
  for (const kind of mediaType === undefined ? (['movie', 'tv'] as const satisfies MediaType[]) : [mediaType]) {
    const page = await deps.catalogue.titles({ mediaType: kind, list: 'search', words: entry.title, page: 1 })
    if (!page.ok) return page
    found.push(...page.value.titles)
  }
  return succeed(chooseTitle(entry, found, watchlistChoicesMax))
}

export function createWatchlistTrials(deps: ListDeps): WatchlistTrials {
  return {
    readExport: deps.readExport,

    async try(place, id) {
      const untilMs = deps.clock.nowMs() + watchlistTrialMs
      let { entries } = place
      if (entries === undefined) {
        const stored = await deps.store.tried(place, id)
        if (stored === undefined) return failWith('not_found')
        const read = await readPlace(deps, stored)
        if (!read.ok) return failWith(serviceReason('list', read.failure))
        entries = read.value.kind === 'entries' ? read.value.entries : []
      }
      const items: { entry: ListEntry; decision: EntryDecision }[] = []
      for (const entry of entries.slice(0, watchlistTriedMax)) {
        if (deps.clock.nowMs() > untilMs) break
        const decision = await standing(deps, entry)
        if (!decision.ok) return failWith(serviceReason('metadata', decision.failure))
        items.push({ entry, decision: decision.value })
      }
      return succeed({ found: entries.length, untried: entries.length - items.length, items })
    },
  }
}
