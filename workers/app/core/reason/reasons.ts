import type { Reason } from './reason.ts'

/** What went wrong with one thing, each reason once, in the order in which they came. */
export class Reasons {
  readonly #byFacts = new Map<string, Reason>()

  add(reason: Reason): void {
    this.#byFacts.set(JSON.stringify(reason), reason)
  }

  addAll(others: Reasons): void {
    for (const reason of others.#byFacts.values()) this.add(reason)
  }

  some(isOne: (reason: Reason) => boolean): boolean {
    return [...this.#byFacts.values()].some(isOne)
  }

  /** Undefined while nothing did. */
  asOne(): Reason | undefined {
    const [first, ...more] = this.#byFacts.values()
    return first === undefined || more.length === 0 ? first : { kind: 'each', reasons: [first, ...more] }
  }
}
