/** What other files can learn of a file, and which names of it a change touches. */

import { pushTo } from '#shared/kernel/push-to.ts'
import { constructorNames } from './constructor-names.ts'
import { visitExportParts, visitSymbolParts, visitTypeParts, visitValueParts } from './fact-parts.ts'
import type { Symbol as CodeSymbol, FileFacts, Type, Value } from './facts.ts'
import { hasOverloads, nameParts, namesLookedUp } from './file-links.ts'
import { isHeader, languageFamily } from './language-of.ts'
import type { Language } from './vocabulary.ts'

interface SurfaceEntry {
  readonly names: readonly string[]
  /** Equal texts: equal in all that others can learn, but for what the symbols it refers to have become. */
  readonly text: string
  /** Symbols of the file, by key, and names of anything, that it is made of. */
  readonly refersTo: ReadonlySet<string>
  readonly looksUp: ReadonlySet<string>
  /** Specifiers of the modules that it takes something from. */
  readonly through: ReadonlySet<string>
  /** It looks up a name that nothing in the file declares, which what the file imports may bring. */
  readonly isOpen: boolean
}

export type Surface = ReadonlyMap<string, SurfaceEntry>

/** Names of symbols in a file: the qualified name, numbered where it is there more than once. */
export function symbolKeys(facts: FileFacts): string[] {
  const seen = new Map<string, number>()
  return facts.symbols.map((symbol) => {
    const key = `${symbol.kind} ${symbol.qualifiedName}`
    const nth = seen.get(key) ?? 0
    seen.set(key, nth + 1)
    return nth === 0 ? key : `${key} ${nth}`
  })
}

/** Names under which something of the file is no longer what it was; undefined when that cannot be told by name. */
export function changedNames(before: FileFacts, after: FileFacts): ReadonlySet<string> | undefined {
  if (before.packageName !== after.packageName) return undefined
  // Who includes a header of C sees what that includes.
  if (isHeader(after.path) && scopeOf(before) !== scopeOf(after)) return undefined
  const old = surfaceOf(before)
  const now = surfaceOf(after)
  const isSameScope = languageFamily(after.language) === 'script' || scopeOf(before) === scopeOf(after)
  const changed = new Set<string>()
  for (const surface of [old, now])
    for (const [key, entry] of surface)
      if (old.get(key)?.text !== now.get(key)?.text || (entry.isOpen && !isSameScope)) changed.add(key)
  return namesOf([old, now], changed)
}

/** Names under which a file passes on what it makes of something that it finds by one of those names. */
export function dependentNames(
  surface: Surface,
  isTouched: (name: string) => boolean,
): ReadonlySet<string> | undefined {
  const touched = [...surface].filter(([, entry]) => [...entry.looksUp].some(isTouched)).map(([key]) => key)
  return namesOf([surface], new Set(touched))
}

/**
 * Names under which a file passes on what it takes through some of its specifiers. What is written without one may have
 * come that way too, but in scripts, where every name from outside has one.
 */
export function namesThrough(
  surface: Surface,
  language: Language,
  isMeant: (specifier: string) => boolean,
): ReadonlySet<string> | undefined {
  const isScript = languageFamily(language) === 'script'
  const of = [...surface].filter(([, one]) => [...one.through].some(isMeant) || (one.isOpen && !isScript))
  return namesOf([surface], new Set(of.map(([key]) => key)))
}

/** Every name that a file declares or passes on; what it passes on wholesale has names that others declare. */
export function offeredNames(facts: FileFacts): Set<string> {
  const names = new Set([...surfaceOf(facts).values()].flatMap((one) => one.names))
  names.delete('*')
  return names
}

/** What a free name of the file may mean, where imports bring names that they do not write. */
function scopeOf(facts: FileFacts): string {
  return JSON.stringify(facts.imports.map(({ specifier, names }) => [specifier, names]))
}

/** The names of some entries, and of those that are made of them. */
function namesOf(surfaces: readonly Surface[], of: ReadonlySet<string>): ReadonlySet<string> | undefined {
  const dependants = new Map<string, string[]>()
  for (const surface of surfaces)
    for (const [key, entry] of surface) for (const target of entry.refersTo) pushTo(dependants, target, key)
  const reached = new Set(of)
  const queue = [...of]
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    for (const one of dependants.get(key) ?? []) {
      if (reached.has(one)) continue
      reached.add(one)
      queue.push(one)
    }
  }
  const names = new Set<string>()
  for (const key of reached)
    for (const surface of surfaces) for (const name of surface.get(key)?.names ?? []) names.add(name)
  // What is passed on wholesale has any name.
  return names.has('*') ? undefined : names
}

export function surfaceOf(facts: FileFacts): Map<string, SurfaceEntry> {
  const surface = new Map<string, SurfaceEntry>()
  const keys = symbolKeys(facts)
  const writer = new SurfaceWriter(facts, keys)
  facts.symbols.forEach((symbol, s) => {
    if (symbol.kind === 'import') return
    const holder = facts.symbols[symbol.parent]
    const isConstructor = holder !== undefined && constructorNames(holder).includes(symbol.name)
    surface.set(keys[s] ?? '', {
      names: s === 0 ? [] : [symbol.name, ...nameParts(symbol.name), ...(isConstructor ? [holder.name] : [])],
      text: `${holder?.kind ?? ''} ${writer.symbol(symbol)}`,
      ...writer.parts((visit) => visitSymbolParts(symbol, visit)),
    })
  })
  facts.exports.forEach((fact, position) => {
    const text = 'value' in fact ? writer.value(fact.value) : JSON.stringify(fact)
    const key = `export ${fact.name} ${text}`
    surface.set(surface.has(key) ? `${key} ${position}` : key, {
      names: [fact.name],
      text,
      ...writer.parts((visit) => visitExportParts(fact, visit), 'from' in fact ? fact : undefined),
    })
  })
  return surface
}

