/** Addresses in the character set of a site. The platform decodes all of them and encodes into one. */

const utf8 = new TextEncoder()
const tables = new Map<string, ReadonlyMap<string, readonly number[]>>()

const doubleByte = /^(?:gbk?|gb2312|gb18030|big5|big5-hkscs|euc-kr|euc-jp|shift_jis|x-sjis|windows-949)$/

function tableOf(encoding: string): ReadonlyMap<string, readonly number[]> | undefined {
  const name = encoding.toLowerCase()
  const known = tables.get(name)
  if (known !== undefined) return known
  const decoder = decoderOf(name)
  if (decoder === undefined || decoder.encoding === 'utf-8') return undefined
  const table = new Map<string, readonly number[]>()
  const note = (...bytes: number[]) => {
    try {
      const text = decoder.decode(new Uint8Array(bytes))
      if ([...text].length === 1 && !table.has(text)) table.set(text, bytes)
    } catch {
      // No character has this code.
    }
  }
  for (let byte = 0; byte < 256; byte += 1) note(byte)
  if (doubleByte.test(name)) {
    for (let lead = 0x81; lead < 0xff; lead += 1) for (let trail = 0x40; trail < 0xff; trail += 1) note(lead, trail)
  }
  tables.set(name, table)
  return table
}

function decoderOf(name: string) {
  try {
    return new TextDecoder(name, { fatal: true, ignoreBOM: false })
  } catch {
    return undefined
  }
}

/** As a form sends it: a space is `+`. What the set does not have is sent as `?`. */
export function encodeFor(encoding: string): (text: string) => string {
  let table: ReadonlyMap<string, readonly number[]> | undefined
  let isRead = false
  return (text) => {
    if (!isRead) table = tableOf(encoding)
    isRead = true
    let result = ''
    for (const character of text) {
      if (/[A-Za-z0-9_.!*()-]/.test(character)) result += character
      else if (character === ' ') result += '+'
      else
        for (const byte of table === undefined ? utf8.encode(character) : (table.get(character) ?? [0x3f]))
          result += percent(byte)
    }
    return result
  }
}

function percent(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

export function decodeFor(encoding: string): (text: string) => string {
  return (text) => {
    if (!/[%+]/.test(text)) return text
    const bytes: number[] = []
    const source = utf8.encode(text)
    for (let at = 0; at < source.length; at += 1) {
      const code = /^%[0-9a-f]{2}/i.exec(String.fromCharCode(...source.subarray(at, at + 3)))
      if (code === null) {
        bytes.push(source[at] === 0x2b ? 0x20 : (source[at] ?? 0))
        continue
      }
      bytes.push(Number.parseInt(code[0].slice(1), 16))
      at += 2
    }
    try {
      return new TextDecoder(encoding).decode(new Uint8Array(bytes))
    } catch {
      return new TextDecoder().decode(new Uint8Array(bytes))
    }
  }
}
