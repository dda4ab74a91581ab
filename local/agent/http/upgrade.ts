/** Requests that ask to become a WebSocket: judged and routed as every other one, and refused in the same shape. */
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Hono } from 'hono'
import type { Failure } from '../core/failure.ts'
import { terminalSocketPath } from '../core/raw-paths.ts'
import type { ConnectTerminal } from '../ports.ts'
import { challengeOf, type GuardRules, judgeRequest } from './guard.ts'
import { renderFailure } from './render-failure.ts'
import { securityHeaders } from './security-headers.ts'

const socketPath = new RegExp(`^${terminalSocketPath.replace(/\{\w+\}/, '[^/?]+')}(?:\\?|$)`)

/** Elsewhere, and with another protocol, the wish is one that may be ignored: the request is answered as it is. */
export function asksForSocket({ method, url, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && socketPath.test(url ?? '')
}

type TakeOver = (request: IncomingMessage, socket: Duplex, head: Buffer, connect: ConnectTerminal) => Promise<void>

export function serveUpgrades(app: Hono, rules: () => GuardRules, takeOver: TakeOver) {
  return async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => undefined)
    const current = rules()
    const refused = judgeRequest(request, current)
    if (refused !== undefined) return refuseUpgrade(socket, refused, current)
    let accepted: ConnectTerminal | undefined
    const accept = (connect: ConnectTerminal) => {
      accepted = connect
    }
    const answer = await app.fetch(toWebRequest(request), { accept })
    if (accepted === undefined) return end(socket, answer)
    if (!socket.destroyed) await takeOver(request, socket, head, accepted)
  }
}

export function refuseUpgrade(socket: Duplex, refused: Failure, rules: GuardRules): Promise<void> {
  return end(socket, renderFailure(refused, challengeOf(refused, rules)))
}

function toWebRequest(request: IncomingMessage): Request {
  const headers = new Headers()
  for (const [name, values] of Object.entries(request.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  return new Request(`http://localhost${request.url ?? '/'}`, { headers })
}

/** The connection is of no more use: its client expects no answer but this one. */
async function end(socket: Duplex, answer: Response): Promise<void> {
  const body = await answer.text()
  const headers = {
    ...securityHeaders,
    ...Object.fromEntries(answer.headers),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`, ...lines, '', body].join('\r\n'))
}
