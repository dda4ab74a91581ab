/**
 * Lives of objects. An object that was put out of memory or reset may have promises and timers left that know nothing of
 * it; which life a piece of work belongs to travels with it, so that the rest of an old one neither writes nor asks.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** What is done for an object whose life is over ends with this. */
class LifeOver extends Error {
  override readonly name = 'LifeOver'
}

export class Life {
  /** Settles when what the object has written is kept; undefined when nothing is open. */
  readonly settled: () => Promise<void> | undefined
  #reason: Error | undefined
  readonly #waiting = new Set<(reason: Error) => void>()

  constructor(settled: () => Promise<void> | undefined) {
    this.settled = settled
  }

  get isOver(): boolean {
    return this.#reason !== undefined
  }

  check(): void {
    if (this.#reason !== undefined) throw new LifeOver('this life of the object is over', { cause: this.#reason })
  }

  /** Who waits for an answer of this life is told at once. */
  end(reason: Error): void {
    if (this.#reason !== undefined) return
    this.#reason = reason
    for (const tell of this.#waiting) tell(reason)
    this.#waiting.clear()
  }

  /** The work's outcome, or the end of this life if that comes first. */
  outlast<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject)
      work.then(resolve, reject).finally(() => this.#waiting.delete(reject))
    })
  }
}

const lives = new AsyncLocalStorage<Life>()

export function currentLife(): Life | undefined {
  return lives.getStore()
}

export function runInLife<T>(life: Life | undefined, work: () => T): T {
  return life === undefined ? lives.exit(work) : lives.run(life, work)
}

/** Before anything leaves an object: its life must last, and what it has written must be kept. */
export async function beforeLeaving(): Promise<void> {
  const life = currentLife()
  if (life === undefined) return
  life.check()
  await life.settled()
  life.check()
}
