/**
 * A provider that speaks the reference's chat dialect, as strict as the reference: its requests are those of
 * chat-request-rules.ts, which names the source; unknown models and the order of refusals follow the provider's error
 * reference. Embeddings and the list of models follow `EmbeddingCreateParams` and `Model` of the package `openai` 7.59.0.
 * Left out: answers with sound, several choices or a call of a custom tool.
 */

import { createServer, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { type ChatRequest, readChatRequest } from './chat-request-rules.ts'
import { endServer, listenToKept } from './loopback.ts'

const embeddingBody = z.strictObject({
  model: z.string(),
  input: z.union([
    z.string().min(1),
    z.array(z.string().min(1)).min(1).max(2_048),
    z.array(z.int()).min(1).max(2_048),
    z.array(z.array(z.int()).min(1)).min(1).max(2_048),
  ]),
  dimensions: z.int().min(1).optional(),
  encoding_format: z.enum(['float', 'base64']).optional(),
  user: z.string().optional(),
})

/** A refusal by its status, nothing at all, a head and nothing behind it, an answer that breaks, or a stream that begins with an error. */
type Fault = number | 'reset' | 'hang' | 'silent' | 'cut' | 'error'

export interface ChatStandIn {
  readonly url: string
  readonly key: string
  readonly calls: { readonly body: ChatRequest; readonly requestId: string | undefined }[]
  /** The next answers have these faults. */
  next(...faults: readonly Fault[]): void
  /** The next answers call this tool. */
  callTool(name: string): void
  close(): Promise<void>
}

const usage = {
  prompt_tokens: 30,
  completion_tokens: 6,
  total_tokens: 36,
  prompt_tokens_details: { cached_tokens: 10, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 2, audio_tokens: 0 },
}

export async function startChatStandIn(models: readonly string[] = ['small-1']): Promise<ChatStandIn> {
  const key = 'sk-of-the-stand-in'
  const faults: Fault[] = []
  const calls: ChatStandIn['calls'] = []
  let tool: string | undefined
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const refuse = (status: number, message: string, code: string | null = null) => {
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(status === 429 ? { 'retry-after': '7' } : {}),
      })
      response.end(JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code } }))
    }
    const json = (body: unknown) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    const path = request.url ?? ''
    if (!['/v1/chat/completions', '/v1/embeddings', '/v1/models'].includes(path))
      return refuse(404, 'Unknown request URL')
    if (request.headers.authorization !== `Bearer ${key}`)
      return refuse(401, 'Incorrect API key provided', 'invalid_api_key')
    if (path === '/v1/models') return json({ object: 'list', data: models.map(listed) })
    if (path === '/v1/embeddings') {
      const asked = embeddingBody.safeParse(JSON.parse(Buffer.concat(chunks).toString()))
      if (!asked.success) return refuse(400, z.prettifyError(asked.error))
      if (asked.data.model !== embeddingModel) return refuse(404, `The model \`${asked.data.model}\` does not exist`)
      return json(embeddingsOf(asked.data))
    }
    const read = readChatRequest(JSON.parse(Buffer.concat(chunks).toString()))
    if (!read.ok) return refuse(400, read.failure)
    if (!models.includes(read.value.model))
      return refuse(404, `The model \`${read.value.model}\` does not exist`, 'model_not_found')
    const id = request.headers['x-request-id']
    calls.push({ body: read.value, requestId: typeof id === 'string' ? id : undefined })
    const fault = faults.shift()
    if (fault === 'hang') return
    if (fault === 'reset') return response.socket?.resetAndDestroy()
    if (typeof fault === 'number')
      return refuse(fault, fault === 429 ? 'Rate limit reached' : 'The server had an error')
    answer(response, read.value, tool, fault)
  })
  const address = await listenToKept(server)
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    key,
    calls,
    next: (...more) => void faults.push(...more),
    callTool(name) {
      tool = name
    },
    close: () => endServer(server),
  }
}

/** What embeds here; nothing else does. */
export const embeddingModel = 'small-embedding'

/** The members of the reference, and the limits that servers of open models add. */
function listed(id: string) {
  return { id, object: 'model', created: 1_700_000_000, owned_by: 'stand-in', max_model_len: 32_768 }
}

