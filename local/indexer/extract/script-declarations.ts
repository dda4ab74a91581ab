/** Classes, interfaces, aliases, enums and namespaces, with their members. */

import type { Symbol as CodeSymbol, Heritage, Value } from '../core/facts.ts'
import { clipSignature } from './fact-builder.ts'
import { functionTypes, type Scope } from './script-facts.ts'
import { ScriptFunctions } from './script-functions.ts'
import { keyName, nameOf, unwrap } from './script-names.ts'
import { routesOfController } from './script-routes.ts'
import { childOf, childrenOf, eachChild, type SyntaxNode, textOf } from './syntax-tree.ts'

export abstract class ScriptDeclarations extends ScriptFunctions {
  protected abstract visitTypeChildren(node: SyntaxNode, scope: Scope): void

  protected visitClass(node: SyntaxNode, scope: Scope, outer: SyntaxNode): void {
    let index = this.symbolOf.get(node)
    if (index === undefined) {
      const name = textOf(childOf(node, 'id'), 'name')
      if (name === '') {
        eachChild(node, (child) => this.visit(child, scope))
        return
      }
      index = this.declareSymbol('class', name, scope.owner, node, outer)
    }
    const symbol = this.facts.symbol(index)
    if (node['abstract'] === true) symbol.abstract = true
    const inner = this.child(node, scope, { owner: index })
    const names = this.bindTypeParameters(node, inner)
    if (names.length > 0) symbol.typeParameters = names
    const own = textOf(childOf(node, 'id'), 'name')
    if (own !== '') this.bindSymbol(inner, own, index, 'both')
    const typeParameters = childOf(node, 'typeParameters')
    if (typeParameters !== undefined) this.visitType(typeParameters, inner)
    const heritage: Heritage[] = []
    const superClass = childOf(node, 'superClass')
    if (superClass !== undefined) {
      const args = childOf(node, 'superTypeArguments') ?? childOf(node, 'superTypeParameters')
      heritage.push({
        value: this.value(superClass, inner),
        relation: 'extends',
        line: this.line(superClass.start),
        col: this.column(superClass.start),
        name: nameOf(superClass),
        ...(args === undefined ? {} : { args: childrenOf(args, 'params').map((one) => this.typeOf(one, inner)) }),
      })
      if (superClass.type === 'CallExpression') this.visit(superClass, inner)
      if (args !== undefined) this.visitType(args, inner)
    }
    for (const one of childrenOf(node, 'implements')) heritage.push(...this.heritageOf(one, 'implements', inner))
    if (heritage.length > 0) symbol.heritage = heritage
    const decorators = childrenOf(node, 'decorators')
    if (decorators.length > 0) symbol.decorators = decorators.map((one) => nameOf(childOf(one, 'expression')))
    for (const decorator of decorators) this.visitDecorator(decorator, inner)
    const members = childrenOf(childOf(node, 'body') ?? node, 'body')
    for (const member of members) this.declareMember(member, index, inner)
    this.settle()
    for (const member of members) this.visitMember(member, index, inner)
    this.facts.routes.push(
      ...routesOfController(this, node, inner, (member) => this.symbolOf.get(childOf(member, 'value') ?? member)),
    )
  }

  protected heritageOf(node: SyntaxNode, relation: Heritage['relation'], scope: Scope): Heritage[] {
    const name = childOf(node, 'expression') ?? childOf(node, 'typeName')
    if (name === undefined) return []
    const args = this.typeArguments(node, scope)
    const holder = childOf(node, 'typeArguments') ?? childOf(node, 'typeParameters')
    if (holder !== undefined) this.visitType(holder, scope)
    return [
      {
        value: this.entityName(name, scope),
        relation,
        line: this.line(node.start),
        col: this.column(node.start),
        name: nameOf(name),
        ...(args === undefined ? {} : { args }),
      },
    ]
  }

