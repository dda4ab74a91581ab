import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import type { OpenRun, TorrentRunStore } from '../../adapters/d1/torrent-runs.ts'
import type { DownloaderTarget } from '../../core/downloader.ts'
import { unknownDownloader } from '../../core/torrent-action-plan.ts'
import { batchesOf, holdsForAll, outcomeOf, type RunBatch, undoOfRun } from '../../core/torrent-run.ts'
import { torrentRunBatchSize, torrentRunSeconds, torrentRunSliceMs } from '../../limits.ts'
import type { DownloaderFleet, DownloaderStore } from '../../ports/downloaders.ts'
import type { TorrentRun, TorrentRuns, UnreadDownloader } from '../../ports/torrent-runs.ts'

interface RunDeps {
  readonly clock: Clock
  readonly store: TorrentRunStore
  readonly downloaders: Pick<DownloaderStore, 'targets'>
  readonly fleet: Pick<DownloaderFleet, 'matching' | 'act' | 'change'>
}

export function createTorrentRuns(deps: RunDeps & { readonly wake: () => Promise<void> }): TorrentRuns {
  const { store, fleet } = deps

  async function write(
    deed: OpenRun['deed'],
    chosen: readonly RunBatch[],
    unread: readonly UnreadDownloader[],
  ): Promise<TorrentRun | undefined> {
    const id = await store.create(deed, batchesOf(chosen, torrentRunBatchSize), unread)
    if (id === undefined) return undefined
    await deps.wake()
    return store.find(id)
  }

  return {
    list: () => store.list(),
    find: (id) => store.find(id),

    async begin({ deed, owners, filter, except, countMax }) {
      const reads = await Promise.all(
        owners.map(async (owner) => ({ owner, read: await fleet.matching(owner, filter) })),
      )
      const chosen = reads.flatMap(({ owner, read }) =>
        read.ok
          ? [
              {
                downloaderId: owner.id,
                targets: read.value.filter(({ infoHash }) => except.get(owner.id)?.has(infoHash) !== true),
              },
            ]
          : [],
      )
      const count = chosen.reduce((sum, { targets }) => sum + targets.length, 0)
      if (count > countMax) return failWith({ kind: 'more_match', count })
      const unread = reads.flatMap(({ owner, read }) =>
        read.ok ? [] : [{ downloaderId: owner.id, downloader: owner.name, reason: read.failure }],
      )
      const run = await write(deed, chosen, unread)
      return run === undefined ? failWith({ kind: 'too_many' }) : succeed(run)
    },

    async stop(id) {
      await store.stop(id)
      await deps.wake()
      return store.find(id)
    },

    async undo(id) {
      const run = await store.find(id)
      if (run === undefined) return failWith('not_found')
      const back = undoOfRun(run.deed)
      if (back === undefined || run.end === undefined) return failWith('no_way_back')
      const done = (await store.doneBy(id)).map(({ downloaderId, targets }) => ({
        downloaderId,
        targets: targets.filter(({ isHeld }) => isHeld === back.wasHeld),
      }))
      const taken = await write(back.deed, done, [])
      return taken === undefined ? failWith('too_many') : succeed(taken)
    },
  }
}

/** Carries out what is under way, the oldest first, for a bounded time. True when there is more. */
export async function carryOnRuns(deps: RunDeps): Promise<boolean> {
  const { clock, store } = deps
  const untilMs = clock.nowMs() + torrentRunSliceMs
  const targets = new Map((await deps.downloaders.targets()).map((target) => [target.id, target]))
  for (let run = await store.next(); run !== undefined; run = await store.next()) {
    // Somebody who waited that long for it has done something else since.
    const isTooLate = unixSeconds(clock) - run.createdAtUnix >= torrentRunSeconds
    const open = await store.openDownloaders(run.id)
    if (open.length === 0) await store.finish(run.id, 'done')
    else if (run.isStopped) await store.finish(run.id, 'stopped')
    else if (isTooLate) await store.finish(run.id, 'too_late')
    else if (clock.nowMs() >= untilMs) return true
    else {
      const { id, deed } = run
      // Side by side: one that hangs holds up none of the others.
      await Promise.all(open.map((one) => carryOn(deps, { id, deed }, one, targets.get(one), untilMs)))
    }
  }
  return false
}

async function carryOn(
  { clock, store, fleet }: RunDeps,
  { id, deed }: Pick<OpenRun, 'id' | 'deed'>,
  downloaderId: number,
  target: DownloaderTarget | undefined,
  untilMs: number,
): Promise<void> {
  if (target === undefined) return store.refuseAll(id, downloaderId, unknownDownloader)
  while (clock.nowMs() < untilMs && !(await store.isStopped(id))) {
    const batch = await store.take(id, downloaderId)
    if (batch === undefined) return
    const infoHashes = batch.targets.map(({ infoHash }) => infoHash)
    const acted = await (deed.kind === 'action'
      ? fleet.act(target, deed.action, infoHashes)
      : fleet.change(target, deed.change, infoHashes))
    if (!acted.ok && holdsForAll(acted.failure)) return store.refuseAll(id, downloaderId, acted.failure)
    const outcomes = acted.ok
      ? acted.value
      : infoHashes.map((infoHash) => ({ infoHash, success: false, reason: acted.failure }))
    await store.note(id, batch.position, outcomeOf(deed, batch.targets, outcomes, batch.wasBegun))
  }
}
