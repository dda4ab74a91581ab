const tables = buildTables()

/** Four tables let the loop take four bytes at a time; the polynomial is the one of gzip. */
function buildTables(): readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array] {
  const first = new Uint32Array(256)
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
    first[byte] = value >>> 0
  }
  const next = (table: Uint32Array) => table.map((value) => ((value >>> 8) ^ (first[value & 0xff] ?? 0)) >>> 0)
  const second = next(first)
  const third = next(second)
  return [first, second, third, next(third)]
}

/** CRC-32 of `bytes[start, end)`, as an unsigned number. */
export function crc32(bytes: Uint8Array, start = 0, end = bytes.length): number {
  const [zero, one, two, three] = tables
  let crc = 0xffffffff
  let index = start
  for (; index + 4 <= end; index += 4) {
    crc ^=
      (bytes[index] as number) |
      ((bytes[index + 1] as number) << 8) |
      ((bytes[index + 2] as number) << 16) |
      ((bytes[index + 3] as number) << 24)
    crc =
      (three[crc & 0xff] as number) ^
      (two[(crc >>> 8) & 0xff] as number) ^
      (one[(crc >>> 16) & 0xff] as number) ^
      (zero[crc >>> 24] as number)
  }
  for (; index < end; index += 1) crc = (crc >>> 8) ^ (zero[(crc ^ (bytes[index] as number)) & 0xff] as number)
  return ~crc >>> 0
}
