/** Names and wrappings of syntax nodes, without regard to scope. */
import type { Value } from '../../core/facts.ts'
import { childOf, childrenOf, eachChild, isSyntaxNode, type SyntaxNode, textOf } from './syntax-tree.ts'

function isWrapper(type: string): boolean {
  return (
    type === 'TSNonNullExpression' ||
    type === 'ChainExpression' ||
    type === 'ParenthesizedExpression' ||
    type === 'TSInstantiationExpression'
  )
}

export function keyName(node: SyntaxNode): string {
  const key = childOf(node, 'key')
  if (key === undefined) return ''
  if (node['computed'] === true) return key.type === 'Literal' && typeof key['value'] === 'string' ? key['value'] : ''
  if (key.type === 'Identifier') return textOf(key, 'name')
  if (key.type === 'PrivateIdentifier') return `#${textOf(key, 'name')}`
  return key.type === 'Literal' ? String(key['value']) : ''
}

export function isConstAssertion(node: SyntaxNode): boolean {
  const annotation = childOf(node, 'typeAnnotation')
  return annotation?.type === 'TSTypeReference' && textOf(childOf(annotation, 'typeName'), 'name') === 'const'
}

export function importTypeSource(node: SyntaxNode): string {
  const source = childOf(node, 'source') ?? childOf(node, 'argument')
  return textOf(source, 'value') || textOf(source === undefined ? undefined : childOf(source, 'literal'), 'value')
}

export function nameOf(node: SyntaxNode | undefined): string {
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
      const object = nameOf(unwrap(childOf(node, 'object') ?? childOf(node, 'left')))
      const property = childOf(node, 'property') ?? childOf(node, 'right')
      const tail = node['computed'] === true ? '' : nameOf(property)
      if (tail === '') return object
      return object === '' || object.length > 80 ? tail : `${object}.${tail}`
    }
    case 'CallExpression':
      return ''
    default:
      return isWrapper(node.type) ? nameOf(childOf(node, 'expression')) : ''
  }
}

export function unwrap(node: SyntaxNode | undefined): SyntaxNode | undefined {
  let at = node
  while (at !== undefined && isWrapper(at.type)) at = childOf(at, 'expression')
  if (at?.type === 'TSSatisfiesExpression') return unwrap(childOf(at, 'expression'))
  if (at?.type === 'TSAsExpression' && isConstAssertion(at)) return unwrap(childOf(at, 'expression'))
  return at
}

export function rootOf(value: Value): Value {
  let at = value
  while (at.k === 'get') at = at.o
  return at
}

export function declaredNames(declaration: SyntaxNode): string[] {
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
