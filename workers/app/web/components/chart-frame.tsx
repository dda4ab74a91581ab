/** What stands around a chart: what it measures over how many days, and the same figures as a table. */
import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { into } from '#shared/pages/set.ts'
import { words } from '../locales/words.ts'
import { type ChartRange, chartRanges } from '../model/chart.ts'
import { OneOf } from './one-of.tsx'

export function ChartHead<M extends string>(props: {
  title: string
  measures: readonly M[]
  measure: Signal<M>
  names: Readonly<Record<M, string>>
  range: Signal<ChartRange>
}) {
  const { measure, range } = props
  return (
    <header class="growth">
      <h2>{props.title}</h2>
      <span class="end btns">
        <OneOf of={props.measures} value={measure.value} nameOf={(one) => props.names[one]} onChoose={into(measure)} />
        <span class="opt-gap" />
        <OneOf of={chartRanges} value={range.value} nameOf={words.value.overview.rangeDays} onChoose={into(range)} />
      </span>
    </header>
  )
}

/** What each series is drawn as, and what it comes to. */
export function ChartKey({
  of,
}: {
  of: readonly { readonly name: ComponentChildren; readonly amount?: ComponentChildren }[]
}) {
  return (
    <div class="key">
      {of.map(({ name, amount }, nth) => (
        <KeyItem key={nth} nth={nth}>
          <span class="cut">{name}</span>
          {amount}
        </KeyItem>
      ))}
    </div>
  )
}

/** One series, drawn as the `nth`. */
export function KeyItem({ nth, children }: { nth: number; children: ComponentChildren }) {
  return (
    <span>
      <i class={`sw${['', ' two', ' three', ' four'][nth] ?? ''}`} />
      {children}
    </span>
  )
}

/** What the two sides of the traffic are drawn as. */
export function TrafficKey({ unit }: { unit: string }) {
  const text = words.value.overview
  return (
    <>
      <KeyItem nth={0}>{text.uploadedIn(unit)}</KeyItem>
      <KeyItem nth={1}>{text.downloadedIn(unit)}</KeyItem>
    </>
  )
}

/** The day and its figures, in the order of `heads`. */
export function FiguresTable(props: {
  summary: string
  day: string
  heads: readonly string[]
  rows: readonly { readonly key: string; readonly day: string; readonly figures: readonly ComponentChildren[] }[]
}) {
  return (
    <details class="as-table">
      <summary>{props.summary}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{props.day}</th>
            {props.heads.map((head) => (
              <th key={head} scope="col" class="num">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map(({ key, day, figures }) => (
            <tr key={key}>
              <th scope="row">{day}</th>
              {figures.map((figure, at) => (
                <td key={props.heads[at]} class="num">
                  {figure}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
