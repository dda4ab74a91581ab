/** Classes, interfaces, aliases, enums and namespaces, with their members. */

import type { Symbol as CodeSymbol, Heritage, Type, Value } from '../../core/facts.ts'
import { clipSignature } from '../fact-builder.ts'
import { resultType } from '../result-type.ts'
import type { ScriptFile, ScriptReader } from './file.ts'
import { functionTypes } from './file.ts'
import type { ScriptFunctions } from './functions.ts'
import { keyName, nameOf, unwrap } from './names.ts'
import { type RouteSource, routesOfController } from './routes.ts'
import { Scope } from './scope.ts'
import type { ScriptScopes } from './scopes.ts'
import { childOf, childrenOf, eachChild, type SyntaxNode, textOf } from './syntax-tree.ts'
import type { ScriptTypes } from './types.ts'
import type { ScriptValues } from './values.ts'

/** So many forms of what is called are kept of one type. */
const formsMax = 24

export class ScriptDeclarations {
  readonly #file: ScriptFile
  readonly #scopes: ScriptScopes
  readonly #types: ScriptTypes
  readonly #values: ScriptValues
  readonly #functions: ScriptFunctions
  readonly #routes: RouteSource
  readonly #reader: ScriptReader

  constructor(
    file: ScriptFile,
    scopes: ScriptScopes,
    types: ScriptTypes,
    values: ScriptValues,
    functions: ScriptFunctions,
    routes: RouteSource,
    reader: ScriptReader,
  ) {
    this.#file = file
    this.#scopes = scopes
    this.#types = types
    this.#values = values
    this.#functions = functions
    this.#routes = routes
    this.#reader = reader
  }

