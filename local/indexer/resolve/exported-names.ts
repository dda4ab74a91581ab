/** What a module offers under a name: its own, what it passes on, and what it passes on wholesale. */

import { pushTo } from '#shared/kernel/push-to.ts'
import type { ExportFact } from '../core/facts.ts'
import { type Denotation, outside } from './denotation.ts'
import type { Evaluation } from './evaluation.ts'
import { typeLikeKinds } from './known-types.ts'

type Known = Map<string, Denotation | undefined>

export class Exports {
  readonly #whole: Evaluation
  readonly #tables: (ReadonlyMap<string, ExportFact[]> | undefined)[] = []
  /** What was asked for as a value, and as a type, by file. */
  readonly #known = [new Map<number, Known>(), new Map<number, Known>()] as const
  /** Names that are being found, by file: what leads back to one of them says nothing more of it. */
  readonly #asked = new Set<string>()
  #returns = 0

  constructor(whole: Evaluation) {
    this.#whole = whole
  }

  imported(f: number, specifier: string, name: string, asType: boolean): Denotation | undefined {
    const file = this.#whole.file(f)
    const target = this.#whole.modules(file).module(file, specifier)
    if (target.t === 'external') return outside
    return this.#whole.member(target, name, asType)
  }

  #exportTable(f: number): ReadonlyMap<string, ExportFact[]> {
    const known = this.#tables[f]
    if (known !== undefined) return known
    const table = new Map<string, ExportFact[]>()
    for (const fact of this.#whole.file(f).exports) if (fact.in === undefined) pushTo(table, fact.name, fact)
    this.#tables[f] = table
    return table
  }

  exported(f: number, name: string, asType: boolean, seen?: Set<number>): Denotation | undefined {
    const table = this.#known[asType ? 1 : 0]
    let known = table.get(f)
    if (known === undefined) {
      known = new Map()
      table.set(f, known)
    }
    if (seen === undefined) {
      const found = known.get(name)
      if (found !== undefined || known.has(name)) return found
    }
    const key = `${asType} ${f} ${name}`
    if (this.#asked.has(key)) {
      this.#returns += 1
      return undefined
    }
    this.#asked.add(key)
    const { size } = this.#asked
    const returns = this.#returns
    const ways = seen ?? new Set()
    let found: Denotation | undefined
    try {
      found = this.#exportedFresh(f, name, asType, ways)
    } finally {
      this.#asked.delete(key)
    }
    // What was found while something led back is the whole answer only where nothing is being found around it.
    if (ways.size <= 1 && (returns === this.#returns || size === 1)) known.set(name, found)
    return found
  }

  #exportedFresh(f: number, name: string, asType: boolean, seen: Set<number>): Denotation | undefined {
    if (seen.has(f)) return undefined
    seen.add(f)
    const table = this.#exportTable(f)
    const file = this.#whole.file(f)
    const candidates: Denotation[] = []
    for (const fact of table.get(name) ?? []) {
      if ('value' in fact) {
        const found = this.#whole.evaluate(f, fact.value, undefined, asType)
        if (found === undefined) continue
        candidates.push(found)
        // What Rust declares more than once is written for several conditions.
        if (file.language !== 'rust' && this.#isTypeLike(found) === asType) break
        continue
      }
      if (!('imported' in fact)) continue
      const target = this.#whole.modules(file).module(file, fact.from)
      if (fact.imported === '*') candidates.push(target)
      else if (target.t === 'module') {
        const found = this.exported(target.f, fact.imported, asType, seen)
        if (found !== undefined) candidates.push(found)
      } else if (target.t === 'external') candidates.push(outside)
    }
    const suitable = candidates.filter((one) => this.#isTypeLike(one) === asType)
    if (suitable.length > 1 && file.language === 'rust') return this.#whole.either(suitable)
    if (candidates.length > 0) return suitable[0] ?? candidates[0]
    let sawOutside = false
    if (name !== 'default') {
      for (const fact of table.get('*') ?? []) {
        if (!('from' in fact)) continue
        const target = this.#whole.modules(file).module(file, fact.from)
        if (target.t === 'external') sawOutside = true
        if (target.t !== 'module') continue
        const found = this.exported(target.f, name, asType, seen)
        if (found !== undefined && found.t !== 'external') return found
      }
    }
    const common = table.get('module.exports')?.[0]
    if (common !== undefined && 'value' in common && name !== 'module.exports') {
      const whole = this.#whole.evaluate(f, common.value)
      return whole === undefined ? undefined : name === 'default' ? whole : this.#whole.member(whole, name, asType)
    }
    return sawOutside ? outside : undefined
  }

  #isTypeLike(denotation: Denotation): boolean {
    return denotation.t === 'symbol' && typeLikeKinds.has(this.#whole.symbol(denotation.f, denotation.s).kind)
  }
}
