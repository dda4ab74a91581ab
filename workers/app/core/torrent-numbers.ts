/** Numbers that downloaders send, brought to what the interface allows. */

/** A count, a size or a speed: whole, not negative, exact. */
export function wholeAmount(value: number | undefined): number {
  if (value === undefined || Number.isNaN(value) || value <= 0) return 0
  return Math.min(Math.trunc(value), Number.MAX_SAFE_INTEGER)
}

/** A share from 0 to 1 as a percentage with two decimals. Only a finished torrent reads 100. */
export function percent(share: number | undefined): number {
  if (share === undefined || Number.isNaN(share) || share <= 0) return 0
  return share >= 1 ? 100 : Math.min(Math.floor(share * 10_000) / 100, 99.99)
}

/** The last second a 32-bit signed clock can count. Beyond it stands an unsigned -1, which means "never". */
const unixTimeMax = 2 ** 31 - 1

/** Unix seconds; 0 for a time that did not come yet, which downloaders write as 0, -1 or an unsigned -1. */
export function unixTime(value: number | undefined): number {
  const seconds = wholeAmount(value)
  return seconds > unixTimeMax ? 0 : seconds
}

/** Beyond this a ratio says nothing any more, and its decimals would be lost. */
const ratioMax = 1_000_000_000

/** A ratio with three decimals, finite and not negative. */
export function finiteRatio(value: number): number {
  if (!Number.isFinite(value) || value <= 0) return 0
  return Math.round(Math.min(value, ratioMax) * 1000) / 1000
}

/** A count of somebody else's under a name; nothing where they did not say, which some write as -1. */
export function counted<Name extends string>(name: Name, value: number | undefined): Partial<Record<Name, number>> {
  return value === undefined || value < 0 ? {} : ({ [name]: wholeAmount(value) } as Record<Name, number>)
}
