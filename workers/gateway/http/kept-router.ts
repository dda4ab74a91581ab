import type { Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'
import { Kept } from '../core/kept.ts'
import { keptTexts } from '../limits.ts'

/** The same few addresses are asked again and again: where one leads is looked for once. */
export class KeptRouter<T> implements Router<T> {
  readonly name = 'KeptRouter'
  readonly #trie = new TrieRouter<T>()
  readonly #found = new Map<string, Kept<Result<T>>>()

  add(method: string, path: string, handler: T): void {
    this.#trie.add(method, path, handler)
    this.#found.clear()
  }

  match(method: string, path: string): Result<T> {
    let found = this.#found.get(method)
    if (found === undefined) {
      found = new Kept((text) => this.#trie.match(method, text), keptTexts)
      this.#found.set(method, found)
    }
    return found.of(path)
  }
}
