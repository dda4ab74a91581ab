/** Where the routes over all providers lead: those of the settings, and those kept here. */
import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty, Note } from '#shared/pages/note.tsx'
import { setting } from '#shared/pages/set.ts'
import type {
  WireGatewayCall,
  WireGatewayRouteChange,
  WireGatewayRouting,
  WireGatewayUsage,
} from '../../contract/console-gateway.ts'
import { removeGatewayRoute } from '../api/gateway.ts'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { clockText, secondsText, sumOf } from '../model/gateway-figures.ts'
import { useActions } from '../use-actions.ts'
import { ConfirmRemoval } from './confirm-removal.tsx'
import { Dollars, keyName, ModelName } from './gateway-parts.tsx'
import { CircuitState, isAskedLately, type Provider } from './gateway-providers.tsx'
import { RouteChanges } from './gateway-route-changes.tsx'
import { GatewayRouteForm } from './gateway-route-form.tsx'
import { FailureNote } from './note.tsx'

type Route = WireGatewayRouting['routes'][number]
type Step = Route['steps'][number]

/** Steps of one order, which share the requests. */
function stagesOf({ steps }: Route): readonly (readonly Step[])[] {
  const byOrder = Map.groupBy(steps, ({ order }) => order)
  return [...byOrder].toSorted(([left], [right]) => left - right).map(([, stage]) => stage)
}

function Price({ dollars }: { dollars: number | null }) {
  return dollars === null ? <span class="faint">—</span> : <span>{dollars.toFixed(2)}</span>
}

function StepRow(props: {
  step: Step
  share: number
  provider: Provider | undefined
  isAsked: boolean
  answered: number
}) {
  const { step, share, provider, isAsked, answered } = props
  const text = words.value.gateway
  return (
    <tr>
      <td class="name">
        <b>
          <ModelName name={step.model} />
        </b>{' '}
        <span class="muted">{step.provider}</span>
        <span class="small cut faint">
          <CircuitState provider={provider} isAsked={isAsked} />
          {step.calls_at_once === null ? '' : ` · ${text.mostCalls(step.calls_at_once)}`}
        </span>
        <span class="phone-only small faint">
          {text.input} <Price dollars={step.input_usd} /> · {text.output} <Price dollars={step.output_usd} />
        </span>
      </td>
      <td class={share === 1 ? 'num nowrap wide-only' : 'num nowrap'}>
        {share === 1 ? (
          <span class="faint">{text.alone}</span>
        ) : (
          <>
            <span class="phone-only faint">{text.weight} </span>
            {`${Math.round(share * 100)} %`}
          </>
        )}
      </td>
      <td class="num wide-only">
        <Price dollars={step.input_usd} />
      </td>
      <td class="num wide-only mid">
        <Price dollars={step.cache_read_usd} />
      </td>
      <td class="num wide-only">
        <Price dollars={step.output_usd} />
      </td>
      <td class="num wide-only">
        {step.context_window === null ? <span class="faint">—</span> : `${grouped(step.context_window / 1000)} k`}
      </td>
      <td class="num wide-only">{grouped(answered)}</td>
    </tr>
  )
}

/** The calls of the newest request of the route that did not end with the first it asked. */
function FellBack({ call }: { call: WireGatewayCall }) {
  const text = words.value.gateway
  const codes: Readonly<Record<string, string>> = text.codes
  // A try ends with the first token where the answer is streamed, and with the whole of it elsewhere.
  const waited = call.attempts.reduce((sum, { ms }) => sum + ms, 0)
  const arriving = call.first_token_ms === null ? 0 : call.took_ms - call.first_token_ms
  const all = waited + arriving || 1
  const bar = (kind: 'fail' | 'wait' | 'got', from: number, ms: number) => (
    <rect
      class={kind}
      x={((from / all) * 100).toFixed(2)}
      width={Math.max(0.5, (ms / all) * 100).toFixed(2)}
      height="10"
    />
  )
  let before = 0
  return (
    <section class="sec">
      <header>
        <h2>{text.fellBack}</h2>
        <span class="n">
          {clockText(call.at)}, {keyName(call)}
        </span>
      </header>
      <ol class="trace">
        {call.attempts.map((attempt, index) => {
          const from = before
          before += attempt.ms
          const hasAnswered = attempt.code === null
          const answering = hasAnswered ? arriving : 0
          return (
            <li key={index}>
              <span>
                <b class="wrap-any">
                  {index + 1}. {attempt.model}
                </b>{' '}
                <span class="faint">{attempt.provider}</span>
              </span>
              <svg class="tl-s" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                {bar(hasAnswered ? (answering > 0 ? 'wait' : 'got') : 'fail', from, attempt.ms)}
                {answering > 0 && bar('got', before, answering)}
              </svg>
              <span>
                <span class="st">
                  <span class={hasAnswered ? 'good' : 'bad'}>
                    <Icon name={hasAnswered ? 'm-done' : 'm-bad'} />
                  </span>
                  {attempt.code === null ? text.outcomes.answered : (codes[attempt.code] ?? text.outcomes.failed)}
                </span>{' '}
                <span class="faint small nowrap">{secondsText(attempt.ms + answering)}</span>
              </span>
            </li>
          )
        })}
      </ol>
      {arriving > 0 && (
        <p class="small faint">
          {text.firstAfter} {secondsText(waited)} · <Dollars amount={call.cost_usd} />
        </p>
      )}
    </section>
  )
}

