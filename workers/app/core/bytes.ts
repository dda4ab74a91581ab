/** The text forms of bytes. */

const hexOfBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += hexOfBytes[byte]
  return text
}

export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/** So many arguments a call takes at once. */
const chunkBytes = 8192

export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = []
  for (let start = 0; start < bytes.byteLength; start += chunkBytes)
    pieces.push(toCharacters(bytes.subarray(start, start + chunkBytes)))
  return btoa(pieces.join(''))
}

/** Handed over as they are: spread into arguments, bytes are counted out one by one. */
function toCharacters(bytes: Uint8Array): string {
  return Reflect.apply(String.fromCharCode, undefined, bytes)
}

/** The Worker's runtime writes it itself, many times as fast. */
interface SelfWriting {
  toBase64?(form: { readonly alphabet: 'base64url'; readonly omitPadding: true }): string
}

export function toBase64Url(bytes: Uint8Array & SelfWriting): string {
  if (bytes.toBase64 !== undefined) return bytes.toBase64({ alphabet: 'base64url', omitPadding: true })
  return toBase64(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

/** Accepts base64 and base64url. Undefined for anything else. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
