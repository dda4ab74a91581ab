import { pushQueueMax, pushWaitMs } from '../../limits.ts'

/** The line before one site: a push at a time, in the order they came, and nobody waits longer than the bound. */
export class PushLine {
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<void>
  #length = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor(runtime: { readonly wait: (ms: number, signal: AbortSignal) => Promise<void> }) {
    this.#wait = runtime.wait
  }

  /** Undefined, and nothing was done, when the line is full or the turn did not come in time. */
  async inTurn<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#length >= pushQueueMax) return undefined
    this.#length += 1
    const before = this.#last
    const turn = Promise.withResolvers<void>()
    // Who gave up holds nobody back, and lets nobody past those still before it.
    this.#last = before.then(() => turn.promise)
    try {
      return (await this.#comesInTime(before)) ? await work() : undefined
    } finally {
      this.#length -= 1
      turn.resolve()
    }
  }

  async #comesInTime(before: Promise<unknown>): Promise<boolean> {
    const stop = new AbortController()
    const late = this.#wait(pushWaitMs, stop.signal).then(
      () => false,
      () => false,
    )
    try {
      return await Promise.race([before.then(() => true), late])
    } finally {
      stop.abort()
    }
  }
}
