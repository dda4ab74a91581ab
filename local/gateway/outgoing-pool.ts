import { lookup as resolve } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import { isPrivateAddress } from '../../workers/gateway/core/address-guard.ts'
import type { Cancellation } from '../../workers/gateway/core/cancellation.ts'
import { Kept } from '../../workers/gateway/core/kept.ts'
import { keptTexts } from '../../workers/gateway/limits.ts'
import type { Outgoing, OutgoingAnswer } from '../../workers/gateway/ports.ts'
import { KeptConnections } from './kept-connections.ts'
import { answerBytesAhead, connectionsToProviderMax, idleConnectionMs } from './limits.ts'

export interface OutgoingPool {
  readonly outgoing: Outgoing
  close(): Promise<void>
}

/** Outgoing requests over kept connections. Time limits but the one to connect are the caller's own. */
export function providerPool(connectTimeoutMs: number, openStreamsMax = 0): OutgoingPool {
  const connections = Math.max(connectionsToProviderMax, openStreamsMax)
  return poolOf({ ...agentOptions, connections }, { timeout: connectTimeoutMs })
}

/**
 * The same for addresses strangers chose: what a name resolves to is judged, and the connection goes to exactly the
 * address that was judged, so that a name cannot change its mind in between.
 */
export function strangerPool(connectTimeoutMs: number, lookup: LookupFunction = publicLookup): OutgoingPool {
  return poolOf(agentOptions, { timeout: connectTimeoutMs, lookup })
}

const agentOptions = {
  connections: connectionsToProviderMax,
  keepAliveTimeout: idleConnectionMs,
  headersTimeout: 0,
  bodyTimeout: 0,
}

function poolOf(options: Omit<Agent.Options, 'connect'>, connect: buildConnector.BuildOptions): OutgoingPool {
  const connections = new KeptConnections(options, connect)
  const targets = new Kept((text) => {
    const { origin, pathname, search } = new URL(text)
    return { origin, path: pathname + search }
  }, keptTexts)
  return {
    outgoing(request) {
      const answer = new PooledAnswer(request.signal)
      const asked = {
        ...targets.of(request.url),
        method: request.method,
        headers: request.headers,
        body: request.body ?? null,
      }
      if (connections.isOpen) {
        connections.dispatch(asked, answer)
        return answer.started
      }
      // Nobody listens to it yet, and it may have been left already.
      answer.started.catch(() => undefined)
      return connections.open().then(() => {
        connections.dispatch(asked, answer)
        return answer.started
      })
    },
    close: () => connections.close(),
  }
}

type Piece = IteratorResult<Uint8Array, undefined>

/**
 * One answer, straight from the connection: a stream object in between would cost more than the gateway's own work.
 * The connection is paused while what it brought is not wanted yet, and given up when the reader stops early.
 */
class PooledAnswer implements Dispatcher.DispatchHandler, OutgoingAnswer, AsyncIterableIterator<Uint8Array> {
  readonly started: Promise<OutgoingAnswer>
  readonly body = this
  status = 0
  #headers: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2] = {}
  #start: { resolve(answer: OutgoingAnswer): void; reject(reason: unknown): void }
  #controller: Dispatcher.DispatchController | undefined
  #signal: Cancellation
  #leave = () => this.#giveUp(this.#signal.reason)
  #ahead: Uint8Array[] = []
  #aheadBytes = 0
  #hasEnded = false
  #failure: { readonly reason: unknown } | undefined
  #waiting: { resolve(piece: Piece): void; reject(reason: unknown): void } | undefined

  constructor(signal: Cancellation) {
    const { promise, resolve, reject } = Promise.withResolvers<OutgoingAnswer>()
    this.started = promise
    this.#start = { resolve, reject }
    this.#signal = signal
    if (signal.aborted) this.#leave()
    else signal.addEventListener('abort', this.#leave, { once: true })
  }

  header(name: string): string | undefined {
    const value = this.#headers[name]
    return Array.isArray(value) ? value[0] : value
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#failure !== undefined) this.#giveUp(this.#failure.reason)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Record<string, string | string[]>): void {
    if (status < 200) return
    this.status = status
    this.#headers = headers
    this.#start.resolve(this)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    const waiting = this.#waiting
    if (waiting !== undefined) {
      this.#waiting = undefined
      waiting.resolve({ done: false, value: chunk })
      return
    }
    this.#ahead.push(chunk)
    this.#aheadBytes += chunk.length
    if (this.#aheadBytes >= answerBytesAhead) controller.pause()
  }

  onResponseEnd(): void {
    this.#hasEnded = true
    this.#signal.removeEventListener('abort', this.#leave)
    this.#waiting?.resolve({ done: true, value: undefined })
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#failure ??= { reason: error }
    this.#signal.removeEventListener('abort', this.#leave)
    this.#start.reject(this.#failure.reason)
    this.#waiting?.reject(this.#failure.reason)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Everything that has come meanwhile, as one piece. */
  next(): Promise<Piece> {
    if (this.#ahead.length > 0) {
      const [only] = this.#ahead
      const value = this.#ahead.length === 1 && only !== undefined ? only : Buffer.concat(this.#ahead)
      this.#ahead = []
      this.#aheadBytes = 0
      this.#controller?.resume()
      return Promise.resolve({ done: false, value })
    }
    if (this.#hasEnded) return Promise.resolve({ done: true, value: undefined })
    if (this.#failure !== undefined) return Promise.reject(this.#failure.reason)
    const { promise, resolve, reject } = Promise.withResolvers<Piece>()
    this.#waiting = { resolve, reject }
    return promise
  }

  return(): Promise<Piece> {
    if (!this.#hasEnded) this.#giveUp(new Error('the rest of the answer is not wanted'))
    return Promise.resolve({ done: true, value: undefined })
  }

  #giveUp(reason: unknown): void {
    this.#failure ??= { reason }
    this.#start.reject(reason)
    this.#controller?.abort(reason instanceof Error ? reason : new Error('given up'))
  }
}

/** Refuses a name when any of its addresses is private. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '')
    const [first] = addresses
    if (first === undefined || addresses.some((entry) => isPrivateAddress(entry.address))) {
      return callback(new Error('the name leads to a private address'), '')
    }
    if (options.all === true) return callback(null, addresses)
    return callback(null, first.address, first.family)
  })
}
