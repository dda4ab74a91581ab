/** Whether passkeys can be used where the page is open: `no_name` is an address of numbers, which browsers keep none for. */
export type PasskeySupport = 'ready' | 'no_name' | 'none'

export function passkeySupport(place: {
  readonly hostname: string
  readonly isSecure: boolean
  readonly hasCredentials: boolean
}): PasskeySupport {
  if (place.hostname.startsWith('[') || /^\d+(\.\d+)*$/.test(place.hostname)) return 'no_name'
  return place.isSecure && place.hasCredentials ? 'ready' : 'none'
}
