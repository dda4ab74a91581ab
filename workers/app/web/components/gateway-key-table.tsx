/** What each key spent, and those of which only the usage is left. */
import type { ComponentChildren } from 'preact'
import type { WireGatewayKey, WireGatewayKeyList, WireGatewayUsage } from '../../contract/console-gateway.ts'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { groupedBy, sumOf } from '../model/gateway-figures.ts'
import { Moment } from './figure.tsx'
import { BudgetMeter, Dollars, KeyState, masterId, Tokens } from './gateway-parts.tsx'
import { StateMark } from './state-mark.tsx'
import { type Column, Table } from './table.tsx'

interface KeyRow {
  readonly id: string
  readonly name: string
  readonly hint: string
  readonly item?: WireGatewayKey
  readonly calls: readonly WireGatewayUsage[]
}

const sumId = 'sum'

function KeyName({ id, name, hint, item }: KeyRow) {
  if (id === sumId) return name
  const title = (
    <>
      <span class="cut">
        <b>{name}</b>
      </span>
      <span class="small cut faint">
        {item === undefined ? null : <KeyState item={item} after=" · " />}
        {hint}
      </span>
    </>
  )
  return item === undefined ? (
    title
  ) : (
    <a href={`#/gateway/${item.id}`} title={name}>
      {title}
    </a>
  )
}

function keyRows(keys: WireGatewayKeyList, usage: readonly WireGatewayUsage[]): readonly KeyRow[] {
  const text = words.value.gateway
  const byKey = Map.groupBy(usage, ({ key }) => key)
  const listed = new Set(keys.items.map(({ id }) => id))
  const master = byKey.get(masterId)
  const others = groupedBy(usage, ({ key }) => key).filter(({ word }) => word !== masterId && !listed.has(word))
  return [
    ...keys.items.map((item) => ({
      id: item.id,
      name: item.name,
      hint: item.models.length === 0 ? text.allModels : item.models.join(', '),
      item,
      calls: byKey.get(item.id) ?? [],
    })),
    ...(master === undefined
      ? []
      : [{ id: masterId, name: text.settingsKey, hint: text.settingsKeyHint, calls: master }]),
    ...others.map(({ word, rows }) => ({ id: word, name: word, hint: text.removedKey, calls: rows })),
  ]
}

export function KeyTable({ keys, usage }: { keys: WireGatewayKeyList; usage: readonly WireGatewayUsage[] }) {
  const text = words.value.gateway
  const each = keyRows(keys, usage)
  const all: readonly KeyRow[] = each.length > 1 ? [{ id: sumId, name: text.all, hint: '', calls: usage }] : []
  const rows = [...each, ...all].map((row) => ({ ...row, sum: sumOf(row.calls) }))
  type Row = (typeof rows)[number]
  const figure = (head: string, cell: (sum: Row['sum']) => ComponentChildren, look = ''): Column<Row> => ({
    head,
    th: `num ${look}`.trim(),
    td: `num wide-only ${look}`.trim(),
    cell: ({ sum }) => cell(sum),
  })
  const columns: readonly Column<Row>[] = [
    { head: text.key, td: 'name', cell: KeyName },
    figure(text.requests, ({ requests }) => grouped(requests)),
    figure(text.input, ({ input }) => <Tokens count={input} />),
    figure(text.cacheRead, ({ cacheRead }) => <Tokens count={cacheRead} />, 'mid'),
    figure(text.output, ({ output }) => <Tokens count={output} />),
    figure(text.reasoning, ({ reasoning }) => <Tokens count={reasoning} />, 'mid'),
    { head: text.cost, th: 'num', td: 'num cost', cell: ({ sum }) => <Dollars amount={sum.cost} /> },
    {
      head: text.ofBudget,
      td: 'budget',
      cell: ({ id, item }) =>
        id === sumId ? null : <BudgetMeter used={item?.used.month_usd ?? 0} budget={item?.budget_month_usd ?? null} />,
    },
    {
      head: text.lastUsed,
      td: 'nowrap muted',
      cell: ({ item }) =>
        item === undefined ? null : (
          <>
            <span class="phone-only faint">{text.lastUsed} </span>
            {item.used.calls_under_way > 0 ? (
              <StateMark mark="m-part" tone="acc">
                {text.running}
              </StateMark>
            ) : (
              <Moment seconds={item.last_used_at ?? undefined} none={text.unused} />
            )}
          </>
        ),
    },
    {
      head: text.errors,
      th: 'num',
      td: 'num',
      cell: ({ sum }) => (
        <>
          <span class="phone-only faint">{text.errors} </span>
          {grouped(sum.failed + sum.refused)}
        </>
      ),
    },
  ]
  return <Table class="gkeys" columns={columns} rows={rows} keyOf={({ id }) => id} />
}
