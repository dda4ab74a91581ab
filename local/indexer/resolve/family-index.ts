/** What a module system asks of all files of its family: names outside of types, methods written outside of their type. */

import { pushTo } from '#shared/kernel/push-to.ts'
import type { Symbol as CodeSymbol, FileFacts } from '../core/facts.ts'
import { languageFamily } from '../core/language-of.ts'
import { isNonProductionFile, isTestFile } from '../core/test-file.ts'
import type { Denotation } from './denotation.ts'
import type { Place, ProjectFacts } from './project-facts.ts'
import { folderOf } from './script-modules.ts'

const typeKinds = new Set([
  'class',
  'struct',
  'interface',
  'trait',
  'enum',
  'union',
  'module',
  'namespace',
  'type_alias',
])

interface NameTables {
  readonly full: Map<string, Place[]>
  /** By the full name of the type around. */
  readonly inside: Map<string, Place[]>
  /** By the name of the type it is written for. */
  readonly attached: Map<string, Place[]>
}

/**
 * What every family is asked: files by path and folder, names outside types, methods written outside their type. A name
 * is looked up when it is asked for, so that linking a few files reads few.
 */
export class FamilyIndex {
  readonly #project: ProjectFacts
  readonly #family: string
  readonly #separator: string
  readonly #atTop = new Map<string, readonly Place[]>()
  readonly #qualified = new Map<string, Denotation | undefined>()
  readonly #byName = new Map<string, NameTables>()
  readonly #tests = new Map<(path: string) => boolean, Map<string, boolean>>()
  #packages: ReadonlyMap<string, readonly number[]> | undefined
  readonly byPath = new Map<string, number>()
  readonly byFolder = new Map<string, number[]>()

  constructor(project: ProjectFacts, family: string, separator: string) {
    this.#project = project
    this.#family = family
    this.#separator = separator
    for (let f = 0; f < project.count; f += 1) {
      if (languageFamily(project.language(f)) !== family) continue
      const path = project.path(f)
      this.byPath.set(path, f)
      pushTo(this.byFolder, folderOf(path), f)
    }
  }

  facts(f: number): FileFacts {
    return this.#project.facts(f)
  }

  path(f: number): string {
    return this.#project.path(f)
  }

  /** Files by the package they declare for themselves. */
  get packages(): ReadonlyMap<string, readonly number[]> {
    if (this.#packages === undefined) {
      const packages = new Map<string, number[]>()
      for (const f of this.byPath.values()) {
        const name = this.#project.packageName(f)
        if (name !== undefined) pushTo(packages, name, f)
      }
      this.#packages = packages
    }
    return this.#packages
  }

  /** What is written at the top of a file, but for namespaces around it. */
  atTop(name: string): readonly Place[] {
    let places = this.#atTop.get(name)
    if (places === undefined) {
      places = this.#project.symbolsNamed(this.#family, name).filter(({ f, s }) => {
        const file = this.facts(f)
        const symbol = file.symbols[s]
        return symbol !== undefined && symbol.attachedTo === undefined && isInNamespace(file, symbol)
      })
      this.#atTop.set(name, places)
    }
    return places
  }

  /** Wherever it stands. */
  named(name: string): readonly Place[] {
    return this.#project.symbolsNamed(this.#family, name)
  }

  attachedTo(type: string, name: string): readonly Place[] {
    return this.#tables(name).attached.get(type) ?? []
  }

  /** What stands under a name in any of the types of that full name. */
  parts(type: string, name: string): readonly Place[] {
    return this.#tables(name).inside.get(type) ?? []
  }

  /** Everything of a full name, in order of file and place. */
  allQualified(name: string): readonly Place[] {
    return namesOf(name, this.#separator)
      .flatMap((one) => this.#tables(one).full.get(name) ?? [])
      .sort((left, right) => left.f - right.f || left.s - right.s)
  }

  /** What code in production can mean: tests bring it their own names, and it never theirs. */
  visibleFrom(from: FileFacts, places: readonly Place[]): readonly Place[] {
    if (places.length === 0 || !this.isProduction(from)) return places
    return places.filter(({ f }) => !this.#isTest(this.path(f), isTestFile))
  }

  isProduction(file: FileFacts): boolean {
    return !this.#isTest(file.path, isNonProductionFile)
  }

  #isTest(path: string, judge: (path: string) => boolean): boolean {
    const known = this.#tests.get(judge) ?? new Map<string, boolean>()
    this.#tests.set(judge, known)
    let is = known.get(path)
    if (is === undefined) {
      is = judge(path)
      known.set(path, is)
    }
    return is
  }

  /** The symbols of a name by what they stand in and by what they are called in full. */
  #tables(name: string): NameTables {
    let tables = this.#byName.get(name)
    if (tables === undefined) {
      tables = { full: new Map(), inside: new Map(), attached: new Map() }
      for (const place of this.#project.symbolsNamed(this.#family, name)) {
        const symbol = this.facts(place.f).symbols[place.s]
        if (symbol === undefined) continue
        for (const type of symbol.attachedTo ?? []) pushTo(tables.attached, type, place)
        const own = this.#fullName(place)
        if (own !== undefined) pushTo(tables.full, own, place)
        const holder = symbol.parent === 0 ? undefined : this.#fullName({ f: place.f, s: symbol.parent })
        if (holder !== undefined) pushTo(tables.inside, holder, place)
      }
      this.#byName.set(name, tables)
    }
    return tables
  }

  qualified(name: string): Denotation | undefined {
    if (this.#qualified.has(name)) return this.#qualified.get(name)
    const [first] = this.allQualified(name)
    const found: Denotation | undefined = first === undefined ? undefined : { t: 'symbol', ...first }
    this.#qualified.set(name, found)
    return found
  }

  /** Types inside a namespace of the file are types of that namespace. */
  #fullName({ f, s }: Place): string | undefined {
    const file = this.facts(f)
    const symbol = file.symbols[s]
    if (symbol === undefined || symbol.attachedTo !== undefined) return undefined
    if (!isInNamespace(file, symbol) && !typeKinds.has(symbol.kind)) return undefined
    const inner = symbol.qualifiedName.replaceAll('::', this.#separator)
    return file.packageName === undefined || inner.startsWith(file.packageName + this.#separator)
      ? inner
      : `${file.packageName}${this.#separator}${inner}`
  }
}

/** What a symbol of that full name may be called: the end of it, at any of the separators. */
function namesOf(name: string, separator: string): string[] {
  const parts = name.split(separator)
  return parts.map((_, at) => parts.slice(at).join(separator))
}

/** At the top of its file, but for namespaces around it. */
function isInNamespace(file: FileFacts, symbol: CodeSymbol): boolean {
  let at = symbol
  while (at.parent !== 0) {
    const parent = file.symbols[at.parent]
    if (parent?.kind !== 'namespace') return false
    at = parent
  }
  return true
}

export function oneOf(places: readonly Place[]): Denotation | undefined {
  const [first] = places
  if (first === undefined) return undefined
  if (places.length === 1) return { t: 'symbol', ...first }
  return { t: 'either', of: places.slice(0, 4).map((one) => ({ t: 'symbol', ...one })) }
}
