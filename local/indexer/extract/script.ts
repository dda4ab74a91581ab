import type { Symbol as CodeSymbol, FileFacts, Heritage, Reference, Type, Value } from '../core/facts.ts'
import type { Language, NodeKind } from '../core/vocabulary.ts'
import { clipSignature, commentText, FactBuilder } from './fact-builder.ts'
import { parseScript } from './parse-script.ts'
import { nextPageRoute, type RouteSource, routesOfCall, routesOfController, routesOfElement } from './script-routes.ts'
import { childOf, childrenOf, eachChild, isSyntaxNode, LineTable, type SyntaxNode, textOf } from './syntax-tree.ts'

/** A value of the language itself (a literal, a regular expression): nothing of the project. */
const literal: Value = { k: 'glob', n: '' }
const alternativesMax = 6
const objectPropertiesMax = 400

interface Binding {
  /** A variable of a function: the slot its value is kept in. */
  readonly value: Value
  readonly isLocal: boolean
}

interface Scope {
  readonly parent: Scope | undefined
  readonly values: Map<string, Binding>
  readonly types: Map<string, Type>
  /** The symbol that what happens here belongs to. */
  readonly owner: number
  readonly self: Value | undefined
  readonly parentClass: Value | undefined
  readonly isFunction: boolean
  /** Names declared here are symbols of the index: the top level of a module or a namespace. */
  readonly declaresSymbols: boolean
}

const functionTypes = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'TSDeclareFunction',
])
const wrapperTypes = new Set([
  'ParenthesizedExpression',
  'TSNonNullExpression',
  'ChainExpression',
  'TSInstantiationExpression',
])

/** Facts of one TypeScript or JavaScript text. `firstLine` shifts a script block to its place in its file. */
export function extractScript(path: string, language: Language, text: string, builder?: FactBuilder): FileFacts {
  const facts = builder ?? new FactBuilder(path, language, text)
  const parsed = parseScript(path, language, text)
  for (const error of parsed.errors) facts.addError(error.message)
  const comments = parsed.comments.map(({ start, end, type }) => ({ start, end, isBlock: type === 'Block' }))
  new ScriptExtractor(facts, text, comments).run(parsed.program as unknown as SyntaxNode)
  return facts.build()
}

interface CommentSpan {
  readonly start: number
  readonly end: number
  readonly isBlock: boolean
}

class ScriptExtractor implements RouteSource {
  readonly facts: FactBuilder
  readonly #text: string
  readonly #lines: LineTable
  readonly #comments: CommentSpan[]
  readonly #scopes = new Map<SyntaxNode, Scope>()
  readonly #symbolOf = new Map<SyntaxNode, number>()
  readonly #valueOf = new Map<SyntaxNode, Value>()
  readonly #context = new Map<SyntaxNode, { f: Value; i: number }>()
  readonly #objectHolder = new Map<SyntaxNode, number>()

  constructor(facts: FactBuilder, text: string, comments: CommentSpan[]) {
    this.facts = facts
    this.#text = text
    this.#lines = new LineTable(text)
    this.#comments = comments
  }

  run(program: SyntaxNode): void {
    const scope: Scope = {
      parent: undefined,
      values: new Map(),
      types: new Map(),
      owner: 0,
      self: undefined,
      parentClass: undefined,
      isFunction: true,
      declaresSymbols: true,
    }
    this.#scopes.set(program, scope)
    const body = childrenOf(program, 'body')
    this.#hoist(body, scope)
    for (const statement of body) this.#visit(statement, scope)
    this.#exportNames(body, scope)
    const page = nextPageRoute(this.facts.path, this.facts)
    if (page !== undefined) this.facts.routes.push(page)
  }

  // ---- positions, symbols, references -------------------------------------------------------------------

  line(offset: number): number {
    return this.#lines.line(offset)
  }

  column(offset: number): number {
    return this.#lines.column(offset)
  }

