import { isIpv4, parseIpAddress, textOfAddress, textOfNetwork } from '#shared/network/ip-address.ts'

/** One customer of a provider has at least so much, and chooses freely in it. */
const ownNetworkBits = 64

/**
 * Where a request comes from, as attempts are counted: an IPv4 address, or the /64 of an IPv6 one. The platform sets the
 * header on the edge; on one's own machine the host does, for callers behind a proxy that the owner named, and takes it
 * from everybody else: without it the caller is this machine.
 */
export function callerAddress(headers: Headers): string {
  const told = headers.get('cf-connecting-ip')
  if (told === null) return 'local'
  const address = parseIpAddress(told)
  if (address === undefined) return 'unknown'
  return isIpv4(address) ? textOfAddress(address) : textOfNetwork(address, ownNetworkBits)
}
