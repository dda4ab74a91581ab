/** References that are made where types are written. */

import type { ScriptFile } from './file.ts'
import { importTypeSource, nameOf } from './names.ts'
import type { Scope } from './scope.ts'
import type { ScriptScopes } from './scopes.ts'
import { childOf, eachChild, type SyntaxNode, textOf } from './syntax-tree.ts'
import type { ScriptTypes } from './types.ts'

export class ScriptTypeReferences {
  readonly #file: ScriptFile
  readonly #scopes: ScriptScopes
  readonly #types: ScriptTypes

  constructor(file: ScriptFile, scopes: ScriptScopes, types: ScriptTypes) {
    this.#file = file
    this.#scopes = scopes
    this.#types = types
  }

  visitTypeChildren(node: SyntaxNode, scope: Scope): void {
    eachChild(node, (child) => {
      if (child.type !== 'Identifier' || childOf(child, 'typeAnnotation') !== undefined) this.visitType(child, scope)
    })
  }

  visitType(node: SyntaxNode, scope: Scope): void {
    switch (node.type) {
      case 'TSTypeReference':
      case 'TSExpressionWithTypeArguments': {
        const name = childOf(node, 'typeName') ?? childOf(node, 'expression')
        if (name !== undefined) this.#referType(name, scope)
        const args = childOf(node, 'typeArguments') ?? childOf(node, 'typeParameters')
        if (args !== undefined) this.visitType(args, scope)
        return
      }
      case 'TSTypeQuery': {
        const name = childOf(node, 'exprName')
        if (name === undefined || name.type === 'TSImportType') return
        this.#file.refer(scope, 'references', this.#types.entityName(name, scope, true), name, nameOf(name))
        return
      }
      case 'TSImportType': {
        const specifier = importTypeSource(node)
        if (specifier !== '') this.#scopes.addImport(node, specifier, [])
        const type = this.#types.typeOf(node, scope)
        if (type.k === 'ref' && type.v.k === 'get') this.#file.refer(scope, 'references', type.v, node, type.v.n, true)
        return
      }
      case 'Identifier': {
        const annotation = childOf(node, 'typeAnnotation')
        if (annotation !== undefined) this.visitType(annotation, scope)
        return
      }
      case 'TSMappedType':
      case 'TSFunctionType':
      case 'TSConstructorType':
      case 'TSConditionalType': {
        const inner = this.#scopes.child(node, scope)
        this.#types.bindTypeParameters(node, inner)
        const key = childOf(node, 'key')
        if (key?.type === 'Identifier') inner.bindType(textOf(key, 'name'), { k: 'param', n: textOf(key, 'name') })
        this.#bindInferred(childOf(node, 'extendsType'), inner)
        this.visitTypeChildren(node, inner)
        return
      }
      default:
        this.visitTypeChildren(node, scope)
    }
  }

  #bindInferred(node: SyntaxNode | undefined, scope: Scope): void {
    if (node === undefined) return
    if (node.type === 'TSInferType') {
      const name = textOf(childOf(childOf(node, 'typeParameter') ?? node, 'name'), 'name')
      scope.bindType(name, { k: 'param', n: name })
    }
    eachChild(node, (child) => this.#bindInferred(child, scope))
  }

  #referType(name: SyntaxNode, scope: Scope): void {
    if (name.type === 'Identifier') {
      const text = textOf(name, 'name')
      const bound = scope.type(text)
      if (bound?.k === 'param' || text === 'const') return
      this.#file.refer(scope, 'references', bound?.k === 'ref' ? bound.v : { k: 'glob', n: text }, name, text, true)
      return
    }
    this.#file.refer(scope, 'references', this.#types.entityName(name, scope), name, nameOf(name), true)
  }
}
