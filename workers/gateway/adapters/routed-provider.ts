import type { Clock } from '#shared/kernel/clock.ts'
import { type JsonRecord, recordOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../core/failure.ts'
import { withoutOwnThoughts } from '../core/providers/gemini/gemini-thinking.ts'
import type { ModelRoute } from '../core/providers/model-route.ts'
import type { PassedSurface } from '../core/providers/provider-dialect.ts'
import type { ProviderList } from '../core/providers/provider-list.ts'
import {
  Circuit,
  type CircuitStatus,
  conversationOf,
  isTrouble,
  plannedSteps,
  reasonToGoOn,
  type StepPrice,
} from '../core/providers/route-plan.ts'
import type { ConverseRequest } from '../core/wire/converse-request.ts'
import type { CallContext, CompatibleEndpoint, Log, OutgoingAnswer, Provider, Random } from '../ports.ts'
import type { CallsUnderWay } from './external-provider.ts'

/** The account's own provider, as it is named in records and tables of prices. */
export const ownProvider = 'bedrock'

interface RoutedParts {
  readonly list: ProviderList
  readonly own: Provider
  readonly ownEndpoint: CompatibleEndpoint | undefined
  readonly externals: ReadonlyMap<string, Provider & CompatibleEndpoint & CallsUnderWay>
  /** The id that the account's provider takes for a name; undefined when there is none. */
  readonly ownModelId: (name: string) => Promise<string | undefined>
  /** By the prices of now. */
  readonly stepPrices: () => Promise<StepPrice>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

type Call<T> = (
  provider: Provider,
  model: string,
  request: ConverseRequest,
  context: CallContext,
) => Promise<Result<T, Failure>>

/** Who answers for a model: the account's provider, one beside it, or the steps of a route one after another. */
export function routedProvider(
  parts: RoutedParts,
): Provider & CompatibleEndpoint & { circuit(name: string): CircuitStatus; endRest(name: string): void } {
  const { list, own, externals, clock, random, log } = parts
  const circuits = new Map<string, Circuit>()

  /** Asks a provider that has not failed too often, and notes how it went. */
  async function throughCircuit<T>(
    { name, model }: { readonly name: string; readonly model: string },
    context: CallContext,
    call: () => Promise<Result<T, Failure>>,
  ): Promise<Result<T, Failure>> {
    const circuit = circuits.get(name) ?? new Circuit()
    circuits.set(name, circuit)
    if (!circuit.allows(clock.nowMs())) {
      context.attempts?.push({ provider: name, model, ms: 0, code: 'upstream_error' })
      return failWith(failure('upstream_error', `${name}: failed too often, and rests`, { retryAfterSeconds: 30 }))
    }
    const answered = await call()
    circuit.record(answered.ok || !isTrouble(answered.failure.code), clock.nowMs())
    return answered
  }

  /** What one kind of provider signed means nothing to the others. */
  function readableFor<T extends Pick<ConverseRequest, 'messages'>>(name: string, request: T): T {
    return list.providers.get(name)?.dialect === 'gemini' ? request : withoutOwnThoughts(request)
  }

  function externalOf(modelId: string) {
    const slash = modelId.indexOf('/')
    const provider = slash < 0 ? undefined : externals.get(modelId.slice(0, slash))
    return provider === undefined
      ? undefined
      : { provider, name: modelId.slice(0, slash), model: modelId.slice(slash + 1) }
  }

  async function one<T>(
    modelId: string,
    request: ConverseRequest,
    context: CallContext,
    call: Call<T>,
  ): Promise<Result<T, Failure>> {
    const external = externalOf(modelId)
    if (external === undefined) return call(own, modelId, withoutOwnThoughts(request), context)
    const { name, provider, model } = external
    return throughCircuit(external, context, () => call(provider, model, readableFor(name, request), context))
  }

  /** Asks one step after another; `ask` gets the model's full name, and whether the account's provider has it. */
  async function throughSteps<T>(
    route: ModelRoute,
    conversation: () => number,
    context: CallContext,
    ask: (model: string, isOwn: boolean) => Promise<Result<T, Failure>>,
  ): Promise<Result<T, Failure>> {
    const priceOf = route.isCheapestFirst ? await parts.stepPrices() : undefined
    const point = route.isSticky ? conversation() : Math.floor(random.fraction() * 2 ** 32)
    const steps = plannedSteps(route, point, priceOf)
    let last: Failure = failure('upstream_error', 'no step of the route can be taken')
    for (const [index, step] of steps.entries()) {
      const external = externalOf(step.model)
      const isOwn = external === undefined
      if (external !== undefined && external.provider.callsUnderWay() >= (step.callsMax ?? Number.POSITIVE_INFINITY)) {
        const { name, model } = external
        context.attempts?.push({ provider: name, model, ms: 0, code: 'rate_limit_exceeded' })
        last = failure('rate_limit_exceeded', `${name}: the route gives it no more calls at once`, {
          retryAfterSeconds: 1,
        })
        continue
      }
      const model = isOwn ? await parts.ownModelId(step.model) : step.model
      if (model === undefined) continue
      const answered = await ask(model, isOwn)
      if (answered.ok) return answered
      last = answered.failure
      const reason = reasonToGoOn(last)
      const isOver = reason === undefined || !route.goOnWhen.includes(reason) || context.signal.aborted
      log({
        level: 'info',
        event: 'route-step-failed',
        requestId: context.requestId,
        step: index + 1,
        model,
        code: last.code,
      })
      if (isOver) break
    }
    return failWith(last)
  }

  async function answer<T>(
    modelId: string,
    request: ConverseRequest,
    context: CallContext,
    call: Call<T>,
    isStreamed: boolean,
  ): Promise<Result<T, Failure>> {
    const route = list.routes.get(modelId)
    const noting = { ...context, attempts: [] }
    if (route === undefined) return one(modelId, request, noting, call)
    const limited = isStreamed ? { ...noting, firstByteMs: route.firstTokenMs } : noting
    const isForeign = externalOf(route.steps[0]?.model ?? '') !== undefined
    const began = () => conversationOf(context.began ?? request)
    return throughSteps(route, began, limited, (model, isOwn) =>
      one(model, isOwn && isForeign ? withoutForeignFields(request) : request, limited, call),
    )
  }

  /** Passes a request on to a provider of its dialect. */
  async function passOn(
    modelId: string,
    surface: 'responses' | PassedSurface,
    body: JsonRecord,
    context: CallContext,
  ): Promise<Result<OutgoingAnswer, Failure>> {
    const external = externalOf(modelId)
    if (external === undefined) {
      return parts.ownEndpoint === undefined
        ? failWith(failure('bad_request', 'the compatible endpoint is switched off', { param: 'model' }))
        : parts.ownEndpoint.send(surface, body, context)
    }
    const { provider, model } = external
    return throughCircuit(external, context, () => provider.send(surface, { ...body, model }, context))
  }

  return {
    circuit: (name) => (circuits.get(name) ?? new Circuit()).status(clock.nowMs()),
    endRest: (name) => circuits.get(name)?.endRest(),
    converse: (modelId, request, context) =>
      answer(
        modelId,
        request,
        context,
        (provider, model, body, noting) => provider.converse(model, body, noting),
        false,
      ),
    converseStream: (modelId, request, context) =>
      answer(
        modelId,
        request,
        context,
        (provider, model, body, noting) => provider.converseStream(model, body, noting),
        true,
      ),
    countTokens(modelId, request, context) {
      const external = externalOf(list.routes.get(modelId)?.steps[0]?.model ?? modelId)
      return external === undefined
        ? own.countTokens(modelId, withoutOwnThoughts(request), context)
        : external.provider.countTokens(external.model, readableFor(external.name, request), context)
    },
    embed(call, context) {
      const external = externalOf(call.modelId)
      if (external === undefined) return own.embed(call, context)
      const { provider, model } = external
      return throughCircuit(external, context, () => provider.embed({ ...call, modelId: model }, context))
    },
    async send(surface, body, context) {
      const asked = recordOf(body) ?? {}
      const modelId = String(asked['model'])
      const route = list.routes.get(modelId)
      if (route === undefined) return passOn(modelId, surface, asked, context)
      const isStreamed = asked['stream'] === true
      const limited: CallContext = {
        ...context,
        attempts: [],
        ...(isStreamed ? { firstByteMs: route.firstTokenMs, waitsFor: 'first' } : { waitsFor: 'all' }),
      }
      return throughSteps(
        route,
        () => conversationOf(context.began ?? asked),
        limited,
        (model) => passOn(model, surface, asked, limited),
      )
    },
  }
}

/** Wishes in the words of another provider, which this one would refuse. */
function withoutForeignFields({ additionalModelRequestFields: _, ...request }: ConverseRequest): ConverseRequest {
  return request
}
