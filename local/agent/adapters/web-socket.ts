/** WebSockets on Node: the handshake, frames with a bound, and one frame of a client at a time. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import { takeInTurn } from '#shared/sockets/take-in-turn.ts'
import type { ConnectTerminal } from '../ports.ts'

interface SocketServer {
  readonly accept: (request: IncomingMessage, socket: Duplex, head: Buffer, connect: ConnectTerminal) => Promise<void>
  /** Tells every peer that the server goes; who does not answer in time is cut off. */
  close(graceMs: number): Promise<void>
}

const goingAway = 1001

export function createSocketServer(frameBytesMax: number): SocketServer {
  let opened: ReturnType<typeof openHandshakes> | undefined
  let isClosed = false
  return {
    async accept(request, socket, head, connect) {
      opened ??= openHandshakes(frameBytesMax)
      const handshakes = await opened
      if (isClosed || socket.destroyed) socket.destroy()
      else handshakes.handleUpgrade(request, socket, head, (peer) => serve(peer, connect))
    },
    async close(graceMs) {
      isClosed = true
      const handshakes = await opened
      for (const peer of handshakes?.clients ?? []) {
        peer.close(goingAway)
        setTimeout(() => peer.terminate(), graceMs).unref()
      }
      handshakes?.close()
    },
  }
}

/** Loaded with the first terminal that is looked at: no start waits for it. */
async function openHandshakes(frameBytesMax: number) {
  const { WebSocketServer } = await import('ws')
  // A frame that is larger ends the connection with 1009, before it is read.
  return new WebSocketServer({ noServer: true, maxPayload: frameBytesMax, perMessageDeflate: false })
}

function serve(peer: WebSocket, connect: ConnectTerminal): void {
  // A frame that broke its bound, or a connection that broke off: `close` follows.
  peer.on('error', () => undefined)
  const attachment = connect({
    get isOpen() {
      return peer.readyState === peer.OPEN
    },
    send: (frame) => new Promise((sent) => peer.send(frame, () => sent())),
    close: (code) => peer.close(code),
  })
  takeInTurn<RawData>(peer, (data) => attachment.onFrame(bytesOf(data)))
  peer.on('close', () => attachment.onClose())
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data
}