  visitClass(node: SyntaxNode, scope: Scope, outer: SyntaxNode): void {
    let index = this.#file.symbolOf.get(node)
    if (index === undefined) {
      const name = textOf(childOf(node, 'id'), 'name')
      if (name === '') {
        eachChild(node, (child) => this.#reader.visit(child, scope))
        return
      }
      index = this.#file.declareSymbol('class', name, scope.owner, node, outer)
    }
    const symbol = this.#file.facts.symbol(index)
    if (node['abstract'] === true) symbol.abstract = true
    const inner = this.#scopes.child(node, scope, { owner: index })
    const names = this.#types.bindTypeParameters(node, inner)
    if (names.length > 0) symbol.typeParameters = names
    const own = textOf(childOf(node, 'id'), 'name')
    if (own !== '') this.#scopes.bindSymbol(inner, own, index, 'both')
    const typeParameters = childOf(node, 'typeParameters')
    if (typeParameters !== undefined) this.#reader.visitType(typeParameters, inner)
    const heritage: Heritage[] = []
    const superClass = childOf(node, 'superClass')
    if (superClass !== undefined) {
      const args = childOf(node, 'superTypeArguments') ?? childOf(node, 'superTypeParameters')
      heritage.push({
        value: this.#values.value(superClass, inner),
        relation: 'extends',
        line: this.#file.line(superClass.start),
        col: this.#file.column(superClass.start),
        name: nameOf(superClass),
        ...(args === undefined
          ? {}
          : { args: childrenOf(args, 'params').map((one) => this.#types.typeOf(one, inner)) }),
      })
      if (superClass.type === 'CallExpression') this.#reader.visit(superClass, inner)
      if (args !== undefined) this.#reader.visitType(args, inner)
    }
    for (const one of childrenOf(node, 'implements')) heritage.push(...this.#heritageOf(one, 'implements', inner))
    if (heritage.length > 0) symbol.heritage = heritage
    const decorators = childrenOf(node, 'decorators')
    if (decorators.length > 0) symbol.decorators = decorators.map((one) => nameOf(childOf(one, 'expression')))
    for (const decorator of decorators) this.visitDecorator(decorator, inner)
    const members = childrenOf(childOf(node, 'body') ?? node, 'body')
    for (const member of members) this.#declareMember(member, index, inner)
    this.#scopes.settle()
    for (const member of members) this.#visitMember(member, index, inner)
    this.#file.facts.routes.push(
      ...routesOfController(this.#routes, node, (member) =>
        this.#file.symbolOf.get(childOf(member, 'value') ?? member),
      ),
    )
  }

  #heritageOf(node: SyntaxNode, relation: Heritage['relation'], scope: Scope): Heritage[] {
    const name = childOf(node, 'expression') ?? childOf(node, 'typeName')
    if (name === undefined) return []
    const args = this.#types.typeArguments(node, scope)
    const holder = childOf(node, 'typeArguments') ?? childOf(node, 'typeParameters')
    if (holder !== undefined) this.#reader.visitType(holder, scope)
    return [
      {
        value: this.#types.entityName(name, scope),
        relation,
        line: this.#file.line(node.start),
        col: this.#file.column(node.start),
        name: nameOf(name),
        ...(args === undefined ? {} : { args }),
      },
    ]
  }

  #declareMember(member: SyntaxNode, parent: number, scope: Scope): void {
    const isStatic = member['static'] === true
    const self: Value = { k: 'this', s: parent, ...(isStatic ? { c: 1 as const } : {}) }
    const parentClass: Value = { k: 'super', s: parent, ...(isStatic ? { c: 1 as const } : {}) }
    if (member.type === 'StaticBlock') {
      this.#scopes.child(member, scope, {
        self: { k: 'this', s: parent, c: 1 },
        parentClass: { k: 'super', s: parent, c: 1 },
        isFunction: true,
      })
      return
    }
    const key = keyName(member)
    const value = unwrap(childOf(member, 'value'))
    const flags: Partial<CodeSymbol> = { ...(isStatic ? { static: true } : {}) }
    const visibility = textOf(member, 'accessibility') || (key.startsWith('#') ? 'private' : '')
    if (visibility !== '') flags.visibility = visibility
    if (member.type.startsWith('TSAbstract')) flags.abstract = true
    if (member.type.includes('MethodDefinition') && key !== '') {
      const kind = textOf(member, 'kind')
      if (kind === 'get' || kind === 'set') flags.accessor = true
      const before = this.#file.facts.symbols.findIndex(
        (one, at) => at > parent && one.parent === parent && one.name === key && (one.static ?? false) === isStatic,
      )
      const target = value ?? member
      // A getter and its setter, or an overload and its implementation, are one member.
      if (before !== -1) {
        this.#file.symbolOf.set(target, before)
        const symbol = this.#file.facts.symbol(before)
        symbol.endLine = Math.max(symbol.endLine, this.#file.line(member.end - 1))
        if (symbol.endLine === this.#file.line(member.end - 1)) symbol.endCol = this.#file.column(member.end)
      } else this.#file.declareSymbol('method', key, parent, target, member, flags)
      const inner = this.#scopes.child(member, scope, { self, parentClass })
      this.#file.selves.set(target, self)
      if (kind === 'constructor' && value !== undefined) {
        for (const parameter of childrenOf(value, 'params')) {
          if (parameter.type !== 'TSParameterProperty') continue
          const target = childOf(parameter, 'parameter')
          const named = target?.type === 'AssignmentPattern' ? childOf(target, 'left') : target
          if (named === undefined) continue
          const annotation = this.#types.annotation(named, inner)
          this.#file.declareSymbol('property', textOf(named, 'name'), parent, named, parameter, {
            visibility: textOf(parameter, 'accessibility') || 'public',
            ...(annotation === undefined ? {} : { type: annotation }),
          })
        }
      }
      return
    }
    if ((member.type.includes('PropertyDefinition') || member.type.includes('AccessorProperty')) && key !== '') {
      const isFunction = value !== undefined && functionTypes.has(value.type)
      const annotation = this.#types.annotation(member, scope)
      this.#scopes.expect(value, annotation)
      const index = this.#file.declareSymbol(
        isFunction ? 'method' : 'property',
        key,
        parent,
        isFunction ? value : member,
        member,
        flags,
      )
      this.#file.symbolOf.set(member, index)
      const inner = this.#scopes.child(member, scope, { self, parentClass, owner: index, isFunction: true })
      if (value !== undefined) this.#file.selves.set(value, self)
      if (annotation !== undefined && !isFunction) this.#file.facts.symbol(index).type = annotation
      if (value?.type === 'ObjectExpression') this.#file.objectHolder.set(value, index)
      if (!isFunction && value !== undefined)
        this.#file.later.push(() => {
          this.#file.facts.symbol(index).value = this.#values.value(value, inner)
        })
    }
  }

  #visitMember(member: SyntaxNode, parent: number, scope: Scope): void {
    const inner = this.#file.scopes.get(member) ?? scope
    const value = unwrap(childOf(member, 'value'))
    const index = this.#file.symbolOf.get(value ?? member) ?? this.#file.symbolOf.get(member)
    const owned = index === undefined ? inner : new Scope(inner, { owner: index })
    const decorators = childrenOf(member, 'decorators')
    if (index !== undefined && decorators.length > 0) {
      this.#file.facts.symbol(index).decorators = decorators.map((one) => nameOf(childOf(one, 'expression')))
    }
    for (const decorator of decorators) this.visitDecorator(decorator, owned)
    if (member['computed'] === true) {
      const key = childOf(member, 'key')
      if (key !== undefined) this.#reader.visit(key, owned)
    }
    if (member.type === 'StaticBlock') {
      this.#scopes.hoist(childrenOf(member, 'body'), inner)
      this.#scopes.settle()
      for (const statement of childrenOf(member, 'body')) this.#reader.visit(statement, inner)
      return
    }
    const annotation = childOf(member, 'typeAnnotation')
    if (annotation !== undefined) this.#reader.visitType(annotation, owned)
    if (value !== undefined) {
      if (functionTypes.has(value.type)) {
        this.#functions.visitFunction(value, inner)
        if (
          index !== undefined &&
          this.#file.facts.symbol(index).accessor === true &&
          textOf(member, 'kind') === 'get'
        ) {
          const result = this.#functions.resultOf(value, inner)
          if (result !== undefined) this.#file.facts.symbol(index).result ??= result
        }
      } else this.#reader.visit(value, inner)
    }
    void parent
  }

  visitDecorator(decorator: SyntaxNode, scope: Scope): void {
    const expression = childOf(decorator, 'expression')
    if (expression === undefined) return
    const target = expression.type === 'CallExpression' ? childOf(expression, 'callee') : expression
    this.#file.refer(scope, 'decorates', this.#values.value(target, scope), expression, nameOf(target))
    if (expression.type === 'CallExpression') {
      childrenOf(expression, 'arguments').forEach((argument, index) => {
        this.#values.argumentValue(argument, expression, index, scope)
        this.#reader.visit(argument, scope)
      })
    }
  }

  visitInterface(node: SyntaxNode, scope: Scope): void {
    const index = this.#file.symbolOf.get(node)
    if (index === undefined) return
    const symbol = this.#file.facts.symbol(index)
    const inner = this.#scopes.child(node, scope, { owner: index })
    const names = this.#types.bindTypeParameters(node, inner)
    if (names.length > 0) symbol.typeParameters = names
    const heritage = childrenOf(node, 'extends').flatMap((one) => this.#heritageOf(one, 'extends', inner))
    if (heritage.length > 0) symbol.heritage = [...(symbol.heritage ?? []), ...heritage]
    const typeParameters = childOf(node, 'typeParameters')
    if (typeParameters !== undefined) this.#reader.visitType(typeParameters, inner)
    this.#declareSignatures(childrenOf(childOf(node, 'body') ?? node, 'body'), index, inner)
  }

  #declareSignatures(members: readonly SyntaxNode[], parent: number, scope: Scope): void {
    const known = new Map<string, number>()
    const forms: Type[] = []
    for (const member of members) {
      const key = keyName(member)
      const isMethod = member.type === 'TSMethodSignature'
      let owner = parent
      if (key !== '' && (isMethod || member.type === 'TSPropertySignature')) {
        const before = known.get(key)
        owner = before ?? this.#file.declareSymbol(isMethod ? 'method' : 'property', key, parent, member, member)
        known.set(key, owner)
        const symbol = this.#file.facts.symbol(owner)
        const inner = this.#scopes.child(member, scope, { owner })
        this.#types.bindTypeParameters(member, inner)
        const type = isMethod ? this.#types.returnType(member, inner) : this.#types.annotation(member, inner)
        if (type !== undefined) symbol.type ??= isMethod ? resultType(type) : type
        if (isMethod) {
          const types = childrenOf(member, 'params').map((one) => this.#types.annotation(one, inner) ?? null)
          if (types.some((one) => one !== null)) symbol.parameterTypes ??= types
        }
        this.#reader.visitTypeChildren(member, inner)
        continue
      }
      const inner = this.#scopes.child(member, scope, { owner })
      this.#types.bindTypeParameters(member, inner)
      if (member.type === 'TSCallSignatureDeclaration' && forms.length < formsMax)
        forms.push(this.#types.functionType(member, inner))
      this.#reader.visitTypeChildren(member, inner)
    }
    const [form] = forms
    if (form !== undefined)
      this.#file.facts.symbol(parent).type ??= forms.length > 1 ? { k: 'any-of', ts: forms } : form
  }

  visitAlias(node: SyntaxNode, scope: Scope): void {
    const index = this.#file.symbolOf.get(node)
    const type = childOf(node, 'typeAnnotation')
    if (index === undefined || type === undefined) return
    const inner = this.#scopes.child(node, scope, { owner: index })
    const names = this.#types.bindTypeParameters(node, inner)
    const symbol = this.#file.facts.symbol(index)
    if (names.length > 0) symbol.typeParameters = names
    const typeParameters = childOf(node, 'typeParameters')
    if (typeParameters !== undefined) this.#reader.visitType(typeParameters, inner)
    symbol.signature = clipSignature(this.#file.text.slice(node.start, Math.min(node.end, node.start + 400)))
    if (type.type === 'TSTypeLiteral') {
      this.#declareSignatures(childrenOf(type, 'members'), index, inner)
      return
    }
    symbol.type = this.#types.typeOf(type, inner)
    this.#reader.visitType(type, inner)
  }

  visitEnum(node: SyntaxNode, scope: Scope): void {
    const index = this.#file.symbolOf.get(node)
    if (index === undefined) return
    const members = childrenOf(childOf(node, 'body') ?? node, 'members')
    for (const member of members) {
      const id = childOf(member, 'id')
      const name = textOf(id, 'name') || textOf(id, 'value')
      if (name !== '') this.#file.declareSymbol('enum_member', name, index, member, member)
      const init = childOf(member, 'initializer')
      if (init !== undefined) this.#reader.visit(init, this.#scopes.child(member, scope, { owner: index }))
    }
  }

  visitNamespace(node: SyntaxNode, scope: Scope): void {
    const body = childOf(node, 'body')
    if (body === undefined) return
    const index = this.#file.symbolOf.get(node)
    const inner = this.#scopes.child(node, scope, {
      declaresSymbols: true,
      isFunction: true,
      ...(index === undefined ? {} : { owner: index }),
    })
    const statements = childrenOf(body, 'body')
    this.#scopes.hoist(statements, inner)
    this.#scopes.settle()
    for (const statement of statements) this.#reader.visit(statement, inner)
  }
}
