/** What is worked out from a text again and again, kept while there are few such texts and they are short. */
export class Kept<T> {
  readonly #make: (text: string) => T
  readonly #bounds: KeptBounds
  readonly #values = new Map<string, T>()

  constructor(make: (text: string) => T, bounds: KeptBounds) {
    this.#make = make
    this.#bounds = bounds
  }

  of(text: string): T {
    const known = this.#values.get(text)
    if (known !== undefined) return known
    const made = this.#make(text)
    if (text.length > this.#bounds.charactersMax) return made
    // Beginning afresh is as good as forgetting the oldest: what is in use is back at once.
    if (this.#values.size >= this.#bounds.textsMax) this.#values.clear()
    this.#values.set(text, made)
    return made
  }
}

export interface KeptBounds {
  readonly textsMax: number
  readonly charactersMax: number
}