  #declare(
    kind: NodeKind,
    name: string,
    parent: number,
    node: SyntaxNode,
    outer: SyntaxNode,
    extra: Partial<CodeSymbol> = {},
  ): number {
    const index = this.facts.addSymbol({
      kind,
      name,
      parent,
      line: this.line(outer.start),
      col: this.column(outer.start),
      endLine: this.line(Math.max(outer.start, outer.end - 1)),
      endCol: this.column(outer.end),
    })
    const symbol = this.facts.symbol(index)
    Object.assign(symbol, extra)
    const doc = this.#docBefore(outer.start)
    if (doc !== '') symbol.doc = doc
    const signature = this.#signature(node, outer)
    if (signature !== '') symbol.signature = signature
    this.#symbolOf.set(node, index)
    return index
  }

  #docBefore(offset: number): string {
    let low = 0
    let high = this.#comments.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#comments[middle]?.end ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    let first = low - 1
    const last = this.#comments[first]
    if (last === undefined) return ''
    const between = this.#text.slice(last.end, offset)
    if (!/^\s*((export|default|declare|async|abstract|public|private|protected|static|readonly)\s+)*$/.test(between))
      return ''
    if (/\n\s*\n/.test(between)) return ''
    if (last.isBlock) return commentText(this.#text.slice(last.start, last.end))
    while (first > 0) {
      const before = this.#comments[first - 1]
      const after = this.#comments[first]
      if (before === undefined || after === undefined || before.isBlock) break
      if (
        !/^\s*$/.test(this.#text.slice(before.end, after.start)) ||
        this.line(after.start) - this.line(before.start) > 1
      )
        break
      first -= 1
    }
    return commentText(this.#text.slice(this.#comments[first]?.start ?? last.start, last.end))
  }

  #signature(node: SyntaxNode, outer: SyntaxNode): string {
    const callable = functionTypes.has(node.type) ? node : childOf(node, 'value')
    const body = callable === undefined ? undefined : childOf(callable, 'body')
    if (callable !== undefined && functionTypes.has(callable.type) && body !== undefined) {
      return clipSignature(this.#text.slice(outer.start, body.start).replace(/=>\s*$/, ''))
    }
    if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression' || node.type === 'TSInterfaceDeclaration') {
      return clipSignature(this.#text.slice(outer.start, childOf(node, 'body')?.start ?? outer.end))
    }
    if (node.type.startsWith('TSMethod') || node.type.startsWith('TSProperty') || node.type === 'TSDeclareFunction') {
      return clipSignature(this.#text.slice(outer.start, outer.end))
    }
    const annotation = childOf(node, 'typeAnnotation')
    if (annotation !== undefined) return clipSignature(this.#text.slice(outer.start, annotation.end))
    return ''
  }

  #refer(scope: Scope, kind: Reference['kind'], value: Value, at: SyntaxNode, name: string, asType = false): void {
    this.facts.references.push({
      from: scope.owner,
      kind,
      value,
      name,
      line: this.line(at.start),
      col: this.column(at.start),
      ...(asType ? { asType: true as const } : {}),
    })
  }

  // ---- scopes -------------------------------------------------------------------------------------------

  #child(node: SyntaxNode, parent: Scope, change: Partial<Scope> = {}): Scope {
    const known = this.#scopes.get(node)
    if (known !== undefined) return known
    const scope: Scope = {
      parent,
      values: new Map(),
      types: new Map(),
      owner: parent.owner,
      self: parent.self,
      parentClass: parent.parentClass,
      isFunction: false,
      declaresSymbols: false,
      ...change,
    }
    this.#scopes.set(node, scope)
    return scope
  }

  #lookup(name: string, scope: Scope): Binding | undefined {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const found = at.values.get(name)
      if (found !== undefined) return found
    }
    return undefined
  }

  #lookupType(name: string, scope: Scope): Type | undefined {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const found = at.types.get(name)
      if (found !== undefined) return found
    }
    return undefined
  }

  #bind(scope: Scope, name: string, value: Value, isLocal = false): void {
    scope.values.set(name, { value, isLocal })
  }

  #bindSymbol(scope: Scope, name: string, index: number, space: 'value' | 'type' | 'both'): void {
    const value: Value = { k: 'sym', s: index }
    if (space !== 'type') this.#bind(scope, name, value)
    if (space !== 'value') scope.types.set(name, { k: 'ref', v: value })
  }

  /** Declares the names of a list of statements before any of them is read. */
  #hoist(statements: readonly SyntaxNode[], scope: Scope): void {
    for (const statement of statements) this.#hoistOne(statement, statement, scope, false)
  }

  #hoistOne(statement: SyntaxNode, outer: SyntaxNode, scope: Scope, exported: boolean): void {
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
          this.#import(statement, specifier, [name])
          this.#bind(scope, name, { k: 'mod', m: specifier })
          scope.types.set(name, { k: 'ref', v: { k: 'mod', m: specifier } })
        }
        break
      }
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration': {
        const declaration = childOf(statement, 'declaration')
        if (declaration !== undefined) this.#hoistOne(declaration, statement, scope, true)
        break
      }
      case 'FunctionDeclaration':
      case 'TSDeclareFunction': {
        const name = textOf(childOf(statement, 'id'), 'name') || (exported ? 'default' : '')
        if (name === '') break
        // Overload signatures and their implementation are one function.
        const before = scope.values.get(name)?.value
        if (
          before?.k === 'sym' &&
          this.facts.symbol(before.s).kind === 'function' &&
          this.facts.symbol(before.s).parent === parent
        ) {
          const symbol = this.facts.symbol(before.s)
          symbol.endLine = this.line(Math.max(outer.start, outer.end - 1))
          symbol.endCol = this.column(outer.end)
          this.#symbolOf.set(statement, before.s)
          break
        }
        this.#bindSymbol(scope, name, this.#declare('function', name, parent, statement, outer, flags), 'value')
        break
      }
      case 'ClassDeclaration': {
        const name = textOf(childOf(statement, 'id'), 'name') || (exported ? 'default' : '')
        if (name === '') break
        this.#bindSymbol(scope, name, this.#declare('class', name, parent, statement, outer, flags), 'both')
        break
      }
      case 'TSInterfaceDeclaration': {
        const name = textOf(childOf(statement, 'id'), 'name')
        const before = scope.types.get(name)
        if (before?.k === 'ref' && before.v.k === 'sym' && this.facts.symbol(before.v.s).kind === 'interface') {
          this.#symbolOf.set(statement, before.v.s)
          break
        }
        this.#bindSymbol(scope, name, this.#declare('interface', name, parent, statement, outer, flags), 'type')
        break
      }
      case 'TSTypeAliasDeclaration': {
        const name = textOf(childOf(statement, 'id'), 'name')
        this.#bindSymbol(scope, name, this.#declare('type_alias', name, parent, statement, outer, flags), 'type')
        break
      }
      case 'TSEnumDeclaration': {
        const name = textOf(childOf(statement, 'id'), 'name')
        this.#bindSymbol(scope, name, this.#declare('enum', name, parent, statement, outer, flags), 'both')
        break
      }
      case 'TSModuleDeclaration': {
        const id = childOf(statement, 'id')
        const name = textOf(id, 'name')
        if (name === '') break
        const before = scope.values.get(name)?.value
        if (
          before?.k === 'sym' &&
          ['namespace', 'class', 'function', 'enum'].includes(this.facts.symbol(before.s).kind)
        ) {
          this.#symbolOf.set(statement, before.s)
          break
        }
        this.#bindSymbol(scope, name, this.#declare('namespace', name, parent, statement, outer, flags), 'both')
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
          )
        }
        break
      case 'LabeledStatement': {
        const body = childOf(statement, 'body')
        if (body !== undefined) this.#hoistOne(body, body, scope, false)
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
      if (value.k === 'imp') this.facts.importedNames.push({ local, specifier, imported: value.n })
      if (value.k === 'imp') names.push(value.n)
      else names.push('*')
      this.#bind(scope, local, value)
      scope.types.set(local, { k: 'ref', v: value })
    }
    this.#import(statement, specifier, names)
  }

  #import(node: SyntaxNode, specifier: string, names: readonly string[]): void {
    const symbol = this.facts.addSymbol({
      kind: 'import',
      name: specifier,
      parent: 0,
      line: this.line(node.start),
      col: this.column(node.start),
      endLine: this.line(node.end),
      endCol: this.column(node.end),
    })
    this.facts.imports.push({ specifier, line: this.line(node.start), col: this.column(node.start), names, symbol })
  }

  #hoistVariable(
    declaration: SyntaxNode,
    declarator: SyntaxNode,
    outer: SyntaxNode,
    scope: Scope,
    exported: boolean,
  ): void {
    const id = childOf(declarator, 'id')
    if (id === undefined) return
    const init = this.#unwrap(childOf(declarator, 'init'))
    const annotation = this.#annotation(id, scope)
    if (id.type !== 'Identifier') {
      const base = this.facts.addLocal(literal)
      this.#bindPattern(id, { k: 'loc', i: base }, scope, declaration, declarator)
      this.#later.push(() => {
        this.facts.locals[base] = annotation === undefined ? this.#value(init, scope) : { k: 'is', t: annotation }
      })
      return
    }
    const name = textOf(id, 'name')
    if (init?.type === 'ArrayExpression' && scope.declaresSymbols) this.#arrays.set(name, init)
    const isFunction = init !== undefined && functionTypes.has(init.type)
    const isClass = init?.type === 'ClassExpression'
    if (!scope.declaresSymbols && !isFunction && !isClass) {
      // `var` in a block belongs to its function; a second declaration of one name is the same variable.
      const target = textOf(declaration, 'kind') === 'var' ? this.#functionScope(scope) : scope
      const slot = this.facts.addLocal(literal)
      this.#bind(target, name, { k: 'loc', i: slot }, true)
      this.#later.push(() => {
        this.facts.locals[slot] = annotation === undefined ? this.#value(init, scope) : { k: 'is', t: annotation }
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
    const index = this.#declare(
      kind,
      name,
      scope.owner,
      init !== undefined && (isFunction || isClass) ? init : declarator,
      outer,
      exported ? { exported: true } : {},
    )
    this.#symbolOf.set(declarator, index)
    this.#bindSymbol(scope, name, index, isClass ? 'both' : 'value')
    if (annotation !== undefined) this.facts.symbol(index).type = annotation
    if (kind === 'constant' || kind === 'variable') {
      if (annotation === undefined)
        this.facts.symbol(index).signature ??= clipSignature(
          this.#text.slice(outer.start, Math.min(outer.end, outer.start + 120)).split('\n')[0] ?? '',
        )
      if (init?.type === 'ObjectExpression') this.#objectHolder.set(init, index)
      this.#later.push(() => {
        if (init !== undefined)
          this.facts.symbol(index).value = this.#value(init, this.#child(declarator, scope, { owner: index }))
      })
    }
  }

  #later: (() => void)[] = []

  /** Initialisers are valued once every name of the block is declared. */
  #settle(): void {
    while (this.#later.length > 0) {
      const now = this.#later
      this.#later = []
      for (const work of now) work()
    }
  }

  #functionScope(scope: Scope): Scope {
    let at = scope
    while (!at.isFunction && at.parent !== undefined) at = at.parent
    return at
  }

  /** Names of a destructuring pattern, each valued as a part of `base`. */
  #bindPattern(pattern: SyntaxNode, base: Value, scope: Scope, declaration?: SyntaxNode, outer?: SyntaxNode): void {
    switch (pattern.type) {
      case 'Identifier': {
        const name = textOf(pattern, 'name')
        if (declaration !== undefined && scope.declaresSymbols) {
          const kind = textOf(declaration, 'kind') === 'const' ? 'constant' : 'variable'
          const index = this.#declare(kind, name, scope.owner, pattern, pattern)
          this.facts.symbol(index).value = base
          this.#bindSymbol(scope, name, index, 'value')
        } else this.#bind(scope, name, base, true)
        break
      }
      case 'AssignmentPattern': {
        const left = childOf(pattern, 'left')
        if (left !== undefined) this.#bindPattern(left, base, scope, declaration, outer)
        break
      }
      case 'ObjectPattern':
        for (const property of childrenOf(pattern, 'properties')) {
          if (property.type === 'RestElement') {
            const rest = childOf(property, 'argument')
            if (rest !== undefined) this.#bindPattern(rest, base, scope, declaration, outer)
            continue
          }
          const key = this.#keyName(property)
          const target = childOf(property, 'value')
          if (target !== undefined) {
            this.#bindPattern(target, key === '' ? literal : { k: 'get', o: base, n: key }, scope, declaration, outer)
          }
        }
        break
      case 'ArrayPattern':
        for (const element of childrenOf(pattern, 'elements')) {
          const isRest = element.type === 'RestElement'
          const target = isRest ? childOf(element, 'argument') : element
          if (target !== undefined)
            this.#bindPattern(target, isRest ? base : { k: 'elem', v: base }, scope, declaration, outer)
        }
        break
    }
  }

  #keyName(node: SyntaxNode): string {
    const key = childOf(node, 'key')
    if (key === undefined) return ''
    if (node['computed'] === true) return key.type === 'Literal' && typeof key['value'] === 'string' ? key['value'] : ''
    if (key.type === 'Identifier') return textOf(key, 'name')
    if (key.type === 'PrivateIdentifier') return `#${textOf(key, 'name')}`
    return key.type === 'Literal' ? String(key['value']) : ''
  }

  // ---- types --------------------------------------------------------------------------------------------

  #annotation(node: SyntaxNode, scope: Scope): Type | undefined {
    const annotation = childOf(node, 'typeAnnotation')
    const inner = annotation?.type === 'TSTypeAnnotation' ? childOf(annotation, 'typeAnnotation') : annotation
    return inner === undefined ? undefined : this.#type(inner, scope)
  }

  #typeArguments(node: SyntaxNode, scope: Scope): Type[] | undefined {
    const holder = childOf(node, 'typeArguments') ?? childOf(node, 'typeParameters')
    if (holder === undefined) return undefined
    return childrenOf(holder, 'params').map((one) => this.#type(one, scope))
  }

  #type(node: SyntaxNode, scope: Scope, depth = 0): Type {
    const unknown: Type = { k: 'ref', v: literal }
    if (depth > 12) return unknown
    switch (node.type) {
      case 'TSTypeReference':
      case 'TSExpressionWithTypeArguments':
      case 'TSInterfaceHeritage':
      case 'TSClassImplements': {
        const name = childOf(node, 'typeName') ?? childOf(node, 'expression')
        if (name === undefined) return unknown
        const args = this.#typeArguments(node, scope)
        if (name.type === 'Identifier') {
          const bound = this.#lookupType(textOf(name, 'name'), scope)
          if (bound?.k === 'param') return bound
          if (bound !== undefined) return args === undefined || bound.k !== 'ref' ? bound : { ...bound, a: args }
          return { k: 'ref', v: { k: 'glob', n: textOf(name, 'name') }, ...(args === undefined ? {} : { a: args }) }
        }
        return { k: 'ref', v: this.#entityName(name, scope), ...(args === undefined ? {} : { a: args }) }
      }
      case 'TSArrayType': {
        const element = childOf(node, 'elementType')
        return element === undefined ? unknown : { k: 'arr', e: this.#type(element, scope, depth + 1) }
      }
      case 'TSTupleType': {
        const elements = childrenOf(node, 'elementTypes').map((one) => this.#type(one, scope, depth + 1))
        return { k: 'arr', e: { k: 'any-of', ts: elements } }
      }
      case 'TSTypeOperator': {
        const inner = childOf(node, 'typeAnnotation')
        return inner === undefined || textOf(node, 'operator') === 'keyof'
          ? unknown
          : this.#type(inner, scope, depth + 1)
      }
      case 'TSUnionType':
      case 'TSIntersectionType':
        return {
          k: 'any-of',
          ts: childrenOf(node, 'types')
            .slice(0, alternativesMax)
            .map((one) => this.#type(one, scope, depth + 1)),
        }
      case 'TSOptionalType':
      case 'TSParenthesizedType': {
        const inner = childOf(node, 'typeAnnotation')
        return inner === undefined ? unknown : this.#type(inner, scope, depth + 1)
      }
      case 'TSFunctionType':
      case 'TSConstructorType': {
        const result = this.#returnType(node, scope)
        const ps = childrenOf(node, 'params').map((one) => this.#annotation(one, scope) ?? null)
        return { k: 'fn', ps, ...(result === undefined ? {} : { r: result }) }
      }
      case 'TSTypeLiteral': {
        const p: Record<string, Type> = {}
        for (const member of childrenOf(node, 'members')) {
          const key = this.#keyName(member)
          if (key === '') continue
          if (member.type === 'TSPropertySignature') p[key] = this.#annotation(member, scope) ?? unknown
          if (member.type === 'TSMethodSignature') {
            const result = this.#returnType(member, scope)
            p[key] = { k: 'fn', ...(result === undefined ? {} : { r: result }) }
          }
        }
        return { k: 'obj', p }
      }
      case 'TSTypeQuery': {
        const name = childOf(node, 'exprName')
        if (name?.type === 'TSImportType') return { k: 'of', v: { k: 'mod', m: this.#importTypeSource(name) } }
        return name === undefined ? unknown : { k: 'of', v: this.#entityName(name, scope, true) }
      }
      case 'TSImportType': {
        const qualifier = childOf(node, 'qualifier')
        const root: Value = { k: 'mod', m: this.#importTypeSource(node) }
        return { k: 'ref', v: qualifier === undefined ? root : this.#entityName(qualifier, scope, false, root) }
      }
      case 'TSIndexedAccessType': {
        const object = childOf(node, 'objectType')
        const index = childOf(childOf(node, 'indexType') ?? node, 'literal')
        if (object !== undefined && typeof index?.['value'] === 'string') {
          return { k: 'get', t: this.#type(object, scope, depth + 1), n: index['value'] }
        }
        return unknown
      }
      default:
        return unknown
    }
  }

  #importTypeSource(node: SyntaxNode): string {
    const source = childOf(node, 'source') ?? childOf(node, 'argument')
    return textOf(source, 'value') || textOf(source === undefined ? undefined : childOf(source, 'literal'), 'value')
  }

  #entityName(node: SyntaxNode, scope: Scope, asValue = false, root?: Value): Value {
    if (node.type === 'Identifier' || node.type === 'JSXIdentifier') {
      const name = textOf(node, 'name')
      if (root !== undefined) return { k: 'get', o: root, n: name }
      if (!asValue) {
        const bound = this.#lookupType(name, scope)
        if (bound?.k === 'ref') return bound.v
      }
      return this.#lookup(name, scope)?.value ?? { k: 'glob', n: name }
    }
    const left = childOf(node, 'left') ?? childOf(node, 'object')
    const right = childOf(node, 'right') ?? childOf(node, 'property')
    if (left === undefined || right === undefined) return literal
    return { k: 'get', o: this.#entityName(left, scope, asValue, root), n: textOf(right, 'name') }
  }

  #returnType(node: SyntaxNode, scope: Scope): Type | undefined {
    const annotation = childOf(node, 'returnType')
    const inner = annotation === undefined ? undefined : childOf(annotation, 'typeAnnotation')
    if (inner === undefined || inner.type === 'TSTypePredicate') return undefined
    if (inner.type === 'TSThisType') return undefined
    return this.#type(inner, scope)
  }

  #bindTypeParameters(node: SyntaxNode, scope: Scope): string[] {
    const names: string[] = []
    for (const parameter of childrenOf(childOf(node, 'typeParameters') ?? node, 'params')) {
      if (parameter.type !== 'TSTypeParameter') continue
      const name = textOf(childOf(parameter, 'name'), 'name')
      names.push(name)
      const bound = childOf(parameter, 'constraint')
      scope.types.set(name, { k: 'param', n: name })
      if (bound !== undefined) scope.types.set(`${name} extends`, this.#type(bound, scope))
    }
    return names
  }

  // ---- values -------------------------------------------------------------------------------------------

  #unwrap(node: SyntaxNode | undefined): SyntaxNode | undefined {
    let at = node
    while (at !== undefined && wrapperTypes.has(at.type)) at = childOf(at, 'expression')
    if (at?.type === 'TSSatisfiesExpression') return this.#unwrap(childOf(at, 'expression'))
    if (at?.type === 'TSAsExpression' && this.#isConstAssertion(at)) return this.#unwrap(childOf(at, 'expression'))
    return at
  }

  #isConstAssertion(node: SyntaxNode): boolean {
    const annotation = childOf(node, 'typeAnnotation')
    return annotation?.type === 'TSTypeReference' && textOf(childOf(annotation, 'typeName'), 'name') === 'const'
  }

  valueAt(node: SyntaxNode | undefined, scope: unknown): Value {
    return this.#value(node, scope as Scope)
  }

  elementValue(name: SyntaxNode, scope: unknown): Value {
    return this.#entityName(name, scope as Scope, true)
  }

  readonly routePrefixes = new Map<SyntaxNode, string>()
  readonly #arrays = new Map<string, SyntaxNode>()

  arrayNamed(name: string): SyntaxNode | undefined {
    return this.#arrays.get(name)
  }

  /** Long chains would nest without end: the value of a call is kept once and named by its slot. */
  #value(input: SyntaxNode | undefined, scope: Scope): Value {
    const node = this.#unwrap(input)
    if (node === undefined) return literal
    const known = this.#valueOf.get(node)
    if (known !== undefined) return known
    if (
      node.type === 'CallExpression' ||
      node.type === 'NewExpression' ||
      node.type === 'ObjectExpression' ||
      node.type === 'AwaitExpression'
    ) {
      const slot = this.facts.addLocal(literal)
      const value: Value = { k: 'loc', i: slot }
      this.#valueOf.set(node, value)
      this.facts.locals[slot] = this.#freshValue(node, scope)
      return value
    }
    const value = this.#freshValue(node, scope)
    this.#valueOf.set(node, value)
    return value
  }

  #freshValue(node: SyntaxNode, scope: Scope): Value {
    switch (node.type) {
      case 'Identifier': {
        const name = textOf(node, 'name')
        return this.#lookup(name, scope)?.value ?? { k: 'glob', n: name }
      }
      case 'ThisExpression':
        return scope.self ?? literal
      case 'Super':
        return scope.parentClass ?? literal
      case 'MemberExpression': {
        const object = this.#value(childOf(node, 'object'), scope)
        const property = childOf(node, 'property')
        if (node['computed'] === true) {
          if (property?.type === 'Literal' && typeof property['value'] === 'string')
            return { k: 'get', o: object, n: property['value'] }
          return { k: 'elem', v: object }
        }
        const name = property?.type === 'PrivateIdentifier' ? `#${textOf(property, 'name')}` : textOf(property, 'name')
        return { k: 'get', o: object, n: name }
      }
      case 'CallExpression': {
        const required = this.#requireSource(node, scope)
        if (required !== undefined) return { k: 'mod', m: required }
        const callee = this.#unwrap(childOf(node, 'callee'))
        const args = childrenOf(node, 'arguments').slice(0, 4)
        return {
          k: 'call',
          f: this.#value(callee, scope),
          ...(args.length === 0 ? {} : { a: args.map((one, index) => this.#argumentValue(one, node, index, scope)) }),
        }
      }
      case 'NewExpression': {
        const args = this.#typeArguments(node, scope)
        return { k: 'new', c: this.#value(childOf(node, 'callee'), scope), ...(args === undefined ? {} : { a: args }) }
      }
      case 'ImportExpression': {
        const source = childOf(node, 'source')
        return typeof source?.['value'] === 'string'
          ? { k: 'call', f: { k: 'fn', async: 1, r: { k: 'mod', m: source['value'] } } }
          : literal
      }
      case 'AwaitExpression':
        return { k: 'await', v: this.#value(childOf(node, 'argument'), scope) }
      case 'TSAsExpression':
      case 'TSTypeAssertion': {
        const type = childOf(node, 'typeAnnotation')
        return type === undefined ? literal : { k: 'is', t: this.#type(type, scope) }
      }
      case 'ConditionalExpression':
        return {
          k: 'alt',
          v: [this.#value(childOf(node, 'consequent'), scope), this.#value(childOf(node, 'alternate'), scope)],
        }
      case 'LogicalExpression':
        return { k: 'alt', v: [this.#value(childOf(node, 'left'), scope), this.#value(childOf(node, 'right'), scope)] }
      case 'AssignmentExpression':
        return this.#value(childOf(node, 'right'), scope)
      case 'SequenceExpression':
        return this.#value(childrenOf(node, 'expressions').at(-1), scope)
      case 'ArrayExpression': {
        const items = childrenOf(node, 'elements').slice(0, 3)
        return {
          k: 'arr',
          v: {
            k: 'alt',
            v: items.map((item) =>
              item.type === 'SpreadElement'
                ? ({ k: 'elem', v: this.#value(childOf(item, 'argument'), scope) } as const)
                : this.#value(item, scope),
            ),
          },
        }
      }
      case 'ObjectExpression':
        return this.#objectValue(node, scope)
      case 'FunctionExpression':
      case 'ArrowFunctionExpression': {
        const index = this.#symbolOf.get(node)
        if (index !== undefined) return { k: 'sym', s: index }
        const result = this.#resultOf(node, scope)
        return {
          k: 'fn',
          ...(result === undefined ? {} : { r: result }),
          ...(node['async'] === true ? { async: 1 as const } : {}),
        }
      }
      case 'ClassExpression': {
        const index = this.#symbolOf.get(node)
        return index === undefined ? literal : { k: 'sym', s: index }
      }
      default:
        return literal
    }
  }

  #argumentValue(argument: SyntaxNode, call: SyntaxNode, index: number, scope: Scope): Value {
    const node = this.#unwrap(argument)
    if (node !== undefined && (node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression'))
      this.#setContext(node, call, index, scope)
    return node === undefined || node.type === 'SpreadElement' ? literal : this.#value(node, scope)
  }

  #setContext(callback: SyntaxNode, call: SyntaxNode, index: number, scope: Scope): void {
    if (!this.#context.has(callback))
      this.#context.set(callback, { f: this.#value(childOf(call, 'callee'), scope), i: index })
  }

  #objectValue(node: SyntaxNode, scope: Scope): Value {
    const p: Record<string, Value> = {}
    const spreads: Value[] = []
    const holder = this.#objectHolder.get(node)
    for (const property of childrenOf(node, 'properties').slice(0, objectPropertiesMax)) {
      if (property.type === 'SpreadElement') {
        spreads.push(this.#value(childOf(property, 'argument'), scope))
        continue
      }
      const key = this.#keyName(property)
      const value = this.#unwrap(childOf(property, 'value'))
      if (key === '' || key === '__proto__' || value === undefined) continue
      if (holder !== undefined && functionTypes.has(value.type) && !this.#symbolOf.has(value)) {
        this.#declare('method', key, holder, value, property)
      }
      if (holder !== undefined && value.type === 'ObjectExpression') this.#objectHolder.set(value, holder)
      p[key] = this.#value(value, scope)
    }
    return { k: 'obj', p, ...(spreads.length === 0 ? {} : { x: spreads }) }
  }

  #requireSource(node: SyntaxNode, scope: Scope): string | undefined {
    const callee = childOf(node, 'callee')
    if (
      callee?.type !== 'Identifier' ||
      textOf(callee, 'name') !== 'require' ||
      this.#lookup('require', scope) !== undefined
    )
      return undefined
    const [first] = childrenOf(node, 'arguments')
    return typeof first?.['value'] === 'string' ? first['value'] : undefined
  }

  // ---- functions ----------------------------------------------------------------------------------------

  /** The scope of a function's parameters; made once, whoever asks first. */
  #functionBody(node: SyntaxNode, scope: Scope): Scope {
    const known = this.#scopes.get(node)
    if (known !== undefined) return known
    const owner = this.#symbolOf.get(node) ?? scope.owner
    const isArrow = node.type === 'ArrowFunctionExpression'
    const own: Partial<Scope> = { owner, isFunction: true }
    const inner = this.#child(node, scope, isArrow ? own : { ...own, self: this.#selfOf(node) ?? scope.self })
    const names = this.#bindTypeParameters(node, inner)
    const index = this.#symbolOf.get(node)
    if (node.type === 'FunctionExpression') {
      const id = textOf(childOf(node, 'id'), 'name')
      if (id !== '' && index !== undefined) this.#bindSymbol(inner, id, index, 'value')
    }
    const context = this.#context.get(node)
    const types: (Type | null)[] = []
    childrenOf(node, 'params').forEach((parameter, position) => {
      types.push(this.#bindParameter(parameter, position, inner, context))
    })
    if (index !== undefined) {
      const symbol = this.facts.symbol(index)
      if (names.length > 0) symbol.typeParameters = names
      if (types.some((type) => type !== null)) symbol.parameterTypes = types
      if (node['async'] === true) symbol.async = true
      const declared = this.#returnType(node, inner)
      if (declared !== undefined) {
        symbol.type ??= declared
        symbol.returnType = clipSignature(
          this.#text.slice((childOf(node, 'returnType')?.start ?? 0) + 1, childOf(node, 'returnType')?.end),
        )
      }
    }
    const body = childOf(node, 'body')
    if (body?.type === 'BlockStatement') this.#enterBlock(body, inner)
    return inner
  }

  readonly #selves = new Map<SyntaxNode, Value>()

  #selfOf(node: SyntaxNode): Value | undefined {
    return this.#selves.get(node)
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
    const annotation = this.#annotation(parameter, scope)
    const target = isRest ? (childOf(parameter, 'argument') ?? parameter) : parameter
    let value: Value
    if (annotation !== undefined) value = { k: 'is', t: annotation }
    else if (context !== undefined && !isRest) value = { k: 'arg', f: context.f, i: context.i, p: position }
    else value = literal
    if (annotation === undefined && context === undefined && fallback !== undefined) {
      const slot = this.facts.addLocal(literal)
      value = { k: 'loc', i: slot }
      const source = fallback
      this.#later.push(() => {
        this.facts.locals[slot] = this.#value(source, scope)
      })
    }
    if (target.type === 'Identifier') {
      const name = textOf(target, 'name')
      if (name === 'this') return null
      this.#bind(scope, name, value, true)
      // An unannotated, contextless parameter may be anything: keep it apart from a literal so that guesses stay possible.
      if (value === literal) this.#bind(scope, name, { k: 'glob', n: '?' }, true)
    } else {
      const slot = this.facts.addLocal(value)
      this.#bindPattern(target, { k: 'loc', i: slot }, scope)
    }
    return annotation ?? null
  }

  #enterBlock(block: SyntaxNode, parent: Scope): Scope {
    const known = this.#scopes.get(block)
    if (known !== undefined) return known
    const scope = this.#child(block, parent)
    this.#hoist(childrenOf(block, 'body'), scope)
    this.#settle()
    return scope
  }

  /** What a function returns: its expression body, or the values of its return statements. */
  #resultOf(node: SyntaxNode, scope: Scope): Value | undefined {
    const inner = this.#functionBody(node, scope)
    const body = childOf(node, 'body')
    if (body === undefined) return undefined
    if (body.type !== 'BlockStatement') return this.#value(body, inner)
    const found: Value[] = []
    this.#collectReturns(body, inner, found, node['generator'] === true)
    if (found.length === 0) return undefined
    return found.length === 1 ? found[0] : { k: 'alt', v: found }
  }

  #collectReturns(node: SyntaxNode, scope: Scope, found: Value[], isGenerator: boolean): void {
    if (found.length >= alternativesMax || functionTypes.has(node.type) || node.type.startsWith('Class')) return
    if (node.type === 'ReturnStatement') {
      const argument = childOf(node, 'argument')
      if (argument !== undefined && !isGenerator) found.push(this.#value(argument, scope))
      return
    }
    if (node.type === 'YieldExpression' && isGenerator) {
      const argument = childOf(node, 'argument')
      if (argument !== undefined) found.push({ k: 'arr', v: this.#value(argument, scope) })
      return
    }
    if (node.type.endsWith('Expression') && !isGenerator) return
    const inner = node.type === 'BlockStatement' ? this.#enterBlock(node, scope) : this.#loopScope(node, scope)
    eachChild(node, (child) => this.#collectReturns(child, inner, found, isGenerator))
  }

  /** Loops and catch clauses declare names of their own. */
  #loopScope(node: SyntaxNode, scope: Scope): Scope {
    if (node.type === 'ForOfStatement' || node.type === 'ForInStatement' || node.type === 'ForStatement') {
      const known = this.#scopes.get(node)
      if (known !== undefined) return known
      const inner = this.#child(node, scope)
      const left = childOf(node, 'left') ?? childOf(node, 'init')
      if (left?.type === 'VariableDeclaration') {
        if (node.type === 'ForStatement') this.#hoistOne(left, left, inner, false)
        else {
          const slot = this.facts.addLocal(literal)
          for (const declarator of childrenOf(left, 'declarations')) {
            const id = childOf(declarator, 'id')
            if (id !== undefined) this.#bindPattern(id, { k: 'loc', i: slot }, inner)
          }
          if (node.type === 'ForOfStatement') {
            const source: Value = { k: 'elem', v: this.#value(childOf(node, 'right'), scope) }
            this.facts.locals[slot] = node['await'] === true ? { k: 'await', v: source } : source
          }
        }
        this.#settle()
      }
      return inner
    }
    if (node.type === 'CatchClause') {
      const known = this.#scopes.get(node)
      if (known !== undefined) return known
      const inner = this.#child(node, scope)
      const parameter = childOf(node, 'param')
      if (parameter !== undefined) this.#bindPattern(parameter, literal, inner)
      return inner
    }
    if (node.type === 'SwitchStatement') {
      const known = this.#scopes.get(node)
      if (known !== undefined) return known
      const inner = this.#child(node, scope)
      for (const branch of childrenOf(node, 'cases')) this.#hoist(childrenOf(branch, 'consequent'), inner)
      this.#settle()
      return inner
    }
    return scope
  }

  #visitFunction(node: SyntaxNode, scope: Scope): void {
    const inner = this.#functionBody(node, scope)
    this.#settle()
    for (const parameter of childrenOf(node, 'params')) this.#visitParameter(parameter, inner)
    const annotation = childOf(node, 'returnType')
    if (annotation !== undefined) this.#visitType(annotation, inner)
    const typeParameters = childOf(node, 'typeParameters')
    if (typeParameters !== undefined) this.#visitType(typeParameters, inner)
    const index = this.#symbolOf.get(node)
    if (index !== undefined) {
      const symbol = this.facts.symbol(index)
      if (symbol.type === undefined || symbol.returnType === undefined) {
        const result = this.#resultOf(node, scope)
        if (result !== undefined) symbol.result ??= result
      }
    }
    const body = childOf(node, 'body')
    if (body !== undefined) this.#visit(body, inner)
  }

  #visitParameter(parameter: SyntaxNode, scope: Scope): void {
    for (const decorator of childrenOf(parameter, 'decorators')) this.#visitDecorator(decorator, scope)
    if (parameter.type === 'TSParameterProperty') {
      const inner = childOf(parameter, 'parameter')
      if (inner !== undefined) this.#visitParameter(inner, scope)
      return
    }
    if (parameter.type === 'AssignmentPattern') {
      const left = childOf(parameter, 'left')
      if (left !== undefined) this.#visitParameter(left, scope)
      const right = childOf(parameter, 'right')
      if (right !== undefined) this.#visit(right, scope)
      return
    }
    const annotation = childOf(parameter, 'typeAnnotation')
    if (annotation !== undefined) this.#visitType(annotation, scope)
    if (parameter.type === 'ObjectPattern' || parameter.type === 'ArrayPattern') this.#visitPattern(parameter, scope)
  }

  /** Default values inside a pattern are expressions; its names are not. */
  #visitPattern(pattern: SyntaxNode, scope: Scope): void {
    eachChild(pattern, (child) => {
      if (child.type === 'AssignmentPattern') {
        const right = childOf(child, 'right')
        if (right !== undefined) this.#visit(right, scope)
        const left = childOf(child, 'left')
        if (left !== undefined) this.#visitPattern(left, scope)
      } else if (child.type !== 'Identifier' && child.type !== 'TSTypeAnnotation') this.#visitPattern(child, scope)
    })
  }

  // ---- classes and types as declarations ----------------------------------------------------------------

  #visitClass(node: SyntaxNode, scope: Scope, outer: SyntaxNode): void {
    let index = this.#symbolOf.get(node)
    if (index === undefined) {
      const name = textOf(childOf(node, 'id'), 'name')
      if (name === '') {
        eachChild(node, (child) => this.#visit(child, scope))
        return
      }
      index = this.#declare('class', name, scope.owner, node, outer)
    }
    const symbol = this.facts.symbol(index)
    if (node['abstract'] === true) symbol.abstract = true
    const inner = this.#child(node, scope, { owner: index })
    const names = this.#bindTypeParameters(node, inner)
    if (names.length > 0) symbol.typeParameters = names
    const own = textOf(childOf(node, 'id'), 'name')
    if (own !== '') this.#bindSymbol(inner, own, index, 'both')
    const typeParameters = childOf(node, 'typeParameters')
    if (typeParameters !== undefined) this.#visitType(typeParameters, inner)
    const heritage: Heritage[] = []
    const superClass = childOf(node, 'superClass')
    if (superClass !== undefined) {
      const args = childOf(node, 'superTypeArguments') ?? childOf(node, 'superTypeParameters')
      heritage.push({
        value: this.#value(superClass, inner),
        relation: 'extends',
        line: this.line(superClass.start),
        col: this.column(superClass.start),
        name: this.#nameOf(superClass),
        ...(args === undefined ? {} : { args: childrenOf(args, 'params').map((one) => this.#type(one, inner)) }),
      })
      if (superClass.type === 'CallExpression') this.#visit(superClass, inner)
      if (args !== undefined) this.#visitType(args, inner)
    }
    for (const one of childrenOf(node, 'implements')) heritage.push(...this.#heritageOf(one, 'implements', inner))
    if (heritage.length > 0) symbol.heritage = heritage
    const decorators = childrenOf(node, 'decorators')
    if (decorators.length > 0) symbol.decorators = decorators.map((one) => this.#nameOf(childOf(one, 'expression')))
    for (const decorator of decorators) this.#visitDecorator(decorator, inner)
    const members = childrenOf(childOf(node, 'body') ?? node, 'body')
    for (const member of members) this.#declareMember(member, index, inner)
    this.#settle()
    for (const member of members) this.#visitMember(member, index, inner)
    this.facts.routes.push(
      ...routesOfController(this, node, inner, (member) => this.#symbolOf.get(childOf(member, 'value') ?? member)),
    )
  }

  #heritageOf(node: SyntaxNode, relation: Heritage['relation'], scope: Scope): Heritage[] {
    const name = childOf(node, 'expression') ?? childOf(node, 'typeName')
    if (name === undefined) return []
    const args = this.#typeArguments(node, scope)
    const holder = childOf(node, 'typeArguments') ?? childOf(node, 'typeParameters')
    if (holder !== undefined) this.#visitType(holder, scope)
    return [
      {
        value: this.#entityName(name, scope),
        relation,
        line: this.line(node.start),
        col: this.column(node.start),
        name: this.#nameOf(name),
        ...(args === undefined ? {} : { args }),
      },
    ]
  }

  #declareMember(member: SyntaxNode, parent: number, scope: Scope): void {
    const isStatic = member['static'] === true
    const self: Value = { k: 'this', s: parent, ...(isStatic ? { c: 1 as const } : {}) }
    const parentClass: Value = { k: 'super', s: parent, ...(isStatic ? { c: 1 as const } : {}) }
    if (member.type === 'StaticBlock') {
      this.#child(member, scope, {
        self: { k: 'this', s: parent, c: 1 },
        parentClass: { k: 'super', s: parent, c: 1 },
        isFunction: true,
      })
      return
    }
    const key = this.#keyName(member)
    const value = this.#unwrap(childOf(member, 'value'))
    const flags: Partial<CodeSymbol> = { ...(isStatic ? { static: true } : {}) }
    const visibility = textOf(member, 'accessibility') || (key.startsWith('#') ? 'private' : '')
    if (visibility !== '') flags.visibility = visibility
    if (member.type.startsWith('TSAbstract')) flags.abstract = true
    if (member.type.includes('MethodDefinition') && key !== '') {
      const kind = textOf(member, 'kind')
      if (kind === 'get' || kind === 'set') flags.accessor = true
      const before = this.facts.symbols.findIndex(
        (one, at) => at > parent && one.parent === parent && one.name === key && (one.static ?? false) === isStatic,
      )
      const target = value ?? member
      // A getter and its setter, or an overload and its implementation, are one member.
      if (before !== -1) {
        this.#symbolOf.set(target, before)
        const symbol = this.facts.symbol(before)
        symbol.endLine = Math.max(symbol.endLine, this.line(member.end - 1))
        if (symbol.endLine === this.line(member.end - 1)) symbol.endCol = this.column(member.end)
      } else this.#declare('method', key, parent, target, member, flags)
      const inner = this.#child(member, scope, { self, parentClass })
      this.#selves.set(target, self)
      if (kind === 'constructor' && value !== undefined) {
        for (const parameter of childrenOf(value, 'params')) {
          if (parameter.type !== 'TSParameterProperty') continue
          const target = childOf(parameter, 'parameter')
          const named = target?.type === 'AssignmentPattern' ? childOf(target, 'left') : target
          if (named === undefined) continue
          const annotation = this.#annotation(named, inner)
          this.#declare('property', textOf(named, 'name'), parent, named, parameter, {
            visibility: textOf(parameter, 'accessibility') || 'public',
            ...(annotation === undefined ? {} : { type: annotation }),
          })
        }
      }
      return
    }
    if ((member.type.includes('PropertyDefinition') || member.type.includes('AccessorProperty')) && key !== '') {
      const isFunction = value !== undefined && functionTypes.has(value.type)
      const annotation = this.#annotation(member, scope)
      const index = this.#declare(
        isFunction ? 'method' : 'property',
        key,
        parent,
        isFunction ? value : member,
        member,
        flags,
      )
      this.#symbolOf.set(member, index)
      const inner = this.#child(member, scope, { self, parentClass, owner: index, isFunction: true })
      if (value !== undefined) this.#selves.set(value, self)
      if (annotation !== undefined && !isFunction) this.facts.symbol(index).type = annotation
      if (value?.type === 'ObjectExpression') this.#objectHolder.set(value, index)
      if (!isFunction && value !== undefined)
        this.#later.push(() => {
          this.facts.symbol(index).value = this.#value(value, inner)
        })
    }
  }

  #visitMember(member: SyntaxNode, parent: number, scope: Scope): void {
    const inner = this.#scopes.get(member) ?? scope
    const value = this.#unwrap(childOf(member, 'value'))
    const index = this.#symbolOf.get(value ?? member) ?? this.#symbolOf.get(member)
    const owned = index === undefined ? inner : { ...inner, owner: index }
    const decorators = childrenOf(member, 'decorators')
    if (index !== undefined && decorators.length > 0) {
      this.facts.symbol(index).decorators = decorators.map((one) => this.#nameOf(childOf(one, 'expression')))
    }
    for (const decorator of decorators) this.#visitDecorator(decorator, owned)
    if (member['computed'] === true) {
      const key = childOf(member, 'key')
      if (key !== undefined) this.#visit(key, owned)
    }
    if (member.type === 'StaticBlock') {
      this.#hoist(childrenOf(member, 'body'), inner)
      this.#settle()
      for (const statement of childrenOf(member, 'body')) this.#visit(statement, inner)
      return
    }
    const annotation = childOf(member, 'typeAnnotation')
    if (annotation !== undefined) this.#visitType(annotation, owned)
    if (value !== undefined) {
      if (functionTypes.has(value.type)) {
        this.#visitFunction(value, inner)
        if (index !== undefined && this.facts.symbol(index).accessor === true && textOf(member, 'kind') === 'get') {
          const result = this.#resultOf(value, inner)
          if (result !== undefined) this.facts.symbol(index).result ??= result
        }
      } else this.#visit(value, inner)
    }
    void parent
  }

  #visitDecorator(decorator: SyntaxNode, scope: Scope): void {
    const expression = childOf(decorator, 'expression')
    if (expression === undefined) return
    const target = expression.type === 'CallExpression' ? childOf(expression, 'callee') : expression
    this.#refer(scope, 'decorates', this.#value(target, scope), expression, this.#nameOf(target))
    if (expression.type === 'CallExpression') {
      childrenOf(expression, 'arguments').forEach((argument, index) => {
        this.#argumentValue(argument, expression, index, scope)
        this.#visit(argument, scope)
      })
    }
  }

  #visitInterface(node: SyntaxNode, scope: Scope): void {
    const index = this.#symbolOf.get(node)
    if (index === undefined) return
    const symbol = this.facts.symbol(index)
    const inner = this.#child(node, scope, { owner: index })
    const names = this.#bindTypeParameters(node, inner)
    if (names.length > 0) symbol.typeParameters = names
    const heritage = childrenOf(node, 'extends').flatMap((one) => this.#heritageOf(one, 'extends', inner))
    if (heritage.length > 0) symbol.heritage = [...(symbol.heritage ?? []), ...heritage]
    const typeParameters = childOf(node, 'typeParameters')
    if (typeParameters !== undefined) this.#visitType(typeParameters, inner)
    this.#declareSignatures(childrenOf(childOf(node, 'body') ?? node, 'body'), index, inner)
  }

  #declareSignatures(members: readonly SyntaxNode[], parent: number, scope: Scope): void {
    const known = new Map<string, number>()
    for (const member of members) {
      const key = this.#keyName(member)
      const isMethod = member.type === 'TSMethodSignature'
      let owner = parent
      if (key !== '' && (isMethod || member.type === 'TSPropertySignature')) {
        const before = known.get(key)
        owner = before ?? this.#declare(isMethod ? 'method' : 'property', key, parent, member, member)
        known.set(key, owner)
        const symbol = this.facts.symbol(owner)
        const inner = this.#child(member, scope, { owner })
        this.#bindTypeParameters(member, inner)
        const type = isMethod ? this.#returnType(member, inner) : this.#annotation(member, inner)
        if (type !== undefined) symbol.type ??= type
        if (isMethod) {
          const types = childrenOf(member, 'params').map((one) => this.#annotation(one, inner) ?? null)
          if (types.some((one) => one !== null)) symbol.parameterTypes ??= types
        }
        this.#visitTypeChildren(member, inner)
        continue
      }
      const inner = this.#child(member, scope, { owner })
      this.#bindTypeParameters(member, inner)
      if (member.type === 'TSCallSignatureDeclaration') {
        const result = this.#returnType(member, inner)
        if (result !== undefined) this.facts.symbol(parent).type ??= { k: 'fn', r: result }
      }
      this.#visitTypeChildren(member, inner)
    }
  }

  #visitAlias(node: SyntaxNode, scope: Scope): void {
    const index = this.#symbolOf.get(node)
    const type = childOf(node, 'typeAnnotation')
    if (index === undefined || type === undefined) return
    const inner = this.#child(node, scope, { owner: index })
    const names = this.#bindTypeParameters(node, inner)
    const symbol = this.facts.symbol(index)
    if (names.length > 0) symbol.typeParameters = names
    const typeParameters = childOf(node, 'typeParameters')
    if (typeParameters !== undefined) this.#visitType(typeParameters, inner)
    symbol.signature = clipSignature(this.#text.slice(node.start, Math.min(node.end, node.start + 400)))
    if (type.type === 'TSTypeLiteral') {
      this.#declareSignatures(childrenOf(type, 'members'), index, inner)
      return
    }
    symbol.type = this.#type(type, inner)
    this.#visitType(type, inner)
  }

  #visitEnum(node: SyntaxNode, scope: Scope): void {
    const index = this.#symbolOf.get(node)
    if (index === undefined) return
    const members = childrenOf(childOf(node, 'body') ?? node, 'members')
    for (const member of members) {
      const id = childOf(member, 'id')
      const name = textOf(id, 'name') || textOf(id, 'value')
      if (name !== '') this.#declare('enum_member', name, index, member, member)
      const init = childOf(member, 'initializer')
      if (init !== undefined) this.#visit(init, this.#child(member, scope, { owner: index }))
    }
  }

  #visitNamespace(node: SyntaxNode, scope: Scope): void {
    const body = childOf(node, 'body')
    if (body === undefined) return
    const index = this.#symbolOf.get(node)
    const inner = this.#child(node, scope, {
      declaresSymbols: true,
      isFunction: true,
      ...(index === undefined ? {} : { owner: index }),
    })
    const statements = childrenOf(body, 'body')
    this.#hoist(statements, inner)
    this.#settle()
    for (const statement of statements) this.#visit(statement, inner)
  }

  // ---- references in type positions -----------------------------------------------------------------------

  #visitTypeChildren(node: SyntaxNode, scope: Scope): void {
    eachChild(node, (child) => {
      if (child.type !== 'Identifier' || childOf(child, 'typeAnnotation') !== undefined) this.#visitType(child, scope)
    })
  }

  #visitType(node: SyntaxNode, scope: Scope): void {
    switch (node.type) {
      case 'TSTypeReference':
      case 'TSExpressionWithTypeArguments': {
        const name = childOf(node, 'typeName') ?? childOf(node, 'expression')
        if (name !== undefined) this.#referType(name, scope)
        const args = childOf(node, 'typeArguments') ?? childOf(node, 'typeParameters')
        if (args !== undefined) this.#visitType(args, scope)
        return
      }
      case 'TSTypeQuery': {
        const name = childOf(node, 'exprName')
        if (name === undefined || name.type === 'TSImportType') return
        this.#refer(scope, 'references', this.#entityName(name, scope, true), name, this.#nameOf(name))
        return
      }
      case 'TSImportType': {
        const specifier = this.#importTypeSource(node)
        if (specifier !== '') this.#import(node, specifier, [])
        const type = this.#type(node, scope)
        if (type.k === 'ref' && type.v.k === 'get') this.#refer(scope, 'references', type.v, node, type.v.n, true)
        return
      }
      case 'Identifier': {
        const annotation = childOf(node, 'typeAnnotation')
        if (annotation !== undefined) this.#visitType(annotation, scope)
        return
      }
      case 'TSMappedType':
      case 'TSFunctionType':
      case 'TSConstructorType':
      case 'TSConditionalType': {
        const inner = this.#child(node, scope)
        this.#bindTypeParameters(node, inner)
        const key = childOf(node, 'key')
        if (key?.type === 'Identifier') inner.types.set(textOf(key, 'name'), { k: 'param', n: textOf(key, 'name') })
        this.#bindInferred(childOf(node, 'extendsType'), inner)
        this.#visitTypeChildren(node, inner)
        return
      }
      default:
        this.#visitTypeChildren(node, scope)
    }
  }

  #bindInferred(node: SyntaxNode | undefined, scope: Scope): void {
    if (node === undefined) return
    if (node.type === 'TSInferType') {
      const name = textOf(childOf(childOf(node, 'typeParameter') ?? node, 'name'), 'name')
      scope.types.set(name, { k: 'param', n: name })
    }
    eachChild(node, (child) => this.#bindInferred(child, scope))
  }

  #referType(name: SyntaxNode, scope: Scope): void {
    if (name.type === 'Identifier') {
      const text = textOf(name, 'name')
      const bound = this.#lookupType(text, scope)
      if (bound?.k === 'param' || text === 'const') return
      this.#refer(scope, 'references', bound?.k === 'ref' ? bound.v : { k: 'glob', n: text }, name, text, true)
      return
    }
    this.#refer(scope, 'references', this.#entityName(name, scope), name, this.#nameOf(name), true)
  }

  // ---- statements and expressions -----------------------------------------------------------------------

  #visit(node: SyntaxNode, scope: Scope): void {
    this.#settle()
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'TSImportEqualsDeclaration':
      case 'Literal':
      case 'TemplateElement':
      case 'MetaProperty':
      case 'EmptyStatement':
        return
      case 'ExportNamedDeclaration': {
        const declaration = childOf(node, 'declaration')
        if (declaration !== undefined) this.#visit(declaration, scope)
        return
      }
      case 'ExportDefaultDeclaration': {
        const declaration = childOf(node, 'declaration')
        if (declaration === undefined) return
        const value = this.#unwrap(declaration)
        if (value?.type === 'ObjectExpression') {
          const index = this.#declare('constant', 'default', scope.owner, node, node, { exported: true })
          this.#objectHolder.set(value, index)
          const inner = this.#child(node, scope, { owner: index })
          this.facts.symbol(index).value = this.#value(value, inner)
          this.#visit(value, inner)
        } else if (
          value !== undefined &&
          (value.type === 'ArrowFunctionExpression' || value.type === 'FunctionExpression')
        ) {
          this.#declare('function', 'default', scope.owner, value, node, { exported: true })
          this.#visit(value, scope)
        } else this.#visit(declaration, scope)
        return
      }
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
      case 'TSDeclareFunction':
        this.#visitFunction(node, scope)
        return
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.#visitClass(node, scope, node)
        return
      case 'TSInterfaceDeclaration':
        this.#visitInterface(node, scope)
        return
      case 'TSTypeAliasDeclaration':
        this.#visitAlias(node, scope)
        return
      case 'TSEnumDeclaration':
        this.#visitEnum(node, scope)
        return
      case 'TSModuleDeclaration':
        this.#visitNamespace(node, scope)
        return
      case 'BlockStatement':
        this.#visitBlock(node, scope)
        return
      case 'VariableDeclaration':
        for (const declarator of childrenOf(node, 'declarations')) this.#visitDeclarator(declarator, scope)
        return
      case 'ForOfStatement':
      case 'ForInStatement':
      case 'ForStatement':
      case 'CatchClause':
      case 'SwitchStatement': {
        const inner = this.#loopScope(node, scope)
        eachChild(node, (child) => {
          if (node.type !== 'CatchClause' || child !== childOf(node, 'param')) this.#visit(child, inner)
        })
        return
      }
      case 'Identifier':
        this.#visitIdentifier(node, scope)
        return
      case 'MemberExpression':
        this.#visitMemberRead(node, scope)
        return
      case 'CallExpression':
        this.#visitCall(node, scope)
        return
      case 'NewExpression': {
        const callee = this.#unwrap(childOf(node, 'callee'))
        this.#refer(scope, 'instantiates', this.#value(callee, scope), node, this.#nameOf(callee))
        if (callee?.type === 'MemberExpression') this.#visitObject(callee, scope)
        else if (callee !== undefined && callee.type !== 'Identifier') this.#visit(callee, scope)
        this.#visitArguments(node, scope)
        this.facts.routes.push(...routesOfCall(this, node, scope))
        return
      }
      case 'TaggedTemplateExpression': {
        const tag = this.#unwrap(childOf(node, 'tag'))
        this.#refer(scope, 'calls', this.#value(tag, scope), node, this.#nameOf(tag))
        if (tag?.type === 'MemberExpression') this.#visitObject(tag, scope)
        else if (tag !== undefined && tag.type !== 'Identifier') this.#visit(tag, scope)
        const quasi = childOf(node, 'quasi')
        if (quasi !== undefined) this.#visit(quasi, scope)
        return
      }
      case 'ImportExpression': {
        const source = childOf(node, 'source')
        if (typeof source?.['value'] === 'string') this.#import(node, source['value'], [])
        else if (source !== undefined) this.#visit(source, scope)
        return
      }
      case 'AssignmentExpression':
        this.#visitAssignment(node, scope)
        return
      case 'ObjectExpression':
        this.#visitObjectLiteral(node, scope)
        return
      case 'JSXElement':
        this.#visitElement(node, scope)
        return
      case 'JSXMemberExpression':
      case 'JSXIdentifier':
      case 'JSXNamespacedName':
      case 'JSXText':
        return
      case 'TSTypeAnnotation':
      case 'TSTypeParameterInstantiation':
      case 'TSTypeParameterDeclaration':
        this.#visitType(node, scope)
        return
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSTypeAssertion': {
        const expression = childOf(node, 'expression')
        const type = childOf(node, 'typeAnnotation')
        if (expression !== undefined) this.#visit(expression, scope)
        if (type !== undefined && !this.#isConstAssertion(node)) this.#visitType(type, scope)
        return
      }
      case 'LabeledStatement': {
        const body = childOf(node, 'body')
        if (body !== undefined) this.#visit(body, scope)
        return
      }
      case 'BreakStatement':
      case 'ContinueStatement':
        return
      default:
        eachChild(node, (child) => this.#visit(child, scope))
    }
  }

  #visitBlock(node: SyntaxNode, scope: Scope): void {
    const inner = this.#enterBlock(node, scope)
    for (const statement of childrenOf(node, 'body')) this.#visit(statement, inner)
  }

  #visitDeclarator(declarator: SyntaxNode, scope: Scope): void {
    const init = childOf(declarator, 'init')
    const id = childOf(declarator, 'id')
    const index = this.#symbolOf.get(declarator)
    const inner =
      this.#scopes.get(declarator) ?? (index === undefined ? scope : this.#child(declarator, scope, { owner: index }))
    const annotation = id === undefined ? undefined : childOf(id, 'typeAnnotation')
    if (annotation !== undefined) this.#visitType(annotation, inner)
    if (id !== undefined && id.type !== 'Identifier') this.#visitPattern(id, inner)
    if (init === undefined) return
    this.#value(init, inner)
    this.#visit(init, inner)
  }

  #visitIdentifier(node: SyntaxNode, scope: Scope): void {
    const name = textOf(node, 'name')
    const binding = this.#lookup(name, scope)
    if (binding === undefined || binding.isLocal) return
    const value = binding.value
    if (value.k === 'sym' && value.s === scope.owner) return
    if (value.k === 'sym' || value.k === 'imp') this.#refer(scope, 'references', value, node, name)
  }

  /** The object before a dot: a class, an object or an imported value that is used, but not what is called. */
  #visitObject(member: SyntaxNode, scope: Scope): void {
    const object = childOf(member, 'object')
    if (object !== undefined) this.#visit(object, scope)
    const property = childOf(member, 'property')
    if (member['computed'] === true && property !== undefined) this.#visit(property, scope)
  }

  #visitMemberRead(node: SyntaxNode, scope: Scope): void {
    const value = this.#value(node, scope)
    const root = rootOf(value)
    if (root.k !== 'glob' && value.k === 'get')
      this.#refer(scope, 'references', value, childOf(node, 'property') ?? node, this.#nameOf(node))
    this.#visitObject(node, scope)
  }

  #visitCall(node: SyntaxNode, scope: Scope): void {
    const required = this.#requireSource(node, scope)
    if (required !== undefined) {
      this.#import(node, required, [])
      return
    }
    const callee = this.#unwrap(childOf(node, 'callee'))
    if (callee === undefined) return
    this.#value(node, scope)
    if (callee.type === 'Super') {
      this.#refer(scope, 'calls', { k: 'get', o: scope.parentClass ?? literal, n: 'constructor' }, node, 'super')
    } else if (functionTypes.has(callee.type)) {
      this.#visit(callee, scope)
    } else {
      const at = callee.type === 'MemberExpression' ? (childOf(callee, 'property') ?? callee) : callee
      this.#refer(scope, 'calls', this.#value(callee, scope), at, this.#nameOf(callee))
      if (callee.type === 'MemberExpression') this.#visitObject(callee, scope)
      else if (callee.type !== 'Identifier') this.#visit(callee, scope)
    }
    this.#visitArguments(node, scope)
    this.facts.routes.push(...routesOfCall(this, node, scope))
  }

  #visitArguments(node: SyntaxNode, scope: Scope): void {
    const types = childOf(node, 'typeArguments') ?? childOf(node, 'typeParameters')
    if (types !== undefined) this.#visitType(types, scope)
    childrenOf(node, 'arguments').forEach((argument, index) => {
      this.#argumentValue(argument, node, index, scope)
      this.#visit(argument, scope)
    })
  }

  #visitAssignment(node: SyntaxNode, scope: Scope): void {
    const left = this.#unwrap(childOf(node, 'left'))
    const right = this.#unwrap(childOf(node, 'right'))
    if (left === undefined || right === undefined) return
    if (left.type === 'Identifier') this.#assignName(left, right, scope)
    else if (left.type === 'MemberExpression') {
      if (this.#assignMember(left, right, scope)) return
      this.#visitObject(left, scope)
    } else this.#visit(left, scope)
    this.#visit(right, scope)
  }

  #assignName(left: SyntaxNode, right: SyntaxNode, scope: Scope): void {
    const value = this.#lookup(textOf(left, 'name'), scope)?.value
    if (value?.k === 'loc') {
      const before = this.facts.locals[value.i]
      if (before?.k === 'is') return
      const next = this.#value(right, scope)
      this.facts.locals[value.i] = before === undefined || before === literal ? next : { k: 'alt', v: [before, next] }
    } else if (value?.k === 'sym') {
      const symbol = this.facts.symbol(value.s)
      if (symbol.type === undefined && (symbol.kind === 'variable' || symbol.kind === 'constant'))
        symbol.value ??= this.#value(right, scope)
    }
  }

  /** Assignments that declare: `exports.x =`, `module.exports =`, `this.x =`, `Type.prototype.x =`, `Type.x =`. */
  #assignMember(left: SyntaxNode, right: SyntaxNode, scope: Scope): boolean {
    const object = this.#unwrap(childOf(left, 'object'))
    const property = childOf(left, 'property')
    if (object === undefined || property === undefined || left['computed'] === true) return false
    const name = property.type === 'PrivateIdentifier' ? `#${textOf(property, 'name')}` : textOf(property, 'name')
    const isFunction = functionTypes.has(right.type)
    const isFree = (text: string): boolean => this.#lookup(text, scope) === undefined
    const isExports =
      (object.type === 'Identifier' && textOf(object, 'name') === 'exports' && isFree('exports')) ||
      (object.type === 'MemberExpression' &&
        textOf(childOf(object, 'object'), 'name') === 'module' &&
        textOf(childOf(object, 'property'), 'name') === 'exports' &&
        isFree('module'))
    if (isExports) {
      if (isFunction) {
        this.#declare('function', name, 0, right, left, { exported: true })
        const symbol = this.facts.symbol(this.facts.symbols.length - 1)
        symbol.endLine = this.line(right.end - 1)
        symbol.endCol = this.column(right.end)
      }
      this.facts.exports.push({ name, value: this.#value(right, scope) })
      this.#visit(right, scope)
      return true
    }
    if (object.type === 'Identifier' && textOf(object, 'name') === 'module' && name === 'exports' && isFree('module')) {
      if (right.type === 'ObjectExpression') this.#objectHolder.set(right, 0)
      if (isFunction) this.#declare('function', 'module.exports', 0, right, left, { exported: true })
      const value = this.#value(right, scope)
      this.facts.exports.push({ name: 'default', value }, { name: 'module.exports', value })
      this.#visit(right, scope)
      return true
    }
    const holder = this.#assignedType(object, scope)
    if (holder === undefined) return false
    const member = this.facts.symbols.findIndex(
      (one, index) => index > 0 && one.parent === holder.type && one.name === name,
    )
    if (member === -1) {
      if (!isFunction && !holder.isSelf) return false
      const index = this.#declare(
        isFunction ? 'method' : 'property',
        name,
        holder.type,
        isFunction ? right : left,
        left,
        holder.isStatic ? { static: true } : {},
      )
      const symbol = this.facts.symbol(index)
      symbol.endLine = this.line(right.end - 1)
      symbol.endCol = this.column(right.end)
      if (isFunction)
        this.#selves.set(right, { k: 'this', s: holder.type, ...(holder.isStatic ? { c: 1 as const } : {}) })
      else symbol.value = this.#value(right, scope)
      this.#visit(right, scope)
      return true
    }
    const symbol = this.facts.symbol(member)
    if (symbol.kind === 'property' && symbol.type === undefined) symbol.value ??= this.#value(right, scope)
    return false
  }

  #assignedType(object: SyntaxNode, scope: Scope): { type: number; isSelf: boolean; isStatic: boolean } | undefined {
    if (object.type === 'ThisExpression') {
      const self = scope.self
      return self?.k === 'this' ? { type: self.s, isSelf: true, isStatic: self.c === 1 } : undefined
    }
    const isPrototype =
      object.type === 'MemberExpression' && textOf(childOf(object, 'property'), 'name') === 'prototype'
    const named = isPrototype ? this.#unwrap(childOf(object, 'object')) : object
    if (named?.type !== 'Identifier') return undefined
    const value = this.#lookup(textOf(named, 'name'), scope)?.value
    if (value?.k !== 'sym' || !['class', 'function', 'constant', 'variable'].includes(this.facts.symbol(value.s).kind))
      return undefined
    return { type: value.s, isSelf: false, isStatic: !isPrototype }
  }

  #visitObjectLiteral(node: SyntaxNode, scope: Scope): void {
    const self = this.#value(node, scope)
    for (const property of childrenOf(node, 'properties')) {
      if (property.type === 'SpreadElement') {
        const argument = childOf(property, 'argument')
        if (argument !== undefined) this.#visit(argument, scope)
        continue
      }
      const key = childOf(property, 'key')
      if (property['computed'] === true && key !== undefined) this.#visit(key, scope)
      const value = this.#unwrap(childOf(property, 'value'))
      if (value === undefined) continue
      if (value.type === 'FunctionExpression' && !this.#selves.has(value)) this.#selves.set(value, self)
      this.#visit(value, scope)
    }
  }

  #visitElement(node: SyntaxNode, scope: Scope): void {
    const opening = childOf(node, 'openingElement')
    const name = opening === undefined ? undefined : childOf(opening, 'name')
    if (name !== undefined && opening !== undefined) {
      const isComponent = name.type === 'JSXMemberExpression' || /^[A-Z_$]/.test(textOf(name, 'name'))
      if (isComponent) this.#refer(scope, 'calls', this.#entityName(name, scope, true), name, this.#nameOf(name))
      for (const attribute of childrenOf(opening, 'attributes')) {
        const value =
          attribute.type === 'JSXSpreadAttribute' ? childOf(attribute, 'argument') : childOf(attribute, 'value')
        if (value !== undefined) this.#visit(value, scope)
      }
      this.#markComponent(scope.owner)
      this.facts.routes.push(...routesOfElement(this, node, scope))
    }
    for (const child of childrenOf(node, 'children')) this.#visit(child, scope)
  }

  /** A function with a capital name that makes elements is a component. */
  #markComponent(owner: number): void {
    const symbol = this.facts.symbol(owner)
    if (symbol.kind === 'function' && /^[A-Z][a-z0-9A-Z]*$/.test(symbol.name)) {
      symbol.kind = 'component'
    }
  }

  #nameOf(node: SyntaxNode | undefined): string {
    if (node === undefined) return ''
    switch (node.type) {
      case 'Identifier':
      case 'JSXIdentifier':
        return textOf(node, 'name')
      case 'PrivateIdentifier':
        return `#${textOf(node, 'name')}`
      case 'ThisExpression':
        return 'this'
      case 'Super':
        return 'super'
      case 'MemberExpression':
      case 'JSXMemberExpression':
      case 'TSQualifiedName': {
        const object = this.#nameOf(this.#unwrap(childOf(node, 'object') ?? childOf(node, 'left')))
        const property = childOf(node, 'property') ?? childOf(node, 'right')
        const tail = node['computed'] === true ? '' : this.#nameOf(property)
        if (tail === '') return object
        return object === '' || object.length > 80 ? tail : `${object}.${tail}`
      }
      case 'CallExpression':
        return ''
      default:
        return wrapperTypes.has(node.type) ? this.#nameOf(childOf(node, 'expression')) : ''
    }
  }

  // ---- exports ------------------------------------------------------------------------------------------

  #exportNames(statements: readonly SyntaxNode[], scope: Scope): void {
    for (const statement of statements) {
      switch (statement.type) {
        case 'ExportAllDeclaration': {
          const from = textOf(childOf(statement, 'source'), 'value')
          const exported = childOf(statement, 'exported')
          this.#import(statement, from, ['*'])
          const name = textOf(exported, 'name') || textOf(exported, 'value')
          this.facts.exports.push(name === '' ? { name: '*', from } : { name, from, imported: '*' })
          break
        }
        case 'ExportDefaultDeclaration': {
          const declaration = childOf(statement, 'declaration')
          if (declaration === undefined) break
          const value = this.#unwrap(declaration) ?? declaration
          const index = this.#symbolOf.get(value) ?? this.#symbolOf.get(statement)
          if (value.type === 'Identifier') this.#markExported(textOf(value, 'name'), scope)
          this.facts.exports.push({
            name: 'default',
            value: index === undefined ? this.#value(value, scope) : { k: 'sym', s: index },
          })
          break
        }
        case 'TSExportAssignment': {
          const value = this.#value(childOf(statement, 'expression'), scope)
          this.facts.exports.push({ name: 'default', value }, { name: 'module.exports', value })
          break
        }
        case 'ExportNamedDeclaration':
          this.#exportNamed(statement, scope)
          break
      }
    }
  }

  #exportNamed(statement: SyntaxNode, scope: Scope): void {
    const source = childOf(statement, 'source')
    const specifiers = childrenOf(statement, 'specifiers')
    if (source !== undefined) {
      const from = textOf(source, 'value')
      const names = specifiers.map(
        (one) => textOf(childOf(one, 'local'), 'name') || textOf(childOf(one, 'local'), 'value'),
      )
      this.#import(statement, from, names)
      specifiers.forEach((one, index) => {
        const exported = childOf(one, 'exported')
        this.facts.exports.push({
          name: textOf(exported, 'name') || textOf(exported, 'value'),
          from,
          imported: names[index] ?? '',
        })
      })
      return
    }
    for (const one of specifiers) {
      const local = textOf(childOf(one, 'local'), 'name')
      const exported = childOf(one, 'exported')
      this.#markExported(local, scope)
      const value = this.#lookup(local, scope)?.value
      const type = this.#lookupType(local, scope)
      const name = textOf(exported, 'name') || textOf(exported, 'value')
      if (value !== undefined) this.facts.exports.push({ name, value })
      if (type?.k === 'ref' && type.v !== value) this.facts.exports.push({ name, value: type.v })
    }
    const declaration = childOf(statement, 'declaration')
    if (declaration === undefined) return
    for (const name of declaredNames(declaration)) {
      this.#markExported(name, scope)
      const value = scope.values.get(name)?.value
      const type = scope.types.get(name)
      if (value !== undefined) this.facts.exports.push({ name, value })
      if (type?.k === 'ref' && type.v !== value) this.facts.exports.push({ name, value: type.v })
    }
  }

  #markExported(name: string, scope: Scope): void {
    const value = scope.values.get(name)?.value
    if (value?.k === 'sym') this.facts.symbol(value.s).exported = true
    const type = scope.types.get(name)
    if (type?.k === 'ref' && type.v.k === 'sym') this.facts.symbol(type.v.s).exported = true
  }
}

function rootOf(value: Value): Value {
  let at = value
  while (at.k === 'get') at = at.o
  return at
}

function declaredNames(declaration: SyntaxNode): string[] {
  if (declaration.type !== 'VariableDeclaration') {
    const name = textOf(childOf(declaration, 'id'), 'name')
    return name === '' ? [] : [name]
  }
  const names: string[] = []
  const collect = (pattern: SyntaxNode): void => {
    if (pattern.type === 'Identifier') names.push(textOf(pattern, 'name'))
    else if (pattern.type === 'Property') {
      const value = pattern['value']
      if (isSyntaxNode(value)) collect(value)
    } else if (pattern.type === 'AssignmentPattern') {
      const left = childOf(pattern, 'left')
      if (left !== undefined) collect(left)
    } else eachChild(pattern, collect)
  }
  for (const declarator of childrenOf(declaration, 'declarations')) {
    const id = childOf(declarator, 'id')
    if (id !== undefined) collect(id)
  }
  return names
}
