/** What the gateway's two pages share: money, tokens, the chart of a month, and how a key stands. */
import type { WireGatewayKey, WireGatewayUsage } from '../../contract/console-gateway.ts'
import { words } from '../locales/words.ts'
import { percentText } from '../model/amounts.ts'
import { barsOf, type ChartRange, dollarsText, groupedBy, sumOf, tokensAmount } from '../model/gateway-figures.ts'
import { dayText } from '../model/moments.ts'
import { language } from '../preferences.ts'
import { BarChart } from './bar-chart.tsx'
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
  return null
}

function barText(bar: string): string {
  if (bar.length === 10) return dayText(bar, language.value)
  const locale = language.value === 'zh' ? 'zh-CN' : 'en-GB'
  const month = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' })
  return month.format(new Date(`${bar}-01T00:00:00Z`))
}

/** The time bar by bar, each told with its dearest models. */
export function CostChart(props: { rows: readonly WireGatewayUsage[]; today: string; range?: ChartRange }) {
  const { rows, today, range = 'month' } = props
  const text = words.value.gateway
  const bars = barsOf(range, today)
  const byDay = Map.groupBy(rows, ({ day }) => day.slice(0, bars[0]?.length))
  const days = bars.map((day) => {
    const own = byDay.get(day) ?? []
    const models = groupedBy(own, ({ model }) => model).filter(({ sum }) => sum.cost > 0)
    const cost = sumOf(own).cost
    const shown = models.slice(0, 3).map(({ word, sum }) => `${word} ${dollarsText(sum.cost)}`)
    const label = barText(day)
    return { day, label, cost, told: text.told(label, dollarsText(cost), shown.join(', ')), isGap: false }
  })
  const best = days.reduce((top, one) => (one.cost > top.cost ? one : top))
  return (
    <div class="plot-box">
      <BarChart
        finding={
          best.cost === 0 ? text.chartEmpty : text.chartFinding(text.during[range], best.label, dollarsText(best.cost))
        }
        series={[{ name: text.cost, values: days.map(({ cost }) => cost) }]}
        columns={days}
        axis={(value) => String(Number(value.toPrecision(2)))}
        lastLabel={range === 'year' ? text.thisMonth : text.today}
        soFar={text.soFar}
        gapWord=""
        walk={text.walk}
      />
      <details class="as-table">
        <summary>{text.asTable}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{text.day}</th>
              <th scope="col" class="num">
                {text.cost}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, label, cost }) => (
              <tr key={day}>
                <th scope="row">{label}</th>
                <td class="num">
                  <Dollars amount={cost} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  )
}
