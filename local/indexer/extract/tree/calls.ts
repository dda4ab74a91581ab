/** What is called, what a call gives, and what the functions handed to it are given. */
import type { Value } from '../../core/facts.ts'
import { countMax } from '../../core/facts.ts'
import { field, lambdaParameters, named, nameText } from '../languages/shapes.ts'
import type { CallShape, TreeReader } from '../languages/tree-language.ts'
import type { TreeFile } from './file.ts'
import type { TreeNames } from './names.ts'
import { anything, childScope, nothing, type Scope } from './scope.ts'
import { takenOut } from './taken-out.ts'
import type { TreeNode } from './tree-node.ts'

const argumentsMax = 4

export class TreeCalls {
  readonly #file: TreeFile
  readonly #names: TreeNames
  readonly #reader: TreeReader
  readonly #lambdaScopes = new Map<TreeNode, Scope>()
  readonly #lambdaContexts = new Map<TreeNode, { readonly f: Value; readonly i: number }>()

  constructor(file: TreeFile, names: TreeNames, reader: TreeReader) {
    this.#file = file
    this.#names = names
    this.#reader = reader
  }

  /** The scope of a function without a name; what it is handed to says what its parameters are. */
  lambdaScope(node: TreeNode, scope: Scope): Scope {
    const known = this.#lambdaScopes.get(node)
    if (known !== undefined) return known
    const captured = this.#file.spec.captured?.(node)
    const inner = childScope(scope, { isUnnamed: true, isApart: captured !== undefined })
    for (const name of captured ?? []) inner.names.set(name, this.#names.name(name, scope))
    this.#lambdaScopes.set(node, inner)
    const context = this.#lambdaContexts.get(node)
    const parameters = this.#file.spec.lambdaParameters?.(node) ?? lambdaParameters(node)
    parameters.forEach((parameter, at) => {
      const { type, position = at } = parameter
      const value: Value =
        type !== null && type !== undefined
          ? { k: 'is', t: this.#reader.typeOf(type, scope) }
          : context === undefined || parameter.part !== undefined
            ? anything
            : { k: 'arg', f: context.f, i: context.i, p: position }
      inner.names.set(parameter.name, value === anything ? value : takenOut(parameter, value, this.#reader, inner))
    })
    return inner
  }

  callee(node: TreeNode, call: CallShape, scope: Scope): Value {
    const { spec } = this.#file
    const value = spec.callee?.(this.#reader, node, scope) ?? this.#named(node, call, scope)
    if (spec.takes === undefined) return value
    const given = spec.callArguments(node)
    const lambdas = given
      .slice(0, argumentsMax)
      .reduce((bits, one, at) => bits | (spec.lambdas.has(one.type) ? 1 << at : 0), 0)
    return withCount(value, Math.min(given.length, countMax) + lambdas * (countMax + 1))
  }

  #named(node: TreeNode, call: CallShape, scope: Scope): Value {
    if (call.callee !== undefined) {
      const callee = field(node, call.callee)
      if (callee === null) return nothing
      return /^(generic_function|generic_type|generic_name|template_function)$/.test(callee.type)
        ? this.#reader.value(field(callee, 'function') ?? named(callee)[0], scope)
        : this.#reader.value(callee, scope)
    }
    const object = call.object === undefined ? null : field(node, call.object)
    const name = call.name === undefined ? null : field(node, call.name)
    if (name === null) return nothing
    return object === null
      ? this.#names.methodName(nameText(name), scope)
      : { k: 'get', o: this.#reader.value(object, scope), n: nameText(name) }
  }

  value(node: TreeNode, call: CallShape, scope: Scope): Value {
    const { spec } = this.#file
    const own = spec.callValue?.(this.#reader, node, scope)
    if (own !== undefined) return own
    const callee = this.callee(node, call, scope)
    const written = call.callee === undefined ? null : field(node, call.callee)
    const types = written === null ? [] : (spec.typesGiven?.(written) ?? [])
    const f: Value =
      types.length === 0 ? callee : { k: 'new', c: callee, a: types.map((one) => this.#reader.typeOf(one, scope)) }
    const a =
      f.k === 'glob' && spec.passingOn.has(f.n)
        ? spec.callArguments(node).map((one) => this.#reader.value(one, scope))
        : this.#lambdaArguments(node, f, scope)
    return { k: 'call', f, ...(a.length === 0 ? {} : { a }) }
  }

  /** Functions without a name among the arguments, each told what it is handed to. */
  #lambdaArguments(node: TreeNode, callee: Value, scope: Scope): Value[] {
    const { spec } = this.#file
    const values = spec
      .callArguments(node)
      .slice(0, argumentsMax)
      .map((one, i): Value => {
        if (one.type === 'method_reference') return this.#reader.value(one, scope)
        if (!spec.lambdas.has(one.type)) return nothing
        this.#lambdaContexts.set(one, { f: callee, i })
        return this.#reader.value(one, scope)
      })
    return values.every((one) => one === nothing) ? [] : values
  }
}

/** The method that is called with so many. */
function withCount(value: Value, count: number): Value {
  if (value.k === 'get') return { ...value, c: count }
  return value.k === 'alt' && value.first === 1 ? { ...value, v: value.v.map((one) => withCount(one, count)) } : value
}
