/**
 * Finds what an expression denotes across the files of a project. Evaluation is lazy and remembered, follows
 * declarations only (no flow analysis), and says nothing rather than guess.
 */
import { constructorNames } from '../core/constructor-names.ts'
import type { Symbol as CodeSymbol, ExportFact, FileFacts, Type, Value } from '../core/facts.ts'
import { languageFamily } from '../core/language-of.ts'
import { type Denotation, type Environment, type Instance, isSame, type ModuleLookup, outside } from './denotation.ts'
import {
  callableKinds,
  elementCallbacks,
  listTypes,
  mapTypes,
  oneOfList,
  promiseTypes,
  sameList,
  seenThrough,
  transparentTypes,
  typeLikeKinds,
} from './known-types.ts'
import type { ProjectFacts } from './project-facts.ts'

const depthMax = 60
const heritageDepthMax = 12
const eitherMax = 8

export class Evaluator {
  readonly #project: ProjectFacts
  readonly #modules: (file: FileFacts) => ModuleLookup
  readonly #locals: (Denotation | undefined | 'busy')[][] = []
  readonly #values = new Map<number, Denotation | undefined>()
  readonly #busy = new Set<number>()
  readonly #children: (ReadonlyMap<string, number[]>[] | undefined)[] = []
  readonly #exports: (ReadonlyMap<string, ExportFact[]> | undefined)[] = []
  readonly #exportCache = new Map<string, Denotation | undefined>()
  /** What literals were asked for in the search under way; undefined while it is looked for. */
  readonly #askedOf = new Map<Value, Map<string, Denotation | undefined>>()
  #depth = 0

  constructor(project: ProjectFacts, modules: (file: FileFacts) => ModuleLookup) {
    this.#project = project
    this.#modules = modules
  }

