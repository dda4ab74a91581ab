import type { Cancellation } from '../core/cancellation.ts'

/** A bound on what all requests hold together, counted in permits. */
export class Semaphore {
  readonly #permits: number
  #held = 0

  constructor(permits: number) {
    this.#permits = permits
  }

  /**
   * Takes permits until the returned function is called or the client leaves: on the edge nothing else of a request
   * runs after that. Undefined when there are not so many left; then none is taken. A first holder is never refused.
   */
  tryAcquire(amount: number, left: Cancellation): (() => void) | undefined {
    if (this.#held > 0 && this.#held + amount > this.#permits) return undefined
    this.#held += amount
    let isHeld = true
    const release = () => {
      if (!isHeld) return
      isHeld = false
      this.#held -= amount
      left.removeEventListener('abort', release)
    }
    left.addEventListener('abort', release)
    return release
  }

  get held(): number {
    return this.#held
  }
}
