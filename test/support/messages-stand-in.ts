/**
 * A provider that speaks the messages dialect, as strict as Anthropic's interface of 2023-06-01. Members, kinds of
 * blocks and what an answer holds are those that the package `@anthropic-ai/sdk` 1.14.0 declares
 * (`resources/messages/messages.d.ts`: `MessageCreateParams`, `Message`, `RawMessageStreamEvent`; `resources/models.d.ts`:
 * `ModelInfo`; `resources/shared.d.ts`: `ErrorType`), answers by its types themselves. That a tool's use is answered at
 * once, that thinking keeps below the limit and comes back signed, and how many marks there may be, follow what its
 * declarations say of these members. Sampling is no longer declared there; models that thought within a budget take it
 * still. Left out: batches, files, containers, toolsets and tools that the provider runs.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type Anthropic from '@anthropic-ai/sdk'
import { endServer, listenToKept } from './loopback.ts'
import {
  type Body,
  type CountBody,
  countOf,
  messagesBody,
  messagesCountBody,
  messagesFaultOf,
  messagesModels,
  outputTokensMax,
  signatureOf,
  turnsOf,
} from './messages-request-rules.ts'

export type MessagesFault = number | 'hang' | 'cut' | 'overloaded-within'

export interface MessagesStandIn {
  readonly url: string
  readonly key: string
  readonly calls: {
    readonly path: string
    readonly body: Body | CountBody
    readonly headers: IncomingMessage['headers']
  }[]
  /** The next answers are these refusals, or nothing at all, or a stream that breaks or tells of a failure. */
  next(...faults: readonly MessagesFault[]): void
  /** The next answers call this tool. */
  callTool(name: string): void
  close(): Promise<void>
}

const errorTypes: Readonly<Record<number, Anthropic.ErrorType>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

export async function startMessagesStandIn(): Promise<MessagesStandIn> {
  const key = 'sk-ant-of-the-stand-in'
  const faults: MessagesFault[] = []
  const calls: MessagesStandIn['calls'] = []
  let tool: string | undefined
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const refuse = (status: number, words: string) => {
      const wait = status === 429 ? { 'retry-after': '9' } : {}
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1', ...wait })
      const error = { type: errorTypes[status] ?? 'api_error', message: words }
      response.end(JSON.stringify({ type: 'error', error, request_id: 'req_1' }))
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in')
    if (request.headers['x-api-key'] !== key) return refuse(401, 'invalid x-api-key')
    if (request.headers['anthropic-version'] !== '2023-06-01')
      return refuse(400, 'anthropic-version: header is required')
    if (request.method === 'GET' && pathname === '/v1/models') return json(response, modelsPage(searchParams))
    const isCount = pathname === '/v1/messages/count_tokens'
    if (request.method !== 'POST' || (!isCount && pathname !== '/v1/messages')) return refuse(404, 'Not Found')
    const sent: unknown = JSON.parse(Buffer.concat(chunks).toString())
    const whole = isCount ? undefined : messagesBody.safeParse(sent)
    const read = whole ?? messagesCountBody.safeParse(sent)
    if (!read.success) {
      const [issue] = read.error.issues
      const extra =
        issue?.code === 'unrecognized_keys'
          ? `${issue.keys.join(', ')}: Extra inputs are not permitted`
          : issue?.message
      return refuse(400, `${issue?.path.join('.')}: ${extra}`)
    }
    if (!(read.data.model in outputTokensMax)) return refuse(404, `model: ${read.data.model}`)
    const wrong = messagesFaultOf(read.data, whole?.data)
    if (wrong !== undefined) return refuse(400, wrong)
    calls.push({ path: pathname, body: read.data, headers: request.headers })
    const fault = faults.shift()
    if (fault === 'hang') return
    if (typeof fault === 'number') return refuse(fault, fault === 529 ? 'Overloaded' : 'not now')
    if (whole?.data === undefined) return json(response, { input_tokens: countOf(read.data) })
    const answer = answerTo(whole.data, tool)
    if (whole.data.stream !== true) return json(response, answer)
    stream(response, answer, fault)
  })
  const address = await listenToKept(server)
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    key,
    calls,
    next: (...more) => void faults.push(...more),
    callTool(name) {
      tool = name === '' ? undefined : name
    },
    close: () => endServer(server),
  }
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json', 'request-id': 'req_1' })
  response.end(JSON.stringify(body))
}

