/** Offsets to lines (from 1) and columns (from 0, UTF-16 units). */
export class LineTable {
  readonly #starts: number[] = [0]
  /** Place of the line that was asked for last. */
  #last = 0

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1)
  }

  get count(): number {
    return this.#starts.length
  }

  line(offset: number): number {
    const starts = this.#starts
    const at = this.#last
    // Whoever reads a file asks for places close to one another.
    if (offset >= (starts[at] ?? 0) && offset < (starts[at + 1] ?? Number.POSITIVE_INFINITY)) return at + 1
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    this.#last = low
    return low + 1
  }

  /** Where a line begins. */
  offset(line: number): number {
    return this.#starts[line - 1] ?? 0
  }

  column(offset: number): number {
    return offset - (this.#starts[this.line(offset) - 1] ?? 0)
  }
}
