import type { Clock } from '#shared/kernel/clock.ts'
import type { PriceList } from '#shared/models/price-list.ts'
import type { RoutingObject } from '../../contract/admin.ts'
import { failure } from '../../core/failure.ts'
import { type ProviderStep, providerStepMs, providerStepsKept } from '../../core/keys/call-record.ts'
import type { ProviderList } from '../../core/providers/provider-list.ts'
import type { ModelRegistry } from '../../core/registry.ts'
import type { EndProviderRest, KeyStore, ModelDirectory, ProviderStatus, RouteBook } from '../../ports.ts'
import type { Settings } from '../../settings.ts'
import { type ExchangeContext, failureResponse, jsonResponse } from '../exchange.ts'
import { type KnownStep, knownSteps } from '../known-steps.ts'

export interface RoutingDeps {
  readonly providers: ProviderList
  readonly providerStatus: ProviderStatus
  readonly endProviderRest: EndProviderRest
  readonly keyStore: KeyStore
  readonly clock: Clock
  readonly routes: RouteBook
  readonly prices: PriceList
  readonly directory: ModelDirectory
  readonly registry: ModelRegistry
  readonly settings: Pick<Settings, 'region'>
}

/** How the providers beside the account's are now, and where each route leads. No key is told. */
export function routing(deps: RoutingDeps) {
  const { providers: list, providerStatus, routes, keyStore, clock } = deps
  return async function routingRoute(c: ExchangeContext): Promise<Response> {
    await routes.freshen()
    const firstStep = Math.floor(clock.nowMs() / providerStepMs) - providerStepsKept + 1
    const [known, recent] = await Promise.all([knownSteps(deps), keyStore.providerSteps(firstStep)])
    const told: RoutingObject = {
      object: 'gateway.routing',
      providers: [...list.providers.values()].map(({ name, dialect, address, callsMax }) => {
        const { state, failures, untilMs, callsUnderWay } = providerStatus(name)
        return {
          name,
          dialect,
          host: new URL(address).host,
          calls_at_once: callsMax,
          calls_under_way: callsUnderWay,
          circuit: state,
          failures_in_a_row: failures,
          open_until: untilMs === undefined ? null : Math.ceil(untilMs / 1_000),
        }
      }),
      recent: {
        from: (firstStep * providerStepMs) / 1_000,
        step_seconds: providerStepMs / 1_000,
        steps: providerStepsKept,
        calls: added(recent),
      },
      routes: [...routes.routes.values()].map(({ name, steps, goOnWhen, firstTokenMs, isSticky, isCheapestFirst }) => ({
        name,
        revision: routes.revisionOf(name) ?? null,
        go_on_when: goOnWhen,
        first_token_seconds: firstTokenMs === undefined ? null : firstTokenMs / 1_000,
        sticky: isSticky,
        cheapest_first: isCheapestFirst,
        steps: steps.map((step) => ({ ...stepObject(known(step)), name: step.model })),
      })),
    }
    return jsonResponse(c, told)
  }
}

/** The next call of a provider that rests decides, before its time is over. */
export function endRest({ providers: list, providerStatus, endProviderRest }: RoutingDeps) {
  return async function endRestRoute(c: ExchangeContext): Promise<Response> {
    const name = c.req.param('name') ?? ''
    if (!list.providers.has(name)) return failureResponse(c, failure('not_found', 'there is no such provider'))
    endProviderRest(name)
    return jsonResponse(c, { object: 'gateway.provider', name, circuit: providerStatus(name).state })
  }
}

/** Those of a provider and a step, which several keys may have counted, as one; in the order of time. */
function added(steps: readonly ProviderStep[]): RoutingObject['recent']['calls'] {
  return [...Map.groupBy(steps, ({ provider, step }) => `${step} ${provider}`).values()]
    .flatMap((same) => {
      const [first] = same
      const sum = (read: (one: ProviderStep) => number) => same.reduce((total, one) => total + read(one), 0)
      return first === undefined
        ? []
        : {
            provider: first.provider,
            at: (first.step * providerStepMs) / 1_000,
            answered: sum(({ answered }) => answered),
            failed: sum(({ failed }) => failed),
          }
    })
    .toSorted((left, right) => left.at - right.at)
}

function stepObject({ model, provider, order, weight, callsMax, facts }: KnownStep) {
  const dollars = (nano: number | undefined) => (nano === undefined ? null : Number((nano / 1_000).toPrecision(12)))
  return {
    model,
    provider,
    order,
    weight,
    calls_at_once: callsMax ?? null,
    context_window: facts?.contextTokens ?? null,
    input_usd: dollars(facts?.inputNano),
    cache_read_usd: dollars(facts?.cacheReadNano),
    output_usd: dollars(facts?.outputNano),
  }
}
