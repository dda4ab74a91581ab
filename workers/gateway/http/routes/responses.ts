import { type JsonRecord, textOf } from '#shared/kernel/json-record.ts'
import { succeed } from '#shared/kernel/result.ts'
import { type ResponsesRequest, responsesRequest } from '../../contract/responses-request.ts'
import { failure } from '../../core/failure.ts'
import { JsonWriter, withJsonText } from '../../core/from-provider/json-answer.ts'
import { SingleCallWriter, withSingleCall } from '../../core/from-provider/single-call.ts'
import { masterGrant } from '../../core/keys/key-record.ts'
import type { ResolvedModel } from '../../core/model-resolution.ts'
import { redactedCause } from '../../core/redaction.ts'
import { listedItem, pageOf } from '../../core/responses/listed-items.ts'
import { ResponseEventWriter } from '../../core/responses/response-events.ts'
import type { EchoedRequest } from '../../core/responses/response-object.ts'
import {
  type ResponsesGeneration,
  responsesGeneration,
  responsesImages,
} from '../../core/responses/responses-generation.ts'
import { wholeResponse } from '../../core/responses/whole-response.ts'
import { toConverseRequest } from '../../core/to-provider/generation.ts'
import { inputItemsListedMax, keptResponseCharactersOneMax } from '../../limits.ts'
import type { KeptResponse, NewResponse, ResponseStore } from '../../ports.ts'
import { responsesThroughEndpoint } from '../compatible-answer.ts'
import { type WholeInput, wholeInput } from '../earlier-items.ts'
import { callContext, type ExchangeContext, failureResponse, jsonResponse, respond } from '../exchange.ts'
import {
  compatibleSurface,
  countedInput,
  downloadImages,
  type GenerateDeps,
  identityOf,
  resolveFor,
  streamedAnswer,
} from '../generate.ts'
import { noteIgnored } from '../ignored-fields.ts'
import { parseBody, withBody } from '../request-body.ts'

export function responses(deps: GenerateDeps) {
  return function responsesRoute(c: ExchangeContext): Promise<Response> {
    return withBody(c, deps.bodyRules, (body) => answer(c, deps, body))
  }
}

async function answer(c: ExchangeContext, deps: GenerateDeps, body: JsonRecord): Promise<Response> {
  const request = parseBody(responsesRequest, body)
  if (!request.ok) return failureResponse(c, request.failure)
  const model = await resolveFor(c, deps, request.value.model)
  if (!model.ok) return failureResponse(c, model.failure)
  if (compatibleSurface(model.value) !== undefined) {
    // Its answers are not kept, so there is none to go on from.
    const { previous_response_id: previous, conversation } = request.value
    const input = previous == null && conversation == null ? succeed(undefined) : await inputOf(c, deps, request.value)
    if (!input.ok) return failureResponse(c, input.failure)
    return responsesThroughEndpoint(c, deps, model.value, body)
  }
  const input = await inputOf(c, deps, request.value)
  if (!input.ok) return failureResponse(c, input.failure)
  const { earlier, own } = input.value
  const whole = { ...request.value, input: [...earlier, ...own] }
  const images = await downloadImages(deps, model.value, responsesImages(whole), c.get('abort').signal)
  if (!images.ok) return failureResponse(c, images.failure)
  const { isPromptCachingEnabled, promptCacheTtl } = deps.settings
  const translated = responsesGeneration(whole, {
    model: model.value,
    images: images.value,
    caching: { system: isPromptCachingEnabled, messages: isPromptCachingEnabled, ttl: promptCacheTtl },
  })
  if (!translated.ok) return failureResponse(c, translated.failure)
  return generate(c, deps, model.value, translated.value, whole, body, input.value)
}

