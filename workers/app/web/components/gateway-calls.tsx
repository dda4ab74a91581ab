/** The newest calls, read again and again while nobody pauses them. */
import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import { setting } from '#shared/pages/set.ts'
import type { WireGatewayCall } from '../../contract/console-gateway.ts'
import { fetchGatewayBodies, fetchGatewayCalls } from '../api/gateway.ts'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { clockText, secondsText } from '../model/gateway-figures.ts'
import { useResource } from '../resource.ts'
import { Dollars, keyName } from './gateway-parts.tsx'
import { Loaded } from './loaded.tsx'
import { type Column, Table } from './table.tsx'

const liveMs = 2_000

const tones = { answered: 'good', failed: 'bad', left: 'faint', refused: 'faint' } as const
const marks = { answered: 'm-done', failed: 'm-bad', left: 'm-off', refused: 'm-off' } as const

function Result({ call }: { call: WireGatewayCall }) {
  const text = words.value.gateway
  const codes: Readonly<Record<string, string>> = text.codes
  const told = call.outcome === 'answered' || call.outcome === 'left' ? undefined : codes[call.code ?? '']
  return (
    <span class="st" title={call.code ?? undefined}>
      <span class={tones[call.outcome]}>
        <Icon name={marks[call.outcome]} />
      </span>
      {told ?? text.outcomes[call.outcome]}
    </span>
  )
}

/** Who was asked in turn, and why it was not the one before. */
function Tries({ call }: { call: WireGatewayCall }) {
  const text = words.value.gateway
  const codes: Readonly<Record<string, string>> = text.codes
  if (call.attempts.length === 0) return null
  return (
    <details class="small tries">
      <summary>{text.tries(call.attempts.length)}</summary>
      <ol>
        {call.attempts.map((attempt, index) => (
          <li key={index}>
            <b>{attempt.provider}</b> <span class="wrap-any">{attempt.model}</span>{' '}
            <span class={attempt.code === null ? 'good' : 'bad'} title={attempt.code ?? undefined}>
              {attempt.code === null ? text.outcomes.answered : (codes[attempt.code] ?? text.outcomes.failed)}
            </span>{' '}
            <span class="faint">{secondsText(attempt.ms)}</span>
          </li>
        ))}
      </ol>
    </details>
  )
}

/** What the request and its answer said. */
function Said({ call, onClose }: { call: WireGatewayCall; onClose: () => void }) {
  const text = words.value.gateway
  const said = useResource('gateway bodies', () => fetchGatewayBodies(call.key, call.request_id))
  return (
    <section class="sec" aria-label={text.said}>
      <header>
        <h2>{text.said}</h2>
        <span class="n">{clockText(call.at)}</span>
        <span class="end">
          <button class="btn icon quiet" type="button" aria-label={words.value.common.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </span>
      </header>
      <Loaded of={said}>
        {({ request, answer, is_cut }) => (
          <>
            {is_cut && <p class="small muted">{text.saidCut}</p>}
            <pre class="argbox code">{request}</pre>
            <pre class="argbox code">{answer}</pre>
          </>
        )}
      </Loaded>
    </section>
  )
}

function count(tokens: number) {
  return tokens === 0 ? <span class="faint">—</span> : grouped(tokens)
}

/** Of one key where it is named, whose name then stands nowhere. */
export function GatewayCalls({ of }: { of?: string }) {
  const text = words.value.gateway
  const paused = useSignal(false)
  const shown = useSignal<WireGatewayCall | undefined>(undefined)
  const calls = useResource(
    `${paused.value ? 'paused' : 'live'} ${of ?? ''}`,
    (signal) => fetchGatewayCalls(of, signal),
    paused.value ? undefined : liveMs,
  )
  const keyColumn: Column<WireGatewayCall> = {
    head: text.key,
    td: 'name',
    cell: (call) => (
      <span class="cut" title={call.key_name}>
        {keyName(call)}
      </span>
    ),
  }
  const columns: readonly Column<WireGatewayCall>[] = [
    { head: text.time, td: 'faint nowrap', cell: ({ at }) => clockText(at) },
    ...(of === undefined ? [keyColumn] : []),
    {
      head: text.routeModel,
      td: 'route',
      cell: ({ route, model }) => (
        <span class="cut" title={model}>
          <span class="muted">{route.replace(/^\//, '')}</span> {model}
        </span>
      ),
    },
    {
      head: text.result,
      td: 'nowrap res',
      cell: (call) => (
        <>
          <Result call={call} />
          {call.has_body && (
            <button class="btn quiet" type="button" onClick={setting(shown, call)}>
              {text.said}
            </button>
          )}
          <Tries call={call} />
        </>
      ),
    },
    {
      head: text.input,
      th: 'num',
      td: 'num wide-only',
      cell: ({ tokens }) => count(tokens.input + tokens.cache_read + tokens.cache_write),
    },
    { head: text.output, th: 'num', td: 'num wide-only', cell: ({ tokens }) => count(tokens.output) },
    {
      head: text.first,
      th: 'num',
      td: 'num wide-only',
      cell: ({ first_token_ms: ms }) => (ms === null ? <span class="faint">—</span> : (ms / 1000).toFixed(2)),
    },
    {
      head: text.took,
      th: 'num',
      td: 'num nowrap took',
      cell: (call) => (
        <>
          {(call.took_ms / 1000).toFixed(1)}
          <span class="unit">{'\u00a0s'}</span>
        </>
      ),
    },
    {
      head: text.cost,
      th: 'num',
      td: 'num wide-only',
      cell: (call) => <Dollars amount={call.outcome === 'refused' ? null : call.cost_usd} />,
    },
  ]
  return (
    <section class="sec tl">
      <header>
        <h2>{text.calls}</h2>
        <span class="n">{paused.value ? text.paused : text.live}</span>
        <span class="end">
          <button
            class="btn quiet"
            type="button"
            aria-pressed={paused.value}
            onClick={() => {
              paused.value = !paused.value
            }}
          >
            <Icon name={paused.value ? 'play' : 'pause'} />
            {paused.value ? text.goOn : text.pause}
          </button>
        </span>
      </header>
      <Loaded of={calls} skeletonRows={4}>
        {(data) =>
          data.items.length === 0 ? (
            <p class="muted">{text.noCalls}</p>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
            <section class="scroll-x" aria-label={text.calls} tabIndex={0}>
              <Table
                class={of === undefined ? 'tail' : 'tail own'}
                columns={columns}
                rows={data.items}
                keyOf={(call) => `${call.key} ${call.request_id} ${call.at}`}
              />
            </section>
          )
        }
      </Loaded>
      {shown.value === undefined ? null : (
        <Said key={shown.value.request_id} call={shown.value} onClose={setting(shown, undefined)} />
      )}
      <p class="small faint">{text.callsNote}</p>
    </section>
  )
}
