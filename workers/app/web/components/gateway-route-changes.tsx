/** How a route was before, and the way back to it. */
import { Icon } from '#shared/pages/icon.tsx'
import type { WireGatewayRouteChange } from '../../contract/console-gateway.ts'
import { undoGatewayRouteChange } from '../api/gateway.ts'
import { words } from '../locales/words.ts'
import { useActions } from '../use-actions.ts'
import { Moment } from './figure.tsx'
import { FailureNote } from './note.tsx'

function models(route: WireGatewayRouteChange['after']): string {
  return route?.steps.map(({ model }) => model).join(', ') ?? ''
}

export function RouteChanges(props: { changes: readonly WireGatewayRouteChange[]; onUndone: () => Promise<void> }) {
  const text = words.value.gateway
  const { act, isBusy, failure } = useActions({ reload: props.onUndone })
  if (props.changes.length === 0) return null
  return (
    <section class="sec">
      <header>
        <h2>{text.changes}</h2>
      </header>
      <FailureNote failure={failure.value} />
      <ul class="rows rchanges">
        {props.changes.map(({ seq, at, name, before, after }) => (
          <li key={seq}>
            <span class="faint nowrap">
              <Moment seconds={at} />
            </span>
            <span class="grow">
              <b class="mono">{name}</b>{' '}
              {before === null ? text.routeMade : after === null ? text.routeRemoved : text.routeChanged}{' '}
              <span class="small muted wrap-any">
                {before === null || after === null
                  ? models(after ?? before)
                  : text.fromTo(models(before), models(after))}
              </span>
            </span>
            <button
              class="btn quiet"
              type="button"
              disabled={isBusy}
              onClick={() => void act(() => undoGatewayRouteChange(seq))}
            >
              <Icon name="undo" />
              {text.putBack}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
