import { bearerToken } from '#shared/http/bearer-token.ts'
import { failure } from '../core/failure.ts'
import { keyFailure } from '../core/keys/key-failure.ts'
import { masterGrant } from '../core/keys/key-record.ts'
import type { KeyCheck } from '../ports.ts'
import { type ExchangeContext, failureResponse } from './exchange.ts'

/** Refuses a request of the route unless it carries a key. Without a configured key nothing is let through. */
export function authenticate(
  keys: KeyCheck,
  route: string,
  isForOwner: boolean,
): (c: ExchangeContext) => Promise<Response | undefined> {
  return async function authenticateRequest(c) {
    c.set('route', route)
    // The list of models is of two dialects: clients of this one name its version with every request.
    const isMessages = route.includes('/models')
      ? c.req.header('anthropic-version') !== undefined
      : route.includes('/messages')
    if (isMessages) c.set('dialect', 'messages')
    const verdict = c.env.isOwner === true ? undefined : await keys.judge(presentedBy(c, route))
    if (verdict?.ok === false) {
      return failureResponse(
        c,
        verdict.failure === 'unknown'
          ? failure('not_configured', 'the gateway has no API key configured')
          : keyFailure(verdict.failure),
      )
    }
    const grant = verdict === undefined ? masterGrant : verdict.value
    if (isForOwner && grant.id !== masterGrant.id) {
      return failureResponse(c, failure('forbidden', 'keys and what they spend are for the key of the settings'))
    }
    c.set('grant', grant)
    return undefined
  }
}

function presentedBy(c: ExchangeContext, route: string) {
  const secret = bearerToken(c.req.header('authorization')) ?? c.req.header('x-api-key')
  return { secret, route, requestId: c.get('requestId'), caller: c.get('client').address }
}
