import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { Result } from '#shared/kernel/result.ts'
import type { BrushNote, BrushRun, BrushRunStore } from '../../adapters/d1/brush-runs.ts'
import type { BrushTorrentRow } from '../../adapters/d1/brush-tasks.ts'
import { readSearchRows } from '../../contract/search-rows.ts'
import { type BrushedTorrent, noteLook, reasonToRemove } from '../../core/brush/brushed-torrent.ts'
import { type BrushCandidate, chooseTorrents, type LeftTorrent } from '../../core/brush/choose-torrents.ts'
import type { DownloaderTarget } from '../../core/downloader.ts'
import type { PushFailure } from '../../core/push-fault.ts'
import { chooseDownloader } from '../../core/push-plan.ts'
import { pushReason, siteReason } from '../../core/reason/of-fault.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { Reasons } from '../../core/reason/reasons.ts'
import { toldFigures } from '../../core/search-figures.ts'
import type { Torrent } from '../../core/torrent.ts'
import { brushLeftShown, brushRunMs, lostPushSeconds } from '../../limits.ts'
import type { BrushLeft } from '../../ports/brush.ts'
import type { DownloaderFleet, DownloaderStore } from '../../ports/downloaders.ts'
import type { PushOutcome, PushService } from '../../ports/pushes.ts'
import type { SiteEntry, SiteFleet } from '../../ports/sites.ts'

export interface BrushDeps {
  readonly clock: Clock
  readonly store: BrushRunStore
  readonly downloaders: Pick<DownloaderStore, 'list' | 'targets'>
  readonly fleet: Pick<DownloaderFleet, 'find' | 'act'>
  readonly sites: Pick<SiteFleet, 'search'>
  readonly pushService: PushService
}

/**
 * Runs the tasks of a site that are due, one after another: looks at what each holds, removes what no longer pays, takes
 * what is worth it. A site that is off or gone gives nothing new. Gives back when the next one is due, and what went wrong.
 */
export async function runBrush(
  deps: BrushDeps,
  siteId: number,
  site: SiteEntry | undefined,
): Promise<{ readonly dueAtUnix: number | undefined; readonly reason?: Reason }> {
  const untilMs = deps.clock.nowMs() + brushRunMs
  const all = new Reasons()
  let isFirst = true
  while (isFirst || deps.clock.nowMs() < untilMs) {
    const run = await deps.store.begin(siteId)
    if (run === undefined) break
    isFirst = false
    const faults = await runTask(deps, run, site, untilMs)
    await deps.store.finish(run, nameOf(run, site), faults.asOne())
    all.addAll(faults)
  }
  const dueAtUnix = await deps.store.nextDue(siteId)
  const reason = all.asOne()
  return { dueAtUnix, ...(reason === undefined ? {} : { reason }) }
}

/** Gives back each reason why it did not do all it should have, once. */
async function runTask(deps: BrushDeps, run: BrushRun, site: SiteEntry | undefined, untilMs: number): Promise<Reasons> {
  const targets = await deps.downloaders.targets()
  const faults = new Reasons()
  await deps.store.settle(run)
  const unread = await lookAt(deps, run, targets, faults)
  const readable = targets.filter(({ id }) => !unread.has(id))
  await removeFrom(deps, run, readable, nameOf(run, site), faults)
  const chosen = chooseDownloader(targets, run.downloaderId)
  if (site?.record.enabled !== true) return faults
  if (!chosen.ok) faults.add({ kind: 'none', what: 'downloader_usable' })
  // Of one that cannot be read it is not known what it holds.
  else if (!unread.has(chosen.value.id)) await takeFrom(deps, run, site, chosen.value, untilMs, faults)
  return faults
}

