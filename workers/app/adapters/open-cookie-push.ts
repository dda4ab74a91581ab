/** Opens what the owner's browser pushed. */

import { fromBase64 } from '../core/bytes.ts'
import { openingOf, type PushSeal } from '../core/cookie-push.ts'

/** Undefined for what was sealed with something else, or with nothing. */
export async function openCookiePush(
  seal: PushSeal,
  encrypted: string,
  passphrase: string,
): Promise<string | undefined> {
  const sealed = fromBase64(encrypted)
  const opening = sealed === undefined ? undefined : openingOf(seal, sealed, passphrase)
  if (opening === undefined) return undefined
  try {
    const key = await crypto.subtle.importKey('raw', opening.key, 'AES-CBC', false, ['decrypt'])
    const text = await crypto.subtle.decrypt({ name: 'AES-CBC', iv: opening.iv }, key, opening.text)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text)
  } catch {
    return undefined
  }
}
