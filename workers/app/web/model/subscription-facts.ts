/** What the screen tells of a subscription, from what the server says of it. */
import type { WireSubscription, WireSubscriptionDetail } from '../../contract/subscriptions.ts'
import { dayText, type Language } from './moments.ts'

type Progress = WireSubscription['progress']

/** More runs of numbers than these are counted instead. */
const runsNamed = 3

/** What of it matters most, in that order. */
export type Standing =
  | { readonly kind: 'missing'; readonly count: number; readonly numbers: readonly string[] }
  | { readonly kind: 'downloading'; readonly count: number }
  | { readonly kind: 'held' | 'upToDate' | 'nothingOut' | 'notKnown' }

export function standingOf({ total, aired, in_library: held, downloading, missing }: Progress): Standing {
  if (missing.length > 0) {
    const runs = runsOf(missing)
    return { kind: 'missing', count: missing.length, numbers: runs.length > runsNamed ? [] : runs }
  }
  if (downloading > 0) return { kind: 'downloading', count: downloading }
  if (total === 0) return { kind: 'notKnown' }
  if (held >= total) return { kind: 'held' }
  return { kind: aired === 0 ? 'nothingOut' : 'upToDate' }
}

/** Numbers that follow one another as one: `5–7`. */
function runsOf(numbers: readonly number[]): string[] {
  const runs: [first: number, last: number][] = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run !== undefined && number === run[1] + 1) run[1] = number
    else runs.push([number, number])
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`))
}

/** Shares of the whole in percent; nothing known is nothing done, and what is on its way counts as far as it is. */
export function progressShares({ total, in_library: held, downloading, downloading_percent: percent = 0 }: Progress): {
  readonly held: number
  readonly downloading: number
} {
  const share = (count: number) => (total === 0 ? 0 : Math.min(100, (100 * count) / total))
  return { held: share(held), downloading: Math.min(100 - share(held), (share(downloading) * percent) / 100) }
}

export function countByStatus(
  list: readonly WireSubscription[],
): Readonly<Record<WireSubscription['status'] | 'all', number>> {
  const counts = { all: list.length, active: 0, paused: 0, pending: 0, done: 0 }
  for (const { status } of list) counts[status] += 1
  return counts
}

/** A calendar day beside others of a season: with its year only where that is another than `thisYear`. */
export function airDayText(day: string, thisYear: number, language: Language): string {
  return day.startsWith(`${thisYear}-`) ? dayText(day, language) : day
}

export type TorrentSpan =
  | { readonly kind: 'whole' }
  | { readonly kind: 'one'; readonly number: number }
  | { readonly kind: 'some'; readonly from: number; readonly to: number }

export function torrentSpan({
  episode,
  episode_end: end,
}: Pick<WireSubscriptionDetail['torrents'][number], 'episode' | 'episode_end'>): TorrentSpan {
  if (episode === undefined) return { kind: 'whole' }
  if (end === undefined || end <= episode) return { kind: 'one', number: episode }
  return { kind: 'some', from: episode, to: end }
}
