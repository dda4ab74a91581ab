/** What type annotations say. */

import type { Type, Value } from '../../core/facts.ts'
import { alternativesMax, literal } from './file.ts'
import { importTypeSource, keyName } from './names.ts'
import type { Scope } from './scope.ts'
import { childOf, childrenOf, type SyntaxNode, textOf } from './syntax-tree.ts'

/** A value of the language itself that has members of its own, and is told apart from nothing where it is one of several. */
export const plainType: Type = { k: 'ref', v: { k: 'glob', n: 'string' } }

export class ScriptTypes {
  annotation(node: SyntaxNode, scope: Scope): Type | undefined {
    const annotation = childOf(node, 'typeAnnotation')
    const inner = annotation?.type === 'TSTypeAnnotation' ? childOf(annotation, 'typeAnnotation') : annotation
    return inner === undefined ? undefined : this.typeOf(inner, scope)
  }

  typeArguments(node: SyntaxNode, scope: Scope): Type[] | undefined {
    const holder = childOf(node, 'typeArguments') ?? childOf(node, 'typeParameters')
    if (holder === undefined) return undefined
    return childrenOf(holder, 'params').map((one) => this.typeOf(one, scope))
  }

  typeOf(node: SyntaxNode, scope: Scope, depth = 0): Type {
    const unknown: Type = { k: 'ref', v: literal }
    if (depth > 12) return unknown
    switch (node.type) {
      case 'TSTypeReference':
      case 'TSExpressionWithTypeArguments':
      case 'TSInterfaceHeritage':
      case 'TSClassImplements': {
        const name = childOf(node, 'typeName') ?? childOf(node, 'expression')
        if (name === undefined) return unknown
        const args = this.typeArguments(node, scope)
        if (name.type === 'Identifier') {
          const bound = scope.type(textOf(name, 'name'))
          if (bound?.k === 'param') return bound
          if (bound !== undefined) return args === undefined || bound.k !== 'ref' ? bound : { ...bound, a: args }
          return { k: 'ref', v: { k: 'glob', n: textOf(name, 'name') }, ...(args === undefined ? {} : { a: args }) }
        }
        return { k: 'ref', v: this.entityName(name, scope), ...(args === undefined ? {} : { a: args }) }
      }
      case 'TSArrayType': {
        const element = childOf(node, 'elementType')
        return element === undefined ? unknown : { k: 'arr', e: this.typeOf(element, scope, depth + 1) }
      }
      case 'TSTupleType': {
        const elements = childrenOf(node, 'elementTypes').map((one) => this.typeOf(one, scope, depth + 1))
        return { k: 'tuple', ts: elements }
      }
      case 'TSNamedTupleMember': {
        const element = childOf(node, 'elementType')
        return element === undefined ? unknown : this.typeOf(element, scope, depth + 1)
      }
      case 'TSTypeOperator': {
        const inner = childOf(node, 'typeAnnotation')
        return inner === undefined || textOf(node, 'operator') === 'keyof'
          ? unknown
          : this.typeOf(inner, scope, depth + 1)
      }
      case 'TSUnionType':
      case 'TSIntersectionType': {
        const types = childrenOf(node, 'types').slice(0, alternativesMax)
        const isUnion = node.type === 'TSUnionType'
        return {
          k: 'any-of',
          ts: types.map((one) => (isUnion && isPlain(one) ? plainType : this.typeOf(one, scope, depth + 1))),
        }
      }
      case 'TSOptionalType':
      case 'TSParenthesizedType': {
        const inner = childOf(node, 'typeAnnotation')
        return inner === undefined ? unknown : this.typeOf(inner, scope, depth + 1)
      }
      case 'TSFunctionType':
      case 'TSConstructorType':
        return this.functionType(node, scope)
      case 'TSTypeLiteral': {
        const p = new Map<string, Type>()
        for (const member of childrenOf(node, 'members')) {
          const key = keyName(member)
          if (key === '') continue
          if (member.type === 'TSPropertySignature') p.set(key, this.annotation(member, scope) ?? unknown)
          if (member.type === 'TSMethodSignature') p.set(key, this.functionType(member, scope))
        }
        return { k: 'obj', p }
      }
      case 'TSTypeQuery': {
        const name = childOf(node, 'exprName')
        if (name?.type === 'TSImportType') return { k: 'of', v: { k: 'mod', m: importTypeSource(name) } }
        return name === undefined ? unknown : { k: 'of', v: this.entityName(name, scope, true) }
      }
      case 'TSImportType': {
        const qualifier = childOf(node, 'qualifier')
        const root: Value = { k: 'mod', m: importTypeSource(node) }
        return { k: 'ref', v: qualifier === undefined ? root : this.entityName(qualifier, scope, false, root) }
      }
      case 'TSIndexedAccessType': {
        const object = childOf(node, 'objectType')
        const index = childOf(childOf(node, 'indexType') ?? node, 'literal')
        if (object !== undefined && typeof index?.['value'] === 'string') {
          return { k: 'get', t: this.typeOf(object, scope, depth + 1), n: index['value'] }
        }
        return unknown
      }
      default:
        return unknown
    }
  }

  /** What is called as this says: a type of a function, or one form of it among the members of a type. */
  functionType(node: SyntaxNode, scope: Scope): Type {
    const result = this.returnType(node, scope)
    const ps = childrenOf(node, 'params').map((one) => this.annotation(one, scope) ?? null)
    return { k: 'fn', ps, ...(result === undefined ? {} : { r: result }) }
  }

  entityName(node: SyntaxNode, scope: Scope, asValue = false, root?: Value): Value {
    if (node.type === 'Identifier' || node.type === 'JSXIdentifier') {
      const name = textOf(node, 'name')
      if (root !== undefined) return { k: 'get', o: root, n: name }
      if (!asValue) {
        const bound = scope.type(name)
        if (bound?.k === 'ref') return bound.v
      }
      return scope.binding(name)?.value ?? { k: 'glob', n: name }
    }
    const left = childOf(node, 'left') ?? childOf(node, 'object')
    const right = childOf(node, 'right') ?? childOf(node, 'property')
    if (left === undefined || right === undefined) return literal
    return { k: 'get', o: this.entityName(left, scope, asValue, root), n: textOf(right, 'name') }
  }

  returnType(node: SyntaxNode, scope: Scope): Type | undefined {
    const annotation = childOf(node, 'returnType')
    const inner = annotation === undefined ? undefined : childOf(annotation, 'typeAnnotation')
    if (inner === undefined || inner.type === 'TSTypePredicate') return undefined
    if (inner.type === 'TSThisType') return undefined
    return this.typeOf(inner, scope)
  }

  bindTypeParameters(node: SyntaxNode, scope: Scope): string[] {
    const names: string[] = []
    for (const parameter of childrenOf(childOf(node, 'typeParameters') ?? node, 'params')) {
      if (parameter.type !== 'TSTypeParameter') continue
      const name = textOf(childOf(parameter, 'name'), 'name')
      names.push(name)
      const bound = childOf(parameter, 'constraint')
      scope.bindType(name, { k: 'param', n: name })
      if (bound !== undefined) scope.bindType(name, { k: 'param', n: name, b: this.typeOf(bound, scope) })
    }
    return names
  }
}

function isPlain(type: SyntaxNode): boolean {
  if (type.type === 'TSLiteralType' || type.type === 'TSTemplateLiteralType') return true
  return /^TS(String|Number|Boolean|BigInt|Symbol)Keyword$/.test(type.type)
}
