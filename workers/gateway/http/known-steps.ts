import { factsOf, type ModelFacts, type PriceList } from '#shared/models/price-list.ts'
import { comparedPrice, freeFacts, freePrices } from '../core/keys/call-cost.ts'
import { resolveModel } from '../core/model-resolution.ts'
import type { RouteStep } from '../core/providers/model-route.ts'
import type { ProviderList } from '../core/providers/provider-list.ts'
import type { StepPrice } from '../core/providers/route-plan.ts'
import type { ModelRegistry } from '../core/registry.ts'
import type { ModelDirectory } from '../ports.ts'
import type { Settings } from '../settings.ts'

export interface KnownStep extends RouteStep {
  /** As its provider calls it. */
  readonly model: string
  /** Whose the model is; `bedrock` is the account's own. */
  readonly provider: string
  /** Why the model cannot be asked; undefined: it can. */
  readonly refusal: string | undefined
  readonly facts: ModelFacts | undefined
}

export interface StepsDeps {
  readonly providers: Pick<ProviderList, 'providers'>
  readonly prices: PriceList
  readonly directory: ModelDirectory
  readonly registry: ModelRegistry
  readonly settings: Pick<Settings, 'region'>
}

/** By which the steps of a route that begins with its cheapest are put in order. */
export async function stepPrices(deps: StepsDeps): Promise<StepPrice> {
  const known = await knownSteps(deps)
  return (step) => comparedPrice(known(step).facts)
}

/** What is known of the model of a step, by the account's list and the table of prices. */
export async function knownSteps({
  providers: { providers },
  prices,
  directory,
  registry,
  settings,
}: StepsDeps): Promise<(step: RouteStep) => KnownStep> {
  const catalogue = await directory.current()
  return (step) => {
    const slash = step.model.indexOf('/')
    const external = slash < 0 ? undefined : providers.get(step.model.slice(0, slash))
    if (external !== undefined) {
      const model = step.model.slice(slash + 1)
      const { name: provider, prices: table } = external
      const facts = table === freePrices ? freeFacts : factsOf(prices, table, model, model)
      return { ...step, model, provider, refusal: undefined, facts }
    }
    const found = resolveModel(step.model, registry, catalogue, settings.region)
    return found.ok
      ? {
          ...step,
          provider: 'bedrock',
          refusal: undefined,
          facts: factsOf(prices, 'bedrock', found.value.id, found.value.foundationId),
        }
      : { ...step, provider: 'bedrock', refusal: found.failure.message, facts: undefined }
  }
}
