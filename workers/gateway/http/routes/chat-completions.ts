import { type ChatRequest, chatRequest, imageReferences } from '../../contract/chat-request.ts'
import { ChatChunkWriter } from '../../core/from-provider/chat-chunks.ts'
import { chatCompletion } from '../../core/from-provider/chat-completion.ts'
import type { JsonRecord } from '../../core/json-record.ts'
import type { ResolvedModel } from '../../core/model-resolution.ts'
import { chatGeneration } from '../../core/to-provider/chat-generation.ts'
import { type Generation, toConverseRequest } from '../../core/to-provider/generation.ts'
import { chatThroughEndpoint } from '../compatible-answer.ts'
import { callContext, type ExchangeContext, failureResponse, jsonResponse } from '../exchange.ts'
import {
  capsulesFor,
  compatibleSurface,
  downloadImages,
  type GenerateDeps,
  identityOf,
  resolveFor,
  streamedAnswer,
} from '../generate.ts'
import { parseBody, withBody } from '../request-body.ts'

export function chatCompletions(deps: GenerateDeps) {
  return function chatCompletionsRoute(c: ExchangeContext): Promise<Response> {
    return withBody(c, deps.bodyRules, (body) => answer(c, deps, body))
  }
}

async function answer(c: ExchangeContext, deps: GenerateDeps, body: JsonRecord): Promise<Response> {
  const request = parseBody(chatRequest, body)
  if (!request.ok) return failureResponse(c, request.failure)
  const model = await resolveFor(deps, request.value.model)
  if (!model.ok) return failureResponse(c, model.failure)
  const surface = compatibleSurface(model.value)
  if (surface !== undefined) return chatThroughEndpoint(c, deps, model.value, surface, request.value, body)
  const generation = await translate(c, deps, model.value, request.value)
  if (!generation.ok) return failureResponse(c, generation.failure)
  return generate(c, deps, generation.value, request.value)
}

async function translate(c: ExchangeContext, deps: GenerateDeps, model: ResolvedModel, request: ChatRequest) {
  const images = await downloadImages(deps, model, imageReferences(request), c.get('abort').signal)
  if (!images.ok) return images
  const { isPromptCachingEnabled, promptCacheTtl, capsuleKeyring } = deps.settings
  return chatGeneration(request, {
    model,
    images: images.value,
    keyring: capsuleKeyring,
    mac: deps.mac,
    caching: { system: isPromptCachingEnabled, messages: isPromptCachingEnabled, ttl: promptCacheTtl },
  })
}

async function generate(
  c: ExchangeContext,
  deps: GenerateDeps,
  generation: Generation,
  request: ChatRequest,
): Promise<Response> {
  const { model } = generation
  const converse = toConverseRequest(generation, deps.registry)
  if (!converse.ok) return failureResponse(c, converse.failure)
  const identity = identityOf(deps, 'chatcmpl-', request.model ?? model.id)
  const capsules = capsulesFor(deps, model)
  if (request.stream === true) {
    const includesUsage = request.stream_options?.include_usage === true
    return streamedAnswer(c, deps, model, converse.value, new ChatChunkWriter(identity, capsules, includesUsage))
  }
  const answered = await deps.provider.converse(model.id, converse.value, callContext(c))
  if (!answered.ok) return failureResponse(c, answered.failure)
  const completion = await chatCompletion(answered.value, identity, capsules)
  return completion.ok
    ? jsonResponse(c, completion.value, { 'openai-model': model.id })
    : failureResponse(c, completion.failure)
}
