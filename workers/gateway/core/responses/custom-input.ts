const opening = /^\s*\{\s*"input"\s*:\s*"/
const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '"': '"',
  '\\': '\\',
  '/': '/',
}

/** Reads the text of `{"input":"…"}` while it arrives in pieces cut anywhere, escapes included. */
export class CustomInput {
  #raw = ''
  /** How much of `#raw` is decoded; 0 until the text has begun. */
  #offset = 0
  #isOver = false

  /** The newly readable text. */
  accept(piece: string): string {
    this.#raw += piece
    if (this.#isOver) return ''
    if (this.#offset === 0) {
      const match = opening.exec(this.#raw)
      if (match === null) return ''
      this.#offset = match[0].length
    }
    let text = ''
    while (this.#offset < this.#raw.length) {
      const sign = this.#raw.charAt(this.#offset)
      if (sign === '"') {
        this.#isOver = true
        break
      }
      const length = sign !== '\\' ? 1 : this.#raw.charAt(this.#offset + 1) === 'u' ? 6 : 2
      if (this.#offset + length > this.#raw.length) break
      text += sign === '\\' ? unescaped(this.#raw.slice(this.#offset, this.#offset + length)) : sign
      this.#offset += length
    }
    return text
  }
}

function unescaped(sequence: string): string {
  if (sequence.charAt(1) === 'u') return String.fromCharCode(Number.parseInt(sequence.slice(2), 16))
  return escapes[sequence.charAt(1)] ?? ''
}
