/** What expressions denote, as far as the file alone can tell. */

import type { Value } from '../../core/facts.ts'
import { valueDepthMax } from '../../limits.ts'
import { ScriptBranches } from './branches.ts'
import type { ScriptFile, ScriptReader } from './file.ts'
import { functionTypes, literal, objectPropertiesMax } from './file.ts'
import { keyName, unwrap } from './names.ts'
import type { Scope } from './scope.ts'
import { childOf, childrenOf, type SyntaxNode, textOf } from './syntax-tree.ts'
import { plainType, type ScriptTypes } from './types.ts'

/** Arguments of a call that are kept. */
const argumentsMax = 4
/** One of the alternatives is a text: what is done with it may be done with that. */
const plainValue: Value = { k: 'is', t: plainType }

export class ScriptValues {
  readonly #file: ScriptFile
  readonly #types: ScriptTypes
  readonly #reader: ScriptReader
  readonly branches: ScriptBranches

  constructor(file: ScriptFile, types: ScriptTypes, reader: ScriptReader) {
    this.#file = file
    this.#types = types
    this.#reader = reader
    this.branches = new ScriptBranches(file, reader)
  }

  #depth = 0

  /** Long chains would nest without end: the value of a call is kept once and named by its slot. */
  value(input: SyntaxNode | undefined, scope: Scope): Value {
    const node = unwrap(input)
    if (node === undefined || node.type === 'Literal' || node.type === 'TemplateLiteral') return literal
    const known = this.#file.valueOf.get(node)
    if (known !== undefined) return known
    if (this.#depth > valueDepthMax) return literal
    this.#depth += 1
    const value = this.#keptValue(node, scope)
    this.#depth -= 1
    return value
  }

  #keptValue(node: SyntaxNode, scope: Scope): Value {
    if (
      node.type === 'CallExpression' ||
      node.type === 'NewExpression' ||
      node.type === 'ObjectExpression' ||
      node.type === 'AwaitExpression'
    ) {
      const slot = this.#file.facts.addLocal(literal)
      const value: Value = { k: 'loc', i: slot }
      this.#file.valueOf.set(node, value)
      this.#file.facts.locals[slot] = this.#freshValue(node, scope)
      return value
    }
    const value = this.#freshValue(node, scope)
    this.#file.valueOf.set(node, value)
    return value
  }

  #freshValue(node: SyntaxNode, scope: Scope): Value {
    switch (node.type) {
      case 'Identifier': {
        const name = textOf(node, 'name')
        return scope.binding(name)?.value ?? { k: 'glob', n: name }
      }
      case 'ThisExpression':
        return scope.self ?? literal
      case 'Super':
        return scope.parentClass ?? literal
      case 'MemberExpression': {
        const object = this.value(childOf(node, 'object'), scope)
        const property = childOf(node, 'property')
        if (node['computed'] === true) {
          if (property?.type === 'Literal' && typeof property['value'] === 'string')
            return { k: 'get', o: object, n: property['value'] }
          const at = property?.type === 'Literal' ? property['value'] : undefined
          return { k: 'elem', v: object, ...(typeof at === 'number' ? { n: at } : {}) }
        }
        const name = property?.type === 'PrivateIdentifier' ? `#${textOf(property, 'name')}` : textOf(property, 'name')
        return { k: 'get', o: object, n: name }
      }
      case 'CallExpression':
        return this.#callValue(node, scope)
      case 'NewExpression': {
        const args = this.#types.typeArguments(node, scope)
        return { k: 'new', c: this.value(childOf(node, 'callee'), scope), ...(args === undefined ? {} : { a: args }) }
      }
      case 'ImportExpression': {
        const source = childOf(node, 'source')
        return typeof source?.['value'] === 'string'
          ? { k: 'call', f: { k: 'fn', async: 1, r: { k: 'mod', m: source['value'] } } }
          : literal
      }
      case 'AwaitExpression':
        return { k: 'await', v: this.value(childOf(node, 'argument'), scope) }
      case 'TSAsExpression':
      case 'TSTypeAssertion': {
        const type = childOf(node, 'typeAnnotation')
        return type === undefined ? literal : { k: 'is', t: this.#types.typeOf(type, scope) }
      }
      case 'ConditionalExpression':
      case 'LogicalExpression': {
        const parts = node.type === 'LogicalExpression' ? ['left', 'right'] : ['consequent', 'alternate']
        // An empty list has nothing in it that the other could be mistaken for.
        const [one, other] = parts.filter((part) => !isEmptyList(childOf(node, part)))
        if (one === undefined || other === undefined) return this.#branchValue(node, one ?? 'right', scope)
        return { k: 'alt', v: [this.#branchValue(node, one, scope), this.#branchValue(node, other, scope)] }
      }
      case 'AssignmentExpression':
        return this.value(childOf(node, 'right'), scope)
      case 'SequenceExpression':
        return this.value(childrenOf(node, 'expressions').at(-1), scope)
      case 'ArrayExpression':
        return this.#arrayValue(node, scope)
      case 'ObjectExpression':
        return this.#objectValue(node, scope)
      case 'FunctionExpression':
      case 'ArrowFunctionExpression': {
        const index = this.#file.symbolOf.get(node)
        if (index !== undefined) return { k: 'sym', s: index }
        const r = this.#reader.resultOf(node, scope)
        if (node['async'] === true) return r === undefined ? { k: 'fn', async: 1 } : { k: 'fn', r, async: 1 }
        return r === undefined ? { k: 'fn' } : { k: 'fn', r }
      }
      case 'ClassExpression': {
        const index = this.#file.symbolOf.get(node)
        return index === undefined ? literal : { k: 'sym', s: index }
      }
      default:
        return literal
    }
  }

  #callValue(node: SyntaxNode, scope: Scope): Value {
    const required = this.requireSource(node, scope)
    if (required !== undefined) return { k: 'mod', m: required }
    const callee = unwrap(childOf(node, 'callee'))
    const args = childrenOf(node, 'arguments')
    const f = this.value(callee, scope)
    if (args.length === 0) return { k: 'call', f }
    // As long as it will be: one that grows from nothing has room for seventeen, and most have one or two.
    const a = new Array<Value>(Math.min(args.length, argumentsMax))
    for (let at = 0; at < a.length; at += 1) a[at] = this.argumentValue(args[at] as SyntaxNode, node, at, scope)
    return { k: 'call', f, a }
  }

  #branchValue(node: SyntaxNode, part: string, scope: Scope): Value {
    const child = childOf(node, part)
    if (child === undefined) return literal
    return isText(child) ? plainValue : this.value(child, this.branches.scope(node, child, scope))
  }

