/** The model gateway: who spent what, its keys, and the newest calls. One key has a page of its own. */

import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty, Note } from '#shared/pages/note.tsx'
import { into } from '#shared/pages/set.ts'
import type {
  WireGatewayKey,
  WireGatewayKeyList,
  WireGatewayRouting,
  WireGatewayUsage,
} from '../../contract/console-gateway.ts'
import {
  fetchGatewayCalls,
  fetchGatewayKeys,
  fetchGatewayRouteChanges,
  fetchGatewayRouting,
  fetchGatewayUsage,
  fetchGatewayUsageTable,
  makeGatewayKey,
} from '../api/gateway.ts'
import { Fig, Meter } from '../components/figure.tsx'
import { GatewayCalls } from '../components/gateway-calls.tsx'
import { GatewayKey, UseIt } from '../components/gateway-key.tsx'
import { GatewayKeyForm } from '../components/gateway-key-form.tsx'
import { KeyTable } from '../components/gateway-key-table.tsx'
import {
  Dollars,
  type Grouping,
  groupings,
  KeyState,
  ModelName,
  masterId,
  Tokens,
  tokensText,
  toneOf,
  UsageChart,
} from '../components/gateway-parts.tsx'
import { ProviderList } from '../components/gateway-providers.tsx'
import { GatewayRoutes } from '../components/gateway-routing.tsx'
import { Loaded } from '../components/loaded.tsx'
import { OneOf } from '../components/one-of.tsx'
import { Shell } from '../components/shell.tsx'
import { ShownOnce } from '../components/shown-once.tsx'
import { Table } from '../components/table.tsx'
import { words } from '../locales/words.ts'
import { grouped, percentText } from '../model/amounts.ts'
import {
  type ChartRange,
  chartRanges,
  commonBudget,
  firstDay,
  goneBy,
  groupedBy,
  paceOf,
  type Sum,
  sumOf,
  waitSeconds,
} from '../model/gateway-figures.ts'
import { dayText, momentText } from '../model/moments.ts'
import { language } from '../preferences.ts'
import { type Resource, useResource } from '../resource.ts'

const freshMs = 15_000

interface Usage {
  readonly today: string
  readonly items: readonly WireGatewayUsage[]
}

interface Budgets {
  readonly day: number | undefined
  readonly month: number | undefined
}

/** What may be spent in all, where every key that is in use has such a bound. */
function budgetsOf(keys: WireGatewayKeyList, { items }: Usage): Budgets {
  if (items.some(({ key }) => key === masterId)) return { day: undefined, month: undefined }
  const nowSeconds = Date.now() / 1000
  return { day: commonBudget(keys.items, 'day', nowSeconds), month: commonBudget(keys.items, 'month', nowSeconds) }
}

function OfBudget({ cost, budget, gone }: { cost: number; budget: number | undefined; gone: string | undefined }) {
  if (budget === undefined) return null
  const share = cost / budget
  return (
    <>
      {` · ${words.value.gateway.shareOf(percentText(share * 100), `$${budget.toFixed(2)}`)}`}
      {gone === undefined || share >= 1 ? null : (
        <span class="warn">{words.value.gateway.goneBy(dayText(gone, language.value))}</span>
      )}
      <Meter percent={share * 100} tone={toneOf(share)} />
    </>
  )
}

/** None at all is known, and is no gap. */
function TokensInAll({ sum: { input, output } }: { sum: Sum }) {
  return input + output === 0 ? <span>0</span> : <Tokens count={input + output} />
}

function Figures({ usage, budgets }: { usage: Usage; budgets: Budgets }) {
  const text = words.value.gateway
  const rows = usage.items.filter(({ day }) => day.startsWith(usage.today.slice(0, 7)))
  const month = sumOf(rows)
  const today = sumOf(usage.items.filter(({ day }) => day === usage.today))
  const half = waitSeconds(rows, 0.5)
  const most = waitSeconds(rows, 0.95)
  const tokens = (sum: typeof month) => text.inOut(tokensText(sum.input), tokensText(sum.output))
  const requests = (sum: typeof month) =>
    sum.unpriced === 0 ? text.requestsOf(grouped(sum.requests)) : text.unpriced(grouped(sum.unpriced))
  const pace = paceOf(rows, usage.today)
  const goneOn =
    pace === undefined || budgets.month === undefined ? undefined : goneBy(pace, usage.today, budgets.month)
  const costs = [
    { name: text.costToday, sum: today, budget: budgets.day, gone: undefined },
    { name: text.costMonth, sum: month, budget: budgets.month, gone: goneOn },
  ]
  return (
    <dl class="figures">
      {costs.map(({ name, sum, budget, gone }) => (
        <Fig
          key={name}
          name={name}
          beside={
            <>
              {requests(sum)}
              <OfBudget cost={sum.cost} budget={budget} gone={gone} />
            </>
          }
        >
          <Dollars amount={sum.cost} />
        </Fig>
      ))}
      <Fig name={text.tokensToday} beside={tokens(today)}>
        <TokensInAll sum={today} />
      </Fig>
      <Fig name={text.tokensMonth} beside={tokens(month)}>
        <TokensInAll sum={month} />
      </Fig>
      <Fig name={text.firstToken} beside={most === undefined ? text.noStreams : text.within(most.toFixed(2))}>
        {half === undefined ? (
          <span class="faint">—</span>
        ) : (
          <span>
            {half.toFixed(2)}
            <span class="unit">{'\u00a0s'}</span>
          </span>
        )}
      </Fig>
    </dl>
  )
}

