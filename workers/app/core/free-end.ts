/** Whether a torrent that was taken because it is free will be complete before it is free no more. */
import type { FreeEndWhy } from './reason/reason.ts'
import type { Torrent } from './torrent.ts'
import type { DiscountEnd, FreeEndAction, UnknownEnd } from './vocabulary.ts'

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

/**
 * How a torrent that was taken as free stands with the end of that: complete before it, too slow for it, beyond it and
 * billed, taken as over because nobody tells the end, without an end by the owner's rule, held so that it costs nothing,
 * or not shown by its downloader.
 */
export const freeOutlooks = ['in_time', 'too_slow', 'over', 'untold', 'endless', 'held', 'unknown'] as const
type FreeOutlook = (typeof freeOutlooks)[number]

export interface FreeStanding {
  readonly outlook: FreeOutlook
  readonly needsSeconds?: number
  readonly billedBytes?: number
  /** When something is done about it. */
  readonly actsAtUnix?: number
}

export function freeStanding(
  torrent: RunningTorrent | undefined,
  free: { readonly endAtUnix: number | undefined; readonly unknown: UnknownEnd },
  nowUnix: number,
  { action, warnSeconds, leadSeconds }: FreeEndSpans & { readonly action: FreeEndAction },
): FreeStanding {
  if (torrent === undefined) return { outlook: 'unknown' }
  if (!isRunning(torrent)) return { outlook: 'held' }
  const endUnix = endOfFree(free.endAtUnix, free.unknown, nowUnix)
  const needs = secondsToFinish(torrent)
  const needsSeconds = Number.isFinite(needs) ? { needsSeconds: Math.ceil(needs) } : {}
  if (!Number.isFinite(endUnix)) return { outlook: 'endless', ...needsSeconds }
  const leftSeconds = Math.max(0, endUnix - nowUnix)
  if (needs <= leftSeconds && leftSeconds > 0) return { outlook: 'in_time', ...needsSeconds }
  const { sizeBytes, progressPercent, downloadBytesPerSecond } = torrent
  const billed = (sizeBytes * (100 - progressPercent)) / 100 - downloadBytesPerSecond * leftSeconds
  const outlook = free.endAtUnix === undefined ? 'untold' : leftSeconds === 0 ? 'over' : 'too_slow'
  return {
    outlook,
    ...needsSeconds,
    ...(sizeBytes > 0 ? { billedBytes: Math.max(0, Math.round(billed)) } : {}),
    ...(action === 'off'
      ? {}
      : { actsAtUnix: Math.max(nowUnix, endUnix - (action === 'warn' ? warnSeconds : leadSeconds)) }),
  }
}
