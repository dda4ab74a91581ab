/**
 * A name that fits into paths, from what tells rows apart: often an address, which may carry the key. 128 bits of FNV-1a
 * hashes: equal rows get equal names in every search, and the address cannot be read back.
 */
export function rowIdentifier(text: string): string {
  const plain = /^[A-Za-z0-9._-]{1,64}$/.exec(text)?.[0]
  if (plain !== undefined) return plain
  let name = ''
  for (let part = 0; part < 4; part += 1) {
    let hash = 0x811c9dc5 ^ (part * 0x9e3779b1)
    for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
    name += (hash >>> 0).toString(16).padStart(8, '0')
  }
  return name
}
