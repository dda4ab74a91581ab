import type { MiddlewareHandler } from 'hono'
import type { Clock } from '#shared/kernel/clock.ts'
import type { Metrics } from '../core/metrics.ts'
import { redactedCause } from '../core/redaction.ts'
import type { Log, Random } from '../ports.ts'
import { type Exchange, type ExchangeContext, respond } from './exchange.ts'

/** The one the client sent, or a new one. */
export function requestIdOf(sent: string | null | undefined, random: Random): string {
  return sent ? sent : `req-${random.hex(8)}`
}

/** Gives every request its id and abort signal, and writes one log line. */
export function requestContext(deps: {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly metrics: Metrics
}): MiddlewareHandler<Exchange> {
  return async function requestContextMiddleware(c, next) {
    const requestId = requestIdOf(c.req.header('x-request-id'), deps.random)
    const { client } = c.env
    const abort = new AbortController()
    client.onLeave(() => abort.abort(new Error('the client left')))
    c.set('requestId', requestId)
    c.set('client', client)
    c.set('abort', abort)
    const startedMs = deps.clock.nowMs()

    await next()

    const failed = c.get('failed')
    deps.metrics.request(c.get('route') ?? '', c.res.status)
    deps.log({
      level: c.res.status >= 500 ? 'error' : 'info',
      event: 'request',
      requestId,
      method: c.req.method,
      route: c.get('route'),
      status: c.res.status,
      code: failed?.code,
      cause: redactedCause(failed?.cause),
      ms: deps.clock.nowMs() - startedMs,
    })
  }
}

/** Answers a browser's preflight: any origin may ask, the key is the only authority. */
export function preflightResponse(c: ExchangeContext, methods: readonly string[]): Response {
  return respond(c, null, 204, {
    'access-control-allow-methods': [...methods, 'OPTIONS'].join(', '),
    'access-control-allow-headers': c.req.header('access-control-request-headers') ?? 'authorization, content-type',
    'access-control-max-age': '86400',
    vary: 'access-control-request-headers',
  })
}
