/**
 * What ties a file to others, in brief: enough to tell, without its facts, whether a change somewhere else can
 * matter to it.
 */
import { visitExportParts, visitSymbolParts, visitTypeParts, visitValueParts } from './fact-parts.ts'
import type { FileFacts, Type, Value } from './facts.ts'
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
  if (value.k === 'get' || value.k === 'glob' || value.k === 'imp') visit(value.n)
  if (value.k === 'mod') namesOfModule.forEach(visit)
  if (value.k === 'mod' || value.k === 'imp') namesIn(language, value.m, visit)
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

class NameCollector {
  readonly specifiers = new Set<string>()
  readonly names = new Set<string>()
  readonly #facts: FileFacts
  readonly #locals = new Set<number>()

  constructor(facts: FileFacts) {
    this.#facts = facts
  }

  readonly name = (name: string): void => void this.names.add(name)

  readonly value = (value: Value): void => {
    if (value.k === 'loc') {
      if (this.#locals.has(value.i)) return
      this.#locals.add(value.i)
      const local = this.#facts.locals[value.i]
      if (local !== undefined) this.value(local)
      return
    }
    namesLookedUp(this.#facts.language, value, this.name)
    if (value.k === 'mod' || value.k === 'imp') this.specifiers.add(value.m)
    visitValueParts(value, this)
  }

  readonly type = (type: Type): void => {
    if (type.k === 'get') this.names.add(type.n)
    visitTypeParts(type, this)
  }
}

export function linksOf(facts: FileFacts): FileLinks {
  const collector = new NameCollector(facts)
  for (const symbol of facts.symbols) {
    visitSymbolParts(symbol, collector)
    if (symbol.attachedTo !== undefined) collector.name(symbol.attachedTo)
  }
  for (const fact of facts.exports) {
    visitExportParts(fact, collector)
    if ('from' in fact) collector.specifiers.add(fact.from)
    if ('imported' in fact) collector.names.add(fact.imported)
  }
  const offeredNames = hashesOf(collector.names)
  for (const reference of facts.references) collector.value(reference.value)
  for (const route of facts.routes) if (route.handler !== null) collector.value(route.handler)
  for (const fact of facts.imports) {
    collector.specifiers.add(fact.specifier)
    namesIn(facts.language, fact.specifier, collector.name)
    for (const name of fact.names) collector.names.add(name)
  }
  return {
    specifiers: [...collector.specifiers].sort(),
    names: hashesOf(collector.names),
    offeredNames,
    ...(facts.packageName === undefined ? {} : { packageName: facts.packageName }),
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
