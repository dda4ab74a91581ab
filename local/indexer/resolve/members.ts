/** What a name means behind a dot: members of modules, types, instances and literals. */
import { type Symbol as CodeSymbol, countMax, type Type, type Value } from '../core/facts.ts'
import { languageFamily } from '../core/language-of.ts'
import { ancestorsMax } from '../limits.ts'
import { type Denotation, type Environment, type Instance, isSame, outside } from './denotation.ts'
import type { Evaluation } from './evaluation.ts'
import { callableKinds, seenThrough, typeLikeKinds } from './known-types.ts'
import { handedOnInRust } from './rust-standard.ts'
import { standardMembers } from './standard-members.ts'
import { SymbolTable } from './symbol-table.ts'

/** Stands for the constructor of a type, whatever the language calls it. */
const constructorName = '()'
const noParents: readonly undefined[] = []
/** As many as a reference has edges. */
const severalMax = 6

/** What a type was asked for, by name: apart for each way of asking. */
class AskedTable {
  readonly #ways = Array.from({ length: 4 }, () => new SymbolTable<Map<string, Denotation | undefined>>())

  names(f: number, s: number, first: boolean, second: boolean): Map<string, Denotation | undefined> {
    const way = this.#ways[(first ? 2 : 0) + (second ? 1 : 0)] as SymbolTable<Map<string, Denotation | undefined>>
    let known = way.get(f, s)
    if (known === undefined) {
      known = new Map()
      way.set(f, s, known)
    }
    return known
  }
}

export class Members {
  readonly #whole: Evaluation
  /** What types were asked for, by type and by name. */
  readonly #found = new AskedTable()
  readonly #foundStatic = new AskedTable()
  readonly #parents = new Map<number, readonly (Denotation | undefined)[]>()
  /** Heads of types that are being read, and what the search under way found for those that wait for one another. */
  readonly #reading = new Set<number>()
  readonly #knotted = new Map<number, readonly (Denotation | undefined)[]>()
  /** What literals were asked for in the search under way; undefined while it is looked for. */
  readonly #askedOf = new Map<Value, Map<string, Denotation | undefined>>()

  constructor(whole: Evaluation) {
    this.#whole = whole
  }

