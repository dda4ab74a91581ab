/** One file that is read by its syntax tree: its symbols, and what its nodes were found to be. */
import { pushTo } from '#shared/kernel/push-to.ts'
import type { Reference, Type, Value } from '../../core/facts.ts'
import type { NodeKind } from '../../core/vocabulary.ts'
import { clipSignature, commentText, type FactBuilder } from '../fact-builder.ts'
import { field } from '../languages/shapes.ts'
import type { TreeLanguage } from '../languages/tree-language.ts'
import type { Scope } from './scope.ts'
import type { Parse, TreeNode } from './tree-node.ts'

const nameCharsMax = 120
const callables: ReadonlySet<NodeKind> = new Set(['method', 'function'])

export class TreeFile {
  readonly facts: FactBuilder
  readonly spec: TreeLanguage
  readonly parse: Parse
  readonly symbolOf = new Map<TreeNode, number>()
  readonly imported = new Map<string, Value>()
  /** What is imported inside of a function or a module of the file, and known there alone, by what it stands in. */
  readonly importedIn = new Map<number, Map<string, Value>>()
  /** What types say of their type parameters. */
  readonly typeBounds = new Map<number, ReadonlyMap<string, Type>>()
  readonly text: string
  readonly #children = new Map<string, number[]>()

  constructor(facts: FactBuilder, spec: TreeLanguage, text: string, parse: Parse) {
    this.facts = facts
    this.spec = spec
    this.parse = parse
    this.text = text
  }

  /** The name of a type that is given so many types. */
  ofArity(value: Value, arity: number | undefined): Value {
    if (arity === undefined) return value
    if (value.k === 'glob') return { ...value, n: `${value.n}\`${arity}` }
    const own = value.k === 'sym' ? this.facts.symbol(value.s) : undefined
    const isOther = own !== undefined && (own.typeParameters?.length ?? 0) !== arity && !this.isType(own.parent)
    return isOther ? { k: 'glob', n: `${own.name}\`${arity}` } : value
  }

  isType(index: number): boolean {
    return this.spec.memberKinds.has(this.facts.symbol(index).kind)
  }

  isMember(index: number): boolean {
    return ['method', 'field', 'property'].includes(this.facts.symbol(index).kind)
  }

  childNamed(owner: number, name: string, kind?: NodeKind): number | undefined {
    return this.#children
      .get(`${owner} ${name}`)
      ?.find((index) => kind === undefined || this.facts.symbol(index).kind === kind)
  }

  childrenNamed(owner: number, name: string, kind: NodeKind): readonly number[] {
    return (this.#children.get(`${owner} ${name}`) ?? []).filter((index) => this.facts.symbol(index).kind === kind)
  }

  lastTypeNamed(owner: number, name: string): number | undefined {
    return this.#children.get(`${owner} ${name}`)?.findLast((index) => this.isType(index))
  }

  /** What is not named by its name alone. */
  forget(owner: number, index: number): void {
    const key = `${owner} ${this.facts.symbol(index).name}`
    const known = this.#children.get(key)
    if (known !== undefined)
      this.#children.set(
        key,
        known.filter((one) => one !== index),
      )
  }

  /** The type, alias of one or namespace that stands below all of the names: what makes its objects may be called as it is. */
  inside(owner: number, names: readonly string[]): number | undefined {
    let at: number | undefined = owner
    for (const name of names)
      at = this.#children.get(`${at} ${name}`)?.find((index) => !callables.has(this.facts.symbol(index).kind))
    return at
  }

  typeKind(node: TreeNode): NodeKind | undefined {
    if (this.spec.isTypeAssignment?.(node) === true) return 'class'
    const kind = this.spec.types[node.type]
    return kind === undefined || this.spec.kindOf === undefined ? kind : this.spec.kindOf(node, kind)
  }

  declareSymbol(kind: NodeKind, name: string, parent: number, node: TreeNode): number {
    const outer = node.parent !== null && this.spec.wrappers.has(node.parent.type) ? node.parent : node
    const index = this.facts.addSymbol({
      kind,
      name,
      parent,
      line: outer.startPosition.row + 1,
      col: outer.startPosition.column,
      endLine:
        outer.endPosition.row +
        (outer.endPosition.column === 0 && outer.endPosition.row > outer.startPosition.row ? 0 : 1),
      endCol: outer.endPosition.column,
    })
    pushTo(this.#children, `${parent} ${name}`, index)
    const symbol = this.facts.symbol(index)
    if (this.spec.isExported(name, node)) symbol.exported = true
    const visibility = this.spec.visibility(node)
    if (visibility !== undefined) symbol.visibility = visibility
    const doc = this.spec.innerDoc === undefined ? docBefore(outer) : this.spec.innerDoc(node)
    if (doc !== '') symbol.doc = doc
    const body = field(node, 'body')
    symbol.signature = clipSignature(
      this.text
        .slice(node.startIndex, Math.min(body?.startIndex ?? node.endIndex, node.startIndex + 400))
        .replace(/[{:]\s*$/, ''),
    )
    this.#decorate(index, outer)
    if (/\basync\b/.test(this.text.slice(node.startIndex, node.startIndex + 120).split('(')[0] ?? ''))
      symbol.async = true
    return index
  }

  #decorate(index: number, outer: TreeNode): void {
    const decorators = this.spec.decorators?.(outer) ?? []
    if (decorators.length === 0) return
    const names = decorators.map((one) => one.text.replace(/^@/, '').replace(/\(.*$/s, ''))
    const symbol = this.facts.symbol(index)
    symbol.decorators = names
    if (names.some((one) => one === 'property' || one.endsWith('cached_property'))) symbol.accessor = true
    if (names.some((one) => one === 'staticmethod' || one === 'classmethod')) symbol.static = true
    if (names.some((one) => one.endsWith('abstractmethod'))) symbol.abstract = true
  }

  refer(scope: Scope, kind: Reference['kind'], value: Value, at: TreeNode, name: string, asType = false): void {
    this.facts.addReference({
      from: scope.owner,
      kind,
      value,
      name: name.length > nameCharsMax ? (name.split(/[.:>]/).at(-1) ?? '') : name,
      line: at.startPosition.row + 1,
      col: at.startPosition.column,
      ...(asType ? { asType: true as const } : {}),
    })
  }
}

function docBefore(outer: TreeNode): string {
  const parts: string[] = []
  let at = outer.previousNamedSibling
  let line = outer.startPosition.row
  while (at !== null && /comment/.test(at.type) && line - at.endPosition.row <= 1) {
    parts.unshift(at.text)
    line = at.startPosition.row
    at = at.previousNamedSibling
  }
  return parts.length === 0 ? '' : commentText(parts.join('\n'))
}
