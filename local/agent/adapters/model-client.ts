/** The model through its provider's package: one step at a time, so that every part is stored before the next is asked for. */
import { APICallError, type LanguageModelV4ToolCall, type LanguageModelV4Usage } from '@ai-sdk/provider'
import { providerWords } from '../core/provider-words.ts'
import type { JsonObject, TokenCounts } from '../core/session/message.ts'
import type { StepFault } from '../core/step-fault.ts'
import { ThoughtSplitter } from '../core/thought-text.ts'
import { inLaterPass, loopShare } from '../runtime/loop-share.ts'
import { type ModelClient, ModelFault, type ModelPart } from '../runtime/model-port.ts'
import {
  callMetadata,
  LanguageModels,
  providerOptionsOf,
  tellsThoughtsAnywhere,
  warmLanguageModels,
  withSeal,
} from './language-model.ts'
import { toPrompt, toTools } from './model-prompt.ts'
import { answerRehearsal, rehearsedRequest } from './rehearsed-answer.ts'
import { retryAfterMs } from './retry-after.ts'

export function createModelClient(fetchAny: typeof fetch): ModelClient {
  // A redirect would carry the key, which is not always in a header that fetch drops, to an address nobody configured.
  const fetchModel: typeof fetch = async (input, init) => {
    // What the package does before it asks, the request, and what it makes of the answer's head are parts of their own.
    if (loopShare.isSpent()) await loopShare.turn()
    const response = await fetchAny(input, { ...init, redirect: 'error' })
    if (loopShare.isSpent()) await loopShare.turn()
    return readInTurns(response)
  }
  const models = new LanguageModels(fetchModel)
  return {
    async warm() {
      await warmLanguageModels()
      await inLaterPass()
      for await (const part of createModelClient(answerRehearsal).stream(
        rehearsedRequest,
        new AbortController().signal,
      ))
        void part
    },
    async *stream(request, signal) {
      const parts = partsOf(request, signal)
      // Other interfaces have a place of their own for thoughts.
      if (request.endpoint.package === '@ai-sdk/openai-compatible')
        yield* thoughtsApart(parts, tellsThoughtsAnywhere(request.endpoint))
      else yield* parts
    },
  }

  async function* partsOf(
    request: Parameters<ModelClient['stream']>[0],
    signal: AbortSignal,
  ): AsyncGenerator<ModelPart> {
    const { endpoint } = request
    const secrets = [endpoint.apiKey ?? '', ...Object.values(endpoint.headers)]
    const fault = (error: unknown) => toFault(error, secrets)
    const model = await models.of(endpoint)
    const answer = () =>
      model.doStream({
        prompt: toPrompt(request.system, request.messages, endpoint.mediaTypes),
        ...(request.tools.length === 0 ? {} : { tools: toTools(request.tools), toolChoice: { type: 'auto' } }),
        providerOptions: providerOptionsOf(endpoint),
        abortSignal: signal,
        ...(endpoint.outputTokensMax === undefined ? {} : { maxOutputTokens: endpoint.outputTokensMax }),
        ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
        ...(request.topP === undefined ? {} : { topP: request.topP }),
      })
    const seals = new Map<string, JsonObject | undefined>()
    for await (const part of faultsOf(async () => (await answer()).stream, signal, fault)) {
      switch (part.type) {
        case 'text-start':
        case 'text-end':
          yield { type: part.type, id: part.id }
          break
        case 'reasoning-start':
          seals.set(part.id, withSeal(undefined, part.providerMetadata))
          yield { type: part.type, id: part.id }
          break
        case 'reasoning-end':
          seals.set(part.id, withSeal(seals.get(part.id), part.providerMetadata))
          yield { type: part.type, id: part.id, metadata: seals.get(part.id) }
          break
        case 'text-delta':
          yield { type: part.type, id: part.id, text: part.delta }
          break
        case 'reasoning-delta':
          seals.set(part.id, withSeal(seals.get(part.id), part.providerMetadata))
          yield { type: part.type, id: part.id, text: part.delta }
          break
        case 'tool-input-start':
          yield { type: 'tool-input-start', id: part.id, name: part.toolName }
          break
        case 'tool-input-delta':
          yield { type: 'tool-input-delta', id: part.id, text: part.delta }
          break
        case 'tool-call':
          yield toToolCall(part)
          break
        case 'finish':
          yield { type: 'finish', finish: part.finishReason.unified, tokens: toTokens(part.usage) }
          break
        case 'error':
          if (signal.aborted) throw signal.reason
          throw fault(part.error)
        default:
          break
      }
    }
    if (signal.aborted) throw signal.reason
  }
}

