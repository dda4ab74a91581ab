/** What a written type says. */
import type { Type } from '../../core/facts.ts'
import { field, named, nameText } from '../languages/shapes.ts'
import type { TreeReader } from '../languages/tree-language.ts'
import type { TreeFile } from './file.ts'
import { nothing, type Scope } from './scope.ts'
import type { TreeNode } from './tree-node.ts'

const typeDepthMax = 10

const wrapping =
  /^(type|pointer_type|reference_type|nullable_type|optional_type|type_descriptor|parenthesized_type|named_type|dynamic_type|type_elem|abstract_type)$/

export class TreeTypes {
  readonly #file: TreeFile
  readonly #reader: TreeReader

  constructor(file: TreeFile, reader: TreeReader) {
    this.#file = file
    this.#reader = reader
  }

  typeOf(node: TreeNode, scope: Scope, depth = 0): Type {
    const unknown: Type = { k: 'ref', v: nothing }
    if (depth > typeDepthMax) return unknown
    const { type } = node
    const { spec } = this.#file
    const own = spec.type?.(this.#reader, node, scope, depth)
    if (own !== undefined) return own
    if (spec.typeIdentifiers.has(type) || spec.identifiers.has(type)) return this.#named(node, scope)
    // `Iterator<Item = T>` says of what it is an iterator.
    if (type === 'type_binding') return this.typeOf(field(node, 'type') ?? node, scope, depth + 1)
    const below = (one: TreeNode): Type => this.typeOf(one, scope, depth + 1)
    if (spec.members[type] !== undefined) {
      const name = field(node, 'name')
      const args = name?.type === 'template_type' ? field(name, 'arguments') : null
      return {
        k: 'ref',
        v: this.#reader.value(node, scope),
        ...(args === null ? {} : { a: named(args).map(below) }),
      }
    }
    const inner = named(node)
    if (/array_type|slice_type/.test(type)) {
      const element = field(node, 'element') ?? field(node, 'type') ?? inner.at(-1)
      return element === null || element === undefined ? unknown : { k: 'arr', e: below(element) }
    }
    if (type === 'function_type') {
      const result = field(node, 'return_type') ?? field(node, 'result')
      return { k: 'fn', ...(result === null ? {} : { r: below(result) }) }
    }
    if (/generic|template_type|^subscript$/.test(type)) {
      const [head, ...rest] = inner
      const written =
        rest.length === 1 && /argument|parameter/.test(rest[0]?.type ?? '') ? named(rest[0] ?? null) : rest
      // How long what is borrowed lives is no type, and may be left out.
      const list = written.filter((one) => one.type !== 'lifetime')
      const base = head === undefined ? unknown : below(head)
      if (base.k !== 'ref') return base
      const arity = head === undefined ? undefined : spec.arity?.(head)
      return { ...base, v: this.#file.ofArity(base.v, arity), a: list.map(below) }
    }
    if (type === 'tuple_type') return { k: 'tuple', ts: inner.map((one) => below(field(one, 'type') ?? one)) }
    if (type === 'binary_operator' || type === 'union_type') return { k: 'any-of', ts: inner.map(below) }
    if (wrapping.test(type)) {
      const target = inner.find((one) => !/modifier|lifetime|mutable|qualifier/.test(one.type))
      return target === undefined ? unknown : below(target)
    }
    return unknown
  }

  #named(node: TreeNode, scope: Scope): Type {
    const { spec, facts, typeBounds } = this.#file
    const { text } = node
    if (spec.selfNames.has(text) && scope.type !== undefined) {
      const own: Type = { k: 'ref', v: { k: 'sym', s: scope.type } }
      // The class that was asked, which may be one below.
      return text === 'static' ? { k: 'param', n: 'static', b: own } : own
    }
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const bound = at.bounds?.get(text)
      if (bound !== undefined) return bound
    }
    if (scope.type !== undefined && facts.symbol(scope.type).typeParameters?.includes(text) === true) {
      const b = typeBounds.get(scope.type)?.get(text)
      return { k: 'param', n: text, ...(b === undefined ? {} : { b }) }
    }
    return { k: 'ref', v: this.#reader.name(nameText(node), scope, true) }
  }
}
