/** What a function takes and gives back, and what stands in it. */
import type { Symbol as CodeSymbol, Type, Value } from '../../core/facts.ts'
import { clipSignature } from '../fact-builder.ts'
import { field, named } from '../languages/shapes.ts'
import type { Naming, TreeVisitor } from '../languages/tree-language.ts'
import { resultType } from '../result-type.ts'
import { boundTypes } from './bounds.ts'
import type { TreeFile } from './file.ts'
import { alternativesMax, anything, childScope, depthMax, eitherOf, nothing, type Scope } from './scope.ts'
import { takenOut } from './taken-out.ts'
import type { TreeNode } from './tree-node.ts'

export class TreeFunctions {
  readonly #file: TreeFile
  readonly #visitor: TreeVisitor

  constructor(file: TreeFile, visitor: TreeVisitor) {
    this.#file = file
    this.#visitor = visitor
  }

  visitFunction(node: TreeNode, index: number, scope: Scope, depth: number): void {
    const { spec, facts } = this.#file
    const { reader } = this.#visitor
    const symbol = facts.symbol(index)
    const bounds = boundTypes(spec, node, reader, scope)
    if (spec.hasOpenFunctions) this.#openTypes(node, symbol, bounds)
    const takes = spec.takes?.(node)
    if (takes !== undefined) symbol.takes = (symbol.takes ?? 0) | takes
    const inner = childScope(scope, { owner: index, bounds, isApart: true })
    const typed = this.#nameParameters(node, index, scope, this.#ofReceiver(node, index, inner), depth)
    for (const child of named(node)) if (spec.initializers.has(child.type)) this.#visitor.visit(child, typed, depth + 1)
    const result = spec.resultType(node)
    if (result !== null && result.text !== 'void' && result.text !== 'None') {
      const type = reader.typeOf(result, typed)
      symbol.type ??= spec.isAccessor?.(node) === true ? type : resultType(type)
      symbol.returnType = clipSignature(result.text)
      this.#visitor.visit(result, typed, depth + 1)
    }
    if (result === null) {
      const said = spec.documented?.(reader, node, 'return', '', typed)
      if (said !== undefined) symbol.type ??= said
    }
    const around = childScope(scope, { owner: index, isTypeBody: scope.isTypeBody })
    if (node.parent !== null)
      for (const decorator of spec.decorators?.(node.parent) ?? []) this.#visitor.visit(decorator, around, depth + 1)
    const body = spec.bodyOf(node)
    if (spec.isAccessor?.(node) === true) {
      symbol.accessor = true
      const initial = field(node, 'value')
      if (initial !== null && initial !== body) this.#visitor.visit(initial, typed, depth + 1)
    }
    if (body === null) {
      for (const child of spec.withoutBody?.(node) ?? []) this.#visitor.visit(child, typed, depth + 1)
      return
    }
    this.#visitor.visit(body, typed, depth + 1)
    if (symbol.type !== undefined) return
    const returns: Value[] = []
    this.#collectReturns(body, typed, returns, 0)
    const last = spec.lastValue?.(body)
    if (last !== undefined && last.type !== 'return') returns.push(reader.value(last, typed))
    const [only] = returns
    if (only !== undefined) symbol.result = returns.length === 1 ? only : { k: 'alt', v: returns }
  }

