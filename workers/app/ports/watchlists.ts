import type { Result } from '#shared/kernel/result.ts'
import type { ListEntry } from '../core/lists/list-entry.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { Title } from '../core/title.ts'
import type { FirstLook, MediaType, WatchlistKind, WatchlistStatus } from '../core/vocabulary.ts'

/** A list of films and series that somebody keeps elsewhere. Never its address or its key. */
export interface Watchlist {
  readonly id: number
  readonly name: string
  readonly enabled: boolean
  readonly kind: WatchlistKind
  /** Empty for what was sent as a file. */
  readonly host: string
  readonly account: string
  readonly list: string
  readonly everyMinutes: number
  readonly firstLook: FirstLook
  /** 0 for the default one. */
  readonly profileId: number
  /** 0 for the default one. */
  readonly downloaderId: number
  readonly upgrade: boolean
  readonly counts: Readonly<Partial<Record<WatchlistStatus, number>>>
  readonly dueAtUnix: number
  readonly lastAtUnix?: number
  readonly lastReason?: Reason
}

/** Where a list is; what is left out of it stays as it is stored. */
export interface WatchlistPlace {
  readonly kind: WatchlistKind
  readonly address?: string
  readonly key?: string
  readonly account: string
  readonly list: string
  /** What was sent as a file, in place of an address. */
  readonly entries?: readonly ListEntry[]
}

export interface WatchlistChange
  extends WatchlistPlace,
    Pick<Watchlist, 'name' | 'enabled' | 'everyMinutes' | 'firstLook' | 'profileId' | 'downloaderId' | 'upgrade'> {}

export interface WatchlistItem {
  readonly id: number
  readonly listId: number
  readonly list: string
  readonly entry: ListEntry
  readonly status: WatchlistStatus
  readonly mediaType?: MediaType
  readonly tmdbId?: number
  readonly subscriptionId?: number
  readonly choices: readonly Title[]
  readonly reason?: Reason
  readonly foundAtUnix: number
  readonly decidedAtUnix: number
}

/** What an entry comes to. */
export interface EntryDecision {
  readonly status: Exclude<WatchlistStatus, 'seen' | 'waiting' | 'left'>
  readonly title?: Pick<Title, 'id' | 'mediaType' | 'title' | 'year'>
  readonly choices?: readonly Title[]
  readonly subscriptionId?: number
  readonly reason?: Reason
}

/** What a list would do: `would_add` for what is added by a run. */
interface WatchlistTrial {
  readonly found: number
  /** Entries beyond those that were looked up. */
  readonly untried: number
  readonly items: readonly { readonly entry: ListEntry; readonly decision: EntryDecision }[]
}

export type WatchlistRefusal = 'not_found' | 'name_taken' | 'too_many' | 'secrets'

export interface Watchlists {
  list(): Promise<Watchlist[]>
  add(change: WatchlistChange): Promise<Result<Watchlist, WatchlistRefusal>>
  update(id: number, change: WatchlistChange): Promise<Result<Watchlist, WatchlistRefusal>>
  /** What it subscribed stays. */
  remove(id: number): Promise<boolean>
  runSoon(id: number): Promise<boolean>
  /** Newest first. */
  items(filter: {
    readonly listId?: number
    readonly status?: WatchlistStatus
    readonly beforeId?: number
  }): Promise<WatchlistItem[]>
  /** Which title is meant; it is subscribed by the next run. False for what is not open. */
  choose(itemId: number, title: { readonly mediaType: MediaType; readonly tmdbId: number }): Promise<boolean>
  leave(itemId: number): Promise<boolean>
}

export interface WatchlistTrials {
  /** What an export of IMDb names; undefined for what is none. */
  readExport(text: string): ListEntry[] | undefined
  /** Tries a place that need not be stored, with what is stored of `id` where something is left out. */
  try(place: WatchlistPlace, id: number | undefined): Promise<Result<WatchlistTrial, Reason | 'not_found'>>
}
