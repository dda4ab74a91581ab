/** What the gateway's two pages share: money, tokens, the chart of a month, and how a key stands. */
import type { WireGatewayKey, WireGatewayUsage } from '../../contract/console-gateway.ts'
import { words } from '../locales/words.ts'
import { grouped, percentText } from '../model/amounts.ts'
import {
  barsOf,
  type ChartRange,
  dollarsText,
  groupedBy,
  type Sum,
  sumOf,
  tokensAmount,
} from '../model/gateway-figures.ts'
import { dayText } from '../model/moments.ts'
import { language } from '../preferences.ts'
import { BarChart } from './bar-chart.tsx'
import { FiguresTable } from './chart-frame.tsx'
import { Meter } from './figure.tsx'

export function Dollars({ amount }: { amount: number | null }) {
  if (amount === null) return <span class="faint">—</span>
  return (
    <span class="nowrap">
      <span class="unit">$</span>
      {dollarsText(amount)}
    </span>
  )
}

export function Tokens({ count }: { count: number }) {
  if (count === 0) return <span class="faint">—</span>
  const { value, unit } = tokensAmount(count)
  return (
    <span class="nowrap">
      {value}
      {unit === '' ? null : <span class="unit">{`\u00a0${unit}`}</span>}
    </span>
  )
}

export function tokensText(count: number): string {
  const { value, unit } = tokensAmount(count)
  return unit === '' ? value : `${value} ${unit}`
}

export function toneOf(share: number): 'f' | 'o' | 'b' {
  return share >= 1 ? 'b' : share >= 0.75 ? 'o' : 'f'
}

export function BudgetMeter({ used, budget }: { used: number; budget: number | null }) {
  if (budget === null) return <span class="faint small">{words.value.gateway.noBudget}</span>
  const share = used / budget
  return (
    <span class="prog">
      <Meter percent={share * 100} tone={toneOf(share)} />
      <span class="num">{percentText(share * 100)} %</span>
    </span>
  )
}

/** Why a key does not open, or that it soon will not. */
export function KeyState({ item }: { item: WireGatewayKey }) {
  const text = words.value.gateway
  if (item.revoked_at !== null) return <span class="bad">{text.revokedAt}</span>
  if (item.expires_at !== null && item.expires_at <= Date.now() / 1000)
    return <span class="warn">{text.expiredAt}</span>
  const { budget_month_usd: budget, used } = item
  if (budget !== null && used.month_usd >= budget * 0.99) return <span class="bad">{text.budgetGone}</span>
  if ((item.keeps_bodies_until ?? 0) > Date.now() / 1000) return <span class="warn">{text.keepsSaid}</span>
  return null
}

function barText(bar: string): string {
  if (bar.length === 10) return dayText(bar, language.value)
  const locale = language.value === 'zh' ? 'zh-CN' : 'en-GB'
  const month = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' })
  return month.format(new Date(`${bar}-01T00:00:00Z`))
}

export const usageMeasures = ['cost', 'tokens', 'requests'] as const
type Measure = (typeof usageMeasures)[number]

/** What of a sum is drawn: one number, or two side by side. */
const drawn: Readonly<Record<Measure, (sum: Sum) => readonly number[]>> = {
  cost: ({ cost }) => [cost],
  tokens: ({ input, output }) => [input, output],
  requests: ({ requests, failed, refused }) => [requests, failed + refused],
}

/** The time bar by bar, each told with its models. */
export function UsageChart(props: {
  rows: readonly WireGatewayUsage[]
  today: string
  range?: ChartRange
  measure?: Measure
}) {
  const { rows, today, range = 'month', measure = 'cost' } = props
  const text = words.value.gateway
  const bars = barsOf(range, today)
  const byDay = Map.groupBy(rows, ({ day }) => day.slice(0, bars[0]?.length))
  const names = {
    cost: [text.cost],
    tokens: [text.input, text.output],
    requests: [text.requests, text.errors],
  }[measure]
  const amountOf = drawn[measure]
  const inWords = (value: number) =>
    measure === 'cost' ? `$${dollarsText(value)}` : measure === 'tokens' ? tokensText(value) : grouped(value)
  const days = bars.map((day) => {
    const own = byDay.get(day) ?? []
    const values = amountOf(sumOf(own))
    const models = groupedBy(own, ({ model }) => model)
      .map(({ word, sum }) => ({ word, value: amountOf(sum)[0] ?? 0 }))
      .filter(({ word, value }) => word !== '' && value > 0)
      .toSorted((left, right) => right.value - left.value)
    const shown = models.slice(0, 3).map(({ word, value }) => `${word} ${inWords(value)}`)
    const label = barText(day)
    const told = text.told(
      label,
      values.map((value, nth) => (measure === 'cost' ? inWords(value) : `${names[nth] ?? ''} ${inWords(value)}`)),
      shown,
    )
    return { day, label, values, told, isGap: false }
  })
  const top = (one: (typeof days)[number]) => one.values[0] ?? 0
  const best = days.reduce((most, one) => (top(one) > top(most) ? one : most))
  return (
    <div class="plot-box">
      <BarChart
        finding={
          top(best) === 0
            ? text.chartEmpty
            : text.chartFinding(text.measures[measure], text.during[range], best.label, inWords(top(best)))
        }
        series={names.map((name, nth) => ({ name, values: days.map(({ values }) => values[nth] ?? 0) }))}
        columns={days}
        axis={(value) => (measure === 'tokens' ? tokensText(value) : String(Number(value.toPrecision(2))))}
        lastLabel={range === 'year' ? text.thisMonth : text.today}
        soFar={text.soFar}
        gapWord=""
        walk={text.walk}
      />
      <FiguresTable
        summary={text.asTable}
        day={text.day}
        heads={names}
        rows={days
          .toReversed()
          .map(({ day, label, values }) => ({ key: day, day: label, figures: values.map(inWords) }))}
      />
    </div>
  )
}
