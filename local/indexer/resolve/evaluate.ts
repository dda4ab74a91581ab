/**
 * Finds what an expression denotes across the files of a project. Evaluation is lazy and remembered, follows
 * declarations only (no flow analysis), and says nothing rather than guess. Each kind of question has a file of its own;
 * they ask one another through this one, which keeps count of how deep a question has gone.
 */

import { pushTo } from '#shared/kernel/push-to.ts'
import type { Symbol as CodeSymbol, FileFacts, Type, Value } from '../core/facts.ts'
import type { NodeKind } from '../core/vocabulary.ts'
import { Ancestors } from './ancestors.ts'
import { Callbacks } from './callbacks.ts'
import { Calls } from './calls.ts'
import { Contents } from './contents.ts'
import { type Denotation, type Environment, isSame, type ModuleLookup, outside } from './denotation.ts'
import type { Evaluation } from './evaluation.ts'
import { Exports } from './exported-names.ts'
import { Members } from './members.ts'
import { Narrowing, withBesides } from './narrowing.ts'
import type { ProjectFacts } from './project-facts.ts'
import { recordsOf } from './record-classes.ts'
import { standardResult } from './standard-calls.ts'
import { SymbolTable } from './symbol-table.ts'
import { Types } from './types.ts'

const holdingKinds: ReadonlySet<NodeKind> = new Set(['constant', 'variable', 'property', 'field', 'parameter'])
const depthMax = 60
const eitherMax = 8

export class Evaluator implements Evaluation {
  readonly #project: ProjectFacts
  readonly modules: (file: FileFacts) => ModuleLookup
  readonly #locals: (Denotation | undefined | 'busy')[][] = []
  readonly #values = new SymbolTable<Denotation | undefined>()
  readonly #busy = new SymbolTable<true>()
  readonly #children: (ReadonlyMap<string, number[]>[] | undefined)[] = []
  readonly #types = new Map<Type, Denotation | undefined>()
  readonly #typing = new Set<Type>()
  #depth = 0
  #cuts = 0
  #stepsLeft = Number.POSITIVE_INFINITY
  readonly exports: Exports = new Exports(this)
  readonly members: Members = new Members(this)
  readonly ancestors: Ancestors = new Ancestors(this)
  readonly calls: Calls = new Calls(this)
  readonly callbacks = new Callbacks(this)
  readonly types = new Types(this)
  readonly contents: Contents = new Contents(this)
  readonly #narrowing = new Narrowing(this)

  constructor(project: ProjectFacts, modules: (file: FileFacts) => ModuleLookup) {
    this.#project = project
    this.modules = modules
  }

  file(f: number): FileFacts {
    return this.#project.facts(f)
  }

  /** How often a search was cut short so far. What was found while this rose may be found better from elsewhere. */
  get cuts(): number {
    return this.#cuts
  }

  cut(): undefined {
    this.#cuts += 1
    return undefined
  }

  /** Whether the steps allowed are used up: whatever is asked from then on is answered with nothing. */
  get isSpent(): boolean {
    return this.#stepsLeft <= 0
  }

  get stepsLeft(): number {
    return this.#stepsLeft
  }

  allow(steps: number): void {
    this.#stepsLeft = steps
  }

  spend(steps: number): boolean {
    this.#stepsLeft -= steps
    return this.#stepsLeft > 0
  }

  fromTheTop<T>(find: () => T): T {
    const depth = this.#depth
    this.#depth = 0
    try {
      return find()
    } finally {
      this.#depth = depth
    }
  }

