/** Stands before routing, on Node's raw request: who may reach the server at all, and with which credentials. */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { constantTimeEqual } from '#shared/http/constant-time-equal.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { nameRequest } from '../../listen/name-request.ts'
import { type Failure, failure } from '../core/failure.ts'
import { statusOf } from '../core/failure-status.ts'
import { browserAuthPath } from '../core/raw-paths.ts'
import { type BoundaryRules, refuseRequest } from '../core/request-boundary.ts'
import { type BasicCredentials, basicCredentials } from './basic-credentials.ts'
import type { BrowserAuth } from './browser-auth.ts'
import type { PasswordThrottle } from './password-throttle.ts'
import { failureBody } from './render-failure.ts'
import { securityHeaders } from './security-headers.ts'

export type RawListener = (request: IncomingMessage, response: ServerResponse) => void

export interface GuardRules extends BoundaryRules {
  readonly credentials: BasicCredentials | undefined
  /** With both, either of them opens the server. */
  readonly browserAuth: BrowserAuth | undefined
  /** Whether it has a page, to which a browser is led that signed in. */
  readonly hasPage?: boolean
  /** Absent where the password is one that nobody guesses. */
  readonly throttle?: PasswordThrottle | undefined
}

/** Where the exchange of the token ends. A person who opened the address goes on from there to the page. */
const signedInPath = '/health'

const ownHeaders = Object.entries(securityHeaders)

/** `rules` is read at the first request: the port is known only once the server listens. */
export function guardRequests(rules: () => GuardRules, next: RawListener): RawListener {
  return function guarded(request, response) {
    for (const [name, value] of ownHeaders) response.setHeader(name, value)
    nameRequest(request, response)
    const current = rules()
    const { browserAuth } = current
    if (browserAuth !== undefined && request.url?.split('?', 1)[0] === browserAuthPath) {
      const cookie = exchangeToken(request, current, browserAuth)
      if (cookie.ok) welcomeBrowser(response, cookie.value, signedInPath)
      else refuse(request, response, cookie.failure, current)
      return
    }
    const refused = judgeRequest(request, current)
    if (refused !== undefined) return refuse(request, response, refused, current)
    if (current.hasPage === true && request.url === signedInPath && request.headers['sec-fetch-mode'] === 'navigate')
      response.setHeader('refresh', '0; url=/')
    next(request, response)
  }
}

export function judgeRequest(request: IncomingMessage, rules: GuardRules): Failure | undefined {
  return refuseRequest(factsOf(request), rules) ?? refuseCaller(request, rules)
}

/** How to do better, for a caller without valid credentials. A browser would ask for a password that there is not. */
export function challengeOf(refused: Failure, rules: GuardRules): Readonly<Record<string, string>> {
  if (refused.code !== 'unauthorized') return {}
  const { retryAfterSeconds } = refused
  return {
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    'www-authenticate': `${rules.credentials === undefined ? 'Cookie' : 'Basic'} realm="Secure Area"`,
  }
}

export function refuse(request: IncomingMessage, response: ServerResponse, refused: Failure, rules: GuardRules): void {
  const body = failureBody(refused)
  response.writeHead(statusOf(refused.code), {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...challengeOf(refused, rules),
    ...(refused.code === 'method_not_allowed' ? { allow: 'GET' } : {}),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** The token is taken off the request before anything else sees it, and only a GET of ours uses it up. */
export function exchangeToken(
  request: IncomingMessage,
  rules: GuardRules,
  browserAuth: BrowserAuth,
): Result<string, Failure> {
  const facts = factsOf(request)
  request.url = browserAuthPath
  const foreign = refuseRequest(facts, rules)
  if (foreign !== undefined) return failWith(foreign)
  if (request.method !== 'GET') {
    return failWith(refuseCaller(request, rules) ?? failure('method_not_allowed', { kind: 'methods', names: 'GET' }))
  }
  const sent = new URLSearchParams(facts.target.slice(browserAuthPath.length)).getAll('token')
  const cookie = browserAuth.exchange(sent, authorityOf(facts.hosts))
  if (cookie !== undefined) return succeed(cookie)
  return failWith(failure('unauthorized', { kind: 'address_used' }))
}

export function welcomeBrowser(response: ServerResponse, cookie: string, location: string): void {
  const headers = { location, 'set-cookie': cookie, 'cache-control': 'no-store', 'content-length': 0 }
  response.writeHead(303, headers).end()
}

function authorityOf(hosts: readonly string[]): string {
  return hosts[0]?.toLowerCase() ?? ''
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

export function refuseCaller(
  request: IncomingMessage,
  { credentials, browserAuth, throttle }: GuardRules,
): Failure | undefined {
  if (credentials === undefined && browserAuth === undefined) return undefined
  const [hosts, origins, authorizations, cookies] = valuesOf(request, ['host', 'origin', 'authorization', 'cookie'])
  const authority = authorityOf(hosts)
  const isSignedIn = browserAuth?.accepts(cookies, authority) === true
  const refused = refusePassword(request, authorizations, credentials, isSignedIn ? undefined : throttle)
  if (refused === undefined) return undefined
  if (!isSignedIn) return refused
  if (isSafe(request) || (origins.length === 1 && origins[0] === `http://${authority}`)) return undefined
  return failure('forbidden', { kind: 'origin_missing' })
}

/** Where too many were wrong, the right one is not looked at either: its answer would tell it apart. */
function refusePassword(
  { socket }: IncomingMessage,
  authorizations: readonly string[],
  expected: BasicCredentials | undefined,
  throttle: PasswordThrottle | undefined,
): Failure | undefined {
  const unauthorized = failure('unauthorized', { kind: 'credentials' })
  const sent = authorizations.length === 1 ? basicCredentials(authorizations[0]) : undefined
  if (expected === undefined || sent === undefined) return unauthorized
  const address = socket.remoteAddress ?? ''
  const seconds = provenSockets.has(socket) ? 0 : (throttle?.secondsToWait(address) ?? 0)
  if (seconds > 0) {
    return { ...failure('unauthorized', { kind: 'passwords', seconds }), retryAfterSeconds: seconds }
  }
  // Digests have one length, so the comparison takes the same time whatever was sent.
  if (!constantTimeEqual(digestOf(sent), digestOf(expected))) {
    provenSockets.delete(socket)
    throttle?.wrong(address)
    return unauthorized
  }
  provenSockets.add(socket)
  throttle?.right(address)
  return undefined
}

/** Connections over which the right password came: whoever holds one is not shut out by his neighbours. */
const provenSockets = new WeakSet<Socket>()

/** A page may open a socket anywhere, with the cookies of the host: it counts as a change. */
function isSafe(request: IncomingMessage): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? '') && request.headers.upgrade === undefined
}

function digestOf(credentials: BasicCredentials): Uint8Array {
  return createHash('sha256')
    .update(JSON.stringify([credentials.username, credentials.password]))
    .digest()
}
