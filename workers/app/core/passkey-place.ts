/** Where a browser shows the console: authenticators bind a passkey to the host, and browsers tell the origin. */
export interface PasskeyPlace {
  readonly origin: string
  readonly host: string
}

/** Undefined for an address without a name: browsers keep no passkeys for those. */
export function passkeyPlace(origin: string): PasskeyPlace | undefined {
  const host = new URL(origin).hostname
  const isNumber = host.startsWith('[') || /^\d+(\.\d+)*$/.test(host)
  return isNumber || host === '' ? undefined : { origin, host }
}