/** How many of a route's models are of providers that are held back. */
function heldOf({ steps }: Route, providers: ReadonlyMap<string, Provider>): number {
  return steps.filter(({ provider }) => providers.get(provider)?.circuit === 'open').length
}

const stateMarks = { good: 'm-on', warn: 'm-warn', bad: 'm-bad' } as const

function RouteView(props: {
  route: Route
  providers: ReadonlyMap<string, Provider>
  recent: WireGatewayRouting['recent']
  rows: readonly WireGatewayUsage[]
  calls: readonly WireGatewayCall[]
  onEdit: () => void
  onChanged: () => Promise<void>
}) {
  const { route, providers, rows, calls } = props
  const text = words.value.gateway
  const { after, failure, removing } = useActions<{ readonly id: string; readonly name: string }>({
    reload: props.onChanged,
  })
  const stages = stagesOf(route)
  const held = [...new Set(route.steps.map(({ provider }) => provider))].flatMap((name) => {
    const provider = providers.get(name)
    return provider?.circuit === 'open' ? [provider] : []
  })
  const isOfRoute = ({ provider, model }: { provider: string; model: string }) =>
    route.steps.some((step) => step.provider === provider && (step.model === model || provider === 'bedrock'))
  const fellBack = calls.find(
    ({ attempts }) => attempts.length > 1 && attempts.every(isOfRoute) && attempts.some(({ code }) => code !== null),
  )
  const answeredBy = (step: Step) =>
    sumOf(rows.filter(({ provider, model }) => provider === step.provider && model.endsWith(step.model))).requests
  return (
    <div class="rtd">
      <div class="rt-h">
        <div>
          <h2 class="mono">{route.name}</h2>
          <p class="muted">{text.routeFacts(route.steps.length, stages.length)}</p>
        </div>
        {route.revision === null ? (
          <span class="small muted">{text.ofSettings}</span>
        ) : (
          <span class="btns">
            <button class="btn" type="button" onClick={props.onEdit}>
              {text.changeRoute}
            </button>
            <button class="btn danger" type="button" onClick={setting(removing, { id: route.name, name: route.name })}>
              {text.remove}…
            </button>
          </span>
        )}
      </div>
      <FailureNote failure={failure.value} />
      <ConfirmRemoval
        wanted={removing}
        text={{
          confirmRemove: text.removeRouteConfirm,
          confirmRemoveBody: text.removeRouteBody,
          doRemove: text.removeRoute,
        }}
        remove={removeGatewayRoute}
        after={after}
      />
      {held.map(({ name, open_until, failures_in_a_row }) => (
        <Note key={name} tone="warn">
          <b>{text.heldBack(name, clockText(open_until ?? 0))}</b> {text.heldWhy(failures_in_a_row)}
        </Note>
      ))}
      <section class="sec">
        <header>
          <h2>{text.inOrder}</h2>
          <span class="n">{text.firstWins}</span>
        </header>
        <table class="fold steps">
          <thead>
            <tr>
              <th scope="col">{text.modelAndProvider}</th>
              <th scope="col" class="num">
                {text.weight}
              </th>
              <th scope="col" class="num">
                {text.input}
              </th>
              <th scope="col" class="num mid">
                {text.cacheRead}
              </th>
              <th scope="col" class="num">
                {text.output}
              </th>
              <th scope="col" class="num">
                {text.reads}
              </th>
              <th scope="col" class="num">
                {text.requests}
              </th>
            </tr>
          </thead>
          {stages.map((stage, index) => {
            const all = stage.reduce((sum, { weight }) => sum + weight, 0)
            return (
              <tbody key={index}>
                <tr class="g">
                  <th class="sg" colSpan={7} scope="rowgroup">
                    {text.step(index + 1)}{' '}
                    <span class="faint">
                      {index > 0
                        ? text.whenNoneBefore(index)
                        : stage.length > 1
                          ? route.cheapest_first
                            ? text.cheapestFirst
                            : route.sticky
                              ? text.byWeight
                              : text.byWeightEach
                          : ''}
                    </span>
                  </th>
                </tr>
                {stage.map((step, at) => (
                  <StepRow
                    key={at}
                    step={step}
                    share={step.weight / all}
                    provider={providers.get(step.provider)}
                    isAsked={isAskedLately(props.recent, step.provider)}
                    answered={answeredBy(step)}
                  />
                ))}
              </tbody>
            )
          })}
        </table>
        <p class="small faint">{text.stepsNote}</p>
      </section>
      {fellBack === undefined ? null : <FellBack call={fellBack} />}
      <div class="cols rtc">
        <Conditions
          head={text.goesOn}
          mark="right"
          items={[
            ...route.go_on_when.map((reason) => text.goesOnWhen[reason]),
            ...(route.first_token_seconds === null ? [] : [text.withinSeconds(route.first_token_seconds)]),
          ]}
        />
        <Conditions head={text.neverOn} mark="close" items={Object.values(text.neverOnWhen)} />
      </div>
    </div>
  )
}

