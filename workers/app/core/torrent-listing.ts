/** The one order of torrents: inside a downloader, and where the lists of several are joined. */
import type { TorrentQuery } from './downloader.ts'
import type { Torrent } from './torrent.ts'
import type { SortOrder, TorrentSort } from './vocabulary.ts'

/** Folds what a reader sees as the same: case, and the two ways to write an accented letter. */
export function foldTitle(title: string): string {
  return title.normalize('NFC').toLowerCase()
}

/** A torrent with its title as it is compared. */
export interface ListedTorrent {
  readonly torrent: Torrent
  readonly foldedTitle: string
}

export function listed(torrent: Torrent): ListedTorrent {
  return { torrent, foldedTitle: foldTitle(torrent.title) }
}

const keyOf: Readonly<Record<TorrentSort, (entry: ListedTorrent) => number | string>> = {
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

export type CompareListed = (one: ListedTorrent, other: ListedTorrent) => number

/** Equal keys compare as equal here; who uses it says what breaks the tie. */
function compareByKey(sort: TorrentSort, order: SortOrder): CompareListed {
  const key = keyOf[sort]
  const sign = order === 'asc' ? 1 : -1
  return (one, other) => {
    const a = key(one)
    const b = key(other)
    return a < b ? -sign : a > b ? sign : 0
  }
}

/** A total order inside one downloader: ties go by hash, so that pages never overlap. */
export function compareListed(sort: TorrentSort, order: SortOrder): CompareListed {
  const byKey = compareByKey(sort, order)
  return (one, other) => {
    const difference = byKey(one, other)
    if (difference !== 0) return difference
    const a = one.torrent.infoHash
    const b = other.torrent.infoHash
    return a < b ? -1 : a > b ? 1 : 0
  }
}

export function matches(entry: ListedTorrent, state: TorrentQuery['state'], foldedKeyword: string): boolean {
  if (state !== undefined && entry.torrent.state !== state) return false
  return foldedKeyword === '' || entry.foldedTitle.includes(foldedKeyword)
}

/** A torrent and whose it is. */
export interface OwnedTorrent<Owner> {
  readonly owner: Owner
  readonly torrent: Torrent
}

/**
 * Joins lists that are each in the asked order, and takes the part from `skip`. Ties go to the earlier list, so the
 * lists come by downloader id. Each list must hold its first `skip + count` torrents, or all it has.
 */
export function mergeSorted<Owner>(
  lists: readonly { readonly owner: Owner; readonly torrents: readonly Torrent[] }[],
  query: Pick<TorrentQuery, 'sort' | 'order'>,
  skip: number,
  count: number,
): OwnedTorrent<Owner>[] {
  const compare = compareByKey(query.sort, query.order)
  const cursors = lists.map(({ owner, torrents }) => ({ owner, entries: torrents.map(listed), next: 0 }))
  const page: OwnedTorrent<Owner>[] = []
  for (let position = 0; position < skip + count; position++) {
    let best: (typeof cursors)[number] | undefined
    let bestEntry: ListedTorrent | undefined
    for (const cursor of cursors) {
      const entry = cursor.entries[cursor.next]
      if (entry === undefined) continue
      if (bestEntry === undefined || compare(entry, bestEntry) < 0) {
        best = cursor
        bestEntry = entry
      }
    }
    if (best === undefined || bestEntry === undefined) break
    best.next++
    if (position >= skip) page.push({ owner: best.owner, torrent: bestEntry.torrent })
  }
  return page
}
