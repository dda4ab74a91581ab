import { factsOf, type ModelFacts, type PriceList } from '#shared/models/price-list.ts'
import type { RoutingObject } from '../../contract/admin.ts'
import { freeFacts, freePrices } from '../../core/keys/call-cost.ts'
import { resolveModel } from '../../core/model-resolution.ts'
import type { ProviderList, RouteStep } from '../../core/providers/provider-list.ts'
import type { ModelRegistry } from '../../core/registry.ts'
import type { ModelDirectory, ProviderStatus } from '../../ports.ts'
import type { Settings } from '../../settings.ts'
import { type ExchangeContext, jsonResponse } from '../exchange.ts'

export interface RoutingDeps {
  readonly providers: ProviderList
  readonly providerStatus: ProviderStatus
  readonly prices: PriceList
  readonly directory: ModelDirectory
  readonly registry: ModelRegistry
  readonly settings: Pick<Settings, 'region'>
}

/** How the providers beside the account's are now, and where each route leads. No key is told. */
export function routing(deps: RoutingDeps) {
  const { providers: list, providerStatus, prices } = deps
  return async function routingRoute(c: ExchangeContext): Promise<Response> {
    const catalogue = await deps.directory.current()
    const ownFacts = (model: string) => {
      const found = resolveModel(model, deps.registry, catalogue, deps.settings.region)
      return found.ok ? factsOf(prices, 'bedrock', found.value.id, found.value.foundationId) : undefined
    }
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
      routes: [...list.routes.values()].map(({ name, steps }) => ({
        name,
        steps: steps.map((step) => stepObject(step, list, prices, ownFacts)),
      })),
    }
    return jsonResponse(c, told)
  }
}

function stepObject(
  { model, order, weight }: RouteStep,
  { providers }: ProviderList,
  prices: PriceList,
  ownFacts: (model: string) => ModelFacts | undefined,
) {
  const slash = model.indexOf('/')
  const external = slash < 0 ? undefined : providers.get(model.slice(0, slash))
  const own = external === undefined ? model : model.slice(slash + 1)
  const facts =
    external === undefined
      ? ownFacts(own)
      : external.prices === freePrices
        ? freeFacts
        : factsOf(prices, external.prices, own, own)
  const dollars = (nano: number | undefined) => (nano === undefined ? null : Number((nano / 1_000).toPrecision(12)))
  return {
    model: own,
    provider: external?.name ?? 'bedrock',
    order,
    weight,
    context_window: facts?.contextTokens ?? null,
    input_usd: dollars(facts?.inputNano),
    cache_read_usd: dollars(facts?.cacheReadNano),
    output_usd: dollars(facts?.outputNano),
  }
}
