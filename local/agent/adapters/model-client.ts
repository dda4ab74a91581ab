/** The model through the `ai` package: one step at a time, so that every part is stored before the next is asked for. */
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import type { ModelMessage as AiMessage, JSONSchema7, LanguageModelUsage, ProviderMetadata, ToolSet } from 'ai'
import { providerWords } from '../core/provider-words.ts'
import type { JsonObject, TokenCounts } from '../core/session/message.ts'
import { type SaidPiece, ThoughtSplitter } from '../core/thought-text.ts'
import { loopShare } from '../runtime/loop-share.ts'
import {
  type ModelClient,
  type ModelContent,
  ModelFault,
  type ModelMessage,
  type ModelPart,
  type ModelSaid,
  type ModelTool,
} from '../runtime/model-port.ts'
import { callMetadata, loadLanguageModel, providerOptionsOf, warmLanguageModels, withSeal } from './language-model.ts'
import { retryAfterMs } from './retry-after.ts'

/** Loading the package takes some 70 ms: neither the start of the server nor the first turn waits for it. */
function loadAi() {
  return import('ai')
}

export function createModelClient(fetchAny: typeof fetch): ModelClient {
  // A redirect would carry the key, which is not always in a header that fetch drops, to an address nobody configured.
  const fetchModel: typeof fetch = async (input, init) => {
    // What the package does before it asks, the request, and what it makes of the answer's head are parts of their own.
    if (loopShare.isSpent()) await loopShare.turn()
    const response = await fetchAny(input, { ...init, redirect: 'error' })
    if (loopShare.isSpent()) await loopShare.turn()
    return readInTurns(response)
  }
  return {
    async warm() {
      // A package that cannot be loaded is reported by the call that needs it.
      await loadAi().catch(() => undefined)
      await nextTurnOfLoop()
      await warmLanguageModels()
    },
    async *stream(request, signal) {
      const parts = partsOf(request, signal)
      // Other interfaces have a place of their own for thoughts.
      if (request.endpoint.package === '@ai-sdk/openai-compatible') yield* thoughtsApart(parts)
      else yield* parts
    },
  }

  async function* partsOf(
    request: Parameters<ModelClient['stream']>[0],
    signal: AbortSignal,
  ): AsyncGenerator<ModelPart> {
    const ai = await loadAi()
    const { endpoint } = request
    const secrets = [endpoint.apiKey ?? '', ...Object.values(endpoint.headers)]
    const fault = (error: unknown) => toFault(error, secrets, ai)
    const result = ai.streamText({
      model: await loadLanguageModel(endpoint, fetchModel),
      providerOptions: providerOptionsOf(endpoint),
      instructions: request.system,
      messages: toAiMessages(request.messages, endpoint.mediaTypes),
      tools: toAiTools(request.tools, ai),
      maxRetries: 0,
      abortSignal: signal,
      ...(endpoint.outputTokensMax === undefined ? {} : { maxOutputTokens: endpoint.outputTokensMax }),
      ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
      ...(request.topP === undefined ? {} : { topP: request.topP }),
      onError() {
        // The failure arrives as a part of the stream below; without this it would also be printed.
      },
    })
    const seals = new Map<string, JsonObject | undefined>()
    for await (const part of faultsOf(result.fullStream, signal, fault)) {
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
          yield { type: part.type, id: part.id, text: part.text }
          break
        case 'reasoning-delta':
          seals.set(part.id, withSeal(seals.get(part.id), part.providerMetadata))
          yield { type: part.type, id: part.id, text: part.text }
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
        case 'finish-step':
          yield { type: 'finish', finish: part.finishReason, tokens: toTokens(part.usage) }
          break
        case 'abort':
          throw signal.reason
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

/** The first text of an answer may begin with what the model thought. */
async function* thoughtsApart(parts: AsyncIterable<ModelPart>): AsyncGenerator<ModelPart> {
  const splitter = new ThoughtSplitter()
  let first: string | undefined
  let isThinking = false
  const apart = function* (id: string, pieces: readonly SaidPiece[]): Generator<ModelPart> {
    const thoughtId = `${id}-thought`
    for (const { kind, text } of pieces) {
      if (kind === 'reasoning' && !isThinking) yield { type: 'reasoning-start', id: thoughtId }
      if (kind === 'text' && isThinking) yield { type: 'reasoning-end', id: thoughtId }
      isThinking = kind === 'reasoning'
      yield kind === 'reasoning' ? { type: 'reasoning-delta', id: thoughtId, text } : { type: 'text-delta', id, text }
    }
  }
  for await (const part of parts) {
    if (part.type === 'text-delta') first ??= part.id
    if (part.type === 'text-delta' && part.id === first) yield* apart(part.id, splitter.push(part.text))
    else if (part.type === 'text-end' && part.id === first) {
      yield* apart(part.id, splitter.end())
      if (isThinking) yield { type: 'reasoning-end', id: `${part.id}-thought` }
      yield part
    } else yield part
  }
}

/** A connection that breaks ends the iteration with an error of its own kind instead of a part. */
async function* faultsOf<T>(
  parts: AsyncIterable<T>,
  signal: AbortSignal,
  fault: (error: unknown) => ModelFault,
): AsyncGenerator<T> {
  try {
    yield* parts
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw fault(error)
  }
}

function toToolCall(part: {
  toolCallId: string
  toolName: string
  input: unknown
  invalid?: boolean | undefined
  providerMetadata?: ProviderMetadata | undefined
}): ModelPart {
  const isObject = typeof part.input === 'object' && part.input !== null && !Array.isArray(part.input)
  const metadata = callMetadata(part.providerMetadata)
  const call = {
    id: part.toolCallId,
    name: part.toolName,
    input: isObject ? (part.input as JsonObject) : {},
    ...(metadata === undefined ? {} : { metadata }),
  }
  if (part.invalid === true || !isObject) {
    return { type: 'tool-call', call, problem: 'The arguments are not a JSON object that this tool takes' }
  }
  return { type: 'tool-call', call }
}

function toAiTools(tools: readonly ModelTool[], ai: Awaited<ReturnType<typeof loadAi>>): ToolSet {
  return Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      ai.tool({ description: tool.description, inputSchema: ai.jsonSchema(tool.parameters as JSONSchema7) }),
    ]),
  )
}

