/**
 * A model service that says what a test writes down for it, to requests that the reference of its dialect would take: what
 * those are, and their source, is in chat-request-rules.ts. Every test has a place of its own below one address, so that tests
 * beside one another never read each other's lines. Tests in the Worker's runtime reach it over the network too.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { readChatRequest } from './chat-request-rules.ts'
import { endServer, listenToKept } from './loopback.ts'
import { refuseRequest } from './refuse-request.ts'

/** One thing after another that happens to the connection. */
export type ModelStep =
  /** A piece of text, or of a tool call. */
  | { readonly text: string }
  | { readonly call: { readonly index: number; readonly id?: string; readonly name?: string; readonly args?: string } }
  | { readonly end: 'stop' | 'tool_calls' | 'length' | 'content_filter' }
  /** Bytes as they are. */
  | { readonly raw: string }
  /** Nothing goes on until the test opens it. */
  | { readonly gate: string }
  /** The connection breaks. */
  | { readonly cut: true }
  /** `[DONE]`, and the answer is over. */
  | { readonly done: true }

export interface ScriptedAnswer {
  readonly status?: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly steps: readonly ModelStep[]
}

/** What came to a place. */
export interface ModelVisit {
  readonly body: {
    readonly model: string
    readonly messages: readonly Record<string, unknown>[]
    readonly tools?: readonly { readonly function: { readonly name: string } }[]
  }
  readonly authorization: string | null
  readonly requestId: string | undefined
}

interface Place {
  readonly answers: ScriptedAnswer[]
  readonly visits: ModelVisit[]
  /** What is said to who asks for its models; services without such a list have no such address. */
  list: ScriptedAnswer
  /** By whom that was asked. */
  readonly listed: (string | null)[]
  readonly gates: Map<string, PromiseWithResolvers<void>>
  open: number
}

/** A whole answer of words. */
export function says(...pieces: readonly string[]): ScriptedAnswer {
  return { steps: [...pieces.map((text) => ({ text })), { end: 'stop' }, { done: true }] }
}

/** A whole answer that calls tools. */
export function calls(...wanted: readonly (readonly [name: string, args: unknown])[]): ScriptedAnswer {
  const steps = wanted.map(([name, args], index) => ({
    call: { index, id: `call_${index}_${name}`, name, args: typeof args === 'string' ? args : JSON.stringify(args) },
  }))
  return { steps: [...steps, { end: 'tool_calls' }, { done: true }] }
}

export interface StandInModel {
  readonly origin: string
  stop(): Promise<void>
}

const noList: ScriptedAnswer = { status: 404, type: 'text/plain', steps: [] }

/** `/at/PLACE/chat/completions` and `/at/PLACE/models` answer; `/script/PLACE` takes answers and tells what came; `/open/PLACE/GATE` opens. */
export async function startStandInModel(): Promise<StandInModel> {
  const places = new Map<string, Place>()
  const placeOf = (name: string): Place => {
    const place = places.get(name) ?? { answers: [], visits: [], list: noList, listed: [], gates: new Map(), open: 0 }
    places.set(name, place)
    return place
  }
  const gateOf = (place: Place, name: string) => {
    const gate = place.gates.get(name) ?? Promise.withResolvers<void>()
    place.gates.set(name, gate)
    return gate
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, kind = '', name = '', last = ''] = (request.url ?? '').split('/')
    const text = (await request.toArray()).join('')
    const place = placeOf(name)
    if (kind === 'script') {
      if (request.method === 'DELETE') place.answers.length = 0
      if (request.method === 'POST') place.answers.push(...(JSON.parse(text) as ScriptedAnswer[]))
      if (request.method === 'PUT') place.list = JSON.parse(text)
      const { visits, listed, open, answers } = place
      response.end(JSON.stringify({ visits, listed, open, left: answers.length }))
    } else if (kind === 'open') {
      gateOf(place, last).resolve()
      response.end('{}')
    } else if (kind === 'at' && last === 'models' && request.method === 'GET') {
      place.listed.push(request.headers.authorization ?? null)
      await perform(place, place.list, response)
    } else if (kind === 'at') {
      const body = JSON.parse(text)
      const read = readChatRequest(body)
      if (!read.ok) return refuseRequest(response, read.failure)
      place.visits.push({
        body,
        authorization: request.headers.authorization ?? null,
        requestId: request.headers['x-request-id']?.toString(),
      })
      await perform(place, place.answers.shift() ?? says('没有别的话了。'), response)
    } else response.writeHead(404).end()
  }

  async function perform(place: Place, scripted: ScriptedAnswer, response: ServerResponse): Promise<void> {
    place.open += 1
    response.on('close', () => {
      place.open -= 1
    })
    response.writeHead(scripted.status ?? 200, {
      'content-type': scripted.type ?? 'text/event-stream',
      ...scripted.headers,
    })
    response.flushHeaders()
    for (const step of scripted.steps) {
      if ('gate' in step) await gateOf(place, step.gate).promise
      else if ('cut' in step) {
        response.destroy()
        return
      } else await new Promise((resolve) => response.write(written(step), resolve))
    }
    response.end()
  }

  const server = createServer((request, response) => void answer(request, response))
  const { url: origin } = await listenToKept(server)
  return {
    origin,
    stop: () => endServer(server),
  }
}

function written(step: Exclude<ModelStep, { gate: string } | { cut: true }>): string {
  if ('raw' in step) return step.raw
  if ('done' in step) return 'data: [DONE]\n\n'
  const chunk = (delta: unknown, finish: string | null) =>
    `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  if ('text' in step) return chunk({ content: step.text }, null)
  if ('end' in step) return chunk({}, step.end)
  const { index, id, name, args } = step.call
  const call = {
    index,
    ...(id === undefined ? {} : { id, type: 'function' }),
    function: { name, arguments: args ?? '' },
  }
  return chunk({ tool_calls: [call] }, null)
}
