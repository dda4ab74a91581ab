/** Puts the boundary and the security headers around a request listener of Node. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { answerUnread } from '#shared/http/unread-request.ts'
import { nameRequest } from '../../listen/name-request.ts'
import { bodyBytesMax, bodyMsMax, headersBytesMax, headersMsMax, keepAliveMs } from '../limits.ts'
import { type Refusal, refuse } from './boundary.ts'
import { failureBody } from './render-failure.ts'
import { securityHeaders } from './security-headers.ts'

export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

export function guardedListener(inner: Listener, port: () => number): Listener {
  return function guard(request, response) {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value)
    nameRequest(request, response)
    const refusal = refuse(
      {
        method: request.method ?? '',
        target: request.url ?? '',
        hosts: allOf(request, 'host'),
        origins: allOf(request, 'origin'),
        contentType: request.headers['content-type'],
        contentLength: request.headers['content-length'],
        hasBody:
          request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0,
        marker: request.headers['x-viewer-ui'] as string | undefined,
        port: port(),
      },
      bodyBytesMax,
    )
    return refusal === undefined ? inner(request, response) : answerRefusal(request, response, refusal)
  }
}

/** Node folds repeated headers into one; whether there were several matters here. */
export function allOf(request: IncomingMessage, name: string): string[] {
  const found: string[] = []
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    if (request.rawHeaders[at]?.toLowerCase() === name) found.push(request.rawHeaders[at + 1] ?? '')
  }
  return found
}

function answerRefusal(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  const body = refusal.isJson ? failureBody({ code: refusal.code, message: refusal.message }) : `${refusal.message}\n`
  response.statusCode = refusal.status
  response.setHeader('Content-Type', refusal.isJson ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8')
  response.setHeader('Content-Length', Buffer.byteLength(body))
  response.setHeader('Cache-Control', 'no-store')
  if (refusal.allow !== undefined) response.setHeader('Allow', refusal.allow)
  // What is left of a body is not read: the connection ends with the answer.
  if (!request.complete && request.headers['content-length'] !== '0') response.setHeader('Connection', 'close')
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** A server within our bounds. */
export function guardedServer(listener: Listener, connectionsMax: number): Server {
  // A missing Host is ours to refuse: Node would answer it without our headers.
  const server = createServer({ maxHeaderSize: headersBytesMax, requireHostHeader: false }, listener)
  guardServer(server, listener)
  server.maxConnections = connectionsMax
  server.headersTimeout = headersMsMax
  server.requestTimeout = bodyMsMax
  server.keepAliveTimeout = keepAliveMs
  return server
}

/** Answers that Node would otherwise send by itself, without our headers. */
export function guardServer(server: Server, listener: Listener): void {
  server.on('checkExpectation', listener)
  server.on('connect', (_request: IncomingMessage, socket: Duplex) =>
    rawAnswer(socket, 405, 'Method Not Allowed', { Allow: 'GET, HEAD, POST, DELETE' }),
  )
  server.on('upgrade', (_request: IncomingMessage, socket: Duplex) => rawAnswer(socket, 404, 'Not Found', {}))
  server.on(
    'clientError',
    answerUnread(() => ({ headers: securityHeaders, body: '' })),
  )
}

function rawAnswer(socket: Duplex, status: number, reason: string, headers: Readonly<Record<string, string>>): void {
  const lines = Object.entries({ ...securityHeaders, ...headers, 'Content-Length': '0', Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('\r\n')}\r\n\r\n`)
}
