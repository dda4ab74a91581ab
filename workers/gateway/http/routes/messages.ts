import type { JsonRecord } from '#shared/kernel/json-record.ts'
import { succeed } from '#shared/kernel/result.ts'
import { countTokensRequest, messagesRequest } from '../../contract/messages-request.ts'
import { failure } from '../../core/failure.ts'
import { SingleCallWriter, withSingleCall } from '../../core/from-provider/single-call.ts'
import { MessageEventWriter } from '../../core/messages/message-events.ts'
import { wholeMessage } from '../../core/messages/message-object.ts'
import { type MessagesInput, messagesGeneration, messagesImages } from '../../core/messages/messages-generation.ts'
import type { ResolvedModel } from '../../core/model-resolution.ts'
import { toConverseRequest } from '../../core/to-provider/generation.ts'
import { betasMax } from '../../limits.ts'
import { countThroughEndpoint, messagesThroughEndpoint } from '../compatible-answer.ts'
import { callContext, type ExchangeContext, failureResponse, jsonResponse } from '../exchange.ts'
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

/**
 * A conversation that a provider holds is one whose length nobody here sees: neither a budget nor a route could be kept.
 * Tool loops of the maker's own client ask for one first, and go on with the whole conversation when they read this.
 */
const noThreads = failure('unsupported', 'threads are not held here: send the whole conversation', {
  param: 'thread',
  errorCode: 'thread_unsupported_request',
})

async function answer(c: ExchangeContext, deps: GenerateDeps, body: JsonRecord): Promise<Response> {
  c.set('began', body)
  if (body['thread'] != null) return failureResponse(c, noThreads)
  const request = parseBody(messagesRequest, body)
  if (!request.ok) return failureResponse(c, request.failure)
  const found = await resolveFor(c, deps, request.value.model)
  if (!found.ok) return failureResponse(c, found.failure)
  if (found.value.passes === 'messages') return messagesThroughEndpoint(c, deps, found.value, body, betasOf(c))
  const translated = await translate(c, deps, found.value, request.value)
  if (!translated.ok) return failureResponse(c, translated.failure)
  const { model, converse, clientTools, leftOut } = translated.value
  // Who asks, for the maker's own eyes, and a tier: every answer is of the standard one.
  const { metadata: _, service_tier: __, ...sent } = body
  noteIgnored(c, {
    sent,
    read: request.value,
    ignored: converse.ignored,
    names: {
      effort: request.value.thinking == null ? 'output_config.effort' : 'thinking',
      stop: 'stop_sequences',
      strict: 'tools.strict',
      cache: 'cache_control',
      cache_ttl: 'cache_control.ttl',
      cache_tools: 'tools.cache_control',
      unpaired: 'messages.content',
    },
    passedOver: leftOut,
  })
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
  const found = await resolveFor(c, deps, request.value.model)
  if (!found.ok) return failureResponse(c, found.failure)
  if (found.value.passes === 'messages') return countThroughEndpoint(c, deps, found.value, body, betasOf(c))
  const translated = await translate(c, deps, found.value, request.value)
  if (!translated.ok) return failureResponse(c, translated.failure)
  const { model, converse } = translated.value
  return countedInput(c, deps, model, converse.request)
}

function betasOf(c: ExchangeContext): readonly string[] {
  const betas = (c.req.header('anthropic-beta') ?? '').split(',').map((beta) => beta.trim())
  return betas.filter((beta) => /^[\w.-]{1,100}$/.test(beta)).slice(0, betasMax)
}

async function translate(c: ExchangeContext, deps: GenerateDeps, model: ResolvedModel, request: MessagesInput) {
  if (compatibleSurface(model) !== undefined) {
    return { ok: false, failure: failure('bad_request', `model ${model.id} is not served on messages`) } as const
  }
  const images = await downloadImages(deps, model, messagesImages(request), c.get('abort').signal)
  if (!images.ok) return images
  const { isPromptCachingEnabled, promptCacheTtl } = deps.settings
  const generation = messagesGeneration(request, {
    model,
    images: images.value,
    betas: betasOf(c),
    caching: { system: isPromptCachingEnabled, messages: isPromptCachingEnabled, ttl: promptCacheTtl },
  })
  if (!generation.ok) return generation
  const converse = toConverseRequest(generation.value.generation, deps.registry)
  if (!converse.ok) return converse
  return succeed({ model, converse: converse.value, ...generation.value })
}
