/** Torrents counted apart by tracker, category, tag and folder, and those that need the owner by why they do. */
import type { TorrentFilter, TorrentGroup, TorrentGroups, TorrentMatter } from './downloader.ts'
import { groupsOf, isAmong, isIn, type ListedTorrent, needsOwner } from './torrent-listing.ts'
import { type TorrentGrouping, torrentGroupings } from './vocabulary.ts'

/** Of so many names those with the most torrents are told. */
export const torrentGroupsMax = 200
const torrentMattersMax = 100

/** `entries` are those that the keyword leaves. */
export function groupTorrents(entries: readonly ListedTorrent[], filter: TorrentFilter): TorrentGroups {
  const counted = new Map(torrentGroupings.map((grouping) => [grouping, new Map<string, TorrentGroup>()]))
  const matters = new Map<string, TorrentMatter>()
  let total = 0
  for (const entry of entries) {
    const isWanted = isIn(entry, filter)
    const isFree = isAmong(entry, filter)
    if (isFree && isWanted) total++
    if (isFree && needsOwner(entry.torrent)) count(matters, matterOf(entry))
    if (!isWanted) continue
    for (const [grouping, groups] of counted) {
      if (!isFree && !isAmong(entry, filter, grouping)) continue
      for (const name of groupsOf(entry, grouping)) {
        const { total, totalBytes } = groups.get(name) ?? { total: 0, totalBytes: 0 }
        groups.set(name, { name, total: total + 1, totalBytes: totalBytes + entry.torrent.sizeBytes })
      }
    }
  }
  const by = (grouping: TorrentGrouping) => mostFirst([...(counted.get(grouping)?.values() ?? [])], torrentGroupsMax)
  return {
    by: { tracker: by('tracker'), category: by('category'), tag: by('tag'), folder: by('folder') },
    matters: mostFirst([...matters.values()], torrentMattersMax),
    total,
  }
}

/** The groups of several downloaders as one list. */
export function joinGroups(lists: readonly (readonly TorrentGroup[])[]): TorrentGroup[] {
  const joined = new Map<string, TorrentGroup>()
  for (const { name, total, totalBytes } of lists.flat()) {
    const before = joined.get(name)
    joined.set(name, {
      name,
      total: total + (before?.total ?? 0),
      totalBytes: totalBytes + (before?.totalBytes ?? 0),
    })
  }
  return mostFirst([...joined.values()], torrentGroupsMax)
}

function matterOf({ torrent: { condition, tracker } }: ListedTorrent): TorrentMatter {
  const kind = condition?.kind ?? 'local_error'
  const isTrackers = kind === 'tracker_error'
  return { condition: kind, said: condition?.said ?? '', tracker: isTrackers ? (tracker ?? '') : '', total: 1 }
}

function count(matters: Map<string, TorrentMatter>, { total, ...matter }: TorrentMatter): void {
  const key = JSON.stringify(matter)
  matters.set(key, { ...matter, total: total + (matters.get(key)?.total ?? 0) })
}

function mostFirst<One extends { readonly total: number }>(all: readonly One[], max: number): One[] {
  return all.toSorted((one, other) => other.total - one.total).slice(0, max)
}
