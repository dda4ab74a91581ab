import type { JsonRecord } from '#shared/kernel/json-record.ts'
import { type CompletionsRequest, completionsRequest } from '../../contract/completions-request.ts'
import { failure } from '../../core/failure.ts'
import { TextCompletionWriter, textCompletion } from '../../core/from-provider/text-completion.ts'
import type { ResolvedModel } from '../../core/model-resolution.ts'
import { stopSequences } from '../../core/to-provider/chat-generation.ts'
import { Conversation } from '../../core/to-provider/conversation.ts'
import { type Generation, toConverseRequest } from '../../core/to-provider/generation.ts'
import { callContext, type ExchangeContext, failureResponse, jsonResponse } from '../exchange.ts'
import { compatibleSurface, type GenerateDeps, identityOf, resolveFor, streamedAnswer } from '../generate.ts'
import { noteIgnored } from '../ignored-fields.ts'
import { parseBody, withBody } from '../request-body.ts'

export function completions(deps: GenerateDeps) {
  return function completionsRoute(c: ExchangeContext): Promise<Response> {
    return withBody(c, deps.bodyRules, (body) => answer(c, deps, body))
  }
}

async function answer(c: ExchangeContext, deps: GenerateDeps, body: JsonRecord): Promise<Response> {
  if (body['suffix'] !== undefined && body['suffix'] !== null) {
    return failureResponse(c, failure('unsupported', 'suffix is not served', { param: 'suffix' }))
  }
  const request = parseBody(completionsRequest, body)
  if (!request.ok) return failureResponse(c, request.failure)
  const model = await resolveFor(c, deps, request.value.model)
  if (!model.ok) return failureResponse(c, model.failure)
  if (compatibleSurface(model.value) !== undefined) {
    return failureResponse(
      c,
      failure('bad_request', `model ${model.value.id} is not served on completions`, { param: 'model' }),
    )
  }
  const prompt = typeof request.value.prompt === 'string' ? request.value.prompt : request.value.prompt.join('\n')
  const converse = toConverseRequest(generationOf(deps, model.value, request.value, prompt), deps.registry)
  if (!converse.ok) return failureResponse(c, converse.failure)
  noteIgnored(c, { sent: body, read: request.value, ignored: converse.value.ignored, names: {} })
  const identity = identityOf(deps, 'cmpl-', request.value.model ?? model.value.id)
  const echo = request.value.echo === true ? prompt : ''
  if (request.value.stream === true) {
    const writer = new TextCompletionWriter(identity, echo, request.value.stream_options?.include_usage === true)
    return streamedAnswer(c, deps, model.value, converse.value.request, writer)
  }
  const answered = await deps.provider.converse(model.value.id, converse.value.request, callContext(c))
  if (!answered.ok) return failureResponse(c, answered.failure)
  const completion = textCompletion(answered.value, identity, echo)
  if (!completion.ok) return failureResponse(c, completion.failure)
  return jsonResponse(c, completion.value, { 'openai-model': model.value.id })
}

function generationOf(
  deps: GenerateDeps,
  model: ResolvedModel,
  request: CompletionsRequest,
  prompt: string,
): Generation {
  const conversation = new Conversation()
  conversation.user([{ text: prompt }])
  return {
    model,
    conversation,
    tools: [],
    toolChoice: 'auto',
    maxTokens: request.max_tokens ?? undefined,
    temperature: request.temperature ?? undefined,
    topP: request.top_p ?? undefined,
    stop: stopSequences(request.stop),
    effort: undefined,
    outputSchema: undefined,
    caching: {
      system: deps.settings.isPromptCachingEnabled,
      messages: deps.settings.isPromptCachingEnabled,
      ttl: deps.settings.promptCacheTtl,
    },
    additionalFields: {},
  }
}
