/** The console's endpoints for the model gateway beside it: keys, what they spend, and the newest calls. */

import { parseNetwork } from '#shared/network/ip-address.ts'
import * as z from '#shared/schema/deferred.ts'
import { gatewayGoOnReasons } from '../core/vocabulary.ts'
import {
  gatewayBudgetDollarsMax,
  gatewayFirstTokenSecondsMax,
  gatewayKeyAddressesMax,
  gatewayKeyModelCharactersMax,
  gatewayKeyModelsMax,
  gatewayKeyNameCharactersMax,
  gatewayPerMinuteMax,
  gatewayRouteModelCharactersMax,
  gatewayRouteNumberMax,
  gatewayRouteStepsMax,
  gatewayTrialCharactersMax,
  gatewayTrialTokensMax,
} from '../limits.ts'
import { declareRoute, emptyBody, type RouteDeclaration } from './route.ts'

/** Unix seconds and dollars; null: none. */
export const wireGatewayKey = z.object({
  id: z.string(),
  name: z.string(),
  models: z.array(z.string()),
  addresses: z.array(z.string()),
  requests_per_minute: z.int().nullable(),
  tokens_per_minute: z.int().nullable(),
  budget_day_usd: z.number().nullable(),
  budget_month_usd: z.number().nullable(),
  expires_at: z.int().nullable(),
  /** Until then what requests and answers say is kept for a day. */
  keeps_bodies_until: z.int().nullable(),
  created_at: z.int(),
  last_used_at: z.int().nullable(),
  revoked_at: z.int().nullable(),
  secret_end: z.string(),
  old_secret_until: z.int().nullable(),
  used: z.object({
    day_usd: z.number(),
    month_usd: z.number(),
    reserved_usd: z.number(),
    requests_this_minute: z.int(),
    tokens_this_minute: z.int(),
    calls_under_way: z.int(),
  }),
})
export type WireGatewayKey = z.infer<typeof wireGatewayKey>

const wireTokens = z.object({
  input: z.int(),
  cache_read: z.int(),
  cache_write: z.int(),
  output: z.int(),
  reasoning: z.int(),
})

/** What a day of a key was with one model. */
const wireGatewayUsage = z.object({
  key: z.string(),
  key_name: z.string(),
  day: z.string(),
  provider: z.string(),
  model: z.string(),
  requests: z.int(),
  failed: z.int(),
  refused: z.int(),
  tokens: wireTokens,
  cost_usd: z.number(),
  unpriced: z.int(),
  first_token: z.object({ bounds_ms: z.array(z.int()), counts: z.array(z.int()) }),
})
export type WireGatewayUsage = z.infer<typeof wireGatewayUsage>

const wireGatewayCall = z.object({
  key: z.string(),
  key_name: z.string(),
  request_id: z.string(),
  at: z.number(),
  route: z.string(),
  provider: z.string(),
  model: z.string(),
  outcome: z.enum(['answered', 'failed', 'left', 'refused']),
  code: z.string().nullable(),
  tokens: wireTokens,
  is_estimated: z.boolean(),
  cost_usd: z.number().nullable(),
  first_token_ms: z.number().nullable(),
  took_ms: z.number(),
  has_body: z.boolean(),
  /** All tries of the request up to the end of this call; empty when there was but one. */
  attempts: z.array(z.object({ provider: z.string(), model: z.string(), ms: z.number(), code: z.string().nullable() })),
})
export type WireGatewayCall = z.infer<typeof wireGatewayCall>

