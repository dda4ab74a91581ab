import { endOfFree } from '../free-end.ts'
import { isFree } from '../site.ts'
import type { Discount } from '../vocabulary.ts'
import type { BrushBounds, PickRules } from './brush-rules.ts'

const gibBytes = 1024 ** 3
const hourSeconds = 3600

/** A torrent of a site's newest list, as far as the choice needs it. */
export interface BrushCandidate {
  readonly torrentId: string
  readonly title: string
  readonly subtitle: string
  /** 0 when the site does not say. */
  readonly sizeBytes: number
  readonly seeders: number
  readonly leechers: number
  readonly uploadedAtUnix: number | undefined
  readonly discount: Discount
  readonly discountEndAtUnix: number | undefined
  readonly hasHr: boolean
}

/** What a task holds already. */
export interface BrushHolding {
  readonly active: number
  readonly downloading: number
  readonly activeBytes: number
}

/**
 * What a run takes, in that order: where most want it and fewest have it, and of equals the newest. One that does not
 * fit leaves its place to the next one that does.
 */
export function chooseTorrents(
  candidates: readonly BrushCandidate[],
  rules: { readonly pick: PickRules; readonly bounds: BrushBounds },
  holding: BrushHolding,
  nowUnix: number,
): BrushCandidate[] {
  const { bounds, pick } = rules
  const places = Math.min(
    bounds.new_per_run_max,
    bounds.active_max - holding.active,
    bounds.downloading_max - holding.downloading,
  )
  let leftBytes = bounds.active_gib_max * gibBytes - holding.activeBytes
  const chosen = new Map<string, BrushCandidate>()
  for (const candidate of candidates.filter((one) => isWanted(one, pick, nowUnix)).sort(byDemand)) {
    if (chosen.size >= places) break
    if (candidate.sizeBytes > leftBytes || chosen.has(candidate.torrentId)) continue
    chosen.set(candidate.torrentId, candidate)
    leftBytes -= candidate.sizeBytes
  }
  return [...chosen.values()]
}

/** Whether it meets the rules. Of what a site does not tell nothing is assumed, and without a size no bound holds. */
export function isWanted(candidate: BrushCandidate, pick: PickRules, nowUnix: number): boolean {
  const { sizeBytes, seeders, leechers, uploadedAtUnix } = candidate
  const words = `${candidate.title}\n${candidate.subtitle}`.toLowerCase()
  return (
    sizeBytes > 0 &&
    sizeBytes >= (pick.size_gib_min ?? 0) * gibBytes &&
    sizeBytes <= (pick.size_gib_max ?? Number.POSITIVE_INFINITY) * gibBytes &&
    seeders <= (pick.seeders_max ?? Number.POSITIVE_INFINITY) &&
    leechers >= (pick.leechers_min ?? 0) &&
    (pick.age_hours_max === undefined ||
      (uploadedAtUnix !== undefined && nowUnix - uploadedAtUnix <= pick.age_hours_max * hourSeconds)) &&
    !(pick.refuse_hr && candidate.hasHr) &&
    !pick.refused_words.some((word) => words.includes(word.toLowerCase())) &&
    isFreeLongEnough(candidate, pick, nowUnix)
  )
}

/** A list may be older than the end of what it calls free. */
function isFreeLongEnough({ discount, discountEndAtUnix }: BrushCandidate, pick: PickRules, nowUnix: number): boolean {
  const leftSeconds = endOfFree(discountEndAtUnix, pick.unknown_end ?? 'ending', nowUnix) - nowUnix
  if (!isFree(discount) || leftSeconds <= 0) return !pick.free_only
  return leftSeconds >= (pick.free_hours_min ?? 0) * hourSeconds
}

function byDemand(left: BrushCandidate, right: BrushCandidate): number {
  return (
    demand(right) - demand(left) ||
    (right.uploadedAtUnix ?? 0) - (left.uploadedAtUnix ?? 0) ||
    left.sizeBytes - right.sizeBytes ||
    (left.torrentId < right.torrentId ? -1 : Number(left.torrentId > right.torrentId))
  )
}

/** Those who want it for each who would give it, us among them. */
function demand({ leechers, seeders }: BrushCandidate): number {
  return leechers / (seeders + 1)
}
