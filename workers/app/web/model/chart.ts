/** Geometry of the bar chart: where bars, lines and labels go. Lengths in the units of its view box. */

export interface ChartDay {
  /** The first day of the bar, and the last one where a bar stands for several. */
  readonly day: string
  readonly lastDay: string
  readonly uploaded: number
  readonly downloaded: number
  readonly bonus: number
  /** Nothing was read in it, though something had been before: its zeros say nothing. */
  readonly isGap: boolean
}

type HistoryDay = Omit<ChartDay, 'lastDay' | 'isGap'> & { readonly sites: number }

export const chartRanges = [30, 90, 365] as const
export type ChartRange = (typeof chartRanges)[number]
export const chartMeasures = ['traffic', 'bonus'] as const
export type ChartMeasure = (typeof chartMeasures)[number]

/** Days of one bar, so that a bar never gets thinner than it can be read. */
export const daysPerBar: Readonly<Record<ChartRange, number>> = { 30: 1, 90: 3, 365: 14 }

/** Bars end with the last day, so that the newest one is the whole one. */
export function chartBars(days: readonly HistoryDay[], perBar: number): ChartDay[] {
  const begin = days.findIndex(({ sites }) => sites > 0)
  const bars: ChartDay[] = []
  for (let end = days.length; end > 0; end -= perBar) {
    const part = days.slice(Math.max(0, end - perBar), end)
    const [first] = part
    const last = part.at(-1)
    if (first === undefined || last === undefined) break
    const sum = (read: (one: HistoryDay) => number) => part.reduce((total, one) => total + read(one), 0)
    bars.push({
      day: first.day,
      lastDay: last.day,
      uploaded: sum((one) => one.uploaded),
      downloaded: sum((one) => one.downloaded),
      bonus: sum((one) => one.bonus),
      isGap: begin !== -1 && end > begin && part.every(({ sites }) => sites === 0),
    })
  }
  return bars.reverse()
}

/** Less is nothing: it would be a bar of no height. */
const least = 1e-6

/** 1, 2 or 5 with zeros: the smallest such step that reaches `most` in three. */
export function niceStep(most: number): number {
  if (most < least) return 1
  const rough = most / 3
  const power = 10 ** Math.floor(Math.log10(rough))
  return ([1, 2, 5, 10].find((one) => one * power >= rough * (1 - 1e-9)) ?? 10) * power
}

/** The unit in which amounts of bytes of a chart are told: the largest that leaves the highest one above 1. */
export function chartUnit(most: number): { readonly bytes: number; readonly unit: string } {
  const units = ['MiB', 'GiB', 'TiB', 'PiB'] as const
  let step = 0
  while (step < units.length - 1 && most >= 1024 ** (step + 3)) step += 1
  return { bytes: 1024 ** (step + 2), unit: units[step] ?? 'MiB' }
}

/** The width is the page's: text keeps its size, and only the bars get wider. */
export const plotSize = {
  widthUsual: 820,
  widthLeast: 240,
  left: 44,
  top: 16,
  bottom: 118,
  bottomTall: 218,
  labels: 32,
} as const

interface PlacedBar {
  readonly x: number
  readonly width: number
  readonly y: number
  readonly height: number
}

export interface Plot {
  readonly rules: readonly { readonly value: number; readonly y: number }[]
  /** One list a series, one bar a value. */
  readonly series: readonly (readonly PlacedBar[])[]
  /** The whole column of each value, for pointing at. */
  readonly columns: readonly { readonly x: number; readonly width: number }[]
  readonly highest: number
  /** The value that stands over each column, and where it ends. */
  readonly tops: readonly { readonly value: number; readonly y: number }[]
  /** The line that bars stand on. */
  readonly base: number
  /** Where a bound is drawn; undefined without one, or where it is so far above that bars would be nothing beside it. */
  readonly boundY: number | undefined
}

/** So many times as high as the highest bar a bound may stand. */
const boundTimesMax = 3

/** How the series of a column stand: side by side, each on the one before, or the second hanging from the line of the first, to one measure. */
export type ChartLook = 'beside' | 'stacked' | 'below'

export function layOut(
  series: readonly (readonly number[])[],
  width: number,
  look: ChartLook = 'beside',
  bottom: number = plotSize.bottom,
  bound?: number,
): Plot {
  const isBelow = look === 'below'
  const isStacked = look === 'stacked'
  const count = Math.max(1, ...series.map((values) => values.length))
  const first = series[0] ?? []
  /** What the series before `nth` come to. */
  const before = (nth: number, at: number) =>
    series.slice(0, nth).reduce((sum, values) => sum + Math.max(0, values[at] ?? 0), 0)
  const totals = isStacked ? first.map((_, at) => before(series.length, at)) : first
  const lowest = isBelow ? Math.max(0, ...(series[1] ?? [])) : 0
  const highest = Math.max(0, ...totals, ...(look === 'beside' ? series.flat() : []))
  const isBound = bound !== undefined && bound <= highest * boundTimesMax
  const most = isBound ? Math.max(highest, bound) : highest
  const step = niceStep(Math.max(most, lowest))
  const top = step * Math.max(1, Math.ceil(most / step - 1e-9))
  const tall = bottom - plotSize.top
  const pitch = (width - plotSize.left) / count
  const share = pitch * 0.76
  const each = look === 'beside' ? share / series.length : share
  const heightOf = (value: number) => (Math.max(0, value) / (top + lowest)) * tall
  const base = bottom - heightOf(lowest)
  const rules = []
  for (let at = 1; at * step <= top * (1 + 1e-9); at += 1) {
    rules.push({ value: at * step, y: base - heightOf(at * step) })
  }
  return {
    rules,
    series: series.map((values, nth) =>
      values.map((value, at) => ({
        x: plotSize.left + at * pitch + (pitch - share) / 2 + (look === 'beside' ? nth * each : 0),
        width: each,
        y: isBelow && nth === 1 ? base : base - heightOf(value) - (isStacked ? heightOf(before(nth, at)) : 0),
        height: heightOf(value),
      })),
    ),
    columns: first.map((_, at) => ({ x: plotSize.left + at * pitch, width: pitch })),
    highest: totals.indexOf(Math.max(0, ...totals)),
    tops: totals.map((value) => ({ value, y: base - heightOf(value) })),
    base,
    boundY: isBound ? base - heightOf(bound) : undefined,
  }
}
