/** Hosts that the owner lets a command reach: `name`, for the two ports of the web, or `name:port`. */
const namePattern = /^(?=.{1,253}(?::|$))[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?(?::[1-9]\d{0,4})?$/

export function readHost(text: string): string | undefined {
  const host = text.toLowerCase().replace(/\.(?=:|$)/, '')
  return namePattern.test(host) && Number(host.split(':')[1] ?? 1) <= 65_535 ? host : undefined
}

export function isGrantedHost(hosts: readonly string[], name: string, port: number): boolean {
  const host = name.toLowerCase().replace(/\.$/, '')
  return hosts.includes(`${host}:${port}`) || ((port === 443 || port === 80) && hosts.includes(host))
}

/** A name may come to mean this machine or its network; only what says so itself leads there. */
export function namesOwnNetwork(name: string): boolean {
  return name.toLowerCase() === 'localhost' || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name)
}
