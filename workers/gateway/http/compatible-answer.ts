import { type JsonRecord, listOf, parseJson, recordOf } from '#shared/kernel/json-record.ts'
import { commentFrame } from '#shared/sse/frame.ts'
import { ServerSentDecoder } from '#shared/sse/server-sent-decode.ts'
import type { ChatRequest } from '../contract/chat-request.ts'
import { collectText } from '../core/collect-text.ts'
import { chatAsResponses } from '../core/compatible/chat-as-responses.ts'
import {
  PassedChatWatch,
  PassedMessagesWatch,
  PassedResponsesWatch,
  type PassedStreamWatch,
} from '../core/compatible/passed-stream.ts'
import { ResponsesAsChatWriter, responseAsChat } from '../core/compatible/responses-as-chat.ts'
import { type Failure, failure } from '../core/failure.ts'
import type { ResolvedModel } from '../core/model-resolution.ts'
import type { PassedSurface } from '../core/providers/provider-dialect.ts'
import { isClientRun } from '../core/responses/client-tools.ts'
import { providerAnswerBytesMax, serverSentEventCharactersMax } from '../limits.ts'
import type { BodySink, BodySource, OutgoingAnswer } from '../ports.ts'
import { callContext, type ExchangeContext, failureResponse, jsonResponse, respond } from './exchange.ts'
import {
  capsulesFor,
  endpointIsOff,
  type GenerateDeps,
  identityOf,
  streamResponse,
  tooManyStreams,
} from './generate.ts'
import { noteIgnored } from './ignored-fields.ts'

/** Serves a chat request through the compatible endpoint: as it is where the family speaks chat, else adapted. */
export function chatThroughEndpoint(
  c: ExchangeContext,
  deps: GenerateDeps,
  model: ResolvedModel,
  surface: 'responses' | 'chat',
  request: ChatRequest,
  body: JsonRecord,
): Promise<Response> {
  const isStream = request.stream === true
  if (surface === 'chat') {
    const { extra_body: _, ...rest } = { ...extraFields(body), ...body }
    return send(c, deps, model, 'chat', { ...rest, model: model.id }, isStream, (answer, onEnd) => {
      if (!isStream) return passedAnswer(c, model, answer)
      const watch = new PassedChatWatch(serverSentEventCharactersMax)
      return streamOf(c, deps, model, passed(answer, watch), () => watch.isBetweenFrames(), onEnd)
    })
  }
  return adapted(c, deps, model, request, isStream)
}

/** What a client adds for the model; it never replaces what the request itself says. */
function extraFields(body: { readonly extra_body?: unknown }): JsonRecord {
  const { prompt_caching: _, ...extra } = recordOf(body.extra_body) ?? {}
  return extra
}

/** Passes a responses request on. Tools the vendor would run are left out, and nothing is kept there. */
export function responsesThroughEndpoint(
  c: ExchangeContext,
  deps: GenerateDeps,
  model: ResolvedModel,
  body: JsonRecord,
): Promise<Response> {
  if (model.traits.parameters.compatibleSurface === 'chat') {
    return Promise.resolve(
      failureResponse(c, failure('bad_request', `model ${model.id} is not served on responses`, { param: 'model' })),
    )
  }
  const isStream = body['stream'] === true
  const { extra_body: __, ...rest } = body
  const tools = body['tools'] === undefined ? {} : { tools: listOf(body['tools']).filter(isClientRun) }
  const sent = { ...rest, ...tools, model: model.id, store: false }
  return send(c, deps, model, 'responses', sent, isStream, (answer, onEnd) => {
    if (!isStream) return passedAnswer(c, model, answer)
    const watch = new PassedResponsesWatch(serverSentEventCharactersMax)
    return streamOf(c, deps, model, passed(answer, watch), () => watch.isBetweenFrames(), onEnd)
  })
}

/** Passes a messages request on to a provider that speaks the dialect itself. */
export function messagesThroughEndpoint(
  c: ExchangeContext,
  deps: GenerateDeps,
  model: ResolvedModel,
  body: JsonRecord,
  betas: readonly string[],
): Promise<Response> {
  const isStream = body['stream'] === true
  const sent = { ...body, model: model.id }
  return send(
    c,
    deps,
    model,
    'messages',
    sent,
    isStream,
    (answer, onEnd) => {
      if (!isStream) return passedAnswer(c, model, answer)
      const watch = new PassedMessagesWatch(serverSentEventCharactersMax)
      return streamOf(c, deps, model, passed(answer, watch), () => watch.isBetweenFrames(), onEnd)
    },
    betas,
  )
}

/** The same of a request whose tokens are to be counted. */
export function countThroughEndpoint(
  c: ExchangeContext,
  deps: GenerateDeps,
  model: ResolvedModel,
  body: JsonRecord,
  betas: readonly string[],
): Promise<Response> {
  const sent = { ...body, model: model.id }
  return send(c, deps, model, 'count_tokens', sent, false, (answer) => passedAnswer(c, model, answer), betas)
}

/** What a responses request has a place for. */
const adaptedFields: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'n',
  'stream',
  'stream_options',
  'max_completion_tokens',
  'max_tokens',
  'temperature',
  'top_p',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'functions',
  'function_call',
  'response_format',
  'reasoning_effort',
  'extra_body',
])

