import { toModelObject } from '../../contract/model-object.ts'
import { unknownModel } from '../../core/model-resolution.ts'
import type { ModelDirectory } from '../../ports.ts'
import { type ExchangeContext, failureResponse, jsonResponse } from '../exchange.ts'
import { refusedModel } from '../generate.ts'

export function listModels(deps: { readonly directory: ModelDirectory }) {
  return async function listModelsRoute(c: ExchangeContext): Promise<Response> {
    const { entries } = await deps.directory.current()
    const mine = entries.filter((entry) => refusedModel(c.get('grant'), [entry.id, entry.foundationId]) === undefined)
    return jsonResponse(c, { object: 'list', data: mine.map((entry) => toModelObject(entry.id)) })
  }
}

/** Ids hold colons and slashes, so the id is all that follows the path of the list, decoded once. */
export function oneModel(deps: { readonly directory: ModelDirectory }, listPath: string) {
  return async function oneModelRoute(c: ExchangeContext): Promise<Response> {
    const path = new URL(c.req.url).pathname
    const id = decoded(path.slice(listPath.length + 1))
    const { byId } = await deps.directory.current()
    const entry = byId.get(id)
    const isMine = entry !== undefined && refusedModel(c.get('grant'), [id, entry.foundationId]) === undefined
    return isMine ? jsonResponse(c, toModelObject(id)) : failureResponse(c, unknownModel(id))
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
