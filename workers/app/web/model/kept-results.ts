/** Answers that were paid for with a request to every site: kept for a while, so that coming back asks nobody. */
export const keptMs = 10 * 60_000
export const keptMax = 8

export class KeptResults<T> {
  readonly #kept = new Map<string, { readonly value: T; readonly atMs: number }>()

  find(key: string, nowMs: number): T | undefined {
    const one = this.#kept.get(key)
    return one !== undefined && nowMs >= one.atMs && nowMs - one.atMs < keptMs ? one.value : undefined
  }

  keep(key: string, value: T, nowMs: number): void {
    // Behind the others: the one that was found longest ago goes first.
    this.#kept.delete(key)
    this.#kept.set(key, { value, atMs: nowMs })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > keptMax && oldest !== undefined) this.#kept.delete(oldest)
  }
}
