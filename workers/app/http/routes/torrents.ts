import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  actOnTorrents,
  addTorrent,
  changeTorrents,
  groupTorrents,
  listTorrents,
  readTorrent,
  type WireTorrentChange,
  type WireTorrentDetails,
} from '../../contract/torrents.ts'
import type { ActionOutcome, DownloaderTarget } from '../../core/downloader.ts'
import { failure, wrongField } from '../../core/failure.ts'
import { pushReason } from '../../core/reason/of-fault.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { Say } from '../../core/reason/say.ts'
import { type GroupOutcome, groupTargets, resultsInOrder, unknownDownloader } from '../../core/torrent-action-plan.ts'
import type { TorrentChange, TorrentDetails } from '../../core/torrent-details.ts'
import type { OwnedTorrent } from '../../core/torrent-listing.ts'
import type { TorrentSource } from '../../ports/downloaders.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { owningDownloader } from '../owning-downloader.ts'
import { downloaderFor, placeIn, tagsIn, takenUpReply } from '../taken-up.ts'
import { readTorrentGroups } from '../torrent-groups.ts'
import { readTorrentList, toWireTorrent } from '../torrent-list.ts'

export function torrentRoutes(deps: Deps & Pick<AppDeps, 'torrentService'>): BoundRoute[] {
  return [
    bind(listTorrents, async ({ query: asked, say }) => {
      const part = { from: (asked.page - 1) * asked.page_size, count: asked.page_size }
      const { total, items, ...rest } = await readTorrentList(deps, asked, part, say)
      return succeed({ body: { items, total, page: asked.page, page_size: asked.page_size, ...rest } })
    }),
    bind(groupTorrents, async ({ query, say }) => succeed({ body: await readTorrentGroups(deps, query, say) })),
    bind(actOnTorrents, ({ body, say }) =>
      onEach(deps, body.targets, body.action, say, (downloader, infoHashes) =>
        deps.fleet.act(downloader, body.action, infoHashes),
      ),
    ),
    bind(changeTorrents, ({ body, say }) =>
      onEach(deps, body.targets, body.change.kind, say, (downloader, infoHashes) =>
        deps.fleet.change(downloader, toChange(body.change), infoHashes),
      ),
    ),
    bind(addTorrent, async ({ body, say }) => {
      const chosen = await downloaderFor(deps.downloaders, body.downloader_id)
      if (!chosen.ok) return chosen
      const downloader = chosen.value
      const added = await deps.torrentService.add(
        downloader,
        sourceOf(body),
        { ...placeIn(body), isPaused: body.paused ?? false },
        {
          files: body.files,
          sequential: body.sequential,
          firstLast: body.first_last,
          ...((body.upload_limit ?? 0) + (body.download_limit ?? 0) === 0
            ? {}
            : { limits: { upload: body.upload_limit ?? 0, download: body.download_limit ?? 0 } }),
        },
      )
      if (!added.ok)
        return failWith(
          added.failure.kind === 'wrong'
            ? wrongField(added.failure.field, added.failure.rule)
            : failure('download_failed', pushReason({ kind: 'download', fault: added.failure.fault })),
        )
      const { title, outcome, unmet } = added.value
      const info_hash = 'infoHash' in outcome ? outcome.infoHash : added.value.infoHash
      const wishes = unmet.map(({ wish, reason }) => ({ wish, message: say(reason), reason }))
      const facts = { title, info_hash, ...(wishes.length === 0 ? {} : { unmet: wishes }) }
      return succeed(takenUpReply(outcome, downloader, facts, say))
    }),
    bind(readTorrent, async ({ params }) => {
      const owning = await owningDownloader(deps.downloaders, params.downloader_id)
      if (!owning.ok) return owning
      const owner = owning.value
      const [found, details] = await Promise.all([
        deps.fleet.find(owner, [params.task_id]),
        deps.fleet.details(owner, params.task_id),
      ])
      if (!found.ok) return failWith(failure('unavailable', found.failure))
      if (!details.ok) return failWith(failure('unavailable', details.failure))
      const [torrent] = found.value
      if (torrent === undefined || details.value === undefined)
        return failWith(failure('not_found', { kind: 'none', what: 'torrent' }))
      return succeed({ body: toWireDetails({ owner, torrent }, details.value) })
    }),
  ]
}

