/** What linking found, file by file: it was found file by file, in ascending order, so that each is asked for once, in that order. */
import type { GraphEdge, UnresolvedReference } from '../core/graph.ts'
import type { Links } from '../resolve/link.ts'
import type { FileLinksFound } from './row-writer.ts'

export class FoundByFile {
  readonly #edges: Ahead<GraphEdge>
  readonly #unresolved: Ahead<UnresolvedReference>
  readonly #givenUp: Links['givenUp']

  constructor({ edges, unresolved, givenUp }: Links) {
    this.#edges = new Ahead(edges)
    this.#unresolved = new Ahead(unresolved)
    this.#givenUp = givenUp
  }

  take(f: number): FileLinksFound {
    return {
      edges: this.#edges.takeWhile((one) => one.sourceFile === f),
      unresolved: this.#unresolved.takeWhile((one) => one.file === f),
      givenUp: this.#givenUp.get(f) ?? 0,
    }
  }
}

/** Looks at the next one before it is taken. */
class Ahead<T> {
  readonly #rest: Iterator<T>
  #next: IteratorResult<T>

  constructor(list: Iterable<T>) {
    this.#rest = list[Symbol.iterator]()
    this.#next = this.#rest.next()
  }

  takeWhile(isWanted: (one: T) => boolean): T[] {
    const taken: T[] = []
    while (this.#next.done !== true && isWanted(this.#next.value)) {
      taken.push(this.#next.value)
      this.#next = this.#rest.next()
    }
    return taken
  }
}
