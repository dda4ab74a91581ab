import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  addBrushTask,
  type BrushTaskBody,
  changeBrushTask,
  listBrushTorrents,
  listConsoleBrushTasks,
  removeBrushTask,
  runBrushTask,
  type WireBrushTorrent,
  type WireConsoleBrushTask,
} from '../../contract/console-brush.ts'
import { type Failure, failure } from '../../core/failure.ts'
import { siteAbilities } from '../../core/site.ts'
import { brushTasksMax } from '../../limits.ts'
import type { AppDeps, BrushTask, BrushTaskChange, BrushTorrent } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { toWireBrushTask } from './brush.ts'

const noTask = failure('not_found', '没有这个刷流任务')
const refusals = {
  not_found: noTask,
  name_taken: failure('invalid_argument', '字段 name 不正确：已有同名的刷流任务'),
  too_many: failure('invalid_argument', `最多只能有 ${brushTasksMax} 个刷流任务`),
} as const

export function consoleBrushRoutes(deps: Pick<AppDeps, 'brush' | 'sites' | 'downloaders'>): BoundRoute[] {
  const { brush } = deps

  /** Both may be switched off, and neither may be missing. */
  async function toChange(body: BrushTaskBody): Promise<Result<BrushTaskChange, Failure>> {
    const site = await deps.sites.find(body.site)
    if (site === undefined) return failWith(failure('invalid_argument', '字段 site 不正确：没有这个站点'))
    if (!siteAbilities[site.record.kind].search)
      return failWith(failure('invalid_argument', '字段 site 不正确：这类站点没有种子列表'))
    const downloaderId = body.downloader_id ?? 0
    if (downloaderId !== 0 && !(await deps.downloaders.list()).some(({ id }) => id === downloaderId))
      return failWith(failure('invalid_argument', '字段 downloader_id 不正确：没有这个下载器'))
    const { name, enabled, every_minutes: everyMinutes, rules } = body
    return succeed({ name, enabled, siteId: site.record.id, downloaderId, everyMinutes, rules })
  }

  return [
    bind(listConsoleBrushTasks, async () =>
      succeed({ body: { items: (await brush.list()).map(toWireConsoleBrushTask) } }),
    ),
    bind(addBrushTask, async ({ body }) => {
      const change = await toChange(body)
      return change.ok ? stored(await brush.add(change.value)) : change
    }),
    bind(changeBrushTask, async ({ params, body }) => {
      const change = await toChange(body)
      return change.ok ? stored(await brush.update(params.id, change.value)) : change
    }),
    bind(removeBrushTask, async ({ params }) =>
      (await brush.remove(params.id)) ? succeed({ body: { ok: true as const } }) : failWith(noTask),
    ),
    bind(runBrushTask, async ({ params }) =>
      (await brush.runSoon(params.id))
        ? succeed({ body: { ok: true as const } })
        : failWith(failure('not_found', '没有这个刷流任务，或它未启用')),
    ),
    bind(listBrushTorrents, async ({ params }) => {
      const torrents = await brush.torrents(params.id)
      return torrents === undefined ? failWith(noTask) : succeed({ body: { items: torrents.map(toWireBrushTorrent) } })
    }),
  ]
}

function stored(
  outcome: Result<BrushTask, keyof typeof refusals>,
): Result<{ readonly body: WireConsoleBrushTask }, Failure> {
  return outcome.ok ? succeed({ body: toWireConsoleBrushTask(outcome.value) }) : failWith(refusals[outcome.failure])
}

function toWireConsoleBrushTask(task: BrushTask): WireConsoleBrushTask {
  const { pick, bounds, removal } = task.rules
  return {
    ...toWireBrushTask(task),
    downloader_id: task.downloaderId,
    every_minutes: task.everyMinutes,
    rules: { pick: { ...pick, refused_words: [...pick.refused_words] }, bounds, removal },
    due_at: task.dueAtUnix,
    ...(task.lastFinishedAtUnix === undefined ? {} : { last_at: task.lastFinishedAtUnix }),
    ...(task.lastError === undefined ? {} : { last_error: task.lastError }),
  }
}

function toWireBrushTorrent(torrent: BrushTorrent): WireBrushTorrent {
  return {
    torrent_id: torrent.torrentId,
    title: torrent.title,
    status: torrent.status,
    ...(torrent.reason === undefined ? {} : { reason: torrent.reason }),
    size: torrent.sizeBytes,
    uploaded: torrent.uploadedBytes,
    downloaded: torrent.downloadedBytes,
    taken_at: torrent.takenAtUnix,
    ...(torrent.completedAtUnix === undefined ? {} : { completed_at: torrent.completedAtUnix }),
    ...(torrent.freeEndAtUnix === undefined ? {} : { free_end_at: torrent.freeEndAtUnix }),
    ...(torrent.endedAtUnix === undefined ? {} : { ended_at: torrent.endedAtUnix }),
  }
}
