/** What expressions of a syntax tree denote, as far as the file alone can tell. */
import type { Type, Value } from '../../core/facts.ts'
import { valueDepthMax } from '../../limits.ts'
import type { FactBuilder } from '../fact-builder.ts'
import { field, named, nameText } from '../languages/shapes.ts'
import type { CallShape, TreeReader } from '../languages/tree-language.ts'
import { TreeCalls } from './calls.ts'
import type { TreeFile } from './file.ts'
import { TreeNames } from './names.ts'
import { nothing, outermostScope, type Scope } from './scope.ts'
import type { TreeNode } from './tree-node.ts'
import { TreeTypes } from './types.ts'

const itemsMax = 3
const selfNameCharsMax = 7

/** Expressions that hand on what is inside them. */
const wrapping =
  /^(parenthesized_expression|unary_expression|pointer_expression|reference_expression|type|argument|expression_list|cast_expression|clone_expression|postfix_unary_expression)$/
const subscripts = new Set([
  'subscript',
  'index_expression',
  'subscript_expression',
  'element_access_expression',
  'element_reference',
  'array_access',
])
const lists = new Set(['list', 'set', 'tuple', 'array', 'array_expression', 'array_creation_expression'])
const casts = new Set(['type_cast_expression', 'as_expression', 'type_assertion_expression'])
const conditions = new Set(['conditional_expression', 'boolean_operator', 'ternary_expression'])

export class TreeValues implements TreeReader {
  readonly facts: FactBuilder
  readonly names: TreeNames
  readonly calls: TreeCalls
  readonly #types: TreeTypes
  readonly #file: TreeFile
  readonly #known = new Map<TreeNode, Value>()
  #depth = 0

  constructor(file: TreeFile) {
    this.#file = file
    this.facts = file.facts
    this.names = new TreeNames(file)
    this.#types = new TreeTypes(file, this)
    this.calls = new TreeCalls(file, this.names, this)
  }

  name(name: string, scope: Scope, isType = false): Value {
    return this.names.name(name, scope, isType)
  }

  bareName(name: string, scope: Scope): Value {
    return this.names.bareName(name, scope)
  }

  isVariable(name: string, scope: Scope): boolean {
    return this.names.isVariable(name, scope)
  }

  methodBefore(node: TreeNode, scope: Scope): Value | undefined {
    if (!scope.isTypeBody || scope.type === undefined) return undefined
    const method = this.#file.childNamed(scope.type, nameText(node), 'method')
    const isBefore = method !== undefined && this.facts.symbol(method).line <= node.startPosition.row
    return isBefore ? { k: 'sym', s: method } : undefined
  }

  enclosingTypes(scope: Scope): readonly number[] {
    return this.names.enclosingTypes(scope)
  }

  ofFile(name: string): Value {
    return this.names.name(name, outermostScope())
  }

  declares(name: string): boolean {
    return this.#file.childNamed(0, name) !== undefined
  }

  imported(name: string): Value | undefined {
    return this.#file.imported.get(name)
  }

  typeOf(node: TreeNode, scope: Scope, depth = 0): Type {
    return this.#types.typeOf(node, scope, depth)
  }

  value(node: TreeNode | null | undefined, scope: Scope): Value {
    if (node === null || node === undefined) return nothing
    const known = this.#known.get(node)
    if (known !== undefined) return known
    if (this.#depth > valueDepthMax) return nothing
    this.#depth += 1
    const value = this.#keptValue(node, scope)
    this.#depth -= 1
    return value
  }

  creationType(node: TreeNode): TreeNode | null {
    const { spec } = this.#file
    const named_ = spec.creations[node.type]
    const implied = spec.impliedType?.(node)
    if (implied !== undefined) return implied
    if (named_ === undefined || spec.isUnnamed?.(node) === true) return null
    return named_ === '' ? (named(node)[0] ?? null) : field(node, named_)
  }

  /** Long chains would nest without end: the value of a call is kept once and named by its slot. */
  #keptValue(node: TreeNode, scope: Scope): Value {
    const { spec, facts } = this.#file
    const call = spec.calls[node.type]
    const isCreation = spec.creations[node.type] !== undefined
    if (call === undefined && !isCreation) {
      const value = this.#freshValue(node, scope)
      this.#known.set(node, value)
      return value
    }
    const slot = facts.addLocal(nothing)
    const value: Value = { k: 'loc', i: slot }
    this.#known.set(node, value)
    facts.locals[slot] = isCreation ? this.#created(node, scope) : this.calls.value(node, call as CallShape, scope)
    return value
  }

