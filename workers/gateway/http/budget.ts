/** A bound on something held by all requests together. */
export class Budget {
  readonly #most: number
  #held = 0

  constructor(most: number) {
    this.#most = most
  }

  /**
   * Holds an amount until the returned function is called or the client leaves: on the edge nothing else of a request
   * runs after that. Undefined when it would exceed the bound; then nothing is held. A first holder is never refused.
   */
  hold(amount: number, left: AbortSignal): (() => void) | undefined {
    if (this.#held > 0 && this.#held + amount > this.#most) return undefined
    this.#held += amount
    let isHeld = true
    const giveBack = () => {
      if (!isHeld) return
      isHeld = false
      this.#held -= amount
      left.removeEventListener('abort', giveBack)
    }
    left.addEventListener('abort', giveBack)
    return giveBack
  }

  get held(): number {
    return this.#held
  }
}
