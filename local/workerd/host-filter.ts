/**
 * Which `Host` may reach the Worker on one's own machine. A page of any site can make a browser send requests to a
 * loopback port under the site's own name; the name is what gives it away.
 */

export interface HostRule {
  /** The port that browsers and programs were told. */
  readonly port: number
  /** Names beside the loopback ones: `name` with any port (a proxy in front has its own), `name:port` exactly. */
  readonly extraHosts: readonly string[]
  /** Where browsers find this service from outside: `https://wharf.example`, `https://nas.example/wharf`. */
  readonly publicUrls: readonly string[]
}

const loopbackNames: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']
const hostShape = /^(\[[0-9a-f:.]+\]|[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*)(?::([0-9]{1,5}))?$/
const httpPort = 80

export function isAllowedHost(host: string | null, rule: HostRule): boolean {
  if (host === null) return false
  const parts = hostShape.exec(host.toLowerCase())
  const name = parts?.[1]
  if (name === undefined) return false
  if (publicOriginOf(host, rule) !== undefined) return true
  const port = parts?.[2] === undefined ? httpPort : Number(parts[2])
  if (loopbackNames.includes(name)) return port === rule.port
  return rule.extraHosts.some((extra) => extra === name || extra === `${name}:${port}`)
}

/** The public origin that a request with this `Host` was sent to; undefined for every other way in. */
export function publicOriginOf(host: string | null, rule: Pick<HostRule, 'publicUrls'>): string | undefined {
  if (host === null || !hostShape.test(host.toLowerCase())) return undefined
  for (const url of rule.publicUrls) {
    const { origin, protocol } = new URL(url)
    const asked = `${protocol}//${host}`
    if (URL.canParse(asked) && new URL(asked).origin === origin) return origin
  }
  return undefined
}

/** Whether a public address is one of several things under its name. */
export function hasPath(publicUrl: string): boolean {
  return new URL(publicUrl).pathname !== '/'
}

/** An address as its owner writes it, as an origin; undefined for what is more or less than one. */
export function normaliseOrigin(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { origin, href, host } = new URL(text)
  return href === `${origin}/` && hostShape.test(host) ? origin : undefined
}

/** Unreserved characters of RFC 3986 alone: what no proxy writes another way. */
const basePathShape = /^(?:\/(?!\.{1,2}(?:\/|$))[a-z0-9._~-]+)*$/i
/** Below these the service has addresses of its own, and a proxy may have taken the path off already. */
const takenPaths = /^\/(?:api|assets|docs|healthz|mcp|metrics|readyz|torznab)(?:\/|$)/

/** An address of the service: an origin, with a path where the name is shared; without a slash at its end. */
export function normalisePublicUrl(text: string): string | undefined {
  const [, start = '', path = ''] = /^(https?:\/\/[^/?#]*)(.*?)\/?$/i.exec(text) ?? []
  const origin = normaliseOrigin(start)
  return origin === undefined || !basePathShape.test(path) || takenPaths.test(path) ? undefined : `${origin}${path}`
}

/** A name given by the owner, as the filter compares it; undefined when no `Host` could ever look like it. */
export function normaliseExtraHost(text: string): string | undefined {
  const lowered = text.toLowerCase()
  return hostShape.test(lowered) ? lowered : undefined
}
