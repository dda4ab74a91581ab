type Tables = readonly [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array]

/** Eight tables let the loop take eight bytes at a time; the polynomial is the one of gzip. */
function buildTables(): Tables {
  const first = new Int32Array(256)
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
    first[byte] = value
  }
  const built = [first]
  for (let last = first; built.length < 8; built.push(last)) {
    last = last.map((value) => (value >>> 8) ^ (first[value & 0xff] as number))
  }
  return built as unknown as Tables
}

const [t0, t1, t2, t3, t4, t5, t6, t7] = buildTables()

/** CRC-32 of `view[start, end)`, as an unsigned number; `before` is that of the bytes in front of them. */
export function crc32(view: DataView, start: number, end: number, before = 0): number {
  let crc = ~before
  let index = start
  for (; index + 8 <= end; index += 8) {
    const near = crc ^ view.getInt32(index, true)
    const far = view.getInt32(index + 4, true)
    crc =
      (t7[near & 0xff] as number) ^
      (t6[(near >>> 8) & 0xff] as number) ^
      (t5[(near >>> 16) & 0xff] as number) ^
      (t4[near >>> 24] as number) ^
      (t3[far & 0xff] as number) ^
      (t2[(far >>> 8) & 0xff] as number) ^
      (t1[(far >>> 16) & 0xff] as number) ^
      (t0[far >>> 24] as number)
  }
  for (; index < end; index += 1) crc = (crc >>> 8) ^ (t0[(crc ^ view.getUint8(index)) & 0xff] as number)
  return ~crc >>> 0
}
