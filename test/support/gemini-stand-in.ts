/**
 * Google's Gemini interface, version v1beta, as strict as it is known to be. Members, kinds of parts, ends of an answer,
 * counts and the keywords that are read of a JSON schema are those that the package `@google/genai` 3.3.0 declares
 * (`dist/genai.d.ts`: `Content`, `Part`, `FunctionDeclaration`, `GenerateContentConfig`, `GenerateContentResponse`,
 * `EmbedContentConfig`, `Model`); where they lie in a body is how its `…ToMldev` functions write them. Pairing of calls,
 * signatures of thoughts and the words of refusals follow the provider's documents on function calling and thought
 * signatures. Left out: files, caches, tools that the provider runs, speech and pictures as output, batches.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type ZodType, z } from 'zod'
import { argumentsFor } from './chat-stand-in.ts'
import {
  type GeminiGenerate,
  geminiBatch,
  geminiCount,
  geminiEmbed,
  geminiFaultOf,
  geminiGenerate,
  geminiModels,
  geminiSignature,
} from './gemini-request-rules.ts'
import { endServer, listenToKept } from './loopback.ts'

export type GeminiFault = number | 'hang' | 'cut' | 'overloaded-within' | 'blocked' | 'malformed'

export interface GeminiStandIn {
  readonly url: string
  readonly key: string
  readonly calls: { readonly path: string; readonly body: unknown; readonly headers: IncomingMessage['headers'] }[]
  /** The next answers are these refusals, or nothing at all, or a stream that breaks or tells of a failure. */
  next(...faults: readonly GeminiFault[]): void
  /** The next answers call this tool. */
  callTool(name: string): void
  close(): Promise<void>
}

const words: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

function errorOf(status: number, message: string, details: readonly object[] = []) {
  return {
    error: { code: status, message, status: words[status] ?? 'UNKNOWN', ...(details.length > 0 ? { details } : {}) },
  }
}

const shapes: Readonly<Record<string, ZodType>> = {
  generateContent: geminiGenerate,
  streamGenerateContent: geminiGenerate,
  countTokens: geminiCount,
  embedContent: geminiEmbed,
  batchEmbedContents: geminiBatch,
}
const inputTokensMax = 1_048_576

export async function startGeminiStandIn(): Promise<GeminiStandIn> {
  const key = 'AIza-of-the-stand-in'
  const faults: GeminiFault[] = []
  const calls: GeminiStandIn['calls'] = []
  let tool: string | undefined
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const refuse = (status: number, message: string, details: readonly object[] = []) =>
      json(response, errorOf(status, message, details), status)
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in')
    if (request.headers['x-goog-api-key'] !== key) {
      const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }
      return refuse(400, 'API key not valid. Please pass a valid API key.', [info])
    }
    if (request.method === 'GET' && pathname === '/v1beta/models') return json(response, modelsPage(searchParams))
    const [, model = '', operation = ''] = /^\/v1beta\/models\/([\w.-]+):(\w+)$/.exec(pathname) ?? []
    const shape = shapes[operation]
    if (request.method !== 'POST' || shape === undefined) return refuse(404, 'Requested entity was not found.')
    const isEmbedding = operation === 'embedContent' || operation === 'batchEmbedContents'
    const served = isEmbedding ? [geminiModels.embedding] : [geminiModels.budget, geminiModels.level]
    if (!served.includes(model))
      return refuse(404, `models/${model} is not found for API version v1beta, or is not supported for ${operation}.`)
    const text = Buffer.concat(chunks).toString()
    const read = shape.safeParse(JSON.parse(text))
    if (!read.success) return refuse(400, `Invalid JSON payload received. ${z.prettifyError(read.error)}`)
    const asked = read.data as Asked
    const embedded = [...(asked.requests ?? []), ...(asked.content === undefined ? [] : [asked])]
    const named = [asked.generateContentRequest, ...embedded].flatMap((one) => one?.model ?? [])
    if (named.some((name) => name !== `models/${model}`)) return refuse(400, 'The model in the body is another one.')
    const generate = isEmbedding ? undefined : (asked.generateContentRequest ?? (asked as GeminiGenerate))
    const wrong = generate === undefined ? undefined : geminiFaultOf(model, generate)
    if (wrong !== undefined) return refuse(400, wrong)
    const tokens = Math.ceil(text.length / 4)
    if (tokens > inputTokensMax)
      return refuse(
        400,
        `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${inputTokensMax}).`,
      )
    calls.push({
      path: `${pathname}${request.url?.includes('?') === true ? `?${searchParams}` : ''}`,
      body: asked,
      headers: request.headers,
    })
    const fault = faults.shift()
    if (fault === 'hang') return
    if (typeof fault === 'number') {
      const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '8.4s' }
      return refuse(fault, fault === 503 ? 'The model is overloaded.' : 'not now', fault === 429 ? [info] : [])
    }
    if (operation === 'countTokens') return json(response, { totalTokens: tokens })
    if (operation === 'embedContent') return json(response, { embedding: embeddingOf(embedded[0]) })
    if (operation === 'batchEmbedContents') return json(response, { embeddings: embedded.map(embeddingOf) })
    const parts = partsOf(model, asked as GeminiGenerate, tool)
    if (operation === 'generateContent') return json(response, wholeAnswer(model, parts, fault))
    if (searchParams.get('alt') !== 'sse') return refuse(400, 'this stand-in streams as server-sent events only')
    stream(response, model, parts, fault)
  })
  const address = await listenToKept(server)
  return {
    url: `http://127.0.0.1:${address.port}/v1beta`,
    key,
    calls,
    next: (...more) => void faults.push(...more),
    callTool(name) {
      tool = name === '' ? undefined : name
    },
    close: () => endServer(server),
  }
}