function toAiMessages(messages: readonly ModelMessage[], mediaTypes: readonly string[] | undefined): AiMessage[] {
  return messages.map((message) => toAiMessage(message, mediaTypes))
}

function toAiMessage(message: ModelMessage, mediaTypes: readonly string[] | undefined): AiMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.content.map((content) => toAiContent(content, mediaTypes)) }
    case 'assistant':
      return {
        role: 'assistant',
        content: message.content.map(toAiSaid),
      }
    case 'tool':
      return {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: message.id,
            toolName: message.name,
            output: { type: message.isError ? 'error-text' : 'text', value: message.text.toWellFormed() },
          },
        ],
      }
  }
}

function toAiSaid(said: ModelSaid) {
  if (said.type === 'text') return { type: 'text' as const, text: said.text.toWellFormed() }
  const metadata = said.metadata === undefined ? {} : { providerOptions: said.metadata as ProviderMetadata }
  if (said.type === 'reasoning') return { type: 'reasoning' as const, text: said.text, ...metadata }
  const { id, name, input } = said
  return { type: 'tool-call' as const, toolCallId: id, toolName: name, input, ...metadata }
}

function toAiContent(content: ModelContent, mediaTypes: readonly string[] | undefined) {
  // Half a character, as a cut leaves it, is refused by some providers.
  if (content.type === 'text') return { type: 'text' as const, text: content.text.toWellFormed() }
  const kind = content.mime === 'application/pdf' ? 'pdf' : content.mime.split('/')[0]
  if (kind !== undefined && mediaTypes?.includes(kind) === false) {
    const text = `(${content.name ?? 'A file'} is left out: this model takes no ${content.mime})`
    return { type: 'text' as const, text }
  }
  return {
    type: 'file' as const,
    mediaType: content.mime,
    data: content.data,
    ...(content.name === undefined ? {} : { filename: content.name }),
  }
}

function toTokens(usage: LanguageModelUsage): TokenCounts {
  const read = usage.inputTokenDetails?.cacheReadTokens ?? 0
  const write = usage.inputTokenDetails?.cacheWriteTokens ?? 0
  const reasoning = usage.outputTokenDetails?.reasoningTokens ?? 0
  return {
    input: Math.max(0, (usage.inputTokens ?? 0) - read - write),
    output: Math.max(0, (usage.outputTokens ?? 0) - reasoning),
    reasoning,
    cache: { read, write },
  }
}

function toFault(error: unknown, secrets: readonly string[], ai: Awaited<ReturnType<typeof loadAi>>): ModelFault {
  if (ai.APICallError.isInstance(error) && !isSuccess(error.statusCode)) {
    const status = error.statusCode
    const said = error.responseBody ?? error.message
    const words = status === undefined ? undefined : providerWords(error.responseBody, secrets)
    return new ModelFault(words === undefined ? describeStatus(status) : `${describeStatus(status)}: ${words}`, {
      isRetryable: error.isRetryable || status === undefined,
      statusCode: status,
      retryAfterMs: retryAfterMs(error.responseHeaders?.['retry-after'], Date.now()),
      isContextFull:
        (status === 400 || status === 413) && /context|too (?:long|many tokens)|maximum.{0,20}tokens/i.test(said),
    })
  }
  // An error inside the stream has no status: the connection broke, or the provider said so in-band.
  const words = error instanceof Error ? undefined : providerWords(error, secrets)
  return new ModelFault(
    words === undefined
      ? 'The connection to the provider was cut in the middle of its answer'
      : `The provider broke off its answer: ${words}`,
    { isRetryable: true },
  )
}

/** The answer began well, so it is its end that is missing. */
function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300
}

function describeStatus(status: number | undefined): string {
  if (status === undefined) return 'The provider cannot be reached'
  if (status === 401 || status === 403) return `The provider refused the credentials (${status})`
  if (status === 404) return 'The provider does not know this model or address (404)'
  if (status === 429) return 'The provider asks to slow down (429)'
  return `The provider answered with status ${status}`
}
