import type { MiddlewareHandler } from 'hono'
import { bearerToken } from '#shared/http/bearer-token.ts'
import { failure } from '../core/failure.ts'
import type { KeyCheck } from '../ports.ts'
import { type Exchange, failureResponse } from './exchange.ts'

/** Lets a request of the route through when it carries the key. Without a configured key nothing is let through. */
export function authenticate(keys: KeyCheck, route: string): MiddlewareHandler<Exchange> {
  return async function authenticateRequest(c, next) {
    c.set('route', route)
    if (route.includes('/messages')) c.set('dialect', 'messages')
    const verdict = await keys.judge(bearerToken(c.req.header('authorization')) ?? c.req.header('x-api-key'))
    if (verdict === 'accepted') return next()
    return failureResponse(
      c,
      verdict === 'refused'
        ? failure('unauthorized', 'the API key is missing or wrong')
        : failure('not_configured', 'the gateway has no API key configured'),
    )
  }
}