function Waits({ usage, during }: { usage: Usage; during: string }) {
  const text = words.value.gateway
  const models = groupedBy(usage.items, ({ model }) => model).flatMap(({ word, rows }) => {
    const half = waitSeconds(rows, 0.5)
    return half === undefined ? [] : [{ word, half, most: waitSeconds(rows, 0.95) ?? half }]
  })
  return (
    <section class="sec">
      <header>
        <h2>{text.waits}</h2>
        <span class="n">{during}</span>
      </header>
      {models.length === 0 ? (
        <p class="muted">{text.noStreams}</p>
      ) : (
        <>
          <Table
            class="kmod"
            isFlat
            rows={models}
            keyOf={({ word }) => word}
            columns={[
              { head: text.model, cell: ({ word }) => <ModelName name={word} /> },
              { head: text.half, th: 'num', td: 'num', cell: ({ half }) => half.toFixed(2) },
              { head: text.most, th: 'num', td: 'num', cell: ({ most }) => most.toFixed(2) },
            ]}
          />
          <p class="small faint">{text.waitsNote}</p>
        </>
      )}
    </section>
  )
}

async function saveTable(): Promise<void> {
  const answer = await fetchGatewayUsageTable()
  if (!answer.ok) return
  const address = URL.createObjectURL(new Blob([answer.value.csv], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'gateway-usage.csv'
  link.click()
  URL.revokeObjectURL(address)
}

function Overview(props: {
  keys: Resource<WireGatewayKeyList>
  usage: Resource<Usage>
  routing: Resource<WireGatewayRouting>
  range: ChartRange
  onRange: (range: ChartRange, today: string) => void
}) {
  const { keys, usage, range } = props
  const text = words.value.gateway
  const during = text.during[range]
  const by = useSignal<Grouping>('model')
  return (
    <Loaded of={keys} skeletonRows={6}>
      {(list) => (
        <Loaded of={usage} skeletonRows={6}>
          {(used) => {
            const budgets = budgetsOf(list, used)
            return (
              <>
                {list.is_durable ? null : <Note tone="warn">{text.inMemory}</Note>}
                <Figures usage={used} budgets={budgets} />
                <div class="cols dash">
                  <section class="sec">
                    <header class="growth">
                      <h2>{range === 'year' ? text.perMonth : text.perDay}</h2>
                      <span class="n">{text.perDayUnit(during)}</span>
                      <span class="end btns">
                        <OneOf of={groupings} value={by.value} nameOf={(one) => text[one]} onChoose={into(by)} />
                        <span class="opt-gap" />
                        <OneOf
                          of={chartRanges}
                          value={range}
                          nameOf={(one) => text.ranges[one]}
                          onChoose={(one) => props.onRange(one, used.today)}
                        />
                      </span>
                    </header>
                    <UsageChart
                      rows={used.items}
                      today={used.today}
                      range={range}
                      by={by.value}
                      isTall
                      budget={budgets[range === 'year' ? 'month' : 'day']}
                    />
                  </section>
                  <section class="sec">
                    <header>
                      <h2>{text.providers}</h2>
                      <span class="n">{during}</span>
                      <span class="end">
                        <a class="link" href="#/gateway/routes">
                          {text.routes}
                        </a>
                      </span>
                    </header>
                    <Loaded of={props.routing} skeletonRows={2}>
                      {(routing) => (
                        <ProviderList routing={routing} rows={used.items} onChanged={props.routing.reload} />
                      )}
                    </Loaded>
                    <p class="small faint">{text.providersNote}</p>
                  </section>
                </div>
                <section class="sec">
                  <header>
                    <h2>{text.keys}</h2>
                    <span class="n">{during}</span>
                    <span class="end">
                      <button class="link-button" type="button" onClick={() => void saveTable()}>
                        {text.exportCsv}
                      </button>
                    </span>
                  </header>
                  {list.items.length === 0 && used.items.length === 0 ? (
                    <Empty title={text.emptyTitle} body={text.emptyBody}>
                      <a class="btn" href="#/gateway/new">
                        {text.add}
                      </a>
                    </Empty>
                  ) : (
                    <>
                      <KeyTable keys={list} usage={used.items} />
                      <p class="small faint">{text.keysNote}</p>
                    </>
                  )}
                </section>
                <div class="cols dash low">
                  <div class="stack">
                    <GatewayCalls />
                  </div>
                  <div class="stack">
                    <Waits usage={used} during={during} />
                  </div>
                </div>
              </>
            )
          }}
        </Loaded>
      )}
    </Loaded>
  )
}

function NewKey({ keys }: { keys: Resource<WireGatewayKeyList> }) {
  const text = words.value.gateway
  const made = useSignal<{ readonly key: WireGatewayKey; readonly secret: string } | undefined>(undefined)
  const fresh = made.value
  if (fresh === undefined) {
    return (
      <div class="form-column">
        <GatewayKeyForm
          item={undefined}
          send={makeGatewayKey}
          onDone={(done) => {
            made.value = done
            void keys.reload()
          }}
        />
      </div>
    )
  }
  return (
    <div class="form-column stack">
      <ShownOnce
        lead={text.shownOnce(fresh.key.name)}
        label={text.secret}
        secret={fresh.secret}
        done={text.done}
        onDone={() => {
          location.hash = `#/gateway/${fresh.key.id}`
        }}
      />
      <UseIt path={keys.state.value.data?.path ?? ''} item={fresh.key} />
    </div>
  )
}

function OneKey(props: {
  id: string
  keys: Resource<WireGatewayKeyList>
  usage: Resource<Usage>
  range: ChartRange
  onRange: (range: ChartRange, today: string) => void
}) {
  const { id, keys, usage } = props
  return (
    <Loaded of={keys} skeletonRows={6}>
      {(list) => {
        const item = list.items.find((one) => one.id === id)
        if (item === undefined) return <p class="muted">{words.value.gateway.gone}</p>
        return (
          <Loaded of={usage} skeletonRows={6}>
            {(used) => (
              <GatewayKey
                key={item.id}
                item={item}
                list={list}
                rows={used.items.filter(({ key }) => key === id)}
                today={used.today}
                range={props.range}
                onRange={(range) => props.onRange(range, used.today)}
                reload={async () => {
                  await Promise.all([keys.reload(), usage.reload()])
                }}
              />
            )}
          </Loaded>
        )
      }}
    </Loaded>
  )
}

function Routes({ routing, usage }: { routing: Resource<WireGatewayRouting>; usage: Resource<Usage> }) {
  const calls = useResource('gateway calls of routes', (signal) => fetchGatewayCalls(undefined, signal), freshMs)
  const changes = useResource('gateway route changes', fetchGatewayRouteChanges)
  return (
    <Loaded of={routing} skeletonRows={6}>
      {(told) => (
        <GatewayRoutes
          routing={told}
          rows={usage.state.value.data?.items ?? []}
          calls={calls.state.value.data?.items ?? []}
          changes={changes.state.value.data?.items ?? []}
          onChanged={async () => {
            await Promise.all([routing.reload(), changes.reload()])
          }}
        />
      )}
    </Loaded>
  )
}

function KeyFacts({ item }: { item: WireGatewayKey }) {
  const text = words.value.gateway
  const said = (seconds: number) => momentText(seconds, Date.now() / 1000, language.value)
  return (
    <span class="small faint wide-only">
      <KeyState item={item} after=" · " />
      {text.madeAndUsed(said(item.created_at), item.last_used_at === null ? undefined : said(item.last_used_at))}
    </span>
  )
}

export function GatewayPage({ form }: { form?: string }) {
  const text = words.value.gateway
  const keys = useResource(`gateway keys ${form ?? ''}`, fetchGatewayKeys, freshMs)
  const time = useSignal<{ readonly range: ChartRange; readonly from: string | undefined }>({
    range: 'month',
    from: undefined,
  })
  const { range, from } = time.value
  const choose = (chosen: ChartRange, today: string) => {
    time.value = { range: chosen, from: firstDay(chosen, today) }
  }
  const usage = useResource<Usage>(
    `gateway usage ${form ?? ''} ${from ?? ''}`,
    (signal) => fetchGatewayUsage(from, signal),
    freshMs,
  )
  const routing = useResource(`gateway routing ${form ?? ''}`, fetchGatewayRouting, freshMs)
  const item = keys.state.value.data?.items.find(({ id }) => id === form)
  const title =
    form === undefined
      ? words.value.screens.gateway
      : form === 'new'
        ? text.newTitle
        : form === 'routes'
          ? text.routes
          : (item?.name ?? text.key)
  return (
    <Shell
      screen="gateway"
      title={title}
      facts={
        form === undefined ? undefined : (
          <>
            <a class="link" href="#/gateway">
              {text.back}
            </a>
            {item === undefined ? null : <KeyFacts item={item} />}
          </>
        )
      }
      tools={
        form === undefined ? (
          <a class="btn primary" href="#/gateway/new">
            <Icon name="plus" />
            {text.add}
          </a>
        ) : undefined
      }
    >
      {form === undefined ? (
        <Overview keys={keys} usage={usage} routing={routing} range={range} onRange={choose} />
      ) : form === 'routes' ? (
        <Routes routing={routing} usage={usage} />
      ) : form === 'new' ? (
        <NewKey keys={keys} />
      ) : (
        <OneKey id={form} keys={keys} usage={usage} range={range} onRange={choose} />
      )}
    </Shell>
  )
}
