/** Long polls that wait for an event. At the bound the oldest is answered early, with nothing: it asks again. */
export class EventWaiters {
  readonly #countMax: number
  readonly #waiting = new Set<() => void>()

  constructor(countMax: number) {
    this.#countMax = countMax
  }

  get count(): number {
    return this.#waiting.size
  }

  /** Until something happens, or the time is over. */
  wait(ms: number): Promise<void> {
    const [oldest] = this.#waiting.size >= this.#countMax ? this.#waiting : []
    oldest?.()
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#waiting.delete(done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      this.#waiting.add(done)
    })
  }

  wake(): void {
    for (const done of [...this.#waiting]) done()
  }
}
