/** Who may ask the tools over a port: programs of this machine that were given the token, and no page of any browser. */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { constantTimeEqual } from '#shared/http/constant-time-equal.ts'
import { isOwnHost, isOwnOrigin } from './boundary.ts'
import { allOf, type Listener } from './guarded-listener.ts'
import { failureBody } from './render-failure.ts'
import { securityHeaders } from './security-headers.ts'

export const sensesPath = '/mcp'

interface Refusal {
  readonly status: 401 | 403 | 404
  readonly code: 'refused' | 'not-found'
  readonly message: string
}

export function sensesGate(inner: Listener, token: string, port: () => number): Listener {
  const wanted = digest(`Bearer ${token}`)
  return function gate(request, response) {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value)
    const refusal = refusalOf(request, wanted, port())
    if (refusal === undefined) return inner(request, response)
    answer(request, response, refusal)
    return undefined
  }
}

function refusalOf(request: IncomingMessage, wanted: Uint8Array, port: number): Refusal | undefined {
  // A page that has its own name point to this machine sends that name; one that asks across origins sends its origin.
  if (!isOwnHost(allOf(request, 'host'), port))
    return { status: 403, code: 'refused', message: 'this server answers only under its own loopback address' }
  if (!isOwnOrigin(allOf(request, 'origin'), port))
    return { status: 403, code: 'refused', message: 'requests of pages are not answered' }
  const given = allOf(request, 'authorization')
  if (given.length !== 1 || !constantTimeEqual(digest(given[0] ?? ''), wanted))
    return { status: 401, code: 'refused', message: 'the token that was printed at the start goes into Authorization' }
  if (request.url !== sensesPath) return { status: 404, code: 'not-found', message: `the tools are at ${sensesPath}` }
  return undefined
}

function answer(request: IncomingMessage, response: ServerResponse, { status, ...failure }: Refusal): void {
  const body = failureBody(failure)
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', Buffer.byteLength(body))
  response.setHeader('Cache-Control', 'no-store')
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer realm="index"')
  // What is left of a body is not read: the connection ends with the answer.
  if (!request.complete) response.setHeader('Connection', 'close')
  response.end(request.method === 'HEAD' ? undefined : body)
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}
