/** What conditions say of names, for as long as a branch lasts or the rest of a block goes on. */

import { pushTo } from '#shared/kernel/push-to.ts'
import type { Value } from '../../core/facts.ts'
import type { ScriptFile, ScriptReader } from './file.ts'
import { alternativesMax, literal } from './file.ts'
import { unwrap } from './names.ts'
import { Scope } from './scope.ts'
import { childOf, childrenOf, eachChild, type SyntaxNode, textOf } from './syntax-tree.ts'
import { plainType } from './types.ts'

/** A name is or is not an instance of a type, or, where no type is given, a value of the language itself. */
interface Said {
  readonly name: string
  readonly type: SyntaxNode | undefined
  readonly is: boolean
}

const plainTypeofs = new Set(['string', 'number', 'boolean', 'bigint', 'symbol'])
const nothing: readonly Said[] = []
const endings = new Set(['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement'])
/** Types that one name is said not to be; the conditions beyond are passed over. */
const ruledOutMax = 32

export class ScriptBranches {
  readonly #file: ScriptFile
  readonly #reader: ScriptReader
  readonly #narrowed = new Map<SyntaxNode, Scope>()
  /** Cases that are conditions. */
  readonly #conditions = new Set<SyntaxNode>()
  #assigned: ReadonlyMap<string, readonly number[]> | undefined

  constructor(file: ScriptFile, reader: ScriptReader) {
    this.#file = file
    this.#reader = reader
  }

  /** Where a part of a condition, of a block or of a `switch (true)` is read. */
  scope(node: SyntaxNode, child: SyntaxNode, scope: Scope): Scope {
    const known = this.#narrowed.get(child)
    if (known !== undefined) return known
    switch (node.type) {
      case 'IfStatement':
      case 'ConditionalExpression': {
        const isElse = child === childOf(node, 'alternate')
        if (!isElse && child !== childOf(node, 'consequent')) return scope
        return this.#within(child, said(childOf(node, 'test'), !isElse), scope)
      }
      case 'LogicalExpression': {
        const operator = textOf(node, 'operator')
        if (operator === '??' || child !== childOf(node, 'right')) return scope
        return this.#within(child, said(childOf(node, 'left'), operator === '&&'), scope)
      }
      case 'SwitchCase': {
        const test = childOf(node, 'test')
        if (child === test || !this.#conditions.has(node)) return scope
        return this.#within(child, said(test, true), scope)
      }
      default:
        return scope
    }
  }

  /** Each case of a `switch (true)` is a condition, where none before it falls into it. */
  enterSwitch(node: SyntaxNode): void {
    if (unwrap(childOf(node, 'discriminant'))?.['value'] !== true) return
    let isOwn = true
    for (const branch of childrenOf(node, 'cases')) {
      if (isOwn) this.#conditions.add(branch)
      isOwn = endsWithExit(childrenOf(branch, 'consequent'))
    }
  }

  /** Where each statement of a block stands: behind a branch that leaves, its condition no longer holds. */
  goOn(end: number, scope: Scope): (statement: SyntaxNode) => Scope {
    let at = scope
    let before: SyntaxNode | undefined
    return (statement) => {
      if (before?.type === 'IfStatement') {
        const test = childOf(before, 'test')
        const facts = [
          ...(leaves(childOf(before, 'consequent')) ? said(test, false) : []),
          ...(leaves(childOf(before, 'alternate')) ? said(test, true) : []),
        ]
        if (facts.length > 0) at = this.#narrow(facts, at, before.end, end)
      }
      before = statement
      if (at !== scope) this.#narrowed.set(statement, at)
      return at
    }
  }

  #within(child: SyntaxNode, facts: readonly Said[], scope: Scope): Scope {
    if (facts.length === 0) return scope
    const inner = this.#narrow(facts, scope, child.start, child.end)
    this.#narrowed.set(child, inner)
    return inner
  }

