import type { Clock } from '#shared/kernel/clock.ts'
import { Canceller } from '../core/cancellation.ts'
import { failure } from '../core/failure.ts'
import type { Metrics } from '../core/metrics.ts'
import { redactedCause } from '../core/redaction.ts'
import type { Log, Random } from '../ports.ts'
import { type ExchangeContext, failureResponse, respond } from './exchange.ts'

/** The one the client sent, or a new one. */
export function requestIdOf(sent: string | null | undefined, random: Random): string {
  return sent ? sent : `req-${random.hex(8)}`
}

export type Handle = (c: ExchangeContext) => Promise<Response> | Response

/** Gives every request its id and abort signal, answers when its handler breaks, and writes one log line. */
export function requestContext(deps: {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly metrics: Metrics
}): (c: ExchangeContext, handle: Handle) => Promise<Response> {
  return async function inRequestContext(c, handle) {
    const requestId = requestIdOf(c.req.header('x-request-id'), deps.random)
    const { client } = c.env
    const abort = new Canceller()
    client.onLeave(() => abort.abort(new Error('the client left')))
    c.set('requestId', requestId)
    c.set('client', client)
    c.set('abort', abort)
    const startedMs = deps.clock.nowMs()

    let answer: Response
    try {
      answer = await handle(c)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      deps.log({ level: 'error', event: 'bug', requestId, message: error.message, stack: error.stack })
      answer = failureResponse(c, failure('internal_error', 'the gateway failed'))
    }

    const failed = c.get('failed')
    const route = c.get('route')
    deps.metrics.request(route ?? '', answer.status)
    deps.log({
      level: answer.status >= 500 ? 'error' : 'info',
      event: 'request',
      requestId,
      method: c.req.method,
      route,
      status: answer.status,
      code: failed?.code,
      cause: redactedCause(failed?.cause),
      ms: deps.clock.nowMs() - startedMs,
    })
    return answer
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