/** What is made of each piece that arrives holds the loop: pieces of many answers that arrive together take turns. */
function readInTurns(response: Response): Response {
  const reader = response.body?.getReader()
  if (reader === undefined) return response
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (loopShare.isSpent()) await loopShare.turn()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  return new Response(body, response)
}

/** The first text of an answer may begin with what the model thought; where thoughts come anywhere, all of it is looked through. */
async function* thoughtsApart(parts: AsyncIterable<ModelPart>, isAnywhere: boolean): AsyncGenerator<ModelPart> {
  const splitter = new ThoughtSplitter(isAnywhere)
  let first: string | undefined
  let open: 'reasoning' | 'text' | undefined
  const apart = function* (id: string, pieces: ReturnType<ThoughtSplitter['push']>): Generator<ModelPart> {
    const thoughtId = `${id}-thought`
    for (const { kind, text } of pieces) {
      if (open === 'reasoning' && kind === 'text') yield { type: 'reasoning-end', id: thoughtId }
      if (kind === 'reasoning' && open !== 'reasoning') {
        if (open === 'text') yield { type: 'text-end', id }
        yield { type: 'reasoning-start', id: thoughtId }
      }
      open = kind
      yield kind === 'reasoning' ? { type: 'reasoning-delta', id: thoughtId, text } : { type: 'text-delta', id, text }
    }
  }
  for await (const part of parts) {
    if (part.type === 'text-delta') first ??= part.id
    if (part.type === 'text-delta' && part.id === first) yield* apart(part.id, splitter.push(part.text))
    else if (part.type === 'text-end' && part.id === first) {
      yield* apart(part.id, splitter.end())
      if (open === 'reasoning') yield { type: 'reasoning-end', id: `${part.id}-thought` }
      yield part
    } else yield part
  }
}

/** A request that fails, or a connection that breaks, throws an error of its own kind. */
async function* faultsOf<T>(
  begin: () => Promise<ReadableStream<T>>,
  signal: AbortSignal,
  fault: (error: unknown) => ModelFault,
): AsyncGenerator<T> {
  try {
    yield* await begin()
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw fault(error)
  }
}

function toToolCall({
  toolCallId: id,
  toolName: name,
  input: text,
  providerMetadata,
}: LanguageModelV4ToolCall): ModelPart {
  const input = argumentsOf(text)
  const metadata = callMetadata(providerMetadata)
  const call = { id, name, input: input ?? {}, ...(metadata === undefined ? {} : { metadata }) }
  if (input !== undefined) return { type: 'tool-call', call }
  return { type: 'tool-call', call, problem: 'The arguments are not a JSON object that this tool takes' }
}

/** A call without arguments may have no text at all. */
function argumentsOf(text: string): JsonObject | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}

function toTokens({ inputTokens, outputTokens }: LanguageModelV4Usage): TokenCounts {
  const read = inputTokens.cacheRead ?? 0
  const write = inputTokens.cacheWrite ?? 0
  const reasoning = outputTokens.reasoning ?? 0
  return {
    input: Math.max(0, (inputTokens.total ?? 0) - read - write),
    output: Math.max(0, (outputTokens.total ?? 0) - reasoning),
    reasoning,
    cache: { read, write },
  }
}

function toFault(error: unknown, secrets: readonly string[]): ModelFault {
  if (APICallError.isInstance(error) && !isSuccess(error.statusCode)) {
    const status = error.statusCode
    const said = error.responseBody ?? error.message
    const words = status === undefined ? undefined : providerWords(error.responseBody, secrets)
    return new ModelFault(statusFault(status, words), {
      isRetryable: error.isRetryable || status === undefined,
      statusCode: status,
      retryAfterMs: retryAfterMs(error.responseHeaders?.['retry-after'], Date.now()),
      isContextFull:
        (status === 400 || status === 413) && /context|too (?:long|many tokens)|maximum.{0,20}tokens/i.test(said),
    })
  }
  // An error inside the stream has no status: the connection broke, or the provider said so in-band.
  const words = error instanceof Error ? undefined : providerWords(error, secrets)
  return new ModelFault(words === undefined ? { kind: 'cut' } : { kind: 'broke_off', said: words }, {
    isRetryable: true,
  })
}

/** The answer began well, so it is its end that is missing. */
function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300
}

function statusFault(status: number | undefined, words: string | undefined): StepFault {
  if (status === undefined) return { kind: 'unreachable' }
  const said = words === undefined ? {} : { said: words }
  if (status === 401 || status === 403) return { kind: 'credentials', status, ...said }
  if (status === 404) return { kind: 'unknown_model', ...said }
  if (status === 429) return { kind: 'slow_down', ...said }
  return { kind: 'status', status, ...said }
}
