/** Names of a script and what declares them: imports, declarations, patterns. */

import type { Symbol as CodeSymbol, Type, Value } from '../../core/facts.ts'
import type { NodeKind } from '../../core/vocabulary.ts'
import { clipSignature } from '../fact-builder.ts'
import type { ScriptFile, ScriptReader } from './file.ts'
import { functionTypes, literal } from './file.ts'
import { keyName, unwrap } from './names.ts'
import { Scope, type ScopeStart } from './scope.ts'
import { childOf, childrenOf, childrenOrGaps, type SyntaxNode, textOf } from './syntax-tree.ts'

/** What functions are written as or stand in. */
const expectant = new Set([
  'ArrowFunctionExpression',
  'FunctionExpression',
  'ObjectExpression',
  'ConditionalExpression',
])

export class ScriptScopes {
  readonly #file: ScriptFile
  readonly #reader: ScriptReader

  constructor(file: ScriptFile, reader: ScriptReader) {
    this.#file = file
    this.#reader = reader
  }

  child(node: SyntaxNode, parent: Scope, start: ScopeStart = {}): Scope {
    const known = this.#file.scopes.get(node)
    if (known !== undefined) return known
    const scope = new Scope(parent, start)
    this.#file.scopes.set(node, scope)
    return scope
  }

  bind(scope: Scope, name: string, value: Value, isLocal = false): void {
    scope.bind(name, { value, isLocal })
  }

  bindSymbol(scope: Scope, name: string, index: number, space: 'value' | 'type' | 'both'): void {
    const value: Value = { k: 'sym', s: index }
    if (space !== 'type') this.bind(scope, name, value)
    if (space !== 'value') scope.bindType(name, { k: 'ref', v: value })
  }

  /** Declares the names of a list of statements before any of them is read; `at`: where each of them stands. */
  hoist(statements: readonly SyntaxNode[], scope: Scope, at?: (statement: SyntaxNode) => Scope): void {
    for (const statement of statements) this.hoistOne(statement, statement, scope, false, at?.(statement))
  }

