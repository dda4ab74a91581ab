import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  addWatchlist,
  changeWatchlist,
  chooseWatchlistTitle,
  leaveWatchlistItem,
  listWatchlistItems,
  listWatchlists,
  removeWatchlist,
  runWatchlist,
  type TryWatchlistBody,
  tryWatchlist,
  type WatchlistBody,
  type WireWatchlist,
  type WireWatchlistItem,
} from '../../contract/console-watchlists.ts'
import { type Failure, failure, wrongField } from '../../core/failure.ts'
import { parseFeedAddress } from '../../core/feeds/feed-address.ts'
import type { ListEntry } from '../../core/lists/list-entry.ts'
import type { Say } from '../../core/reason/say.ts'
import type { WatchlistStatus } from '../../core/vocabulary.ts'
import { watchlistsMax } from '../../limits.ts'
import type {
  Watchlist,
  WatchlistChange,
  WatchlistItem,
  WatchlistPlace,
  WatchlistRefusal,
} from '../../ports/watchlists.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { explained } from '../explained.ts'
import { hasDownloader, noDownloader } from '../known-downloader.ts'
import { removeNamed } from '../remove-named.ts'
import { hasProfile, noProfile } from '../subscribe.ts'

const noList = failure('not_found', { kind: 'none', what: 'watchlist' })
const noItem = failure('not_found', { kind: 'none', what: 'watchlist_item' })
const refusals: Readonly<Record<WatchlistRefusal, Failure>> = {
  not_found: noList,
  name_taken: wrongField('name', { kind: 'name_taken', what: 'watchlist' }),
  too_many: failure('invalid_argument', { kind: 'too_many', what: 'watchlist', limit: watchlistsMax }),
  secrets: failure('unavailable', { kind: 'cannot_seal', what: 'watchlist' }),
}
const done = { body: { ok: true as const } }

export function consoleWatchlistRoutes(
  deps: Pick<AppDeps, 'watchlists' | 'watchlistTrials' | 'qualityProfiles' | 'downloaders'>,
): BoundRoute[] {
  const { watchlists } = deps

  async function toChange(body: WatchlistBody, isNew: boolean): Promise<Result<WatchlistChange, Failure>> {
    const place = placeOf(deps, body, isNew)
    if (!place.ok) return place
    const {
      name,
      enabled,
      every_minutes: everyMinutes,
      first_look: firstLook,
      profile_id: profileId = 0,
      downloader_id: downloaderId = 0,
      upgrade = false,
    } = body
    if (!(await hasProfile(deps, profileId))) return failWith(noProfile)
    if (!(await hasDownloader(deps, downloaderId))) return failWith(noDownloader)
    return succeed({ ...place.value, name, enabled, everyMinutes, firstLook, profileId, downloaderId, upgrade })
  }

  return [
    bind(listWatchlists, async ({ say }) =>
      succeed({ body: { items: (await watchlists.list()).map((one) => toWireList(one, say)) } }),
    ),
    bind(addWatchlist, async ({ body, say }) => {
      const change = await toChange(body, true)
      return change.ok ? stored(await watchlists.add(change.value), say) : change
    }),
    bind(changeWatchlist, async ({ params, body, say }) => {
      const change = await toChange(body, false)
      return change.ok ? stored(await watchlists.update(params.id, change.value), say) : change
    }),
    bind(removeWatchlist, ({ params }) => removeNamed(watchlists, params.id, noList)),
    bind(runWatchlist, async ({ params }) =>
      (await watchlists.runSoon(params.id))
        ? succeed(done)
        : failWith(failure('not_found', { kind: 'none', what: 'watchlist_on' })),
    ),
    bind(tryWatchlist, async ({ body, say }) => {
      const place = placeOf(deps, body, body.id === undefined)
      if (!place.ok) return place
      const tried = await deps.watchlistTrials.try(place.value, body.id)
      if (!tried.ok) {
        if (tried.failure === 'not_found') return failWith(noList)
        const nothing = { works: false, found: 0, untried: 0, counts: {}, items: [] }
        return succeed({ body: { ...nothing, ...explained(say, tried.failure) } })
      }
      const { found, untried, items } = tried.value
      const counts: Partial<Record<WatchlistStatus, number>> = {}
      for (const { decision } of items) counts[decision.status] = (counts[decision.status] ?? 0) + 1
      return succeed({
        body: {
          works: true,
          found,
          untried,
          counts,
          items: items.map(({ entry, decision: { status, title } }) => ({
            ...toWireEntry(entry),
            status,
            ...(title === undefined ? {} : { meant: title.title }),
          })),
        },
      })
    }),
    bind(listWatchlistItems, async ({ query: { list, status, before }, say }) => {
      const items = await watchlists.items({
        ...(list === undefined ? {} : { listId: list }),
        ...(status === undefined ? {} : { status }),
        ...(before === undefined ? {} : { beforeId: before }),
      })
      return succeed({ body: { items: items.map((one) => toWireItem(one, say)) } })
    }),
    bind(chooseWatchlistTitle, async ({ params, body }) =>
      (await watchlists.choose(params.id, { mediaType: body.media_type, tmdbId: body.tmdb_id }))
        ? succeed(done)
        : failWith(noItem),
    ),
    bind(leaveWatchlistItem, async ({ params }) =>
      (await watchlists.leave(params.id)) ? succeed(done) : failWith(noItem),
    ),
  ]
}

