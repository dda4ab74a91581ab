/**
 * Providers with interfaces of their own, on loopback: each first calls a tool and then answers in words. What the dialect of
 * messages refuses is refused (source: messages-request-rules.ts). Events and members of answers follow the declarations of
 * `openai` 7.59.0 (`ResponseStreamEvent`) and `@anthropic-ai/sdk` 1.14.0 (`RawMessageStreamEvent`), and the source of
 * gemini-stand-in.ts.
 */

import { createServer, type IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { endServer, listenToKept } from './loopback.ts'
import { messagesBody } from './messages-request-rules.ts'
import { refuseRequest } from './refuse-request.ts'

export interface ProviderRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: bodies of three interfaces; tests assert the parts they need
  readonly body: any
}

export type Dialect = 'openai' | 'anthropic' | 'google'

interface Frame {
  readonly event?: string
  readonly data: unknown
}

const responsesUsage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 40 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 5 },
}

/** The frames of one answer: a call of `list` first, then a text. */
const answers: Readonly<Record<Dialect, (isFirst: boolean) => readonly Frame[]>> = {
  openai(isFirst) {
    const item = isFirst
      ? { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'list', arguments: '{}', status: 'completed' }
      : { type: 'message', id: 'msg_1', role: 'assistant', content: [], status: 'completed' }
    const response = { id: 'resp_1', created_at: 1, model: 'm', service_tier: null }
    const frames: { readonly type: string; readonly [key: string]: unknown }[] = [
      { type: 'response.created', response },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: isFirst ? { ...item, arguments: '', status: 'in_progress' } : item,
      },
      ...(isFirst
        ? [{ type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 0, delta: '{}' }]
        : [{ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'Done' }]),
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { ...response, incomplete_details: null, usage: responsesUsage } },
    ]
    return frames.map((data) => ({ event: data.type, data }))
  },
  anthropic(isFirst) {
    const frames: { readonly type: string; readonly [key: string]: unknown }[] = [
      {
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: {
            input_tokens: 60,
            cache_read_input_tokens: 30,
            cache_creation_input_tokens: 10,
            output_tokens: 1,
          },
        },
      },
      {
        type: 'content_block_start',
        index: 0,
        content_block: isFirst
          ? { type: 'tool_use', id: 'toolu_1', name: 'list', input: {} }
          : { type: 'text', text: '' },
      },
      {
        type: 'content_block_delta',
        index: 0,
        delta: isFirst ? { type: 'input_json_delta', partial_json: '{}' } : { type: 'text_delta', text: 'Done' },
      },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: isFirst ? 'tool_use' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: 20 },
      },
      { type: 'message_stop' },
    ]
    return frames.map((data) => ({ event: data.type, data }))
  },
  google(isFirst) {
    const part = isFirst
      ? { functionCall: { name: 'list', args: {} }, thoughtSignature: 'c2lnbmF0dXJl' }
      : { text: 'Done' }
    return [
      {
        data: {
          candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
          usageMetadata: {
            promptTokenCount: 100,
            cachedContentTokenCount: 40,
            candidatesTokenCount: 15,
            thoughtsTokenCount: 5,
            totalTokenCount: 120,
          },
        },
      },
    ]
  },
}

const rules: Partial<Record<Dialect, z.ZodType>> = { anthropic: messagesBody }

export async function startFakeProvider(dialect: Dialect) {
  const requests: ProviderRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const read = rules[dialect]?.safeParse(body)
    if (read?.success === false) return refuseRequest(response, z.prettifyError(read.error))
    requests.push({ path: request.url ?? '', headers: request.headers, body })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const { event, data } of answers[dialect](requests.length === 1)) {
      response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`)
    }
    response.end()
  })
  const { port } = await listenToKept(server)
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () => endServer(server),
  }
}
