/** As much of the wire format of protocol buffers as an index in that form takes: numbers, texts and messages. */

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** What a damaged file is refused with. */
export class DamagedMessageError extends Error {}

export class MessageWriter {
  #bytes = new Uint8Array(256)
  #length = 0

  number(field: number, value: number): void {
    if (value === 0) return
    this.#varint(field * 8)
    this.#varint(value)
  }

  text(field: number, value: string): void {
    if (value !== '') this.bytes(field, encoder.encode(value))
  }

  numbers(field: number, values: readonly number[]): void {
    const packed = new MessageWriter()
    for (const one of values) packed.#varint(one)
    this.bytes(field, packed.done())
  }

  message(field: number, write: (message: MessageWriter) => void): void {
    const inner = new MessageWriter()
    write(inner)
    this.bytes(field, inner.done())
  }

  bytes(field: number, bytes: Uint8Array): void {
    this.#varint(field * 8 + 2)
    this.#varint(bytes.length)
    this.#room(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  done(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #varint(value: number): void {
    this.#room(10)
    let left = value
    while (left > 127) {
      this.#bytes[this.#length++] = (left % 128) + 128
      left = Math.floor(left / 128)
    }
    this.#bytes[this.#length++] = left
  }

  #room(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const wider = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more))
    wider.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = wider
  }
}

export interface Field {
  readonly number: number
  /** Of a number; 0 otherwise. */
  readonly value: number
  /** Of a text, a message or packed numbers; empty otherwise. */
  readonly bytes: Uint8Array
}

const nothing = new Uint8Array()

export function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++]
      if (byte === undefined || factor > 2 ** 63) throw new DamagedMessageError('a number is cut off or too long')
      value += (byte % 128) * factor
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const key = varint()
    const number = Math.floor(key / 8)
    if (number === 0) throw new DamagedMessageError('a part has no number')
    switch (key % 8) {
      case 0:
        yield { number, value: varint(), bytes: nothing }
        break
      case 1:
        at += 8
        break
      case 2: {
        const length = varint()
        if (length > bytes.length - at) throw new DamagedMessageError('a part is cut off')
        yield { number, value: 0, bytes: bytes.subarray(at, at + length) }
        at += length
        break
      }
      case 5:
        at += 4
        break
      default:
        throw new DamagedMessageError('a part is of no kind that there is')
    }
  }
}

export function textOf({ bytes }: Field): string {
  return decoder.decode(bytes)
}

/** Packed, or one of several that were written one by one. */
export function numbersOf({ value, bytes }: Field): number[] {
  if (bytes.length === 0) return [value]
  const found: number[] = []
  let factor = 1
  let number = 0
  for (const byte of bytes) {
    number += (byte % 128) * factor
    factor *= 128
    if (byte < 128) {
      found.push(number)
      number = 0
      factor = 1
    }
  }
  return found
}