/** In an order of its own: only the index says which text is meant. */
function embeddingsOf({ input, dimensions = 4, model, encoding_format: format }: z.infer<typeof embeddingBody>) {
  const isOne = typeof input === 'string' || typeof input[0] === 'number'
  const lengths = isOne ? [input.length] : (input as readonly (string | readonly number[])[]).map((one) => one.length)
  const vector = (length: number) => Array.from({ length: dimensions }, (_, index) => length + index / 8)
  const bytes = (length: number) => Buffer.from(new Float32Array(vector(length)).buffer).toString('base64')
  const data = lengths.map((length, index) => ({
    object: 'embedding',
    index,
    embedding: format === 'base64' ? bytes(length) : vector(length),
  }))
  return { object: 'list', data: data.reverse(), model, usage: { prompt_tokens: 7, total_tokens: 7 } }
}

/** A place, or a word for whatever else a tool must be told. */
export function argumentsFor(parameters: Readonly<Record<string, unknown>> | undefined): string {
  const required = Array.isArray(parameters?.['required']) ? parameters['required'].map(String) : ['place']
  return JSON.stringify(Object.fromEntries(required.map((one) => [one, one === 'place' ? 'Oslo' : 'yes'])))
}

function functionsOf({ tools }: ChatRequest) {
  return (tools ?? []).flatMap((one) => (one.type === 'function' ? [one.function] : []))
}

function forcedTool(asked: ChatRequest): string | undefined {
  const choice = asked.tool_choice
  if (typeof choice === 'object' && choice.type === 'function') return choice.function.name
  return choice === 'required' ? functionsOf(asked)[0]?.name : undefined
}

function answer(response: ServerResponse, asked: ChatRequest, tool: string | undefined, fault?: Fault): void {
  const head = { id: 'chatcmpl-1', created: 1_767_225_600, model: asked.model, service_tier: 'default' }
  const name = forcedTool(asked) ?? (asked.messages.at(-1)?.role === 'user' ? tool : undefined)
  const called = functionsOf(asked).find((one) => one.name === name)
  const isCall = called !== undefined
  const calls = asked.messages.flatMap((one) => (one.role === 'assistant' ? (one.tool_calls ?? []) : []))
  const call = {
    id: `call_${calls.length + 1}`,
    type: 'function',
    function: { name: name ?? '', arguments: argumentsFor(called?.parameters) },
  }
  const isJson = asked.response_format !== undefined && asked.response_format.type !== 'text'
  const words = isJson ? '{"answer":"yes"}' : `I am ${asked.model}.`
  if (asked.stream !== true) {
    const said = isCall ? { content: null, tool_calls: [call] } : { content: words }
    const choice = {
      index: 0,
      message: { role: 'assistant', refusal: null, annotations: [], ...said },
      logprobs: null,
      finish_reason: isCall ? 'tool_calls' : 'stop',
    }
    const text = JSON.stringify({ ...head, object: 'chat.completion', choices: [choice], usage })
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    if (fault === 'cut') response.write(text.slice(0, 40), () => response.destroy())
    else response.end(text)
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (fault === 'silent') {
    response.flushHeaders()
    return
  }
  if (fault === 'error') {
    const error = { message: 'The server had an error', type: 'server_error', param: null, code: null }
    response.end(`data: ${JSON.stringify({ error })}\n\n`)
    return
  }
  const hasUsage = asked.stream_options?.include_usage === true
  const chunk = (delta: object, finish: string | null = null) => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }]
    const more = hasUsage ? { usage: null } : {}
    response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`)
  }
  chunk({ role: 'assistant', content: isCall ? null : '' })
  if (isCall) {
    chunk({ tool_calls: [{ index: 0, ...call, function: { name, arguments: '' } }] })
    for (const part of call.function.arguments.split(/(?<=:)/))
      chunk({ tool_calls: [{ index: 0, function: { arguments: part } }] })
  } else for (const word of words.match(/\s?\S+\s?/g) ?? []) chunk({ content: word })
  if (fault === 'cut') {
    setTimeout(() => response.destroy(), 10)
    return
  }
  chunk({}, isCall ? 'tool_calls' : 'stop')
  if (hasUsage)
    response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [], usage })}\n\n`)
  response.end('data: [DONE]\n\n')
}
