/** What a proxy in front says of a request: read from the owner's own proxies, taken off everywhere else. */
import {
  type IpAddress,
  isWithin,
  type Network,
  parseIpAddress,
  parseNetwork,
  textOfAddress,
} from '#shared/network/ip-address.ts'
import { forwardedHopsMax } from './limits.ts'

/** An address or a network of the owner's own proxies. */
export type TrustedProxy = Network

/** As in `--trusted-proxy`: `127.0.0.1`, `10.0.0.0/8`, `fd00::/8`; undefined for anything else. */
export const readTrustedProxy: (text: string) => TrustedProxy | undefined = parseNetwork

/** Whatever a caller could make up about itself. The first is how the script is told, by its platform or by this host. */
export const forwardingHeaders: readonly string[] = [
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'cf-visitor',
  'true-client-ip',
  'x-real-ip',
  'x-client-ip',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-server',
]

/**
 * The caller's address in `X-Forwarded-For`. Each proxy adds the address it saw at the end, so only what the owner's own
 * proxies added is true: the first address from the right that is none of theirs. Undefined where nothing is said, or
 * nothing that can be read.
 */
export function callerInChain(chain: string | null, proxies: readonly Network[]): string | undefined {
  if (chain === null) return undefined
  let caller: IpAddress | undefined
  const hops = chain.split(',').slice(-forwardedHopsMax)
  for (const hop of hops.reverse()) {
    const address = parseHop(hop.trim())
    if (address === undefined) break
    caller = address
    if (!proxies.some((proxy) => isWithin(address, proxy))) break
  }
  return caller === undefined ? undefined : textOfAddress(caller)
}

/** Some proxies add the caller's port. */
function parseHop(hop: string): IpAddress | undefined {
  const bracketed = /^\[([^\]]*)\](?::[0-9]{1,5})?$/.exec(hop)?.[1]
  const withPort = /^([0-9.]+):[0-9]{1,5}$/.exec(hop)?.[1]
  return parseIpAddress(bracketed ?? withPort ?? hop)
}
