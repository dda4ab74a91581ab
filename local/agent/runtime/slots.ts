/** How many pieces of work may run at once; the others wait in line. */
export class Slots {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(count: number) {
    this.#free = count
  }

  get hasFree(): boolean {
    return this.#free > 0
  }

  /** What is given up in line needs no slot: it only records that it ended. */
  async acquire(signal: AbortSignal): Promise<() => void> {
    if (this.#free > 0) {
      this.#free -= 1
      return () => this.#release()
    }
    return new Promise((resolve) => {
      const leave = () => {
        this.#waiting.delete(enter)
        resolve(() => undefined)
      }
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve(() => this.#release())
      }
      this.#waiting.add(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  #release(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free += 1
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