function answerTo(asked: Body, tool: string | undefined): Anthropic.Message {
  const isLastResult =
    turnsOf(asked)
      .at(-1)
      ?.blocks.some(({ type }) => type === 'tool_result') === true
  const choice = asked.tool_choice ?? { type: 'auto' }
  const wished = choice.type === 'none' || isLastResult || asked.tools == null ? undefined : tool
  const forced = choice.type === 'tool' ? choice.name : choice.type === 'any' ? asked.tools?.[0]?.name : undefined
  const called = wished ?? forced
  const earlier = turnsOf(asked).flatMap(({ blocks }) => blocks.filter(({ type }) => type === 'tool_use'))
  const thought = 'Let me think.'
  const isThinking = asked.thinking?.type === 'enabled' || asked.thinking?.type === 'adaptive'
  const words = asked.output_config?.format == null ? `I am ${asked.model}.` : '{"answer":"yes"}'
  const content: Anthropic.ContentBlock[] = [
    ...(isThinking ? [{ type: 'thinking' as const, thinking: thought, signature: signatureOf(thought) }] : []),
    called !== undefined
      ? {
          type: 'tool_use',
          id: `toolu_${earlier.length + 1}`,
          name: called,
          input: called === tool ? { place: 'Oslo' } : { answer: 'yes' },
          caller: { type: 'direct' },
        }
      : { type: 'text', text: words, citations: null },
  ]
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: asked.model,
    content,
    stop_reason: called !== undefined ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: {
      input_tokens: 20,
      output_tokens: 12,
      cache_read_input_tokens: 10,
      cache_creation_input_tokens: 4,
      cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 0 },
      output_tokens_details: { thinking_tokens: isThinking ? 5 : 0 },
      server_tool_use: null,
      service_tier: 'standard',
      inference_geo: null,
      speed: null,
    },
  }
}

function stream(response: ServerResponse, answer: Anthropic.Message, fault: MessagesFault | undefined): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': 'req_1' })
  const tell = (event: Anthropic.RawMessageStreamEvent | { type: 'ping' }) =>
    void response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  const { content, stop_reason, stop_sequence, stop_details, container, usage } = answer
  const begun = { ...answer, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } }
  tell({ type: 'message_start', message: begun })
  tell({ type: 'ping' })
  for (const [index, block] of content.entries()) {
    const delta = (one: Anthropic.RawContentBlockDelta) => tell({ type: 'content_block_delta', index, delta: one })
    const start = (one: Anthropic.ContentBlock) => tell({ type: 'content_block_start', index, content_block: one })
    if (block.type === 'text') {
      start({ ...block, text: '' })
      for (const word of block.text.split(/(?<= )/)) delta({ type: 'text_delta', text: word })
    } else if (block.type === 'thinking') {
      start({ ...block, thinking: '', signature: '' })
      delta({ type: 'thinking_delta', thinking: block.thinking })
      delta({ type: 'signature_delta', signature: block.signature })
    } else if (block.type === 'tool_use') {
      start({ ...block, input: {} })
      delta({ type: 'input_json_delta', partial_json: '' })
      for (const part of JSON.stringify(block.input).split(/(?<=:)/))
        delta({ type: 'input_json_delta', partial_json: part })
    }
    if (fault === 'cut') {
      setTimeout(() => response.destroy(), 10)
      return
    }
    if (fault === 'overloaded-within') {
      const error = { type: 'overloaded_error', message: 'Overloaded' }
      response.end(`event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`)
      return
    }
    tell({ type: 'content_block_stop', index })
  }
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = usage
  const { output_tokens_details, server_tool_use } = usage
  tell({
    type: 'message_delta',
    delta: { stop_reason, stop_sequence, stop_details, container },
    usage: {
      input_tokens,
      output_tokens,
      cache_read_input_tokens,
      cache_creation_input_tokens,
      output_tokens_details,
      server_tool_use,
    },
  })
  tell({ type: 'message_stop' })
  response.end()
}

function modelsPage(query: URLSearchParams) {
  const all = Object.values(messagesModels)
  const after = query.get('after_id')
  const rest = all.slice((all as readonly (string | null)[]).indexOf(after) + 1)
  const page = rest.slice(0, Math.min(Number(query.get('limit') ?? 20), 1))
  const data = page.map(
    (id): Anthropic.ModelInfo => ({
      id,
      type: 'model',
      display_name: id,
      created_at: '2025-09-29T00:00:00Z',
      deprecated_at: null,
      retires_at: null,
      lifecycle: 'active',
      line: null,
      capabilities: null,
      max_input_tokens: 200_000,
      max_tokens: outputTokensMax[id] ?? null,
    }),
  )
  return { data, has_more: page.length < rest.length, first_id: page[0] ?? null, last_id: page.at(-1) ?? null }
}
