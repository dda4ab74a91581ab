import type { FileFacts } from '../core/facts.ts'
import type { Language } from '../core/vocabulary.ts'
import { FactBuilder } from './fact-builder.ts'
import { parseScript } from './parse-script.ts'
import { ScriptExports } from './script-exports.ts'
import { functionTypes, literal, type Scope } from './script-facts.ts'
import { isConstAssertion, nameOf, rootOf, unwrap } from './script-names.ts'
import { nextPageRoute, type RouteSource, routesOfCall, routesOfElement } from './script-routes.ts'
import { childOf, childrenOf, eachChild, type SyntaxNode, textOf } from './syntax-tree.ts'

/** Facts of one TypeScript or JavaScript text. `firstLine` shifts a script block to its place in its file. */
export function extractScript(path: string, language: Language, text: string, builder?: FactBuilder): FileFacts {
  const facts = builder ?? new FactBuilder(path, language, text)
  const parsed = parseScript(path, language, text)
  for (const error of parsed.errors) facts.addError(error.message)
  const comments = parsed.comments.map(({ start, end, type }) => ({ start, end, isBlock: type === 'Block' }))
  new ScriptExtractor(facts, text, comments).run(parsed.program as unknown as SyntaxNode)
  return facts.build()
}

class ScriptExtractor extends ScriptExports implements RouteSource {
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
    this.scopes.set(program, scope)
    const body = childrenOf(program, 'body')
    this.hoist(body, scope)
    for (const statement of body) this.visit(statement, scope)
    this.exportNames(body, scope)
    const page = nextPageRoute(this.facts.path, this.facts)
    if (page !== undefined) this.facts.routes.push(page)
  }

  protected override visit(node: SyntaxNode, scope: Scope): void {
    this.settle()
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
        if (declaration !== undefined) this.visit(declaration, scope)
        return
      }
      case 'ExportDefaultDeclaration': {
        const declaration = childOf(node, 'declaration')
        if (declaration === undefined) return
        const value = unwrap(declaration)
        if (value?.type === 'ObjectExpression') {
          const index = this.declareSymbol('constant', 'default', scope.owner, node, node, { exported: true })
          this.objectHolder.set(value, index)
          const inner = this.child(node, scope, { owner: index })
          this.facts.symbol(index).value = this.value(value, inner)
          this.visit(value, inner)
        } else if (
          value !== undefined &&
          (value.type === 'ArrowFunctionExpression' || value.type === 'FunctionExpression')
        ) {
          this.declareSymbol('function', 'default', scope.owner, value, node, { exported: true })
          this.visit(value, scope)
        } else this.visit(declaration, scope)
        return
      }
      case 'IfStatement':
      case 'LogicalExpression':
      case 'ConditionalExpression':
        eachChild(node, (child) => {
          this.visit(child, this.branchScope(node, child, scope))
        })
        return
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
      case 'TSDeclareFunction':
        this.visitFunction(node, scope)
        return
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.visitClass(node, scope, node)
        return
      case 'TSInterfaceDeclaration':
        this.visitInterface(node, scope)
        return
      case 'TSTypeAliasDeclaration':
        this.visitAlias(node, scope)
        return
      case 'TSEnumDeclaration':
        this.visitEnum(node, scope)
        return
      case 'TSModuleDeclaration':
        this.visitNamespace(node, scope)
        return
      case 'BlockStatement':
        this.visitBlock(node, scope)
        return
      case 'VariableDeclaration':
        for (const declarator of childrenOf(node, 'declarations')) this.visitDeclarator(declarator, scope)
        return
      case 'ForOfStatement':
      case 'ForInStatement':
      case 'ForStatement':
      case 'CatchClause':
      case 'SwitchStatement': {
        const inner = this.loopScope(node, scope)
        eachChild(node, (child) => {
          if (node.type !== 'CatchClause' || child !== childOf(node, 'param')) this.visit(child, inner)
        })
        return
      }
      case 'Identifier':
        this.visitIdentifier(node, scope)
        return
      case 'MemberExpression':
        this.visitMemberRead(node, scope)
        return
      case 'CallExpression':
        this.visitCall(node, scope)
        return
      case 'NewExpression': {
        const callee = unwrap(childOf(node, 'callee'))
        this.refer(scope, 'instantiates', this.value(callee, scope), node, nameOf(callee))
        if (callee?.type === 'MemberExpression') this.visitObject(callee, scope)
        else if (callee !== undefined && callee.type !== 'Identifier') this.visit(callee, scope)
        this.visitArguments(node, scope)
        this.facts.routes.push(...routesOfCall(this, node, scope))
        return
      }
      case 'TaggedTemplateExpression': {
        const tag = unwrap(childOf(node, 'tag'))
        this.refer(scope, 'calls', this.value(tag, scope), node, nameOf(tag))
        if (tag?.type === 'MemberExpression') this.visitObject(tag, scope)
        else if (tag !== undefined && tag.type !== 'Identifier') this.visit(tag, scope)
        const quasi = childOf(node, 'quasi')
        if (quasi !== undefined) this.visit(quasi, scope)
        return
      }
      case 'ImportExpression': {
        const source = childOf(node, 'source')
        if (typeof source?.['value'] === 'string') this.addImport(node, source['value'], [])
        else if (source !== undefined) this.visit(source, scope)
        return
      }
      case 'AssignmentExpression':
        this.visitAssignment(node, scope)
        return
      case 'ObjectExpression':
        this.visitObjectLiteral(node, scope)
        return
      case 'JSXElement':
        this.visitElement(node, scope)
        return
      case 'JSXMemberExpression':
      case 'JSXIdentifier':
      case 'JSXNamespacedName':
      case 'JSXText':
        return
      case 'TSTypeAnnotation':
      case 'TSTypeParameterInstantiation':
      case 'TSTypeParameterDeclaration':
        this.visitType(node, scope)
        return
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSTypeAssertion': {
        const expression = childOf(node, 'expression')
        const type = childOf(node, 'typeAnnotation')
        if (expression !== undefined) this.visit(expression, scope)
        if (type !== undefined && !isConstAssertion(node)) this.visitType(type, scope)
        return
      }
      case 'LabeledStatement': {
        const body = childOf(node, 'body')
        if (body !== undefined) this.visit(body, scope)
        return
      }
      case 'BreakStatement':
      case 'ContinueStatement':
        return
      default:
        eachChild(node, (child) => this.visit(child, scope))
    }
  }

  protected visitBlock(node: SyntaxNode, scope: Scope): void {
    const inner = this.enterBlock(node, scope)
    for (const statement of childrenOf(node, 'body')) this.visit(statement, inner)
  }

  protected visitDeclarator(declarator: SyntaxNode, scope: Scope): void {
    const init = childOf(declarator, 'init')
    const id = childOf(declarator, 'id')
    const index = this.symbolOf.get(declarator)
    const inner =
      this.scopes.get(declarator) ?? (index === undefined ? scope : this.child(declarator, scope, { owner: index }))
    const annotation = id === undefined ? undefined : childOf(id, 'typeAnnotation')
    if (annotation !== undefined) this.visitType(annotation, inner)
    if (id !== undefined && id.type !== 'Identifier') this.visitPattern(id, inner)
    if (init === undefined) return
    this.value(init, inner)
    this.visit(init, inner)
  }

  protected visitIdentifier(node: SyntaxNode, scope: Scope): void {
    const name = textOf(node, 'name')
    const binding = this.lookup(name, scope)
    if (binding === undefined || binding.isLocal) return
    const value = binding.value
    if (value.k === 'sym' && value.s === scope.owner) return
    if (value.k === 'sym' || value.k === 'imp') this.refer(scope, 'references', value, node, name)
  }

  /** The object before a dot: a class, an object or an imported value that is used, but not what is called. */
  protected visitObject(member: SyntaxNode, scope: Scope): void {
    const object = childOf(member, 'object')
    if (object !== undefined) this.visit(object, scope)
    const property = childOf(member, 'property')
    if (member['computed'] === true && property !== undefined) this.visit(property, scope)
  }

  protected visitMemberRead(node: SyntaxNode, scope: Scope): void {
    const value = this.value(node, scope)
    const root = rootOf(value)
    if (root.k !== 'glob' && value.k === 'get')
      this.refer(scope, 'references', value, childOf(node, 'property') ?? node, nameOf(node))
    this.visitObject(node, scope)
  }

  protected visitCall(node: SyntaxNode, scope: Scope): void {
    const required = this.requireSource(node, scope)
    if (required !== undefined) {
      this.addImport(node, required, [])
      return
    }
    const callee = unwrap(childOf(node, 'callee'))
    if (callee === undefined) return
    this.value(node, scope)
    if (callee.type === 'Super') {
      this.refer(scope, 'calls', { k: 'get', o: scope.parentClass ?? literal, n: 'constructor' }, node, 'super')
    } else if (functionTypes.has(callee.type)) {
      this.visit(callee, scope)
    } else {
      const at = callee.type === 'MemberExpression' ? (childOf(callee, 'property') ?? callee) : callee
      this.refer(scope, 'calls', this.value(callee, scope), at, nameOf(callee))
      if (callee.type === 'MemberExpression') this.visitObject(callee, scope)
      else if (callee.type !== 'Identifier') this.visit(callee, scope)
    }
    this.visitArguments(node, scope)
    this.facts.routes.push(...routesOfCall(this, node, scope))
  }

  protected visitArguments(node: SyntaxNode, scope: Scope): void {
    const types = childOf(node, 'typeArguments') ?? childOf(node, 'typeParameters')
    if (types !== undefined) this.visitType(types, scope)
    childrenOf(node, 'arguments').forEach((argument, index) => {
      this.argumentValue(argument, node, index, scope)
      this.visit(argument, scope)
    })
  }

  protected visitAssignment(node: SyntaxNode, scope: Scope): void {
    const left = unwrap(childOf(node, 'left'))
    const right = unwrap(childOf(node, 'right'))
    if (left === undefined || right === undefined) return
    if (left.type === 'Identifier') this.assignName(left, right, scope)
    else if (left.type === 'MemberExpression') {
      if (this.assignMember(left, right, scope)) return
      this.visitObject(left, scope)
    } else this.visit(left, scope)
    this.visit(right, scope)
  }

  protected assignName(left: SyntaxNode, right: SyntaxNode, scope: Scope): void {
    const value = this.lookup(textOf(left, 'name'), scope)?.value
    if (value?.k === 'loc') {
      const before = this.facts.locals[value.i]
      if (before?.k === 'is') return
      const next = this.value(right, scope)
      this.facts.locals[value.i] = before === undefined || before === literal ? next : { k: 'alt', v: [before, next] }
    } else if (value?.k === 'sym') {
      const symbol = this.facts.symbol(value.s)
      if (symbol.type === undefined && (symbol.kind === 'variable' || symbol.kind === 'constant'))
        symbol.value ??= this.value(right, scope)
    }
  }

  /** Assignments that declare: `exports.x =`, `module.exports =`, `this.x =`, `Type.prototype.x =`, `Type.x =`. */
  protected assignMember(left: SyntaxNode, right: SyntaxNode, scope: Scope): boolean {
    const object = unwrap(childOf(left, 'object'))
    const property = childOf(left, 'property')
    if (object === undefined || property === undefined || left['computed'] === true) return false
    const name = property.type === 'PrivateIdentifier' ? `#${textOf(property, 'name')}` : textOf(property, 'name')
    const isFunction = functionTypes.has(right.type)
    const isFree = (text: string): boolean => this.lookup(text, scope) === undefined
    const isExports =
      (object.type === 'Identifier' && textOf(object, 'name') === 'exports' && isFree('exports')) ||
      (object.type === 'MemberExpression' &&
        textOf(childOf(object, 'object'), 'name') === 'module' &&
        textOf(childOf(object, 'property'), 'name') === 'exports' &&
        isFree('module'))
    if (isExports) {
      if (isFunction) {
        this.declareSymbol('function', name, 0, right, left, { exported: true })
        const symbol = this.facts.symbol(this.facts.symbols.length - 1)
        symbol.endLine = this.line(right.end - 1)
        symbol.endCol = this.column(right.end)
      }
      this.facts.exports.push({ name, value: this.value(right, scope) })
      this.visit(right, scope)
      return true
    }
    if (object.type === 'Identifier' && textOf(object, 'name') === 'module' && name === 'exports' && isFree('module')) {
      if (right.type === 'ObjectExpression') this.objectHolder.set(right, 0)
      if (isFunction) this.declareSymbol('function', 'module.exports', 0, right, left, { exported: true })
      const value = this.value(right, scope)
      this.facts.exports.push({ name: 'default', value }, { name: 'module.exports', value })
      this.visit(right, scope)
      return true
    }
    const holder = this.assignedType(object, scope)
    if (holder === undefined || isBoundToItself(left, right)) return false
    const member = this.facts.symbols.findIndex(
      (one, index) => index > 0 && one.parent === holder.type && one.name === name,
    )
    if (member === -1) {
      if (!isFunction && !holder.isSelf) return false
      const index = this.declareSymbol(
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
        this.selves.set(right, { k: 'this', s: holder.type, ...(holder.isStatic ? { c: 1 as const } : {}) })
      else symbol.value = this.value(right, scope)
      this.visit(right, scope)
      return true
    }
    const symbol = this.facts.symbol(member)
    // A property that begins as null or a plain value is what it is given later.
    if (symbol.kind === 'property' && symbol.type === undefined && (symbol.value ?? literal) === literal)
      symbol.value = this.value(right, scope)
    return false
  }

  protected assignedType(
    object: SyntaxNode,
    scope: Scope,
  ): { type: number; isSelf: boolean; isStatic: boolean } | undefined {
    if (object.type === 'ThisExpression') {
      const self = scope.self
      return self?.k === 'this' ? { type: self.s, isSelf: true, isStatic: self.c === 1 } : undefined
    }
    const isPrototype =
      object.type === 'MemberExpression' && textOf(childOf(object, 'property'), 'name') === 'prototype'
    const named = isPrototype ? unwrap(childOf(object, 'object')) : object
    if (named?.type !== 'Identifier') return undefined
    const value = this.lookup(textOf(named, 'name'), scope)?.value
    if (value?.k !== 'sym' || !['class', 'function', 'constant', 'variable'].includes(this.facts.symbol(value.s).kind))
      return undefined
    return { type: value.s, isSelf: false, isStatic: !isPrototype }
  }

  protected visitObjectLiteral(node: SyntaxNode, scope: Scope): void {
    const self = this.value(node, scope)
    for (const property of childrenOf(node, 'properties')) {
      if (property.type === 'SpreadElement') {
        const argument = childOf(property, 'argument')
        if (argument !== undefined) this.visit(argument, scope)
        continue
      }
      const key = childOf(property, 'key')
      if (property['computed'] === true && key !== undefined) this.visit(key, scope)
      const value = unwrap(childOf(property, 'value'))
      if (value === undefined) continue
      if (value.type === 'FunctionExpression' && !this.selves.has(value)) this.selves.set(value, self)
      this.visit(value, scope)
    }
  }

  protected visitElement(node: SyntaxNode, scope: Scope): void {
    const opening = childOf(node, 'openingElement')
    const name = opening === undefined ? undefined : childOf(opening, 'name')
    if (name !== undefined && opening !== undefined) {
      const isComponent = name.type === 'JSXMemberExpression' || /^[A-Z_$]/.test(textOf(name, 'name'))
      if (isComponent) this.refer(scope, 'calls', this.entityName(name, scope, true), name, nameOf(name))
      for (const attribute of childrenOf(opening, 'attributes')) {
        const value =
          attribute.type === 'JSXSpreadAttribute' ? childOf(attribute, 'argument') : childOf(attribute, 'value')
        if (value !== undefined) this.visit(value, scope)
      }
      this.markComponent(scope.owner)
      this.facts.routes.push(...routesOfElement(this, node, scope))
    }
    for (const child of childrenOf(node, 'children')) this.visit(child, scope)
  }

  /** A function with a capital name that makes elements is a component. */
  protected markComponent(owner: number): void {
    const symbol = this.facts.symbol(owner)
    if (symbol.kind === 'function' && /^[A-Z][a-z0-9A-Z]*$/.test(symbol.name)) {
      symbol.kind = 'component'
    }
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
