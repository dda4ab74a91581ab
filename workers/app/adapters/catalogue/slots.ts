interface SlotBounds {
  readonly atOnce: number
  readonly waitingMax: number
  readonly waitMs: number
}

/** So many at once; the others wait in the order they came, not too many of them and not too long. */
export class Slots {
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly #bounds: SlotBounds
  #taken = 0
  /** In the order they came. */
  readonly #waiting = new Set<() => void>()

  constructor(runtime: { readonly wait: (ms: number, signal: AbortSignal) => Promise<void> }, bounds: SlotBounds) {
    this.#wait = runtime.wait
    this.#bounds = bounds
  }

  /** Undefined, and nothing was done, when too many wait or no slot came free in time. */
  async use<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (!(await this.#enter())) return undefined
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(): Promise<boolean> {
    if (this.#taken < this.#bounds.atOnce) {
      this.#taken += 1
      return true
    }
    if (this.#waiting.size >= this.#bounds.waitingMax) return false
    const turn = Promise.withResolvers<void>()
    this.#waiting.add(turn.resolve)
    const stop = new AbortController()
    await Promise.race([turn.promise, this.#wait(this.#bounds.waitMs, stop.signal).catch(() => undefined)])
    stop.abort()
    // Who is not waiting any more was given a slot, be it in the last moment.
    return !this.#waiting.delete(turn.resolve)
  }

  /** The slot goes to who waits longest, without being free in between. */
  #leave(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#taken -= 1
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
