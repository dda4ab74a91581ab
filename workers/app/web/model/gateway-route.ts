/** A route as it is typed on the page, and what is sent of it. */
import type { GatewayRouteBody, WireGatewayRouting } from '../../contract/console-gateway.ts'
import { gatewayGoOnReasons } from '../../core/vocabulary.ts'
import { gatewayFirstTokenSecondsMax, gatewayRouteNumberMax } from '../../limits.ts'
import { numberIn } from './typed-number.ts'

type Route = WireGatewayRouting['routes'][number]
type GoOn = (typeof gatewayGoOnReasons)[number]

interface StepDraft {
  readonly model: string
  readonly order: string
  readonly weight: string
  readonly calls: string
}

export interface RouteDraft {
  readonly name: string
  readonly steps: readonly StepDraft[]
  readonly goOn: GoOn[]
  readonly seconds: string
  readonly isSticky: boolean
  readonly isCheapestFirst: boolean
}

export function newStep(order: number): StepDraft {
  return { model: '', order: String(order), weight: '1', calls: '' }
}

export function draftOf(route: Route | undefined): RouteDraft {
  if (route === undefined)
    return {
      name: '',
      steps: [newStep(1)],
      goOn: [...gatewayGoOnReasons],
      seconds: '',
      isSticky: true,
      isCheapestFirst: false,
    }
  return {
    name: route.name,
    steps: route.steps.map(({ name, order, weight, calls_at_once }) => ({
      model: name,
      order: String(order),
      weight: String(weight),
      calls: String(calls_at_once ?? ''),
    })),
    goOn: [...route.go_on_when],
    seconds: String(route.first_token_seconds ?? ''),
    isSticky: route.sticky,
    isCheapestFirst: route.cheapest_first,
  }
}

export function isRouteName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)
}

/** Undefined: a number is wrong, or a model is missing. */
export function routeIn(draft: Omit<RouteDraft, 'name'>): GatewayRouteBody | undefined {
  const seconds = numberIn(draft.seconds, true)
  const steps = draft.steps.map(stepIn)
  const known = steps.filter((step) => step !== undefined)
  if (seconds === undefined || (seconds ?? 0) > gatewayFirstTokenSecondsMax) return undefined
  if (known.length === 0 || known.length !== steps.length) return undefined
  return {
    steps: known,
    go_on_when: draft.goOn,
    first_token_seconds: seconds,
    sticky: draft.isSticky,
    cheapest_first: draft.isCheapestFirst,
  }
}

export function stepIn({ model, order, weight, calls }: StepDraft): GatewayRouteBody['steps'][number] | undefined {
  const [place, share, most] = [numberIn(order, true), numberIn(weight, true), numberIn(calls, true)]
  if (model.trim() === '' || most === undefined) return undefined
  if (place === undefined || place === null || share === undefined || share === null) return undefined
  if (Math.max(place, share, most ?? 0) > gatewayRouteNumberMax) return undefined
  return { model: model.trim(), order: place, weight: share, ...(most === null ? {} : { calls_at_once: most }) }
}
