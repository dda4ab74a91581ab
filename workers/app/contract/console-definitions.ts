/** The console's endpoints for tracker definitions that the owner brings: for the signed-in browser only. */

import * as z from '#shared/schema/deferred.ts'
import { questionTypes } from '../core/cardigann/checked-definition.ts'
import { definitionRules } from '../core/cardigann/definition.ts'
import { definitionBytesMax, feedAddressCharactersMax } from '../limits.ts'
import { withReason } from './reason.ts'
import { declareRoute, emptyBody, type RouteDeclaration } from './route.ts'

const wireQuestion = z.object({
  name: z.string(),
  type: z.enum(questionTypes),
  label: z.string(),
  /** What holds where nothing is answered. */
  fallback: z.string(),
  options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
})

const wireOwnDefinition = z.object({
  id: z.string(),
  name: z.string(),
  language: z.string(),
  type: z.enum(['public', 'semi-private', 'private']),
  links: z.array(z.string()),
  login: z.enum(['none', 'form', 'post', 'cookie', 'get', 'oneurl']),
  /** Signing in may ask for what only a person can read: then a cookie is given instead. */
  captcha: z.boolean(),
  questions: z.array(wireQuestion),
  categories: z.int(),
  /** All that is shown of where it was fetched. Empty for one that was given as a text. */
  host: z.string(),
  updated_at: z.int(),
  /** Sites that are made from it. */
  sites: z.int(),
})
export type WireOwnDefinition = z.infer<typeof wireOwnDefinition>

const wireDefinitionFault = z.object({
  rule: z.enum(definitionRules),
  /** With dots; empty for the whole. */
  path: z.string(),
  line: z.int().optional(),
  /** For whoever writes definitions: English, and the same for everybody. */
  detail: z.string(),
  /** The rule in the caller's language, with the place. */
  error: z.string(),
  ...withReason,
})

/** What is wrong is in the answer; nothing was stored then. */
const wireAdded = z.object({
  added: z.boolean(),
  definition: wireOwnDefinition.optional(),
  faults: z.array(wireDefinitionFault),
  /** Why there was nothing to check. */
  error: z.string().optional(),
  ...withReason,
})
export type WireDefinitionAdded = z.infer<typeof wireAdded>

export const listOwnDefinitions = declareRoute('session', 'get', '/own-definitions', {
  operationId: 'listOwnDefinitions',
  summary: '自己添加的站点定义',
  answers: { 200: z.object({ items: z.array(wireOwnDefinition) }) },
})

/** The text or the address of one. One with the same id is replaced. */
export const addOwnDefinition = declareRoute('session', 'post', '/own-definitions', {
  operationId: 'addOwnDefinition',
  summary: '检查并保存站点定义',
  body: z.strictObject({
    source: z.string().min(1).max(definitionBytesMax).optional(),
    address: z.string().trim().min(1).max(feedAddressCharactersMax).optional(),
  }),
  answers: { 200: wireAdded },
})

const definitionId = z.object({ id: z.string().min(1).max(64) })

/** From the address it was fetched at. 404 for one that has none. */
export const reloadOwnDefinition = declareRoute('session', 'post', '/own-definitions/{id}/reload', {
  operationId: 'reloadOwnDefinition',
  summary: '重新获取站点定义',
  params: definitionId,
  body: emptyBody,
  answers: { 200: wireAdded },
})

/** 409 `busy_conflict` while sites are made from it. */
export const removeOwnDefinition = declareRoute('session', 'delete', '/own-definitions/{id}', {
  operationId: 'removeOwnDefinition',
  summary: '删除站点定义',
  params: definitionId,
  body: emptyBody,
  failures: ['not_found', 'busy_conflict'],
  answers: { 200: z.object({ ok: z.literal(true) }) },
})

export const consoleDefinitionDeclarations: readonly RouteDeclaration[] = [
  listOwnDefinitions,
  addOwnDefinition,
  reloadOwnDefinition,
  removeOwnDefinition,
]
