/** Whether a torrent that is complete belongs into the library, beside what is there. */
import type { ReleaseSource, Resolution } from '../vocabulary.ts'
import type { EpisodeSpan } from './progress.ts'

/** What the name of a release said, as far as it says anything. */
export interface KnownQuality {
  readonly resolution?: string
  readonly source?: string
}

export interface Holding {
  readonly span: EpisodeSpan
  readonly quality: KnownQuality
}

/** The best first, as a profile has them; no sources: any is as good as another. */
export interface QualityOrder {
  readonly resolutions: readonly Resolution[]
  readonly sources: readonly ReleaseSource[]
}

/** Whether the library has every episode of it already, each as good or better. */
export function isHeldAlready(
  wanted: Holding,
  held: readonly Holding[],
  episodes: readonly number[],
  order: QualityOrder,
): boolean {
  const known = episodes.filter((number) => isIn(number, wanted.span))
  // A film has none, and of some seasons none is known yet: then both ends stand for the whole.
  const numbers = known.length === 0 ? [wanted.span.first, wanted.span.last] : known
  const good = held.filter(({ quality }) => !isBetter(wanted.quality, quality, order))
  return numbers.every((number) => good.some(({ span }) => isIn(number, span)))
}

/** Whether it takes the place of something: all of that is in it, and better. */
export function replaces(wanted: Holding, other: Holding, order: QualityOrder): boolean {
  const isWithin = wanted.span.first <= other.span.first && other.span.last <= wanted.span.last
  return isWithin && isBetter(wanted.quality, other.quality, order)
}

function isBetter(one: KnownQuality, other: KnownQuality, { resolutions, sources }: QualityOrder): boolean {
  const difference = rank(one.resolution, resolutions) - rank(other.resolution, resolutions)
  return difference === 0 ? rank(one.source, sources) < rank(other.source, sources) : difference < 0
}

/** What is not in the list, or not known, comes after all that is. */
function rank(word: string | undefined, order: readonly string[]): number {
  const at = word === undefined ? -1 : order.indexOf(word)
  return at === -1 ? order.length : at
}

function isIn(number: number, span: EpisodeSpan): boolean {
  return span.first <= number && number <= span.last
}
