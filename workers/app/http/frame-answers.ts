import type { Context, Env, Hono } from 'hono'
import { requestIdOf } from '#shared/http/request-id.ts'
import { failure } from '../core/failure.ts'
import { storageReasonOf } from '../core/operating/storage-fault.ts'
import { sayFor } from '../core/reason/say.ts'
import { requestIdCharactersMax } from '../limits.ts'
import type { AppDeps } from '../ports.ts'
import { renderFailure } from './render-failure.ts'

export interface Framed extends Env {
  Variables: { requestId: string }
}

const securityHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const

/** What every answer has, whatever it says: a request id, headers against misuse, and a line in the log for a fault. */
export function frameAnswers<E extends Framed>(
  app: Hono<E>,
  deps: Pick<AppDeps, 'clock' | 'identifiers' | 'logger' | 'telemetry'>,
): void {
  app.use(async (c: Context<E>, next) => {
    const requestId = requestIdOf(c.req.raw.headers.get('x-request-id'), requestIdCharactersMax, () =>
      deps.identifiers.next(),
    )
    const startedMs = deps.clock.nowMs()
    c.set('requestId', requestId)
    await next()
    for (const [name, value] of Object.entries(securityHeaders)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value)
    }
    c.res.headers.set('x-request-id', requestId)
    deps.telemetry?.ended(
      {
        kind: 'request',
        method: c.req.method,
        route: c.req.routePath,
        status: c.res.status,
        requestId,
        startMs: startedMs,
        tookMs: deps.clock.nowMs() - startedMs,
      },
      c.req.raw.headers.get('traceparent'),
    )
    if (c.res.status >= 500) {
      // Every failure has left as the one shape: the log says what the caller was told.
      const { error, message } = await c.res.clone().json<{ error: string; message: string }>()
      deps.logger.error('request_failed', {
        request_id: requestId,
        method: c.req.method,
        route: c.req.routePath,
        status: c.res.status,
        error,
        message,
        ms: deps.clock.nowMs() - startedMs,
      })
    }
  })
  app.onError((cause, c) => {
    deps.logger.error('request_crashed', { request_id: c.get('requestId'), route: c.req.routePath, cause })
    const storage = storageReasonOf(cause)
    const failed = storage === undefined ? failure('internal', { kind: 'internal' }) : failure('unavailable', storage)
    return renderFailure(failed, sayFor(c.req.raw.headers))
  })
}
