import { failWith, succeed } from '#shared/kernel/result.ts'
import {
  beginTorrentRun,
  listTorrentRuns,
  readTorrentRun,
  stopTorrentRun,
  undoTorrentRun,
  type WireRunDeed,
  type WireTorrentRun,
} from '../../contract/torrent-runs.ts'
import { failure } from '../../core/failure.ts'
import type { Say } from '../../core/reason/say.ts'
import type { RunDeed } from '../../core/torrent-run.ts'
import { torrentRunsOpenMax } from '../../limits.ts'
import type { TorrentRun } from '../../ports/torrent-runs.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { explained } from '../explained.ts'
import { toFilter } from '../torrent-list.ts'
import { toChange } from './torrents.ts'

const noRun = failure('not_found', { kind: 'none', what: 'torrent_run' })
const tooMany = failure('busy_conflict', { kind: 'torrent_run.too_many', limit: torrentRunsOpenMax })

export function torrentRunRoutes({
  downloaders,
  torrentRuns,
}: Pick<AppDeps, 'downloaders' | 'torrentRuns'>): BoundRoute[] {
  return [
    bind(listTorrentRuns, async ({ say }) =>
      succeed({ body: { items: (await torrentRuns.list()).map((run) => toWire(run, say)) } }),
    ),
    bind(beginTorrentRun, async ({ body, say }) => {
      const owners = (await downloaders.targets()).filter(
        ({ id }) => body.downloader_id === undefined || id === body.downloader_id,
      )
      if (owners.length === 0 && body.downloader_id !== undefined)
        return failWith(failure('not_found', { kind: 'none', what: 'downloader_on' }))
      const begun = await torrentRuns.begin({
        deed: toDeed(body.deed),
        owners,
        filter: toFilter(body),
        except: new Map(
          [...Map.groupBy(body.except ?? [], ({ downloader_id }) => downloader_id)].map(([id, some]) => [
            id,
            new Set(some.map(({ task_id }) => task_id)),
          ]),
        ),
        countMax: body.at_most,
      })
      if (begun.ok) return succeed(replyOf(begun.value, say))
      if (begun.failure.kind === 'too_many') return failWith(tooMany)
      const { count } = begun.failure
      return failWith(failure('busy_conflict', { kind: 'torrent_run.more_match', count, limit: body.at_most }))
    }),
    bind(readTorrentRun, async ({ params, say }) => {
      const run = await torrentRuns.find(params.run_id)
      return run === undefined ? failWith(noRun) : succeed({ body: toWire(run, say) })
    }),
    bind(stopTorrentRun, async ({ params, say }) => {
      const run = await torrentRuns.stop(params.run_id)
      return run === undefined ? failWith(noRun) : succeed(replyOf(run, say))
    }),
    bind(undoTorrentRun, async ({ params, say }) => {
      const undone = await torrentRuns.undo(params.run_id)
      if (undone.ok) return succeed(replyOf(undone.value, say))
      if (undone.failure === 'not_found') return failWith(noRun)
      return failWith(
        undone.failure === 'too_many' ? tooMany : failure('busy_conflict', { kind: 'torrent_run.no_way_back' }),
      )
    }),
  ]
}

function replyOf(run: TorrentRun, say: Say) {
  const body = toWire(run, say)
  return { body, audited: { deed: body.deed, names: [], count: body.total } }
}

function toDeed(deed: WireRunDeed): RunDeed {
  switch (deed.kind) {
    case 'pause':
    case 'resume':
    case 'delete':
    case 'delete_with_files':
      return { kind: 'action', action: deed.kind }
    default:
      return { kind: 'change', change: toChange(deed) }
  }
}

function toWire(run: TorrentRun, say: Say): WireTorrentRun {
  return {
    id: run.id,
    deed: run.deed.kind === 'action' ? run.deed.action : (run.deed.change.kind as WireTorrentRun['deed']),
    status: run.end ?? 'running',
    total: run.total,
    succeeded: run.succeeded,
    failed: run.failed,
    failures: run.failures.map(({ downloaderId, infoHash, title, reason }) => ({
      downloader_id: downloaderId,
      task_id: infoHash,
      title,
      message: say(reason),
      reason,
    })),
    unread: run.unread.map((one) => ({
      downloader_id: one.downloaderId,
      downloader: one.downloader,
      ...explained(say, one.reason),
    })),
    created_at: run.createdAtUnix,
    ...(run.finishedAtUnix === undefined ? {} : { finished_at: run.finishedAtUnix }),
  }
}