  hoistOne(statement: SyntaxNode, outer: SyntaxNode, scope: Scope, exported: boolean, at: Scope = scope): void {
    const flags: Partial<CodeSymbol> = exported ? { exported: true } : {}
    const parent = scope.owner
    switch (statement.type) {
      case 'ImportDeclaration':
        this.#hoistImport(statement, scope)
        break
      case 'TSImportEqualsDeclaration': {
        const reference = childOf(statement, 'moduleReference')
        const name = textOf(childOf(statement, 'id'), 'name')
        if (reference?.type === 'TSExternalModuleReference') {
          const specifier = textOf(childOf(reference, 'expression'), 'value')
          this.addImport(statement, specifier, [name])
          this.bind(scope, name, { k: 'mod', m: specifier })
          scope.bindType(name, { k: 'ref', v: { k: 'mod', m: specifier } })
        }
        break
      }
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration': {
        const declaration = childOf(statement, 'declaration')
        if (declaration !== undefined) this.hoistOne(declaration, statement, scope, true)
        break
      }
      case 'FunctionDeclaration':
      case 'TSDeclareFunction': {
        const name = textOf(childOf(statement, 'id'), 'name') || (exported ? 'default' : '')
        if (name === '') break
        // Overload signatures and their implementation are one function.
        const before = scope.ownValue(name)
        if (
          before?.k === 'sym' &&
          this.#file.facts.symbol(before.s).kind === 'function' &&
          this.#file.facts.symbol(before.s).parent === parent
        ) {
          const symbol = this.#file.facts.symbol(before.s)
          symbol.endLine = this.#file.line(Math.max(outer.start, outer.end - 1))
          symbol.endCol = this.#file.column(outer.end)
          this.#file.symbolOf.set(statement, before.s)
          break
        }
        this.bindSymbol(
          scope,
          name,
          this.#file.declareSymbol('function', name, parent, statement, outer, flags),
          'value',
        )
        break
      }
      case 'ClassDeclaration': {
        const name = textOf(childOf(statement, 'id'), 'name') || (exported ? 'default' : '')
        if (name === '') break
        this.bindSymbol(scope, name, this.#file.declareSymbol('class', name, parent, statement, outer, flags), 'both')
        break
      }
      case 'TSInterfaceDeclaration': {
        const name = textOf(childOf(statement, 'id'), 'name')
        const before = scope.ownType(name)
        if (before?.k === 'ref' && before.v.k === 'sym' && this.#file.facts.symbol(before.v.s).kind === 'interface') {
          this.#file.symbolOf.set(statement, before.v.s)
          break
        }
        this.bindSymbol(
          scope,
          name,
          this.#file.declareSymbol('interface', name, parent, statement, outer, flags),
          'type',
        )
        break
      }
      case 'TSTypeAliasDeclaration': {
        const name = textOf(childOf(statement, 'id'), 'name')
        this.bindSymbol(
          scope,
          name,
          this.#file.declareSymbol('type_alias', name, parent, statement, outer, flags),
          'type',
        )
        break
      }
      case 'TSEnumDeclaration': {
        const name = textOf(childOf(statement, 'id'), 'name')
        this.bindSymbol(scope, name, this.#file.declareSymbol('enum', name, parent, statement, outer, flags), 'both')
        break
      }
      case 'TSModuleDeclaration': {
        const id = childOf(statement, 'id')
        const name = textOf(id, 'name')
        if (name === '') break
        const before = scope.ownValue(name)
        if (
          before?.k === 'sym' &&
          ['namespace', 'class', 'function', 'enum'].includes(this.#file.facts.symbol(before.s).kind)
        ) {
          this.#file.symbolOf.set(statement, before.s)
          break
        }
        this.bindSymbol(
          scope,
          name,
          this.#file.declareSymbol('namespace', name, parent, statement, outer, flags),
          'both',
        )
        break
      }
      case 'VariableDeclaration':
        for (const declarator of childrenOf(statement, 'declarations')) {
          this.#hoistVariable(
            statement,
            declarator,
            childrenOf(statement, 'declarations').length === 1 ? outer : declarator,
            scope,
            exported,
            at,
          )
        }
        break
      case 'LabeledStatement': {
        const body = childOf(statement, 'body')
        if (body !== undefined) this.hoistOne(body, body, scope, false)
        break
      }
    }
  }

  #hoistImport(statement: SyntaxNode, scope: Scope): void {
    const specifier = textOf(childOf(statement, 'source'), 'value')
    const names: string[] = []
    for (const one of childrenOf(statement, 'specifiers')) {
      const local = textOf(childOf(one, 'local'), 'name')
      const imported = childOf(one, 'imported')
      const value: Value =
        one.type === 'ImportNamespaceSpecifier'
          ? { k: 'mod', m: specifier }
          : {
              k: 'imp',
              m: specifier,
              n:
                one.type === 'ImportDefaultSpecifier'
                  ? 'default'
                  : textOf(imported, 'name') || textOf(imported, 'value'),
            }
      if (value.k === 'imp') this.#file.facts.importedNames.push({ local, specifier, imported: value.n })
      if (value.k === 'imp') names.push(value.n)
      else names.push('*')
      this.bind(scope, local, value)
      scope.bindType(local, { k: 'ref', v: value })
    }
    this.addImport(statement, specifier, names)
  }

