/** Functions: their parameters, their results, and what stands in them. */

import type { Type, Value } from '../../core/facts.ts'
import { clipSignature } from '../fact-builder.ts'
import { resultType } from '../result-type.ts'
import type { ScriptFile, ScriptReader } from './file.ts'
import { alternativesMax, functionTypes, literal } from './file.ts'
import type { Scope, ScopeStart } from './scope.ts'
import type { ScriptScopes } from './scopes.ts'
import { childOf, childrenOf, eachChild, type SyntaxNode, textOf } from './syntax-tree.ts'
import type { ScriptTypes } from './types.ts'
import type { ScriptValues } from './values.ts'

export class ScriptFunctions {
  readonly #file: ScriptFile
  readonly #scopes: ScriptScopes
  readonly #types: ScriptTypes
  readonly #values: ScriptValues
  readonly #reader: ScriptReader

  constructor(file: ScriptFile, scopes: ScriptScopes, types: ScriptTypes, values: ScriptValues, reader: ScriptReader) {
    this.#file = file
    this.#scopes = scopes
    this.#types = types
    this.#values = values
    this.#reader = reader
  }

  /** The scope of a function's parameters; made once, whoever asks first. */
  #functionBody(node: SyntaxNode, scope: Scope): Scope {
    const known = this.#file.scopes.get(node)
    if (known !== undefined) return known
    const owner = this.#file.symbolOf.get(node) ?? scope.owner
    const isArrow = node.type === 'ArrowFunctionExpression'
    const own: ScopeStart = { owner, isFunction: true }
    const inner = this.#scopes.child(node, scope, isArrow ? own : { ...own, self: this.#selfOf(node) })
    const names = this.#types.bindTypeParameters(node, inner)
    const index = this.#file.symbolOf.get(node)
    const [first] = childrenOf(node, 'params')
    const self =
      textOf(first, 'name') === 'this' && first !== undefined ? this.#types.annotation(first, inner) : undefined
    if (self !== undefined) inner.self = { k: 'is', t: self }
    if (node.type === 'FunctionExpression') {
      const id = textOf(childOf(node, 'id'), 'name')
      if (id !== '' && index !== undefined) this.#scopes.bindSymbol(inner, id, index, 'value')
    }
    const context = this.#file.context.get(node)
    const types: (Type | null)[] = []
    childrenOf(node, 'params').forEach((parameter, position) => {
      types.push(this.#bindParameter(parameter, position, inner, context))
    })
    if (index !== undefined) {
      const symbol = this.#file.facts.symbol(index)
      if (names.length > 0) symbol.typeParameters = names
      if (types.some((type) => type !== null)) symbol.parameterTypes = types
      if (node['async'] === true) symbol.async = true
      const declared = this.#types.returnType(node, inner)
      if (declared !== undefined) {
        symbol.type ??= symbol.accessor === true ? declared : resultType(declared)
        symbol.returnType = clipSignature(
          this.#file.text.slice((childOf(node, 'returnType')?.start ?? 0) + 1, childOf(node, 'returnType')?.end),
        )
      }
    }
    const body = childOf(node, 'body')
    const returned = this.#types.returnType(node, inner)
    if (body?.type !== 'BlockStatement') this.#scopes.expect(body, returned)
    else {
      if (returned !== undefined && node['async'] !== true) this.#expectReturned(body, returned)
      this.enterBlock(body, inner)
    }
    return inner
  }

  /** A function that is given back takes what the declared result says. */
  #expectReturned(node: SyntaxNode, type: Type): void {
    if (node.type === 'ReturnStatement') this.#scopes.expect(childOf(node, 'argument'), type)
    else if (node.type.endsWith('Statement') || node.type === 'SwitchCase' || node.type === 'CatchClause')
      eachChild(node, (child) => this.#expectReturned(child, type))
  }