async function generate(
  c: ExchangeContext,
  deps: GenerateDeps,
  model: ResolvedModel,
  { generation, clientTools, leftOut }: ResponsesGeneration,
  request: ResponsesRequest,
  body: JsonRecord,
  { earlier, own }: WholeInput,
): Promise<Response> {
  const converse = toConverseRequest(generation, deps.registry)
  if (!converse.ok) return failureResponse(c, converse.failure)
  noteIgnored(c, {
    sent: body,
    read: request,
    ignored: converse.value.ignored,
    names: {
      effort: 'reasoning.effort',
      strict: 'tools.strict',
      cache: 'prompt_cache_breakpoint',
      cache_ttl: 'prompt_cache_breakpoint.ttl',
      unpaired: 'input',
    },
    passedOver: leftOut,
  })
  let keeping: Promise<void> = Promise.resolve()
  const parts = {
    identity: identityOf(deps, 'resp_', request.model ?? model.id),
    echoed: echoOf(request),
    clientTools,
    modelId: model.foundationId,
    includesEnvelope: request.include?.includes('reasoning.encrypted_content') === true,
    newItemId: (prefix: string) => prefix + deps.random.hex(16),
    onFinished(response: JsonRecord, output: readonly JsonRecord[]) {
      const previousId = request.previous_response_id ?? undefined
      const { connection } = c.env
      if (request.store === false) {
        if (connection !== undefined) connection.last = lastOf(response, [...earlier, ...own], output)
        return
      }
      const before = previousId === undefined ? {} : { previousId }
      keeping = keep(c, deps, { id: textOf(response['id']) ?? '', response, ...before, input: own, output })
    },
  }
  if (c.env.connection !== undefined && body['generate'] === false) {
    return respond(c, prepared(new ResponseEventWriter(parts)), 200, { 'content-type': 'text/event-stream' })
  }
  const isSingleCall = request.parallel_tool_calls === false
  if (request.stream === true) {
    const plain = new ResponseEventWriter(parts)
    const judged = generation.wantsJson === true ? new JsonWriter(plain) : plain
    const writer = isSingleCall ? new SingleCallWriter(judged) : judged
    return streamedAnswer(c, deps, model, converse.value.request, writer, 1, () => keeping)
  }
  const answered = await deps.provider.converse(model.id, converse.value.request, callContext(c))
  if (!answered.ok) return failureResponse(c, answered.failure)
  const single = isSingleCall ? withSingleCall(answered.value) : answered.value
  const judged = generation.wantsJson === true ? withJsonText(single) : succeed(single)
  if (!judged.ok) return failureResponse(c, judged.failure)
  const response = wholeResponse(judged.value, parts)
  await keeping
  return response.ok
    ? jsonResponse(c, response.value, { 'openai-model': model.id })
    : failureResponse(c, response.failure)
}

/** A client may go on as soon as it has read the end, so that waits for this; without it the answer is still good. */
async function keep(c: ExchangeContext, deps: GenerateDeps, kept: NewResponse): Promise<void> {
  const requestId = c.get('requestId')
  const items = [...kept.input, ...kept.output]
  const characters = [kept.response, ...items].reduce((sum, part) => sum + JSON.stringify(part).length, 0)
  if (characters > keptResponseCharactersOneMax) {
    return deps.log({ level: 'warn', event: 'response-not-kept', requestId, characters })
  }
  try {
    const input = kept.input.map((item) => withId(item, deps))
    const output = kept.output.map((item) => withId(item, deps))
    await deps.responseStore.put(ownerOf(c), { ...kept, input, output }, deps.clock.nowMs())
  } catch (cause) {
    deps.log({ level: 'error', event: 'response-not-kept', requestId, cause: redactedCause(cause) })
  }
}

/** Whoever asks for the owner has the answers of the key of the settings. */
function ownerOf(c: ExchangeContext): string {
  return (c.get('grant') ?? masterGrant).id
}

function inputOf(c: ExchangeContext, deps: GenerateDeps, request: ResponsesRequest) {
  const last = c.env.connection?.last
  const store = last === undefined ? deps.responseStore : withLast(deps.responseStore, last)
  return wholeInput(request, { store, owner: ownerOf(c), nowMs: deps.clock.nowMs() })
}

/** The last answer of a connection is known to it, whether it is kept or not. */
function withLast(store: ResponseStore, last: KeptResponse): Pick<ResponseStore, 'get' | 'items'> {
  return {
    get: async (owner, id, nowMs) => (id === last.id ? last : store.get(owner, id, nowMs)),
    items: async (owner, ids, nowMs) => [
      ...last.items.filter(({ id }) => typeof id === 'string' && ids.includes(id)),
      ...(await store.items(owner, ids, nowMs)),
    ],
  }
}

/** Undefined: it is longer than what is held for a client. */
function lastOf(
  response: JsonRecord,
  input: readonly JsonRecord[],
  output: readonly JsonRecord[],
): KeptResponse | undefined {
  const items = [...input, ...output]
  const characters = items.reduce((sum, item) => sum + JSON.stringify(item).length, 0)
  return characters > keptResponseCharactersOneMax
    ? undefined
    : { id: textOf(response['id']) ?? '', response, items, inputs: input.length }
}

/** An answer that no model was asked for: only what it would be asked with is known from now on. */
function prepared(writer: ResponseEventWriter): string {
  const opened = writer.open()
  writer.accept({ kind: 'stop', stopReason: 'end_turn' })
  writer.accept({ kind: 'metadata', usage: noUsage })
  return opened + writer.end()
}

const noUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 }

/** By it an item can be referred to and listed. */
function withId(item: JsonRecord, deps: GenerateDeps): JsonRecord {
  const id = textOf(item['id'])
  if (id !== undefined && /^[\w-]{1,128}$/.test(id)) return item
  const isMessage = item['type'] === undefined || item['type'] === 'message'
  return { ...item, id: `${isMessage ? 'msg' : 'item'}_${deps.random.hex(16)}` }
}

