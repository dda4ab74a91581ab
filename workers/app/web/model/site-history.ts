/** The history of one site's account: what a chart shows of it, and the file it is saved as. */
import type { WireLevelCondition, WireSiteDay } from '../../contract/site-watch.ts'
import { type ChartRange, chartUnit, daysPerBar } from './chart.ts'

export const historyFields = ['uploaded', 'downloaded', 'ratio', 'bonus', 'seeding_size'] as const
type HistoryField = (typeof historyFields)[number]

/** Both sides of the traffic are shown as what each day brought, everything else as it stood. */
export const historyMeasures = ['traffic', 'ratio', 'bonus', 'seeding_size'] as const
export type HistoryMeasure = (typeof historyMeasures)[number]

const inBytes: ReadonlySet<HistoryField> = new Set(['uploaded', 'downloaded', 'seeding_size'])

interface HistoryBar {
  readonly day: string
  /** In the unit of the chart, one a field; undefined where nothing was known. */
  readonly values: readonly (number | undefined)[]
}

/** What came since the last day that was known. A figure that went down brought nothing. */
function growthOf(days: readonly WireSiteDay[]): WireSiteDay[] {
  const last: Partial<Record<HistoryField, number>> = {}
  return days.map((one) => {
    const grown: WireSiteDay = { day: one.day }
    for (const field of ['uploaded', 'downloaded'] as const) {
      const [is, was] = [one[field], last[field]]
      if (is !== undefined && was !== undefined) grown[field] = Math.max(0, is - was)
      if (is !== undefined) last[field] = is
    }
    return grown
  })
}

/** How far a condition is met, in percent; undefined where that is no share. */
export function shareOf({ need, have }: WireLevelCondition): number | undefined {
  return need === undefined || have === undefined ? undefined : Math.min(100, (have / need) * 100)
}

const dayMs = 86_400_000

/**
 * Every day between the first and the last that is there; of a bar of several days the sum, or what was known last. What
 * the first day brought nobody knows: the traffic begins with the second.
 */
export function historyBars(
  days: readonly WireSiteDay[],
  measure: HistoryMeasure,
  range: ChartRange,
): { readonly fields: readonly HistoryField[]; readonly bars: readonly HistoryBar[]; readonly unit: string } {
  const isTraffic = measure === 'traffic'
  const fields: readonly HistoryField[] = isTraffic ? ['uploaded', 'downloaded'] : [measure]
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return { fields, bars: [], unit: '' }
  const known = new Map((isTraffic ? growthOf(days) : days).map((one) => [one.day, one]))
  const every: string[] = []
  for (let at = Date.parse(first.day) + (isTraffic ? dayMs : 0); at <= Date.parse(last.day); at += dayMs)
    every.push(new Date(at).toISOString().slice(0, 10))
  const bars: HistoryBar[] = []
  for (let end = every.length; end > 0; end -= daysPerBar[range]) {
    const part = every.slice(Math.max(0, end - daysPerBar[range]), end)
    const values = fields.map((field) => {
      const told = part.map((day) => known.get(day)?.[field]).filter((one) => one !== undefined)
      return isTraffic && told.length > 0 ? told.reduce((sum, one) => sum + one, 0) : told.at(-1)
    })
    bars.push({ day: part[0] ?? first.day, values })
  }
  if (!fields.some((field) => inBytes.has(field))) return { fields, bars: bars.reverse(), unit: '' }
  const { bytes, unit } = chartUnit(Math.max(0, ...bars.flatMap(({ values }) => values.map((value) => value ?? 0))))
  const inUnit = ({ day, values }: HistoryBar) => ({
    day,
    values: values.map((value) => (value === undefined ? undefined : value / bytes)),
  })
  return { fields, bars: bars.reverse().map(inUnit), unit }
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
