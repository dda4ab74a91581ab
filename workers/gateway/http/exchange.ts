import type { Context } from 'hono'
import type { JsonRecord } from '#shared/kernel/json-record.ts'
import { readTraceParent } from '#shared/telemetry/trace-context.ts'
import type { Canceller } from '../core/cancellation.ts'
import { errorObject } from '../core/error-object.ts'
import type { Failure, FailureCode } from '../core/failure.ts'
import type { KeyGrant } from '../core/keys/key-record.ts'
import { messageError } from '../core/messages/message-error.ts'
import { retryAfterSecondsAssumed } from '../limits.ts'
import type { AnswerBody, CallContext, ClientEnd } from '../ports.ts'
import type { BodyRecord } from './body-record.ts'
import type { ResponseConnection } from './response-socket.ts'

/** What belongs to one request and travels with it. */
export interface Exchange {
  readonly Bindings: {
    readonly client: ClientEnd
    /** Asked by the host itself for the owner, past the network; no key is looked at. */
    readonly isOwner?: true
    /** The connection that the request is a turn of. */
    readonly connection?: ResponseConnection
  }
  readonly Variables: {
    readonly requestId: string
    readonly client: ClientEnd
    /** Fires when the client leaves. */
    readonly abort: Canceller
    /** The path of the route as it is declared; undefined until one is found. */
    readonly route: string | undefined
    /** Why the request was refused. */
    readonly failed: Failure | undefined
    /** Fields of the request that the answer does not follow, as the client named them. */
    readonly ignored: readonly string[] | undefined
    /** Whose words an error has; undefined: the reference's. */
    readonly dialect: 'messages' | undefined
    /** What the key of the request may do; undefined before it was judged, and on open routes. */
    readonly grant: KeyGrant | undefined
    /** The request as it was sent, where that tells how the conversation began. */
    readonly began: JsonRecord | undefined
    /** Notes what is said, where the owner of the key keeps it. */
    readonly said: BodyRecord | undefined
  }
}

export type ExchangeContext = Context<Exchange>

export function callContext(c: ExchangeContext): CallContext {
  const [grant, route] = [c.get('grant'), c.get('route')]
  const account = grant === undefined || route === undefined ? {} : { account: { grant, route } }
  c.get('said')?.called()
  const trace = readTraceParent(c.req.header('traceparent'))
  return { requestId: c.get('requestId'), signal: c.get('abort').signal, ...account, trace, began: c.get('began') }
}

const statuses = {
  bad_request: 400,
  context_length_exceeded: 400,
  previous_response_not_found: 400,
  unsupported: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  request_too_large: 413,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  internal_error: 500,
  upstream_error: 502,
  overloaded: 503,
  not_configured: 503,
} as const satisfies Record<FailureCode, number>

/** What every answer carries. Given when the answer is made: headers set afterwards cost a table of their own. */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    'request-id': requestId,
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'x-request-id, openai-model, retry-after, x-gateway-ignored, x-gateway-estimated',
  }
}

/** Every answer of the gateway is made here. */
export function respond(
  c: ExchangeContext,
  body: AnswerBody,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  const ignored = c.get('ignored')
  const told = ignored === undefined || ignored.length === 0 ? {} : { 'x-gateway-ignored': ignored.join(', ') }
  return c.get('client').answer(c.get('said')?.passed(body, status) ?? body, status, {
    ...headers,
    ...told,
    ...commonHeaders(c.get('requestId')),
  })
}

export function failureResponse(
  c: ExchangeContext,
  failed: Failure,
  more: Readonly<Record<string, string>> = {},
): Response {
  c.set('failed', failed)
  const { status, body, headers } = failureReply(failed, c.get('dialect'), c.get('requestId'))
  return respond(c, body, status, { ...headers, ...more })
}

/** The only place where a code meets its status. */
export function failureReply(failed: Failure, dialect?: 'messages', requestId?: string) {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (failed.passedOn !== undefined) return { ...failed.passedOn, headers }
  const wait =
    failed.retryAfterSeconds ?? (failed.code === 'rate_limit_exceeded' ? retryAfterSecondsAssumed : undefined)
  if (wait !== undefined) headers['retry-after'] = String(wait)
  // The official client would ask again; nothing changes until an owner does something.
  if (failed.code === 'not_configured' || failed.code === 'insufficient_quota') headers['x-should-retry'] = 'false'
  const told = dialect === 'messages' ? messageError(failed, requestId) : errorObject(failed)
  return { status: statusOf(failed.code, dialect), body: JSON.stringify(told), headers }
}

/** The messages dialect has a status of its own for a provider that is too busy. */
function statusOf(code: FailureCode, dialect: 'messages' | undefined): number {
  return code === 'overloaded' && dialect === 'messages' ? 529 : statuses[code]
}

export function jsonResponse(
  c: ExchangeContext,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return respond(c, JSON.stringify(body), 200, { 'content-type': 'application/json', ...headers })
}
