/** Of the service that knows by info hash what other sites have: where it is, and which of its sites is the owner's. */
import { usualReseedAddress } from '../vocabulary.ts'

export function reseedAddressOf({ address }: { readonly address: string }): string {
  return address === '' ? usualReseedAddress : address
}

/** Of an address with or without its scheme; a site is the same with `www` and without. */
export function hostOf(address: string): string | undefined {
  const written = /^https?:\/\//i.test(address) ? address : `https://${address}`
  return URL.canParse(written) ? new URL(written).host.replace(/^www\./, '') : undefined
}

/** Its number of the owner's site, by any of the hosts that it has; undefined where it does not know it. */
export function sidOf(addresses: readonly string[], sidsByHost: Readonly<Record<string, number>>): number | undefined {
  const host = addresses.map(hostOf).find((one) => one !== undefined && Object.hasOwn(sidsByHost, one))
  return host === undefined ? undefined : sidsByHost[host]
}
