/** What a key used: its limits, day by day, by model or provider, by kind of token, how soon it began, and what went wrong. */
import { useSignal } from '@preact/signals'
import { into } from '#shared/pages/set.ts'
import type { WireGatewayCall, WireGatewayKey, WireGatewayUsage } from '../../contract/console-gateway.ts'
import { words } from '../locales/words.ts'
import { grouped, percentText } from '../model/amounts.ts'
import { type ChartRange, chartRanges, errorsOf, groupedBy, sumOf, waitSeconds } from '../model/gateway-figures.ts'
import { Fig, Meter, Moment } from './figure.tsx'
import { Dollars, ModelName, Tokens, toneOf, UsageChart, usageMeasures } from './gateway-parts.tsx'
import { OneOf } from './one-of.tsx'
import { Section } from './section.tsx'
import { type Column, Table } from './table.tsx'

function Quota(props: { label: string; used: number; limit: number | null; isMoney: boolean }) {
  const text = words.value.gateway
  const told = (value: number) => (props.isMoney ? `$${value.toFixed(2)}` : grouped(value))
  return (
    <li>
      <span>{props.label}</span>
      <span class="num">
        {props.isMoney ? <Dollars amount={props.used} /> : grouped(props.used)}{' '}
        {props.limit === null ? null : <span class="unit">{text.of(told(props.limit))}</span>}
      </span>
      {props.limit === null ? null : (
        <Meter percent={(props.used / props.limit) * 100} tone={toneOf(props.used / props.limit)} />
      )}
    </li>
  )
}

export function KeyLimits({ item }: { item: WireGatewayKey }) {
  const text = words.value.gateway
  const { used } = item
  return (
    <ul class="quota">
      <Quota label={text.costToday} used={used.day_usd} limit={item.budget_day_usd} isMoney />
      <Quota label={text.costMonth} used={used.month_usd} limit={item.budget_month_usd} isMoney />
      <Quota label={text.reserved} used={used.reserved_usd} limit={null} isMoney />
      <Quota
        label={text.minuteRequests}
        used={used.requests_this_minute}
        limit={item.requests_per_minute}
        isMoney={false}
      />
      <Quota label={text.minuteTokens} used={used.tokens_this_minute} limit={item.tokens_per_minute} isMoney={false} />
    </ul>
  )
}

/** The time bar by bar, in dollars, tokens or requests. */
export function KeyChart(props: {
  rows: readonly WireGatewayUsage[]
  today: string
  range: ChartRange
  onRange: (range: ChartRange) => void
  item: WireGatewayKey
}) {
  const { item, range } = props
  const text = words.value.gateway
  const measure = useSignal<(typeof usageMeasures)[number]>('cost')
  return (
    <>
      <p class="btns">
        <OneOf of={usageMeasures} value={measure.value} nameOf={(one) => text.measures[one]} onChoose={into(measure)} />
        <span class="opt-gap" />
        <OneOf of={chartRanges} value={range} nameOf={(one) => text.ranges[one]} onChoose={props.onRange} />
      </p>
      <UsageChart
        rows={props.rows}
        today={props.today}
        range={range}
        measure={measure.value}
        budget={(range === 'year' ? item.budget_month_usd : item.budget_day_usd) ?? undefined}
      />
    </>
  )
}

const askedBy = ['model', 'provider'] as const