/** Brings the rows in step with the downloaders. Gives back those that could not be read. */
async function lookAt(
  { store, clock, downloaders, fleet }: BrushDeps,
  run: BrushRun,
  targets: readonly DownloaderTarget[],
  faults: Reasons,
): Promise<ReadonlySet<number>> {
  const nowUnix = unixSeconds(clock)
  const known = new Set((await downloaders.list()).map(({ id }) => id))
  const unread = new Set<number>()
  const held = (await store.held(run)).filter(({ status }) => status !== 'taking')
  await Promise.all(
    [...Map.groupBy(held, ({ downloaderId }) => downloaderId)].map(async ([downloaderId, rows]) => {
      const target = targets.find(({ id }) => id === downloaderId)
      // One that is switched off is looked at again once it is on.
      if (target === undefined && known.has(downloaderId)) return
      const found =
        target === undefined
          ? undefined
          : await fleet.find(
              target,
              rows.map(({ infoHash }) => infoHash),
            )
      if (target !== undefined && found?.ok === false) {
        faults.add(found.failure)
        unread.add(downloaderId)
        return
      }
      const shown = new Map((found?.ok ? found.value : []).map((torrent) => [torrent.infoHash, torrent]))
      const looks = rows.map((row) => look(row, shown.get(row.infoHash), target === undefined, nowUnix))
      await store.note(
        run,
        looks.map(({ note }) => note),
        {
          uploadedBytes: looks.reduce((sum, { uploadedBytes }) => sum + uploadedBytes, 0),
          downloadedBytes: looks.reduce((sum, { downloadedBytes }) => sum + downloadedBytes, 0),
          removed: looks.filter(({ note }) => note.status === 'removed').length,
        },
      )
    }),
  )
  return unread
}

function look(row: BrushTorrentRow, seen: Torrent | undefined, isForGood: boolean, nowUnix: number) {
  const unmoved = { uploadedBytes: 0, downloadedBytes: 0 }
  if (seen !== undefined) {
    const { torrent, ...moved } = noteLook(factsOf(row), seen, nowUnix)
    const completedAtUnix = torrent.completedAtUnix ?? null
    return { note: { ...row, ...torrent, completedAtUnix, missingSinceUnix: null } satisfies BrushNote, ...moved }
  }
  // A downloader that starts shows its torrents one after another.
  const missingSinceUnix = row.missingSinceUnix ?? nowUnix
  if (!isForGood && nowUnix - missingSinceUnix < lostPushSeconds)
    return { note: { ...row, missingSinceUnix }, ...unmoved }
  const status = row.status === 'removing' ? ('removed' as const) : ('gone' as const)
  return { note: { ...row, missingSinceUnix, status, endedAtUnix: nowUnix }, ...unmoved }
}

function factsOf(row: BrushTorrentRow): BrushedTorrent {
  const { sizeBytes, uploadedBytes, downloadedBytes, takenAtUnix, lastUploadAtUnix, completedAtUnix, freeEndAtUnix } =
    row
  return {
    sizeBytes,
    uploadedBytes,
    downloadedBytes,
    takenAtUnix,
    lastUploadAtUnix,
    ...(completedAtUnix === null ? {} : { completedAtUnix }),
    ...(freeEndAtUnix === null ? {} : { freeEndAtUnix }),
  }
}

/**
 * What has to go is written down first: a run that was cut off is made up for by the next one. Nothing is judged by what
 * was seen long ago.
 */
async function removeFrom(
  { store, clock, fleet }: BrushDeps,
  run: BrushRun,
  targets: readonly DownloaderTarget[],
  site: string,
  faults: Reasons,
): Promise<void> {
  const nowUnix = unixSeconds(clock)
  const targetOf = new Map(targets.map((target) => [target.id, target]))
  const judged = (await store.held(run)).flatMap((row) => {
    const isThere = row.status === 'active' && row.missingSinceUnix === null && targetOf.has(row.downloaderId)
    const removal = isThere ? reasonToRemove(factsOf(row), run.rules.removal, nowUnix) : undefined
    if (removal === undefined) return []
    const { reason, ...figures } = removal
    return [{ ...row, reason, removal: JSON.stringify(figures), status: 'removing' as const }]
  })
  await store.note(run, judged, { uploadedBytes: 0, downloadedBytes: 0, removed: 0 })
  // Somebody may have wanted one of them just now.
  await store.settle(run)
  const doomed = (await store.held(run)).filter(
    ({ status, missingSinceUnix }) => status === 'removing' && missingSinceUnix === null,
  )
  await Promise.all(
    [...Map.groupBy(doomed, ({ downloaderId }) => downloaderId)].map(async ([downloaderId, rows]) => {
      const target = targetOf.get(downloaderId)
      if (target === undefined) return
      const acted = await fleet.act(
        target,
        'delete_with_files',
        rows.map(({ infoHash }) => infoHash),
      )
      if (!acted.ok) {
        faults.add(acted.failure)
        return
      }
      const done = new Set(acted.value.filter(({ success }) => success).map(({ infoHash }) => infoHash))
      await store.removed(
        run,
        rows.filter(({ infoHash }) => done.has(infoHash)),
        site,
      )
    }),
  )
}

