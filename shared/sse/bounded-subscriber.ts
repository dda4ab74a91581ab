/**
 * The queue between a publisher that never waits and one reader that may be slow. At its bound it stops collecting and
 * says how much was dropped: what was queued before is still delivered, then the reader learns that it lagged.
 */
export interface SubscriberBounds {
  readonly itemsMax: number
  readonly bytesMax: number
}

export type Taken<T> =
  | { readonly kind: 'items'; readonly items: readonly T[] }
  | { readonly kind: 'lagged'; readonly dropped: number }
  | { readonly kind: 'closed' }
  | { readonly kind: 'quiet' }

export class BoundedSubscriber<T> {
  readonly #bounds: SubscriberBounds
  readonly #sizeOf: (item: T) => number
  #items: T[] = []
  #bytes = 0
  #dropped = 0
  #closed = false
  #wake: (() => void) | undefined

  constructor(bounds: SubscriberBounds, sizeOf: (item: T) => number) {
    this.#bounds = bounds
    this.#sizeOf = sizeOf
  }

  offer(item: T): void {
    if (this.#closed) return
    const bytes = this.#sizeOf(item)
    const isFull = this.#items.length >= this.#bounds.itemsMax || this.#bytes + bytes > this.#bounds.bytesMax
    if (this.#dropped > 0 || isFull) this.#dropped += 1
    else {
      this.#items.push(item)
      this.#bytes += bytes
    }
    this.#ring()
  }

  /** Ends the subscription: the reader gets what is queued and then `closed`. */
  close(): void {
    this.#closed = true
    this.#ring()
  }

  /** Everything queued, or what happened instead. `quiet` means that nothing came within `waitMs`. */
  async take(waitMs: number): Promise<Taken<T>> {
    if (this.#items.length === 0 && this.#dropped === 0 && !this.#closed) await this.#wait(waitMs)
    if (this.#items.length > 0) {
      const items = this.#items
      this.#items = []
      this.#bytes = 0
      return { kind: 'items', items }
    }
    if (this.#dropped > 0) return { kind: 'lagged', dropped: this.#dropped }
    return { kind: this.#closed ? 'closed' : 'quiet' }
  }

  #wait(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, waitMs)
      const self = this
      function done() {
        clearTimeout(timer)
        self.#wake = undefined
        resolve()
      }
      this.#wake = done
    })
  }

  #ring(): void {
    this.#wake?.()
  }
}
