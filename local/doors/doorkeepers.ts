/** Who is let in to the agent server and to the viewer, and how each says no. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { failure } from '../agent/core/failure.ts'
import { browserAuthPath } from '../agent/core/raw-paths.ts'
import type { BasicCredentials } from '../agent/http/basic-credentials.ts'
import { refuseBrokenMessage } from '../agent/http/broken-message.ts'
import type { BrowserAuth } from '../agent/http/browser-auth.ts'
import {
  exchangeToken,
  type GuardRules,
  guardRequests,
  judgeRequest,
  refuse,
  refuseCaller,
  welcomeBrowser,
} from '../agent/http/guard.ts'
import type { PasswordThrottle } from '../agent/http/password-throttle.ts'
import { asksForSocket, refuseUpgrade } from '../agent/http/upgrade.ts'
import { guardedListener, guardServer } from '../viewer/http/guarded-listener.ts'
import type { Doorkeeper } from './door.ts'

/** Both absent: the door is open to every user of this machine. */
export interface DoorRules {
  readonly credentials: BasicCredentials | undefined
  readonly browserAuth: BrowserAuth | undefined
  readonly throttle: PasswordThrottle | undefined
}

const unavailable = failure('backend_unavailable', { kind: 'not_started' })

function guardRules(rules: DoorRules, port: number): GuardRules {
  return { ...rules, boundHostname: '127.0.0.1', port, acceptsAnyHost: false }
}

/** Refuses as the agent server itself does. */
export function agentDoorkeeper(rules: DoorRules, port: () => number): Doorkeeper {
  const current = () => ({ ...guardRules(rules, port()), hasPage: true })
  return {
    asksForSocket,
    request: (pass) => guardRequests(current, pass),
    upgrade: (pass) => (request, socket, head) => {
      const refused = judgeRequest(request, current())
      if (refused === undefined) pass(request, socket, head)
      else void refuseUpgrade(socket, refused, current())
    },
    unavailable: (request, response) => refuse(request, response, unavailable, current()),
    attach(server, listener) {
      server.on('clientError', refuseBrokenMessage)
      server.on('checkExpectation', listener)
    },
  }
}

/** First what the viewer itself refuses, in its order; then callers without credentials. */
export function viewerDoorkeeper(rules: DoorRules, port: () => number): Doorkeeper {
  return {
    request: (pass) =>
      guardedListener((request, response) => {
        const current = guardRules(rules, port())
        if (current.browserAuth !== undefined && request.url?.split('?', 1)[0] === browserAuthPath) {
          const cookie = exchangeToken(request, current, current.browserAuth)
          if (cookie.ok) welcomeBrowser(response, cookie.value, '/')
          else say(request, response, 401, cookie.failure.message)
          return
        }
        const refused = refuseCaller(request, current)
        if (refused === undefined) pass(request, response)
        else say(request, response, refused.code === 'unauthorized' ? 401 : 403, refused.message)
      }, port),
    unavailable: (request, response) => say(request, response, 503, unavailable.message),
    attach: guardServer,
  }
}

function say(request: IncomingMessage, response: ServerResponse, status: 401 | 403 | 503, message: string): void {
  const isApi = request.url === '/api' || request.url?.startsWith('/api/') === true
  const code = status === 503 ? 'internal' : 'refused'
  const body = isApi ? JSON.stringify({ error: message, code }) : `${message}\n`
  if (status === 401) response.setHeader('WWW-Authenticate', 'Basic realm="Secure Area"')
  // What is left of a body is not read: the connection ends with the answer.
  if (!request.complete && request.headers['content-length'] !== '0') response.setHeader('Connection', 'close')
  response.writeHead(status, {
    'Content-Type': isApi ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}
