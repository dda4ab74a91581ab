/** Rows of whole numbers that stay below 2^31. As objects, the edges of a large project would weigh as much as all else. */
export class NumberTable {
  readonly #width: number
  #slots: Int32Array<ArrayBuffer>
  #length = 0

  constructor(width: number) {
    this.#width = width
    this.#slots = new Int32Array(width * 256)
  }

  get length(): number {
    return this.#length
  }

  push(row: readonly number[]): void {
    const at = this.#next()
    for (let column = 0; column < this.#width; column += 1) this.#slots[at + column] = row[column] ?? 0
  }

  #next(): number {
    const at = this.#length * this.#width
    if (at === this.#slots.length) {
      const wider = new Int32Array(at * 2)
      wider.set(this.#slots)
      this.#slots = wider
    }
    this.#length += 1
    return at
  }

  get(row: number, column: number): number {
    return this.#slots[row * this.#width + column] ?? 0
  }
}
