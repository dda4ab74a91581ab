import { type Result, succeed } from '#shared/kernel/result.ts'
import { actOnTorrents, listTorrents, type WireTorrent, type WireTorrentCounts } from '../../contract/torrents.ts'
import type { DownloaderTarget, TorrentCounts, TorrentQuery, TorrentSelection } from '../../core/downloader.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { type GroupOutcome, groupTargets, resultsInOrder, unknownDownloader } from '../../core/torrent-action-plan.ts'
import { joinSorted, type ListPart, type OwnedTorrent, partsOfJoined } from '../../core/torrent-listing.ts'
import { joinedPrefixMax } from '../../limits.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { explained } from '../explained.ts'

export function torrentRoutes(deps: Pick<AppDeps, 'downloaders' | 'fleet'>): BoundRoute[] {
  return [
    bind(listTorrents, async ({ query: asked, say }) => {
      const targets = await deps.downloaders.targets()
      const wanted = targets.filter(({ id }) => asked.downloader_id === undefined || id === asked.downloader_id)
      const query: TorrentQuery = {
        sort: asked.sort ?? 'added_at',
        order: asked.order ?? 'desc',
        ...(asked.state === undefined ? {} : { state: asked.state }),
        ...(asked.condition === undefined ? {} : { condition: asked.condition }),
        ...(asked.q === undefined ? {} : { keyword: asked.q }),
      }
      const skip = (asked.page - 1) * asked.page_size
      const { reads, skipInLists } = await readLists(deps.fleet, wanted, query, skip, asked.page_size)
      const lists = reads.flatMap(({ owner, read }) => (read.ok ? [{ owner, ...read.value }] : []))
      return succeed({
        body: {
          items: joinSorted(lists, query, skipInLists, asked.page_size).map(toWireTorrent),
          total: lists.reduce((sum, { total }) => sum + total, 0),
          page: asked.page,
          page_size: asked.page_size,
          counts: sumOfCounts(lists.map(({ counts }) => counts)),
          failures: reads.flatMap(({ owner, read }) =>
            read.ok ? [] : [{ downloader_id: owner.id, downloader: owner.name, ...explained(say, read.failure) }],
          ),
        },
      })
    }),
    bind(actOnTorrents, async ({ body, say }) => {
      const targets = body.targets.map((target) => ({ downloaderId: target.downloader_id, taskId: target.task_id }))
      const downloaders = new Map((await deps.downloaders.targets()).map((downloader) => [downloader.id, downloader]))
      const groups = await Promise.all(
        [...groupTargets(targets)].map(async ([downloaderId, infoHashes]): Promise<[number, GroupOutcome]> => {
          const downloader = downloaders.get(downloaderId)
          if (downloader === undefined) return [downloaderId, { kind: 'refused', reason: unknownDownloader }]
          const acted = await deps.fleet.act(downloader, body.action, infoHashes)
          return [
            downloaderId,
            acted.ok ? { kind: 'outcomes', outcomes: acted.value } : { kind: 'refused', reason: acted.failure },
          ]
        }),
      )
      const results = resultsInOrder(targets, new Map(groups))
      const failed = results.filter(({ success }) => !success).length
      return succeed({
        body: {
          succeeded: results.length - failed,
          failed,
          results: results.map(({ downloaderId, taskId, success, reason }) => ({
            downloader_id: downloaderId,
            task_id: taskId,
            success,
            ...(reason === undefined ? {} : { message: say(reason), reason }),
          })),
        },
        ...(failed === 0 ? {} : { auditResult: failed === results.length ? 'error:all_failed' : 'error:partial' }),
      })
    }),
  ]
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

function toWireTorrent({ owner, torrent }: OwnedTorrent<DownloaderTarget>): WireTorrent {
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
  }
}