const dollarsEach = z.number().nullable()
export const wireGatewayRouting = z.object({
  providers: z.array(
    z.object({
      name: z.string(),
      dialect: z.string(),
      host: z.string(),
      calls_at_once: z.int(),
      calls_under_way: z.int(),
      circuit: z.enum(['closed', 'open', 'half_open']),
      failures_in_a_row: z.int(),
      open_until: z.int().nullable(),
    }),
  ),
  /** Calls of the last two hours by when they ended, those of the account's own provider included. */
  recent: z.object({
    /** Unix seconds in which the first step begins. */
    from: z.int(),
    step_seconds: z.int(),
    steps: z.int(),
    /** Where there were any. */
    calls: z.array(z.object({ provider: z.string(), at: z.int(), answered: z.int(), failed: z.int() })),
  }),
  routes: z.array(
    z.object({
      name: z.string(),
      /** What a change of it is made on; null: it is in the settings, and changed there. */
      revision: z.int().nullable(),
      go_on_when: z.array(z.enum(gatewayGoOnReasons)),
      first_token_seconds: z.int().nullable(),
      sticky: z.boolean(),
      cheapest_first: z.boolean(),
      /** In the order they are tried; those of one order share the requests by weight. */
      steps: z.array(
        z.object({
          /** As the route says it, and as its provider calls it. */
          name: z.string(),
          model: z.string(),
          provider: z.string(),
          order: z.int(),
          weight: z.int(),
          calls_at_once: z.int().nullable(),
          context_window: z.int().nullable(),
          /** Dollars a million tokens; null: not known. */
          input_usd: dollarsEach,
          cache_read_usd: dollarsEach,
          output_usd: dollarsEach,
        }),
      ),
    }),
  ),
})
export type WireGatewayRouting = z.infer<typeof wireGatewayRouting>

const stepNumber = z.int().min(1).max(gatewayRouteNumberMax)
/** A route as the owner writes it. */
const gatewayRoute = z.strictObject({
  steps: z
    .array(
      z.strictObject({
        model: z.string().trim().min(1).max(gatewayRouteModelCharactersMax),
        order: stepNumber,
        weight: stepNumber,
        calls_at_once: stepNumber.nullable().optional(),
      }),
    )
    .min(1)
    .max(gatewayRouteStepsMax),
  go_on_when: z.array(z.enum(gatewayGoOnReasons)).max(gatewayGoOnReasons.length),
  first_token_seconds: z.int().min(1).max(gatewayFirstTokenSecondsMax).nullable(),
  sticky: z.boolean(),
  cheapest_first: z.boolean(),
})
export type GatewayRouteBody = z.input<typeof gatewayRoute>

export const wireGatewayRouteTrial = z.object({
  /** In the order they would be tried. */
  steps: z.array(
    z.object({
      model: z.string(),
      provider: z.string(),
      state: z.enum(['asked', 'reserve', 'passed_over', 'never']),
      why: z.enum(['held_back', 'full', 'no_model', 'too_long']).nullable(),
      input_tokens: z.int(),
      output_tokens_max: z.int(),
      cost_max_usd: z.number().nullable(),
    }),
  ),
})
export type WireGatewayRouteTrial = z.infer<typeof wireGatewayRouteTrial>

/** As it was written: what was left out then is left out here. */
const writtenRoute = z.object({
  steps: z.array(z.object({ model: z.string(), order: z.int().optional(), weight: z.int().optional() })),
})
const wireGatewayRouteChange = z.object({
  seq: z.int(),
  at: z.number(),
  name: z.string(),
  before: writtenRoute.nullable(),
  after: writtenRoute.nullable(),
})
export type WireGatewayRouteChange = z.infer<typeof wireGatewayRouteChange>
export const gatewayRouteChangeList = z.object({ data: z.array(wireGatewayRouteChange) })
export const gatewayRouteRevision = z.object({ revision: z.int() })

export const gatewayKeyList = z.object({ data: z.array(wireGatewayKey), is_durable: z.boolean() })
export const gatewayUsageList = z.object({ today: z.string(), data: z.array(wireGatewayUsage) })
export const gatewayCallList = z.object({ data: z.array(wireGatewayCall) })
export const gatewayNewKey = wireGatewayKey.extend({ secret: z.string() })

const wireKeyList = z.object({
  items: z.array(wireGatewayKey),
  is_durable: z.boolean(),
  /** Where the gateway's routes lie, below the address of this page. */
  path: z.string(),
})
export type WireGatewayKeyList = z.infer<typeof wireKeyList>

