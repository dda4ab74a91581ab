/**
 * The last bytes of a stream, found again by their position in the whole of it: how much of it there was before the
 * byte. What a reader has not read when it is dropped is gone for that reader.
 */
export class Scrollback {
  readonly #ring: Uint8Array
  #end = 0

  constructor(bytesMax: number) {
    this.#ring = new Uint8Array(bytesMax)
  }

  /** Position of the oldest byte that is kept. */
  get start(): number {
    return Math.max(0, this.#end - this.#ring.length)
  }

  /** Position that the next byte will have. */
  get end(): number {
    return this.#end
  }

  append(bytes: Uint8Array): void {
    const kept = bytes.subarray(Math.max(0, bytes.length - this.#ring.length))
    const at = (this.#end + bytes.length - kept.length) % this.#ring.length
    const head = kept.subarray(0, this.#ring.length - at)
    this.#ring.set(head, at)
    this.#ring.set(kept.subarray(head.length), 0)
    this.#end += bytes.length
  }

  /** A copy of at most `bytesMax` bytes from a position that is kept. */
  read(from: number, bytesMax: number): Uint8Array {
    const at = from % this.#ring.length
    const length = Math.min(bytesMax, this.#end - from)
    const head = this.#ring.slice(at, at + length)
    if (head.length === length) return head
    const whole = new Uint8Array(length)
    whole.set(head)
    whole.set(this.#ring.subarray(0, length - head.length), head.length)
    return whole
  }
}
