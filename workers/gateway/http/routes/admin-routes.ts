import { parseJson } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { PriceList } from '#shared/models/price-list.ts'
import {
  type RouteChangeObject,
  type RouteText,
  type RouteTrialObject,
  removeRouteBody,
  saveRouteBody,
  tryRouteBody,
} from '../../contract/admin-routes.ts'
import { type Failure, failure } from '../../core/failure.ts'
import { comparedPrice, costMaxNano } from '../../core/keys/call-cost.ts'
import { callEstimate } from '../../core/keys/call-estimate.ts'
import { type ModelRoute, type RouteStep, routeOf, routesMax } from '../../core/providers/model-route.ts'
import { conversationOf, plannedSteps } from '../../core/providers/route-plan.ts'
import { fatesOf } from '../../core/providers/route-trial.ts'
import { routeChangesListedMax, routeNameCharactersMax } from '../../limits.ts'
import type { ProviderStatus, RouteStore } from '../../ports.ts'
import { type ExchangeContext, failureResponse, jsonResponse } from '../exchange.ts'
import { type GenerateDeps, resolveTarget } from '../generate.ts'
import { type KnownStep, knownSteps } from '../known-steps.ts'
import { parseBody, withBody } from '../request-body.ts'
import { chatAsInner } from './chat-completions.ts'

export interface RoutesDeps extends GenerateDeps {
  readonly routeStore: RouteStore
  readonly providerStatus: ProviderStatus
  readonly prices: PriceList
}

