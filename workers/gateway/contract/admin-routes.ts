import * as z from '#shared/schema/deferred.ts'
import { firstTokenSecondsMax, goOnReasons, routeStepsMax } from '../core/providers/model-route.ts'

const whole = z.int().min(1).max(10_000)

/** A route as its owner writes it; what is left out is said by `routeOf`. */
const routeBody = z.strictObject({
  /** `provider/model`, or what the account's provider calls its model. */
  steps: z
    .array(
      z.strictObject({
        model: z.string().trim().min(1).max(2_048),
        order: whole.optional(),
        weight: whole.optional(),
        calls_at_once: whole.nullable().optional(),
      }),
    )
    .min(1)
    .max(routeStepsMax),
  go_on_when: z.array(z.enum(goOnReasons)).max(goOnReasons.length).optional(),
  first_token_seconds: z.int().min(1).max(firstTokenSecondsMax).nullable().optional(),
  sticky: z.boolean().optional(),
  /** Steps of one order are tried by their price. */
  cheapest_first: z.boolean().optional(),
})

/** `revision`: of the route that was seen, 0 where there was none; another one in its place is not written over. */
export const saveRouteBody = z.strictObject({ route: routeBody, revision: z.int().min(0).optional() })
export const removeRouteBody = z.strictObject({ revision: z.int().min(0).optional() })

/** A route that need not be kept, and a request of the chat dialect, which is not sent. */
export const tryRouteBody = z.strictObject({ route: routeBody, request: z.record(z.string(), z.unknown()) })

export type RouteText = z.infer<typeof routeBody>

/** Where a request would lead. */
export interface RouteTrialObject {
  readonly object: 'gateway.route_trial'
  readonly steps: readonly {
    readonly model: string
    readonly provider: string
    /** `asked`: it answers, if it can; `reserve`: it is asked when those before it do not answer. */
    readonly state: 'asked' | 'reserve' | 'passed_over' | 'never'
    readonly why: 'held_back' | 'full' | 'no_model' | 'too_long' | null
    readonly input_tokens: number
    readonly output_tokens_max: number
    /** The most that it may cost, in dollars; null: no price is known. */
    readonly cost_max_usd: number | null
  }[]
}

export interface RouteChangeObject {
  readonly seq: number
  /** Unix seconds. */
  readonly at: number
  readonly name: string
  /** null: there was, or is, no such route. */
  readonly before: RouteText | null
  readonly after: RouteText | null
}
