import { type ResponsesRequest, responsesRequest } from '../../contract/responses-request.ts'
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
import { parseBody, withBody } from '../request-body.ts'

export function responses(deps: GenerateDeps) {
  return function responsesRoute(c: ExchangeContext): Promise<Response> {
    return withBody(c, deps.bodyRules, (body) => answer(c, deps, body))
  }
}

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
  return generate(c, deps, model.value, translated.value, request.value)
}

async function generate(
  c: ExchangeContext,
  deps: GenerateDeps,
  model: ResolvedModel,
  { generation, clientTools }: ResponsesGeneration,
  request: ResponsesRequest,
): Promise<Response> {
  const converse = toConverseRequest(generation, deps.registry)
  if (!converse.ok) return failureResponse(c, converse.failure)
  const parts = {
    identity: identityOf(deps, 'resp_', request.model ?? model.id),
    echoed: echoOf(request),
    clientTools,
    modelId: model.foundationId,
    includesEnvelope: request.include?.includes('reasoning.encrypted_content') === true,
    newItemId: (prefix: string) => prefix + deps.chance.hex(16),
  }
  if (request.stream === true) {
    return streamedAnswer(c, deps, model, converse.value, new ResponseEventWriter(parts))
  }
  const answered = await deps.provider.converse(model.id, converse.value, callContext(c))
  if (!answered.ok) return failureResponse(c, answered.failure)
  const response = wholeResponse(answered.value, parts)
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
