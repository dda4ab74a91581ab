/** Bytes cut anywhere, as text without half a character at either edge. */

/** From the first whole character on. */
export function fromWhole(bytes: Buffer): string {
  let start = 0
  while (start < 4 && ((bytes[start] ?? 0) & 0b1100_0000) === 0b1000_0000) start += 1
  return bytes.toString('utf8', start)
}

/** How many bytes at the end begin a character that is not all there. */
export function openBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0b1100_0000) === 0b1000_0000) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}
