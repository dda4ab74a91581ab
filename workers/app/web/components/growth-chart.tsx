/** Growth of all sites over time, as the daily snapshots tell it. */

import { useSignal } from '@preact/signals'
import { fetchSiteHistory, type HistoryDay } from '../api/sites.ts'
import { Loaded } from '../components/loaded.tsx'
import { words } from '../locales/words.ts'
import { bytesAmount, changeAmount, joined, pointsText } from '../model/amounts.ts'
import {
  type ChartDay,
  type ChartMeasure,
  type ChartRange,
  chartBars,
  chartMeasures,
  chartRanges,
  chartUnit,
  daysPerBar,
} from '../model/chart.ts'
import { dayText } from '../model/moments.ts'
import { language } from '../preferences.ts'
import { useResource } from '../resource.ts'
import { BarChart } from './bar-chart.tsx'
import { ChartHead, FiguresTable, KeyItem, TrafficKey } from './chart-frame.tsx'
import { Figure } from './figure.tsx'

const everyMs = 300_000

function spanText(bar: ChartDay): string {
  const first = dayText(bar.day, language.value)
  return bar.day === bar.lastDay ? first : `${first} – ${dayText(bar.lastDay, language.value)}`
}

function told(bar: ChartDay): string {
  const text = words.value.overview
  if (bar.isGap) return text.gapTold(spanText(bar))
  return text.barTold(
    spanText(bar),
    joined(changeAmount(bar.uploaded)),
    joined(changeAmount(bar.downloaded)),
    `+${pointsText(bar.bonus)}`,
  )
}

function Picture({ days, range, measure }: { days: readonly HistoryDay[]; range: ChartRange; measure: ChartMeasure }) {
  const text = words.value.overview
  const bars = chartBars(days, daysPerBar[range])
  const isTraffic = measure === 'traffic'
  const most = Math.max(0, ...bars.map((bar) => (isTraffic ? Math.max(bar.uploaded, bar.downloaded) : bar.bonus)))
  const { bytes, unit } = chartUnit(most)
  const best = bars.reduce<ChartDay | undefined>((top, bar) => {
    const value = (one: ChartDay) => (isTraffic ? one.uploaded : one.bonus)
    return top === undefined || value(bar) > value(top) ? bar : top
  }, undefined)
  const finding =
    best === undefined || most === 0
      ? days.filter(({ sites }) => sites > 0).length === 1
        ? text.firstDay
        : text.chartEmpty
      : isTraffic
        ? text.chartFinding(range, spanText(best), joined(bytesAmount(best.uploaded)))
        : text.chartFindingBonus(range, spanText(best), pointsText(best.bonus))
  return (
    <>
      <BarChart
        finding={finding}
        series={
          isTraffic
            ? [
                { name: text.up, values: bars.map((bar) => bar.uploaded / bytes) },
                { name: text.down, values: bars.map((bar) => bar.downloaded / bytes) },
              ]
            : [{ name: text.bonus, values: bars.map((bar) => bar.bonus) }]
        }
        columns={bars.map((bar) => ({ label: dayText(bar.day, language.value), told: told(bar), isGap: bar.isGap }))}
        axis={(value) => pointsText(isTraffic ? Math.round(value * 10) / 10 : Math.round(value))}
        lastLabel={text.todayLabel}
        soFar={text.soFar}
        gapWord={text.noSnapshot}
        walk={text.walk}
      />
      <div class="key">
        {isTraffic ? <TrafficKey unit={unit} /> : <KeyItem nth={0}>{text.bonus}</KeyItem>}
        {daysPerBar[range] > 1 ? <span class="faint">{text.perBar(daysPerBar[range])}</span> : null}
      </div>
      <FiguresTable
        summary={text.asTable}
        day={text.day}
        heads={[text.uploaded, text.downloaded, text.bonus]}
        rows={bars.toReversed().map((bar) => ({
          key: bar.day,
          day: spanText(bar),
          figures: bar.isGap
            ? ['—', '—', '—']
            : [
                <Figure key="up" amount={changeAmount(bar.uploaded)} />,
                <Figure key="down" amount={changeAmount(bar.downloaded)} />,
                `+${pointsText(bar.bonus)}`,
              ],
        }))}
      />
    </>
  )
}

/** Of the days that are there, which while others are on their way are not those that were asked for. */
function rangeOf(days: readonly HistoryDay[]): ChartRange {
  return chartRanges.find((one) => one >= days.length) ?? 365
}

export function GrowthChart() {
  const text = words.value.overview
  const range = useSignal<ChartRange>(30)
  const measure = useSignal<ChartMeasure>('traffic')
  const history = useResource(`history ${range.value}`, (signal) => fetchSiteHistory(range.value, signal), everyMs)
  const { key } = history.state.value
  return (
    <section class="sec">
      <ChartHead title={text.growth} measures={chartMeasures} measure={measure} names={text.measures} range={range} />
      <Loaded of={history} skeletonRows={3}>
        {(data) => (
          <div class="plot-box" aria-busy={key === `history ${range.value}` ? undefined : 'true'}>
            <Picture days={data.items} range={rangeOf(data.items)} measure={measure.value} />
          </div>
        )}
      </Loaded>
    </section>
  )
}