export function KeyBreakdown({ rows }: { rows: readonly WireGatewayUsage[] }) {
  const text = words.value.gateway
  const by = useSignal<(typeof askedBy)[number]>('model')
  const groups = groupedBy(rows, (row) => row[by.value]).filter(({ word }) => word !== '')
  const all = sumOf(groups.flatMap((group) => group.rows))
  const wait = (own: readonly WireGatewayUsage[]) => {
    const half = waitSeconds(own, 0.5)
    return half === undefined ? <span class="faint">—</span> : half.toFixed(2)
  }
  type Row = (typeof groups)[number]
  const lines: readonly Row[] = groups.length > 1 ? [...groups, { word: text.all, rows, sum: all }] : groups
  const figure = (head: string, cell: Column<Row>['cell'], more = ''): Column<Row> => ({
    head,
    th: `num ${more}`.trim(),
    td: `num ${more}`.trim(),
    cell,
  })
  return (
    <Section title={text.breakdown}>
      <p class="btns">
        <OneOf of={askedBy} value={by.value} nameOf={(one) => text[one]} onChoose={into(by)} />
      </p>
      {groups.length === 0 ? (
        <p class="muted">{text.unusedYet}</p>
      ) : (
        <Table
          class="kmod"
          isFlat
          rows={lines}
          keyOf={({ word }) => word}
          columns={[
            { head: text[by.value], cell: ({ word }) => <ModelName name={word} /> },
            figure(text.requests, ({ sum }) => grouped(sum.requests)),
            figure(text.input, ({ sum }) => <Tokens count={sum.input} />, 'wide-only mid'),
            figure(text.output, ({ sum }) => <Tokens count={sum.output} />, 'wide-only'),
            figure(text.first, ({ rows: own }) => wait(own), 'wide-only mid'),
            figure(text.errors, ({ sum }) => grouped(sum.failed + sum.refused)),
            figure(text.cost, ({ sum }) => <Dollars amount={sum.cost} />),
          ]}
        />
      )}
    </Section>
  )
}

export function KeyTokens({ rows }: { rows: readonly WireGatewayUsage[] }) {
  const text = words.value.gateway
  const sum = sumOf(rows)
  const plain = sum.input - sum.cacheRead - sum.cacheWrite
  const kinds = [
    [text.plainInput, plain],
    [text.cacheRead, sum.cacheRead],
    [text.cacheWrite, sum.cacheWrite],
    [text.plainOutput, sum.output - sum.reasoning],
    [text.reasoning, sum.reasoning],
  ] as const
  const all = sum.input + sum.output
  return (
    <Section title={text.tokensByKind}>
      <ul class="quota">
        {kinds.map(([name, count]) => (
          <li key={name}>
            <span>{name}</span>
            <span class="num">
              <Tokens count={count} />{' '}
              <span class="unit">{all === 0 ? '' : `${percentText((count / all) * 100)} %`}</span>
            </span>
            <Meter percent={all === 0 ? 0 : (count / all) * 100} tone="f" />
          </li>
        ))}
      </ul>
    </Section>
  )
}

export function KeyWaits({ rows }: { rows: readonly WireGatewayUsage[] }) {
  const text = words.value.gateway
  const seconds = (share: number) => {
    const wait = waitSeconds(rows, share)
    return wait === undefined ? <span class="faint">—</span> : `${wait.toFixed(2)} s`
  }
  return (
    <Section title={text.waits}>
      <dl class="figures small-figures">
        <Fig name={text.half} beside={text.streamed}>
          {seconds(0.5)}
        </Fig>
        <Fig name={text.most} beside={text.streamed}>
          {seconds(0.95)}
        </Fig>
      </dl>
    </Section>
  )
}

/** Counts are those of the time that is shown; what it was is known of the newest calls. */
export function KeyErrors(props: { rows: readonly WireGatewayUsage[]; calls: readonly WireGatewayCall[] }) {
  const text = words.value.gateway
  const codes: Readonly<Record<string, string>> = text.codes
  const { failed, refused } = sumOf(props.rows)
  const errors = errorsOf(props.calls)
  return (
    <Section title={text.errors}>
      <p class="muted">{text.errorsOf(grouped(failed), grouped(refused), errors.length > 0)}</p>
      {errors.length === 0 ? null : (
        <ul class="rows">
          {errors.map(({ code, outcome, count, last }) => (
            <li key={`${outcome} ${code}`}>
              <span class="grow">
                {codes[code] ?? text.outcomes[outcome]}
                <span class="small faint">
                  {' '}
                  {last.provider === '' ? '' : `${last.provider} ${last.model}, `}
                  <Moment seconds={last.at} />
                </span>
              </span>
              <span class="num">{grouped(count)}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
