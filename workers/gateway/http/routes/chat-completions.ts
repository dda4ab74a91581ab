import type { JsonRecord } from '#shared/kernel/json-record.ts'
import { type Result, succeed } from '#shared/kernel/result.ts'
import { type ChatRequest, chatRequest, imageReferences } from '../../contract/chat-request.ts'
import type { Failure } from '../../core/failure.ts'
import { ChatChunkWriter } from '../../core/from-provider/chat-chunks.ts'
import { type ChatCompletion, chatCompletion } from '../../core/from-provider/chat-completion.ts'
import { addedUsage } from '../../core/from-provider/chat-usage.ts'
import { JsonWriter, withJsonText } from '../../core/from-provider/json-answer.ts'
import { ManyChoicesWriter } from '../../core/from-provider/many-choices.ts'
import { SingleCallWriter, withSingleCall } from '../../core/from-provider/single-call.ts'
import type { ResolvedModel } from '../../core/model-resolution.ts'
import { isCapsule } from '../../core/reasoning-capsule.ts'
import type { ClientTools } from '../../core/responses/client-tools.ts'
import { chatGeneration } from '../../core/to-provider/chat-generation.ts'
import { type Generation, toConverseRequest } from '../../core/to-provider/generation.ts'
import type { ConverseRequest } from '../../core/wire/converse-request.ts'
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
import { noteIgnored } from '../ignored-fields.ts'
import { parseBody, withBody } from '../request-body.ts'

export function chatCompletions(deps: GenerateDeps) {
  return function chatCompletionsRoute(c: ExchangeContext): Promise<Response> {
    return withBody(c, deps.bodyRules, (body) => answer(c, deps, body))
  }
}

async function answer(c: ExchangeContext, deps: GenerateDeps, body: JsonRecord): Promise<Response> {
  c.set('began', body)
  const request = parseBody(chatRequest, body)
  if (!request.ok) return failureResponse(c, request.failure)
  const model = await resolveFor(c, deps, request.value.model)
  if (!model.ok) return failureResponse(c, model.failure)
  // A stream passes when its client asks for the count of tokens: without it nobody would know what it cost.
  const isCounted = request.value.stream !== true || request.value.stream_options?.include_usage === true
  const passes = model.value.passes === 'chat' && isCounted && !holdsCapsules(request.value)
  const surface = compatibleSurface(model.value) ?? (passes ? 'chat' : undefined)
  if (surface !== undefined) return chatThroughEndpoint(c, deps, model.value, surface, request.value, body)
  const translated = await translate(c, deps, model.value, request.value)
  if (!translated.ok) return failureResponse(c, translated.failure)
  const { generation, clientTools, leftOut } = translated.value
  const converse = toConverseRequest(generation, deps.registry)
  if (!converse.ok) return failureResponse(c, converse.failure)
  const mark = hasBreakpoints(request.value) ? 'prompt_cache_breakpoint' : 'cache_control'
  noteIgnored(c, {
    sent: body,
    read: request.value,
    ignored: converse.value.ignored,
    passedOver: leftOut,
    names: {
      effort: 'reasoning_effort',
      strict: 'tools.function.strict',
      unpaired: 'messages',
      cache: mark,
      cache_ttl: `${mark}.ttl`,
      cache_tools: `tools.${mark}`,
    },
  })
  return generate(c, deps, generation, converse.value.request, request.value, clientTools)
}

/** What a request of this dialect is in the inner form, and how much it wants at most. */
export async function chatAsInner(
  c: ExchangeContext,
  deps: GenerateDeps,
  model: ResolvedModel,
  body: JsonRecord,
): Promise<Result<{ readonly converse: ConverseRequest; readonly outputTokensMax: number | undefined }, Failure>> {
  const request = parseBody(chatRequest, body)
  if (!request.ok) return request
  const translated = await translate(c, deps, model, request.value)
  if (!translated.ok) return translated
  const { generation } = translated.value
  const converse = toConverseRequest(generation, deps.registry)
  return converse.ok ? succeed({ converse: converse.value.request, outputTokensMax: generation.maxTokens }) : converse
}

