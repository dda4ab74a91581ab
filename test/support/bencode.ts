/** Bencoding as tests write and read it: trees of values, written apart from the reader under test. */

export type Bencoded = number | string | Buffer | readonly Bencoded[] | { readonly [key: string]: Bencoded }

export function bencode(value: Bencoded): Buffer {
  if (typeof value === 'number') return Buffer.from(`i${value}e`)
  if (typeof value === 'string') return bencode(Buffer.from(value))
  if (Buffer.isBuffer(value)) return Buffer.concat([Buffer.from(`${value.length}:`), value])
  if (isList(value)) return Buffer.concat([Buffer.from('l'), ...value.map(bencode), Buffer.from('e')])
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Buffer.concat([
    Buffer.from('d'),
    ...entries.flatMap(([key, item]) => [bencode(key), bencode(item)]),
    Buffer.from('e'),
  ])
}

function isList(value: Bencoded): value is readonly Bencoded[] {
  return Array.isArray(value)
}

export type Bdecoded = number | Buffer | Bdecoded[] | Map<string, Bdecoded>

/** Throws on anything that is not one whole value at the beginning. The first of two equal keys counts. */
export function bdecode(bytes: Buffer): { readonly value: Bdecoded; readonly end: number } {
  const [value, end] = decodeAt(bytes, 0)
  return { value, end }
}

function decodeAt(bytes: Buffer, at: number): [Bdecoded, number] {
  const mark = String.fromCharCode(bytes[at] ?? 0)
  if (mark === 'i') {
    const end = bytes.indexOf('e', at)
    const digits = bytes.toString('latin1', at + 1, end)
    if (end === -1 || !/^-?\d{1,19}$/.test(digits)) throw new Error('number')
    return [Number(digits), end + 1]
  }
  if (mark === 'l' || mark === 'd') {
    const items: Bdecoded[] = []
    let next = at + 1
    while (bytes[next] !== 0x65) {
      const [item, end] = decodeAt(bytes, next)
      items.push(item)
      next = end
    }
    if (mark === 'l') return [items, next + 1]
    const map = new Map<string, Bdecoded>()
    if (items.length % 2 === 1) throw new Error('a key without a value')
    for (let index = 0; index < items.length; index += 2) {
      const key = items[index]
      const value = items[index + 1]
      if (!Buffer.isBuffer(key) || value === undefined) throw new Error('key')
      if (!map.has(key.toString('latin1'))) map.set(key.toString('latin1'), value)
    }
    return [map, next + 1]
  }
  const separator = bytes.indexOf(':', at)
  const digits = bytes.toString('latin1', at, separator)
  if (separator === -1 || !/^\d{1,10}$/.test(digits)) throw new Error('length')
  const end = separator + 1 + Number(digits)
  if (end > bytes.length) throw new Error('cut')
  return [bytes.subarray(separator + 1, end), end]
}
