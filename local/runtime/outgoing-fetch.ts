/**
 * `fetch` of the script, as the edge has it: it adds nothing to what the script says, keeps away from no port, and
 * leaves redirects to the caller who asks for that. Node's own says with each request that a script of a page made it.
 */
import type { LookupFunction } from 'node:net'
import type { Dispatcher } from 'undici'
import { joinBytes } from '#shared/kernel/join-bytes.ts'
import { KeptConnections } from '../gateway/kept-connections.ts'
import { answerBytesAhead, idleConnectionMs, redirectsMax, unreadAnswerMs } from './limits.ts'
import { beforeLeaving } from './lives.ts'

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

export interface OutgoingFetch {
  readonly fetch: Fetch
  close(): Promise<void>
}

export interface OutgoingOptions {
  /** Resolves names, and may refuse what they lead to. */
  readonly lookup?: LookupFunction
  /** Throws for an address that may not be asked; called again for each redirect. */
  readonly judge?: (url: URL) => void
  /** Is told of every host that was asked, how it went. */
  readonly watch?: OutgoingWatch
}

export interface OutgoingWatch {
  reached(host: string): void
  failed(host: string, error: unknown): void
}

interface Sent {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body: Uint8Array | null
  readonly signal: AbortSignal | undefined
}

export function createOutgoingFetch({ lookup, judge, watch }: OutgoingOptions = {}): OutgoingFetch {
  const connections = new KeptConnections(
    { keepAliveTimeout: idleConnectionMs, headersTimeout: 0, bodyTimeout: 0 },
    lookup === undefined ? {} : { lookup },
  )
  return {
    async fetch(input, init = {}) {
      let sent = await readRequest(input, init)
      const redirect = init.redirect ?? (input instanceof Request ? input.redirect : 'follow')
      for (let redirects = 0; ; redirects += 1) {
        judge?.(sent.url)
        await beforeLeaving()
        await connections.open()
        const answer = await watched(dispatch(connections, sent), sent.url.hostname, watch)
        const location = answer.headers.get('location')
        if (redirect === 'manual' || location === null || !redirectStatuses.has(answer.status))
          return answer.toResponse(sent.url, redirects > 0)
        answer.giveUp(new Error('the answer leads elsewhere'))
        if (redirect === 'error' || redirects >= redirectsMax || !URL.canParse(location, sent.url.href))
          throw new TypeError('The answer is a redirect that is not followed')
        sent = redirected(sent, answer.status, new URL(location, sent.url))
      }
    },
    close: () => connections.close(),
  }
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const bodilessStatuses: ReadonlySet<number> = new Set([101, 204, 205, 304])

async function readRequest(input: string | URL | Request, init: RequestInit): Promise<Sent> {
  const request = input instanceof Request ? input : undefined
  const url = new URL(request?.url ?? (input as string | URL))
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError(`Fetch API cannot load: ${url.href}`)
  const signal = init.signal ?? request?.signal ?? undefined
  signal?.throwIfAborted()
  const headers = new Headers(init.headers ?? request?.headers)
  const method = (init.method ?? request?.method ?? 'GET').toUpperCase()
  const { body: given } = init
  let body: Uint8Array | null = null
  if (given instanceof Uint8Array) body = given
  else if (given !== undefined && given !== null) {
    const whole = new Response(given)
    const type = whole.headers.get('content-type')
    if (type !== null && !headers.has('content-type')) headers.set('content-type', type)
    body = await whole.bytes()
  } else if (request !== undefined && request.body !== null) body = await request.bytes()
  return { url, method, headers, body, signal }
}

function redirected(sent: Sent, status: number, url: URL): Sent {
  const headers = new Headers(sent.headers)
  const isNowGet = status === 303 ? sent.method !== 'HEAD' : status <= 302 && sent.method === 'POST'
  if (isNowGet) headers.delete('content-type')
  // What opens one place is not shown to another.
  if (url.origin !== sent.url.origin) for (const name of ['authorization', 'cookie']) headers.delete(name)
  return { ...sent, url, headers, ...(isNowGet ? { method: 'GET', body: null } : {}) }
}

async function watched(started: Promise<Answer>, host: string, watch: OutgoingWatch | undefined): Promise<Answer> {
  if (watch === undefined) return started
  try {
    const answer = await started
    watch.reached(host)
    return answer
  } catch (error) {
    watch.failed(host, error)
    throw error
  }
}

function dispatch(connections: KeptConnections, { url, method, headers, body, signal }: Sent): Promise<Answer> {
  const answer = new Answer(signal)
  // The connection's own headers are written by who opens it.
  const own = [...headers].filter(([name]) => !connectionHeaders.has(name))
  connections.dispatch(
    {
      origin: url.origin,
      path: url.pathname + url.search,
      method: method as Dispatcher.HttpMethod,
      headers: own.flat(),
      body: body ?? (method === 'POST' || method === 'PUT' || method === 'PATCH' ? new Uint8Array() : null),
    },
    answer,
  )
  return answer.started
}

const connectionHeaders: ReadonlySet<string> = new Set(['host', 'connection', 'content-length', 'transfer-encoding'])
const decoders: Readonly<Record<string, 'gzip' | 'brotli'>> = { gzip: 'gzip', 'x-gzip': 'gzip', br: 'brotli' }

/** Bodies that are dropped unread give up their connections with them. */
const dropped = new FinalizationRegistry<WeakRef<Answer>>((answer) =>
  answer.deref()?.giveUp(new Error('nobody reads the answer')),
)

/** One answer. What comes before it is asked for is kept up to a bound; then the connection waits, but not for ever. */
class Answer implements Dispatcher.DispatchHandler {
  readonly started: Promise<Answer>
  readonly headers = new Headers()
  status = 0
  readonly #start: { resolve(answer: Answer): void; reject(reason: unknown): void }
  readonly #signal: AbortSignal | undefined
  readonly #leave = () => this.giveUp(this.#signal?.reason)
  #connection: Dispatcher.DispatchController | undefined
  #ahead: Uint8Array[] = []
  #aheadBytes = 0
  #end: { readonly failure?: unknown } | undefined
  #reader: ReadableStreamDefaultController<Uint8Array> | undefined
  #isWanted = false
  #patience: NodeJS.Timeout | undefined

  constructor(signal: AbortSignal | undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.started = promise
    this.#start = { resolve, reject }
    this.#signal = signal
    signal?.addEventListener('abort', this.#leave, { once: true })
  }

  onRequestStart(connection: Dispatcher.DispatchController): void {
    this.#connection = connection
    if (this.#end !== undefined) connection.abort(new Error('given up'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Record<string, string | string[]>): void {
    if (status < 200) return
    this.status = status
    for (const [name, values] of Object.entries(headers))
      for (const value of [values].flat()) this.headers.append(name, value)
    this.#start.resolve(this)
  }

  onResponseData(connection: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#ahead.push(chunk)
    this.#aheadBytes += chunk.byteLength
    this.#handOver()
    if (this.#aheadBytes < answerBytesAhead) return
    connection.pause()
    this.#patience ??= setTimeout(() => this.giveUp(new Error('nobody reads the answer')), unreadAnswerMs).unref()
  }

  onResponseEnd(): void {
    this.#finish({})
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#finish({ failure: lost(error) })
  }

  giveUp(reason: unknown): void {
    const connection = this.#connection
    this.#finish({ failure: reason })
    connection?.abort(reason instanceof Error ? reason : new Error('given up'))
  }

  toResponse(url: URL, isRedirected: boolean): Response {
    const response = new Response(bodilessStatuses.has(this.status) ? null : this.#body(), {
      status: this.status,
      headers: this.headers,
    })
    Object.defineProperties(response, { url: { value: url.href }, redirected: { value: isRedirected } })
    dropped.register(response, new WeakRef(this))
    return response
  }

  #body(): ReadableStream<Uint8Array> {
    const bytes = new ReadableStream<Uint8Array>(
      {
        start: (reader) => {
          this.#reader = reader
        },
        pull: () => {
          this.#isWanted = true
          this.#handOver()
        },
        cancel: (reason) => this.giveUp(reason ?? new Error('the rest of the answer is not wanted')),
      },
      { highWaterMark: 0 },
    )
    const decoder = decoders[(this.headers.get('content-encoding') ?? '').toLowerCase()]
    return decoder === undefined ? bytes : bytes.pipeThrough(new DecompressionStream(decoder))
  }

  /** All that has come meanwhile, as one piece. */
  #handOver(): void {
    const reader = this.#reader
    if (reader === undefined || !this.#isWanted) return
    if (this.#end !== undefined && 'failure' in this.#end) {
      reader.error(this.#end.failure)
      this.#reader = undefined
    } else if (this.#ahead.length > 0) {
      // What lies beside a piece in a connection's memory is not for the script.
      const piece = joinBytes(this.#ahead)
      this.#ahead = []
      this.#aheadBytes = 0
      this.#isWanted = false
      clearTimeout(this.#patience)
      this.#patience = undefined
      this.#connection?.resume()
      reader.enqueue(piece)
    } else if (this.#end !== undefined) {
      reader.close()
      this.#reader = undefined
    }
  }

  #finish(end: { readonly failure?: unknown }): void {
    if (this.#end !== undefined) return
    this.#end = end
    clearTimeout(this.#patience)
    this.#signal?.removeEventListener('abort', this.#leave)
    if ('failure' in end) {
      this.#ahead = []
      this.#start.reject(end.failure)
    }
    this.#handOver()
  }
}

/** As the edge says it; what exactly is wrong is told by the cause. */
function lost(error: Error): Error {
  return error.name === 'AbortError' ? error : new Error('Network connection lost.', { cause: error })
}
