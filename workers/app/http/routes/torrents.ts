import { succeed } from '#shared/kernel/result.ts'
import { actOnTorrents, listTorrents, type WireTorrent } from '../../contract/torrents.ts'
import type { DownloaderTarget, TorrentQuery } from '../../core/downloader.ts'
import {
  type GroupOutcome,
  groupTargets,
  resultsInOrder,
  unknownDownloaderMessage,
} from '../../core/torrent-action-plan.ts'
import { mergeSorted, type OwnedTorrent } from '../../core/torrent-listing.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

export function torrentRoutes(deps: Pick<AppDeps, 'downloaders' | 'fleet'>): BoundRoute[] {
  return [
    bind(listTorrents, async ({ query: asked }) => {
      const targets = await deps.downloaders.targets()
      const wanted = targets.filter(({ id }) => asked.downloader_id === undefined || id === asked.downloader_id)
      const query: TorrentQuery = {
        sort: asked.sort ?? 'added_at',
        order: asked.order ?? 'desc',
        ...(asked.state === undefined ? {} : { state: asked.state }),
        ...(asked.q === undefined ? {} : { keyword: asked.q }),
      }
      const skip = (asked.page - 1) * asked.page_size
      const reads = await Promise.all(
        wanted.map(async (owner) => ({
          owner,
          read: await deps.fleet.select(owner, query, skip + asked.page_size),
        })),
      )
      const lists = reads.flatMap(({ owner, read }) => (read.ok ? [{ owner, ...read.value }] : []))
      return succeed({
        body: {
          items: mergeSorted(lists, query, skip, asked.page_size).map(toWireTorrent),
          total: lists.reduce((sum, { total }) => sum + total, 0),
          page: asked.page,
          page_size: asked.page_size,
          failures: reads.flatMap(({ owner, read }) =>
            read.ok ? [] : [{ downloader_id: owner.id, downloader: owner.name, error: read.failure }],
          ),
        },
      })
    }),
    bind(actOnTorrents, async ({ body }) => {
      const targets = body.targets.map((target) => ({ downloaderId: target.downloader_id, taskId: target.task_id }))
      const downloaders = new Map((await deps.downloaders.targets()).map((downloader) => [downloader.id, downloader]))
      const groups = await Promise.all(
        [...groupTargets(targets)].map(async ([downloaderId, infoHashes]): Promise<[number, GroupOutcome]> => {
          const downloader = downloaders.get(downloaderId)
          if (downloader === undefined) return [downloaderId, { kind: 'refused', message: unknownDownloaderMessage }]
          const acted = await deps.fleet.act(downloader, body.action, infoHashes)
          return [
            downloaderId,
            acted.ok ? { kind: 'outcomes', outcomes: acted.value } : { kind: 'refused', message: acted.failure },
          ]
        }),
      )
      const results = resultsInOrder(targets, new Map(groups))
      const failed = results.filter(({ success }) => !success).length
      return succeed({
        body: {
          succeeded: results.length - failed,
          failed,
          results: results.map(({ downloaderId, taskId, success, message }) => ({
            downloader_id: downloaderId,
            task_id: taskId,
            success,
            ...(message === '' ? {} : { message }),
          })),
        },
        ...(failed === 0 ? {} : { auditResult: failed === results.length ? 'error:all_failed' : 'error:partial' }),
      })
    }),
  ]
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