const keyWithSecret = z.object({ key: wireGatewayKey, secret: z.string() })

const perMinute = z.int().min(1).max(gatewayPerMinuteMax).nullable()
const dollars = z.number().positive().max(gatewayBudgetDollarsMax).nullable()
const keyFields = z.strictObject({
  name: z.string().trim().min(1).max(gatewayKeyNameCharactersMax),
  models: z.array(z.string().trim().min(1).max(gatewayKeyModelCharactersMax)).max(gatewayKeyModelsMax),
  addresses: z
    .array(z.string().trim())
    .max(gatewayKeyAddressesMax)
    .refine((texts) => texts.every((text) => parseNetwork(text) !== undefined)),
  requests_per_minute: perMinute,
  tokens_per_minute: perMinute,
  budget_day_usd: dollars,
  budget_month_usd: dollars,
  expires_at: z.int().positive().nullable(),
  keep_bodies: z.boolean(),
})
export type GatewayKeyBody = z.input<typeof keyFields>

const keyId = z.object({ id: z.string().regex(/^\w{1,64}$/) })
const days = z.object({
  from: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .optional(),
  to: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .optional(),
})

export const listGatewayKeys = declareRoute('session', 'get', '/gateway/keys', {
  operationId: 'listGatewayKeys',
  summary: '网关密钥',
  answers: { 200: wireKeyList },
})

/** `secret` is shown this once and never again. */
export const makeGatewayKey = declareRoute('session', 'post', '/gateway/keys', {
  operationId: 'makeGatewayKey',
  summary: '新建网关密钥',
  body: keyFields,
  answers: { 200: keyWithSecret },
})

export const changeGatewayKey = declareRoute('session', 'put', '/gateway/keys/{id}', {
  operationId: 'changeGatewayKey',
  summary: '修改网关密钥',
  params: keyId,
  body: keyFields,
  answers: { 200: wireGatewayKey },
})

/** A key that opens is revoked; one that is revoked is removed, with its figures. */
export const removeGatewayKey = declareRoute('session', 'delete', '/gateway/keys/{id}', {
  operationId: 'removeGatewayKey',
  summary: '吊销或删除网关密钥',
  params: keyId,
  body: emptyBody,
  answers: { 200: z.object({ ok: z.literal(true) }) },
})

/** The old secret opens for another hour. */
export const renewGatewayKey = declareRoute('session', 'post', '/gateway/keys/{id}/secret', {
  operationId: 'renewGatewayKey',
  summary: '更换网关密钥的密文',
  params: keyId,
  body: emptyBody,
  answers: { 200: keyWithSecret },
})

/** The old secret opens no more. */
export const endOldGatewaySecret = declareRoute('session', 'delete', '/gateway/keys/{id}/secret', {
  operationId: 'endOldGatewaySecret',
  summary: '停用网关密钥的旧密文',
  params: keyId,
  body: emptyBody,
  answers: { 200: z.object({ ok: z.literal(true) }) },
})

/** This month without days. */
export const getGatewayUsage = declareRoute('session', 'get', '/gateway/usage', {
  operationId: 'getGatewayUsage',
  summary: '网关用量',
  query: days,
  answers: { 200: z.object({ today: z.string(), items: z.array(wireGatewayUsage) }) },
})

/** The same as a table for spreadsheets. */
export const getGatewayUsageTable = declareRoute('session', 'get', '/gateway/usage/table', {
  operationId: 'getGatewayUsageTable',
  summary: '网关用量表格',
  query: days,
  answers: { 200: z.object({ csv: z.string() }) },
})

export const listGatewayCalls = declareRoute('session', 'get', '/gateway/calls', {
  operationId: 'listGatewayCalls',
  summary: '网关最近的调用',
  query: z.object({ key: keyId.shape.id.optional() }),
  answers: { 200: z.object({ items: z.array(wireGatewayCall) }) },
})

