import type { Socket } from 'node:net'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import { bytesReadAtOnce } from './limits.ts'

type Undici = typeof import('undici')

/** What a connection brings is read into memory all share, and copied: else each read asks for as much as it may bring. */
const onread = {
  buffer: Buffer.allocUnsafe(bytesReadAtOnce),
  callback(this: Socket, bytes: number, read: Uint8Array): boolean {
    return this.push(Buffer.from(read.subarray(0, bytes)))
  },
}

/**
 * Requests over kept connections. The other side may close one that is idle just as a request is written to it, and a
 * process that was held up does not see in time that it has. A request that found such an end goes over a connection of
 * its own, once, when nothing of an answer has come and it may be repeated: its method is idempotent (RFC 9110, 9.2.2), or
 * nothing of it was written. A new connection that breaks says something of its server, and is left to the caller.
 */
export class KeptConnections {
  readonly #options: Agent.Options
  readonly #connect: buildConnector.BuildOptions
  readonly #lostWhileKept = new WeakSet<Error>()
  #undici: Undici | undefined
  #loading: Promise<Undici> | undefined
  #kept: Agent | undefined
  #once: Agent | undefined

  constructor(options: Omit<Agent.Options, 'connect'>, connect: buildConnector.BuildOptions) {
    this.#options = options
    this.#connect = { ...connect, onread }
  }

  /** Whether requests can be made: the library is loaded by the first of them, as a start has no need of it. */
  get isOpen(): boolean {
    return this.#kept !== undefined
  }

  async open(): Promise<void> {
    this.#loading ??= import('undici')
    this.#undici = await this.#loading
    this.#kept ??= new this.#undici.Agent({ ...this.#options, connect: this.#connector(this.#undici, {}) })
  }

  dispatch(asked: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#kept?.dispatch(asked, new Repeated(asked, handler, this))
  }

  /** Whether it was the end of a connection that had brought another answer before. */
  wasLostWhileKept(reason: Error): boolean {
    return this.#lostWhileKept.has(reason)
  }

  dispatchOnce(asked: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    const undici = this.#undici
    if (undici === undefined) return
    // Without pipelining no connection is kept, so that each is a new one.
    this.#once ??= new undici.Agent({
      ...this.#options,
      pipelining: 0,
      allowH2: false,
      connect: this.#connector(undici, { allowH2: false }),
    })
    this.#once.dispatch(asked, handler)
  }

  async close(): Promise<void> {
    await this.#loading
    await Promise.all([this.#kept?.destroy(), this.#once?.destroy()])
  }

  #connector({ buildConnector }: Undici, options: buildConnector.BuildOptions): buildConnector.connector {
    const connect = buildConnector({ ...this.#connect, ...options })
    return (target, callback) =>
      connect(target, (...[error, socket]) => {
        if (error !== null) return callback(error, null)
        socket.on('error', (reason: Error) => {
          if (socket.bytesRead > 0) this.#lostWhileKept.add(reason)
        })
        callback(null, socket)
      })
  }
}

const idempotentMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])

/** Tells all to the handler of a request but the end of a connection after which it is sent once more. */
class Repeated implements Dispatcher.DispatchHandler {
  readonly #asked: Agent.DispatchOptions
  readonly #handler: Dispatcher.DispatchHandler
  readonly #connections: KeptConnections
  #isWritten = false
  #hasAnswer = false

  constructor(asked: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler, connections: KeptConnections) {
    this.#asked = asked
    this.#handler = handler
    this.#connections = connections
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#isWritten = true
    this.#handler.onRequestStart?.(controller, context)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[]>,
  ): void {
    this.#hasAnswer = true
    this.#handler.onResponseStart?.(controller, status, headers)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk)
  }

  onResponseEnd(controller: Dispatcher.DispatchController, trailers: Record<string, string | string[]>): void {
    this.#handler.onResponseEnd?.(controller, trailers)
  }

  onResponseError(controller: Dispatcher.DispatchController, reason: Error): void {
    const mayRepeat = !this.#isWritten || (!this.#hasAnswer && idempotentMethods.has(this.#asked.method))
    if (mayRepeat && this.#connections.wasLostWhileKept(reason))
      this.#connections.dispatchOnce(this.#asked, this.#handler)
    else this.#handler.onResponseError?.(controller, reason)
  }
}
