import { factsOf, type PriceList } from '#shared/models/price-list.ts'
import { toModelObject } from '../../contract/model-object.ts'
import { isAllowed } from '../../core/catalogue.ts'
import { freeFacts, freePrices } from '../../core/keys/call-cost.ts'
import { unknownModel } from '../../core/model-resolution.ts'
import type { ProviderList } from '../../core/providers/provider-list.ts'
import type { ExternalModels, ModelDirectory, RouteBook } from '../../ports.ts'
import { type ExchangeContext, failureResponse, jsonResponse } from '../exchange.ts'
import { refusedModel } from '../generate.ts'

export interface ModelsDeps {
  readonly directory: ModelDirectory
  readonly prices: PriceList
  readonly providers: ProviderList
  readonly routes: RouteBook
  readonly externalModels: ExternalModels
  /** Fragments of ids; empty: all are listed. */
  readonly allowedModels: readonly string[]
}

const provider = 'bedrock'

export function listModels(deps: ModelsDeps) {
  return async function listModelsRoute(c: ExchangeContext): Promise<Response> {
    await deps.routes.freshen()
    const { entries } = await deps.directory.current()
    const mine = entries.filter((entry) => refusedModel(c.get('grant'), [entry.id, entry.foundationId]) === undefined)
    const others = await externalsOf(c, deps)
    return jsonResponse(c, {
      object: 'list',
      data: [...mine.map(objectOf(deps)), ...routesOf(c, deps), ...others],
    })
  }
}

/** Ids hold colons and slashes, so the id is all that follows the path of the list, decoded once. */
export function oneModel(deps: ModelsDeps, listPath: string) {
  return async function oneModelRoute(c: ExchangeContext): Promise<Response> {
    const path = new URL(c.req.url).pathname
    const id = decoded(path.slice(listPath.length + 1))
    await deps.routes.freshen()
    const { byId } = await deps.directory.current()
    const entry = byId.get(id)
    const other = [...routesOf(c, deps), ...(await externalsOf(c, deps))].find((one) => one.id === id)
    if (other !== undefined) return jsonResponse(c, other)
    if (entry === undefined || refusedModel(c.get('grant'), [id, entry.foundationId]) !== undefined)
      return failureResponse(c, unknownModel(id))
    return jsonResponse(c, objectOf(deps)(entry))
  }
}

/** The owner's routes that the key may use. */
function routesOf(c: ExchangeContext, { providers, prices }: ModelsDeps) {
  return [...providers.routes.keys()]
    .filter((name) => refusedModel(c.get('grant'), [name]) === undefined)
    .map((name) => ({ ...toModelObject(name, undefined, prices), owned_by: 'route' }))
}

/** Models of the providers beside the account's that the owner offers and the key may use. */
async function externalsOf(c: ExchangeContext, deps: ModelsDeps) {
  const { providers, prices, allowedModels, externalModels } = deps
  const lists = await externalModels.current()
  return lists.flatMap(({ provider, models }) => {
    const table = providers.providers.get(provider)?.prices ?? provider
    return models.flatMap(({ id: own, ...listed }) => {
      const id = `${provider}/${own}`
      if (!isAllowed(id, allowedModels) || refusedModel(c.get('grant'), [id]) !== undefined) return []
      const facts = table === freePrices ? freeFacts : factsOf(prices, table, own, own)
      return [toModelObject(id, facts, prices, { ...listed, provider })]
    })
  })
}

function objectOf({ prices }: ModelsDeps) {
  return ({ id, foundationId }: { readonly id: string; readonly foundationId: string }) =>
    toModelObject(id, factsOf(prices, provider, id, foundationId), prices)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
