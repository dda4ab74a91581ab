const bytesOf = (text: string) => Array.from(text, (character) => character.charCodeAt(0))
const head = bytesOf('{"contentBlockIndex":')
const beforeText = bytesOf(',"delta":{"text":"')
const afterText = bytesOf('"}')
const beforePadding = bytesOf(',"p":"')
const afterPadding = bytesOf('"}')

const [quote, backslash, zero, closing, space, delete_] = [0x22, 0x5c, 0x30, 0x7d, 0x20, 0x7f]
const indexDigitsMax = 9
/** Longer texts are put together faster by the platform. */
const joinedMax = 40
const characters = Array.from({ length: delete_ }, (_, code) => String.fromCharCode(code))
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

interface PlainText {
  readonly kind: 'text'
  readonly block: number
  readonly text: string
  /** Nothing in it is escaped where it is written as JSON. */
  readonly isPlain: true
}

/** The words of a language come again and again: one that was read lately is not put together anew. By its hash. */
const lately: string[] = Array.from({ length: 1_024 }, () => '')

function textIn(bytes: Uint8Array, start: number, end: number, hash: number): string {
  const place = hash & (lately.length - 1)
  const known = lately[place] as string
  if (isTextOf(known, bytes, start, end)) return known
  let text = ''
  for (let at = start; at < end; at += 1) text += characters[bytes[at] as number] as string
  lately[place] = text
  return text
}

function isTextOf(text: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (text.length !== end - start) return false
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) !== bytes[start + at]) return false
  return true
}

/**
 * A piece of text as the provider writes it, when nothing in it is escaped; undefined: it is written otherwise. Most
 * events of most streams are such, and to read one from its bytes costs a tenth of decoding and parsing it.
 */
export function readPlainText(bytes: Uint8Array, start: number, end: number): PlainText | undefined {
  const indexStart = behind(head, bytes, start, end)
  const indexEnd = behindDigits(bytes, indexStart, end)
  const textStart = behind(beforeText, bytes, indexEnd, end)
  if (textStart < 0) return undefined
  let at = textStart
  let hash = 0
  let isAscii = true
  for (; at < end; at += 1) {
    const code = bytes[at] as number
    if (code === quote) break
    if (code === backslash || code < space) return undefined
    if (code >= delete_) isAscii = false
    hash = (hash * 31 + code) | 0
  }
  const block = indexIn(bytes, indexStart, indexEnd)
  if (!isClosed(bytes, behind(afterText, bytes, at, end), end)) return undefined
  const isShort = isAscii && at - textStart <= joinedMax
  const text = isShort ? textIn(bytes, textStart, at, hash) : decoder.decode(bytes.subarray(textStart, at))
  return { kind: 'text', block, text, isPlain: true }
}

/** Where the bytes after `wanted` begin; below 0 when they are not there, or nothing before them was. */
function behind(wanted: readonly number[], bytes: Uint8Array, at: number, end: number): number {
  if (at < 0 || at + wanted.length > end) return -1
  for (let index = 0; index < wanted.length; index += 1) if (bytes[at + index] !== wanted[index]) return -1
  return at + wanted.length
}

/** The same behind a number as JSON writes one. */
function behindDigits(bytes: Uint8Array, at: number, end: number): number {
  if (at < 0) return -1
  let place = at
  while (place < end && isDigit(bytes[place] as number)) place += 1
  const digits = place - at
  return digits === 0 || digits > indexDigitsMax || (digits > 1 && bytes[at] === zero) ? -1 : place
}

function indexIn(bytes: Uint8Array, start: number, end: number): number {
  let index = 0
  for (let at = start; at < end; at += 1) index = index * 10 + (bytes[at] as number) - zero
  return index
}

/** Whether nothing follows but what the provider pads its events with. */
function isClosed(bytes: Uint8Array, at: number, end: number): boolean {
  if (at >= 0 && at === end - 1) return bytes[at] === closing
  let place = behind(beforePadding, bytes, at, end)
  if (place < 0) return false
  while (place < end && isAlphanumeric(bytes[place] as number)) place += 1
  return behind(afterPadding, bytes, place, end) === end
}

function isDigit(code: number): boolean {
  return code >= zero && code < zero + 10
}

function isAlphanumeric(code: number): boolean {
  const letter = code | 0x20
  return isDigit(code) || (letter >= 0x61 && letter <= 0x7a)
}