async function adapted(
  c: ExchangeContext,
  deps: GenerateDeps,
  model: ResolvedModel,
  request: ChatRequest,
  isStream: boolean,
): Promise<Response> {
  if ((request.n ?? 1) > 1) {
    return failureResponse(c, failure('unsupported', `model ${model.id} gives one answer a request`, { param: 'n' }))
  }
  const read = Object.fromEntries(Object.entries(request).filter(([name]) => adaptedFields.has(name)))
  noteIgnored(c, { sent: request, read, ignored: [], names: {} })
  const capsules = capsulesFor(deps, { ...model, foundationId: model.id })
  const body = await chatAsResponses(request, {
    modelId: model.id,
    keyring: capsules.keyring,
    mac: capsules.mac,
    isStream,
  })
  if (!body.ok) return failureResponse(c, body.failure)
  const identity = identityOf(deps, 'chatcmpl-', request.model ?? model.id)
  return send(
    c,
    deps,
    model,
    'responses',
    { ...extraFields(request), ...body.value },
    isStream,
    async (answer, onEnd) => {
      if (isStream) {
        const writer = new ResponsesAsChatWriter(identity, capsules, request.stream_options?.include_usage === true)
        return streamOf(c, deps, model, adaptedText(answer, writer), () => true, onEnd)
      }
      const response = recordOf(parseJson((await textOf(answer)) ?? ''))
      if (response === undefined) return failureResponse(c, unreadable())
      const completion = await responseAsChat(response, identity, capsules)
      if (!completion.ok) return failureResponse(c, completion.failure)
      return jsonResponse(c, completion.value, { 'openai-model': model.id })
    },
  )
}

/** One call to the endpoint. A stream counts against the bound until `onEnd`. */
async function send(
  c: ExchangeContext,
  deps: GenerateDeps,
  model: ResolvedModel,
  surface: 'responses' | PassedSurface,
  body: JsonRecord,
  isStream: boolean,
  answerWith: (answer: OutgoingAnswer, onEnd: () => void) => Response | Promise<Response>,
  betas: readonly string[] = [],
): Promise<Response> {
  if (deps.compatible === undefined) return failureResponse(c, endpointIsOff(model))
  const onEnd = isStream ? deps.openStreams.tryAcquire(1, c.get('abort').signal) : () => {}
  if (onEnd === undefined) return failureResponse(c, tooManyStreams())
  const answered = await deps.compatible.send(surface, body, { ...callContext(c), betas })
  if (answered.ok) return answerWith(answered.value, onEnd)
  onEnd()
  return failureResponse(c, answered.failure)
}

async function passedAnswer(c: ExchangeContext, model: ResolvedModel, answer: OutgoingAnswer): Promise<Response> {
  const headers = { 'content-type': answer.header('content-type') ?? 'application/json', 'openai-model': model.id }
  const text = await textOf(answer)
  return text === undefined ? failureResponse(c, unreadable()) : respond(c, text, 200, headers)
}

/** A whole answer; undefined when it was cut or is longer than the bound. */
async function textOf(answer: OutgoingAnswer): Promise<string | undefined> {
  try {
    return await collectText(answer.body, providerAnswerBytesMax)
  } catch {
    return undefined
  }
}

function unreadable(): Failure {
  return failure('upstream_error', 'the compatible endpoint sent an answer that cannot be read')
}

/** The bytes as they come, and what is missing at their end. */
async function* passed(answer: OutgoingAnswer, watch: PassedStreamWatch): AsyncGenerator<string | Uint8Array> {
  try {
    for await (const chunk of answer.body) {
      if (!watch.look(chunk)) break
      yield chunk
    }
  } catch {
    // The watch knows that the end is missing.
  }
  const closing = watch.closing()
  if (closing !== '') yield closing
}

async function* adaptedText(
  answer: OutgoingAnswer,
  writer: ResponsesAsChatWriter,
): AsyncGenerator<string | Uint8Array> {
  const decoder = new ServerSentDecoder(serverSentEventCharactersMax)
  yield writer.open()
  try {
    for await (const chunk of answer.body) {
      let text = ''
      const events = decoder.push(chunk)
      if (!events.ok) break
      for (const event of events.value) text += await writer.accept(event)
      if (text !== '') yield text
      if (writer.isOver()) return
    }
  } catch {
    // The writer is not over, which is what matters.
  }
  yield writer.fail(failure('upstream_error', 'the compatible endpoint ended the answer early'))
}

/** Reads only as fast as the client does, keeps a silent stream open, and ends the endpoint's call with the client. */
function streamOf(
  c: ExchangeContext,
  deps: GenerateDeps,
  model: ResolvedModel,
  chunks: AsyncGenerator<string | Uint8Array>,
  isBetweenFrames: () => boolean,
  onEnd: () => void,
): Response {
  let lastWriteMs = deps.clock.nowMs()
  let stopKeepAlive = () => {}
  let isOver = false
  const end = () => {
    if (isOver) return
    isOver = true
    stopKeepAlive()
    onEnd()
  }
  c.get('abort').signal.addEventListener('abort', end, { once: true })
  let sink: BodySink | undefined
  const body: BodySource = {
    start(given) {
      sink = given
      stopKeepAlive = deps.timers.watch(deps.keepAliveMs, () => {
        const isDue = deps.clock.nowMs() - lastWriteMs >= deps.keepAliveMs
        if (isDue && given.hasRoom() && isBetweenFrames()) given.enqueue(commentFrame('keep-alive'))
      })
    },
    async pull() {
      const next = await chunks.next()
      lastWriteMs = deps.clock.nowMs()
      if (next.done !== true) {
        sink?.enqueue(next.value)
        return
      }
      end()
      sink?.close()
    },
    cancel() {
      end()
      c.get('abort').abort()
    },
  }
  return streamResponse(c, body, model.id)
}
