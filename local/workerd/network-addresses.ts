/** By which addresses this machine is reached from its networks. */
import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Of a wildcard all that there are now: each is listened on, and named in a `Host`, by itself. */
export function addressesFor(listen: string): string[] {
  if (listen !== '0.0.0.0' && listen !== '::') return listen === '127.0.0.1' ? [] : [listen]
  return Object.values(networkInterfaces())
    .flatMap((one) => one ?? [])
    .filter(
      ({ family, internal, address }) => !internal && !isLinkLocal(address) && (family === 'IPv4' || listen === '::'),
    )
    .map(({ address }) => address)
}

/** These need the name of an interface beside them, which no `Host` has. */
function isLinkLocal(address: string): boolean {
  return /^fe[89ab]/i.test(address)
}

/** As a browser writes it. */
export function hostOf(address: string, port: number): string {
  if (!isIPv6(address)) return `${address}:${port}`
  return new URL(`http://[${address}]:${port}`).host
}
