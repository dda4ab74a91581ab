/** Facts of a project whose index is published: read from the cache when they are needed, which few are. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { FileFacts } from '../core/facts.ts'
import { languageFamily, languageOf } from '../core/language-of.ts'
import { type Language, type NodeKind, nodeKinds } from '../core/vocabulary.ts'
import type { Place, ProjectFacts } from '../resolve/project-facts.ts'

export class FactsMissingError extends Error {}

interface PublishedFile {
  /** Number of the first of its nodes. */
  readonly first: number
  readonly f: number | undefined
}

export class StoredFacts implements ProjectFacts {
  readonly #paths: readonly string[]
  readonly #read: (f: number) => FileFacts | undefined
  readonly #changed: ReadonlyMap<number, FileFacts>
  readonly #known = new Map<number, FileFacts>()
  readonly #database: DatabaseSync
  readonly #packageName: (f: number) => string | undefined
  #find: StatementSync | undefined
  #published: readonly PublishedFile[] | undefined

  /** `paths` of the files there are; `changed` are newer than what is published. */
  constructor(
    database: string,
    paths: readonly string[],
    changed: ReadonlyMap<number, FileFacts>,
    read: (f: number) => FileFacts | undefined,
    packageName: (f: number) => string | undefined,
  ) {
    this.#database = new DatabaseSync(database, { readOnly: true })
    this.#paths = paths
    this.#changed = changed
    this.#read = read
    this.#packageName = packageName
  }

  get count(): number {
    return this.#paths.length
  }

  path(f: number): string {
    return this.#paths[f] ?? ''
  }

  language(f: number): Language {
    const language = languageOf(this.path(f))
    if (language === undefined) throw new FactsMissingError(this.path(f))
    return language
  }

  facts(f: number): FileFacts {
    const known = this.#changed.get(f) ?? this.#known.get(f)
    if (known !== undefined) return known
    const read = this.#read(f)
    if (read === undefined) throw new FactsMissingError(this.path(f))
    this.#known.set(f, read)
    return read
  }

  packageName(f: number): string | undefined {
    return this.#packageName(f)
  }

  symbolsNamed(family: string, name: string, kind?: NodeKind): readonly Place[] {
    this.#find ??= this.#database.prepare('SELECT n, kind FROM nodes WHERE name = ? COLLATE NOCASE AND name = ?')
    const isAsked = (symbol: NodeKind | undefined): boolean =>
      kind === undefined ? symbol !== 'import' : symbol === kind
    const places = this.#find
      .all(name, name)
      .filter((row) => isAsked(nodeKinds[Number(row['kind'])]))
      .flatMap((row) => this.#placeOf(Number(row['n'])) ?? [])
      .filter((one) => one.s > 0 && !this.#changed.has(one.f) && languageFamily(this.language(one.f)) === family)
    for (const [f, facts] of this.#changed) {
      if (languageFamily(facts.language) !== family) continue
      facts.symbols.forEach((symbol, s) => {
        if (s > 0 && symbol.name === name && isAsked(symbol.kind)) places.push({ f, s })
      })
    }
    return places.sort((left, right) => left.f - right.f || left.s - right.s)
  }

  /** Where a published node is now; undefined: its file is gone. */
  #placeOf(n: number): Place | undefined {
    this.#published ??= this.#readPublished()
    let low = 0
    let high = this.#published.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#published[middle]?.first ?? 0) <= n) low = middle + 1
      else high = middle
    }
    const file = this.#published[low - 1]
    return file?.f === undefined ? undefined : { f: file.f, s: n - file.first }
  }

  #readPublished(): PublishedFile[] {
    const places = new Map(this.#paths.map((path, f) => [path, f]))
    return this.#database
      .prepare('SELECT path, first FROM files ORDER BY first')
      .all()
      .map((row) => ({ first: Number(row['first']), f: places.get(String(row['path'])) }))
  }

  close(): void {
    this.#database.close()
  }
}