export const wireGatewayBodies = z.object({
  status: z.int(),
  request: z.string(),
  answer: z.string(),
  /** One of them was longer. */
  is_cut: z.boolean(),
})
export type WireGatewayBodies = z.infer<typeof wireGatewayBodies>

/** What a request of a key said, and its answer, where that key keeps it. */
export const getGatewayBodies = declareRoute('session', 'get', '/gateway/bodies', {
  operationId: 'getGatewayBodies',
  summary: '网关请求与回答的内容',
  query: z.object({ key: keyId.shape.id, request: z.string().min(1).max(1_000) }),
  answers: { 200: wireGatewayBodies },
})

/** Providers beside the account's with their state, and the routes over all of them. */
export const getGatewayRouting = declareRoute('session', 'get', '/gateway/routing', {
  operationId: 'getGatewayRouting',
  summary: '网关的提供方与路由',
  answers: { 200: wireGatewayRouting },
})

/** The next request of a provider that rests decides, before its time is over. */
export const endGatewayProviderRest = declareRoute('session', 'delete', '/gateway/providers/{name}/rest', {
  operationId: 'endGatewayProviderRest',
  summary: '立即重试网关提供方',
  params: z.object({ name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/) }),
  body: emptyBody,
  answers: { 200: z.object({ ok: z.literal(true) }) },
})

const routeName = z.object({ name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/) })
const revision = z.int().min(0)

/** `revision`: of the route that was seen, 0 for a new one; another one in its place is not written over. */
export const saveGatewayRoute = declareRoute('session', 'put', '/gateway/routes/{name}', {
  operationId: 'saveGatewayRoute',
  summary: '保存网关路由',
  params: routeName,
  body: z.strictObject({ route: gatewayRoute, revision }),
  answers: { 200: gatewayRouteRevision },
})

export const removeGatewayRoute = declareRoute('session', 'delete', '/gateway/routes/{name}', {
  operationId: 'removeGatewayRoute',
  summary: '删除网关路由',
  params: routeName,
  body: emptyBody,
  answers: { 200: z.object({ ok: z.literal(true) }) },
})

/** What a message would do by this route. Nothing is sent to a provider. */
export const tryGatewayRoute = declareRoute('session', 'post', '/gateway/route-trials', {
  operationId: 'tryGatewayRoute',
  isTrial: true,
  summary: '试算网关路由',
  body: z.strictObject({
    route: gatewayRoute,
    text: z.string().min(1).max(gatewayTrialCharactersMax),
    max_tokens: z.int().min(1).max(gatewayTrialTokensMax).nullable(),
  }),
  answers: { 200: wireGatewayRouteTrial },
})

export const listGatewayRouteChanges = declareRoute('session', 'get', '/gateway/route-changes', {
  operationId: 'listGatewayRouteChanges',
  summary: '网关路由的变更',
  answers: { 200: z.object({ items: z.array(wireGatewayRouteChange) }) },
})

/** Puts the route back to how it was before that change. */
export const undoGatewayRouteChange = declareRoute('session', 'post', '/gateway/route-changes/{seq}/undo', {
  operationId: 'undoGatewayRouteChange',
  summary: '撤销网关路由的变更',
  params: z.object({ seq: z.string().regex(/^\d{1,15}$/) }),
  body: emptyBody,
  answers: { 200: z.object({ ok: z.literal(true) }) },
})

export const consoleGatewayDeclarations: readonly RouteDeclaration[] = [
  listGatewayKeys,
  makeGatewayKey,
  changeGatewayKey,
  removeGatewayKey,
  renewGatewayKey,
  endOldGatewaySecret,
  getGatewayUsage,
  getGatewayUsageTable,
  listGatewayCalls,
  getGatewayBodies,
  getGatewayRouting,
  endGatewayProviderRest,
  saveGatewayRoute,
  removeGatewayRoute,
  tryGatewayRoute,
  listGatewayRouteChanges,
  undoGatewayRouteChange,
]