  #narrow(facts: readonly Said[], scope: Scope, start: number, end: number): Scope {
    const names = new Map<string, { value: Value; isLocal: boolean }>()
    for (const one of facts) {
      if (this.#isAssigned(one.name, start, end)) continue
      const binding = names.get(one.name) ?? scope.binding(one.name)
      const value = this.#valueOf(one, binding, scope)
      if (value !== undefined) names.set(one.name, { value, isLocal: true })
    }
    if (names.size === 0) return scope
    return new Scope(scope, {}, names)
  }

  #valueOf(
    { type, is }: Said,
    binding: { readonly value: Value; readonly isLocal: boolean } | undefined,
    scope: Scope,
  ): Value | undefined {
    if (is) return type === undefined ? literal : { k: 'is', t: { k: 'ref', v: this.#reader.value(type, scope) } }
    // What is known of a name of the module is found by its symbol, and of a name that nothing declares nothing is.
    if (binding?.isLocal !== true || binding.value.k === 'glob') return undefined
    const ruledOut = type === undefined ? plainType : ({ k: 'ref', v: this.#reader.value(type, scope) } as const)
    const { value } = binding
    if (value.k !== 'less') return { k: 'less', v: value, ts: [ruledOut] }
    return value.ts.length < ruledOutMax ? { ...value, ts: [...value.ts, ruledOut] } : undefined
  }

  /** What is given another value on the way is no longer what the condition said. */
  #isAssigned(name: string, start: number, end: number): boolean {
    this.#assigned ??= assignedNames(this.#file.program)
    return this.#assigned.get(name)?.some((at) => at >= start && at < end) === true
  }
}

/** What a condition says where it holds, or where it does not. */
function said(condition: SyntaxNode | undefined, holds: boolean): readonly Said[] {
  const test = unwrap(condition)
  if (test?.type === 'UnaryExpression' && textOf(test, 'operator') === '!')
    return said(childOf(test, 'argument'), !holds)
  if (test?.type === 'LogicalExpression' && textOf(test, 'operator') === (holds ? '&&' : '||'))
    return [...said(childOf(test, 'left'), holds), ...said(childOf(test, 'right'), holds)].slice(0, alternativesMax)
  if (test?.type !== 'BinaryExpression') return nothing
  const operator = textOf(test, 'operator')
  const isEqual = operator === '===' || operator === '=='
  if (operator !== 'instanceof' && !isEqual && operator !== '!==' && operator !== '!=') return nothing
  const left = unwrap(childOf(test, 'left'))
  const right = unwrap(childOf(test, 'right'))
  if (operator === 'instanceof')
    return left?.type === 'Identifier' && right !== undefined
      ? [{ name: textOf(left, 'name'), type: right, is: holds }]
      : nothing
  const [asked, answer] = left?.type === 'Literal' ? [right, left] : [left, right]
  const name = asked?.type === 'UnaryExpression' ? unwrap(childOf(asked, 'argument')) : undefined
  if (asked === undefined || textOf(asked, 'operator') !== 'typeof' || name?.type !== 'Identifier') return nothing
  return plainTypeofs.has(textOf(answer, 'value'))
    ? [{ name: textOf(name, 'name'), type: undefined, is: holds === isEqual }]
    : nothing
}

function leaves(branch: SyntaxNode | undefined): boolean {
  if (branch === undefined) return false
  return endsWithExit(branch.type === 'BlockStatement' ? childrenOf(branch, 'body') : [branch])
}

function endsWithExit(statements: readonly SyntaxNode[]): boolean {
  return endings.has(statements.at(-1)?.type ?? '')
}

/** Where each name is given a value after it was declared. */
function assignedNames(program: SyntaxNode): Map<string, number[]> {
  const places = new Map<string, number[]>()
  const take = (pattern: SyntaxNode): void => {
    if (pattern.type === 'MemberExpression') return
    if (pattern.type === 'Identifier') {
      pushTo(places, textOf(pattern, 'name'), pattern.start)
    } else eachChild(pattern, take)
  }
  const walk = (node: SyntaxNode): void => {
    const target =
      node.type === 'AssignmentExpression' || node.type === 'ForOfStatement' || node.type === 'ForInStatement'
        ? childOf(node, 'left')
        : undefined
    if (target !== undefined && target.type !== 'VariableDeclaration') take(target)
    eachChild(node, walk)
  }
  walk(program)
  return places
}