type Embed = z.infer<typeof geminiEmbed>
type Asked = Partial<GeminiGenerate> &
  Partial<Embed> & {
    readonly requests?: readonly Embed[]
    readonly generateContentRequest?: GeminiGenerate & { readonly model: string }
  }

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' })
  response.end(JSON.stringify(body))
}

function embeddingOf(asked: Partial<Embed> | undefined) {
  const text = asked?.content?.parts.map((part) => part.text).join('') ?? ''
  return {
    values: Array.from({ length: asked?.outputDimensionality ?? 3_072 }, (_, index) => (text.length + index) / 8_192),
  }
}

function partsOf(model: string, asked: GeminiGenerate, tool: string | undefined): readonly object[] {
  const isAnswered = asked.contents.at(-1)?.parts.some((part) => part.functionResponse !== undefined) === true
  const mode = asked.toolConfig?.functionCallingConfig.mode
  const offered = asked.tools?.flatMap((one) => one.functionDeclarations) ?? []
  const allowed = asked.toolConfig?.functionCallingConfig.allowedFunctionNames
  const forced = mode === 'ANY' ? (allowed?.[0] ?? offered[0]?.name) : undefined
  const name = forced ?? (mode === 'NONE' || isAnswered ? undefined : tool)
  const called = offered.find((one) => one.name === name)
  const isCall = called !== undefined
  const thought = asked.generationConfig?.thinkingConfig?.includeThoughts === true
  const said = asked.generationConfig?.responseMimeType === 'application/json' ? '{"answer":"yes"}' : `I am ${model}.`
  const id = model === geminiModels.level ? { id: 'fc1' } : {}
  const signed = { thoughtSignature: geminiSignature }
  return [
    ...(thought ? [{ text: 'Let me think.', thought: true }] : []),
    ...(isCall
      ? [
          {
            functionCall: { ...id, name, args: JSON.parse(argumentsFor(Object(called.parametersJsonSchema))) },
            ...signed,
          },
        ]
      : said.split(/(?<= )/).map((text) => ({ text }))),
    // The signature of a text comes last, with nothing said.
    ...(isCall || model === geminiModels.budget ? [] : [{ text: '', ...signed }]),
  ]
}

const usageMetadata = {
  promptTokenCount: 30,
  cachedContentTokenCount: 10,
  candidatesTokenCount: 6,
  thoughtsTokenCount: 4,
  totalTokenCount: 40,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 30 }],
}

function answerOf(model: string, parts: readonly object[], finishReason?: string) {
  return {
    candidates: [
      { content: { parts, role: 'model' }, ...(finishReason === undefined ? {} : { finishReason }), index: 0 },
    ],
    usageMetadata,
    modelVersion: model,
    responseId: 'r1',
  }
}

function wholeAnswer(model: string, parts: readonly object[], fault: GeminiFault | undefined) {
  if (fault === 'blocked')
    return { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata, modelVersion: model }
  if (fault === 'malformed') return answerOf(model, [], 'MALFORMED_FUNCTION_CALL')
  return answerOf(model, parts, 'STOP')
}

function stream(
  response: ServerResponse,
  model: string,
  parts: readonly object[],
  fault: GeminiFault | undefined,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const tell = (chunk: unknown) => void response.write(`data: ${JSON.stringify(chunk)}\r\n\r\n`)
  if (fault === 'blocked' || fault === 'malformed') tell(wholeAnswer(model, parts, fault))
  else {
    for (const part of parts.slice(0, -1)) tell(answerOf(model, [part]))
    if (fault === 'cut') {
      setTimeout(() => response.destroy(), 10)
      return
    }
    tell(
      fault === 'overloaded-within'
        ? errorOf(503, 'The model is overloaded.')
        : answerOf(model, parts.slice(-1), 'STOP'),
    )
  }
  response.end()
}

function modelsPage(query: URLSearchParams) {
  const all = Object.values(geminiModels)
  const start = Number(query.get('pageToken') ?? 0)
  const page = all.slice(start, start + Math.min(Number(query.get('pageSize') ?? 50), 2))
  const next = start + page.length
  const models = page.map((id) => ({
    name: `models/${id}`,
    displayName: id,
    version: '001',
    inputTokenLimit: id === geminiModels.embedding ? 2_048 : inputTokensMax,
    outputTokenLimit: id === geminiModels.embedding ? 1 : 65_536,
    supportedGenerationMethods: id === geminiModels.embedding ? ['embedContent'] : ['generateContent', 'countTokens'],
  }))
  return { models, ...(next < all.length ? { nextPageToken: String(next) } : {}) }
}
