import type { TorrentFilter, TorrentGroups, TorrentQuery, TorrentSelection } from './downloader.ts'
import { calledBy } from './media/called-by.ts'
import { foldName } from './media/fold-name.ts'
import { namesOf } from './media/held-release.ts'
import { readReleaseName } from './media/release-name.ts'
import type { Torrent } from './torrent.ts'
import { groupTorrents } from './torrent-groups.ts'
import {
  compareListed,
  isAmong,
  isIn,
  isNamed,
  isOfAllGroups,
  keyOf,
  type ListedTorrent,
  type ListPart,
  listed,
  type SortKey,
  wantedTexts,
} from './torrent-listing.ts'
import type { RunTarget } from './torrent-run.ts'
import type { TorrentCondition, TorrentSort, TorrentState } from './vocabulary.ts'

/** What a read of a downloader found: everything, or what changed since the read before. */
export type TorrentChanges =
  | { readonly kind: 'full'; readonly torrents: readonly Torrent[] }
  | { readonly kind: 'delta'; readonly changed: readonly Torrent[]; readonly removed: readonly string[] }

interface SortedList {
  readonly sort: TorrentSort
  readonly entries: readonly ListedTorrent[]
  /** What it is sorted by changed since, or what is in it. */
  isStale: boolean
}

/**
 * The torrents of one downloader, kept ready for pages: titles folded once, and one sorted list for each order that was
 * asked for. A change that moves nothing in a list leaves it as it is; else it is put right from what it was, which the sort
 * finds nearly done.
 */
export class TorrentCatalogue {
  #byHash = new Map<string, ListedTorrent>()
  readonly #orders = new Map<string, SortedList>()

  get size(): number {
    return this.#byHash.size
  }

  find(infoHash: string): Torrent | undefined {
    return this.#byHash.get(infoHash)?.torrent
  }

  /** What the torrents that are not complete will still write. */
  pendingBytes(): number {
    let bytes = 0
    for (const { torrent } of this.#byHash.values())
      bytes += Math.ceil((torrent.sizeBytes * (100 - torrent.progressPercent)) / 100)
    return bytes
  }

  apply(changes: TorrentChanges): void {
    if (changes.kind === 'full') {
      this.#byHash = new Map(changes.torrents.map((torrent) => [torrent.infoHash, listed(torrent)]))
      this.#makeStale()
      return
    }
    for (const infoHash of changes.removed) if (this.#byHash.delete(infoHash)) this.#makeStale()
    for (const torrent of changes.changed) {
      const present = this.#byHash.get(torrent.infoHash)
      if (present?.torrent.title !== torrent.title) {
        this.#byHash.set(torrent.infoHash, listed(torrent))
        this.#makeStale()
        continue
      }
      const before = { ...present }
      present.torrent = torrent
      for (const list of this.#orders.values()) list.isStale ||= keyOf[list.sort](present) !== keyOf[list.sort](before)
    }
  }

  #makeStale(): void {
    for (const list of this.#orders.values()) list.isStale = true
  }

  /** A part of the matching torrents in the asked order, and how many match in all. */
  select(query: TorrentQuery, part: ListPart): TorrentSelection {
    const torrents: Torrent[] = []
    const states: Partial<Record<TorrentState, number>> = {}
    const conditions: Partial<Record<TorrentCondition, number>> = {}
    let total = 0
    let totalBytes = 0
    const wanted = wantedTexts(query.keyword ?? '')
    const areAll = wanted.length === 0 && isOfAllGroups(query)
    for (const entry of this.#ordered(query)) {
      if (!areAll && !(isNamed(entry, wanted) && isAmong(entry, query))) continue
      const { torrent } = entry
      states[torrent.state] = (states[torrent.state] ?? 0) + 1
      if (torrent.condition !== undefined)
        conditions[torrent.condition.kind] = (conditions[torrent.condition.kind] ?? 0) + 1
      if (!isIn(entry, query)) continue
      if (total >= part.from && torrents.length < part.count) torrents.push(torrent)
      total++
      totalBytes += torrent.sizeBytes
    }
    return { torrents, total, totalBytes, counts: { states, conditions } }
  }

  /** All that match, in no order. */
  matching(filter: TorrentFilter): RunTarget[] {
    const wanted = wantedTexts(filter.keyword ?? '')
    return [...this.#byHash.values()]
      .filter((entry) => isIn(entry, filter) && isAmong(entry, filter) && isNamed(entry, wanted))
      .map(({ torrent: { infoHash, title, state } }) => ({
        infoHash,
        title,
        isHeld: state === 'paused' || state === 'stopped',
      }))
  }

  /** Titles of those that may be called by one of the folded names, as far as they say what they are. */
  called(names: readonly string[]): string[] {
    const wanted = new Set(names)
    const isCalled = calledBy(names)
    const titles: string[] = []
    for (const entry of this.#byHash.values()) {
      const { title } = entry.torrent
      // Reading a title costs some fifty times what it takes to see that none of the names is in it.
      entry.plain ??= foldName(title)
      if (!isCalled(entry.plain)) continue
      entry.names ??= namesOf(readReleaseName(title))
      if (entry.names.some((name) => wanted.has(name))) titles.push(title)
    }
    return titles
  }

  groups(filter: TorrentFilter): TorrentGroups {
    const wanted = wantedTexts(filter.keyword ?? '')
    const named = [...this.#byHash.values()].filter((entry) => isNamed(entry, wanted))
    return groupTorrents(named, filter)
  }

  /** What the first `upTo` matching torrents are sorted by, in the asked order. */
  sortKeys(query: TorrentQuery, upTo: number): SortKey[] {
    const keys: SortKey[] = []
    const wanted = wantedTexts(query.keyword ?? '')
    for (const entry of this.#ordered(query)) {
      if (keys.length >= upTo) break
      if (isIn(entry, query) && isAmong(entry, query) && isNamed(entry, wanted)) keys.push(keyOf[query.sort](entry))
    }
    return keys
  }

  #ordered(query: TorrentQuery): readonly ListedTorrent[] {
    const name = `${query.sort} ${query.order}`
    const known = this.#orders.get(name)
    if (known?.isStale === false) return known.entries
    const entries: ListedTorrent[] = []
    const placed = new Set<string>()
    for (const { torrent } of known?.entries ?? []) {
      const entry = this.#byHash.get(torrent.infoHash)
      if (entry === undefined) continue
      entries.push(entry)
      placed.add(torrent.infoHash)
    }
    if (placed.size < this.#byHash.size) {
      for (const [infoHash, entry] of this.#byHash) if (!placed.has(infoHash)) entries.push(entry)
    }
    entries.sort(compareListed(query.sort, query.order))
    this.#orders.set(name, { sort: query.sort, entries, isStale: false })
    return entries
  }
}
