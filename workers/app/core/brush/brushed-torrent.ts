import type { Torrent } from '../torrent.ts'
import type { BrushReason } from '../vocabulary.ts'
import type { RemovalRules } from './brush-rules.ts'

const gibBytes = 1024 ** 3
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

/** Why it has to go, the most pressing reason first; undefined when it may stay. */
export function reasonToRemove(
  torrent: BrushedTorrent,
  removal: RemovalRules,
  nowUnix: number,
): BrushReason | undefined {
  const { completedAtUnix, freeEndAtUnix, lastUploadAtUnix, sizeBytes, takenAtUnix, uploadedBytes } = torrent
  const reached = (value: number, least: number | undefined, unit: number) =>
    least !== undefined && value >= least * unit
  if (completedAtUnix === undefined) {
    if (removal.free_over && freeEndAtUnix !== undefined && nowUnix >= freeEndAtUnix) return 'free_over'
    if (reached(nowUnix - takenAtUnix, removal.incomplete_hours, hourSeconds)) return 'incomplete'
  } else {
    if (reached(nowUnix - completedAtUnix, removal.seeding_hours, hourSeconds)) return 'seeding'
    if (sizeBytes > 0 && reached(uploadedBytes, removal.ratio, sizeBytes)) return 'ratio'
    if (reached(nowUnix - Math.max(completedAtUnix, lastUploadAtUnix), removal.idle_hours, hourSeconds)) return 'idle'
  }
  return reached(uploadedBytes, removal.uploaded_gib, gibBytes) ? 'uploaded' : undefined
}
