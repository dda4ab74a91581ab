import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { type Result, succeed } from '#shared/kernel/result.ts'
import type { FollowedPush, PushNote, PushRecordBook } from '../../adapters/d1/push-records.ts'
import type { DownloaderTarget } from '../../core/downloader.ts'
import type { NamedReason, Reason } from '../../core/reason/reason.ts'
import { lostPushSeconds, pushCutOffSeconds } from '../../limits.ts'
import type { DownloaderFleet, DownloaderStore } from '../../ports/downloaders.ts'

export interface FollowDeps {
  readonly clock: Clock
  readonly records: Pick<PushRecordBook, 'followed' | 'isAnyFollowed' | 'note'>
  readonly downloaders: Pick<DownloaderStore, 'list' | 'targets'>
  readonly fleet: Pick<DownloaderFleet, 'find'>
}

/** Brings the records of pushes in step with their downloaders. Gives back whether there is more to follow, and why not all could be read. */
export async function followPushes(deps: FollowDeps): Promise<{ readonly isMore: boolean; readonly reason?: Reason }> {
  const nowUnix = unixSeconds(deps.clock)
  const rows = await deps.records.followed()
  const known = new Set((await deps.downloaders.list()).map(({ id }) => id))
  const targets = new Map((await deps.downloaders.targets()).map((target) => [target.id, target]))
  const errors: NamedReason[] = []
  // All at once: one that hangs costs the others nothing.
  await Promise.all(
    [...Map.groupBy(rows, (row) => row.downloaderId)].map(async ([downloaderId, pushes]) => {
      const target = targets.get(downloaderId)
      if (!known.has(downloaderId))
        await deps.records.note(pushes.map(({ id }) => ({ id, lost: { kind: 'downloader_deleted' } as const })))
      // Switched off meanwhile: followed again once it is on.
      if (target === undefined) return
      const found = await lookUp(deps, target, pushes, nowUnix)
      if (found.ok) await deps.records.note(found.value)
      else errors.push({ name: target.name, reason: found.failure })
    }),
  )
  return {
    isMore: await deps.records.isAnyFollowed(),
    ...(errors.length === 0 ? {} : { reason: { kind: 'several', of: errors } }),
  }
}

/** What one downloader says about its share, or why it says nothing. */
async function lookUp(
  { fleet }: FollowDeps,
  target: DownloaderTarget,
  pushes: readonly FollowedPush[],
  nowUnix: number,
): Promise<Result<PushNote[], Reason>> {
  const found = await fleet.find(
    target,
    pushes.flatMap(({ infoHashes }) => infoHashes),
  )
  if (!found.ok) return found
  const byHash = new Map(found.value.map((torrent) => [torrent.infoHash, torrent]))
  const notes = pushes.flatMap((push): PushNote[] => {
    const torrent = push.infoHashes.map((infoHash) => byHash.get(infoHash)).find((one) => one !== undefined)
    if (torrent !== undefined) {
      const isNews = !push.isPushed || push.missingSinceUnix !== undefined || push.startedAtUnix !== undefined
      return isNews || torrent.progressPercent !== push.progressPercent ? [{ id: push.id, torrent }] : []
    }
    if (push.startedAtUnix !== undefined) {
      const isCutOff = nowUnix - push.startedAtUnix >= pushCutOffSeconds
      return isCutOff ? [{ id: push.id, lost: { kind: 'push.cut_off' } }] : []
    }
    // A downloader that starts shows its torrents one after another.
    if (push.missingSinceUnix === undefined) return [{ id: push.id, missingSinceUnix: nowUnix }]
    const isGone = nowUnix - push.missingSinceUnix >= lostPushSeconds
    return isGone ? [{ id: push.id, lost: { kind: 'torrent_removed' } }] : []
  })
  return succeed(notes)
}
