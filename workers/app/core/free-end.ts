/** Whether a torrent that was taken because it is free will be complete before it is free no more. */
import type { FreeEndWhy } from './reason/reason.ts'
import type { Torrent } from './torrent.ts'
import type { DiscountEnd, UnknownEnd } from './vocabulary.ts'

/** When a free period is over by the rule that it was taken under: one whose end nobody tells is over now, or has none. */
export function endOfFree(endAtUnix: number | undefined, unknown: UnknownEnd, nowUnix: number): number {
  return endAtUnix ?? (unknown === 'open' ? Number.POSITIVE_INFINITY : nowUnix)
}

export function discountEndOf(endAtUnix: number | undefined): DiscountEnd {
  return endAtUnix === undefined ? 'unknown' : 'known'
}

export type RunningTorrent = Pick<Torrent, 'state' | 'sizeBytes' | 'progressPercent' | 'downloadBytesPerSecond'>

/** Whether it downloads, or would as soon as its turn comes: what is paused already costs nothing. */
function isRunning({ state, progressPercent }: RunningTorrent): boolean {
  return progressPercent < 100 && (state === 'downloading' || state === 'queued' || state === 'checking')
}

/** By the speed it has now. Infinite while nothing comes, or its size is not known. */
export function secondsToFinish({ sizeBytes, progressPercent, downloadBytesPerSecond }: RunningTorrent): number {
  if (sizeBytes <= 0 || downloadBytesPerSecond <= 0) return Number.POSITIVE_INFINITY
  return (sizeBytes * (100 - progressPercent)) / 100 / downloadBytesPerSecond
}

/** How long before the end a torrent that will not be complete is told of, and how long before it is stopped. */
export interface FreeEndSpans {
  readonly warnSeconds: number
  readonly leadSeconds: number
}

/**
 * What a look says of one: a warning while there is time to do something about it, and an end a little before the site's
 * own. Until then what it downloads is free, so it goes on, however slow it is at the moment.
 */
export function judgeFreeEnd(
  torrent: RunningTorrent,
  free: { readonly endAtUnix: number | undefined; readonly unknown: UnknownEnd },
  nowUnix: number,
  spans: FreeEndSpans,
): { readonly isOver: boolean; readonly why: FreeEndWhy } | undefined {
  if (!isRunning(torrent)) return undefined
  const leftSeconds = endOfFree(free.endAtUnix, free.unknown, nowUnix) - nowUnix
  const finishes = secondsToFinish(torrent) <= leftSeconds
  if (finishes || leftSeconds > spans.warnSeconds) return undefined
  if (free.endAtUnix === undefined) return { isOver: true, why: 'unknown' }
  return leftSeconds <= spans.leadSeconds ? { isOver: true, why: 'over' } : { isOver: false, why: 'too_slow' }
}
