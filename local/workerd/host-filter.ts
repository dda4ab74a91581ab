/**
 * Which `Host` may reach the Worker on one's own machine. A page of any site can make a browser send requests to a
 * loopback port under the site's own name; the name is what gives it away.
 */

export interface HostRule {
  /** The port that browsers and programs were told. */
  readonly port: number
  /** Names beside the loopback ones: `name` with any port (a proxy in front has its own), `name:port` exactly. */
  readonly extraHosts: readonly string[]
}

const loopbackNames: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']
const hostShape = /^(\[[0-9a-f:.]+\]|[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*)(?::([0-9]{1,5}))?$/
const httpPort = 80

export function isAllowedHost(host: string | null, rule: HostRule): boolean {
  if (host === null) return false
  const parts = hostShape.exec(host.toLowerCase())
  const name = parts?.[1]
  if (name === undefined) return false
  const port = parts?.[2] === undefined ? httpPort : Number(parts[2])
  if (loopbackNames.includes(name)) return port === rule.port
  return rule.extraHosts.some((extra) => extra === name || extra === `${name}:${port}`)
}

/** A name given by the owner, as the filter compares it; undefined when no `Host` could ever look like it. */
export function normaliseExtraHost(text: string): string | undefined {
  const lowered = text.toLowerCase()
  return hostShape.test(lowered) ? lowered : undefined
}
