/** References that are made where types are written. */

import { ScriptDeclarations } from './script-declarations.ts'
import type { Scope } from './script-facts.ts'
import { importTypeSource, nameOf } from './script-names.ts'
import { childOf, eachChild, type SyntaxNode, textOf } from './syntax-tree.ts'

export abstract class ScriptTypeReferences extends ScriptDeclarations {
  protected override visitTypeChildren(node: SyntaxNode, scope: Scope): void {
    eachChild(node, (child) => {
      if (child.type !== 'Identifier' || childOf(child, 'typeAnnotation') !== undefined) this.visitType(child, scope)
    })
  }

  protected override visitType(node: SyntaxNode, scope: Scope): void {
    switch (node.type) {
      case 'TSTypeReference':
      case 'TSExpressionWithTypeArguments': {
        const name = childOf(node, 'typeName') ?? childOf(node, 'expression')
        if (name !== undefined) this.referType(name, scope)
        const args = childOf(node, 'typeArguments') ?? childOf(node, 'typeParameters')
        if (args !== undefined) this.visitType(args, scope)
        return
      }
      case 'TSTypeQuery': {
        const name = childOf(node, 'exprName')
        if (name === undefined || name.type === 'TSImportType') return
        this.refer(scope, 'references', this.entityName(name, scope, true), name, nameOf(name))
        return
      }
      case 'TSImportType': {
        const specifier = importTypeSource(node)
        if (specifier !== '') this.addImport(node, specifier, [])
        const type = this.typeOf(node, scope)
        if (type.k === 'ref' && type.v.k === 'get') this.refer(scope, 'references', type.v, node, type.v.n, true)
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
        const inner = this.child(node, scope)
        this.bindTypeParameters(node, inner)
        const key = childOf(node, 'key')
        if (key?.type === 'Identifier') inner.types.set(textOf(key, 'name'), { k: 'param', n: textOf(key, 'name') })
        this.bindInferred(childOf(node, 'extendsType'), inner)
        this.visitTypeChildren(node, inner)
        return
      }
      default:
        this.visitTypeChildren(node, scope)
    }
  }

  protected bindInferred(node: SyntaxNode | undefined, scope: Scope): void {
    if (node === undefined) return
    if (node.type === 'TSInferType') {
      const name = textOf(childOf(childOf(node, 'typeParameter') ?? node, 'name'), 'name')
      scope.types.set(name, { k: 'param', n: name })
    }
    eachChild(node, (child) => this.bindInferred(child, scope))
  }

  protected referType(name: SyntaxNode, scope: Scope): void {
    if (name.type === 'Identifier') {
      const text = textOf(name, 'name')
      const bound = this.lookupType(text, scope)
      if (bound?.k === 'param' || text === 'const') return
      this.refer(scope, 'references', bound?.k === 'ref' ? bound.v : { k: 'glob', n: text }, name, text, true)
      return
    }
    this.refer(scope, 'references', this.entityName(name, scope), name, nameOf(name), true)
  }
}
