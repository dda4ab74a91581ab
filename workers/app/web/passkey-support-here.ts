import { type PasskeySupport, passkeySupport } from './model/passkey-support.ts'

/** Of the page as it is open now. */
export function passkeySupportHere(): PasskeySupport {
  const hasCredentials = typeof PublicKeyCredential === 'function'
  return passkeySupport({ hostname: location.hostname, isSecure: isSecureContext, hasCredentials })
}
