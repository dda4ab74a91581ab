import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { DownloaderTarget } from '../core/downloader.ts'
import { lostPushSeconds, pushCutOffSeconds } from '../limits.ts'
import type { DownloaderFleet, DownloaderStore } from '../ports.ts'
import type { FollowedPush, PushNote, PushRecordBook } from './d1/push-records.ts'

export interface FollowDeps {
  readonly clock: Clock
  readonly records: Pick<PushRecordBook, 'followed' | 'isAnyFollowed' | 'note'>
  readonly downloaders: Pick<DownloaderStore, 'list' | 'targets'>
  readonly fleet: Pick<DownloaderFleet, 'find'>
}

/** Brings the records of pushes in step with their downloaders. Gives back whether there is more to follow, and why not all could be read. */
export async function followPushes(deps: FollowDeps): Promise<{ readonly isMore: boolean; readonly error?: string }> {
  const nowUnix = unixSeconds(deps.clock)
  const rows = await deps.records.followed()
  const known = new Set((await deps.downloaders.list()).map(({ id }) => id))
  const targets = new Map((await deps.downloaders.targets()).map((target) => [target.id, target]))
  const errors: string[] = []
  // All at once: one that hangs costs the others nothing.
  await Promise.all(
    [...Map.groupBy(rows, (row) => row.downloaderId)].map(async ([downloaderId, pushes]) => {
      const target = targets.get(downloaderId)
      if (!known.has(downloaderId)) await deps.records.note(pushes.map(({ id }) => ({ id, lost: '下载器已被删除' })))
      // Switched off meanwhile: followed again once it is on.
      if (target === undefined) return
      const found = await lookUp(deps, target, pushes, nowUnix)
      if (typeof found === 'string') errors.push(`${target.name}：${found}`)
      else await deps.records.note(found)
    }),
  )
  return { isMore: await deps.records.isAnyFollowed(), ...(errors.length === 0 ? {} : { error: errors.join('；') }) }
}

/** What one downloader says about its share, or why it says nothing. */
async function lookUp(
  { fleet }: FollowDeps,
  target: DownloaderTarget,
  pushes: readonly FollowedPush[],
  nowUnix: number,
): Promise<PushNote[] | string> {
  const found = await fleet.find(
    target,
    pushes.flatMap(({ infoHashes }) => infoHashes),
  )
  if (!found.ok) return found.failure
  const byHash = new Map(found.value.map((torrent) => [torrent.infoHash, torrent]))
  return pushes.flatMap((push): PushNote[] => {
    const torrent = push.infoHashes.map((infoHash) => byHash.get(infoHash)).find((one) => one !== undefined)
    if (torrent !== undefined) {
      const isNews = !push.isPushed || push.missingSinceUnix !== undefined || push.startedAtUnix !== undefined
      return isNews || torrent.progressPercent !== push.progressPercent ? [{ id: push.id, torrent }] : []
    }
    if (push.startedAtUnix !== undefined) {
      const isCutOff = nowUnix - push.startedAtUnix >= pushCutOffSeconds
      return isCutOff ? [{ id: push.id, lost: '推送中断，下载器中没有这个种子' }] : []
    }
    // A downloader that starts shows its torrents one after another.
    if (push.missingSinceUnix === undefined) return [{ id: push.id, missingSinceUnix: nowUnix }]
    const isGone = nowUnix - push.missingSinceUnix >= lostPushSeconds
    return isGone ? [{ id: push.id, lost: '种子已从下载器中移除' }] : []
  })
}
