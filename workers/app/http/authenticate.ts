import { bearerToken } from '#shared/http/bearer-token.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { basePathAt } from '../core/base-path.ts'
import { type Failure, failure } from '../core/failure.ts'
import { storageReasonOf } from '../core/operating/storage-fault.ts'
import type { Principal } from '../core/principal.ts'
import type { AppDeps } from '../ports.ts'

/** What our cookies are known by: over https, with which port, empty for the scheme's own, and below which path. */
interface CookieSite {
  readonly isHttps: boolean
  readonly port: string
  readonly basePath: string
}

export type CookieKind = 'session' | 'browser'

/**
 * Browsers keep the cookies of all ports of a host together, so the port is part of the name: two services on one
 * machine do not sign each other out. `__Host-` binds a cookie to this very host, which browsers allow only over https
 * and only for the whole of it: below a path it would be shown to whatever else has this name.
 */
function cookieName(kind: CookieKind, { isHttps, port, basePath }: CookieSite): string {
  const prefix = basePath === '' ? '__Host-' : '__Secure-'
  return `${isHttps ? prefix : ''}wharf_${kind}${port === '' ? '' : `_${port}`}`
}

function cookieSiteOf(url: string, basedAt: readonly string[]): CookieSite {
  const { protocol, port } = new URL(url)
  return { isHttps: protocol === 'https:', port, basePath: basePathAt(url, basedAt) }
}

/** `url`: of the request that is answered with it. */
export function writeCookie(
  kind: CookieKind,
  value: string,
  maxAgeSeconds: number,
  url: string,
  { basedAt }: Pick<AppDeps, 'basedAt'>,
): string {
  const site = cookieSiteOf(url, basedAt)
  const bounds = `Path=${site.basePath}/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${site.isHttps ? '; Secure' : ''}`
  return `${cookieName(kind, site)}=${value}; ${bounds}`
}

export const unauthorized = failure('unauthorized', { kind: 'account.unauthorized' })

/** A cookie of ours in a request. Over https only the one that is bound to it counts. */
export function readCookie(
  kind: CookieKind,
  { headers, url }: Pick<Request, 'headers' | 'url'>,
  { basedAt }: Pick<AppDeps, 'basedAt'>,
): string | undefined {
  const header = headers.get('cookie')
  if (header === null) return undefined
  const wanted = cookieName(kind, cookieSiteOf(url, basedAt))
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
  deps: Pick<AppDeps, 'basedAt' | 'credentials' | 'logger' | 'publicOrigins'>,
  request: Request,
  accepts: 'token_or_session' | 'session' | 'token',
): Promise<Result<Principal, Failure>> {
  const cookie = accepts === 'token' ? undefined : readCookie('session', request, deps)
  const token = accepts === 'session' ? undefined : bearerToken(request.headers.get('authorization') ?? undefined)
  try {
    if (cookie !== undefined) {
      const known = await deps.credentials.bySession(cookie)
      if (known !== undefined) return refuseForeignPage(request, deps.publicOrigins, known.principal)
    }
    const known = token === undefined ? undefined : await deps.credentials.byToken(token)
    return known === undefined ? failWith(unauthorized) : succeed(known.principal)
  } catch (cause) {
    deps.logger.error('credential_store_failed', { cause })
    return failWith(failure('unavailable', storageReasonOf(cause) ?? { kind: 'account.unreadable' }))
  }
}

/**
 * The browser sends the cookie by itself, also for a request another page made. A write with the cookie therefore needs
 * an `Origin` equal to ours and, where it has a body, the JSON type that such a page cannot send.
 */
function refuseForeignPage(
  request: Request,
  publicOrigins: readonly string[],
  principal: Principal,
): Result<Principal, Failure> {
  if (request.method === 'GET' || request.method === 'HEAD') {
    return request.headers.get('sec-fetch-site') === 'cross-site'
      ? failWith(failure('forbidden', { kind: 'account.foreign_page' }))
      : succeed(principal)
  }
  return isOwnPage(request, publicOrigins)
    ? succeed(principal)
    : failWith(failure('forbidden', { kind: 'account.foreign_page' }))
}

export function isOwnPage(request: Request, publicOrigins: readonly string[]): boolean {
  const origin = request.headers.get('origin')
  if (origin === null || (origin !== new URL(request.url).origin && !publicOrigins.includes(origin))) return false
  const hasBody = request.body !== null && request.headers.get('content-length') !== '0'
  return !hasBody || /^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')
}
