/** The one order of torrents: inside a downloader, and where the lists of several are joined. */
import type { TorrentFilter, TorrentQuery } from './downloader.ts'
import { plainFolder } from './folder.ts'
import { readingOf, readingPattern } from './pinyin.ts'
import type { Torrent } from './torrent.ts'
import {
  type SortOrder,
  type TorrentGrouping,
  type TorrentSort,
  torrentGroupings,
  torrentMatters,
} from './vocabulary.ts'

/** Folds what a reader sees as the same: case, and the two ways to write an accented letter. */
export function foldTitle(title: string): string {
  return title.normalize('NFC').toLowerCase()
}

/** A torrent with its title as it is compared. It stays in its lists while what is known of the torrent changes. */
export interface ListedTorrent {
  torrent: Torrent
  readonly foldedTitle: string
  /** A Chinese title by the first letters of its reading: made once somebody looks for such letters. */
  reading: string | undefined
  /** The title as names are folded, and what it may be called as a release: made once somebody asks by a name. */
  plain: string | undefined
  names: readonly string[] | undefined
}

export function listed(torrent: Torrent): ListedTorrent {
  return { torrent, foldedTitle: foldTitle(torrent.title), reading: undefined, plain: undefined, names: undefined }
}

/** What a torrent is sorted by. Keys of one sort are all numbers or all texts. */
export type SortKey = number | string

export const keyOf: Readonly<Record<TorrentSort, (entry: ListedTorrent) => SortKey>> = {
  added_at: ({ torrent }) => torrent.addedAtUnix,
  completed_at: ({ torrent }) => torrent.completedAtUnix,
  title: ({ foldedTitle }) => foldedTitle,
  progress: ({ torrent }) => torrent.progressPercent,
  size: ({ torrent }) => torrent.sizeBytes,
  ratio: ({ torrent }) => torrent.ratio,
  state: ({ torrent }) => torrent.state,
  upload_speed: ({ torrent }) => torrent.uploadBytesPerSecond,
  download_speed: ({ torrent }) => torrent.downloadBytesPerSecond,
  eta: ({ torrent }) => torrent.etaSeconds,
  seeds: ({ torrent }) => torrent.seeds,
}

type CompareListed = (one: ListedTorrent, other: ListedTorrent) => number

function compareKeys(one: SortKey, other: SortKey, order: SortOrder): number {
  const sign = order === 'asc' ? 1 : -1
  return one < other ? -sign : one > other ? sign : 0
}

/** A total order inside one downloader: ties go by hash, so that pages never overlap. */
export function compareListed(sort: TorrentSort, order: SortOrder): CompareListed {
  const key = keyOf[sort]
  return (one, other) => {
    const difference = compareKeys(key(one), key(other), order)
    if (difference !== 0) return difference
    const a = one.torrent.infoHash
    const b = other.torrent.infoHash
    return a < b ? -1 : a > b ? 1 : 0
  }
}

/** What stands between words: names of releases write dots, underscores and dashes where people type blanks. */
const betweenWords = /[\s._-]+/u

/** A folded text that a title has to contain, as it is written or as it is read. */
export interface WantedText {
  readonly text: string
  readonly reading: RegExp | undefined
}

/**
 * What a title has to contain, each of them, in any order. A keyword without a word in it, such as a lone dot, is looked
 * for as it stands.
 */
export function wantedTexts(keyword: string): readonly WantedText[] {
  const folded = foldTitle(keyword)
  const words = folded.split(betweenWords).filter((word) => word !== '')
  const texts = words.length > 0 ? [...new Set(words)] : folded === '' ? [] : [folded]
  return texts.map((text) => ({ text, reading: readingPattern(text) }))
}

export function isNamed(entry: ListedTorrent, wanted: readonly WantedText[]): boolean {
  return wanted.every(({ text, reading }) => {
    if (entry.foldedTitle.includes(text)) return true
    if (reading === undefined) return false
    entry.reading ??= readingOf(entry.foldedTitle)
    return entry.reading !== '' && reading.test(entry.reading)
  })
}

