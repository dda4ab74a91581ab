/**
 * What ties a file to others, in brief: enough to tell, without its facts, whether a change somewhere else can
 * matter to it.
 */
import type { Symbol as CodeSymbol, FileFacts, Type, Value } from './facts.ts'
import { languageFamily } from './language-of.ts'
import type { Language } from './vocabulary.ts'

export interface FileLinks {
  readonly specifiers: readonly string[]
  /** Names the file looks up anywhere, as hashes: a name mistaken for another costs time, never truth. */
  readonly names: Uint32Array
  /** Those among them that what the file offers to others depends on. */
  readonly offeredNames: Uint32Array
  /** The package the file declares for itself. */
  readonly packageName?: string
}

/** Looked up without being written: what a module as a whole stands for. */
const namesOfModule = ['default', 'module.exports']

/** Names that this part of a value looks up; not those of the parts inside it. */
export function namesLookedUp(language: Language, value: Value, visit: (name: string) => void): void {
  if (value.k === 'get' || value.k === 'glob' || value.k === 'imp') visit(withoutArity(value.n))
  if (value.k === 'mod') namesOfModule.forEach(visit)
  if (value.k === 'mod' || value.k === 'imp') namesIn(language, value.m, visit)
}

/** Whether a call of what the file itself declares may mean what others declare under that name, as in C++. */
export function hasOverloads({ language }: FileFacts, { kind }: CodeSymbol): boolean {
  return kind === 'function' && languageFamily(language) === 'c'
}

/** The name of a type without how many types it is given, which C# tells types of one name apart by. */
export function withoutArity(name: string): string {
  const at = name.indexOf('`')
  return at === -1 ? name : name.slice(0, at)
}

/** Where a specifier is no path, it is made of names: a package, a class of it. */
function namesIn(language: Language, specifier: string, visit: (name: string) => void): void {
  if (languageFamily(language) === 'script') return
  for (const name of nameParts(specifier)) visit(name)
}

/** A name of several parts, such as that of a namespace, is found by each of them. */
export function nameParts(name: string): readonly string[] {
  return name.split(/[^\p{L}\p{N}_$]+/u).filter((one) => one !== '')
}

/** Gathers what ties a file to others while its facts are packed: each part is told once. */
export class LinkCollector {
  readonly #specifiers = new Set<string>()
  readonly #names = new Set<string>()
  readonly #language: Language
  #offeredNames: Uint32Array = new Uint32Array()

  constructor(language: Language) {
    this.#language = language
  }

  readonly value = (value: Value): void => {
    namesLookedUp(this.#language, value, this.#name)
    if (value.k === 'mod' || value.k === 'imp') this.#specifiers.add(value.m)
  }

  readonly type = (type: Type): void => {
    if (type.k === 'get') this.#names.add(type.n)
  }

  readonly #name = (name: string): void => void this.#names.add(name)

  /** Called when the parts of symbols and exports are told, and no others yet. */
  offered(facts: FileFacts): void {
    const { symbols, exports } = facts
    for (const one of symbols) if (hasOverloads(facts, one)) this.#names.add(one.name)
    for (const { attachedTo = [] } of symbols) for (const type of attachedTo) this.#names.add(type)
    for (const fact of exports) {
      if ('from' in fact) this.#specifiers.add(fact.from)
      if ('imported' in fact) this.#names.add(fact.imported)
    }
    this.#offeredNames = hashesOf(this.#names)
  }

  links({ imports, packageName }: FileFacts): FileLinks {
    for (const { specifier, names } of imports) {
      this.#specifiers.add(specifier)
      namesIn(this.#language, specifier, this.#name)
      for (const name of names) this.#names.add(name)
    }
    return {
      specifiers: [...this.#specifiers].sort(),
      names: hashesOf(this.#names),
      offeredNames: this.#offeredNames,
      ...(packageName === undefined ? {} : { packageName }),
    }
  }
}

function hashesOf(names: ReadonlySet<string>): Uint32Array {
  return Uint32Array.from(names, hashName).sort()
}

export function hashName(name: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
