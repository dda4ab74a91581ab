/** Goes through a script once and writes down what it refers to. */
import type { Type, Value } from '../../core/facts.ts'
import { ScriptAssignments } from './assignments.ts'
import { ScriptDeclarations } from './declarations.ts'
import { ScriptExports } from './exports.ts'
import { functionTypes, literal, type ScriptFile, type ScriptReader } from './file.ts'
import { ScriptFunctions } from './functions.ts'
import { isConstAssertion, nameOf, rootOf, unwrap } from './names.ts'
import { mayDeclareRoutes, nextPageRoute, RouteSource, routesOfCall, routesOfElement } from './routes.ts'
import { Scope } from './scope.ts'
import { ScriptScopes } from './scopes.ts'
import { childOf, childrenOf, eachChild, type SyntaxNode, textOf } from './syntax-tree.ts'
import { ScriptTypeReferences } from './type-references.ts'
import { ScriptTypes } from './types.ts'
import { ScriptValues } from './values.ts'

export class ScriptVisitor implements ScriptReader {
  readonly #file: ScriptFile
  readonly #scopes: ScriptScopes
  readonly #types: ScriptTypes
  readonly #values: ScriptValues
  readonly #functions: ScriptFunctions
  readonly #declarations: ScriptDeclarations
  readonly #typeReferences: ScriptTypeReferences
  readonly #exports: ScriptExports
  readonly #assignments: ScriptAssignments
  readonly #routes: RouteSource