  /** One step deeper; false where the search ends, for being too deep or too long. */
  #enter(): boolean {
    this.#stepsLeft -= 1
    if (this.#depth > depthMax || this.#stepsLeft <= 0) {
      this.#cuts += 1
      return false
    }
    this.#depth += 1
    return true
  }

  symbol(f: number, s: number): CodeSymbol {
    const symbol = this.file(f).symbols[s]
    if (symbol === undefined) throw new Error(`no symbol ${s} in ${this.file(f).path}`)
    return symbol
  }

  children(f: number, s: number, name: string): readonly number[] {
    let tables = this.#children[f]
    if (tables === undefined) {
      const built: Map<string, number[]>[] = []
      this.file(f).symbols.forEach((symbol, index) => {
        if (index === 0 || symbol.kind === 'import') return
        let table = built[symbol.parent]
        if (table === undefined) {
          table = new Map()
          built[symbol.parent] = table
        }
        pushTo(table, symbol.name, index)
      })
      tables = built
      this.#children[f] = tables
    }
    return tables[s]?.get(name) ?? []
  }

  evaluate(f: number, value: Value, env?: Environment, asType = false): Denotation | undefined {
    if (!this.#enter()) return undefined
    try {
      return this.#fresh(f, value, env, asType)
    } finally {
      this.#depth -= 1
    }
  }

  #fresh(f: number, value: Value, env: Environment | undefined, asType: boolean): Denotation | undefined {
    switch (value.k) {
      case 'sym':
        return { t: 'symbol', f, s: value.s }
      case 'loc':
        return this.#local(f, value.i)
      case 'mod':
        return this.modules(this.file(f)).module(this.file(f), value.m)
      case 'imp':
        return this.exports.imported(f, value.m, value.n, asType)
      case 'get': {
        const object = this.evaluate(f, value.o, env)
        return object === undefined ? undefined : this.member(object, value.n, asType, value.c !== undefined, value.c)
      }
      case 'call': {
        const callee = this.callee(f, value.f, env)
        if (callee?.t === 'external' && value.f.k === 'get' && this.file(f).language === 'ruby') {
          const records = recordsOf(this, this.evaluate(f, value.f.o, env), value.f.n)
          if (records !== undefined) return records
        }
        if (callee?.t === 'external') return standardResult(this, f, value, env)
        // `run.bind(…)` is `run` again.
        if (value.f.k === 'get' && value.f.n === 'bind' && callee?.t === 'symbol' && !this.#isNamed(callee, 'bind'))
          return callee
        return callee === undefined ? undefined : this.calls.callResult(callee, f, value.a)
      }
      case 'new': {
        const target = this.evaluate(f, value.c, env)
        if (target?.t === 'external' && value.c.k === 'glob')
          return this.types.builtInType(f, value.c.n, value.a ?? [], env)
        return target === undefined ? undefined : this.calls.construct(target, f, value.a, env)
      }
      case 'is':
        return this.typed(f, value.t, env)
      case 'this':
        return value.c === 1 ? { t: 'symbol', f, s: value.s } : { t: 'instance', f, s: value.s }
      case 'super':
        return this.ancestors.parent(f, value.s, value.c === 1)
      case 'await': {
        const awaited = this.evaluate(f, value.v, env)
        return this.calls.awaited(awaited)
      }
      case 'elem': {
        const list = this.evaluate(f, value.v, env)
        return this.contents.element(list, this.file(f).language, value)
      }
      case 'arr':
        if (value.tuple === 1 && value.v.k === 'alt')
          return { t: 'tuple', of: value.v.v.map((one) => this.evaluate(f, one, env)) }
        return { t: 'list', of: this.evaluate(f, value.v, env) }
      case 'obj':
        return { t: 'object', f, value }
      case 'fn':
        return { t: 'function', f, result: value.r, async: value.async === 1 }
      case 'arg':
        return this.callbacks.argument(f, value)
      case 'alt': {
        if (value.first !== 1) {
          const found = value.v.map((one) => this.evaluate(f, one, env))
          const besides = value.v.filter((one, at) => one.k === 'is' && found[at]?.t === 'external')
          return withBesides(this.either(found), besides.length)
        }
        return this.#firstOf(value.v, (one) => this.evaluate(f, one, env))
      }
      case 'less':
        return this.#narrowing.left(f, value, env)
      case 'glob': {
        if (value.n === '') return outside
        if (value.n === '?') return undefined
        const file = this.file(f)
        return this.modules(file).free(file, value.n, asType) ?? outside
      }
    }
  }

  #isNamed({ f, s }: { readonly f: number; readonly s: number }, name: string): boolean {
    return this.symbol(f, s).name === name
  }

  /** What is called: the same as what an expression denotes, but for names that a field and a method share. */
  callee(f: number, value: Value, env?: Environment): Denotation | undefined {
    const called = value.k === 'glob' && value.n !== '' ? this.modules(this.file(f)).called : undefined
    if (value.k === 'glob' && called !== undefined) return called(this.file(f), value.n) ?? outside
    if (value.k === 'alt' && value.first === 1) return this.#firstOf(value.v, (one) => this.callee(f, one, env))
    if (value.k === 'sym') {
      const several = this.modules(this.file(f)).overloads?.(this.file(f), value.s)
      if (several !== undefined) return several
    }
    if (value.k !== 'get') return this.evaluate(f, value, env)
    const object = this.evaluate(f, value.o, env)
    return object === undefined ? undefined : this.member(object, value.n, false, true, value.c)
  }

  /** What the first of several ways leads to in the project. */
  #firstOf(ways: readonly Value[], find: (way: Value) => Denotation | undefined): Denotation {
    for (const one of ways) {
      const found = find(one)
      if (found !== undefined && found.t !== 'external') return found
    }
    return outside
  }

  #local(f: number, slot: number): Denotation | undefined {
    this.#locals[f] ??= new Array(this.file(f).locals.length)
    const table = this.#locals[f]
    const known = table[slot]
    if (known !== undefined || slot in table) return known === 'busy' ? this.cut() : known
    const value = this.file(f).locals[slot]
    if (value === undefined) return undefined
    table[slot] = 'busy'
    const found = this.evaluate(f, value)
    // What was given up is not known to be nothing: another file, with steps of its own, may ask again.
    if (this.isSpent) delete table[slot]
    else table[slot] = found
    return found
  }

  either(found: readonly (Denotation | undefined)[], wasPartial = false): Denotation | undefined {
    const flat = found.flatMap((one) => (one === undefined ? [] : one.t === 'either' ? one.of : [one]))
    const known = flat.filter((one) => one.t !== 'external')
    if (known.length === 0) return flat.length > 0 ? outside : undefined
    const isPartial =
      wasPartial || found.some((one) => one === undefined || (one.t === 'either' && one.isPartial === true))
    const distinct: Denotation[] = []
    for (const one of known) if (!distinct.some((other) => isSame(one, other))) distinct.push(one)
    const [only] = distinct
    const either: Denotation =
      only !== undefined && distinct.length === 1 && !isPartial
        ? only
        : { t: 'either', of: distinct.slice(0, eitherMax), ...(isPartial ? { isPartial: true as const } : {}) }
    const besides = found.reduce((sum, one) => sum + (one?.t === 'either' ? (one.besides ?? 0) : 0), 0)
    return withBesides(either, besides)
  }

  /** What a name of a value holds: the initialiser or the declared type of a variable, field or accessor. */
  held(denotation: Denotation): Denotation | undefined {
    if (denotation.t === 'either') {
      const held = this.either(
        denotation.of.map((one) => this.held(one)),
        denotation.isPartial,
      )
      return withBesides(held, denotation.besides ?? 0)
    }
    if (denotation.t === 'module') return denotation
    if (denotation.t !== 'symbol') return denotation
    const symbol = this.symbol(denotation.f, denotation.s)
    if (symbol.kind === 'enum_member') return { t: 'instance', f: denotation.f, s: symbol.parent }
    const isAccessor = symbol.kind === 'method' && symbol.accessor === true
    if (!isAccessor && !holdingKinds.has(symbol.kind)) return denotation
    const { f, s } = denotation
    if (denotation.env === undefined) {
      const known = this.#values.get(f, s)
      if (known !== undefined || this.#values.has(f, s)) return known
    }
    if (this.#busy.has(f, s)) return this.cut()
    this.#busy.set(f, s, true)
    let found: Denotation | undefined
    if (symbol.type !== undefined) found = this.typed(denotation.f, symbol.type, denotation.env)
    else {
      const value = isAccessor ? symbol.result : symbol.value
      const evaluated = value === undefined ? undefined : this.evaluate(denotation.f, value, denotation.env)
      found = evaluated === undefined ? undefined : this.held(evaluated)
    }
    this.#busy.delete(f, s)
    // What was cut short by the depth bound is not remembered: asked from elsewhere it may be found.
    if (denotation.env === undefined && this.#depth < depthMax / 2 && !this.isSpent) this.#values.set(f, s, found)
    return found
  }

  /** `count`: how many it is called with, where that tells methods of one name apart. */
  member(
    denotation: Denotation,
    name: string,
    asType = false,
    isCalled = false,
    count?: number,
  ): Denotation | undefined {
    if (!this.#enter()) return undefined
    try {
      return this.members.memberFresh(denotation, name, asType, isCalled, count)
    } finally {
      this.#depth -= 1
    }
  }

  /** A value of the given type. A type that is made of itself and of nothing else has none. */
  typed(f: number, type: Type, env?: Environment): Denotation | undefined {
    if (env === undefined) {
      const known = this.#types.get(type)
      if (known !== undefined || this.#types.has(type)) return known
    }
    if (env === undefined && this.#typing.has(type)) return this.cut()
    if (!this.#enter()) return undefined
    if (env === undefined) this.#typing.add(type)
    const cuts = this.#cuts
    try {
      const found = this.types.typedFresh(f, type, env)
      if (env === undefined && this.#cuts === cuts) this.#types.set(type, found)
      return found
    } finally {
      this.#depth -= 1
      if (env === undefined) this.#typing.delete(type)
    }
  }
}
