import { parseStrictJson } from '#shared/http/strict-json-body.ts'
import { isRecord, type JsonRecord, parseJson, recordOf } from '#shared/kernel/json-record.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { ServerSentDecoder } from '#shared/sse/server-sent-decode.ts'
import { type Cancellation, Canceller } from '../core/cancellation.ts'
import { errorObject } from '../core/error-object.ts'
import { type Failure, failure } from '../core/failure.ts'
import { bodyDepthMax, laneCharactersMax, responseSocketMs, serverSentEventCharactersMax } from '../limits.ts'
import type {
  AnswerBody,
  BodySource,
  ClientEnd,
  GatewayRequest,
  KeptResponse,
  SocketPeer,
  SocketTaker,
  Timers,
} from '../ports.ts'

/** What a client's connection remembers: the last answer that it asked not to be kept. */
export interface ResponseConnection {
  last: KeptResponse | undefined
}

/** Asks one request of a connection, as if it had come alone. */
export type ServeTurn = (
  request: GatewayRequest,
  client: ClientEnd,
  connection: ResponseConnection,
) => Response | Promise<Response>

interface SocketParts {
  readonly serve: ServeTurn
  readonly timers: Timers
  /** The request that asked for the connection; each of its turns is one more with the same key. */
  readonly request: GatewayRequest
  readonly peer: SocketPeer
  /** Where the client of the connection calls from. */
  readonly address: ClientEnd['address']
}

/** An answer as the routes made it. */
class TurnAnswer {
  readonly content: AnswerBody
  readonly status: number
  /** Fields that the answer does not follow, as a header would name them. */
  readonly ignored: string | undefined

  constructor(content: AnswerBody, status: number, headers: Readonly<Record<string, string>>) {
    this.content = content
    this.status = status
    this.ignored = headers['x-gateway-ignored']
  }
}

const encoder = new TextEncoder()
const normalClosure = 1000

/**
 * Answers of the responses interface over one connection: each `response.create` is a request of its own, with its own
 * place in limits, budgets and records, and its events are messages. One is answered at a time, in order.
 */
export function responseSocket({ serve, timers, request, peer, address }: SocketParts): SocketTaker {
  const connection: ResponseConnection = { last: undefined }
  const left = new Canceller()
  let isAnswering = false
  let isOverAge = false

  const stopAgeing = timers.every(responseSocketMs, () => {
    isOverAge = true
    if (!isAnswering) end()
  })
  function end(): void {
    stopAgeing()
    void tell(overAge, undefined, 400)
    peer.close(normalClosure)
  }

  /** What concerns a lane carries its name. */
  function laned(event: JsonRecord, lane: string | undefined): JsonRecord {
    return lane === undefined ? event : { ...event, stream_id: lane }
  }
  function tell(error: JsonRecord, lane: string | undefined, status: number): Promise<void> {
    return peer.send(JSON.stringify(laned({ type: 'error', status, error: { param: null, ...error } }, lane)))
  }
  const refuse = (failed: Failure, lane?: string) => tell({ ...errorObject(failed).error }, lane, 400)

  async function turn(text: string): Promise<void> {
    const read = parseStrictJson(encoder.encode(text), bodyDepthMax)
    if (!read.ok || !isRecord(read.value)) return refuse(failure('bad_request', 'a message must be a JSON object'))
    const { type, stream_id: lane, stream: _, background, ...body } = read.value
    if (lane != null && (typeof lane !== 'string' || lane === '' || lane.length > laneCharactersMax)) {
      return refuse(failure('bad_request', 'stream_id must be a short text', { param: 'stream_id' }))
    }
    const name = lane ?? undefined
    if (type !== 'response.create') {
      return refuse(failure('unsupported', 'only response.create is taken here', { param: 'type' }), name)
    }
    if (background === true) {
      return refuse(failure('unsupported', 'nothing is answered in the background', { param: 'background' }), name)
    }
    const bytes = encoder.encode(JSON.stringify({ ...body, stream: true }))
    const client: ClientEnd = {
      address,
      readBody: async (bytesMax) => (bytes.length > bytesMax ? failWith('too_large') : succeed(bytes)),
      onLeave: (leave) => left.signal.addEventListener('abort', leave, { once: true }),
      // The router hands an answer on as it is.
      answer: (content, status, headers) => new TurnAnswer(content, status, headers) as unknown as Response,
    }
    const asked: GatewayRequest = {
      method: 'POST',
      url: request.url,
      headers: { get: (header) => (header === 'content-length' ? String(bytes.length) : request.headers.get(header)) },
    }
    const answer = (await serve(asked, client, connection)) as unknown as TurnAnswer
    const { content, status, ignored } = answer
    if (status !== 200) {
      const error = typeof content === 'string' ? recordOf(recordOf(parseJson(content))?.['error']) : undefined
      return tell(error ?? { ...errorObject(failure('internal_error', 'the gateway failed')).error }, name, status)
    }
    // There are no headers on a connection: the first event tells what they would.
    let told: JsonRecord = { ...(ignored === undefined ? {} : { x_gateway_ignored: ignored }) }
    const decoder = new ServerSentDecoder(serverSentEventCharactersMax)
    for await (const piece of piecesOf(content, left.signal)) {
      const events = decoder.push(typeof piece === 'string' ? encoder.encode(piece) : piece)
      for (const event of events.ok ? events.value : []) {
        if (!event.data.startsWith('{')) continue
        await peer.send(withMembers(event.data, laned(told, name)))
        told = {}
      }
    }
  }

  return {
    async take(text) {
      if (left.signal.aborted) return
      isAnswering = true
      try {
        await turn(text)
      } finally {
        isAnswering = false
      }
      if (isOverAge) end()
    },
    leave() {
      stopAgeing()
      left.abort()
    },
  }
}

const overAge = {
  type: 'invalid_request_error',
  code: 'websocket_connection_limit_reached',
  message: 'this connection has reached its age; open a new one to go on',
}

/** Members behind those of an object that is text already. */
function withMembers(text: string, more: JsonRecord): string {
  const members = JSON.stringify(more).slice(1)
  return members === '}' ? text : `${text.slice(0, -1)},${members}`
}

async function* piecesOf(content: AnswerBody, left: Cancellation): AsyncGenerator<string | Uint8Array> {
  if (content === null) return
  if (typeof content === 'string') yield content
  else yield* pulled(content, left)
}

async function* pulled(source: BodySource, left: Cancellation): AsyncGenerator<string | Uint8Array> {
  let pieces: (string | Uint8Array)[] = []
  let isClosed = false
  source.start({
    enqueue: (piece) => void pieces.push(piece),
    close() {
      isClosed = true
    },
    hasRoom: () => pieces.length === 0,
  })
  try {
    while (!isClosed && !left.aborted) {
      await source.pull()
      const come = pieces
      pieces = []
      yield* come
    }
  } finally {
    if (!isClosed) source.cancel()
  }
}