/** Whether ids of calls hold the reasoning of a model that answered before: who answers now gets the bare ids. */
function holdsCapsules({ messages }: ChatRequest): boolean {
  return messages.some((one) => {
    if (one.role === 'tool') return isCapsule(one.tool_call_id)
    return one.role === 'assistant' && one.tool_calls?.some((call) => isCapsule(call.id)) === true
  })
}

/** By which of two words this client marks what is to be cached. */
function hasBreakpoints({ messages, tools }: ChatRequest): boolean {
  const parts: readonly object[] = messages.flatMap(({ content }): readonly object[] =>
    Array.isArray(content) ? content : [],
  )
  return [...parts, ...(tools ?? [])].some((one) => 'prompt_cache_breakpoint' in one)
}

async function translate(c: ExchangeContext, deps: GenerateDeps, model: ResolvedModel, request: ChatRequest) {
  const images = await downloadImages(deps, model, imageReferences(request), c.get('abort').signal)
  if (!images.ok) return images
  const { isPromptCachingEnabled, promptCacheTtl } = deps.settings
  return chatGeneration(request, {
    model,
    images: images.value,
    keyring: deps.keyring(),
    mac: deps.mac,
    caching: { system: isPromptCachingEnabled, messages: isPromptCachingEnabled, ttl: promptCacheTtl },
  })
}

async function generate(
  c: ExchangeContext,
  deps: GenerateDeps,
  { model, wantsJson }: Generation,
  converse: ConverseRequest,
  request: ChatRequest,
  clientTools: ClientTools,
): Promise<Response> {
  const identity = identityOf(deps, 'chatcmpl-', request.model ?? model.id)
  const capsules = capsulesFor(deps, model)
  const form = { clientTools, asFunctions: request.functions != null }
  const isSingleCall = form.asFunctions || request.parallel_tool_calls === false
  const choices = request.n ?? 1
  if (request.stream === true) {
    const includesUsage = request.stream_options?.include_usage === true
    const written = (index: number) => new ChatChunkWriter(identity, capsules, includesUsage, form, index)
    if (choices === 1) {
      const plain = wantsJson === true ? new JsonWriter(written(0)) : written(0)
      const writer = isSingleCall ? new SingleCallWriter(plain) : plain
      return streamedAnswer(c, deps, model, converse, writer)
    }
    const writers = Array.from({ length: choices }, (_, index) => written(index))
    const rules = { isSingleCall, wantsJson: wantsJson === true }
    return streamedAnswer(c, deps, model, converse, new ManyChoicesWriter(writers, includesUsage, rules), choices)
  }
  const ask = () => deps.provider.converse(model.id, converse, callContext(c))
  const answered = choices === 1 ? [await ask()] : await Promise.all(Array.from({ length: choices }, ask))
  const completions: ChatCompletion[] = []
  for (const one of answered) {
    if (!one.ok) return failureResponse(c, one.failure)
    const single = isSingleCall ? withSingleCall(one.value) : one.value
    const judged = wantsJson === true ? withJsonText(single) : succeed(single)
    if (!judged.ok) return failureResponse(c, judged.failure)
    const completion = await chatCompletion(judged.value, identity, capsules, form)
    if (!completion.ok) return failureResponse(c, completion.failure)
    completions.push(completion.value)
  }
  return jsonResponse(c, withChoices(completions), { 'openai-model': model.id })
}

/** Several answers as the choices of one. */
function withChoices(completions: readonly ChatCompletion[]): unknown {
  const [first] = completions
  return {
    ...first,
    choices: completions.flatMap((one, index) => one.choices.map((choice) => ({ ...choice, index }))),
    usage: completions.length === 1 ? first?.usage : addedUsage(completions.map((one) => one.usage)),
  }
}