const matters: ReadonlySet<string | undefined> = new Set(torrentMatters)

export function needsOwner({ condition }: Torrent): boolean {
  return matters.has(condition?.kind)
}

/** By its state and condition. */
export function isIn({ torrent }: ListedTorrent, filter: TorrentFilter): boolean {
  const { state, condition, said } = filter
  if (state !== undefined && torrent.state !== state) return false
  if (condition !== undefined && torrent.condition?.kind !== condition) return false
  if (said !== undefined && (torrent.condition?.said ?? '') !== said) return false
  return filter.needsOwner !== true || needsOwner(torrent)
}

/** The groups it is in: several by its tags, else one. What it has none of is a group too, with an empty name. */
export function groupsOf({ torrent }: ListedTorrent, grouping: TorrentGrouping): readonly string[] {
  switch (grouping) {
    case 'tracker':
      return [torrent.tracker ?? '']
    case 'category':
      return [torrent.category]
    case 'tag':
      return torrent.tags.split(',')
    case 'folder':
      return [plainFolder(torrent.savePath)]
  }
}

/** No group is asked for. */
export function isOfAllGroups(filter: TorrentFilter): boolean {
  return torrentGroupings.every((grouping) => filter[grouping] === undefined)
}

/** By the groups that are asked for. */
export function isAmong(entry: ListedTorrent, filter: TorrentFilter, but?: TorrentGrouping): boolean {
  return torrentGroupings.every((grouping) => {
    const wanted = grouping === but ? undefined : filter[grouping]
    return wanted === undefined || groupsOf(entry, grouping).includes(wanted)
  })
}

/** A torrent and whose it is. */
export interface OwnedTorrent<Owner> {
  readonly owner: Owner
  readonly torrent: Torrent
}

/** A part of a list: `count` torrents from position `from`. */
export interface ListPart {
  readonly from: number
  readonly count: number
}

/**
 * Where the part from `skip` of several lists joined lies in each of them. Each list is given by the keys of its first
 * `skip + count` torrents, or of all it has, in the asked order. Ties go to the earlier list.
 */
export function partsOfJoined(
  lists: readonly (readonly SortKey[])[],
  order: SortOrder,
  skip: number,
  count: number,
): ListPart[] {
  const next = lists.map(() => 0)
  const parts = lists.map(() => ({ from: 0, count: 0 }))
  for (let position = 0; position < skip + count; position++) {
    let best = -1
    let bestKey: SortKey | undefined
    for (const [index, keys] of lists.entries()) {
      const key = keys[next[index] ?? 0]
      if (key === undefined || (bestKey !== undefined && compareKeys(key, bestKey, order) >= 0)) continue
      best = index
      bestKey = key
    }
    const part = parts[best]
    if (part === undefined) break
    if (position < skip) part.from++
    else part.count++
    next[best] = part.from + part.count
  }
  return parts
}

/** Joins lists that are each in the asked order, and takes the part from `skip`, by the rule above. */
export function joinSorted<Owner>(
  lists: readonly { readonly owner: Owner; readonly torrents: readonly Torrent[] }[],
  { sort, order }: Pick<TorrentQuery, 'sort' | 'order'>,
  skip: number,
  count: number,
): OwnedTorrent<Owner>[] {
  const keys = lists.map(({ torrents }) => torrents.map((torrent) => keyOf[sort](listed(torrent))))
  const parts = partsOfJoined(keys, order, skip, count)
  const chosen = lists.map(({ owner, torrents }, index) => {
    const { from, count: taken } = parts[index] ?? { from: 0, count: 0 }
    return torrents.slice(from, from + taken).map((torrent) => ({
      owned: { owner, torrent },
      key: keyOf[sort](listed(torrent)),
    }))
  })
  // The sort is stable and the lists come in their order, so ties stay where the rule put them.
  return chosen
    .flat()
    .sort((one, other) => compareKeys(one.key, other.key, order))
    .map(({ owned }) => owned)
}