function echoOf(request: ResponsesRequest): EchoedRequest {
  return {
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    reasoning: { effort: request.reasoning?.effort ?? null, summary: request.reasoning?.summary ?? null },
    temperature: request.temperature ?? null,
    text: { format: request.text?.format ?? { type: 'text' } },
    tool_choice: request.tool_choice ?? 'auto',
    tools: request.tools ?? [],
    top_p: request.top_p ?? null,
    metadata: request.metadata ?? {},
    previous_response_id: request.previous_response_id ?? null,
    store: request.store !== false,
  }
}

export function countResponseInput(deps: GenerateDeps) {
  return (c: ExchangeContext): Promise<Response> => withBody(c, deps.bodyRules, (body) => count(c, deps, body))
}

/** What a request with the same members would be asked with, earlier answers included. */
async function count(c: ExchangeContext, deps: GenerateDeps, body: JsonRecord): Promise<Response> {
  const request = parseBody(responsesRequest, body)
  if (!request.ok) return failureResponse(c, request.failure)
  const model = await resolveFor(c, deps, request.value.model)
  if (!model.ok) return failureResponse(c, model.failure)
  if (compatibleSurface(model.value) !== undefined) {
    return failureResponse(
      c,
      failure('bad_request', `model ${model.value.id} does not count tokens`, { param: 'model' }),
    )
  }
  const input = await inputOf(c, deps, request.value)
  if (!input.ok) return failureResponse(c, input.failure)
  const whole = { ...request.value, input: [...input.value.earlier, ...input.value.own] }
  const images = await downloadImages(deps, model.value, responsesImages(whole), c.get('abort').signal)
  if (!images.ok) return failureResponse(c, images.failure)
  const caching = { system: false, messages: false, ttl: deps.settings.promptCacheTtl }
  const translated = responsesGeneration(whole, { model: model.value, images: images.value, caching })
  if (!translated.ok) return failureResponse(c, translated.failure)
  const converse = toConverseRequest(translated.value.generation, deps.registry)
  if (!converse.ok) return failureResponse(c, converse.failure)
  return countedInput(c, deps, model.value, converse.value.request, { object: 'response.input_tokens' })
}

/** An answer that is kept, as it was given. */
export function keptResponse(deps: GenerateDeps) {
  return async function keptResponseRoute(c: ExchangeContext): Promise<Response> {
    const id = c.req.param('id') ?? ''
    const kept = await deps.responseStore.get(ownerOf(c), id, deps.clock.nowMs())
    return kept === undefined ? failureResponse(c, noSuchResponse(id)) : jsonResponse(c, kept.response)
  }
}

export function deleteResponse(deps: GenerateDeps) {
  return async function deleteResponseRoute(c: ExchangeContext): Promise<Response> {
    const id = c.req.param('id') ?? ''
    return (await deps.responseStore.delete(ownerOf(c), id))
      ? jsonResponse(c, { id, object: 'response', deleted: true })
      : failureResponse(c, noSuchResponse(id))
  }
}

/** All that an answer was asked with, what came before included. */
export function inputItems(deps: GenerateDeps) {
  return async function inputItemsRoute(c: ExchangeContext): Promise<Response> {
    const id = c.req.param('id') ?? ''
    const { limit, order, after, include } = parametersOf(c)
    if (limit === undefined) return failureResponse(c, wrongParameter('limit', `from 1 to ${inputItemsListedMax}`))
    if (order !== 'asc' && order !== 'desc') return failureResponse(c, wrongParameter('order', 'asc or desc'))
    const kept = await deps.responseStore.get(ownerOf(c), id, deps.clock.nowMs())
    if (kept === undefined) return failureResponse(c, noSuchResponse(id))
    const includesEnvelope = include.includes('reasoning.encrypted_content')
    const items = kept.items.slice(0, kept.inputs).map((item) => listedItem(item, includesEnvelope))
    const page = pageOf(items, { limit, isAscending: order === 'asc', after })
    return page === undefined
      ? failureResponse(c, wrongParameter('after', 'an item of this list'))
      : jsonResponse(c, page)
  }
}

function parametersOf(c: ExchangeContext) {
  const { searchParams } = new URL(c.req.url)
  const limit = searchParams.get('limit') ?? '20'
  const isLimit = /^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= inputItemsListedMax
  return {
    limit: isLimit ? Number(limit) : undefined,
    order: searchParams.get('order') ?? 'desc',
    after: searchParams.get('after') ?? undefined,
    include: [...searchParams.getAll('include'), ...searchParams.getAll('include[]')],
  }
}

function wrongParameter(param: string, words: string) {
  return failure('bad_request', `${param} must be ${words}`, { param })
}

function noSuchResponse(id: string) {
  return failure('not_found', `Response with id '${id.slice(0, 100)}' not found.`)
}
