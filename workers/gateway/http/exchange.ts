import type { Context } from 'hono'
import { errorObject } from '../core/error-object.ts'
import type { Failure, FailureCode } from '../core/failure.ts'
import type { CallContext, ClientEnd } from '../ports.ts'

/** What belongs to one request and travels with it. */
export interface Exchange {
  readonly Bindings: { readonly client?: ClientEnd }
  readonly Variables: {
    readonly requestId: string
    readonly client: ClientEnd
    /** Fires when the client leaves. */
    readonly abort: AbortController
  }
}

export type ExchangeContext = Context<Exchange>

export function callContext(c: ExchangeContext): CallContext {
  return { requestId: c.get('requestId'), signal: c.get('abort').signal }
}

const statuses = {
  bad_request: 400,
  unsupported: 400,
  unauthorized: 401,
  not_found: 404,
  method_not_allowed: 405,
  request_too_large: 413,
  rate_limit_exceeded: 429,
  internal_error: 500,
  upstream_error: 502,
  not_configured: 503,
} as const satisfies Record<FailureCode, number>

/** The only place where a code meets its status. */
export function failureResponse(failed: Failure): Response {
  if (failed.passedOn !== undefined) {
    return new Response(failed.passedOn.body, {
      status: failed.passedOn.status,
      headers: { 'content-type': 'application/json' },
    })
  }
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (failed.retryAfterSeconds !== undefined) headers['retry-after'] = String(failed.retryAfterSeconds)
  // The official client would ask again; nothing changes until an owner does something.
  if (failed.code === 'not_configured') headers['x-should-retry'] = 'false'
  return new Response(JSON.stringify(errorObject(failed)), { status: statuses[failed.code], headers })
}

export function jsonResponse(body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json', ...headers } })
}