  file(f: number): FileFacts {
    return this.#project.facts(f)
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
        const list = table.get(symbol.name)
        if (list === undefined) table.set(symbol.name, [index])
        else list.push(index)
      })
      tables = built
      this.#children[f] = tables
    }
    return tables[s]?.get(name) ?? []
  }

  // ---- values -------------------------------------------------------------------------------------------

  evaluate(f: number, value: Value, env?: Environment, asType = false): Denotation | undefined {
    if (this.#depth > depthMax) return undefined
    this.#depth += 1
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
        return this.#modules(this.file(f)).module(this.file(f), value.m)
      case 'imp':
        return this.#imported(f, value.m, value.n, asType)
      case 'get': {
        const object = this.evaluate(f, value.o, env)
        return object === undefined ? undefined : this.member(object, value.n, asType)
      }
      case 'call': {
        const callee = this.callee(f, value.f, env)
        return callee === undefined ? undefined : this.callResult(callee, f, value.a)
      }
      case 'new': {
        const target = this.evaluate(f, value.c, env)
        if (target?.t === 'external' && value.c.k === 'glob') return this.#builtInType(f, value.c.n, value.a ?? [], env)
        return target === undefined ? undefined : this.#construct(target, f, value.a, env)
      }
      case 'is':
        return this.typed(f, value.t, env)
      case 'this':
        return value.c === 1 ? { t: 'symbol', f, s: value.s } : { t: 'instance', f, s: value.s }
      case 'super':
        return this.#parent(f, value.s, value.c === 1)
      case 'await': {
        const awaited = this.evaluate(f, value.v, env)
        return this.#awaited(awaited)
      }
      case 'elem': {
        const list = this.evaluate(f, value.v, env)
        return this.#element(list)
      }
      case 'arr':
        return { t: 'list', of: this.evaluate(f, value.v, env) }
      case 'obj':
        return { t: 'object', f, value }
      case 'fn':
        return { t: 'function', f, result: value.r, async: value.async === 1 }
      case 'arg':
        return this.#argument(f, value.f, value.i, value.p)
      case 'alt': {
        if (value.first !== 1) return this.#either(value.v.map((one) => this.evaluate(f, one, env)))
        for (const one of value.v) {
          const found = this.evaluate(f, one, env)
          if (found !== undefined && found.t !== 'external') return found
        }
        return outside
      }
      case 'glob': {
        if (value.n === '') return outside
        if (value.n === '?') return undefined
        const file = this.file(f)
        return this.#modules(file).free(file, value.n, asType) ?? outside
      }
    }
  }

  /** What is called: the same as what an expression denotes, but for names that a field and a method share. */
  callee(f: number, value: Value, env?: Environment): Denotation | undefined {
    if (value.k !== 'get') return this.evaluate(f, value, env)
    const object = this.evaluate(f, value.o, env)
    return object === undefined ? undefined : this.member(object, value.n, false, true)
  }

  #local(f: number, slot: number): Denotation | undefined {
    this.#locals[f] ??= []
    const table = this.#locals[f]
    if (slot in table) {
      const known = table[slot]
      return known === 'busy' ? undefined : known
    }
    const value = this.file(f).locals[slot]
    if (value === undefined) return undefined
    table[slot] = 'busy'
    const found = this.evaluate(f, value)
    table[slot] = found
    return found
  }

  #either(found: readonly (Denotation | undefined)[], wasPartial = false): Denotation | undefined {
    const flat = found.flatMap((one) => (one === undefined ? [] : one.t === 'either' ? one.of : [one]))
    const known = flat.filter((one) => one.t !== 'external')
    if (known.length === 0) return flat.length > 0 ? outside : undefined
    const isPartial =
      wasPartial || found.some((one) => one === undefined || (one.t === 'either' && one.isPartial === true))
    const distinct: Denotation[] = []
    for (const one of known) if (!distinct.some((other) => isSame(one, other))) distinct.push(one)
    if (distinct.length === 1 && !isPartial) return distinct[0]
    return { t: 'either', of: distinct.slice(0, eitherMax), ...(isPartial ? { isPartial: true as const } : {}) }
  }

  /** What a name of a value holds: the initialiser or the declared type of a variable, field or accessor. */
  held(denotation: Denotation): Denotation | undefined {
    if (denotation.t === 'either')
      return this.#either(
        denotation.of.map((one) => this.held(one)),
        denotation.isPartial,
      )
    if (denotation.t === 'module') return denotation
    if (denotation.t !== 'symbol') return denotation
    const symbol = this.symbol(denotation.f, denotation.s)
    if (symbol.kind === 'enum_member') return { t: 'instance', f: denotation.f, s: symbol.parent }
    const isAccessor = symbol.kind === 'method' && symbol.accessor === true
    if (!isAccessor && !['constant', 'variable', 'property', 'field', 'parameter'].includes(symbol.kind))
      return denotation
    const key = denotation.f * 0x200000 + denotation.s
    if (denotation.env === undefined && this.#values.has(key)) return this.#values.get(key)
    if (this.#busy.has(key)) return undefined
    this.#busy.add(key)
    let found: Denotation | undefined
    if (symbol.type !== undefined) found = this.typed(denotation.f, symbol.type, denotation.env)
    else {
      const value = isAccessor ? symbol.result : symbol.value
      const evaluated = value === undefined ? undefined : this.evaluate(denotation.f, value, denotation.env)
      found = evaluated === undefined ? undefined : this.held(evaluated)
    }
    this.#busy.delete(key)
    // What was cut short by the depth bound is not remembered: asked from elsewhere it may be found.
    if (denotation.env === undefined && this.#depth < depthMax / 2) this.#values.set(key, found)
    return found
  }

  // ---- modules ------------------------------------------------------------------------------------------

  #imported(f: number, specifier: string, name: string, asType: boolean): Denotation | undefined {
    const file = this.file(f)
    const target = this.#modules(file).module(file, specifier)
    if (target.t === 'external') return outside
    return this.member(target, name, asType)
  }

  #exportTable(f: number): ReadonlyMap<string, ExportFact[]> {
    const known = this.#exports[f]
    if (known !== undefined) return known
    const table = new Map<string, ExportFact[]>()
    for (const fact of this.file(f).exports) {
      const list = table.get(fact.name)
      if (list === undefined) table.set(fact.name, [fact])
      else list.push(fact)
    }
    this.#exports[f] = table
    return table
  }

  exported(f: number, name: string, asType: boolean, seen: Set<number> = new Set()): Denotation | undefined {
    const key = `${f}\n${name}\n${asType ? 1 : 0}`
    if (seen.size === 0 && this.#exportCache.has(key)) return this.#exportCache.get(key)
    const found = this.#exportedFresh(f, name, asType, seen)
    if (seen.size <= 1) this.#exportCache.set(key, found)
    return found
  }

  #exportedFresh(f: number, name: string, asType: boolean, seen: Set<number>): Denotation | undefined {
    if (seen.has(f)) return undefined
    seen.add(f)
    const table = this.#exportTable(f)
    const file = this.file(f)
    const candidates: Denotation[] = []
    for (const fact of table.get(name) ?? []) {
      if ('value' in fact) {
        const found = this.evaluate(f, fact.value, undefined, asType)
        if (found !== undefined) candidates.push(found)
        continue
      }
      if (!('imported' in fact)) continue
      const target = this.#modules(file).module(file, fact.from)
      if (fact.imported === '*') candidates.push(target)
      else if (target.t === 'module') {
        const found = this.exported(target.f, fact.imported, asType, seen)
        if (found !== undefined) candidates.push(found)
      } else if (target.t === 'external') candidates.push(outside)
    }
    if (candidates.length > 0) return candidates.find((one) => this.#isTypeLike(one) === asType) ?? candidates[0]
    let sawOutside = false
    if (name !== 'default') {
      for (const fact of table.get('*') ?? []) {
        if (!('from' in fact)) continue
        const target = this.#modules(file).module(file, fact.from)
        if (target.t === 'external') sawOutside = true
        if (target.t !== 'module') continue
        const found = this.exported(target.f, name, asType, seen)
        if (found !== undefined && found.t !== 'external') return found
      }
    }
    const common = table.get('module.exports')?.[0]
    if (common !== undefined && 'value' in common && name !== 'module.exports') {
      const whole = this.evaluate(f, common.value)
      return whole === undefined ? undefined : name === 'default' ? whole : this.member(whole, name, asType)
    }
    return sawOutside ? outside : undefined
  }

  #isTypeLike(denotation: Denotation): boolean {
    return denotation.t === 'symbol' && typeLikeKinds.has(this.symbol(denotation.f, denotation.s).kind)
  }

  // ---- members ------------------------------------------------------------------------------------------

  member(denotation: Denotation, name: string, asType = false, isCalled = false): Denotation | undefined {
    if (this.#depth > depthMax) return undefined
    this.#depth += 1
    try {
      return this.#memberFresh(denotation, name, asType, isCalled)
    } finally {
      this.#depth -= 1
    }
  }

  #memberFresh(denotation: Denotation, name: string, asType: boolean, isCalled: boolean): Denotation | undefined {
    switch (denotation.t) {
      case 'external':
        return outside
      case 'module': {
        const found = this.exported(denotation.f, name, asType)
        if (found !== undefined) return found
        return this.#modules(this.file(denotation.f)).moduleMember(this.file(denotation.f).path, name)
      }
      case 'package': {
        const [first] = denotation.files
        const from = first === undefined ? undefined : this.file(first)
        if (from === undefined) return undefined
        if (from.language !== 'go') return this.#modules(from).moduleMember(denotation.path, name)
        for (const f of denotation.files) {
          const [s] = this.children(f, 0, name)
          if (s !== undefined) return { t: 'symbol', f, s }
        }
        return undefined
      }
      case 'instance':
        return this.#memberOfInstance(denotation, name, isCalled)
      case 'symbol':
        return this.#symbolMember(denotation, name, asType, isCalled)
      case 'object':
        return this.#objectMember(denotation, name)
      case 'shape': {
        const type = Object.hasOwn(denotation.properties, name) ? denotation.properties[name] : undefined
        return type === undefined ? undefined : this.typed(denotation.f, type, denotation.env)
      }
      case 'either': {
        // What is declared and has no such member is not what is meant where the member is asked for.
        const found = denotation.of.flatMap((one) => {
          const member = this.member(one, name, asType, isCalled)
          return member === undefined && one.t === 'instance' ? [] : [member]
        })
        return this.#either(found, denotation.isPartial)
      }
      case 'function':
        return name === 'bind' || name === 'call' || name === 'apply' ? denotation : outside
      case 'list':
      case 'promise':
      case 'built-in':
        return { t: 'built-in', on: denotation, n: name }
    }
  }

  /**
   * A literal may spread the variable it is assigned to, as in `all = { ...all, more }`: while a search lasts, each
   * literal is asked once for a name, or every way through them would be taken.
   */
  #objectMember({ f, value }: Extract<Denotation, { t: 'object' }>, name: string): Denotation | undefined {
    const known = this.#askedOf.get(value) ?? new Map<string, Denotation | undefined>()
    if (known.has(name)) return known.get(name)
    const isOutermost = this.#askedOf.size === 0
    this.#askedOf.set(value, known.set(name, undefined))
    const found = this.#objectMemberFresh(f, value, name)
    known.set(name, found)
    if (isOutermost) this.#askedOf.clear()
    return found
  }

  #objectMemberFresh(
    f: number,
    value: Extract<Denotation, { t: 'object' }>['value'],
    name: string,
  ): Denotation | undefined {
    const own = Object.hasOwn(value.p, name) ? value.p[name] : undefined
    if (own !== undefined) return this.evaluate(f, own)
    for (const spread of value.x ?? []) {
      const from = this.evaluate(f, spread)
      const found = from === undefined ? undefined : this.member(from, name)
      if (found !== undefined && found.t !== 'external') return found
    }
    return undefined
  }

  #memberOfInstance(denotation: Instance, name: string, isCalled: boolean): Denotation | undefined {
    const { f, s, env, above } = denotation
    const found = this.instanceMember(f, s, name, env, 0, above, isCalled)
    if (found?.t === 'symbol') return this.#boundLate(found, denotation)
    if (found !== undefined && found.t !== 'external') return found
    // What wraps a value in Rust and C++ is not told apart from the value, and is looked through.
    const { language } = this.file(f)
    const isWrapper =
      (language === 'rust' && seenThrough.has(name)) || (language === 'cpp' && /^(value|get|value_or)$/.test(name))
    return isWrapper ? { t: 'built-in', on: denotation, n: name } : found
  }

  /** PHP's `static` is the class that was asked, wherever the method that says so stands. */
  #boundLate(found: Extract<Denotation, { t: 'symbol' }>, asked: Extract<Denotation, { t: 'instance' }>): Denotation {
    const { type } = this.symbol(found.f, found.s)
    if (type?.k !== 'param' || type.n !== 'static') return found
    return { ...found, env: new Map([...(found.env ?? []), ['static', asked]]) }
  }

  /** Where methods and fields have names of their own, a call means the method of that name. */
  #pick(f: number, candidates: readonly number[], isCalled: boolean): number | undefined {
    if (candidates.length < 2) return candidates[0]
    return candidates.find((one) => callableKinds.has(this.symbol(f, one).kind) === isCalled) ?? candidates[0]
  }

  #symbolMember(
    denotation: Extract<Denotation, { t: 'symbol' }>,
    name: string,
    asType: boolean,
    isCalled: boolean,
  ): Denotation | undefined {
    const symbol = this.symbol(denotation.f, denotation.s)
    if (callableKinds.has(symbol.kind) && symbol.accessor !== true) {
      if (name === 'call' || name === 'apply' || name === 'bind') return denotation
      if (name === 'prototype') return { t: 'instance', f: denotation.f, s: denotation.s }
      const [own] = this.children(denotation.f, denotation.s, name).filter(
        (s) => this.symbol(denotation.f, s).static === true,
      )
      return own === undefined ? outside : { t: 'symbol', f: denotation.f, s: own }
    }
    if (typeLikeKinds.has(symbol.kind)) {
      if (name === 'prototype') return { t: 'instance', f: denotation.f, s: denotation.s }
      const found = this.#staticMember(denotation.f, denotation.s, name, asType, 0, isCalled)
      return found?.t === 'symbol' ? this.#boundLate(found, { t: 'instance', f: denotation.f, s: denotation.s }) : found
    }
    // Members written onto a value itself (`handler.reset = …`) and methods of an object literal.
    const attached = this.children(denotation.f, denotation.s, name)
    const [only] = attached
    const value = symbol.value
    if (
      only !== undefined &&
      (symbol.kind === 'constant' || symbol.kind === 'variable' || symbol.kind === 'property')
    ) {
      if (value?.k !== 'loc' || this.file(denotation.f).locals[value.i]?.k !== 'obj' || attached.length === 1) {
        return { t: 'symbol', f: denotation.f, s: only }
      }
    }
    const held = this.held(denotation)
    return held === undefined || (held.t === 'symbol' && isSame(held, denotation))
      ? undefined
      : this.member(held, name, asType, isCalled)
  }

  #staticMember(
    f: number,
    s: number,
    name: string,
    asType: boolean,
    depth: number,
    isCalled: boolean,
  ): Denotation | undefined {
    const symbol = this.symbol(f, s)
    const candidates = this.children(f, s, name)
    const isOpen = symbol.kind !== 'class' || languageFamily(this.file(f).language) !== 'script'
    const own = candidates.filter((one) => isOpen || this.symbol(f, one).static === true)
    const pick =
      isOpen && !asType
        ? this.#pick(f, own, isCalled)
        : (own.find((one) => typeLikeKinds.has(this.symbol(f, one).kind) === asType) ?? own[0])
    if (pick !== undefined) return { t: 'symbol', f, s: pick, through: 'member' }
    const attached = this.#modules(this.file(f)).attached?.(this.file(f), symbol.name, name)
    if (attached !== undefined) return attached
    if (depth < heritageDepthMax) {
      let sawOutside = false
      for (const one of symbol.heritage ?? []) {
        const parent = this.evaluate(f, one.value)
        if (parent?.t === 'external') sawOutside = true
        if (parent?.t !== 'symbol') continue
        const found = this.#staticMember(parent.f, parent.s, name, asType, depth + 1, isCalled)
        if (found !== undefined) return found
      }
      if (sawOutside) return outside
    }
    return undefined
  }

  /** A member of an instance, along its ancestors; external when an ancestor outside the project may declare it. */
  instanceMember(
    f: number,
    s: number,
    name: string,
    env: Environment | undefined,
    depth: number,
    isAbove = false,
    isCalled = true,
  ): Denotation | undefined {
    if (name === constructorName) return this.#constructorOf(f, s, env, depth)
    if (this.file(f).language === 'python') return this.#linearMember(f, s, name, env, isAbove)
    const symbol = this.symbol(f, s)
    const isScript = languageFamily(this.file(f).language) === 'script'
    const own = this.children(f, s, name).filter((one) => !isScript || this.symbol(f, one).static !== true)
    const pick = isScript ? own[0] : this.#pick(f, own, isCalled)
    // What is private above is not inherited.
    const isHidden = depth > 0 && !isScript && pick !== undefined && this.symbol(f, pick).visibility === 'private'
    if (pick !== undefined && !isHidden)
      return { t: 'symbol', f, s: pick, through: 'member', ...(env === undefined ? {} : { env }) }
    const attached = this.#modules(this.file(f)).attached?.(this.file(f), symbol.name, name)
    if (attached !== undefined) return attached
    if (depth >= heritageDepthMax) return undefined
    if (symbol.kind === 'type_alias' && symbol.type !== undefined) {
      const target = this.typed(f, symbol.type, env)
      return target === undefined ? undefined : this.member(target, name)
    }
    let sawOutside = false
    for (const one of symbol.heritage ?? []) {
      const parent = this.evaluate(f, one.value, undefined, true)
      if (parent === undefined) continue
      if (parent.t === 'external') {
        sawOutside = true
        continue
      }
      const target = this.#instanceOf(parent, f, one.args, env)
      const found =
        target?.t === 'instance'
          ? this.instanceMember(target.f, target.s, name, target.env, depth + 1, false, isCalled)
          : target === undefined
            ? undefined
            : this.member(target, name)
      if (found?.t === 'external') sawOutside = true
      else if (found !== undefined) return found
    }
    return sawOutside ? outside : undefined
  }

  #constructorOf(f: number, s: number, env: Environment | undefined, depth: number): Denotation | undefined {
    for (const name of constructorNames(this.symbol(f, s))) {
      const found = this.instanceMember(f, s, name, env, depth)
      if (found?.t === 'symbol' && this.symbol(found.f, found.s).kind === 'method') return found
    }
    return outside
  }

  /** Python looks through a class and its ancestors in one line, in which a class comes before what it inherits from. */
  #linearMember(
    f: number,
    s: number,
    name: string,
    env: Environment | undefined,
    isAbove: boolean,
  ): Denotation | undefined {
    const { line, isOpen } = this.#lineOfAncestors({ t: 'instance', f, s, ...(env === undefined ? {} : { env }) }, 0)
    for (const one of isAbove ? line.slice(1) : line) {
      const [member] = this.children(one.f, one.s, name)
      if (member !== undefined)
        return {
          t: 'symbol',
          f: one.f,
          s: member,
          through: 'member',
          ...(one.env === undefined ? {} : { env: one.env }),
        }
    }
    return isOpen ? outside : undefined
  }

  /** `isOpen`: an ancestor lies outside the project, or nothing is known of it. */
  #lineOfAncestors(type: Instance, depth: number): { readonly line: readonly Instance[]; readonly isOpen: boolean } {
    if (depth >= heritageDepthMax) return { line: [type], isOpen: true }
    let isOpen = false
    const lines: Instance[][] = []
    const parents: Instance[] = []
    for (const one of this.symbol(type.f, type.s).heritage ?? []) {
      const parent = this.evaluate(type.f, one.value, undefined, true)
      const target = parent === undefined ? undefined : this.#instanceOf(parent, type.f, one.args, type.env)
      if (target?.t !== 'instance') {
        isOpen = true
        continue
      }
      const above = this.#lineOfAncestors(target, depth + 1)
      if (above.isOpen) isOpen = true
      lines.push([...above.line])
      parents.push(target)
    }
    lines.push(parents)
    const line = [type]
    for (;;) {
      // The first class that no other line still has further down; a knot is cut at its first class.
      const heads = lines.flatMap((one) => one[0] ?? [])
      const next =
        heads.find((head) => !lines.some((one) => one.slice(1).some((later) => isSame(later, head)))) ?? heads[0]
      if (next === undefined) return { line, isOpen }
      line.push(next)
      lines.forEach((one, index) => {
        lines[index] = one.filter((other) => !isSame(other, next))
      })
    }
  }

  #parent(f: number, s: number, isStatic: boolean): Denotation | undefined {
    if (this.file(f).language === 'python') return { t: 'instance', f, s, above: true }
    const parents: Denotation[] = []
    for (const one of this.symbol(f, s).heritage ?? []) {
      if (one.relation !== 'extends') continue
      const parent = this.evaluate(f, one.value)
      if (parent === undefined) continue
      const target = isStatic ? this.held(parent) : this.#instanceOf(parent, f, one.args, undefined)
      if (target !== undefined) parents.push(target)
    }
    const [first] = parents
    if (first === undefined) return outside
    return parents.length === 1 ? first : { t: 'either', of: parents }
  }

  // ---- calls and construction ---------------------------------------------------------------------------

  #construct(
    target: Denotation,
    f: number,
    args: readonly Type[] | undefined,
    env: Environment | undefined,
  ): Denotation | undefined {
    const held = this.held(target)
    if (held === undefined) return undefined
    if (held.t === 'module') {
      const whole = this.exported(held.f, 'default', false)
      return whole === undefined ? undefined : this.#construct(whole, f, args, env)
    }
    if (held.t === 'symbol') {
      const kind = this.symbol(held.f, held.s).kind
      if (kind === 'interface' || kind === 'type_alias') return undefined
    }
    return this.#instanceOf(held, f, args, env)
  }

  #instanceOf(
    target: Denotation,
    f: number,
    args: readonly Type[] | undefined,
    env: Environment | undefined,
  ): Denotation | undefined {
    if (target.t === 'external') return outside
    if (target.t === 'either')
      return this.#either(
        target.of.map((one) => this.#instanceOf(one, f, args, env)),
        target.isPartial,
      )
    if (target.t !== 'symbol') return target.t === 'instance' ? target : undefined
    const symbol = this.symbol(target.f, target.s)
    let inner: Environment | undefined
    if (args !== undefined && symbol.typeParameters !== undefined) {
      const table = new Map<string, Denotation>()
      symbol.typeParameters.forEach((name, index) => {
        const argument = args[index]
        const found = argument === undefined ? undefined : this.typed(f, argument, env)
        if (found !== undefined) table.set(name, found)
      })
      if (table.size > 0) inner = table
    }
    // Inside a template of C++ its bare name, and in Rust `Self`, stand for it with the arguments it has.
    if (args === undefined && env !== undefined && symbol.typeParameters?.every((name) => env.has(name)) === true)
      if (/^(cpp|rust)$/.test(this.file(target.f).language)) inner = env
    // In Go a type that is made of another one is a type of its own, with methods of its own.
    const isDefined = this.file(target.f).language === 'go'
    if (symbol.kind === 'type_alias' && symbol.type !== undefined && !isDefined)
      return this.typed(target.f, symbol.type, inner)
    if (symbol.kind === 'constant' || symbol.kind === 'variable' || symbol.kind === 'property') {
      const held = this.held(target)
      return held === undefined || isSame(held, target) ? undefined : this.#instanceOf(held, f, args, env)
    }
    if (symbol.kind === 'method') return undefined
    return { t: 'instance', f: target.f, s: target.s, ...(inner === undefined ? {} : { env: inner }) }
  }

  callResult(callee: Denotation, f: number, args?: readonly Value[]): Denotation | undefined {
    switch (callee.t) {
      case 'external':
        return outside
      case 'either':
        return this.#either(
          callee.of.map((one) => this.callResult(one, f, args)),
          callee.isPartial,
        )
      case 'function': {
        if (callee.type !== undefined) return this.typed(callee.f, callee.type, callee.env)
        const result = callee.result === undefined ? undefined : this.evaluate(callee.f, callee.result)
        const held = result === undefined ? undefined : this.held(result)
        return callee.async ? { t: 'promise', of: this.#awaited(held) } : held
      }
      case 'built-in':
        return this.#builtInResult(callee, f, args)
      case 'module': {
        const whole = this.exported(callee.f, 'default', false)
        return whole === undefined ? undefined : this.callResult(whole, f, args)
      }
      case 'instance': {
        const type = this.symbol(callee.f, callee.s).type
        if (type?.k === 'fn') return type.r === undefined ? undefined : this.typed(callee.f, type.r, callee.env)
        return undefined
      }
      case 'symbol': {
        const symbol = this.symbol(callee.f, callee.s)
        if (callableKinds.has(symbol.kind) && symbol.accessor !== true) return this.#functionResult(callee, symbol)
        if (typeLikeKinds.has(symbol.kind)) {
          return languageFamily(this.file(callee.f).language) === 'script'
            ? undefined
            : this.#instanceOf(callee, f, undefined, undefined)
        }
        const held = this.held(callee)
        // In Ruby a field is read by calling its name.
        if (['field', 'variable', 'constant'].includes(symbol.kind) && this.file(callee.f).language === 'ruby')
          return held
        return held === undefined || isSame(held, callee) ? undefined : this.callResult(held, f, args)
      }
      default:
        return undefined
    }
  }

  readonly #running = new Set<number>()

  #functionResult(callee: Extract<Denotation, { t: 'symbol' }>, symbol: CodeSymbol): Denotation | undefined {
    if (symbol.type !== undefined && symbol.type.k !== 'fn') return this.typed(callee.f, symbol.type, callee.env)
    if (symbol.type?.k === 'fn')
      return symbol.type.r === undefined ? undefined : this.typed(callee.f, symbol.type.r, callee.env)
    if (symbol.result === undefined) return undefined
    const key = callee.f * 0x200000 + callee.s
    if (this.#running.has(key)) return undefined
    this.#running.add(key)
    const result = this.evaluate(callee.f, symbol.result, callee.env)
    const held = result === undefined ? undefined : this.held(result)
    this.#running.delete(key)
    return symbol.async === true ? { t: 'promise', of: this.#awaited(held) } : held
  }

  #builtInResult(
    callee: Extract<Denotation, { t: 'built-in' }>,
    f: number,
    args: readonly Value[] | undefined,
  ): Denotation | undefined {
    const [first] = args ?? []
    const callback = (): Denotation | undefined => {
      const fn = first === undefined ? undefined : this.evaluate(f, first)
      return fn === undefined ? undefined : this.callResult(fn, f)
    }
    if (callee.on.t === 'list') {
      if (sameList.has(callee.n)) return callee.on
      if (oneOfList.has(callee.n)) return callee.on.of
      if (callee.n === 'map' || callee.n === 'Select') return { t: 'list', of: callback() }
      if (callee.n === 'flatMap') return callback()
    }
    if (callee.on.t === 'instance') return callee.on
    if (callee.on.t === 'promise') {
      if (callee.n === 'then') return { t: 'promise', of: this.#awaited(callback()) }
      if (callee.n === 'catch' || callee.n === 'finally') return callee.on
    }
    return outside
  }

  #awaited(denotation: Denotation | undefined): Denotation | undefined {
    if (denotation === undefined) return undefined
    const held = this.held(denotation)
    return held?.t === 'promise' ? held.of : held
  }

  #element(denotation: Denotation | undefined): Denotation | undefined {
    const held = denotation === undefined ? undefined : this.held(denotation)
    if (held === undefined) return undefined
    if (held.t === 'list') return held.of
    if (held.t === 'external') return outside
    if (held.t === 'instance') {
      const { kind, type } = this.symbol(held.f, held.s)
      return kind === 'type_alias' && type !== undefined ? this.#element(this.typed(held.f, type, held.env)) : undefined
    }
    if (held.t === 'object') return this.#either(Object.values(held.value.p).map((one) => this.evaluate(held.f, one)))
    if (held.t === 'either')
      return this.#either(
        held.of.map((one) => this.#element(one)),
        held.isPartial,
      )
    return undefined
  }

  /** What a parameter of a callback is given, by what takes the callback. */
  #argument(f: number, takerValue: Value, index: number, parameter: number): Denotation | undefined {
    const taker = this.evaluate(f, takerValue)
    if (taker === undefined) return undefined
    return this.#argumentOf(taker, index, parameter)
  }

  #argumentOf(taker: Denotation, index: number, parameter: number): Denotation | undefined {
    if (taker.t === 'external') return outside
    if (taker.t === 'built-in') {
      if (taker.on.t === 'list') {
        if (taker.n === 'reduce') return parameter === 1 ? taker.on.of : undefined
        if (elementCallbacks.has(taker.n)) return parameter === 0 || taker.n === 'sort' ? taker.on.of : outside
      }
      if (taker.on.t === 'promise' && taker.n === 'then') return parameter === 0 && index === 0 ? taker.on.of : outside
      return outside
    }
    if (taker.t === 'symbol') {
      const symbol = this.symbol(taker.f, taker.s)
      const target = typeLikeKinds.has(symbol.kind)
        ? this.instanceMember(taker.f, taker.s, 'constructor', undefined, 0)
        : taker
      if (target?.t !== 'symbol') return undefined
      const type = this.symbol(target.f, target.s).parameterTypes?.[index]
      if (type === null || type === undefined) return undefined
      return this.#parameterOfType(target.f, type, parameter, target.env, 0)
    }
    return undefined
  }

  #parameterOfType(
    f: number,
    type: Type,
    parameter: number,
    env: Environment | undefined,
    depth: number,
  ): Denotation | undefined {
    if (depth > 6) return undefined
    if (type.k === 'fn') {
      const given = type.ps?.[parameter]
      return given === null || given === undefined ? undefined : this.typed(f, given, env)
    }
    if (type.k === 'ref') {
      const target = this.evaluate(f, type.v, env, true)
      if (target?.t === 'external') return outside
      if (target?.t !== 'symbol') return undefined
      const inner = this.symbol(target.f, target.s).type
      return inner === undefined ? undefined : this.#parameterOfType(target.f, inner, parameter, undefined, depth + 1)
    }
    if (type.k === 'any-of') {
      for (const one of type.ts) {
        const found = this.#parameterOfType(f, one, parameter, env, depth + 1)
        if (found !== undefined && found.t !== 'external') return found
      }
    }
    return undefined
  }

  // ---- types --------------------------------------------------------------------------------------------

  /** A value of the given type. */
  typed(f: number, type: Type, env?: Environment): Denotation | undefined {
    if (this.#depth > depthMax) return undefined
    this.#depth += 1
    try {
      return this.#typedFresh(f, type, env)
    } finally {
      this.#depth -= 1
    }
  }

  #typedFresh(f: number, type: Type, env: Environment | undefined): Denotation | undefined {
    switch (type.k) {
      case 'param':
        return env?.get(type.n) ?? (type.b === undefined ? undefined : this.typed(f, type.b, env))
      case 'arr':
        return { t: 'list', of: this.typed(f, type.e, env) }
      case 'any-of':
        return this.#either(type.ts.map((one) => this.typed(f, one, env)))
      case 'fn':
        return {
          t: 'function',
          f,
          result: undefined,
          async: false,
          ...(type.r === undefined ? {} : { type: type.r }),
          ...(env === undefined ? {} : { env }),
        }
      case 'obj':
        return { t: 'shape', f, properties: type.p, ...(env === undefined ? {} : { env }) }
      case 'of': {
        const value = this.evaluate(f, type.v, env)
        return value === undefined ? undefined : this.held(value)
      }
      case 'get': {
        const object = this.typed(f, type.t, env)
        const found = object === undefined ? undefined : this.member(object, type.n)
        return found === undefined ? undefined : this.held(found)
      }
      case 'ref':
        return this.#typeReference(f, type, env)
    }
  }

  #typeReference(f: number, type: Extract<Type, { k: 'ref' }>, env: Environment | undefined): Denotation | undefined {
    const target = this.evaluate(f, type.v, env, true)
    if (target === undefined) return undefined
    if (target.t === 'external') {
      const { v } = type
      const name =
        v.k === 'glob' || v.k === 'imp' || v.k === 'get'
          ? v.n
          : v.k === 'mod'
            ? (v.m.split(/[./\\:]/).at(-1) ?? '')
            : ''
      return this.#builtInType(f, name, type.a ?? [], env)
    }
    return this.#instanceOf(target, f, type.a, env)
  }

  #builtInType(f: number, name: string, args: readonly Type[], env: Environment | undefined): Denotation | undefined {
    const [first] = args
    if (first === undefined) return outside
    if (promiseTypes.has(name)) {
      const of = this.typed(f, args.at(name === 'Coroutine' ? -1 : 0) ?? first, env)
      return name === 'Awaited' ? this.#awaited(of) : { t: 'promise', of: this.#awaited(of) }
    }
    // Python's Optional is a way of writing a type; that of others is a thing to take something out of.
    const isWrapper = name === 'Optional' && this.file(f).language !== 'python'
    if (transparentTypes.has(name) && !isWrapper) return this.typed(f, first, env)
    if (name === 'Union') return this.#either(args.map((one) => this.typed(f, one, env)))
    if (listTypes.has(name)) return { t: 'list', of: this.typed(f, first, env) }
    if (mapTypes.has(name)) {
      const second = args[1]
      return { t: 'list', of: second === undefined ? undefined : this.typed(f, second, env) }
    }
    if (name === 'ReturnType') {
      const target = this.typed(f, first, env)
      return target === undefined ? undefined : this.callResult(target, f)
    }
    if (name === 'InstanceType') {
      const target = this.typed(f, first, env)
      return target === undefined ? undefined : this.#instanceOf(target, f, undefined, env)
    }
    return outside
  }
}

/** Stands for the constructor of a type, whatever the language calls it. */
const constructorName = '()'
