/** Stands before routing, on Node's raw request: who may reach the server at all, and with which credentials. */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { constantTimeEqual } from '#shared/http/constant-time-equal.ts'
import { statusOf } from '../contract/error.ts'
import { type Failure, failure } from '../core/failure.ts'
import { type BoundaryRules, refuseRequest } from '../core/request-boundary.ts'
import { type BasicCredentials, basicCredentials } from './basic-credentials.ts'
import { failureBody } from './render-failure.ts'
import { securityHeaders } from './security-headers.ts'

export type RawListener = (request: IncomingMessage, response: ServerResponse) => void

export interface GuardRules extends BoundaryRules {
  readonly credentials: BasicCredentials | undefined
}

const ownHeaders = Object.entries(securityHeaders)

/** `rules` is read at the first request: the port is known only once the server listens. */
export function guardRequests(rules: () => GuardRules, next: RawListener): RawListener {
  return function guarded(request, response) {
    for (const [name, value] of ownHeaders) response.setHeader(name, value)
    const current = rules()
    const refused = refuseRequest(factsOf(request), current) ?? refuseCaller(request, current.credentials)
    if (refused === undefined) {
      next(request, response)
      return
    }
    if (refused.code === 'unauthorized') response.setHeader('www-authenticate', 'Basic realm="Secure Area"')
    const body = failureBody(refused)
    response.writeHead(statusOf(refused.code), {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
}

function factsOf(request: IncomingMessage) {
  const [hosts, origins, fetchSites] = valuesOf(request, ['host', 'origin', 'sec-fetch-site'])
  return { method: request.method ?? '', target: request.url ?? '', hosts, origins, fetchSites }
}

/** Every value as sent: Node's own header object keeps only the first of some. */
function valuesOf<const N extends readonly string[]>(request: IncomingMessage, names: N): { [I in keyof N]: string[] } {
  const values = names.map((): string[] => [])
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const place = names.indexOf(request.rawHeaders[index]?.toLowerCase() ?? '')
    values[place]?.push(request.rawHeaders[index + 1] ?? '')
  }
  return values as { [I in keyof N]: string[] }
}

function refuseCaller(request: IncomingMessage, expected: BasicCredentials | undefined): Failure | undefined {
  if (expected === undefined) return undefined
  const [headers] = valuesOf(request, ['authorization'])
  const sent = headers.length === 1 ? basicCredentials(headers[0]) : undefined
  // Digests have one length, so the comparison takes the same time whatever was sent.
  const isSame = constantTimeEqual(digestOf(sent ?? { username: '', password: '' }), digestOf(expected))
  return sent !== undefined && isSame ? undefined : failure('unauthorized', 'Valid credentials are required')
}

function digestOf(credentials: BasicCredentials): Uint8Array {
  return createHash('sha256')
    .update(JSON.stringify([credentials.username, credentials.password]))
    .digest()
}
