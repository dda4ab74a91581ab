/** What a file sent inline really is: the first bytes tell, not the name. */
export function sniffImage(bytes: Uint8Array): 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | undefined {
  const starts = (...expected: number[]) => expected.every((byte, index) => bytes[index] === byte)
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (starts(0x47, 0x49, 0x46, 0x38) && (bytes[4] === 0x37 || bytes[4] === 0x39) && bytes[5] === 0x61)
    return 'image/gif'
  const isRiff = starts(0x52, 0x49, 0x46, 0x46)
  if (isRiff && [0x57, 0x45, 0x42, 0x50].every((byte, index) => bytes[index + 8] === byte)) return 'image/webp'
  return undefined
}

const mimeByEnding = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['pdf', 'application/pdf'],
  ['md', 'text/markdown'],
  ['html', 'text/html'],
  ['css', 'text/css'],
  ['json', 'application/json'],
])

/** Type of a file by its name; text where the name says nothing. */
export function mimeOfName(name: string): string {
  const dot = name.lastIndexOf('.')
  return (dot < 0 ? undefined : mimeByEnding.get(name.slice(dot + 1).toLowerCase())) ?? 'text/plain'
}
