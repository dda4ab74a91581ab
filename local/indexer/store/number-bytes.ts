/** Whole numbers from -1 on as bytes, seven bits in each, small ones in one: most of what is written of a file is small. */

/** In place of a number or of how long a list is: there is none. */
export const none = -1

export class NumberWriter {
  #bytes = new Uint8Array(4096)
  #length = 0

  put(number: number): void {
    if (this.#length + 5 > this.#bytes.length) this.#widen()
    let left = number + 1
    while (left > 127) {
      this.#bytes[this.#length++] = (left & 127) | 128
      left >>>= 7
    }
    this.#bytes[this.#length++] = left
  }

  list(numbers: readonly number[]): void {
    this.put(numbers.length)
    for (let at = 0; at < numbers.length; at += 1) this.put(numbers[at] as number)
  }

  optionalList(numbers: readonly number[] | undefined): void {
    if (numbers === undefined) this.put(none)
    else this.list(numbers)
  }

  done(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #widen(): void {
    const wider = new Uint8Array(this.#bytes.length * 2)
    wider.set(this.#bytes)
    this.#bytes = wider
  }
}

export class NumberReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  readonly next = (): number => {
    let number = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) throw new RangeError('the numbers are cut off')
      number |= (byte & 127) << shift
      if (byte < 128) return number - 1
    }
  }

  list<T>(take: () => T): T[] {
    const taken = this.optionalList(take)
    if (taken === undefined) throw new RangeError('a list is not there')
    return taken
  }

  optionalList<T>(take: () => T): T[] | undefined {
    const count = this.next()
    if (count === none) return undefined
    // What is damaged must not ask for more memory than what was written can fill.
    if (count < 0 || count > this.#bytes.length - this.#at) throw new RangeError('a list is longer than what holds it')
    const taken = new Array<T>(count)
    for (let at = 0; at < count; at += 1) taken[at] = take()
    return taken
  }
}