  #selfOf(node: SyntaxNode): Value | undefined {
    return this.#file.selves.get(node)
  }

  #bindParameter(
    input: SyntaxNode,
    position: number,
    scope: Scope,
    context: { f: Value; i: number } | undefined,
  ): Type | null {
    const isProperty = input.type === 'TSParameterProperty'
    let parameter = isProperty ? (childOf(input, 'parameter') ?? input) : input
    let fallback: SyntaxNode | undefined
    if (parameter.type === 'AssignmentPattern') {
      fallback = childOf(parameter, 'right')
      parameter = childOf(parameter, 'left') ?? parameter
    }
    const isRest = parameter.type === 'RestElement'
    const annotation = this.#types.annotation(parameter, scope)
    const target = isRest ? (childOf(parameter, 'argument') ?? parameter) : parameter
    let value: Value
    if (annotation !== undefined) value = { k: 'is', t: annotation }
    else if (context !== undefined && !isRest) value = { k: 'arg', f: context.f, i: context.i, p: position }
    else value = literal
    if (annotation === undefined && context === undefined && fallback !== undefined) {
      const slot = this.#file.facts.addLocal(literal)
      value = { k: 'loc', i: slot }
      const source = fallback
      this.#file.later.push(() => {
        this.#file.facts.locals[slot] = this.#values.value(source, scope)
      })
    }
    if (target.type === 'Identifier') {
      const name = textOf(target, 'name')
      if (name === 'this') return null
      this.#scopes.bind(scope, name, value, true)
      // An unannotated, contextless parameter may be anything: keep it apart from a literal so that guesses stay possible.
      if (value === literal) this.#scopes.bind(scope, name, { k: 'glob', n: '?' }, true)
    } else {
      const slot = this.#file.facts.addLocal(value)
      this.#scopes.bindPattern(target, { k: 'loc', i: slot }, scope)
    }
    return annotation ?? null
  }

  enterBlock(block: SyntaxNode, parent: Scope): Scope {
    const known = this.#file.scopes.get(block)
    if (known !== undefined) return known
    const scope = this.#scopes.child(block, parent)
    const body = childrenOf(block, 'body')
    this.#scopes.hoist(body, scope, this.#values.branches.goOn(block.end, scope))
    this.#scopes.settle()
    return scope
  }

  /** What a function returns: its expression body, or the values of its return statements. */
  resultOf(node: SyntaxNode, scope: Scope): Value | undefined {
    const inner = this.#functionBody(node, scope)
    const body = childOf(node, 'body')
    if (body === undefined) return undefined
    if (body.type !== 'BlockStatement') return this.#values.value(body, inner)
    const found: Value[] = []
    this.#collectReturns(body, inner, found, node['generator'] === true)
    if (found.length === 0) return undefined
    return found.length === 1 ? found[0] : { k: 'alt', v: found }
  }

  #collectReturns(node: SyntaxNode, scope: Scope, found: Value[], isGenerator: boolean): void {
    if (found.length >= alternativesMax || functionTypes.has(node.type) || node.type.startsWith('Class')) return
    if (node.type === 'ReturnStatement') {
      const argument = childOf(node, 'argument')
      if (argument !== undefined && !isGenerator) found.push(this.#values.value(argument, scope))
      return
    }
    if (node.type === 'YieldExpression' && isGenerator) {
      const argument = childOf(node, 'argument')
      if (argument !== undefined) found.push({ k: 'arr', v: this.#values.value(argument, scope) })
      return
    }
    if (node.type.endsWith('Expression') && !isGenerator) return
    const inner = node.type === 'BlockStatement' ? this.enterBlock(node, scope) : this.loopScope(node, scope)
    eachChild(node, (child) =>
      this.#collectReturns(child, this.#values.branches.scope(node, child, inner), found, isGenerator),
    )
  }

  /** Loops and catch clauses declare names of their own. */
  loopScope(node: SyntaxNode, scope: Scope): Scope {
    if (node.type === 'ForOfStatement' || node.type === 'ForInStatement' || node.type === 'ForStatement') {
      const known = this.#file.scopes.get(node)
      if (known !== undefined) return known
      const inner = this.#scopes.child(node, scope)
      const left = childOf(node, 'left') ?? childOf(node, 'init')
      if (left?.type === 'VariableDeclaration') {
        if (node.type === 'ForStatement') this.#scopes.hoistOne(left, left, inner, false)
        else {
          const slot = this.#file.facts.addLocal(literal)
          for (const declarator of childrenOf(left, 'declarations')) {
            const id = childOf(declarator, 'id')
            if (id !== undefined) this.#scopes.bindPattern(id, { k: 'loc', i: slot }, inner)
          }
          if (node.type === 'ForOfStatement') {
            const source: Value = { k: 'elem', v: this.#values.value(childOf(node, 'right'), scope), each: 1 }
            this.#file.facts.locals[slot] = node['await'] === true ? { k: 'await', v: source } : source
          }
        }
        this.#scopes.settle()
      }
      return inner
    }
    if (node.type === 'CatchClause') {
      const known = this.#file.scopes.get(node)
      if (known !== undefined) return known
      const inner = this.#scopes.child(node, scope)
      const parameter = childOf(node, 'param')
      if (parameter !== undefined) this.#scopes.bindPattern(parameter, literal, inner)
      return inner
    }
    if (node.type === 'SwitchStatement') {
      const known = this.#file.scopes.get(node)
      if (known !== undefined) return known
      const inner = this.#scopes.child(node, scope)
      for (const branch of childrenOf(node, 'cases')) this.#scopes.hoist(childrenOf(branch, 'consequent'), inner)
      this.#scopes.settle()
      this.#values.branches.enterSwitch(node)
      return inner
    }
    return scope
  }

  visitFunction(node: SyntaxNode, scope: Scope): void {
    const inner = this.#functionBody(node, scope)
    this.#scopes.settle()
    for (const parameter of childrenOf(node, 'params')) this.#visitParameter(parameter, inner)
    const annotation = childOf(node, 'returnType')
    if (annotation !== undefined) this.#reader.visitType(annotation, inner)
    const typeParameters = childOf(node, 'typeParameters')
    if (typeParameters !== undefined) this.#reader.visitType(typeParameters, inner)
    const index = this.#file.symbolOf.get(node)
    if (index !== undefined) {
      const symbol = this.#file.facts.symbol(index)
      if (symbol.type === undefined || symbol.returnType === undefined) {
        const result = this.resultOf(node, scope)
        if (result !== undefined) symbol.result ??= result
      }
    }
    const body = childOf(node, 'body')
    if (body !== undefined) this.#reader.visit(body, inner)
  }

  #visitParameter(parameter: SyntaxNode, scope: Scope): void {
    for (const decorator of childrenOf(parameter, 'decorators')) this.#reader.visitDecorator(decorator, scope)
    if (parameter.type === 'TSParameterProperty') {
      const inner = childOf(parameter, 'parameter')
      if (inner !== undefined) this.#visitParameter(inner, scope)
      return
    }
    if (parameter.type === 'AssignmentPattern') {
      const left = childOf(parameter, 'left')
      if (left !== undefined) this.#visitParameter(left, scope)
      const right = childOf(parameter, 'right')
      if (right !== undefined) this.#reader.visit(right, scope)
      return
    }
    const annotation = childOf(parameter, 'typeAnnotation')
    if (annotation !== undefined) this.#reader.visitType(annotation, scope)
    if (parameter.type === 'ObjectPattern' || parameter.type === 'ArrayPattern') this.visitPattern(parameter, scope)
  }

  /** Default values inside a pattern are expressions; its names are not. */
  visitPattern(pattern: SyntaxNode, scope: Scope): void {
    eachChild(pattern, (child) => {
      if (child.type === 'AssignmentPattern') {
        const right = childOf(child, 'right')
        if (right !== undefined) this.#reader.visit(right, scope)
        const left = childOf(child, 'left')
        if (left !== undefined) this.visitPattern(left, scope)
      } else if (child.type !== 'Identifier' && child.type !== 'TSTypeAnnotation') this.visitPattern(child, scope)
    })
  }
}
