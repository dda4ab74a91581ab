/** The facts of a whole project: all in memory, or each read when first asked for. */
import type { FileFacts } from '../core/facts.ts'
import { languageFamily } from '../core/language-of.ts'
import type { Language } from '../core/vocabulary.ts'

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
  /** Methods of that name in one family of languages. */
  methodsNamed(family: string, name: string): readonly Place[]
}

export class FactsInMemory implements ProjectFacts {
  readonly #files: readonly FileFacts[]
  #methods: Map<string, Place[]> | undefined

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

  methodsNamed(family: string, name: string): readonly Place[] {
    this.#methods ??= this.#collectMethods()
    return this.#methods.get(`${family} ${name}`) ?? []
  }

  #collectMethods(): Map<string, Place[]> {
    const methods = new Map<string, Place[]>()
    this.#files.forEach((file, f) => {
      const family = languageFamily(file.language)
      file.symbols.forEach((symbol, s) => {
        if (symbol.kind !== 'method') return
        const key = `${family} ${symbol.name}`
        const list = methods.get(key)
        if (list === undefined) methods.set(key, [{ f, s }])
        else list.push({ f, s })
      })
    })
    return methods
  }
}