  #arrayValue(node: SyntaxNode, scope: Scope): Value {
    const items = childrenOf(node, 'elements').slice(0, 3)
    const v = items.map(
      (item): Value =>
        item.type === 'SpreadElement'
          ? { k: 'elem', v: this.value(childOf(item, 'argument'), scope), each: 1 }
          : this.value(item, scope),
    )
    return { k: 'arr', v: { k: 'alt', v } }
  }

  argumentValue(argument: SyntaxNode, call: SyntaxNode, index: number, scope: Scope): Value {
    const node = unwrap(argument)
    if (node !== undefined && (node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression'))
      this.#setContext(node, call, index, scope)
    // What stands in an object is what the one who takes the object says of its members.
    else if (node?.type === 'ObjectExpression' && !this.#file.valueOf.has(node))
      this.#reader.expect(node, { k: 'of', v: { k: 'arg', f: this.value(childOf(call, 'callee'), scope), i: index } })
    return node === undefined || node.type === 'SpreadElement' ? literal : this.value(node, scope)
  }

  #setContext(callback: SyntaxNode, call: SyntaxNode, index: number, scope: Scope): void {
    if (!this.#file.context.has(callback))
      this.#file.context.set(callback, { f: this.value(childOf(call, 'callee'), scope), i: index })
  }

  #objectValue(node: SyntaxNode, scope: Scope): Value {
    const p = new Map<string, Value>()
    const spreads: Value[] = []
    const holder = this.#file.objectHolder.get(node)
    for (const property of childrenOf(node, 'properties').slice(0, objectPropertiesMax)) {
      if (property.type === 'SpreadElement') {
        spreads.push(this.value(childOf(property, 'argument'), scope))
        continue
      }
      const key = keyName(property)
      const value = unwrap(childOf(property, 'value'))
      if (key === '' || key === '__proto__' || value === undefined) continue
      if (holder !== undefined && functionTypes.has(value.type) && !this.#file.symbolOf.has(value)) {
        this.#file.declareSymbol('method', key, holder, value, property)
      }
      if (holder !== undefined && value.type === 'ObjectExpression') this.#file.objectHolder.set(value, holder)
      p.set(key, this.value(value, scope))
    }
    return spreads.length === 0 ? { k: 'obj', p } : { k: 'obj', p, x: spreads }
  }

  requireSource(node: SyntaxNode, scope: Scope): string | undefined {
    const callee = childOf(node, 'callee')
    if (callee?.type !== 'Identifier' || textOf(callee, 'name') !== 'require' || scope.binding('require') !== undefined)
      return undefined
    const [first] = childrenOf(node, 'arguments')
    return typeof first?.['value'] === 'string' ? first['value'] : undefined
  }
}

function isEmptyList(node: SyntaxNode | undefined): boolean {
  return node?.type === 'ArrayExpression' && childrenOf(node, 'elements').length === 0
}

function isText(node: SyntaxNode): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node['value'] === 'string')
}
