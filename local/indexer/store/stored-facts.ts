/** Facts of a project whose index is published: read from the cache when they are needed, which few are. */
import { DatabaseSync } from 'node:sqlite'
import type { FileFacts } from '../core/facts.ts'
import { languageFamily, languageOf } from '../core/language-of.ts'
import { type Language, nodeKinds } from '../core/vocabulary.ts'
import type { Place, ProjectFacts } from '../resolve/project-facts.ts'

export class FactsMissingError extends Error {}

export class StoredFacts implements ProjectFacts {
  readonly #paths: readonly string[]
  readonly #read: (f: number) => FileFacts | undefined
  readonly #changed: ReadonlyMap<number, FileFacts>
  readonly #known = new Map<number, FileFacts>()
  readonly #database: DatabaseSync

  /** `paths` in the order of the published files; `changed` are newer than what is published. */
  constructor(
    database: string,
    paths: readonly string[],
    changed: ReadonlyMap<number, FileFacts>,
    read: (f: number) => FileFacts | undefined,
  ) {
    this.#database = new DatabaseSync(database, { readOnly: true })
    this.#paths = paths
    this.#changed = changed
    this.#read = read
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

  methodsNamed(family: string, name: string): readonly Place[] {
    const rows = this.#database
      .prepare(
        `SELECT files.n - 1 AS f, nodes.n - files.node_first AS s FROM nodes JOIN files ON files.n = nodes.file
          WHERE nodes.name = ? COLLATE NOCASE AND nodes.name = ? AND nodes.kind = ?`,
      )
      .all(name, name, nodeKinds.indexOf('method'))
    const places = rows
      .map((row) => ({ f: Number(row['f']), s: Number(row['s']) }))
      .filter((one) => !this.#changed.has(one.f) && languageFamily(this.language(one.f)) === family)
    for (const [f, facts] of this.#changed) {
      if (languageFamily(facts.language) !== family) continue
      facts.symbols.forEach((symbol, s) => {
        if (symbol.kind === 'method' && symbol.name === name) places.push({ f, s })
      })
    }
    return places
  }

  close(): void {
    this.#database.close()
  }
}
