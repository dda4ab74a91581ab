/**
 * Node's messages to the script's requests and back. The usual adapters differ from the edge in what they make of a
 * DELETE without a body and of a client that leaves; this one is held to the same tests as workerd.
 */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { answerUnread } from '#shared/http/unread-request.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { closeServer } from '../listen/loopback-port.ts'
import { clientKeepAliveMs, drainMs, headersTimeoutMs, requestHeaderBytesMax } from './limits.ts'
import { knownLength } from './platform.ts'

/** Connections that become something else than requests and answers. */
export interface Upgrades {
  asks(incoming: IncomingMessage): boolean
  take(incoming: IncomingMessage, socket: Duplex, head: Buffer): void
}

export interface RequestDoor {
  readonly port: number
  /** From now on requests are answered; those that came earlier have waited. */
  leadTo(listener: RequestListener, upgrades: Upgrades): void
  /** On another address of this machine, under the same port. */
  alsoListen(address: string): Promise<Result<void, 'busy' | 'forbidden' | 'unknown'>>
  /** Takes no more requests, and lets answers under way end for a moment. */
  close(): Promise<void>
}

/** Listens on this machine's loopback interface; 0 means any free port. */
export function openRequestDoor(
  port: number,
  connectionsMax: number,
): Promise<Result<RequestDoor, 'busy' | 'forbidden'>> {
  const led = Promise.withResolvers<RequestListener>()
  let lead: RequestListener = (incoming, outgoing) => void led.promise.then((listener) => listener(incoming, outgoing))
  let upgrades: Upgrades | undefined
  const server = createServer(
    {
      shouldUpgradeCallback: (incoming) => upgrades?.asks(incoming) === true,
      maxHeaderSize: requestHeaderBytesMax,
      headersTimeout: headersTimeoutMs,
      keepAliveTimeout: clientKeepAliveMs,
      requireHostHeader: false,
      noDelay: true,
    },
    (incoming, outgoing) => lead(incoming, outgoing),
  )
  server.maxConnections = connectionsMax
  // A client that has closed its side has left: what is done for it ends.
  server.on('connection', (socket: Socket) => socket.once('end', () => socket.destroy()))
  server.on('upgrade', (incoming, socket, head) => upgrades?.take(incoming, socket, head))
  server.on('clientError', refuseUnread)
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => lead(incoming, outgoing))
  server.on('connect', (_: IncomingMessage, socket: Socket) => refuseUnread({}, socket))
  const others: net.Server[] = []
  const alsoListen = (address: string): Promise<Result<void, 'busy' | 'forbidden' | 'unknown'>> => {
    const { port: taken } = server.address() as AddressInfo
    const other = net.createServer({ noDelay: true }, (socket) => server.emit('connection', socket))
    other.maxConnections = connectionsMax
    return new Promise((resolve) => {
      other.once('error', (error: NodeJS.ErrnoException) => {
        const reasons: Record<string, 'busy' | 'forbidden'> = { EADDRINUSE: 'busy', EACCES: 'forbidden' }
        resolve(failWith(reasons[error.code ?? ''] ?? 'unknown'))
      })
      other.listen({ port: taken, host: address, exclusive: true }, () => {
        others.push(other)
        resolve(succeed(undefined))
      })
    })
  }
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(failWith('busy'))
      else if (error.code === 'EACCES') resolve(failWith('forbidden'))
      else reject(error)
    })
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      resolve(
        succeed({
          port: (server.address() as AddressInfo).port,
          leadTo(listener, taken) {
            lead = listener
            upgrades = taken
            led.resolve(listener)
          },
          alsoListen: (address) => alsoListen(address),
          async close() {
            for (const other of others) other.close()
            await closeServer(server, drainMs)
          },
        }),
      )
    })
  })
}

const refuseUnread = answerUnread((reason) => ({
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
  body: JSON.stringify({ error: 'bad_request', message: unreadMessages[reason] }),
}))

const unreadMessages = {
  malformed: 'This is no HTTP request that is served here',
  headers_too_large: 'The headers are too large',
  too_slow: 'The request was not complete in time',
} as const

/** Methods that no request of the web platform may have. */
const foreignMethods: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK'])

export interface SeenRequest {
  readonly url: string
  /** Names that the caller may not say anything under. */
  isForeign(name: string): boolean
  readonly added: Readonly<Record<string, string>>
}

