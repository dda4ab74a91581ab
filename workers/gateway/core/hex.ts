const digitCodes = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))
const decoder = new TextDecoder()

/** Bytes as lower-case hexadecimal digits. */
export function hexOf(bytes: Uint8Array): string {
  const codes = new Uint8Array(2 * bytes.length)
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number
    codes[2 * index] = digitCodes[byte >>> 4] as number
    codes[2 * index + 1] = digitCodes[byte & 15] as number
  }
  return decoder.decode(codes)
}
