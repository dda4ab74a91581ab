import { bearerToken } from '#shared/http/bearer-token.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../core/failure.ts'
import type { Principal } from '../core/principal.ts'
import type { AppDeps } from '../ports.ts'

/** `__Host-` binds the cookie to this very host, which browsers allow only over https. */
export const sessionCookieName = { plain: 'wharf_session', secure: '__Host-wharf_session' } as const

export const unauthorized = failure('unauthorized', { kind: 'account.unauthorized' })

/** The session cookie of a request. Over https only the host-bound one counts. */
export function sessionCookie(headers: Headers, isHttps: boolean): string | undefined {
  const header = headers.get('cookie')
  if (header === null) return undefined
  const wanted = isHttps ? sessionCookieName.secure : sessionCookieName.plain
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    if (equals !== -1 && pair.slice(0, equals).trim() === wanted) return pair.slice(equals + 1).trim()
  }
  return undefined
}

/**
 * Finds out who is calling. A valid session wins over a token; an invalid one is as good as none. The answer is the
 * same for an unknown, wrong, expired and revoked credential.
 */
export async function authenticate(
  deps: Pick<AppDeps, 'credentials' | 'logger'>,
  request: Request,
  accepts: 'token_or_session' | 'session',
): Promise<Result<Principal, Failure>> {
  const url = new URL(request.url)
  const cookie = sessionCookie(request.headers, url.protocol === 'https:')
  const token = accepts === 'session' ? undefined : bearerToken(request.headers.get('authorization') ?? undefined)
  try {
    if (cookie !== undefined) {
      const known = await deps.credentials.bySession(cookie)
      if (known !== undefined) return refuseForeignPage(request, url, known.principal)
    }
    const known = token === undefined ? undefined : await deps.credentials.byToken(token)
    return known === undefined ? failWith(unauthorized) : succeed(known.principal)
  } catch (cause) {
    deps.logger.error('credential_store_failed', { cause })
    return failWith(failure('unavailable', { kind: 'account.unreadable' }))
  }
}

/**
 * The browser sends the cookie by itself, also for a request another page made. A write with the cookie therefore needs
 * an `Origin` equal to ours and, where it has a body, the JSON type that such a page cannot send.
 */
function refuseForeignPage(request: Request, url: URL, principal: Principal): Result<Principal, Failure> {
  if (request.method === 'GET' || request.method === 'HEAD') {
    return request.headers.get('sec-fetch-site') === 'cross-site'
      ? failWith(failure('forbidden', { kind: 'account.foreign_page' }))
      : succeed(principal)
  }
  return isOwnPage(request, url) ? succeed(principal) : failWith(failure('forbidden', { kind: 'account.foreign_page' }))
}

export function isOwnPage(request: Request, url: URL): boolean {
  if (request.headers.get('origin') !== url.origin) return false
  const hasBody = request.body !== null && request.headers.get('content-length') !== '0'
  return !hasBody || /^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')
}