  protected declareMember(member: SyntaxNode, parent: number, scope: Scope): void {
    const isStatic = member['static'] === true
    const self: Value = { k: 'this', s: parent, ...(isStatic ? { c: 1 as const } : {}) }
    const parentClass: Value = { k: 'super', s: parent, ...(isStatic ? { c: 1 as const } : {}) }
    if (member.type === 'StaticBlock') {
      this.child(member, scope, {
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
      const before = this.facts.symbols.findIndex(
        (one, at) => at > parent && one.parent === parent && one.name === key && (one.static ?? false) === isStatic,
      )
      const target = value ?? member
      // A getter and its setter, or an overload and its implementation, are one member.
      if (before !== -1) {
        this.symbolOf.set(target, before)
        const symbol = this.facts.symbol(before)
        symbol.endLine = Math.max(symbol.endLine, this.line(member.end - 1))
        if (symbol.endLine === this.line(member.end - 1)) symbol.endCol = this.column(member.end)
      } else this.declareSymbol('method', key, parent, target, member, flags)
      const inner = this.child(member, scope, { self, parentClass })
      this.selves.set(target, self)
      if (kind === 'constructor' && value !== undefined) {
        for (const parameter of childrenOf(value, 'params')) {
          if (parameter.type !== 'TSParameterProperty') continue
          const target = childOf(parameter, 'parameter')
          const named = target?.type === 'AssignmentPattern' ? childOf(target, 'left') : target
          if (named === undefined) continue
          const annotation = this.annotation(named, inner)
          this.declareSymbol('property', textOf(named, 'name'), parent, named, parameter, {
            visibility: textOf(parameter, 'accessibility') || 'public',
            ...(annotation === undefined ? {} : { type: annotation }),
          })
        }
      }
      return
    }
    if ((member.type.includes('PropertyDefinition') || member.type.includes('AccessorProperty')) && key !== '') {
      const isFunction = value !== undefined && functionTypes.has(value.type)
      const annotation = this.annotation(member, scope)
      const index = this.declareSymbol(
        isFunction ? 'method' : 'property',
        key,
        parent,
        isFunction ? value : member,
        member,
        flags,
      )
      this.symbolOf.set(member, index)
      const inner = this.child(member, scope, { self, parentClass, owner: index, isFunction: true })
      if (value !== undefined) this.selves.set(value, self)
      if (annotation !== undefined && !isFunction) this.facts.symbol(index).type = annotation
      if (value?.type === 'ObjectExpression') this.objectHolder.set(value, index)
      if (!isFunction && value !== undefined)
        this.later.push(() => {
          this.facts.symbol(index).value = this.value(value, inner)
        })
    }
  }

  protected visitMember(member: SyntaxNode, parent: number, scope: Scope): void {
    const inner = this.scopes.get(member) ?? scope
    const value = unwrap(childOf(member, 'value'))
    const index = this.symbolOf.get(value ?? member) ?? this.symbolOf.get(member)
    const owned = index === undefined ? inner : { ...inner, owner: index }
    const decorators = childrenOf(member, 'decorators')
    if (index !== undefined && decorators.length > 0) {
      this.facts.symbol(index).decorators = decorators.map((one) => nameOf(childOf(one, 'expression')))
    }
    for (const decorator of decorators) this.visitDecorator(decorator, owned)
    if (member['computed'] === true) {
      const key = childOf(member, 'key')
      if (key !== undefined) this.visit(key, owned)
    }
    if (member.type === 'StaticBlock') {
      this.hoist(childrenOf(member, 'body'), inner)
      this.settle()
      for (const statement of childrenOf(member, 'body')) this.visit(statement, inner)
      return
    }
    const annotation = childOf(member, 'typeAnnotation')
    if (annotation !== undefined) this.visitType(annotation, owned)
    if (value !== undefined) {
      if (functionTypes.has(value.type)) {
        this.visitFunction(value, inner)
        if (index !== undefined && this.facts.symbol(index).accessor === true && textOf(member, 'kind') === 'get') {
          const result = this.resultOf(value, inner)
          if (result !== undefined) this.facts.symbol(index).result ??= result
        }
      } else this.visit(value, inner)
    }
    void parent
  }

  protected override visitDecorator(decorator: SyntaxNode, scope: Scope): void {
    const expression = childOf(decorator, 'expression')
    if (expression === undefined) return
    const target = expression.type === 'CallExpression' ? childOf(expression, 'callee') : expression
    this.refer(scope, 'decorates', this.value(target, scope), expression, nameOf(target))
    if (expression.type === 'CallExpression') {
      childrenOf(expression, 'arguments').forEach((argument, index) => {
        this.argumentValue(argument, expression, index, scope)
        this.visit(argument, scope)
      })
    }
  }

  protected visitInterface(node: SyntaxNode, scope: Scope): void {
    const index = this.symbolOf.get(node)
    if (index === undefined) return
    const symbol = this.facts.symbol(index)
    const inner = this.child(node, scope, { owner: index })
    const names = this.bindTypeParameters(node, inner)
    if (names.length > 0) symbol.typeParameters = names
    const heritage = childrenOf(node, 'extends').flatMap((one) => this.heritageOf(one, 'extends', inner))
    if (heritage.length > 0) symbol.heritage = [...(symbol.heritage ?? []), ...heritage]
    const typeParameters = childOf(node, 'typeParameters')
    if (typeParameters !== undefined) this.visitType(typeParameters, inner)
    this.declareSignatures(childrenOf(childOf(node, 'body') ?? node, 'body'), index, inner)
  }

  protected declareSignatures(members: readonly SyntaxNode[], parent: number, scope: Scope): void {
    const known = new Map<string, number>()
    for (const member of members) {
      const key = keyName(member)
      const isMethod = member.type === 'TSMethodSignature'
      let owner = parent
      if (key !== '' && (isMethod || member.type === 'TSPropertySignature')) {
        const before = known.get(key)
        owner = before ?? this.declareSymbol(isMethod ? 'method' : 'property', key, parent, member, member)
        known.set(key, owner)
        const symbol = this.facts.symbol(owner)
        const inner = this.child(member, scope, { owner })
        this.bindTypeParameters(member, inner)
        const type = isMethod ? this.returnType(member, inner) : this.annotation(member, inner)
        if (type !== undefined) symbol.type ??= type
        if (isMethod) {
          const types = childrenOf(member, 'params').map((one) => this.annotation(one, inner) ?? null)
          if (types.some((one) => one !== null)) symbol.parameterTypes ??= types
        }
        this.visitTypeChildren(member, inner)
        continue
      }
      const inner = this.child(member, scope, { owner })
      this.bindTypeParameters(member, inner)
      if (member.type === 'TSCallSignatureDeclaration') {
        const result = this.returnType(member, inner)
        if (result !== undefined) this.facts.symbol(parent).type ??= { k: 'fn', r: result }
      }
      this.visitTypeChildren(member, inner)
    }
  }

  protected visitAlias(node: SyntaxNode, scope: Scope): void {
    const index = this.symbolOf.get(node)
    const type = childOf(node, 'typeAnnotation')
    if (index === undefined || type === undefined) return
    const inner = this.child(node, scope, { owner: index })
    const names = this.bindTypeParameters(node, inner)
    const symbol = this.facts.symbol(index)
    if (names.length > 0) symbol.typeParameters = names
    const typeParameters = childOf(node, 'typeParameters')
    if (typeParameters !== undefined) this.visitType(typeParameters, inner)
    symbol.signature = clipSignature(this.text.slice(node.start, Math.min(node.end, node.start + 400)))
    if (type.type === 'TSTypeLiteral') {
      this.declareSignatures(childrenOf(type, 'members'), index, inner)
      return
    }
    symbol.type = this.typeOf(type, inner)
    this.visitType(type, inner)
  }

  protected visitEnum(node: SyntaxNode, scope: Scope): void {
    const index = this.symbolOf.get(node)
    if (index === undefined) return
    const members = childrenOf(childOf(node, 'body') ?? node, 'members')
    for (const member of members) {
      const id = childOf(member, 'id')
      const name = textOf(id, 'name') || textOf(id, 'value')
      if (name !== '') this.declareSymbol('enum_member', name, index, member, member)
      const init = childOf(member, 'initializer')
      if (init !== undefined) this.visit(init, this.child(member, scope, { owner: index }))
    }
  }

  protected visitNamespace(node: SyntaxNode, scope: Scope): void {
    const body = childOf(node, 'body')
    if (body === undefined) return
    const index = this.symbolOf.get(node)
    const inner = this.child(node, scope, {
      declaresSymbols: true,
      isFunction: true,
      ...(index === undefined ? {} : { owner: index }),
    })
    const statements = childrenOf(body, 'body')
    this.hoist(statements, inner)
    this.settle()
    for (const statement of statements) this.visit(statement, inner)
  }
}