/** One after another, each written down before it is pushed. */
async function takeFrom(
  deps: BrushDeps,
  run: BrushRun,
  { record, target }: SiteEntry,
  downloader: DownloaderTarget,
  untilMs: number,
  faults: Reasons,
): Promise<void> {
  const { store, clock, pushService } = deps
  const held = await store.held(run)
  const holding = {
    active: held.length,
    downloading: held.filter(({ completedAtUnix }) => completedAtUnix === null).length,
    activeBytes: held.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  }
  if (holding.active >= run.rules.bounds.active_max || holding.downloading >= run.rules.bounds.downloading_max)
    return store.looked(run, { seen: 0, known: 0, isFull: true, left: [] })
  // Filtered here: what a site calls free is one promotion of several.
  const found = await deps.sites.search(target, { keyword: '', freeOnly: false, minSeeders: 0 })
  if (!found.ok) {
    faults.add(siteReason(found.failure))
    return
  }
  const newest = readSearchRows(found.value).map(toCandidate)
  const known = await store.known(
    record.name,
    newest.map(({ torrentId }) => torrentId),
  )
  const fresh = newest.filter(({ torrentId }) => !known.has(torrentId))
  const { chosen, left } = chooseTorrents(fresh, run.rules, holding, unixSeconds(clock))
  const counted = { seen: newest.length, known: newest.length - fresh.length, isFull: false }
  await store.looked(run, { ...counted, left: left.slice(0, brushLeftShown).map(toLeft) })
  for (const candidate of chosen) {
    if (clock.nowMs() >= untilMs || !(await store.take(run, record.name, candidate, downloader.id))) return
    const pushed = await pushService.push(target, downloader, {
      torrentId: candidate.torrentId,
      source: 'brush',
      title: candidate.title,
      category: 'brush',
      tags: [run.name.replaceAll(',', ' ')],
      savePath: '',
      unknownEnd: run.rules.pick.unknown_end ?? 'ending',
    })
    if (pushed.ok && pushed.value.kind === 'skipped') await store.skip(run, record.name, candidate.torrentId)
    const isUnderWay = !pushed.ok && pushed.failure.kind === 'interrupted'
    await store.settle(run, isUnderWay ? undefined : candidate.torrentId)
    const fault = faultOf(pushed)
    if (fault !== undefined) faults.add(fault)
  }
}

function toLeft({ torrentId, title, sizeBytes, why, clauses }: LeftTorrent): BrushLeft {
  return { torrentId, title, ...(sizeBytes === undefined ? {} : { sizeBytes }), why, clauses }
}

function nameOf(run: BrushRun, site: SiteEntry | undefined): string {
  return site?.record.displayName || site?.record.name || run.site
}

function toCandidate(item: ReturnType<typeof readSearchRows>[number]): BrushCandidate {
  return {
    torrentId: item.torrent_id,
    title: item.title,
    subtitle: item.subtitle ?? '',
    ...toldFigures(item),
    uploadedAtUnix: item.uploaded_at,
    discount: item.discount,
    discountEndAtUnix: item.discount_end_at,
    hasHr: item.has_hr,
  }
}

function faultOf(pushed: Result<PushOutcome, PushFailure>): Reason | undefined {
  if (!pushed.ok) return pushReason(pushed.failure)
  return 'reason' in pushed.value ? pushed.value.reason : undefined
}
