/** Random identifiers and digests, on the Web Crypto API that every runtime has. */
import { toBase64Url } from '../core/bytes.ts'
import type { Identifiers } from '../ports/runtime.ts'

const secretBytes = 32
const identifierBytes = 9

export const randomIdentifiers: Identifiers = {
  next: () => toBase64Url(crypto.getRandomValues(new Uint8Array(identifierBytes))),
  secret: () => toBase64Url(crypto.getRandomValues(new Uint8Array(secretBytes))),
}

export async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}
