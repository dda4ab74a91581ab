/** How much a rule may take in any 24 hours: so many torrents, and so many GiB. */
import { gibBytes } from '../gib-bytes.ts'
import type { FilterRule } from './filter-rule.ts'

export const dayBoundFields = ['per_day', 'per_day_gib'] as const

export interface DayBoundAsked {
  readonly field: (typeof dayBoundFields)[number]
  readonly op: 'at_most'
  readonly value: number
}

export type DayBounds = Pick<FilterRule, 'per_day_max' | 'per_day_gib_max'>

/** In the last 24 hours. What has no size that is known counts for none. */
export interface TakenToday {
  readonly count: number
  readonly bytes: number
}

export const noneTaken: TakenToday = { count: 0, bytes: 0 }

export interface DayBound {
  readonly asked: DayBoundAsked
  /** Of one more of this size. */
  readonly state: (sizeBytes: number | undefined, taken: TakenToday) => 'met' | 'unmet' | 'unknown'
  readonly found: (taken: TakenToday) => number
}

export function askedOfDay({ per_day_max, per_day_gib_max }: DayBounds): DayBoundAsked[] {
  const values = { per_day: per_day_max, per_day_gib: per_day_gib_max }
  return dayBoundFields.flatMap((field) => {
    const value = values[field]
    return value === undefined ? [] : [{ field, op: 'at_most', value }]
  })
}

export function dayBoundsOf(rule: DayBounds): DayBound[] {
  return askedOfDay(rule).map((asked) => ({ asked, ...(asked.field === 'per_day' ? ofCount : ofBytes)(asked.value) }))
}

function ofCount(most: number): Omit<DayBound, 'asked'> {
  return { state: (_, { count }) => (count < most ? 'met' : 'unmet'), found: ({ count }) => count }
}

/** What is full takes nothing more, and what has room nothing whose size nobody told. */
function ofBytes(gib: number): Omit<DayBound, 'asked'> {
  const most = gib * gibBytes
  return {
    state: (sizeBytes, { bytes }) =>
      bytes >= most || bytes + (sizeBytes ?? 0) > most ? 'unmet' : sizeBytes === undefined ? 'unknown' : 'met',
    found: ({ bytes }) => Math.round((bytes / gibBytes) * 100) / 100,
  }
}
