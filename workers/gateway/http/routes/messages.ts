import { succeed } from '#shared/kernel/result.ts'
import { countTokensRequest, messagesRequest } from '../../contract/messages-request.ts'
import { failure } from '../../core/failure.ts'
import { estimateTokens } from '../../core/from-provider/chat-usage.ts'
import { SingleCallWriter, withSingleCall } from '../../core/from-provider/single-call.ts'
import type { JsonRecord } from '../../core/json-record.ts'
import { MessageEventWriter } from '../../core/messages/message-events.ts'
import { wholeMessage } from '../../core/messages/message-object.ts'
import { type MessagesInput, messagesGeneration, messagesImages } from '../../core/messages/messages-generation.ts'
import { toConverseRequest } from '../../core/to-provider/generation.ts'
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

export function messages(deps: GenerateDeps) {
  return function messagesRoute(c: ExchangeContext): Promise<Response> {
    return withBody(c, deps.bodyRules, (body) => answer(c, deps, body))
  }
}

export function countTokens(deps: GenerateDeps) {
  return function countTokensRoute(c: ExchangeContext): Promise<Response> {
    return withBody(c, deps.bodyRules, (body) => count(c, deps, body))
  }
}

const servedFields: ReadonlySet<string> = new Set([...Object.keys(messagesRequest.shape), 'metadata', 'service_tier'])

async function answer(c: ExchangeContext, deps: GenerateDeps, body: JsonRecord): Promise<Response> {
  const request = parseBody(messagesRequest, body)
  if (!request.ok) return failureResponse(c, request.failure)
  const translated = await translate(c, deps, request.value.model, request.value)
  if (!translated.ok) return failureResponse(c, translated.failure)
  const { model, converse, clientTools, leftOut } = translated.value
  noteIgnored(c, body, servedFields, converse.ignored, {
    effort: 'thinking',
    stop: 'stop_sequences',
    strict: 'tools.strict',
    cache: 'cache_control',
  })
  if (leftOut.length > 0) c.set('ignored', [...(c.get('ignored') ?? []), ...leftOut])
  const identity = identityOf(deps, 'msg_', request.value.model)
  const isSingleCall = request.value.tool_choice?.disable_parallel_tool_use === true
  if (request.value.stream === true) {
    const plain = new MessageEventWriter(identity, clientTools)
    return streamedAnswer(c, deps, model, converse.request, isSingleCall ? new SingleCallWriter(plain) : plain)
  }
  const answered = await deps.provider.converse(model.id, converse.request, callContext(c))
  if (!answered.ok) return failureResponse(c, answered.failure)
  const message = wholeMessage(isSingleCall ? withSingleCall(answered.value) : answered.value, identity, clientTools)
  return message.ok ? jsonResponse(c, message.value, { 'openai-model': model.id }) : failureResponse(c, message.failure)
}

/** The provider's count where it has one, else a rough one, which a header says. */
async function count(c: ExchangeContext, deps: GenerateDeps, body: JsonRecord): Promise<Response> {
  const request = parseBody(countTokensRequest, body)
  if (!request.ok) return failureResponse(c, request.failure)
  const translated = await translate(c, deps, request.value.model, request.value)
  if (!translated.ok) return failureResponse(c, translated.failure)
  const { model, converse } = translated.value
  const { inferenceConfig: _, outputConfig: __, ...input } = converse.request
  const counted = await deps.provider.countTokens(model.foundationId, input, callContext(c))
  if (counted.ok) return jsonResponse(c, { input_tokens: counted.value })
  if (counted.failure.code !== 'bad_request') return failureResponse(c, counted.failure)
  const text = JSON.stringify(input, (member, value) => (member === 'bytes' ? '' : value))
  return jsonResponse(c, { input_tokens: estimateTokens(text.length) }, { 'x-gateway-estimated': 'input_tokens' })
}

async function translate(c: ExchangeContext, deps: GenerateDeps, name: string, request: MessagesInput) {
  const model = await resolveFor(c, deps, name)
  if (!model.ok) return model
  if (compatibleSurface(model.value) !== undefined) {
    return { ok: false, failure: failure('bad_request', `model ${model.value.id} is not served on messages`) } as const
  }
  const images = await downloadImages(deps, model.value, messagesImages(request), c.get('abort').signal)
  if (!images.ok) return images
  const { isPromptCachingEnabled, promptCacheTtl } = deps.settings
  const betas = (c.req.header('anthropic-beta') ?? '').split(',').map((beta) => beta.trim())
  const generation = messagesGeneration(request, {
    model: model.value,
    images: images.value,
    betas,
    caching: { system: isPromptCachingEnabled, messages: isPromptCachingEnabled, ttl: promptCacheTtl },
  })
  if (!generation.ok) return generation
  const converse = toConverseRequest(generation.value.generation, deps.registry)
  if (!converse.ok) return converse
  return succeed({ model: model.value, converse: converse.value, ...generation.value })
}
