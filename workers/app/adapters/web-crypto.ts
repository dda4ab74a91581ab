/** Random identifiers and digests. */
import { createHash } from 'node:crypto'
import { toBase64Url } from '../core/bytes.ts'
import type { Identifiers } from '../ports/runtime.ts'

const secretBytes = 32
const identifierBytes = 9

export const randomIdentifiers: Identifiers = {
  next: () => toBase64Url(crypto.getRandomValues(new Uint8Array(identifierBytes))),
  secret: () => toBase64Url(crypto.getRandomValues(new Uint8Array(secretBytes))),
}

/** By the module that both runtimes have: the Web Crypto API leaves the thread for it, which costs more than the digest. */
export function sha256(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}
