/** Answers that were paid for with a request to every site: kept for a while, so that coming back asks nobody. */
export const keptMs = 10 * 60_000
export const keptMax = 8
/** Rows of all of them together; the newest stays however many it has. */
export const keptRowsMax = 20_000

export class KeptResults<T> {
  readonly #kept = new Map<string, { readonly value: T; readonly atMs: number }>()
  readonly #rowsOf: (value: T) => number

  /** What is kept may still grow: its rows are counted anew each time. */
  constructor(rowsOf: (value: T) => number) {
    this.#rowsOf = rowsOf
  }

  find(key: string, nowMs: number): T | undefined {
    const one = this.#kept.get(key)
    return one !== undefined && nowMs >= one.atMs && nowMs - one.atMs < keptMs ? one.value : undefined
  }

  keep(key: string, value: T, nowMs: number): void {
    // Behind the others: the one that was found longest ago goes first.
    this.#kept.delete(key)
    this.#kept.set(key, { value, atMs: nowMs })
    this.shrink()
  }

  /** Lets go of the oldest until the rest is within its bounds. */
  shrink(): void {
    for (const oldest of this.#kept.keys()) {
      const rows = [...this.#kept.values()].reduce((sum, one) => sum + this.#rowsOf(one.value), 0)
      const isWithin = this.#kept.size <= keptMax && rows <= keptRowsMax
      if (isWithin || this.#kept.size === 1) return
      this.#kept.delete(oldest)
    }
  }
}
