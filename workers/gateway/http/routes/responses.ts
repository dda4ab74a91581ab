import { succeed } from '#shared/kernel/result.ts'
import { type ResponsesRequest, responsesRequest } from '../../contract/responses-request.ts'
import { failure } from '../../core/failure.ts'
import { JsonWriter, withJsonText } from '../../core/from-provider/json-answer.ts'
import { SingleCallWriter, withSingleCall } from '../../core/from-provider/single-call.ts'
import { type JsonRecord, textOf } from '../../core/json-record.ts'
import type { ResolvedModel } from '../../core/model-resolution.ts'
import { ResponseEventWriter } from '../../core/responses/response-events.ts'
import type { EchoedRequest } from '../../core/responses/response-object.ts'
import {
  type ResponsesGeneration,
  responsesGeneration,
  responsesImages,
} from '../../core/responses/responses-generation.ts'
import { wholeResponse } from '../../core/responses/whole-response.ts'
import { toConverseRequest } from '../../core/to-provider/generation.ts'
import { responsesThroughEndpoint } from '../compatible-answer.ts'
import { wholeInput } from '../earlier-items.ts'
import { callContext, type ExchangeContext, failureResponse, jsonResponse } from '../exchange.ts'
import {
  compatibleSurface,
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

const servedFields: ReadonlySet<string> = new Set(Object.keys(responsesRequest.shape))

async function answer(c: ExchangeContext, deps: GenerateDeps, body: JsonRecord): Promise<Response> {
  const request = parseBody(responsesRequest, body)
  if (!request.ok) return failureResponse(c, request.failure)
  const model = await resolveFor(c, deps, request.value.model)
  if (!model.ok) return failureResponse(c, model.failure)
  if (compatibleSurface(model.value) !== undefined) {
    // Its answers are not kept, so there is none to go on from.
    const { previous_response_id: previous, conversation } = request.value
    const input =
      previous == null && conversation == null ? succeed([]) : await wholeInput(request.value, deps.responseStore)
    if (!input.ok) return failureResponse(c, input.failure)
    return responsesThroughEndpoint(c, deps, model.value, body)
  }
  const input = await wholeInput(request.value, deps.responseStore)
  if (!input.ok) return failureResponse(c, input.failure)
  const whole = { ...request.value, input: [...input.value] }
  const images = await downloadImages(deps, model.value, responsesImages(whole), c.get('abort').signal)
  if (!images.ok) return failureResponse(c, images.failure)
  const { isPromptCachingEnabled, promptCacheTtl } = deps.settings
  const translated = responsesGeneration(whole, {
    model: model.value,
    images: images.value,
    caching: { system: isPromptCachingEnabled, messages: isPromptCachingEnabled, ttl: promptCacheTtl },
  })
  if (!translated.ok) return failureResponse(c, translated.failure)
  return generate(c, deps, model.value, translated.value, whole, body)
}

async function generate(
  c: ExchangeContext,
  deps: GenerateDeps,
  model: ResolvedModel,
  { generation, clientTools }: ResponsesGeneration,
  request: ResponsesRequest,
  body: JsonRecord,
): Promise<Response> {
  const converse = toConverseRequest(generation, deps.registry)
  if (!converse.ok) return failureResponse(c, converse.failure)
  noteIgnored(c, body, servedFields, converse.value.ignored, {
    effort: 'reasoning.effort',
    strict: 'tools.strict',
    cache: 'prompt_cache_breakpoint',
  })
  const parts = {
    identity: identityOf(deps, 'resp_', request.model ?? model.id),
    echoed: echoOf(request),
    clientTools,
    modelId: model.foundationId,
    includesEnvelope: request.include?.includes('reasoning.encrypted_content') === true,
    newItemId: (prefix: string) => prefix + deps.chance.hex(16),
    onFinished(response: JsonRecord, items: readonly JsonRecord[]) {
      if (request.store === false) return
      const said = typeof request.input === 'string' ? [] : request.input
      void deps.responseStore.put({ id: textOf(response['id']) ?? '', response, items: [...said, ...items] })
    },
  }
  const isSingleCall = request.parallel_tool_calls === false
  if (request.stream === true) {
    const plain = new ResponseEventWriter(parts)
    const judged = generation.wantsJson === true ? new JsonWriter(plain) : plain
    const writer = isSingleCall ? new SingleCallWriter(judged) : judged
    return streamedAnswer(c, deps, model, converse.value.request, writer)
  }
  const answered = await deps.provider.converse(model.id, converse.value.request, callContext(c))
  if (!answered.ok) return failureResponse(c, answered.failure)
  const single = isSingleCall ? withSingleCall(answered.value) : answered.value
  const judged = generation.wantsJson === true ? withJsonText(single) : succeed(single)
  if (!judged.ok) return failureResponse(c, judged.failure)
  const response = wholeResponse(judged.value, parts)
  return response.ok
    ? jsonResponse(c, response.value, { 'openai-model': model.id })
    : failureResponse(c, response.failure)
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

/** An answer that is kept, as it was given. */
export function keptResponse(deps: GenerateDeps) {
  return async function keptResponseRoute(c: ExchangeContext): Promise<Response> {
    const id = c.req.param('id') ?? ''
    const kept = await deps.responseStore.get(id)
    return kept === undefined ? failureResponse(c, noSuchResponse(id)) : jsonResponse(c, kept.response)
  }
}

export function deleteResponse(deps: GenerateDeps) {
  return async function deleteResponseRoute(c: ExchangeContext): Promise<Response> {
    const id = c.req.param('id') ?? ''
    return (await deps.responseStore.delete(id))
      ? jsonResponse(c, { id, object: 'response', deleted: true })
      : failureResponse(c, noSuchResponse(id))
  }
}

function noSuchResponse(id: string) {
  return failure('not_found', `Response with id '${id.slice(0, 100)}' not found.`)
}
