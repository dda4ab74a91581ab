/** What other files can learn of a file, and which names of it a change touches. */
import { visitExportParts, visitSymbolParts, visitTypeParts, visitValueParts } from './fact-parts.ts'
import type { Symbol as CodeSymbol, FileFacts, Type, Value } from './facts.ts'

interface SurfaceEntry {
  readonly names: readonly string[]
  /** Equal texts: equal in all that others can learn, but for what the symbols it refers to have become. */
  readonly text: string
  readonly refersTo: ReadonlySet<string>
}

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
  const old = surfaceOf(before)
  const now = surfaceOf(after)
  const changed = new Set<string>()
  const dependants = new Map<string, string[]>()
  for (const surface of [old, now]) {
    for (const [key, entry] of surface) {
      if (old.get(key)?.text !== now.get(key)?.text) changed.add(key)
      for (const target of entry.refersTo) {
        const list = dependants.get(target)
        if (list === undefined) dependants.set(target, [key])
        else list.push(key)
      }
    }
  }
  const queue = [...changed]
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    for (const one of dependants.get(key) ?? []) {
      if (changed.has(one)) continue
      changed.add(one)
      queue.push(one)
    }
  }
  const names = new Set<string>()
  for (const key of changed)
    for (const entry of [old.get(key), now.get(key)]) for (const name of entry?.names ?? []) names.add(name)
  // What is passed on wholesale has any name.
  return names.has('*') ? undefined : names
}

function surfaceOf(facts: FileFacts): Map<string, SurfaceEntry> {
  const surface = new Map<string, SurfaceEntry>()
  const keys = symbolKeys(facts)
  const writer = new SurfaceWriter(facts, keys)
  facts.symbols.forEach((symbol, s) => {
    if (symbol.kind === 'import') return
    const holder = facts.symbols[symbol.parent]
    const names =
      symbol.name === 'constructor' && holder !== undefined ? [symbol.name, holder.name] : s === 0 ? [] : [symbol.name]
    surface.set(keys[s] ?? '', {
      names,
      text: `${holder?.kind ?? ''} ${writer.symbol(symbol)}`,
      refersTo: writer.refersTo((visit) => visitSymbolParts(symbol, visit)),
    })
  })
  facts.exports.forEach((fact, position) => {
    const text = 'value' in fact ? writer.value(fact.value) : JSON.stringify(fact)
    const key = `export ${fact.name} ${text}`
    surface.set(surface.has(key) ? `${key} ${position}` : key, {
      names: [fact.name],
      text,
      refersTo: writer.refersTo((visit) => visitExportParts(fact, visit)),
    })
  })
  return surface
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
    const { kind, name, exported, async, accessor, attachedTo, typeParameters } = symbol
    return JSON.stringify([
      [kind, name, exported, async, symbol.static, accessor, attachedTo, typeParameters],
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
      this.#allLocals ??= this.#shorten(JSON.stringify(this.#facts.locals))
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

  refersTo(walk: (visit: { value: (value: Value) => void; type: (type: Type) => void }) => void): ReadonlySet<string> {
    const found = new Set<string>()
    const locals = new Set<number>()
    const visit = {
      value: (value: Value): void => {
        if (value.k === 'loc') {
          if (locals.has(value.i)) return
          locals.add(value.i)
          const local = this.#facts.locals[value.i]
          if (local !== undefined) visit.value(local)
        } else if (value.k === 'sym' || value.k === 'this' || value.k === 'super') {
          found.add(this.#keys[value.s] ?? '')
        } else visitValueParts(value, visit)
      },
      type: (type: Type): void => visitTypeParts(type, visit),
    }
    walk(visit)
    return found
  }
}
