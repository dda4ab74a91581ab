/** Assignments, some of which declare what they give a value to. */
import type { ScriptReader } from './file.ts'
import { functionTypes, literal, type ScriptFile } from './file.ts'
import { nameOf, unwrap } from './names.ts'
import type { Scope } from './scope.ts'
import { childOf, type SyntaxNode, textOf } from './syntax-tree.ts'
import type { ScriptValues } from './values.ts'

export class ScriptAssignments {
  readonly #file: ScriptFile
  readonly #values: ScriptValues
  readonly #reader: ScriptReader

  constructor(file: ScriptFile, values: ScriptValues, reader: ScriptReader) {
    this.#file = file
    this.#values = values
    this.#reader = reader
  }

  /** Reads what is given, and declares what is declared by it. */
  visit(node: SyntaxNode, scope: Scope): void {
    const left = unwrap(childOf(node, 'left'))
    const right = unwrap(childOf(node, 'right'))
    if (left === undefined || right === undefined) return
    if (left.type === 'Identifier') this.#assignName(left, right, scope)
    else if (left.type === 'MemberExpression') {
      if (this.#assignMember(left, right, scope)) return
      if (functionTypes.has(right.type)) this.#reader.expect(right, { k: 'of', v: this.#values.value(left, scope) })
    }
    // What is given something is named as well: a setter runs, and a function is another from here on.
    this.#reader.visit(left, scope)
    this.#reader.visit(right, scope)
  }

  #assignName(left: SyntaxNode, right: SyntaxNode, scope: Scope): void {
    const value = scope.binding(textOf(left, 'name'))?.value
    if (value?.k === 'loc') {
      const before = this.#file.facts.locals[value.i]
      if (before?.k === 'is') {
        this.#reader.expect(right, before.t)
        return
      }
      const next = this.#values.value(right, scope)
      this.#file.facts.locals[value.i] =
        before === undefined || before === literal ? next : { k: 'alt', v: [before, next] }
    } else if (value?.k === 'sym') {
      const symbol = this.#file.facts.symbol(value.s)
      this.#reader.expect(right, symbol.type)
      if (symbol.type === undefined && (symbol.kind === 'variable' || symbol.kind === 'constant'))
        symbol.value ??= this.#values.value(right, scope)
    }
  }

  /** Assignments that declare: `exports.x =`, `module.exports =`, `this.x =`, `Type.prototype.x =`, `Type.x =`. */
  #assignMember(left: SyntaxNode, right: SyntaxNode, scope: Scope): boolean {
    const object = unwrap(childOf(left, 'object'))
    const property = childOf(left, 'property')
    if (object === undefined || property === undefined || left['computed'] === true) return false
    const name = property.type === 'PrivateIdentifier' ? `#${textOf(property, 'name')}` : textOf(property, 'name')
    const isFunction = functionTypes.has(right.type)
    const isFree = (text: string): boolean => scope.binding(text) === undefined
    const isExports =
      (object.type === 'Identifier' && textOf(object, 'name') === 'exports' && isFree('exports')) ||
      (object.type === 'MemberExpression' &&
        textOf(childOf(object, 'object'), 'name') === 'module' &&
        textOf(childOf(object, 'property'), 'name') === 'exports' &&
        isFree('module'))
    if (isExports) {
      if (isFunction) {
        this.#file.declareSymbol('function', name, 0, right, left, { exported: true })
        const symbol = this.#file.facts.symbol(this.#file.facts.symbols.length - 1)
        symbol.endLine = this.#file.line(right.end - 1)
        symbol.endCol = this.#file.column(right.end)
      }
      this.#file.facts.exports.push({ name, value: this.#values.value(right, scope) })
      this.#reader.visit(right, scope)
      return true
    }
    if (object.type === 'Identifier' && textOf(object, 'name') === 'module' && name === 'exports' && isFree('module')) {
      if (right.type === 'ObjectExpression') this.#file.objectHolder.set(right, 0)
      if (isFunction) this.#file.declareSymbol('function', 'module.exports', 0, right, left, { exported: true })
      const value = this.#values.value(right, scope)
      this.#file.facts.exports.push({ name: 'default', value }, { name: 'module.exports', value })
      this.#reader.visit(right, scope)
      return true
    }
    const holder = this.#assignedType(object, scope)
    if (holder === undefined || isBoundToItself(left, right)) return false
    const member = this.#file.facts.symbols.findIndex(
      (one, index) => index > 0 && one.parent === holder.type && one.name === name,
    )
    if (member === -1) {
      if (!isFunction && !holder.isSelf) return false
      const index = this.#file.declareSymbol(
        isFunction ? 'method' : 'property',
        name,
        holder.type,
        isFunction ? right : left,
        left,
        holder.isStatic ? { static: true } : {},
      )
      const symbol = this.#file.facts.symbol(index)
      symbol.endLine = this.#file.line(right.end - 1)
      symbol.endCol = this.#file.column(right.end)
      if (isFunction)
        this.#file.selves.set(right, { k: 'this', s: holder.type, ...(holder.isStatic ? { c: 1 as const } : {}) })
      else symbol.value = this.#values.value(right, scope)
      this.#reader.visit(right, scope)
      return true
    }
    const symbol = this.#file.facts.symbol(member)
    // A property that begins as null or a plain value is what it is given later.
    if (symbol.kind === 'property' && symbol.type === undefined && (symbol.value ?? literal) === literal)
      symbol.value = this.#values.value(right, scope)
    return false
  }

  #assignedType(object: SyntaxNode, scope: Scope): { type: number; isSelf: boolean; isStatic: boolean } | undefined {
    if (object.type === 'ThisExpression') {
      const self = scope.self
      return self?.k === 'this' ? { type: self.s, isSelf: true, isStatic: self.c === 1 } : undefined
    }
    const isPrototype =
      object.type === 'MemberExpression' && textOf(childOf(object, 'property'), 'name') === 'prototype'
    const named = isPrototype ? unwrap(childOf(object, 'object')) : object
    if (named?.type !== 'Identifier') return undefined
    const value = scope.binding(textOf(named, 'name'))?.value
    if (
      value?.k !== 'sym' ||
      !['class', 'function', 'constant', 'variable'].includes(this.#file.facts.symbol(value.s).kind)
    )
      return undefined
    return { type: value.s, isSelf: false, isStatic: !isPrototype }
  }
}

/** `this.run = this.run.bind(this)` declares nothing that is not there. */
function isBoundToItself(left: SyntaxNode, right: SyntaxNode): boolean {
  const bind = right.type === 'CallExpression' ? unwrap(childOf(right, 'callee')) : undefined
  const bound = bind?.type === 'MemberExpression' ? unwrap(childOf(bind, 'object')) : undefined
  return (
    textOf(bind === undefined ? undefined : childOf(bind, 'property'), 'name') === 'bind' &&
    bound?.type === 'MemberExpression' &&
    nameOf(bound) === nameOf(left)
  )
}
