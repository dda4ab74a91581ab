import type { Clock } from '#shared/kernel/clock.ts'

/** Lets work that outlives the request that began it finish. */
export type KeepAlive = (work: Promise<unknown>) => void

/**
 * One reading of something slow for everyone who asks meanwhile. A reading that hangs, as one does on the edge when
 * the request that began it is gone, is no longer waited for after its time, and the next caller begins another.
 */
export class SharedReading<T> {
  readonly #read: () => Promise<T>
  readonly #keepAlive: KeepAlive
  readonly #clock: Clock
  readonly #patienceMs: number
  #open: { readonly reading: Promise<T>; readonly startedMs: number } | undefined

  constructor(read: () => Promise<T>, keepAlive: KeepAlive, clock: Clock, patienceMs: number) {
    this.#read = read
    this.#keepAlive = keepAlive
    this.#clock = clock
    this.#patienceMs = patienceMs
  }

  start(): Promise<T> {
    const nowMs = this.#clock.nowMs()
    const open = this.#open
    if (open !== undefined && nowMs - open.startedMs < this.#patienceMs) return open.reading
    const reading = this.#read().finally(() => {
      if (this.#open?.reading === reading) this.#open = undefined
    })
    this.#open = { reading, startedMs: nowMs }
    this.#keepAlive(reading)
    return reading
  }
}
