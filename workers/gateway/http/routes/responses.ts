import { succeed } from '#shared/kernel/result.ts'
import { type ResponsesRequest, responsesRequest } from '../../contract/responses-request.ts'
import { JsonWriter, withJsonText } from '../../core/from-provider/json-answer.ts'
import { SingleCallWriter, withSingleCall } from '../../core/from-provider/single-call.ts'
import type { JsonRecord } from '../../core/json-record.ts'
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
  const model = await resolveFor(deps, request.value.model)
  if (!model.ok) return failureResponse(c, model.failure)
  if (compatibleSurface(model.value) !== undefined) return responsesThroughEndpoint(c, deps, model.value, body)
  const images = await downloadImages(deps, model.value, responsesImages(request.value), c.get('abort').signal)
  if (!images.ok) return failureResponse(c, images.failure)
  const { isPromptCachingEnabled, promptCacheTtl } = deps.settings
  const translated = responsesGeneration(request.value, {
    model: model.value,
    images: images.value,
    caching: { system: isPromptCachingEnabled, messages: isPromptCachingEnabled, ttl: promptCacheTtl },
  })
  if (!translated.ok) return failureResponse(c, translated.failure)
  return generate(c, deps, model.value, translated.value, request.value, body)
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
  }
}
