import { connect, type Socket } from 'node:net'
import { AnswerReader } from './answer-reader.ts'

export interface CountedAnswer {
  /** 0: there was none, or it was cut. */
  readonly status: number
  readonly bodyBytes: number
  /** Until the first bytes of the body, and until the last; both of the whole time when there was no body. */
  readonly firstMs: number
  readonly totalMs: number
}

/**
 * One connection that sends requests made beforehand, one at a time, and opens itself again when the server closed it.
 * A client library costs more than many of the answers measured here, and on a small machine that measures the client.
 */
export class KeptConnection {
  readonly #url: URL
  readonly #reader = new AnswerReader()
  #socket: Socket | undefined
  #sentMs = 0
  #firstMs = 0
  #resolve: ((answer: CountedAnswer) => void) | undefined

  constructor(url: URL) {
    if (url.protocol !== 'http:') throw new Error(`${url.protocol} is not spoken here`)
    this.#url = url
  }

  ask(request: Buffer): Promise<CountedAnswer> {
    return new Promise((resolve) => {
      this.#resolve = resolve
      this.#reader.begin()
      this.#sentMs = performance.now()
      this.#firstMs = 0
      this.#socket ??= this.#open()
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  #open(): Socket {
    const socket = connect({ host: this.#url.hostname, port: Number(this.#url.port || 80), noDelay: true })
    socket.on('data', (bytes: Buffer) => this.#take(socket, bytes))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      if (this.#socket !== socket) return
      this.#socket = undefined
      this.#settle(this.#reader.end())
    })
    return socket
  }

  #take(socket: Socket, bytes: Buffer): void {
    let isComplete = false
    try {
      isComplete = this.#reader.push(bytes)
    } catch {
      socket.destroy()
      return
    }
    if (this.#firstMs === 0 && this.#reader.bodyBytes > 0) this.#firstMs = performance.now() - this.#sentMs
    if (!isComplete) return
    if (this.#reader.isLast) this.close()
    this.#settle(true)
  }

  #settle(isWhole: boolean): void {
    const totalMs = performance.now() - this.#sentMs
    const { status, bodyBytes } = this.#reader
    const resolve = this.#resolve
    this.#resolve = undefined
    resolve?.({ status: isWhole ? status : 0, bodyBytes, firstMs: this.#firstMs || totalMs, totalMs })
  }
}

export interface PlainRequest {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The bytes of a request that keeps its connection. */
export function requestBytes({ url, method = 'GET', headers = {}, body }: PlainRequest): Buffer {
  const { host, pathname, search } = new URL(url)
  const all = {
    host,
    ...headers,
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`)
}
