/** Something kept of symbols, found by file and place: one number made of the two would be no small one. */
export class SymbolTable<T> {
  readonly #files: (Map<number, T> | undefined)[] = []

  get(f: number, s: number): T | undefined {
    return this.#files[f]?.get(s)
  }

  has(f: number, s: number): boolean {
    return this.#files[f]?.has(s) === true
  }

  set(f: number, s: number, kept: T): void {
    const file = this.#files[f]
    if (file === undefined) this.#files[f] = new Map([[s, kept]])
    else file.set(s, kept)
  }

  delete(f: number, s: number): void {
    this.#files[f]?.delete(s)
  }
}
