/** One key: its secret when it is new, how to use it, its settings, and what it spent. */
import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import { into, setting } from '#shared/pages/set.ts'
import type { WireGatewayKey, WireGatewayKeyList, WireGatewayUsage } from '../../contract/console-gateway.ts'
import { changeGatewayKey, removeGatewayKey, renewGatewayKey } from '../api/gateway.ts'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { groupedBy } from '../model/gateway-figures.ts'
import { goTo } from '../router.ts'
import { ConfirmRemoval } from './confirm-removal.tsx'
import { Meter } from './figure.tsx'
import { GatewayKeyForm } from './gateway-key-form.tsx'
import { CostChart, Dollars, Tokens, toneOf } from './gateway-parts.tsx'
import { OneOf } from './one-of.tsx'
import { Section } from './section.tsx'
import { ShownOnce } from './shown-once.tsx'
import { Table } from './table.tsx'

const snippetKinds = ['curl', 'chat', 'shell'] as const

function snippet(kind: (typeof snippetKinds)[number], address: string, model: string): string {
  if (kind === 'curl') {
    return `curl ${address}/chat/completions \\
  -H "Authorization: Bearer $WHARF_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello"}]}'`
  }
  if (kind === 'chat') {
    return `const client = new OpenAI({
  baseURL: '${address}',
  apiKey: process.env.WHARF_KEY,
})`
  }
  return `export OPENAI_BASE_URL=${address}
export OPENAI_API_KEY=$WHARF_KEY
export ANTHROPIC_BASE_URL=${address}
export ANTHROPIC_AUTH_TOKEN=$WHARF_KEY`
}

export function UseIt({ path, item }: { path: string; item: WireGatewayKey }) {
  const text = words.value.gateway
  const kind = useSignal<(typeof snippetKinds)[number]>('curl')
  const address = location.origin + path
  const model = item.models.find((one) => !one.endsWith('*')) ?? 'default'
  return (
    <section class="sec">
      <header>
        <h2>{text.useIt}</h2>
        <span class="n">
          {text.address} <code>{address}</code>
        </span>
      </header>
      <div class="btns">
        <OneOf of={snippetKinds} value={kind.value} nameOf={(one) => text.snippets[one]} onChoose={into(kind)} />
      </div>
      <pre class="argbox code">{snippet(kind.value, address, model)}</pre>
    </section>
  )
}

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

export function GatewayKey(props: {
  item: WireGatewayKey
  list: WireGatewayKeyList
  rows: readonly WireGatewayUsage[]
  today: string
  reload: () => Promise<void>
}) {
  const { item, rows, today } = props
  const text = words.value.gateway
  const fresh = useSignal<string | undefined>(undefined)
  const removing = useSignal<WireGatewayKey | undefined>(undefined)
  const { used } = item
  const isRevoked = item.revoked_at !== null

  async function renew(): Promise<void> {
    const answer = await renewGatewayKey(item.id)
    if (answer.ok) fresh.value = answer.value.secret
    await props.reload()
  }

  return (
    <div class="cols keyc">
      <div class="stack">
        {fresh.value === undefined ? null : (
          <ShownOnce
            lead={text.shownOnce(item.name)}
            label={text.secret}
            secret={fresh.value}
            done={text.done}
            onDone={setting(fresh, undefined)}
          >
            <p class="small muted">{text.oldSecret}</p>
          </ShownOnce>
        )}
        <UseIt path={props.list.path} item={item} />
        <section class="sec">
          <header>
            <h2>{text.settings}</h2>
            <span class="n">{text.secretEnd(item.secret_end)}</span>
            <span class="end">
              <button class="btn quiet" type="button" disabled={isRevoked} onClick={() => void renew()}>
                <Icon name="refresh" />
                {text.newSecret}
              </button>
            </span>
          </header>
          <GatewayKeyForm
            item={item}
            send={(body) => changeGatewayKey(item.id, body)}
            onDone={() => void props.reload()}
          />
        </section>
      </div>
      <div class="stack">
        <section class="sec">
          <header>
            <h2>{text.usage}</h2>
            <span class="n">{text.month}</span>
          </header>
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
            <Quota
              label={text.minuteTokens}
              used={used.tokens_this_minute}
              limit={item.tokens_per_minute}
              isMoney={false}
            />
          </ul>
          <CostChart rows={rows} today={today} />
          <Table
            class="kmod"
            isFlat
            rows={groupedBy(rows, ({ model }) => model).filter(({ word }) => word !== '')}
            keyOf={({ word }) => word}
            columns={[
              { head: text.model, td: 'wrap-any', cell: ({ word }) => word },
              { head: text.requests, th: 'num', td: 'num', cell: ({ sum }) => grouped(sum.requests) },
              { head: text.input, th: 'num', td: 'num', cell: ({ sum }) => <Tokens count={sum.input} /> },
              { head: text.output, th: 'num', td: 'num', cell: ({ sum }) => <Tokens count={sum.output} /> },
              { head: text.cost, th: 'num', td: 'num', cell: ({ sum }) => <Dollars amount={sum.cost} /> },
            ]}
          />
        </section>
        <Section title={isRevoked ? text.remove : text.revoke}>
          <p class="small muted">{isRevoked ? text.removeBody : text.revokeBody}</p>
          <div class="btns">
            <button class="btn danger" type="button" onClick={setting(removing, item)}>
              {isRevoked ? text.remove : text.revoke}…
            </button>
          </div>
        </Section>
      </div>
      <ConfirmRemoval
        wanted={removing}
        text={{
          confirmRemove: isRevoked ? text.removeConfirm : text.revokeConfirm,
          confirmRemoveBody: isRevoked ? text.removeBody : text.revokeBody,
          doRemove: isRevoked ? text.doRemove : text.doRevoke,
        }}
        remove={removeGatewayKey}
        after={async (answer) => {
          if (answer.ok && isRevoked) goTo('#/gateway')
          await props.reload()
        }}
      />
    </div>
  )
}
