/** The history of one site's account: what a chart shows of it, and the file it is saved as. */
import type { WireLevelCondition, WireSiteDay } from '../../contract/site-watch.ts'
import { type ChartRange, chartUnit, daysPerBar } from './chart.ts'

export const historyMeasures = ['uploaded', 'downloaded', 'ratio', 'bonus', 'seeding_size'] as const
export type HistoryMeasure = (typeof historyMeasures)[number]

const inBytes: ReadonlySet<HistoryMeasure> = new Set(['uploaded', 'downloaded', 'seeding_size'])

interface HistoryBar {
  readonly day: string
  /** In the unit of the chart; undefined where nothing was known. */
  readonly value: number | undefined
}

/** How far a condition is met, in percent; undefined where that is no share. */
export function shareOf({ need, have }: WireLevelCondition): number | undefined {
  return need === undefined || have === undefined ? undefined : Math.min(100, (have / need) * 100)
}

const dayMs = 86_400_000

/** Every day between the first and the last that is there; of a bar of several days the last one that was known. */
export function historyBars(
  days: readonly WireSiteDay[],
  measure: HistoryMeasure,
  range: ChartRange,
): { readonly bars: readonly HistoryBar[]; readonly unit: string } {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return { bars: [], unit: '' }
  const known = new Map(days.map((one) => [one.day, one[measure]]))
  const most = Math.max(0, ...days.map((one) => one[measure] ?? 0))
  const { bytes, unit } = inBytes.has(measure) ? chartUnit(most) : { bytes: 1, unit: '' }
  const every: string[] = []
  for (let at = Date.parse(first.day); at <= Date.parse(last.day); at += dayMs)
    every.push(new Date(at).toISOString().slice(0, 10))
  const bars: HistoryBar[] = []
  for (let end = every.length; end > 0; end -= daysPerBar[range]) {
    const part = every.slice(Math.max(0, end - daysPerBar[range]), end)
    const value = part.map((day) => known.get(day)).findLast((one) => one !== undefined)
    bars.push({ day: part[0] ?? first.day, value: value === undefined ? undefined : value / bytes })
  }
  return { bars: bars.reverse(), unit }
}

const columns = [
  'day',
  'uploaded',
  'downloaded',
  'ratio',
  'bonus',
  'seeding',
  'seeding_size',
  'seeding_points',
] as const

/** Whole numbers of bytes, and nothing where nothing was known. No text of anybody else is in it. */
export function csvOf(days: readonly WireSiteDay[]): string {
  const rows = days.map((one) => columns.map((name) => one[name] ?? '').join(','))
  return `${[columns.join(','), ...rows].join('\r\n')}\r\n`
}
