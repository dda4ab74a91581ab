/** Base64 of bytes, by the platform's own conversion, in pieces that fit the argument list of one call. */
export function base64FromBytes(bytes: Uint8Array): string {
  const piece = 0x8000
  let binary = ''
  for (let offset = 0; offset < bytes.length; offset += piece) {
    binary += String.fromCharCode(...bytes.subarray(offset, offset + piece))
  }
  return btoa(binary)
}

/** Undefined for text that is not base64. */
export function bytesFromBase64(text: string): Uint8Array | undefined {
  let binary: string
  try {
    binary = atob(text)
  } catch {
    return undefined
  }
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index)
  return bytes
}

export function base64UrlFromBytes(bytes: Uint8Array): string {
  return base64FromBytes(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Only the one canonical spelling is read: two spellings of one value would be two ids for one capsule. */
export function bytesFromBase64Url(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return undefined
  const bytes = bytesFromBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
  return bytes !== undefined && base64UrlFromBytes(bytes) === text ? bytes : undefined
}

/** Undefined for what is not base64 of UTF-8. */
export function textFromBase64(base64: string): string | undefined {
  const bytes = bytesFromBase64(base64)
  if (bytes === undefined) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
