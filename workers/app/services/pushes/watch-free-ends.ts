import { unixSeconds } from '#shared/kernel/clock.ts'
import type { FreeEndStore, FreePush } from '../../adapters/d1/free-ends.ts'
import type { DownloaderTarget } from '../../core/downloader.ts'
import { judgeFreeEnd } from '../../core/free-end.ts'
import type { FreeEndReason, NamedReason, Reason } from '../../core/reason/reason.ts'
import type { FreeEndAction } from '../../core/vocabulary.ts'
import { freeEndLeadSeconds, freeEndLookSeconds, freeEndNearLookSeconds, freeEndWarnSeconds } from '../../limits.ts'
import type { DownloaderFleet, DownloaderStore } from '../../ports/downloaders.ts'
import type { OwnerSettings } from '../../ports/settings.ts'
import { actOnOne } from '../downloaders/act-on-one.ts'
import { type AuditDeps, ownEntry, writtenDown } from '../written-down.ts'

export interface FreeEndDeps extends AuditDeps {
  readonly settings: Pick<OwnerSettings, 'read'>
  readonly store: FreeEndStore
  readonly downloaders: Pick<DownloaderStore, 'targets'>
  readonly fleet: Pick<DownloaderFleet, 'find' | 'act'>
}

/** What the log calls it. */
const command = 'free-end'

export const freeEndSpans = { warnSeconds: freeEndWarnSeconds, leadSeconds: freeEndLeadSeconds }

/** Whether anything that was taken as free is left to be looked at. */
export async function isFreeEndWatched({ settings, store }: Pick<FreeEndDeps, 'settings' | 'store'>): Promise<boolean> {
  return store.isAnyWaiting((await settings.read('freeEnd')).value.action)
}

/**
 * Looks at what downloads because it is free, and warns about or pauses what will not be complete in time. Once for each
 * push: whoever starts a paused one again wants it whatever it costs. Gives back when to look again.
 */
export async function watchFreeEnds(
  deps: FreeEndDeps,
): Promise<{ readonly dueAtUnix: number | undefined; readonly reason?: Reason }> {
  const { action, unknownEnd } = (await deps.settings.read('freeEnd')).value
  const nowUnix = unixSeconds(deps.clock)
  const pushes = await deps.store.waiting(action)
  const targets = new Map((await deps.downloaders.targets()).map((target) => [target.id, target]))
  const errors: NamedReason[] = []
  await Promise.all(
    [...Map.groupBy(pushes, ({ downloaderId }) => downloaderId)].map(async ([downloaderId, some]) => {
      const target = targets.get(downloaderId)
      if (target === undefined) return
      const found = await deps.fleet.find(
        target,
        some.flatMap(({ infoHashes }) => infoHashes),
      )
      if (!found.ok) {
        errors.push({ name: target.name, reason: found.failure })
        return
      }
      const shown = new Map(found.value.map((torrent) => [torrent.infoHash, torrent]))
      for (const push of some) {
        const torrent = push.infoHashes.map((infoHash) => shown.get(infoHash)).find((one) => one !== undefined)
        if (torrent === undefined) continue
        const free = { endAtUnix: push.endAtUnix, unknown: push.unknownEnd ?? unknownEnd }
        const judged = judgeFreeEnd(torrent, free, nowUnix, freeEndSpans)
        if (judged === undefined) continue
        const isPaused = action === 'pause' && judged.isOver
        if (!isPaused && push.ending === 'warned') continue
        const reason = { kind: 'push.free_ending', paused: isPaused, why: judged.why } as const
        const failure = isPaused
          ? await pause(deps, target, push, torrent.infoHash, reason)
          : await warn(deps, push, reason)
        if (failure !== undefined) errors.push({ name: target.name, reason: failure })
      }
    }),
  )
  return {
    dueAtUnix: await nextLook(deps, action, pushes, nowUnix),
    ...(errors.length === 0 ? {} : { reason: { kind: 'several', of: errors } }),
  }
}

async function nextLook(
  { store, clock }: FreeEndDeps,
  action: FreeEndAction,
  seen: readonly FreePush[],
  nowUnix: number,
) {
  if (!(await store.isAnyWaiting(action))) return undefined
  const isNear = seen.some(
    ({ endAtUnix }) =>
      endAtUnix !== undefined &&
      endAtUnix >= nowUnix &&
      endAtUnix - nowUnix <= freeEndLeadSeconds + 2 * freeEndLookSeconds,
  )
  return unixSeconds(clock) + (isNear ? freeEndNearLookSeconds : freeEndLookSeconds)
}

/** Gives back why it could not be said. */
async function warn(deps: FreeEndDeps, push: FreePush, reason: FreeEndReason): Promise<Reason | undefined> {
  const written = await writtenDown(
    deps,
    ownEntry(command, push.id),
    () => deps.store.note(push.id, 'warned', reason),
    () => ({ result: 'ok', status: 200, reason: { ...reason, title: push.title } }),
  )
  return written.ok ? undefined : written.failure
}

/** Gives back why it could not be paused. */
async function pause(
  deps: FreeEndDeps,
  target: DownloaderTarget,
  push: FreePush,
  infoHash: string,
  reason: FreeEndReason,
): Promise<Reason | undefined> {
  const written = await writtenDown(
    deps,
    ownEntry(command, push.id),
    async () => {
      const failure = await actOnOne(deps.fleet, target, 'pause', infoHash)
      // Written once it is so: one that was cut off is paused again, which changes nothing.
      if (failure === undefined) await deps.store.note(push.id, 'paused', reason)
      return failure
    },
    (failure) =>
      failure === undefined
        ? { result: 'ok', status: 200, reason: { ...reason, title: push.title } }
        : { result: 'error', status: 502, reason: failure },
  )
  return written.ok ? written.value : written.failure
}
