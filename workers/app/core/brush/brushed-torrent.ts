import { gibBytes } from '../gib-bytes.ts'
import type { Torrent } from '../torrent.ts'
import type { BrushReason } from '../vocabulary.ts'
import type { RemovalRules } from './brush-rules.ts'

const hourSeconds = 3600

/** A torrent that a task took, as it was when it was last looked at. */
export interface BrushedTorrent {
  readonly sizeBytes: number
  /** The downloader's counters. */
  readonly uploadedBytes: number
  readonly downloadedBytes: number
  readonly takenAtUnix: number
  readonly completedAtUnix?: number
  /** When its upload was last seen to have grown; before that, when it was taken. */
  readonly lastUploadAtUnix: number
  /** Of one that was taken because it is free. */
  readonly freeEndAtUnix?: number
}

/** What a look at the downloader shows of it, and what it moved since the look before. */
export function noteLook<One extends BrushedTorrent>(
  before: One,
  seen: Pick<Torrent, 'sizeBytes' | 'progressPercent' | 'uploadedBytes' | 'downloadedBytes' | 'completedAtUnix'>,
  nowUnix: number,
): { readonly torrent: One; readonly uploadedBytes: number; readonly downloadedBytes: number } {
  const uploadedBytes = growth(before.uploadedBytes, seen.uploadedBytes)
  const isComplete = seen.progressPercent >= 100
  // By the downloader's clock, which may be another one.
  const completedAtUnix = Math.min(nowUnix, Math.max(before.takenAtUnix, seen.completedAtUnix || nowUnix))
  return {
    torrent: {
      ...before,
      // A downloader knows no size before it has read the file.
      sizeBytes: seen.sizeBytes || before.sizeBytes,
      uploadedBytes: seen.uploadedBytes,
      downloadedBytes: seen.downloadedBytes,
      lastUploadAtUnix: uploadedBytes > 0 ? nowUnix : before.lastUploadAtUnix,
      // One that is checked anew was complete before.
      ...(isComplete && before.completedAtUnix === undefined ? { completedAtUnix } : {}),
    },
    uploadedBytes,
    downloadedBytes: growth(before.downloadedBytes, seen.downloadedBytes),
  }
}

/** A counter that fell began anew: what it missed is not known, and it counts from where it is. */
function growth(before: number, now: number): number {
  return Math.max(0, now - before)
}

/** Why one was removed, and by which figures: hours, a ratio or GiB, as the reason counts. */
export interface Removal {
  readonly reason: BrushReason
  /** What the task asked for; nothing where the end of a free period is enough. */
  readonly asked?: number
  /** As it was then. */
  readonly found: number
}

/** Why it has to go, the most pressing reason first; undefined when it may stay. */
export function reasonToRemove(torrent: BrushedTorrent, removal: RemovalRules, nowUnix: number): Removal | undefined {
  const { completedAtUnix, freeEndAtUnix, lastUploadAtUnix, sizeBytes, takenAtUnix, uploadedBytes } = torrent
  const hoursSince = (atUnix: number) => (nowUnix - atUnix) / hourSeconds
  const reached = (reason: BrushReason, found: number, asked: number | undefined): Removal | undefined =>
    asked !== undefined && found >= asked ? { reason, asked, found } : undefined
  const uploaded = reached('uploaded', uploadedBytes / gibBytes, removal.uploaded_gib)
  if (completedAtUnix === undefined) {
    const isOver = removal.free_over && freeEndAtUnix !== undefined && nowUnix >= freeEndAtUnix
    if (isOver) return { reason: 'free_over', found: hoursSince(freeEndAtUnix) }
    return reached('incomplete', hoursSince(takenAtUnix), removal.incomplete_hours) ?? uploaded
  }
  return (
    reached('seeding', hoursSince(completedAtUnix), removal.seeding_hours) ??
    (sizeBytes > 0 ? reached('ratio', uploadedBytes / sizeBytes, removal.ratio) : undefined) ??
    reached('idle', hoursSince(Math.max(completedAtUnix, lastUploadAtUnix)), removal.idle_hours) ??
    uploaded
  )
}
