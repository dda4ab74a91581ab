/** The list over all downloaders, as a page of it and as a part that is followed. */
import type { Result } from '#shared/kernel/result.ts'
import type { WireTorrent, WireTorrentCounts, WireTorrentPage } from '../contract/torrents.ts'
import type {
  DownloaderTarget,
  TorrentCounts,
  TorrentFilter,
  TorrentQuery,
  TorrentSelection,
} from '../core/downloader.ts'
import { plainFolder } from '../core/folder.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { Say } from '../core/reason/say.ts'
import { joinSorted, type ListPart, type OwnedTorrent, partsOfJoined } from '../core/torrent-listing.ts'
import type { SortOrder, TorrentSort } from '../core/vocabulary.ts'
import { joinedPrefixMax } from '../limits.ts'
import type { AppDeps } from '../ports.ts'
import { explained } from './explained.ts'

export interface AskedFilter {
  readonly state?: TorrentFilter['state'] | undefined
  readonly condition?: TorrentFilter['condition'] | undefined
  readonly said?: string | undefined
  readonly needs_owner?: boolean | undefined
  readonly tracker?: string | undefined
  readonly category?: string | undefined
  readonly tag?: string | undefined
  readonly folder?: string | undefined
  readonly q?: string | undefined
}

export interface AskedList extends AskedFilter {
  readonly downloader_id?: number | undefined
  readonly sort?: TorrentSort | undefined
  readonly order?: SortOrder | undefined
}

export type TorrentList = Omit<WireTorrentPage, 'page' | 'page_size'>

export async function readTorrentList(
  { downloaders, fleet }: Pick<AppDeps, 'downloaders' | 'fleet'>,
  asked: AskedList,
  part: ListPart,
  say: Say,
): Promise<TorrentList> {
  const targets = await downloaders.targets()
  const wanted = targets.filter(({ id }) => asked.downloader_id === undefined || id === asked.downloader_id)
  const query: TorrentQuery = { sort: asked.sort ?? 'added_at', order: asked.order ?? 'desc', ...toFilter(asked) }
  const { reads, skipInLists } = await readLists(fleet, wanted, query, part.from, part.count)
  const lists = reads.flatMap(({ owner, read }) => (read.ok ? [{ owner, ...read.value }] : []))
  return {
    items: joinSorted(lists, query, skipInLists, part.count).map(toWireTorrent),
    total: lists.reduce((sum, { total }) => sum + total, 0),
    total_size: lists.reduce((sum, { totalBytes }) => sum + totalBytes, 0),
    counts: sumOfCounts(lists.map(({ counts }) => counts)),
    failures: reads.flatMap(({ owner, read }) => {
      const named = { downloader_id: owner.id, downloader: owner.name }
      if (!read.ok) return [{ ...named, ...explained(say, read.failure) }]
      const { late } = read.value
      return late === undefined ? [] : [{ ...named, ...explained(say, late.reason), last_answer_at: late.atUnix }]
    }),
  }
}

export function toFilter(asked: AskedFilter): TorrentFilter {
  const { state, condition, said, tracker, category, tag, folder } = asked
  return {
    ...(state === undefined ? {} : { state }),
    ...(condition === undefined ? {} : { condition }),
    ...(said === undefined ? {} : { said }),
    ...(asked.needs_owner === undefined ? {} : { needsOwner: asked.needs_owner }),
    ...(tracker === undefined ? {} : { tracker }),
    ...(category === undefined ? {} : { category }),
    ...(tag === undefined ? {} : { tag }),
    ...(folder === undefined ? {} : { folder: plainFolder(folder) }),
    ...(asked.q === undefined ? {} : { keyword: asked.q }),
  }
}

interface ListRead {
  readonly owner: DownloaderTarget
  readonly read: Result<TorrentSelection, Reason>
}

/**
 * Of each downloader what a page needs: a first page the beginning of each list, a late page over several only the part
 * that lies on it, found by the sort keys. A downloader that fails is asked once, so that it costs one time limit.
 */
async function readLists(
  fleet: AppDeps['fleet'],
  owners: readonly DownloaderTarget[],
  query: TorrentQuery,
  skip: number,
  count: number,
): Promise<{ readonly reads: ListRead[]; readonly skipInLists: number }> {
  const select = async (owner: DownloaderTarget, part: ListPart): Promise<ListRead> => ({
    owner,
    read: await fleet.select(owner, query, part),
  })
  if (owners.length <= 1) {
    return { reads: await Promise.all(owners.map((owner) => select(owner, { from: skip, count }))), skipInLists: 0 }
  }
  if (skip + count <= joinedPrefixMax) {
    const part = { from: 0, count: skip + count }
    return { reads: await Promise.all(owners.map((owner) => select(owner, part))), skipInLists: skip }
  }
  const keys = await Promise.all(owners.map((owner) => fleet.sortKeys(owner, query, skip + count)))
  const parts = partsOfJoined(
    keys.map((read) => (read.ok ? read.value : [])),
    query.order,
    skip,
    count,
  )
  const reads = await Promise.all(
    owners.map(async (owner, index): Promise<ListRead> => {
      const located = keys[index]
      if (located !== undefined && !located.ok) return { owner, read: located }
      return select(owner, parts[index] ?? { from: 0, count: 0 })
    }),
  )
  return { reads, skipInLists: 0 }
}

function sumOfCounts(lists: readonly TorrentCounts[]): WireTorrentCounts {
  const sum = <Name extends string>(counts: readonly Readonly<Partial<Record<Name, number>>>[]) => {
    const total: Partial<Record<Name, number>> = {}
    for (const one of counts)
      for (const name of Object.keys(one) as Name[]) total[name] = (total[name] ?? 0) + (one[name] ?? 0)
    return total
  }
  return { states: sum(lists.map(({ states }) => states)), conditions: sum(lists.map(({ conditions }) => conditions)) }
}

export function toWireTorrent({ owner, torrent }: OwnedTorrent<DownloaderTarget>): WireTorrent {
  return {
    downloader_id: owner.id,
    downloader: owner.name,
    task_id: torrent.infoHash,
    info_hash: torrent.infoHash,
    title: torrent.title,
    progress: torrent.progressPercent,
    size: torrent.sizeBytes,
    state: torrent.state,
    ...(torrent.condition === undefined ? {} : { condition: torrent.condition.kind }),
    ...(torrent.condition?.said === undefined ? {} : { condition_said: torrent.condition.said }),
    ratio: torrent.ratio,
    seeds: torrent.seeds,
    peers: torrent.peers,
    upload_speed: torrent.uploadBytesPerSecond,
    download_speed: torrent.downloadBytesPerSecond,
    eta: torrent.etaSeconds,
    added_at: torrent.addedAtUnix,
    completed_at: torrent.completedAtUnix,
    ...(torrent.category === '' ? {} : { category: torrent.category }),
    ...(torrent.tags === '' ? {} : { tags: torrent.tags }),
    ...(torrent.savePath === '' ? {} : { save_path: torrent.savePath }),
    ...(torrent.tracker === undefined ? {} : { tracker: torrent.tracker }),
  }
}
