/** What a name means at a place of a syntax tree. */
import type { Value } from '../../core/facts.ts'
import type { NodeKind } from '../../core/vocabulary.ts'
import type { TreeFile } from './file.ts'
import { anything, type Scope } from './scope.ts'

/** Nobody writes a function or a type for more conditions than this. */
const formsMax = 64
const aliasedKinds: readonly NodeKind[] = ['type_alias', 'class', 'struct', 'enum', 'union']
const typeKinds: readonly NodeKind[] = ['struct', 'enum', 'union', 'trait', 'type_alias', 'module']

export class TreeNames {
  readonly #file: TreeFile

  constructor(file: TreeFile) {
    this.#file = file
  }

  name(name: string, scope: Scope, isType = false): Value {
    const { spec, imported } = this.#file
    const isModular = spec.modularNames?.test(name) === true
    const isOwn = spec.ownVariables?.test(name) === true
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      // Where types are written, a variable of that name is not meant.
      const local = isType && spec.hasTypeNames ? undefined : at.names.get(name)
      if (local !== undefined) return local
      if (isOwn && at.isApart === true) return anything
      // Names of a class body are not names of its methods in Python; elsewhere they are.
      if (at.owner !== 0 && (spec.hasImplicitSelf || !this.#file.isType(at.owner))) {
        const inner = this.#file.childNamed(at.owner, name)
        if (inner !== undefined && !(this.#file.isMember(inner) && spec.hasImplicitSelf && !isModular))
          return this.#orUsed(name, this.#several(at.owner, inner))
      }
      const brought = at.owner === 0 ? undefined : this.#file.importedIn.get(at.owner)?.get(name)
      if (brought !== undefined) return brought
    }
    const own = this.#file.childNamed(0, name)
    if (own !== undefined) return this.#orUsed(name, this.#several(0, own))
    const known = imported.get(name)
    if (known !== undefined) return known
    return isModular ? this.#inModulesAround(name, scope) : { k: 'glob', n: name }
  }

  /** What a file both declares and takes from elsewhere by a name of its own, it does for several conditions, or as overloads. */
  #orUsed(name: string, own: Value): Value {
    return this.#file.spec.usedName !== undefined && this.#file.imported.has(name)
      ? { k: 'alt', v: [own, anything] }
      : own
  }

  /**
   * Functions, and types, of one name in one place are written for several conditions, where a language has no overloads and
   * opens nothing again: one of them.
   */
  #several(owner: number, first: number): Value {
    const { spec, facts } = this.#file
    const { kind, name } = facts.symbol(first)
    const kinds = kind === 'function' ? [kind] : typeKinds.includes(kind) ? typeKinds : []
    // What is another name of a type under one condition is the type itself under another.
    const isAlias = spec.hasOneOfAName && aliasedKinds.includes(kind)
    const alike = isAlias ? aliasedKinds : spec.hasOneOfAName ? [] : kinds
    const all = alike.flatMap((one) => this.#file.childrenNamed(owner, name, one))
    if (all.length < 2) return { k: 'sym', s: first }
    return { k: 'alt', v: all.slice(0, formsMax).map((s) => ({ k: 'sym', s })) }
  }

  /** Innermost first, whichever file opened them. */
  #inModulesAround(name: string, scope: Scope): Value {
    const { facts } = this.#file
    const around: Value[] = []
    for (
      let at = facts.symbol(scope.owner);
      at.parent !== 0 || at.kind === 'module' || at.kind === 'class';
      at = facts.symbol(at.parent)
    ) {
      if (at.kind === 'module' || at.kind === 'class') around.push({ k: 'glob', n: `${at.qualifiedName}::${name}` })
      if (at.parent === 0) break
    }
    return around.length === 0 ? { k: 'glob', n: name } : { k: 'alt', v: [...around, { k: 'glob', n: name }], first: 1 }
  }

  isVariable(name: string, scope: Scope): boolean {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) if (at.names.has(name)) return true
    return false
  }

  /** `new T()` makes whatever the caller says. */
  isTypeParameter(name: string, scope: Scope): boolean {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent)
      if (at.bounds?.has(name) === true) return true
    return false
  }

  /** A bare name where a member of the type, inherited ones included, may be meant. */
  bareName(name: string, scope: Scope): Value {
    const { spec, facts } = this.#file
    const plain = this.name(name, scope)
    if (
      this.isVariable(name, scope) ||
      !spec.hasImplicitSelf ||
      scope.self === undefined ||
      (plain.k !== 'glob' && plain.k !== 'sym' && plain.k !== 'imp')
    )
      return plain
    // What a function has inside it is nearer than a member.
    const holder = plain.k === 'sym' ? facts.symbol(facts.symbol(plain.s).parent).kind : undefined
    if (holder === 'function' || holder === 'method') return plain
    const members = this.enclosingTypes(scope)
      // A type's own name means the type; what has that name inside is its constructor.
      .filter((type) => facts.symbol(type).name !== name)
      .map((type): Value => ({ k: 'get', o: { k: 'this', s: type }, n: name }))
    if (scope.above !== undefined) members.unshift({ k: 'get', o: scope.above, n: name })
    if (scope.type === undefined) members.push({ k: 'get', o: scope.self, n: name })
    return members.length === 0 ? plain : { k: 'alt', v: [...members, plain], first: 1 }
  }

  enclosingTypes(scope: Scope): number[] {
    const types: number[] = []
    for (let at = scope.type; at !== undefined && at !== 0; at = this.#file.facts.symbol(at).parent) {
      if (this.#file.isType(at)) types.push(at)
      if (!this.#file.spec.hasOuterMembers) break
    }
    return types
  }

  /** A called name, where methods have names of their own. */
  methodName(name: string, scope: Scope): Value {
    if (!this.#file.spec.hasMethodNames) return this.bareName(name, scope)
    const outermost: Scope = { ...scope, parent: undefined, names: new Map() }
    return this.bareName(name, outermost)
  }
}
