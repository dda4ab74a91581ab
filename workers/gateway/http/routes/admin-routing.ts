import type { PriceList } from '#shared/models/price-list.ts'
import type { RoutingObject } from '../../contract/admin.ts'
import type { ProviderList } from '../../core/providers/provider-list.ts'
import type { ModelRegistry } from '../../core/registry.ts'
import type { ModelDirectory, ProviderStatus, RouteBook } from '../../ports.ts'
import type { Settings } from '../../settings.ts'
import { type ExchangeContext, jsonResponse } from '../exchange.ts'
import { type KnownStep, knownSteps } from '../known-steps.ts'

export interface RoutingDeps {
  readonly providers: ProviderList
  readonly providerStatus: ProviderStatus
  readonly routes: RouteBook
  readonly prices: PriceList
  readonly directory: ModelDirectory
  readonly registry: ModelRegistry
  readonly settings: Pick<Settings, 'region'>
}

/** How the providers beside the account's are now, and where each route leads. No key is told. */
export function routing(deps: RoutingDeps) {
  const { providers: list, providerStatus, routes } = deps
  return async function routingRoute(c: ExchangeContext): Promise<Response> {
    await routes.freshen()
    const known = await knownSteps(deps)
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