type Deps = Pick<AppDeps, 'downloaders' | 'fleet'>
type Target = { readonly downloader_id: number; readonly task_id: string }

/** Does something to each target at its downloader, and answers for each in the order asked. */
async function onEach(
  deps: Deps,
  wanted: readonly Target[],
  deed: string,
  say: Say,
  act: (downloader: DownloaderTarget, infoHashes: readonly string[]) => Promise<Result<ActionOutcome[], Reason>>,
) {
  const targets = wanted.map((target) => ({ downloaderId: target.downloader_id, taskId: target.task_id }))
  const downloaders = new Map((await deps.downloaders.targets()).map((downloader) => [downloader.id, downloader]))
  const groups = await Promise.all(
    [...groupTargets(targets)].map(async ([downloaderId, infoHashes]): Promise<[number, GroupOutcome]> => {
      const downloader = downloaders.get(downloaderId)
      if (downloader === undefined) return [downloaderId, { kind: 'refused', reason: unknownDownloader }]
      const acted = await act(downloader, infoHashes)
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
    audited: { deed, names: results.flatMap(({ title }) => title ?? []), count: results.length },
    ...(failed === 0
      ? {}
      : { auditResult: failed === results.length ? ('error:all_failed' as const) : ('error:partial' as const) }),
  })
}

function sourceOf(body: {
  readonly magnet?: string | undefined
  readonly address?: string | undefined
  readonly file?: string | undefined
}): TorrentSource {
  if (body.magnet !== undefined) return { kind: 'magnet', text: body.magnet }
  if (body.address !== undefined) return { kind: 'address', address: body.address.trim() }
  return { kind: 'file', base64: body.file ?? '' }
}

export function toChange(change: WireTorrentChange): TorrentChange {
  switch (change.kind) {
    case 'move':
      return { kind: 'move', folder: change.save_path }
    case 'tags':
      return { kind: 'tags', tags: tagsIn(change.tags) }
    case 'limits':
      return { kind: 'limits', upload: change.upload_limit, download: change.download_limit }
    default:
      return change
  }
}

function toWireDetails(owned: OwnedTorrent<DownloaderTarget>, details: TorrentDetails): WireTorrentDetails {
  return {
    torrent: toWireTorrent(owned),
    comment: details.comment,
    ...(details.isPrivate === undefined ? {} : { private: details.isPrivate }),
    pieces: details.pieces,
    piece_size: details.pieceBytes,
    upload_limit: details.uploadLimit,
    download_limit: details.downloadLimit,
    ...(details.availability === undefined ? {} : { availability: details.availability }),
    piece_map: [...details.pieceMap],
    ...(details.superSeeding === undefined ? {} : { super_seeding: details.superSeeding }),
    ...(details.sequential === undefined ? {} : { sequential: details.sequential }),
    ...(details.firstLast === undefined ? {} : { first_last: details.firstLast }),
    files: details.files.map((file) => ({
      index: file.index,
      path: file.path,
      size: file.sizeBytes,
      progress: file.progressPercent,
      priority: file.priority,
    })),
    trackers: details.trackers.map(({ said, ...tracker }) => ({ ...tracker, ...(said === '' ? {} : { said }) })),
    peers: details.peers.map((peer) => ({
      address: peer.address,
      client: peer.client,
      progress: peer.progressPercent,
      download_speed: peer.downloadBytesPerSecond,
      upload_speed: peer.uploadBytesPerSecond,
    })),
  }
}