  constructor(file: ScriptFile) {
    this.#file = file
    this.#scopes = new ScriptScopes(file, this)
    this.#types = new ScriptTypes()
    this.#values = new ScriptValues(file, this.#types, this)
    this.#functions = new ScriptFunctions(file, this.#scopes, this.#types, this.#values, this)
    this.#routes = new RouteSource(file, this.#types, this.#values)
    this.#declarations = new ScriptDeclarations(
      file,
      this.#scopes,
      this.#types,
      this.#values,
      this.#functions,
      this.#routes,
      this,
    )
    this.#typeReferences = new ScriptTypeReferences(file, this.#scopes, this.#types)
    this.#exports = new ScriptExports(file, this.#scopes, this.#values)
    this.#assignments = new ScriptAssignments(file, this.#values, this)
  }

  value(input: SyntaxNode | undefined, scope: Scope): Value {
    return this.#values.value(input, scope)
  }

  annotation(node: SyntaxNode, scope: Scope): Type | undefined {
    return this.#types.annotation(node, scope)
  }

  expect(node: SyntaxNode | undefined, type: Type | undefined): void {
    this.#scopes.expect(node, type)
  }

  resultOf(node: SyntaxNode, scope: Scope): Value | undefined {
    return this.#functions.resultOf(node, scope)
  }

  visitType(node: SyntaxNode, scope: Scope): void {
    this.#typeReferences.visitType(node, scope)
  }

  visitTypeChildren(node: SyntaxNode, scope: Scope): void {
    this.#typeReferences.visitTypeChildren(node, scope)
  }

  visitDecorator(decorator: SyntaxNode, scope: Scope): void {
    this.#declarations.visitDecorator(decorator, scope)
  }

  run(): void {
    const { program } = this.#file
    const scope = new Scope(undefined, { isFunction: true, declaresSymbols: true })
    this.#file.scopes.set(program, scope)
    const body = childrenOf(program, 'body')
    this.#scopes.hoist(body, scope)
    for (const statement of body) this.visit(statement, scope)
    this.#exports.exportNames(body, scope)
    const page = nextPageRoute(this.#file.facts.path, this.#file.facts)
    if (page !== undefined) this.#file.facts.routes.push(page)
  }

  visit(node: SyntaxNode, scope: Scope): void {
    this.#scopes.settle()
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
          const index = this.#file.declareSymbol('constant', 'default', scope.owner, node, node, { exported: true })
          this.#file.objectHolder.set(value, index)
          const inner = this.#scopes.child(node, scope, { owner: index })
          this.#file.facts.symbol(index).value = this.#values.value(value, inner)
          this.visit(value, inner)
        } else if (
          value !== undefined &&
          (value.type === 'ArrowFunctionExpression' || value.type === 'FunctionExpression')
        ) {
          this.#file.declareSymbol('function', 'default', scope.owner, value, node, { exported: true })
          this.visit(value, scope)
        } else this.visit(declaration, scope)
        return
      }
      case 'IfStatement':
      case 'LogicalExpression':
      case 'ConditionalExpression':
      case 'SwitchCase':
        this.#visitBranches(node, scope)
        return
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
      case 'TSDeclareFunction':
        this.#functions.visitFunction(node, scope)
        return
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.#declarations.visitClass(node, scope, node)
        return
      case 'TSInterfaceDeclaration':
        this.#declarations.visitInterface(node, scope)
        return
      case 'TSTypeAliasDeclaration':
        this.#declarations.visitAlias(node, scope)
        return
      case 'TSEnumDeclaration':
        this.#declarations.visitEnum(node, scope)
        return
      case 'TSModuleDeclaration':
        this.#declarations.visitNamespace(node, scope)
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
      case 'SwitchStatement':
        this.#visitLoop(node, scope)
        return
      case 'Identifier':
        this.#visitIdentifier(node, scope)
        return
      case 'MemberExpression':
        this.#visitMember(node, scope)
        return
      case 'CallExpression':
        this.#visitCall(node, scope)
        return
      case 'NewExpression': {
        const callee = unwrap(childOf(node, 'callee'))
        this.#file.refer(scope, 'instantiates', this.#values.value(callee, scope), node, nameOf(callee))
        if (callee?.type === 'MemberExpression') this.#visitObject(callee, scope)
        else if (callee !== undefined && callee.type !== 'Identifier') this.visit(callee, scope)
        this.#visitArguments(node, scope)
        this.#routesOf(node, scope)
        return
      }
      case 'TaggedTemplateExpression': {
        const tag = unwrap(childOf(node, 'tag'))
        this.#file.refer(scope, 'calls', this.#values.value(tag, scope), node, nameOf(tag))
        if (tag?.type === 'MemberExpression') this.#visitObject(tag, scope)
        else if (tag !== undefined && tag.type !== 'Identifier') this.visit(tag, scope)
        const quasi = childOf(node, 'quasi')
        if (quasi !== undefined) this.visit(quasi, scope)
        return
      }
      case 'ImportExpression': {
        const source = childOf(node, 'source')
        if (typeof source?.['value'] === 'string') this.#scopes.addImport(node, source['value'], [])
        else if (source !== undefined) this.visit(source, scope)
        return
      }
      case 'AssignmentExpression':
        this.#assignments.visit(node, scope)
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
        this.#typeReferences.visitType(node, scope)
        return
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSTypeAssertion': {
        const expression = childOf(node, 'expression')
        const type = childOf(node, 'typeAnnotation')
        if (expression !== undefined) this.visit(expression, scope)
        if (type !== undefined && !isConstAssertion(node)) this.#typeReferences.visitType(type, scope)
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
        this.#visitChildren(node, scope)
    }
  }

  // Apart from `visit`: what a function made in it names is kept for each call of it, whether that function is made or not.
  #visitChildren(node: SyntaxNode, scope: Scope): void {
    eachChild(node, (child) => this.visit(child, scope))
  }

  #visitBranches(node: SyntaxNode, scope: Scope): void {
    eachChild(node, (child) => {
      this.visit(child, this.#values.branches.scope(node, child, scope))
    })
  }

  #visitLoop(node: SyntaxNode, scope: Scope): void {
    const inner = this.#functions.loopScope(node, scope)
    const taken = node.type === 'CatchClause' ? childOf(node, 'param') : undefined
    eachChild(node, (child) => {
      if (child !== taken) this.visit(child, inner)
    })
  }

  #visitBlock(node: SyntaxNode, scope: Scope): void {
    const inner = this.#functions.enterBlock(node, scope)
    for (const statement of childrenOf(node, 'body'))
      this.visit(statement, this.#values.branches.scope(node, statement, inner))
  }

  #visitDeclarator(declarator: SyntaxNode, scope: Scope): void {
    const init = childOf(declarator, 'init')
    const id = childOf(declarator, 'id')
    const index = this.#file.symbolOf.get(declarator)
    const inner =
      this.#file.scopes.get(declarator) ??
      (index === undefined ? scope : this.#scopes.child(declarator, scope, { owner: index }))
    const annotation = id === undefined ? undefined : childOf(id, 'typeAnnotation')
    if (annotation !== undefined) this.#typeReferences.visitType(annotation, inner)
    if (id !== undefined && id.type !== 'Identifier') this.#functions.visitPattern(id, inner)
    if (init === undefined) return
    this.#values.value(init, inner)
    this.visit(init, inner)
  }

  #visitIdentifier(node: SyntaxNode, scope: Scope): void {
    const name = textOf(node, 'name')
    const binding = scope.binding(name)
    if (binding === undefined || binding.isLocal) return
    const value = binding.value
    if (value.k === 'sym' && value.s === scope.owner) return
    if (value.k === 'sym' || value.k === 'imp') this.#file.refer(scope, 'references', value, node, name)
  }

  /** The object before a dot: a class, an object or an imported value that is used, but not what is called. */
  #visitObject(member: SyntaxNode, scope: Scope): void {
    const object = childOf(member, 'object')
    if (object !== undefined) this.visit(object, scope)
    const property = childOf(member, 'property')
    if (member['computed'] === true && property !== undefined) this.visit(property, scope)
  }

  #visitMember(node: SyntaxNode, scope: Scope): void {
    const value = this.#values.value(node, scope)
    const root = rootOf(value)
    if (root.k !== 'glob' && value.k === 'get')
      this.#file.refer(scope, 'references', value, childOf(node, 'property') ?? node, nameOf(node))
    this.#visitObject(node, scope)
  }

  #visitCall(node: SyntaxNode, scope: Scope): void {
    const required = this.#values.requireSource(node, scope)
    if (required !== undefined) {
      this.#scopes.addImport(node, required, [])
      return
    }
    const callee = unwrap(childOf(node, 'callee'))
    if (callee === undefined) return
    this.#values.value(node, scope)
    if (callee.type === 'Super') {
      this.#file.refer(scope, 'calls', { k: 'get', o: scope.parentClass ?? literal, n: 'constructor' }, node, 'super')
    } else if (functionTypes.has(callee.type)) {
      this.visit(callee, scope)
    } else {
      const at = callee.type === 'MemberExpression' ? (childOf(callee, 'property') ?? callee) : callee
      this.#file.refer(scope, 'calls', this.#values.value(callee, scope), at, nameOf(callee))
      if (callee.type === 'MemberExpression') this.#visitObject(callee, scope)
      else if (callee.type !== 'Identifier') this.visit(callee, scope)
    }
    this.#visitArguments(node, scope)
    this.#routesOf(node, scope)
  }

  #routesOf(call: SyntaxNode, scope: Scope): void {
    if (mayDeclareRoutes(call)) this.#file.facts.routes.push(...routesOfCall(this.#routes, call, scope))
  }

  #visitArguments(node: SyntaxNode, scope: Scope): void {
    const types = childOf(node, 'typeArguments') ?? childOf(node, 'typeParameters')
    if (types !== undefined) this.#typeReferences.visitType(types, scope)
    childrenOf(node, 'arguments').forEach((argument, index) => {
      this.#values.argumentValue(argument, node, index, scope)
      this.visit(argument, scope)
    })
  }

  #visitObjectLiteral(node: SyntaxNode, scope: Scope): void {
    const self = this.#values.value(node, scope)
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
      if (value.type === 'FunctionExpression' && !this.#file.selves.has(value)) this.#file.selves.set(value, self)
      this.visit(value, scope)
    }
  }

  #visitElement(node: SyntaxNode, scope: Scope): void {
    const opening = childOf(node, 'openingElement')
    const name = opening === undefined ? undefined : childOf(opening, 'name')
    if (name !== undefined && opening !== undefined) {
      const isComponent = name.type === 'JSXMemberExpression' || /^[A-Z_$]/.test(textOf(name, 'name'))
      if (isComponent) this.#file.refer(scope, 'calls', this.#types.entityName(name, scope, true), name, nameOf(name))
      for (const attribute of childrenOf(opening, 'attributes')) {
        const value =
          attribute.type === 'JSXSpreadAttribute' ? childOf(attribute, 'argument') : childOf(attribute, 'value')
        if (value !== undefined) this.visit(value, scope)
      }
      this.#markComponent(scope.owner)
      this.#file.facts.routes.push(...routesOfElement(this.#routes, node, scope))
    }
    for (const child of childrenOf(node, 'children')) this.visit(child, scope)
  }

  /** A function with a capital name that makes elements is a component. */
  #markComponent(owner: number): void {
    const symbol = this.#file.facts.symbol(owner)
    if (symbol.kind === 'function' && /^[A-Z][a-z0-9A-Z]*$/.test(symbol.name)) {
      symbol.kind = 'component'
    }
  }
}
