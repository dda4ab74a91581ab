/** Connections of messages on Node: the handshake, frames with a bound, and one message of a client at a time. */
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RawData, WebSocket, WebSocketServer } from 'ws'
import { succeed } from '#shared/kernel/result.ts'
import { takeInTurn } from '#shared/sockets/take-in-turn.ts'
import type { ClientEnd, GatewayRequest, SocketPeer, SocketTaker } from '../../workers/gateway/ports.ts'
import { type CallerOf, NodeAnswer, peerOf } from './node-client-end.ts'
import { requestOf } from './node-listener.ts'

type Serve = (request: GatewayRequest, client: ClientEnd) => Promise<Response>

const goingAway = 1001

export function asksForSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

export function responseSockets(serve: Serve, messageBytesMax: number, callerOf: CallerOf = peerOf) {
  let handshakes: WebSocketServer | undefined
  // Most gateways are never asked for one, and their start does not wait for it.
  const opened = async () => {
    const { WebSocketServer: Handshakes } = await import('ws')
    handshakes ??= new Handshakes({ noServer: true, maxPayload: messageBytesMax, perMessageDeflate: false })
    return handshakes
  }
  return {
    async onUpgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
      socket.on('error', () => socket.destroy())
      let accepted: ((peer: SocketPeer) => SocketTaker) | undefined
      const client: ClientEnd = {
        address: callerOf(incoming),
        readBody: async () => succeed(new Uint8Array()),
        onLeave: (leave) => void socket.once('close', leave),
        // The router hands an answer on as it is.
        answer: (body, status, headers) => new NodeAnswer(body, status, headers) as unknown as Response,
        upgrade(accept) {
          accepted = accept
          return new NodeAnswer(null, 101, {}) as unknown as Response
        },
      }
      const { status, content, headers } = (await serve(requestOf(incoming), client)) as unknown as NodeAnswer
      const accept = accepted
      if (accept !== undefined) {
        const ready = await opened()
        return ready.handleUpgrade(incoming, socket, head, (peer) => attach(peer, accept))
      }
      const body = typeof content === 'string' ? content : ''
      const told = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' }
      const lines = Object.entries(told).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`)
    },
    /** Tells every client that the server goes; who does not answer in time is cut off. */
    close(graceMs: number): void {
      for (const peer of handshakes?.clients ?? []) {
        peer.close(goingAway)
        setTimeout(() => peer.terminate(), graceMs).unref()
      }
      handshakes?.close()
    },
  }
}

function attach(peer: WebSocket, accept: (peer: SocketPeer) => SocketTaker): void {
  // A message that broke its bound, or a connection that broke off: `close` follows.
  peer.on('error', () => undefined)
  const taker = accept({
    send: (text) => new Promise((sent) => peer.send(text, () => sent())),
    close: (code) => peer.close(code),
  })
  takeInTurn<RawData>(peer, (data) => taker.take(textOf(data)))
  peer.on('close', () => taker.leave())
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString()
  return data instanceof ArrayBuffer ? Buffer.from(data).toString() : data.toString()
}
