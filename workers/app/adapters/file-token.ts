/**
 * By which the host applies what its configuration file declares, and reads figures for its owner. It follows from the master key, which whoever can read the
 * data folder has: nothing more is stored, and a new key makes the old token worthless.
 */
import { constantTimeEqual } from '#shared/http/constant-time-equal.ts'
import { fromBase64 } from '../core/bytes.ts'
import { fileTokenPurpose, fileTokenStart } from '../core/file-token.ts'
import type { CredentialReader, KnownPrincipal } from '../ports/account.ts'

const principal: KnownPrincipal['principal'] = {
  kind: 'api_token',
  id: 'token:file',
  name: 'wharf.toml',
  scopes: ['app:configure', 'app:read'],
}

export function orFileToken(
  inner: CredentialReader['byToken'],
  masterKey: string | undefined,
): CredentialReader['byToken'] {
  const raw = masterKey === undefined ? undefined : fromBase64(masterKey)
  return async (token) => {
    if (raw === undefined || !token.startsWith(fileTokenStart)) return inner(token)
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    const wanted = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(fileTokenPurpose))
    const given = fromBase64(token.slice(fileTokenStart.length))
    return constantTimeEqual(given ?? new Uint8Array(), new Uint8Array(wanted)) ? { principal } : undefined
  }
}
