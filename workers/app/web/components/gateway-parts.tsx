/** What the gateway's two pages share: money, tokens, the chart of a month, and how a key stands. */
import type { WireGatewayKey, WireGatewayUsage } from '../../contract/console-gateway.ts'
import { words } from '../locales/words.ts'
import { grouped, percentText } from '../model/amounts.ts'
import {
  barsOf,
  type ChartRange,
  dollarsText,
  groupedBy,
  paceOf,
  type Sum,
  sumOf,
  tokensAmount,
} from '../model/gateway-figures.ts'
import { dayText } from '../model/moments.ts'
import { language } from '../preferences.ts'
import { BarChart } from './bar-chart.tsx'
import { ChartKey, FiguresTable } from './chart-frame.tsx'
import { Meter } from './figure.tsx'

/** Of the usage that the key in the settings made. */
export const masterId = 'master'

/** What a key is called: the one in the settings has no name of its own. */
export function keyName({ key, key_name: name }: Pick<WireGatewayUsage, 'key' | 'key_name'>): string {
  return key === masterId ? words.value.gateway.settingsKey : name
}

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

/** From here on a budget is as good as used up: the next request hardly fits. */
const fullShare = 0.99

export function toneOf(share: number): 'f' | 'w' | 'b' {
  return share >= fullShare ? 'b' : share >= 0.8 ? 'w' : 'f'
}

/** A long name may break after its dots and hyphens, before it breaks anywhere. */
export function ModelName({ name }: { name: string }) {
  return <span class="wrap-any">{name.split(/(?<=[-./:])/).flatMap((part, nth) => [part, <wbr key={nth} />])}</span>
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
export function KeyState({ item, after }: { item: WireGatewayKey; after: string }) {
  const text = words.value.gateway
  const { budget_month_usd: budget, used } = item
  const now = Date.now() / 1000
  const [tone, word] =
    item.revoked_at !== null
      ? ['bad', text.revokedAt]
      : item.expires_at !== null && item.expires_at <= now
        ? ['warn', text.expiredAt]
        : budget !== null && used.month_usd >= budget * fullShare
          ? ['bad', text.budgetGone]
          : (item.keeps_bodies_until ?? 0) > now
            ? ['warn', text.keepsSaid]
            : []
  if (word === undefined) return null
  return (
    <>
      <span class={tone}>{word}</span>
      {after}
    </>
  )
}

function barText(bar: string): string {
  if (bar.length === 10) return dayText(bar, language.value)
  const locale = language.value === 'zh' ? 'zh-CN' : 'en-GB'
  const month = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' })
  return month.format(new Date(`${bar}-01T00:00:00Z`))
}

export const usageMeasures = ['cost', 'tokens', 'requests'] as const
type Measure = (typeof usageMeasures)[number]

export const groupings = ['model', 'key'] as const
export type Grouping = (typeof groupings)[number]

/** Of the dearest this many have a place of their own in a bar; what is left shares the last. */
const ownPlaces = 3

/** Whose costs stand on each other in a bar, the dearest first. */
function costGroups(rows: readonly WireGatewayUsage[], by: Grouping): readonly { name: string; rows: typeof rows }[] {
  const text = words.value.gateway
  const groups = groupedBy(rows, by === 'model' ? ({ model }) => model : keyName)
    .filter(({ sum }) => sum.cost > 0)
    .map(({ word, rows: own }) => ({ name: word, rows: own }))
  if (groups.length <= ownPlaces + 1) return groups
  const others = groups.slice(ownPlaces)
  return [
    ...groups.slice(0, ownPlaces),
    { name: text.others(others.length), rows: others.flatMap(({ rows: own }) => own) },
  ]
}

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
  by?: Grouping
  /** The chart is what its screen is about, and tells how the month goes on. */
  isTall?: boolean
  /** What may be spent in a bar of this time; undefined: there is no bound. */
  budget?: number | undefined
}) {
  const { rows, today, range = 'month', measure = 'cost', by = 'model' } = props
  const text = words.value.gateway
  const bars = barsOf(range, today)
  const pace = props.isTall && range === 'month' ? paceOf(rows, today) : undefined
  const byBar = (some: typeof rows) => Map.groupBy(some, ({ day }) => day.slice(0, bars[0]?.length))
  const byDay = byBar(rows)
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
  const coming = (pace?.coming ?? []).map((day) => {
    const label = barText(day)
    const expected = pace?.day ?? 0
    return { label, told: text.expected(label, inWords(expected)), isGap: false, expected }
  })
  const none = coming.map(() => 0)
  const top = (one: (typeof days)[number]) => one.values[0] ?? 0
  const groups = measure === 'cost' ? costGroups(rows, by) : []
  const costs = groups.map(({ name, rows: own }) => {
    const ofDay = byBar(own)
    return { name, amount: sumOf(own).cost, values: bars.map((day) => sumOf(ofDay.get(day) ?? []).cost).concat(none) }
  })
  const series = names.map((name, nth) => ({ name, values: days.map(({ values }) => values[nth] ?? 0).concat(none) }))
  const best = days.reduce((most, one) => (top(one) > top(most) ? one : most))
  return (
    <div class="plot-box">
      <BarChart
        finding={
          top(best) === 0
            ? text.chartEmpty
            : text.chartFinding(text.measures[measure], text.during[range], best.label, inWords(top(best)))
        }
        series={costs.length > 0 ? costs : series}
        isTall={props.isTall === true}
        look={measure === 'cost' ? 'stacked' : 'beside'}
        columns={[...days, ...coming]}
        bound={
          measure === 'cost' && props.budget !== undefined
            ? { name: range === 'year' ? text.monthBudget : text.dayBudget, value: props.budget }
            : undefined
        }
        axis={(value) => (measure === 'tokens' ? tokensText(value) : String(Number(value.toPrecision(2))))}
        lastLabel={range === 'year' ? text.thisMonth : text.today}
        soFar={text.soFar}
        gapWord=""
        expectedWord={pace === undefined ? undefined : text.atPace(inWords(pace.month))}
        walk={text.walk}
      />
      <ChartKey
        of={
          measure === 'cost'
            ? costs.map(({ name, amount }) => ({ name, amount: <Dollars amount={amount} /> }))
            : names.map((name) => ({ name }))
        }
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
