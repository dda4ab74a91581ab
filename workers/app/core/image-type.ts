/** Tells images by their first bytes. Only kinds that cannot carry script are known; everything else is none. */
export function imageType(bytes: Uint8Array): string | undefined {
  const starts = (...head: readonly number[]) => head.every((byte, index) => bytes[index] === byte)
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (starts(0x47, 0x49, 0x46, 0x38)) return 'image/gif'
  if (starts(0x52, 0x49, 0x46, 0x46) && [0x57, 0x45, 0x42, 0x50].every((byte, index) => bytes[index + 8] === byte))
    return 'image/webp'
  if (starts(0x00, 0x00, 0x01, 0x00) && bytes.length >= 22) return 'image/x-icon'
  return undefined
}