  addImport(node: SyntaxNode, specifier: string, names: readonly string[]): void {
    const symbol = this.#file.facts.addSymbol({
      kind: 'import',
      name: specifier,
      parent: 0,
      line: this.#file.line(node.start),
      col: this.#file.column(node.start),
      endLine: this.#file.line(node.end),
      endCol: this.#file.column(node.end),
    })
    this.#file.facts.imports.push({
      specifier,
      line: this.#file.line(node.start),
      col: this.#file.column(node.start),
      names,
      symbol,
    })
  }

  #hoistVariable(
    declaration: SyntaxNode,
    declarator: SyntaxNode,
    outer: SyntaxNode,
    scope: Scope,
    exported: boolean,
    at: Scope,
  ): void {
    const id = childOf(declarator, 'id')
    if (id === undefined) return
    const init = unwrap(childOf(declarator, 'init'))
    const annotation = this.#reader.annotation(id, scope)
    this.expect(init, annotation)
    if (id.type !== 'Identifier') {
      const base = this.#file.facts.addLocal(literal)
      this.bindPattern(id, { k: 'loc', i: base }, scope, declaration, declarator)
      this.#file.later.push(() => {
        this.#file.facts.locals[base] =
          annotation === undefined ? this.#reader.value(init, at) : { k: 'is', t: annotation }
      })
      return
    }
    const name = textOf(id, 'name')
    if (init?.type === 'ArrayExpression' && scope.declaresSymbols) this.#file.arrays.set(name, init)
    const isFunction = init !== undefined && functionTypes.has(init.type)
    const isClass = init?.type === 'ClassExpression'
    if (!scope.declaresSymbols && !isFunction && !isClass) {
      // `var` in a block belongs to its function; a second declaration of one name is the same variable.
      const target = textOf(declaration, 'kind') === 'var' ? this.#functionScope(scope) : scope
      const slot = this.#file.facts.addLocal(literal)
      this.bind(target, name, { k: 'loc', i: slot }, true)
      this.#file.later.push(() => {
        this.#file.facts.locals[slot] =
          annotation === undefined ? this.#reader.value(init, at) : { k: 'is', t: annotation }
      })
      return
    }
    const kind: NodeKind = isFunction
      ? 'function'
      : isClass
        ? 'class'
        : textOf(declaration, 'kind') === 'const'
          ? 'constant'
          : 'variable'
    const index = this.#file.declareSymbol(
      kind,
      name,
      scope.owner,
      init !== undefined && (isFunction || isClass) ? init : declarator,
      outer,
      exported ? { exported: true } : {},
    )
    this.#file.symbolOf.set(declarator, index)
    this.bindSymbol(scope, name, index, isClass ? 'both' : 'value')
    if (annotation !== undefined) this.#file.facts.symbol(index).type = annotation
    if (kind === 'constant' || kind === 'variable') {
      if (annotation === undefined)
        this.#file.facts.symbol(index).signature ??= clipSignature(
          this.#file.text.slice(outer.start, Math.min(outer.end, outer.start + 120)).split('\n')[0] ?? '',
        )
      if (init?.type === 'ObjectExpression') this.#file.objectHolder.set(init, index)
      this.#file.later.push(() => {
        if (init !== undefined)
          this.#file.facts.symbol(index).value = this.#reader.value(
            init,
            this.child(declarator, scope, { owner: index }),
          )
      })
    }
  }

  /** What is written where a type is declared: functions in it take what the type says they take. */
  expect(input: SyntaxNode | undefined, type: Type | undefined): void {
    const node = unwrap(input)
    if (node === undefined || type === undefined) return
    if (node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression') {
      if (!this.#file.context.has(node))
        this.#file.context.set(node, { f: { k: 'is', t: { k: 'fn', ps: [type] } }, i: 0 })
    } else if (node.type === 'ObjectExpression') {
      for (const property of childrenOf(node, 'properties')) {
        const n = property.type === 'SpreadElement' ? '' : keyName(property)
        const value = n === '' ? undefined : unwrap(childOf(property, 'value'))
        if (value !== undefined && expectant.has(value.type)) this.expect(value, { k: 'get', t: type, n })
      }
    } else if (node.type === 'ConditionalExpression') {
      this.expect(childOf(node, 'consequent'), type)
      this.expect(childOf(node, 'alternate'), type)
    }
  }

  /** Initialisers are valued once every name of the block is declared. */
  settle(): void {
    while (this.#file.later.length > 0) {
      const now = this.#file.later
      this.#file.later = []
      for (const work of now) work()
    }
  }

  #functionScope(scope: Scope): Scope {
    let at = scope
    while (!at.isFunction && at.parent !== undefined) at = at.parent
    return at
  }

  /** Names of a destructuring pattern, each valued as a part of `base`. */
  bindPattern(pattern: SyntaxNode, base: Value, scope: Scope, declaration?: SyntaxNode, outer?: SyntaxNode): void {
    switch (pattern.type) {
      case 'Identifier': {
        const name = textOf(pattern, 'name')
        if (declaration !== undefined && scope.declaresSymbols) {
          const kind = textOf(declaration, 'kind') === 'const' ? 'constant' : 'variable'
          const index = this.#file.declareSymbol(kind, name, scope.owner, pattern, pattern)
          this.#file.facts.symbol(index).value = base
          this.bindSymbol(scope, name, index, 'value')
        } else this.bind(scope, name, base, true)
        break
      }
      case 'AssignmentPattern': {
        const left = childOf(pattern, 'left')
        if (left !== undefined) this.bindPattern(left, base, scope, declaration, outer)
        break
      }
      case 'ObjectPattern':
        for (const property of childrenOf(pattern, 'properties')) {
          if (property.type === 'RestElement') {
            const rest = childOf(property, 'argument')
            if (rest !== undefined) this.bindPattern(rest, base, scope, declaration, outer)
            continue
          }
          const key = keyName(property)
          const target = childOf(property, 'value')
          if (target !== undefined) {
            this.bindPattern(target, key === '' ? literal : { k: 'get', o: base, n: key }, scope, declaration, outer)
          }
        }
        break
      case 'ArrayPattern':
        childrenOrGaps(pattern, 'elements').forEach((element, n) => {
          const isRest = element?.type === 'RestElement'
          const target = isRest ? childOf(element, 'argument') : element
          const part: Value = isRest
            ? { k: 'arr', v: { k: 'elem', v: base, each: 1 } }
            : { k: 'elem', v: base, each: 1, n }
          if (target !== undefined) this.bindPattern(target, part, scope, declaration, outer)
        })
        break
    }
  }
}