  #created(node: TreeNode, scope: Scope): Value {
    const target = this.creationType(node)
    return target === null ? nothing : { k: 'is', t: this.typeOf(target, scope) }
  }

  #freshValue(node: TreeNode, scope: Scope): Value {
    const { type } = node
    const { spec } = this.#file
    const own = spec.value?.(this, node, scope)
    if (own !== undefined) return own
    const member = spec.members[type]
    if (member !== undefined && member[1] !== '') {
      const object = field(node, member[0])
      const name = field(node, member[1])
      return object === null || name === null ? nothing : { k: 'get', o: this.value(object, scope), n: nameText(name) }
    }
    const above = this.#selfOrAbove(node, scope)
    if (above !== undefined) return above
    if (spec.identifiers.has(type) || spec.typeIdentifiers.has(type)) return this.bareName(nameText(node), scope)
    return this.#composed(node, scope)
  }

  #selfOrAbove(node: TreeNode, scope: Scope): Value | undefined {
    const { spec } = this.#file
    // The text of a large expression is dear, and no such name.
    if (node.endIndex - node.startIndex > selfNameCharsMax) return undefined
    const { text } = node
    if (spec.selfNames.has(text))
      return text === 'Self' && scope.type !== undefined ? { k: 'sym', s: scope.type } : (scope.self ?? nothing)
    if (spec.superNames.has(text))
      return scope.above ?? (scope.type === undefined ? nothing : { k: 'super', s: scope.type })
    return undefined
  }

  #composed(node: TreeNode, scope: Scope): Value {
    const { type } = node
    const { spec } = this.#file
    if (type === 'await' || type === 'await_expression') return { k: 'await', v: this.value(named(node)[0], scope) }
    if (wrapping.test(type)) {
      const cast = type === 'cast_expression' ? field(node, 'type') : null
      if (cast !== null && cast.type !== 'cast_type') return { k: 'is', t: this.typeOf(cast, scope) }
      return this.value(type === 'cast_expression' ? field(node, 'value') : named(node)[0], scope)
    }
    if (spec.lambdas.has(type)) {
      const inner = this.calls.lambdaScope(node, scope)
      const body = field(node, 'body')
      const isExpression = body !== null && !/block|body|compound|statement/.test(body.type)
      const last = isExpression ? body : body === null ? undefined : spec.lastValue?.(body)
      return { k: 'fn', ...(last === undefined ? {} : { r: this.value(last, inner) }) }
    }
    if (casts.has(type)) {
      const target = field(node, 'type') ?? field(node, 'right')
      return target === null ? nothing : { k: 'is', t: this.typeOf(target, scope) }
    }
    if (subscripts.has(type)) {
      const holder = field(node, 'value') ?? field(node, 'operand') ?? field(node, 'argument') ?? field(node, 'object')
      return { k: 'elem', v: this.value(holder ?? named(node)[0], scope) }
    }
    if (lists.has(type)) {
      const items = named(node)
        .slice(0, itemsMax)
        .map((one) => (one.type === 'array_element_initializer' ? (named(one).at(-1) ?? one) : one))
      return { k: 'arr', v: { k: 'alt', v: items.map((one) => this.value(one, scope)) } }
    }
    const chosen = spec.chosen(node)
    if (chosen !== undefined) return { k: 'alt', v: chosen.map((one) => this.value(one, scope)) }
    if (conditions.has(type)) {
      const parts = named(node)
      return { k: 'alt', v: [parts[0], parts.at(-1)].map((one) => this.value(one, scope)) }
    }
    return nothing
  }
}
