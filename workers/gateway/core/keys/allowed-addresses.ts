import { isWithin, parseIpAddress, parseNetwork } from '#shared/network/ip-address.ts'

/** Whether that is an address or a network of addresses, as a key may have it. */
export function isNetworkText(text: string): boolean {
  return parseNetwork(text) !== undefined
}

/** Whether a key opens for a caller at that address; one that nobody knows is none of those that are allowed. */
export function mayCallFrom(allowed: readonly string[], caller: string | undefined): boolean {
  if (allowed.length === 0) return true
  const address = caller === undefined ? undefined : parseIpAddress(caller)
  if (address === undefined) return false
  return allowed.some((text) => {
    const network = parseNetwork(text)
    return network !== undefined && isWithin(address, network)
  })
}
