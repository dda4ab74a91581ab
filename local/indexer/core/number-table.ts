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

  /** A row of a table as wide as this one. */
  pushRow(other: NumberTable, row: number): void {
    const at = this.#next()
    for (let column = 0; column < this.#width; column += 1) this.#slots[at + column] = other.get(row, column)
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

  set(row: number, column: number, value: number): void {
    this.#slots[row * this.#width + column] = value
  }

  /** Keeps the rows that are wanted, in their order. */
  keep(isWanted: (row: number) => boolean): void {
    let kept = 0
    for (let row = 0; row < this.#length; row += 1) {
      if (!isWanted(row)) continue
      if (kept !== row) this.#slots.copyWithin(kept * this.#width, row * this.#width, (row + 1) * this.#width)
      kept += 1
    }
    this.#length = kept
  }

  /** Whether two rows differ in their first columns, and which way. */
  compare(left: number, right: number, columns: number): number {
    const slots = this.#slots
    const [atLeft, atRight] = [left * this.#width, right * this.#width]
    for (let column = 0; column < columns; column += 1) {
      const difference = (slots[atLeft + column] ?? 0) - (slots[atRight + column] ?? 0)
      if (difference !== 0) return difference
    }
    return 0
  }

  /** Its rows in the order of their first columns; what is alike there stays as it came. */
  sorted(columns: number): number[] {
    const rows: number[] = []
    for (let row = 0; row < this.#length; row += 1) rows.push(row)
    return rows.sort((left, right) => this.compare(left, right, columns))
  }
}
