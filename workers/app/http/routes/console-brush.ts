import { unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  addBrushTask,
  type BrushTaskBody,
  changeBrushTask,
  listBrushLeft,
  listBrushTorrents,
  listConsoleBrushTasks,
  removeBrushTask,
  runBrushTask,
  tryBrushTask,
  type WireBrushLeft,
  type WireBrushTorrent,
  type WireConsoleBrushTask,
} from '../../contract/console-brush.ts'
import type { WireClause } from '../../contract/console-rules.ts'
import { dryPick } from '../../core/brush/choose-torrents.ts'
import { type Failure, failure, wrongField } from '../../core/failure.ts'
import type { Say } from '../../core/reason/say.ts'
import type { DryRun } from '../../core/rules/dry-run.ts'
import { canSearch } from '../../core/site.ts'
import { brushTasksMax, feedItemSeconds } from '../../limits.ts'
import type { BrushLeft, BrushTask, BrushTaskChange, BrushTorrent } from '../../ports/brush.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { hasDownloader, noDownloader } from '../known-downloader.ts'
import { removeNamed } from '../remove-named.ts'
import { trialBetween } from '../rule-trial.ts'
import { toWireBrushTask } from './brush.ts'

const noTask = failure('not_found', { kind: 'none', what: 'brush_task' })
const nothingTaken: DryRun = { verdicts: [], byRule: new Map(), left: 0, taken: 0, billed: 0, bytes: 0, unsized: 0 }
const refusals = {
  not_found: noTask,
  name_taken: wrongField('name', { kind: 'name_taken', what: 'brush_task' }),
  too_many: failure('invalid_argument', { kind: 'too_many', what: 'brush_task', limit: brushTasksMax }),
} as const

export function consoleBrushRoutes(
  deps: Pick<AppDeps, 'brush' | 'sites' | 'downloaders' | 'feeds' | 'clock'>,
): BoundRoute[] {
  const { brush } = deps

  /** Both may be switched off, and neither may be missing. */
  async function toChange(body: BrushTaskBody): Promise<Result<BrushTaskChange, Failure>> {
    const site = await deps.sites.find(body.site)
    if (site === undefined) return failWith(wrongField('site', { kind: 'none', what: 'site' }))
    if (!canSearch(site.record.kind, site.record.profile))
      return failWith(wrongField('site', { kind: 'rule.no_torrent_list' }))
    const downloaderId = body.downloader_id ?? 0
    if (!(await hasDownloader(deps, downloaderId))) return failWith(noDownloader)
    const { name, enabled, every_minutes: everyMinutes, rules } = body
    return succeed({ name, enabled, siteId: site.record.id, downloaderId, everyMinutes, rules })
  }

  return [
    bind(listConsoleBrushTasks, async ({ say }) =>
      succeed({ body: { items: (await brush.list()).map((task) => toWireConsoleBrushTask(task, say)) } }),
    ),
    bind(tryBrushTask, async ({ body }) => {
      const site = await deps.sites.find(body.site)
      if (site === undefined) return failWith(wrongField('site', { kind: 'none', what: 'site' }))
      const sinceUnix = unixSeconds(deps.clock) - feedItemSeconds
      const all = [...(await deps.feeds.candidates(sinceUnix))].reverse()
      const past = all.filter(({ candidate }) => candidate.site === site.record.name)
      const present = (await brush.list()).find(({ id }) => id === body.id)
      // A task that is off, or is there no more, took nothing.
      const stored = present?.enabled === true ? dryPick(past, present.rules.pick) : nothingTaken
      return succeed({ body: trialBetween(past, stored, dryPick(past, body.pick)) })
    }),
    bind(addBrushTask, async ({ body, say }) => {
      const change = await toChange(body)
      return change.ok ? stored(await brush.add(change.value), say) : change
    }),
    bind(changeBrushTask, async ({ params, body, say }) => {
      const change = await toChange(body)
      return change.ok ? stored(await brush.update(params.id, change.value), say) : change
    }),
    bind(removeBrushTask, ({ params }) => removeNamed(brush, params.id, noTask)),
    bind(runBrushTask, async ({ params }) =>
      (await brush.runSoon(params.id))
        ? succeed({ body: { ok: true as const } })
        : failWith(failure('not_found', { kind: 'none', what: 'brush_task_on' })),
    ),
    bind(listBrushTorrents, async ({ params }) => {
      const torrents = await brush.torrents(params.id)
      return torrents === undefined ? failWith(noTask) : succeed({ body: { items: torrents.map(toWireBrushTorrent) } })
    }),
    bind(listBrushLeft, async ({ params }) => {
      const look = await brush.lastLook(params.id)
      if (look === false) return failWith(noTask)
      if (look === undefined) return succeed({ body: { items: [] } })
      const { atUnix: at, seen, known, isFull: full, left } = look
      return succeed({ body: { items: left.map(toWireLeft), looked: { at, seen, known, full } } })
    }),
  ]
}

function stored(
  outcome: Result<BrushTask, keyof typeof refusals>,
  say: Say,
): Result<{ readonly body: WireConsoleBrushTask }, Failure> {
  return outcome.ok
    ? succeed({ body: toWireConsoleBrushTask(outcome.value, say) })
    : failWith(refusals[outcome.failure])
}

function toWireConsoleBrushTask(task: BrushTask, say: Say): WireConsoleBrushTask {
  const { pick, bounds, removal } = task.rules
  return {
    ...toWireBrushTask(task),
    downloader_id: task.downloaderId,
    every_minutes: task.everyMinutes,
    rules: { pick: { ...pick, refused_words: [...pick.refused_words] }, bounds, removal },
    due_at: task.dueAtUnix,
    ...(task.hasBegun ? { has_begun: true } : {}),
    ...(task.lastFinishedAtUnix === undefined ? {} : { last_at: task.lastFinishedAtUnix }),
    ...(task.lastReason === undefined ? {} : { last_error: say(task.lastReason), reason: task.lastReason }),
  }
}

function toWireBrushTorrent(torrent: BrushTorrent): WireBrushTorrent {
  return {
    torrent_id: torrent.torrentId,
    title: torrent.title,
    status: torrent.status,
    ...(torrent.reason === undefined ? {} : { reason: torrent.reason }),
    ...(torrent.removal === undefined ? {} : { removal: torrent.removal }),
    clauses: structuredClone(torrent.clauses) as WireClause[],
    size: torrent.sizeBytes,
    uploaded: torrent.uploadedBytes,
    downloaded: torrent.downloadedBytes,
    taken_at: torrent.takenAtUnix,
    ...(torrent.completedAtUnix === undefined ? {} : { completed_at: torrent.completedAtUnix }),
    ...(torrent.freeEndAtUnix === undefined ? {} : { free_end_at: torrent.freeEndAtUnix }),
    ...(torrent.endedAtUnix === undefined ? {} : { ended_at: torrent.endedAtUnix }),
  }
}

function toWireLeft({ torrentId, title, sizeBytes, why, clauses }: BrushLeft): WireBrushLeft {
  return {
    torrent_id: torrentId,
    title,
    ...(sizeBytes === undefined ? {} : { size: sizeBytes }),
    why,
    clauses: structuredClone(clauses) as WireClause[],
  }
}
