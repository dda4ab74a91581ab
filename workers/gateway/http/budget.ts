/** A bound on something held by all requests together. */
export class Budget {
  readonly #most: number
  #held = 0

  constructor(most: number) {
    this.#most = most
  }

  /** False when it would exceed the bound; then nothing is taken. A first holder is never refused. */
  take(amount: number): boolean {
    if (this.#held > 0 && this.#held + amount > this.#most) return false
    this.#held += amount
    return true
  }

  giveBack(amount: number): void {
    this.#held -= amount
  }

  get held(): number {
    return this.#held
  }
}
