/**
 * What is refused before a request is routed. A browser lets every page reach a loopback server, so the facts that a
 * page cannot forge (Host, Origin, Sec-Fetch-Site) are judged on the raw request, first.
 */
import { type Failure, failure } from './failure.ts'

export interface RequestFacts {
  readonly method: string
  /** Raw request target, as sent. */
  readonly target: string
  /** Every value of the header, in order: two of them are ambiguous and refused. */
  readonly hosts: readonly string[]
  readonly origins: readonly string[]
  readonly fetchSites: readonly string[]
}

export interface BoundaryRules {
  readonly boundHostname: string
  readonly port: number
  /** With a password any name may be used to reach the server. */
  readonly acceptsAnyHost: boolean
}

export function refuseRequest(facts: RequestFacts, rules: BoundaryRules): Failure | undefined {
  const [host] = facts.hosts
  if (host === undefined || facts.hosts.length !== 1) return failure('forbidden', { kind: 'host_count' })
  const authority = parseAuthority(host)
  if (authority === undefined) return failure('forbidden', { kind: 'host_malformed' })
  if (!rules.acceptsAnyHost && !isOwnAuthority(authority, rules)) {
    return failure('forbidden', { kind: 'host_foreign' })
  }
  if (facts.origins.length > 1) return failure('forbidden', { kind: 'origins' })
  const [origin] = facts.origins
  if (origin !== undefined && !isOwnOrigin(origin, host)) return failure('forbidden', { kind: 'origin_foreign' })
  if (facts.fetchSites.some((site) => site === 'cross-site' || site === 'same-site')) {
    return failure('forbidden', { kind: 'site_foreign' })
  }
  if (!isSoundTarget(facts.target)) return failure('invalid_request', { kind: 'target_malformed' })
  return climbs(facts.target) ? failure('forbidden', { kind: 'target_upwards' }) : undefined
}

interface Authority {
  readonly hostname: string
  readonly port: number
}

/** `name`, `name:port`, `[v6]` or `[v6]:port`; without a port the one of plain HTTP. */
function parseAuthority(host: string): Authority | undefined {
  const match = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::([1-9]\d{0,4}))?$/i.exec(host)
  if (match?.[1] === undefined) return undefined
  const port = match[2] === undefined ? 80 : Number(match[2])
  return port > 65_535 ? undefined : { hostname: match[1].toLowerCase(), port }
}

const ownNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

function isOwnAuthority(authority: Authority, rules: BoundaryRules): boolean {
  if (authority.port !== rules.port) return false
  if (ownNames.has(authority.hostname)) return true
  const bound = rules.boundHostname.toLowerCase()
  return authority.hostname === (bound.includes(':') ? `[${bound}]` : bound)
}

/** Behind a proxy that ends TLS the page's scheme is https while ours is not. */
function isOwnOrigin(origin: string, host: string): boolean {
  const own = host.toLowerCase()
  return origin === `http://${own}` || origin === `https://${own}`
}

/** Origin form only; no control bytes, no backslash, no fragment; in the path only escapes that mean something. */
function isSoundTarget(target: string): boolean {
  if (!/^\/[\x21-\x22\x24-\x5b\x5d-\x7e]*$/.test(target)) return false
  if (!target.includes('%')) return true
  try {
    return !decodeURIComponent(pathOf(target)).includes('\0')
  } catch {
    return false
  }
}

/** A way up, however it is spelt: what comes after this would have followed it without a word. */
function climbs(target: string): boolean {
  return /\/(?:\.|%2e){2}(?:\/|$)/i.test(pathOf(target))
}

function pathOf(target: string): string {
  const end = target.indexOf('?')
  return end < 0 ? target : target.slice(0, end)
}