  #ofReceiver(node: TreeNode, index: number, scope: Scope): Scope {
    const receiver = this.#file.spec.receiver(node)
    if (receiver === undefined) return scope
    const holder = this.#file.facts.symbol(index).parent
    // What stands in the type is named as it is inside of it.
    const inner = this.#file.isType(holder)
      ? { ...scope, parent: childScope(scope.parent ?? scope, { owner: holder }) }
      : scope
    const [first = '', ...rest] = [...(receiver.around ?? []), receiver.type]
    const type = rest.reduce<Value>((o, n) => ({ k: 'get', o, n }), { k: 'glob', n: first })
    const self: Value = this.#file.isType(holder) ? { k: 'this', s: holder } : { k: 'is', t: { k: 'ref', v: type } }
    if (receiver.self !== undefined) inner.names.set(receiver.self, self)
    return { ...inner, self, ...(this.#file.isType(holder) ? { type: holder } : {}) }
  }

  #nameParameters(node: TreeNode, index: number, scope: Scope, inner: Scope, depth: number): Scope {
    const { spec, facts } = this.#file
    const symbol = facts.symbol(index)
    let typed = inner
    const types: (Type | null)[] = []
    spec.parameters(node).forEach((parameter, position) => {
      if (parameter.position !== undefined) {
        const whole: Value = parameter.type
          ? { k: 'is', t: this.#visitor.reader.typeOf(parameter.type, typed) }
          : anything
        typed.names.set(parameter.name, takenOut(parameter, whole, this.#visitor.reader, typed))
        return
      }
      const first =
        position === 0 && scope.type !== undefined && scope.isTypeBody
          ? spec.firstParameter?.(symbol.decorators ?? [])
          : undefined
      if (first !== undefined && scope.type !== undefined) {
        const self: Value = { k: 'this', s: scope.type }
        typed.names.set(parameter.name, first === 'type' ? { ...self, c: 1 } : self)
        if (first === 'instance') typed = { ...typed, self }
        return
      }
      types.push(this.#nameParameter(node, parameter, scope, typed, depth))
    })
    if (types.some((one) => one !== null)) {
      const isForm = spec.takes !== undefined && symbol.parameterTypes !== undefined
      symbol.parameterTypes = isForm ? oneOfEach(symbol.parameterTypes ?? [], types) : types
    }
    return typed
  }

  /** What is open is what the function is given, or at least what it is bound to be. */
  #openTypes(node: TreeNode, symbol: CodeSymbol, bounds: Map<string, Type>): void {
    const names = this.#file.spec.typeParameters(node)
    if (names.length === 0) return
    for (const n of names) bounds.set(n, { k: 'param', n, b: bounds.get(n) ?? { k: 'ref', v: nothing } })
    // Of several forms that which is given the most types; where they call the same place differently, none is told.
    const known = symbol.typeParameters ?? []
    const isAlike = names.every((name, at) => (known[at] ?? name) === name)
    if (isAlike && names.length > known.length) symbol.typeParameters = [...names]
  }

  #nameParameter(node: TreeNode, parameter: Naming, scope: Scope, typed: Scope, depth: number): Type | null {
    const { reader } = this.#visitor
    const written =
      parameter.type === null || parameter.type === undefined
        ? (this.#file.spec.documented?.(reader, node, 'param', parameter.name, typed) ?? null)
        : reader.typeOf(parameter.type, typed)
    const type: Type | null =
      written !== null && parameter.isList === true
        ? { k: 'arr', e: written, ...(parameter.isKeyed === true ? { keyed: 1 as const } : {}) }
        : written
    const isBuiltIn = type?.k === 'ref' && type.v === nothing
    typed.names.set(
      parameter.name,
      type !== null && !isBuiltIn
        ? { k: 'is', t: type }
        : parameter.value !== null && parameter.value !== undefined
          ? // Whoever calls may hand over something else.
            eitherOf(anything, reader.value(parameter.value, scope))
          : anything,
    )
    if (parameter.type !== null && parameter.type !== undefined) this.#visitor.visit(parameter.type, typed, depth + 1)
    if (parameter.value !== null && parameter.value !== undefined)
      this.#visitor.visit(parameter.value, scope, depth + 1)
    return type
  }

  #collectReturns(node: TreeNode, scope: Scope, found: Value[], depth: number): void {
    if (
      depth > depthMax ||
      found.length >= alternativesMax ||
      this.#file.spec.functions.has(node.type) ||
      this.#file.typeKind(node) !== undefined ||
      /lambda|closure/.test(node.type)
    )
      return
    if (/^return(_statement|_expression)?$/.test(node.type)) {
      const [value] = named(node)
      if (value !== undefined) found.push(this.#visitor.reader.value(value, scope))
      return
    }
    for (const child of named(node)) this.#collectReturns(child, scope, found, depth + 1)
  }
}

/** What forms of a function take at each place. */
function oneOfEach(known: readonly (Type | null)[], types: readonly (Type | null)[]): (Type | null)[] {
  return Array.from({ length: Math.max(known.length, types.length) }, (_, at) => {
    const [one, other] = [known[at] ?? null, types[at] ?? null]
    if (one === null || other === null) return one ?? other
    const forms = one.k === 'any-of' ? one.ts : [one]
    return forms.length >= alternativesMax ? one : { k: 'any-of', ts: [...forms, other] }
  })
}