/** What each kind needs to be found. */
function placeOf(
  { watchlistTrials }: Pick<AppDeps, 'watchlistTrials'>,
  body: WatchlistBody | TryWatchlistBody,
  isNew: boolean,
): Result<WatchlistPlace, Failure> {
  const { kind, account = '', list = '', key, file } = body
  const common = { kind, account, list, ...(key === undefined ? {} : { key }) }
  if (file !== undefined) {
    if (kind !== 'imdb') return failWith(wrongField('file', { kind: 'field.only_for', fields: ['file'], type: 'imdb' }))
    const entries = watchlistTrials.readExport(file)
    return entries === undefined
      ? failWith(wrongField('file', { kind: 'service.broken', service: 'list' }))
      : succeed({ ...common, entries })
  }
  if ((kind === 'trakt' || kind === 'douban') && account === '')
    return failWith(failure('invalid_argument', { kind: 'field.missing', field: 'account', part: 'field' }))
  if (kind === 'trakt' && isNew && (key ?? '') === '')
    return failWith(failure('invalid_argument', { kind: 'field.fill_in', field: 'key' }))
  const needsAddress = kind === 'rss' || kind === 'imdb'
  if ((body.address ?? '') === '') {
    if (needsAddress && (isNew || body.address === ''))
      return failWith(failure('invalid_argument', { kind: 'field.missing', field: 'address', part: 'field' }))
    return succeed(common)
  }
  const address = parseFeedAddress(body.address ?? '')
  if (!address.ok) return failWith(wrongField('address', address.failure))
  // A base is joined with paths.
  return succeed({ ...common, address: needsAddress ? address.value : address.value.replace(/\/$/, '') })
}

function stored(outcome: Result<Watchlist, WatchlistRefusal>, say: Say): Result<{ body: WireWatchlist }, Failure> {
  return outcome.ok ? succeed({ body: toWireList(outcome.value, say) }) : failWith(refusals[outcome.failure])
}

function toWireList(one: Watchlist, say: Say): WireWatchlist {
  return {
    id: one.id,
    name: one.name,
    enabled: one.enabled,
    kind: one.kind,
    host: one.host,
    account: one.account,
    list: one.list,
    every_minutes: one.everyMinutes,
    first_look: one.firstLook,
    profile_id: one.profileId,
    downloader_id: one.downloaderId,
    upgrade: one.upgrade,
    counts: { ...one.counts },
    due_at: one.dueAtUnix,
    ...(one.lastAtUnix === undefined ? {} : { last_at: one.lastAtUnix }),
    ...(one.lastReason === undefined ? {} : { last_error: say(one.lastReason), reason: one.lastReason }),
  }
}

function toWireEntry({ title, originalTitle, year, season }: ListEntry) {
  return {
    title,
    ...(originalTitle === undefined ? {} : { original_title: originalTitle }),
    ...(year === undefined ? {} : { year }),
    ...(season === undefined ? {} : { season }),
  }
}

function toWireItem(item: WatchlistItem, say: Say): WireWatchlistItem {
  return {
    id: item.id,
    list_id: item.listId,
    list: item.list,
    ...toWireEntry(item.entry),
    status: item.status,
    ...(item.mediaType === undefined ? {} : { media_type: item.mediaType }),
    ...(item.tmdbId === undefined ? {} : { tmdb_id: item.tmdbId }),
    ...(item.subscriptionId === undefined ? {} : { subscription_id: item.subscriptionId }),
    choices: item.choices.map(({ mediaType, id, title, year }) => ({
      media_type: mediaType,
      tmdb_id: id,
      title,
      ...(year === undefined ? {} : { year }),
    })),
    ...(item.reason === undefined ? {} : { error: say(item.reason), reason: item.reason }),
    found_at: item.foundAtUnix,
    decided_at: item.decidedAtUnix,
  }
}
