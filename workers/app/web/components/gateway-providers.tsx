/** The account's own provider and those beside it: how each did in the last two hours, and who rests. */
import { Icon } from '#shared/pages/icon.tsx'
import type { WireGatewayRouting, WireGatewayUsage } from '../../contract/console-gateway.ts'
import { endGatewayProviderRest } from '../api/gateway.ts'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { clockText, dollarsText, groupedBy, healthOf, sumOf, waitSeconds } from '../model/gateway-figures.ts'
import { useActions } from '../use-actions.ts'
import { Dollars } from './gateway-parts.tsx'
import { FailureNote } from './note.tsx'

export type Provider = WireGatewayRouting['providers'][number]
type Recent = WireGatewayRouting['recent']

const marks = { closed: 'm-on', open: 'm-bad', half_open: 'm-warn' } as const
const tones = { closed: 'good', open: 'bad', half_open: 'warn' } as const

export function isAskedLately({ calls }: Recent, provider: string): boolean {
  return calls.some((one) => one.provider === provider)
}

/** The account's own provider is asked as it is: nothing holds it back. One that nobody asked is not known to be well. */
export function CircuitState({ provider, isAsked }: { provider: Provider | undefined; isAsked: boolean }) {
  const text = words.value.gateway
  const state = provider?.circuit ?? 'closed'
  const isKnown = isAsked || state !== 'closed'
  return (
    <span class="st">
      <span class={isKnown ? tones[state] : 'faint'}>
        <Icon name={isKnown ? marks[state] : 'm-guess'} />
      </span>
      {state === 'open'
        ? text.heldUntil(clockText(provider?.open_until ?? 0))
        : isKnown
          ? text.circuits[state]
          : text.notAsked}
    </span>
  )
}

/** Heights above and below the line, in pixels; the line takes one. */
const [upMost, downMost] = [14, 5]

/** Nothing stands where there was no call. */
function HealthStrip({ recent, provider }: { recent: Recent; provider: string }) {
  const { steps, answered, failed, most } = healthOf(recent, provider)
  const heightOf = (count: number, px: number) => Math.ceil((count / most) * px)
  const bars = steps.flatMap((step, at) => {
    const place = { x: `${((at / recent.steps) * 100).toFixed(2)}%`, width: `${(70 / recent.steps).toFixed(2)}%` }
    const [up, down] = [heightOf(step.answered, upMost), heightOf(step.failed, downMost)]
    return [
      up > 0 ? <rect key={`${at} up`} class="f" {...place} y={upMost - up} height={up} /> : null,
      down > 0 ? <rect key={`${at} down`} class="b" {...place} y={upMost + 1} height={down} /> : null,
    ]
  })
  return (
    <svg class="pulse" role="img" aria-label={words.value.gateway.recentCalls(grouped(answered), grouped(failed))}>
      <line class="base" x1="0" x2="100%" y1={upMost + 0.5} y2={upMost + 0.5} />
      {bars}
    </svg>
  )
}

export function ProviderList(props: {
  routing: WireGatewayRouting
  rows: readonly WireGatewayUsage[]
  onChanged: () => Promise<void>
}) {
  const { routing, rows } = props
  const text = words.value.gateway
  const { act, failure } = useActions({ reload: props.onChanged })
  const used = groupedBy(rows, ({ provider }) => provider).filter(({ word }) => word !== '')
  const known = new Map(routing.providers.map((one) => [one.name, one]))
  const names = [...new Set([...used.map(({ word }) => word), ...known.keys()])]
  if (names.length === 0) return <p class="muted">{text.noProviders}</p>
  return (
    <>
      <FailureNote failure={failure.value} />
      <ul class="rows provs">
        {names.map((name) => {
          const own = rows.filter((row) => row.provider === name)
          const provider = known.get(name)
          const { requests, failed, cost } = sumOf(own)
          const isUsed = requests + failed > 0
          const isAsked = isAskedLately(routing.recent, name)
          const isHeld = provider?.circuit === 'open'
          const wait = waitSeconds(own, 0.5)
          return (
            <li key={name}>
              <span class="grow th-m">
                <b>{name}</b> <CircuitState provider={provider} isAsked={isAsked} />
              </span>
              {isHeld ? (
                <button
                  class="btn"
                  type="button"
                  aria-label={text.tryProvider(name)}
                  onClick={() => void act(() => endGatewayProviderRest(name))}
                >
                  {text.tryNow}
                </button>
              ) : (
                <Dollars amount={isUsed ? cost : null} />
              )}
              {isAsked ? <HealthStrip recent={routing.recent} provider={name} /> : null}
              {isHeld ? (
                <span class="small muted">
                  {text.heldWhy(provider.failures_in_a_row)} {text.thenOne}
                </span>
              ) : null}
              <span class="s wrap-any">
                {provider === undefined
                  ? text.ownAccount
                  : [
                      provider.host,
                      provider.dialect,
                      text.callsNow(grouped(provider.calls_under_way), grouped(provider.calls_at_once)),
                    ].join(' · ')}
              </span>
              {isUsed && (
                <span class="s">
                  {[
                    text.providerFacts(grouped(requests), grouped(failed)),
                    ...(isHeld ? [`$${dollarsText(cost)}`] : []),
                    ...(wait === undefined ? [] : [text.halfWithin(wait.toFixed(2))]),
                  ].join(' · ')}
                </span>
              )}
            </li>
          )
        })}
      </ul>
      {routing.recent.calls.length === 0 ? null : <p class="small faint">{text.stripsNote}</p>}
    </>
  )
}
