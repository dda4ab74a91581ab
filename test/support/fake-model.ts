/**
 * A provider with the common chat interface on loopback that answers from a script: each request takes the next turn.
 * What the reference would refuse is refused (its source: chat-request-rules.ts); `reasoning_content`, in answers and sent
 * back, is how compatible providers hand reasoning on. It keeps what it was asked and can hold an answer until the test lets
 * it go.
 */

import { createServer, type ServerResponse } from 'node:http'
import { readChatRequest } from './chat-request-rules.ts'
import { endServer, listenToKept } from './loopback.ts'
import { refuseRequest } from './refuse-request.ts'

export interface ScriptedCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
  /** Arguments as they are sent, where they are not the input's own. */
  readonly text?: string
}

export type ScriptedTurn =
  | {
      readonly text?: readonly string[]
      readonly reasoning?: readonly string[]
      readonly calls?: readonly ScriptedCall[]
      /** Why it says that it ended, where that does not follow from the rest. */
      readonly finish?: string
      readonly usage?: { readonly prompt: number; readonly completion: number; readonly cached?: number }
      /** Called after the text was sent and before the answer ends. */
      readonly hold?: () => Promise<void>
      /** Cuts the connection after the text, without an end. */
      readonly isCut?: boolean
    }
  | {
      readonly status: number
      readonly body?: unknown
      /** In place of a body, as it is. */
      readonly text?: string
      readonly headers?: Readonly<Record<string, string>>
    }

export interface AskedRequest {
  readonly messages: readonly {
    readonly role: string
    readonly content: unknown
    readonly tool_calls?: unknown
    readonly reasoning_content?: unknown
  }[]
  readonly tools?: readonly { readonly function: { readonly name: string; readonly description?: string } }[]
  readonly model: string
}

export interface FakeModel {
  readonly url: string
  readonly asked: AskedRequest[]
  /** Members of requests that this provider takes beside those of the reference. */
  readonly ownMembers: Set<string>
  /** Adds turns to the script. */
  script(...turns: ScriptedTurn[]): void
  /** Answers every request that finds the script empty; a function is given the request. */
  otherwise(turn: ScriptedTurn | ((request: AskedRequest) => ScriptedTurn | Promise<ScriptedTurn>)): void
  /** Resolves when this many requests have arrived. */
  arrived(count: number): Promise<void>
  openAnswers(): number
  close(): Promise<void>
}

export async function startFakeModel(): Promise<FakeModel> {
  const turns: ScriptedTurn[] = []
  const asked: AskedRequest[] = []
  const ownMembers = new Set<string>()
  const waiters: { readonly count: number; readonly resolve: () => void }[] = []
  let fallback: Parameters<FakeModel['otherwise']>[0] | undefined
  let open = 0
  const server = createServer(async (request, response) => {
    // It is asked for a list of its models too, and has none.
    if (request.method !== 'POST') return void response.writeHead(404).end()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as AskedRequest
    const read = readChatRequest(inReference(body, ownMembers))
    if (!read.ok) return refuseRequest(response, read.failure)
    asked.push(body)
    for (const waiter of waiters) if (asked.length >= waiter.count) waiter.resolve()
    open += 1
    response.on('close', () => {
      open -= 1
    })
    const unscripted = typeof fallback === 'function' ? await fallback(body) : fallback
    await answer(
      response,
      turns.shift() ?? unscripted ?? { status: 500, body: { error: { message: 'the script is empty' } } },
    )
  })
  const { port } = await listenToKept(server)
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    ownMembers,
    script: (...added) => void turns.push(...added),
    otherwise(turn) {
      fallback = turn
    },
    arrived: (count) =>
      new Promise((resolve) => {
        if (asked.length >= count) resolve()
        else waiters.push({ count, resolve })
      }),
    openAnswers: () => open,
    close: () => endServer(server),
  }
}

/** What the reference knows of a request. */
function inReference(body: AskedRequest, ownMembers: ReadonlySet<string>): object {
  const known = Object.fromEntries(Object.entries(body).filter(([name]) => !ownMembers.has(name)))
  return { ...known, messages: body.messages.map(({ reasoning_content: _, ...message }) => message) }
}

async function answer(response: ServerResponse, turn: ScriptedTurn): Promise<void> {
  if ('status' in turn) {
    response.writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers })
    response.end(turn.text ?? JSON.stringify(turn.body ?? { error: { message: `status ${turn.status}` } }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta: unknown, finish: string | null = null, usage?: unknown) =>
    response.write(
      `data: ${JSON.stringify({ id: 'chat', object: 'chat.completion.chunk', created: 1, model: 'fake', choices: [{ index: 0, delta, finish_reason: finish }], ...(usage === undefined ? {} : { usage }) })}\n\n`,
    )
  for (const text of turn.reasoning ?? []) send({ reasoning_content: text })
  for (const text of turn.text ?? []) send({ content: text })
  await turn.hold?.()
  if (turn.isCut === true) {
    // What was written must have left before the connection goes.
    await new Promise((resolve) => response.write(': cut\n\n', resolve))
    response.destroy()
    return
  }
  for (const [index, call] of (turn.calls ?? []).entries()) {
    send({
      tool_calls: [
        {
          index,
          id: call.id,
          type: 'function',
          function: { name: call.name, arguments: call.text ?? JSON.stringify(call.input) },
        },
      ],
    })
  }
  const usage = turn.usage ?? { prompt: 10, completion: 5 }
  send({}, turn.finish ?? ((turn.calls ?? []).length > 0 ? 'tool_calls' : 'stop'), {
    prompt_tokens: usage.prompt,
    completion_tokens: usage.completion,
    total_tokens: usage.prompt + usage.completion,
    prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
  })
  response.end('data: [DONE]\n\n')
}

/** A gate: what waits for it goes on when it is opened. */
export function gate(): { readonly wait: () => Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { wait: () => promise, open: () => resolve() }
}
