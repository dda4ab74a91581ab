import { factsOf, type PriceList } from '#shared/models/price-list.ts'
import {
  type ModelInfo,
  type ModelObject,
  modelsPageQuery,
  toModelInfo,
  toModelObject,
} from '../../contract/model-object.ts'
import { isAllowed } from '../../core/catalogue.ts'
import { failure } from '../../core/failure.ts'
import { freeFacts, freePrices } from '../../core/keys/call-cost.ts'
import { resolveModel, unknownModel } from '../../core/model-resolution.ts'
import type { ProviderList } from '../../core/providers/provider-list.ts'
import type { ModelRegistry } from '../../core/registry.ts'
import type { ExternalModels, ModelDirectory, RouteBook } from '../../ports.ts'
import type { Settings } from '../../settings.ts'
import { type ExchangeContext, failureResponse, jsonResponse } from '../exchange.ts'
import { refusedModel } from '../generate.ts'
import { parseBody } from '../request-body.ts'

export interface ModelsDeps {
  readonly directory: ModelDirectory
  readonly registry: ModelRegistry
  readonly settings: Pick<Settings, 'region'>
  readonly prices: PriceList
  readonly providers: ProviderList
  readonly routes: RouteBook
  readonly externalModels: ExternalModels
  /** Fragments of ids; empty: all are listed. */
  readonly allowedModels: readonly string[]
}

interface Listed {
  readonly model: ModelObject
  readonly lifecycle: ModelInfo['lifecycle']
}

const provider = 'bedrock'

export function listModels(deps: ModelsDeps) {
  return async function listModelsRoute(c: ExchangeContext): Promise<Response> {
    const listed = await listedFor(c, deps)
    return c.get('dialect') === 'messages'
      ? pageOfInfos(c, listed)
      : jsonResponse(c, { object: 'list', data: listed.map(({ model }) => model) })
  }
}

/** Ids hold colons and slashes, so the id is all that follows the path of the list, decoded once. */
export function oneModel(deps: ModelsDeps, listPath: string) {
  return async function oneModelRoute(c: ExchangeContext): Promise<Response> {
    const path = new URL(c.req.url).pathname
    const name = decoded(path.slice(listPath.length + 1))
    const listed = await listedFor(c, deps)
    const meant = resolveModel(name, deps.registry, await deps.directory.current(), deps.settings.region)
    const found =
      listed.find(({ model }) => model.id === name) ??
      (meant.ok ? listed.find(({ model }) => model.id === meant.value.id) : undefined)
    if (found === undefined) return failureResponse(c, unknownModel(name))
    return jsonResponse(c, c.get('dialect') === 'messages' ? toModelInfo(found.model, found.lifecycle) : found.model)
  }
}

function pageOfInfos(c: ExchangeContext, listed: readonly Listed[]): Response {
  const query = parseBody(modelsPageQuery, c.req.query())
  if (!query.ok) return failureResponse(c, query.failure)
  const { limit, after_id: after, before_id: before } = query.value
  const ids = listed.map(({ model }) => model.id)
  const cursor = after ?? before
  const place = cursor === undefined ? -1 : ids.indexOf(cursor)
  if (cursor !== undefined && place < 0) {
    const param = after === undefined ? 'before_id' : 'after_id'
    return failureResponse(c, failure('bad_request', 'no model of the list has this id', { param }))
  }
  const isBackward = after === undefined && before !== undefined
  const [start, end] = isBackward ? [Math.max(0, place - limit), place] : [place + 1, place + 1 + limit]
  const data = listed.slice(start, end).map(({ model, lifecycle }) => toModelInfo(model, lifecycle))
  return jsonResponse(c, {
    data,
    has_more: isBackward ? start > 0 : end < listed.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  })
}

/** All that the key may use: the account's, the owner's routes, and those of other providers. */
async function listedFor(c: ExchangeContext, deps: ModelsDeps): Promise<readonly Listed[]> {
  await deps.routes.freshen()
  const { entries } = await deps.directory.current()
  const mine = entries.filter((entry) => refusedModel(c.get('grant'), [entry.id, entry.foundationId]) === undefined)
  const others = [...routesOf(c, deps), ...(await externalsOf(c, deps))]
  return [
    ...mine.map(
      ({ id, foundationId, isLegacy }): Listed => ({
        model: toModelObject(id, factsOf(deps.prices, provider, id, foundationId), deps.prices),
        lifecycle: isLegacy === true ? 'deprecated' : 'active',
      }),
    ),
    ...others.map((model): Listed => ({ model, lifecycle: 'active' })),
  ]
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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