  memberFresh(
    denotation: Denotation,
    name: string,
    asType: boolean,
    isCalled: boolean,
    count?: number,
  ): Denotation | undefined {
    switch (denotation.t) {
      case 'external':
        return outside
      case 'module': {
        const found = this.#whole.exports.exported(denotation.f, name, asType)
        if (found !== undefined) return found
        return this.#whole
          .modules(this.#whole.file(denotation.f))
          .moduleMember(this.#whole.file(denotation.f).path, name)
      }
      case 'namespace': {
        const from = this.#whole.file(denotation.from)
        return this.#whole.modules(from).namespaceMember?.(denotation.path, name, from)
      }
      case 'package': {
        const [first] = denotation.files
        const from = first === undefined ? undefined : this.#whole.file(first)
        if (from === undefined) return undefined
        if (from.language !== 'go') return this.#whole.modules(from).moduleMember(denotation.path, name)
        for (const f of denotation.files) {
          const [s] = this.#whole.children(f, 0, name)
          if (s !== undefined) return { t: 'symbol', f, s }
        }
        return undefined
      }
      case 'instance':
        return this.#memberOfInstance(denotation, name, isCalled, count)
      case 'symbol':
        return this.#symbolMember(denotation, name, asType, isCalled, count)
      case 'object':
        return this.#objectMember(denotation, name)
      case 'shape': {
        const type = denotation.properties.get(name)
        return type === undefined ? undefined : this.#whole.typed(denotation.f, type, denotation.env)
      }
      case 'either': {
        // What is declared and has no such member is not what is meant where the member is asked for.
        const found = denotation.of.flatMap((one) => {
          const member = this.#whole.member(one, name, asType, isCalled, count)
          return member === undefined && one.t === 'instance' ? [] : [member]
        })
        // What none of them is declared to have is had by what else may be meant, which is none of the project's.
        const isPartial = denotation.isPartial === true
        if (denotation.besides !== undefined && !isPartial && found.every((one) => one === undefined)) return outside
        return this.#whole.either(found, isPartial || this.#isPlatformsToo(denotation, name))
      }
      case 'function':
        return name === 'bind' || name === 'call' || name === 'apply' ? denotation : outside
      case 'tuple': {
        const place = /^(first|Key|0)$/.test(name) ? 0 : /^(second|Value|1)$/.test(name) ? 1 : undefined
        if (place !== undefined) return denotation.of[place]
        return {
          t: 'built-in',
          on: /^get/.test(name) ? denotation : { t: 'list', of: this.#whole.either(denotation.of) },
          n: name,
        }
      }
      case 'list':
      case 'promise':
      case 'built-in':
        return { t: 'built-in', on: denotation, n: name }
    }
  }

  /** Where something of the platform may be meant as well: whether that has members of this name. */
  #isPlatformsToo({ of: [first], besides }: Extract<Denotation, { t: 'either' }>, name: string): boolean {
    if (besides === undefined || first?.t !== 'instance') return false
    return standardMembers(languageFamily(this.#whole.file(first.f).language)).has(name)
  }

  /**
   * A literal may spread the variable it is assigned to, as in `all = { ...all, more }`: while a search lasts, each
   * literal is asked once for a name, or every way through them would be taken.
   */
  #objectMember({ f, value }: Extract<Denotation, { t: 'object' }>, name: string): Denotation | undefined {
    const known = this.#askedOf.get(value) ?? new Map<string, Denotation | undefined>()
    if (known.has(name)) {
      this.#whole.cut()
      return known.get(name)
    }
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
    const own = value.p.get(name)
    if (own !== undefined) return this.#whole.evaluate(f, own)
    for (const spread of value.x ?? []) {
      const from = this.#whole.evaluate(f, spread)
      const found = from === undefined ? undefined : this.#whole.member(from, name)
      if (found !== undefined && found.t !== 'external') return found
    }
    return undefined
  }

  #memberOfInstance(
    denotation: Instance,
    name: string,
    isCalled: boolean,
    count: number | undefined,
  ): Denotation | undefined {
    const { f, s, env, above } = denotation
    if (/^\d/.test(name)) return this.#whole.contents.part(denotation, Number(name))
    const found = this.instanceMember(f, s, name, env, above, isCalled, count)
    if (found?.t === 'symbol') return this.#boundLate(found, denotation)
    if (found !== undefined && found.t !== 'external') return found
    // What wraps a value in Rust and C++ is not told apart from the value, and is looked through.
    const { language } = this.#whole.file(f)
    const handedOn = language === 'rust' ? handedOnInRust(this.#whole, denotation, name, isCalled) : undefined
    if (handedOn !== undefined) return handedOn
    const isWrapper =
      (language === 'rust' && seenThrough.has(name)) || (language === 'cpp' && /^(value|get|value_or)$/.test(name))
    return isWrapper ? { t: 'built-in', on: denotation, n: name } : found
  }

  /** PHP's `static` is the class that was asked, wherever the method that says so stands. */
  #boundLate(found: Extract<Denotation, { t: 'symbol' }>, asked: Extract<Denotation, { t: 'instance' }>): Denotation {
    const { type } = this.#whole.symbol(found.f, found.s)
    if (type?.k !== 'param' || type.n !== 'static') return found
    return { ...found, env: new Map([...(found.env ?? []), ['static', asked]]) }
  }

  /** Where methods and fields have names of their own, a call means the method of that name. */
  #pick(f: number, candidates: readonly number[], isCalled: boolean): number | undefined {
    if (candidates.length < 2) return candidates[0]
    return candidates.find((one) => callableKinds.has(this.#whole.symbol(f, one).kind) === isCalled) ?? candidates[0]
  }

  /**
   * Methods of one name that implementations of several traits give a type of Rust, and what is written for several
   * conditions: which is meant is not written.
   */
  #several(f: number, candidates: readonly number[], isCalled: boolean): Denotation | undefined {
    if (candidates.length < 2 || this.#whole.file(f).language !== 'rust') return undefined
    // What is not called is the field of that name.
    if (!isCalled && candidates.some((one) => this.#whole.symbol(f, one).kind === 'field')) return undefined
    const several = [callableKinds, typeLikeKinds]
      .map((kinds) => candidates.filter((one) => kinds.has(this.#whole.symbol(f, one).kind)))
      .find((alike) => alike.length > 1)
    return several === undefined
      ? undefined
      : { t: 'either', of: several.slice(0, severalMax).map((s) => ({ t: 'symbol', f, s, through: 'member' })) }
  }

  #symbolMember(
    denotation: Extract<Denotation, { t: 'symbol' }>,
    name: string,
    asType: boolean,
    isCalled: boolean,
    count: number | undefined,
  ): Denotation | undefined {
    const symbol = this.#whole.symbol(denotation.f, denotation.s)
    if (callableKinds.has(symbol.kind) && symbol.accessor !== true) {
      if (name === 'call' || name === 'apply' || name === 'bind') return denotation
      if (name === 'prototype') return { t: 'instance', f: denotation.f, s: denotation.s }
      const [own] = this.#whole
        .children(denotation.f, denotation.s, name)
        .filter((s) => this.#whole.symbol(denotation.f, s).static === true)
      return own === undefined ? outside : { t: 'symbol', f: denotation.f, s: own }
    }
    if (typeLikeKinds.has(symbol.kind)) {
      if (name === 'prototype') return { t: 'instance', f: denotation.f, s: denotation.s }
      const shared = symbol.kind === 'namespace' ? this.#inNamespace(denotation.f, symbol, name) : undefined
      if (shared !== undefined) return shared
      const found = this.#keptStaticMember(denotation.f, denotation.s, name, asType, isCalled, count)
      return found?.t === 'symbol' ? this.#boundLate(found, { t: 'instance', f: denotation.f, s: denotation.s }) : found
    }
    // Members written onto a value itself (`handler.reset = …`) and methods of an object literal.
    const attached = this.#whole.children(denotation.f, denotation.s, name)
    const [only] = attached
    const value = symbol.value
    if (
      only !== undefined &&
      (symbol.kind === 'constant' || symbol.kind === 'variable' || symbol.kind === 'property')
    ) {
      if (value?.k !== 'loc' || this.#whole.file(denotation.f).locals[value.i]?.k !== 'obj' || attached.length === 1) {
        return { t: 'symbol', f: denotation.f, s: only }
      }
    }
    const held = this.#whole.held(denotation)
    return held === undefined || (held.t === 'symbol' && isSame(held, denotation))
      ? undefined
      : this.#whole.member(held, name, asType, isCalled, count)
  }

  #inNamespace(f: number, { qualifiedName }: CodeSymbol, name: string): Denotation | undefined {
    const from = this.#whole.file(f)
    return this.#whole.modules(from).namespaceMember?.(qualifiedName, name, from)
  }

  #keptStaticMember(
    f: number,
    s: number,
    name: string,
    asType: boolean,
    isCalled: boolean,
    count: number | undefined,
  ): Denotation | undefined {
    const known = this.#foundStatic.names(f, s, asType, isCalled)
    const key = keyOf(name, count)
    const found = known.get(key)
    if (found !== undefined || known.has(key)) return found
    const cuts = this.#whole.cuts
    const member = this.#staticMember(f, s, name, asType, new Set(), isCalled, count)
    if (this.#whole.cuts === cuts) known.set(key, member)
    return member
  }

  /**
   * What the types above are, as written in the head of a type; asked for with every member that is looked for. A name
   * in a head may be looked for in what the type around it inherits, whose head may name this type: while a head is
   * read, it inherits nothing.
   */
  #above(f: number, s: number, asType: boolean): readonly (Denotation | undefined)[] {
    const { heritage } = this.#whole.symbol(f, s)
    if (heritage === undefined || heritage.length === 0) return noParents
    const key = (f * 0x200000 + s) * 2 + (asType ? 1 : 0)
    const known = this.#parents.get(key)
    if (known !== undefined) return known
    const knotted = this.#reading.has(key) ? noParents : this.#knotted.get(key)
    if (knotted !== undefined) {
      this.#whole.cut()
      return knotted
    }
    const isOutermost = this.#reading.size === 0
    const cuts = this.#whole.cuts
    this.#reading.add(key)
    const find = () => heritage.map((one) => this.#whole.evaluate(f, one.value, undefined, asType))
    const found = isOutermost ? this.#whole.fromTheTop(find) : find()
    this.#reading.delete(key)
    // What the outermost head leans on is itself alone.
    const isFinal = this.#whole.cuts === cuts || isOutermost
    if (!this.#whole.isSpent) (isFinal ? this.#parents : this.#knotted).set(key, found)
    if (isOutermost) this.#knotted.clear()
    return found
  }

  #staticMember(
    f: number,
    s: number,
    name: string,
    asType: boolean,
    seen: Set<number>,
    isCalled: boolean,
    count: number | undefined,
  ): Denotation | undefined {
    if (!this.#comesTo(f, s, seen)) return undefined
    const symbol = this.#whole.symbol(f, s)
    const candidates = this.#whole.children(f, s, name)
    const isOpen = symbol.kind !== 'class' || languageFamily(this.#whole.file(f).language) !== 'script'
    const isField = (one: number): boolean => this.#whole.symbol(f, one).kind === 'field'
    // What Rust names by a path is no field.
    const isOfPath = this.#whole.file(f).language === 'rust'
    const own = candidates.filter((one) =>
      isOfPath ? !isField(one) : isOpen || this.#whole.symbol(f, one).static === true,
    )
    const several = this.#several(f, own, isCalled)
    if (several !== undefined) return several
    const pick =
      isOpen && !asType
        ? this.#pick(f, own, isCalled)
        : (own.find((one) => typeLikeKinds.has(this.#whole.symbol(f, one).kind) === asType) ?? own[0])
    if (pick !== undefined && this.#takes(f, pick, count)) return { t: 'symbol', f, s: pick, through: 'member' }
    const attached = this.#attached(f, symbol, name, count)
    if (attached !== undefined) return attached
    let sawOutside = false
    for (const parent of this.#above(f, s, false)) {
      if (parent?.t === 'external') sawOutside = true
      if (parent?.t !== 'symbol') continue
      const found = this.#staticMember(parent.f, parent.s, name, asType, seen, isCalled, count)
      if (found !== undefined) return found
    }
    if (sawOutside) return outside
    if (pick !== undefined) return { t: 'symbol', f, s: pick, through: 'member' }
    const file = this.#whole.file(f)
    const isTransparent = file.language === 'rust' || languageFamily(file.language) === 'c'
    if (symbol.kind === 'type_alias' && isTransparent) return this.#ofAlias(f, symbol, name, isCalled)
    return symbol.kind === 'module' && file.language === 'rust'
      ? this.#whole.modules(file).moduleMember(file.path, name, s)
      : undefined
  }

  /** What another name of a type has is the type's. */
  #ofAlias(f: number, { type }: CodeSymbol, name: string, isCalled: boolean): Denotation | undefined {
    if (type?.k !== 'ref') return undefined
    const target = this.#whole.evaluate(f, type.v, undefined, true)
    return target === undefined ? undefined : this.#whole.member(target, name, false, isCalled)
  }

  /** Each type is asked once in one search, however many ways lead to it; lines that are too long end. */
  #comesTo(f: number, s: number, seen: Set<number>): boolean {
    const key = f * 0x200000 + s
    if (seen.has(key)) return false
    // Whether a search is too long is told by where it began: asked again, it ends at the same place.
    if (seen.size >= ancestorsMax) return false
    if (!this.#whole.spend(1)) {
      this.#whole.cut()
      return false
    }
    seen.add(key)
    return true
  }

  /** Written outside of the type, or of the part of it that is asked. */
  #attached(
    f: number,
    { name: type, qualifiedName }: CodeSymbol,
    name: string,
    count?: number,
  ): Denotation | undefined {
    const file = this.#whole.file(f)
    const suits = (one: { readonly f: number; readonly s: number }): boolean => this.#takes(one.f, one.s, count)
    return this.#whole.modules(file).attached?.(file, type, name, qualifiedName, suits)
  }

  /** Whether a method can be called with so many, as far as that is told. */
  #takes(f: number, s: number, count: number | undefined): boolean {
    const { takes, attachedTo, parameterTypes = [] } = this.#whole.symbol(f, s)
    if (count === undefined || takes === undefined) return true
    if (((takes >> Math.min(count % (countMax + 1), countMax - 1)) & 1) === 0) return false
    const before = attachedTo === undefined ? 0 : 1
    for (let lambdas = Math.floor(count / (countMax + 1)), at = before; lambdas > 0; lambdas >>= 1, at += 1) {
      const type = parameterTypes[Math.min(at, parameterTypes.length - 1)]
      if ((lambdas & 1) === 1 && type !== undefined && type !== null && this.#isNoFunction(f, type)) return false
    }
    return true
  }

  /** Whether a function without a name cannot be of the type. */
  #isNoFunction(f: number, type: Type): boolean {
    if (type.k === 'any-of') return type.ts.every((one) => this.#isNoFunction(f, one))
    if (type.k === 'arr') return true
    if (type.k !== 'ref') return false
    if (type.v.k === 'glob' && type.v.n === '') return true
    const found = this.#whole.evaluate(f, type.v, undefined, true)
    return found?.t === 'symbol' && /^(class|struct|enum|interface)$/.test(this.#whole.symbol(found.f, found.s).kind)
  }

  #isPrivate(found: Denotation): boolean {
    return found.t === 'symbol' && this.#whole.symbol(found.f, found.s).visibility === 'private'
  }

  /** A member of an instance, along its ancestors; external when an ancestor outside the project may declare it. */
  instanceMember(
    f: number,
    s: number,
    name: string,
    env: Environment | undefined,
    isAbove = false,
    isCalled = true,
    count?: number,
  ): Denotation | undefined {
    if (name === constructorName) return this.#whole.ancestors.constructorOf(f, s, env)
    if (env !== undefined) return this.#inheritedMember(f, s, name, env, isAbove, isCalled, new Set(), count)
    const known = this.#found.names(f, s, isAbove, isCalled)
    const key = keyOf(name, count)
    const found = known.get(key)
    if (found !== undefined || known.has(key)) return found
    const cuts = this.#whole.cuts
    const member = this.#inheritedMember(f, s, name, env, isAbove, isCalled, new Set(), count)
    if (this.#whole.cuts === cuts) known.set(key, member)
    return member
  }

  #inheritedMember(
    f: number,
    s: number,
    name: string,
    env: Environment | undefined,
    isAbove: boolean,
    isCalled: boolean,
    seen: Set<number>,
    count?: number,
  ): Denotation | undefined {
    if (!this.#comesTo(f, s, seen)) return undefined
    if (this.#whole.file(f).language === 'python') return this.#whole.ancestors.linearMember(f, s, name, env, isAbove)
    const isFirst = seen.size === 1
    const symbol = this.#whole.symbol(f, s)
    const isScript = languageFamily(this.#whole.file(f).language) === 'script'
    const candidates = this.#whole
      .children(f, s, name)
      .filter((one) => !isScript || this.#whole.symbol(f, one).static !== true)
    const several = this.#several(f, candidates, isCalled)
    if (several !== undefined) return several
    const pick = isScript ? candidates[0] : this.#pick(f, candidates, isCalled)
    // What is private above is not inherited.
    const isHidden = !isFirst && !isScript && pick !== undefined && this.#isPrivate({ t: 'symbol', f, s: pick })
    const own: Denotation | undefined =
      pick === undefined || isHidden
        ? undefined
        : { t: 'symbol', f, s: pick, through: 'member', ...(env === undefined ? {} : { env }) }
    const isOnlyGiven = this.#isOnlyGiven(f, pick)
    if (pick !== undefined && own !== undefined && !isOnlyGiven && this.#takes(f, pick, count)) return own
    const attached = this.#attached(f, symbol, name, count)
    if (attached !== undefined && (isFirst || !this.#isPrivate(attached))) return attached
    if (symbol.kind === 'type_alias' && symbol.type !== undefined) {
      const target = this.#whole.typed(f, symbol.type, env)
      // Lists of Go have no members.
      if (target?.t === 'list' && this.#whole.file(f).language === 'go') return undefined
      return target === undefined ? undefined : this.#whole.member(target, name)
    }
    let sawOutside = false
    const above = this.#above(f, s, true)
    for (const [at, one] of (symbol.heritage ?? []).entries()) {
      const parent = above[at]
      if (parent === undefined) continue
      if (parent.t === 'external') {
        sawOutside = true
        continue
      }
      const target = this.#whole.calls.instanceOf(parent, f, one.args, env)
      const inherited =
        target?.t === 'instance'
          ? this.#inheritedMember(target.f, target.s, name, target.env, false, isCalled, seen, count)
          : target === undefined
            ? undefined
            : this.#whole.member(target, name)
      if (inherited?.t === 'external') sawOutside = true
      else if (inherited !== undefined) return sawOutside && this.#isOnlyPromised(f, s, inherited) ? outside : inherited
    }
    return sawOutside ? outside : isFirst || isOnlyGiven ? own : undefined
  }

  /** Whether a class of C# has what an interface says from somewhere else, as it does not write it: what is above it and outside. */
  #isOnlyPromised(f: number, s: number, found: Denotation): boolean {
    if (this.#whole.file(f).language !== 'csharp' || found.t !== 'symbol') return false
    const holder = this.#whole.symbol(found.f, this.#whole.symbol(found.f, found.s).parent)
    return holder.kind === 'interface' && this.#whole.symbol(f, s).kind !== 'interface'
  }

  /** Whether PHP gives a field that the type does not declare: one above it may. */
  #isOnlyGiven(f: number, s: number | undefined): boolean {
    if (s === undefined || this.#whole.file(f).language !== 'php') return false
    const { kind, signature } = this.#whole.symbol(f, s)
    return kind === 'field' && signature?.startsWith('$this->') === true
  }
}

function keyOf(name: string, count: number | undefined): string {
  return count === undefined ? name : `${name} ${count}`
}