/** JSON knows no maps, and writes each as if nothing were in it. */
function withEntries(_key: string, part: unknown): unknown {
  return part instanceof Map ? [...part] : part
}

class SurfaceWriter {
  readonly #facts: FileFacts
  readonly #keys: readonly string[]
  readonly #locals = new Map<number, string>()
  readonly #open = new Set<number>()
  #allLocals: string | undefined

  constructor(facts: FileFacts, keys: readonly string[]) {
    this.#facts = facts
    this.#keys = keys
  }

  symbol(symbol: CodeSymbol): string {
    const { kind, name, exported, async, accessor, attachedTo, typeParameters, takes } = symbol
    return JSON.stringify([
      [kind, name, exported, async, symbol.static, accessor, attachedTo, typeParameters, takes],
      symbol.value === undefined ? 0 : this.value(symbol.value),
      symbol.type === undefined ? 0 : this.type(symbol.type),
      symbol.result === undefined ? 0 : this.value(symbol.result),
      symbol.parameterTypes?.map((one) => (one === null ? 0 : this.type(one))),
      symbol.heritage?.map((one) => [one.relation, this.value(one.value), one.args?.map((arg) => this.type(arg))]),
    ])
  }

  value(value: Value): string {
    return this.#shorten(JSON.stringify(value, this.#replace))
  }

  type(type: Type): string {
    return this.#shorten(JSON.stringify(type, this.#replace))
  }

  /** Places in this file, which move with every edit, are written as what they are places of. */
  readonly #replace = (_key: string, part: unknown): unknown => {
    if (part instanceof Map) return [...part]
    if (typeof part !== 'object' || part === null || !('k' in part)) return part
    const { k } = part as Partial<Value>
    if (k === 'loc') return { k, i: this.#local((part as Extract<Value, { k: 'loc' }>).i) }
    if (k === 'sym' || k === 'this' || k === 'super') {
      return { ...part, k, s: this.#keys[(part as Extract<Value, { k: 'sym' }>).s] }
    }
    return part
  }

  #local(slot: number): string {
    const known = this.#locals.get(slot)
    if (known !== undefined) return known
    // A value that leads back to itself is written as all values of the file: any change of one is a change of it.
    if (this.#open.has(slot)) {
      this.#allLocals ??= this.#shorten(JSON.stringify(this.#facts.locals, withEntries))
      return this.#allLocals
    }
    const local = this.#facts.locals[slot]
    if (local === undefined) return ''
    this.#open.add(slot)
    const text = this.value(local)
    this.#open.delete(slot)
    this.#locals.set(slot, text)
    return text
  }

  /** Shared values would be written again and again inside one another: long texts are replaced by two hashes. */
  #shorten(text: string): string {
    if (text.length < 64) return text
    let left = 0x811c9dc5
    let right = 0x2545f491
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      left = Math.imul(left ^ code, 0x01000193)
      right = Math.imul(right + code, 0x9e3779b1) ^ (right >>> 15)
    }
    return `${text.length}:${left >>> 0}:${right >>> 0}`
  }

  /** What an entry is made of, and what it looks up. */
  parts(
    walk: (visit: { value: (value: Value) => void; type: (type: Type) => void }) => void,
    passedOn?: { readonly from: string; readonly imported?: string },
  ): Pick<SurfaceEntry, 'refersTo' | 'looksUp' | 'through' | 'isOpen'> {
    const refersTo = new Set<string>()
    const looksUp = new Set<string>(passedOn?.imported === undefined ? [] : [passedOn.imported])
    const through = new Set<string>(passedOn === undefined ? [] : [passedOn.from])
    const locals = new Set<number>()
    let isOpen = false
    const visit = {
      value: (value: Value): void => {
        if (value.k === 'loc') {
          if (locals.has(value.i)) return
          locals.add(value.i)
          const local = this.#facts.locals[value.i]
          if (local !== undefined) visit.value(local)
          return
        }
        if (value.k === 'sym' || value.k === 'this' || value.k === 'super') refersTo.add(this.#keys[value.s] ?? '')
        const own = value.k === 'sym' ? this.#facts.symbols[value.s] : undefined
        if (own !== undefined && hasOverloads(this.#facts, own)) looksUp.add(own.name)
        if (value.k === 'mod' || value.k === 'imp') through.add(value.m)
        if (value.k === 'glob') isOpen = true
        namesLookedUp(this.#facts.language, value, (name) => looksUp.add(name))
        visitValueParts(value, visit)
      },
      type: (type: Type): void => {
        if (type.k === 'get') looksUp.add(type.n)
        visitTypeParts(type, visit)
      },
    }
    walk(visit)
    return { refersTo, looksUp, through, isOpen }
  }
}