function Conditions(props: { head: string; mark: 'right' | 'close'; items: readonly string[] }) {
  return (
    <section class="sec">
      <header>
        <h2>{props.head}</h2>
      </header>
      <ul class="rows">
        {props.items.map((item) => (
          <li key={item}>
            <span class="faint">
              <Icon name={props.mark} />
            </span>
            <span class="grow">{item}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Models that were asked for, and those of routes: what is likely to be meant. */
function choicesOf({ routing, rows }: { routing: WireGatewayRouting; rows: readonly WireGatewayUsage[] }): string[] {
  const used = rows
    .filter(({ model }) => model !== '')
    .map(({ provider, model }) => (provider === 'bedrock' ? model : `${provider}/${model}`))
  return [...new Set(['default', ...routing.routes.flatMap(({ steps }) => steps.map(({ name }) => name)), ...used])]
}

export function GatewayRoutes(props: {
  routing: WireGatewayRouting
  rows: readonly WireGatewayUsage[]
  calls: readonly WireGatewayCall[]
  changes: readonly WireGatewayRouteChange[]
  onChanged: () => Promise<void>
}) {
  const { routes, providers: list } = props.routing
  const text = words.value.gateway
  const chosen = useSignal('')
  const editing = useSignal<'new' | 'chosen' | undefined>(undefined)
  const providers = new Map(list.map((one) => [one.name, one]))
  const route = routes.find(({ name }) => name === chosen.value) ?? routes[0]
  const add = (
    <button class="btn primary" type="button" onClick={setting(editing, 'new')}>
      <Icon name="plus" />
      {text.newRoute}
    </button>
  )
  const changes = <RouteChanges changes={props.changes} onUndone={props.onChanged} />
  if (editing.value !== undefined) {
    const edited = editing.value === 'new' ? undefined : route
    return (
      <section class="sec form-column">
        <header>
          <h2>{edited === undefined ? text.newRoute : <span class="mono">{edited.name}</span>}</h2>
        </header>
        <GatewayRouteForm
          key={edited?.name ?? ''}
          route={edited}
          taken={routes.map(({ name }) => name)}
          choices={choicesOf(props)}
          onDone={(name) => {
            editing.value = undefined
            chosen.value = name
            void props.onChanged()
          }}
          onCancel={setting(editing, undefined)}
        />
      </section>
    )
  }
  if (route === undefined) {
    return (
      <>
        <Empty title={text.noRoutes} body={text.noRoutesBody}>
          {add}
        </Empty>
        {changes}
      </>
    )
  }
  return (
    <div class="rtsplit">
      <div>
        <nav class="routes" aria-label={text.routes}>
          {routes.map((one) => {
            const held = heldOf(one, providers)
            const state = held === 0 ? 'good' : held < one.steps.length ? 'warn' : 'bad'
            return (
              <button
                key={one.name}
                type="button"
                aria-current={one === route ? 'true' : undefined}
                onClick={() => {
                  chosen.value = one.name
                }}
              >
                <span class={state}>
                  <Icon name={stateMarks[state]} />
                </span>
                <b class="mono cut">{one.name}</b>
                <span class={`small cut ${held === 0 ? 'faint' : state}`}>
                  {held === 0 ? one.steps.map(({ model }) => model).join(', ') : text.heldCount(held, one.steps.length)}
                </span>
              </button>
            )
          })}
        </nav>
        <p class="pad">{add}</p>
      </div>
      <div class="stack">
        <RouteView
          key={route.name}
          route={route}
          providers={providers}
          recent={props.routing.recent}
          rows={props.rows}
          calls={props.calls}
          onEdit={setting(editing, 'chosen')}
          onChanged={props.onChanged}
        />
        {changes}
      </div>
    </div>
  )
}
