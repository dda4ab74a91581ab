import type { Result } from '#shared/kernel/result.ts'
import type {
  ActionOutcome,
  AddOutcome,
  DownloaderSettings,
  DownloaderStatus,
  DownloaderTarget,
  MoveOutcome,
  TorrentFilter,
  TorrentGroups,
  TorrentQuery,
  TorrentSelection,
  TorrentUpload,
} from '../core/downloader.ts'
import type { DiskSpace } from '../core/push-plan.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { SiteFault } from '../core/site-fault.ts'
import type { Torrent } from '../core/torrent.ts'
import type { TorrentChange, TorrentDetails } from '../core/torrent-details.ts'
import type { ListPart, SortKey } from '../core/torrent-listing.ts'
import type { RunTarget } from '../core/torrent-run.ts'
import type { AddWish, DownloaderKind, TorrentAction } from '../core/vocabulary.ts'

/** A configured downloader as the owner sees it. Never its password. */
export interface DownloaderRecord {
  readonly id: number
  readonly name: string
  readonly kind: DownloaderKind
  readonly baseUrl: string
  readonly username: string
  readonly hasPassword: boolean
  readonly enabled: boolean
  readonly isDefault: boolean
  readonly minFreeGib: number
}

export interface DownloaderChange {
  readonly name: string
  readonly kind: DownloaderKind
  readonly baseUrl: string
  readonly username: string
  /** Undefined keeps the stored one. */
  readonly password?: string
  readonly enabled: boolean
  readonly isDefault: boolean
  /** Undefined keeps the stored one. */
  readonly minFreeGib?: number
}

export interface DownloaderStore {
  /** All of them, by id. */
  list(): Promise<DownloaderRecord[]>
  /** What the live side needs to reach them; enabled ones only, by id. */
  targets(): Promise<DownloaderTarget[]>
  settings(id: number): Promise<Result<DownloaderSettings, 'not_found' | 'missing' | 'changed'>>
  add(change: DownloaderChange): Promise<Result<DownloaderRecord, 'name_taken' | 'too_many' | 'secrets'>>
  update(
    id: number,
    change: DownloaderChange,
  ): Promise<Result<DownloaderRecord, 'not_found' | 'name_taken' | 'secrets'>>
  remove(id: number): Promise<boolean>
}

/** The live side of the downloaders. Faults of the outside arrive as reasons, never as a rejection. */
export interface DownloaderFleet {
  /** Waits for the answer, however late. */
  status(target: DownloaderTarget): Promise<Result<DownloaderStatus, Reason>>
  /** For a list of several: one that keeps still holds it up no longer than it does the list of torrents. */
  shownStatus(target: DownloaderTarget): Promise<Result<DownloaderStatus, Reason>>
  /** A part of the torrents that match, in the asked order, and how many there are in all. */
  select(target: DownloaderTarget, query: TorrentQuery, part: ListPart): Promise<Result<TorrentSelection, Reason>>
  /** What the first `upTo` of them are sorted by: a late page of several lists is found without moving the lists. */
  sortKeys(target: DownloaderTarget, query: TorrentQuery, upTo: number): Promise<Result<SortKey[], Reason>>
  groups(target: DownloaderTarget, filter: TorrentFilter): Promise<Result<TorrentGroups, Reason>>
  /** All that match. */
  matching(target: DownloaderTarget, filter: TorrentFilter): Promise<Result<RunTarget[], Reason>>
  /** Titles of those that may be called by one of the names, folded as releases are read. */
  called(target: DownloaderTarget, names: readonly string[]): Promise<Result<string[], Reason>>
  /** One outcome for each hash, in order. Reads first, so that an unknown hash is a failure and not a silent success. */
  act(
    target: DownloaderTarget,
    action: TorrentAction,
    infoHashes: readonly string[],
  ): Promise<Result<ActionOutcome[], Reason>>
  /** Undefined when there is no such torrent. */
  details(target: DownloaderTarget, infoHash: string): Promise<Result<TorrentDetails | undefined, Reason>>
  /** Its torrent file, with the owner's keys in it. Undefined when there is no such torrent. */
  exportFile(target: DownloaderTarget, infoHash: string): Promise<Result<Uint8Array | undefined, Reason>>
  /** One outcome for each hash, in order. An unknown hash is a failure; what was accepted shows in later reads. */
  change(
    target: DownloaderTarget,
    change: TorrentChange,
    infoHashes: readonly string[],
  ): Promise<Result<ActionOutcome[], Reason>>
  /** Those of the named torrents that are there. */
  find(target: DownloaderTarget, infoHashes: readonly string[]): Promise<Result<Torrent[], Reason>>
  /** What an `add` into that folder would go by; an empty one is the downloader's own. */
  space(target: DownloaderTarget, savePath: string): Promise<Result<DiskSpace, Reason>>
  /** Adds a torrent unless it is there or there is no room for it; the space of one is never promised to another. */
  add(target: DownloaderTarget, upload: TorrentUpload): Promise<AddOutcome>
  /** Has it take a torrent's files to a folder, unless they are there, and seed on from it. */
  move(target: DownloaderTarget, infoHashes: readonly string[], folder: string): Promise<Result<MoveOutcome, Reason>>
  /** Tries settings that are not stored yet. */
  probe(settings: DownloaderSettings): Promise<Result<DownloaderStatus, Reason>>
}

/** What a caller brings to be taken up. */
export type TorrentSource =
  | { readonly kind: 'magnet'; readonly text: string }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'file'; readonly base64: string }

export interface AddedTorrent {
  readonly title: string
  readonly infoHash: string
  readonly outcome: AddOutcome
  /** What the program did not take of the wishes. */
  readonly unmet: readonly { readonly wish: AddWish; readonly reason: Reason }[]
}

/** Settled before a new torrent starts. Limits in bytes a second, 0 for none. */
export interface AddWishes {
  readonly files?: readonly number[] | undefined
  readonly limits?: { readonly upload: number; readonly download: number } | undefined
  readonly sequential?: boolean | undefined
  readonly firstLast?: boolean | undefined
}

export type AddRefusal =
  | { readonly kind: 'wrong'; readonly field: 'magnet' | 'address' | 'file'; readonly rule: Reason }
  | { readonly kind: 'download'; readonly fault: SiteFault }

export interface TorrentService {
  /** Reads what it is before any downloader hears of it. */
  add(
    target: DownloaderTarget,
    source: TorrentSource,
    place: Pick<TorrentUpload, 'category' | 'tags' | 'savePath' | 'isPaused'>,
    wishes: AddWishes,
  ): Promise<Result<AddedTorrent, AddRefusal>>
}