/** Undefined for what cannot be a request of the web platform. */
export function toRequest(incoming: IncomingMessage, outgoing: ServerResponse, seen: SeenRequest): Request | undefined {
  const { method = 'GET', rawHeaders } = incoming
  if (foreignMethods.has(method)) return undefined
  const headers: [string, string][] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (!seen.isForeign(name.toLowerCase())) headers.push([name, rawHeaders[at + 1] ?? ''])
  }
  headers.push(...Object.entries(seen.added))
  const left = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort(new DOMException('The client has left', 'AbortError'))
  })
  const hasBody =
    method !== 'GET' &&
    method !== 'HEAD' &&
    (incoming.headers['transfer-encoding'] !== undefined || Number(incoming.headers['content-length'] ?? 0) > 0)
  const init = hasBody ? { body: bodyOf(incoming), duplex: 'half' } : {}
  return new Request(seen.url, { method, headers, signal: left.signal, ...init } as RequestInit)
}

/** As the reader asks for it: a body that nobody reads stays with the client. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let isOver = false
  return new ReadableStream<Uint8Array>(
    {
      start(reader) {
        const end = (act: () => void) => {
          if (isOver) return
          isOver = true
          act()
        }
        incoming.on('data', (piece: Buffer) => {
          if (isOver) return
          reader.enqueue(new Uint8Array(piece))
          incoming.pause()
        })
        incoming.pause()
        incoming.once('end', () => end(() => reader.close()))
        incoming.once('error', (error) => end(() => reader.error(error)))
        incoming.once('close', () => end(() => reader.error(new Error('the client left before the end of its body'))))
      },
      pull() {
        incoming.resume()
      },
      cancel() {
        isOver = true
        incoming.resume()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Resolves when the answer was handed to the connection whole, or nobody takes it any more. */
export async function writeAnswer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: Response,
): Promise<void> {
  const { status, headers, body } = answer
  const said = headersOf(headers)
  if (body === null || incoming.method === 'HEAD' || outgoing.destroyed) {
    if (body === null && status !== 204 && status !== 304 && incoming.method !== 'HEAD') said['content-length'] = '0'
    outgoing.writeHead(status, said).end()
    await body?.cancel()
    return
  }
  const length = knownLength(body)
  if (length !== undefined) said['content-length'] = String(length)
  const reader = body.getReader()
  const leave = () => void reader.cancel(new Error('the client has left')).catch(() => undefined)
  outgoing.once('close', leave)
  try {
    const first = await reader.read()
    if (first.done) {
      if (length === undefined) said['content-length'] = '0'
      outgoing.writeHead(status, said).end()
      return
    }
    // Most answers are there whole: they are sent with their length, and as one piece.
    let next: Next | undefined
    const coming = reader.read()
    void coming.then((one) => {
      next = one
    }, ignore)
    for (let turns = 0; turns < patientTurns && next === undefined; turns += 1) await undefined
    if (next?.done === true) {
      if (length === undefined) said['content-length'] = String(first.value.byteLength)
      endWith(outgoing.writeHead(status, said), first.value)
      return
    }
    outgoing.writeHead(status, said)
    await put(outgoing, first.value)
    for (let piece = await coming; !piece.done; piece = await reader.read()) await put(outgoing, piece.value)
    outgoing.end()
  } catch (error) {
    // What was promised cannot be kept: the client is to see that the answer is cut.
    if (outgoing.headersSent) outgoing.destroy()
    else throw error
  } finally {
    outgoing.off('close', leave)
  }
}

/** A text is joined to the headers and costs one write; at a byte a sign it is the very bytes. Larger ones are dearer to copy. */
function endWith(outgoing: ServerResponse, { buffer, byteOffset, byteLength }: Uint8Array): void {
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  if (byteLength > joinedBytesMax) outgoing.end(bytes)
  else outgoing.end(bytes.toString('latin1'), 'latin1')
}

const joinedBytesMax = 4_096

type Next = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>

/** In so many turns of its promises a body that is whole has told that it ends. */
const patientTurns = 8

function ignore(): void {}

function headersOf(headers: Headers): Record<string, string | string[]> {
  const said: Record<string, string | string[]> = {}
  for (const [name, value] of headers) if (name !== 'set-cookie') said[name] = value
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) said['set-cookie'] = cookies
  return said
}

function put(outgoing: ServerResponse, piece: Uint8Array): Promise<void> | undefined {
  if (outgoing.write(piece) || outgoing.destroyed) return undefined
  return new Promise((resolve) => {
    const go = () => {
      outgoing.off('drain', go)
      outgoing.off('close', go)
      resolve()
    }
    outgoing.on('drain', go)
    outgoing.on('close', go)
  })
}