const namePattern = new RegExp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,${routeNameCharactersMax - 1}}$`)

export function saveRoute(deps: RoutesDeps) {
  return function saveRouteRoute(c: ExchangeContext): Promise<Response> {
    return withBody(c, deps.bodyRules, async (body) => {
      const read = parseBody(saveRouteBody, body)
      if (!read.ok) return failureResponse(c, read.failure)
      const { route, revision } = read.value
      const name = c.req.param('name') ?? ''
      const judged = await judge(deps, name, route)
      if (!judged.ok) return failureResponse(c, judged.failure)
      return change(c, deps, name, route, revision)
    })
  }
}

export function removeRoute(deps: RoutesDeps) {
  return function removeRouteRoute(c: ExchangeContext): Promise<Response> {
    const asked = new URL(c.req.url).searchParams.get('revision')
    const read = parseBody(removeRouteBody, asked === null ? {} : { revision: Number(asked) })
    if (!read.ok) return Promise.resolve(failureResponse(c, read.failure))
    return change(c, deps, c.req.param('name') ?? '', undefined, read.value.revision)
  }
}

/** The newest changes, each with how the route was before it and after. */
export function routeChanges(deps: RoutesDeps) {
  return async function routeChangesRoute(c: ExchangeContext): Promise<Response> {
    const data = (await deps.routeStore.changes(routeChangesListedMax)).map(
      ({ seq, atMs, name, before, after }): RouteChangeObject => ({
        seq,
        at: atMs / 1_000,
        name,
        before: textIn(before) ?? null,
        after: textIn(after) ?? null,
      }),
    )
    return jsonResponse(c, { object: 'list', data })
  }
}

/** Puts a route back to how it was before that change, which is one more change. */
export function undoRouteChange(deps: RoutesDeps) {
  return async function undoRouteChangeRoute(c: ExchangeContext): Promise<Response> {
    const seq = c.req.param('seq')
    const found = (await deps.routeStore.changes(routeChangesListedMax)).find((one) => String(one.seq) === seq)
    if (found === undefined) return failureResponse(c, failure('not_found', 'there is no such change'))
    return change(c, deps, found.name, textIn(found.before), undefined)
  }
}

/** What a request would do by a route that need not be kept. Nobody is asked. */
export function tryRoute(deps: RoutesDeps) {
  return function tryRouteRoute(c: ExchangeContext): Promise<Response> {
    return withBody(c, deps.bodyRules, async (body) => {
      const read = parseBody(tryRouteBody, body)
      if (!read.ok) return failureResponse(c, read.failure)
      const judged = await judge(deps, 'trial', read.value.route)
      if (!judged.ok) return failureResponse(c, judged.failure)
      const { route, known } = judged.value
      const model = await resolveTarget(deps, route.steps[0]?.model ?? '')
      if (!model.ok) return failureResponse(c, model.failure)
      const asked = await chatAsInner(c, deps, model.value, read.value.request)
      if (!asked.ok) return failureResponse(c, asked.failure)
      const { converse, outputTokensMax } = asked.value
      // Without a conversation to stay with, the first draw stands for all.
      const conversation = route.isSticky ? conversationOf(read.value.request) : 0
      const priceOf = route.isCheapestFirst ? (step: RouteStep) => comparedPrice(known(step).facts) : undefined
      const steps = plannedSteps(route, conversation, priceOf).map((step) => {
        const found = known(step)
        const { facts } = found
        return { ...found, estimate: callEstimate(converse, outputTokensMax, facts) }
      })
      const fates = fatesOf(
        steps.map(({ provider, refusal, callsMax, facts, estimate }) => {
          const { state, callsUnderWay } = deps.providerStatus(provider)
          const most = Math.min(
            callsMax ?? Number.POSITIVE_INFINITY,
            deps.providers.providers.get(provider)?.callsMax ?? Number.POSITIVE_INFINITY,
          )
          return {
            isKnown: refusal === undefined,
            isHeldBack: state === 'open',
            isFull: callsUnderWay >= most,
            isTooLong: estimate.inputTokens > (facts?.contextTokens ?? Number.POSITIVE_INFINITY),
          }
        }),
        route.goOnWhen,
      )
      const told: RouteTrialObject = {
        object: 'gateway.route_trial',
        steps: steps.map(({ model: name, provider, facts, estimate }, index) => ({
          model: name,
          provider,
          state: fates[index]?.state ?? 'never',
          why: fates[index]?.why ?? null,
          input_tokens: estimate.inputTokens,
          output_tokens_max: estimate.outputTokensMax,
          cost_max_usd:
            facts?.inputNano === undefined
              ? null
              : costMaxNano(facts, estimate.inputTokensMax, estimate.outputTokensMax) / 1_000_000_000,
        })),
      }
      return jsonResponse(c, told)
    })
  }
}

interface Judged {
  readonly route: ModelRoute
  readonly known: (step: ModelRoute['steps'][number]) => KnownStep
}

/** Whether such a route can be kept under that name. */
async function judge(deps: RoutesDeps, name: string, text: RouteText): Promise<Result<Judged, Failure>> {
  if (!namePattern.test(name)) {
    const words = `a route's name is up to ${routeNameCharactersMax} letters, digits, dots, hyphens and underscores`
    return failWith(failure('bad_request', words, { param: 'name' }))
  }
  const route = routeOf(name, text)
  if (route === undefined) return failWith(failure('bad_request', 'this is no route', { param: 'route' }))
  await deps.routes.freshen()
  const known = await knownSteps(deps)
  for (const [index, step] of route.steps.entries()) {
    const { refusal } = known(step)
    const words = deps.routes.routes.has(step.model) ? `${step.model} is a route; a step is a model` : refusal
    if (words !== undefined) return failWith(failure('bad_request', words, { param: `route.steps[${index}].model` }))
  }
  return succeed({ route, known })
}

async function change(
  c: ExchangeContext,
  deps: RoutesDeps,
  name: string,
  text: RouteText | undefined,
  seen: number | undefined,
): Promise<Response> {
  const { routes, routeStore, clock } = deps
  await routes.freshen()
  const isThere = routes.routes.has(name)
  if (isThere && routes.revisionOf(name) === undefined) {
    return failureResponse(
      c,
      failure('bad_request', `${name} is in the settings, and is changed there`, { param: 'name' }),
    )
  }
  if (text === undefined && !isThere) return failureResponse(c, failure('not_found', 'there is no such route'))
  const written = text === undefined ? undefined : JSON.stringify(text)
  const outcome = await routeStore.change(name, written, seen, clock.nowMs())
  routes.outdate()
  if (outcome === 'stale') {
    const words = 'the route was changed meanwhile; read it again'
    return failureResponse(c, failure('bad_request', words, { param: 'revision' }))
  }
  if (outcome === 'full') return failureResponse(c, failure('bad_request', `there are ${routesMax} routes`))
  await routes.freshen()
  return jsonResponse(c, { object: 'gateway.route', name, revision: routes.revisionOf(name) ?? 0 })
}

/** What was written by this gateway, which checked it before. */
function textIn(text: string | undefined): RouteText | undefined {
  return text === undefined ? undefined : (parseJson(text) as RouteText)
}
