/** The facts of a whole project: all in memory, or each read when first asked for. */

import { pushTo } from '#shared/kernel/push-to.ts'
import type { FileFacts } from '../core/facts.ts'
import { languageFamily } from '../core/language-of.ts'
import type { Language, NodeKind } from '../core/vocabulary.ts'

/** A symbol by its file and its place in the file's facts. */
export interface Place {
  readonly f: number
  readonly s: number
}

export interface ProjectFacts {
  readonly count: number
  path(f: number): string
  language(f: number): Language
  facts(f: number): FileFacts
  /** The package a file declares for itself. */
  packageName(f: number): string | undefined
  /** Symbols of that name in one family of languages, in order of file and place; imports are not among them. */
  symbolsNamed(family: string, name: string, kind?: NodeKind): readonly Place[]
}

export class FactsInMemory implements ProjectFacts {
  readonly #files: readonly FileFacts[]
  #byName: Map<string, Place[]> | undefined

  constructor(files: readonly FileFacts[]) {
    this.#files = files
  }

  get count(): number {
    return this.#files.length
  }

  path(f: number): string {
    return this.facts(f).path
  }

  language(f: number): Language {
    return this.facts(f).language
  }

  facts(f: number): FileFacts {
    const file = this.#files[f]
    if (file === undefined) throw new Error(`no file ${f}`)
    return file
  }

  packageName(f: number): string | undefined {
    return this.facts(f).packageName
  }

  symbolsNamed(family: string, name: string, kind?: NodeKind): readonly Place[] {
    this.#byName ??= this.#collectNames()
    const found = this.#byName.get(`${family} ${name}`) ?? []
    return kind === undefined ? found : found.filter(({ f, s }) => this.facts(f).symbols[s]?.kind === kind)
  }

  #collectNames(): Map<string, Place[]> {
    const places = new Map<string, Place[]>()
    this.#files.forEach((file, f) => {
      const family = languageFamily(file.language)
      file.symbols.forEach((symbol, s) => {
        if (s === 0 || symbol.kind === 'import') return
        pushTo(places, `${family} ${symbol.name}`, { f, s })
      })
    })
    return places
  }
}
