import type { Node } from 'web-tree-sitter'
import { commonShapes, declaratorName, field, firstOf, isInferred, named } from './shapes.ts'
import type { TreeLanguage } from './tree-language.ts'

function declaresFunction(node: Node | null): boolean {
  let at = node
  while (at !== null && /^(pointer|reference)_declarator$/.test(at.type))
    at = field(at, 'declarator') ?? named(at)[0] ?? null
  return at?.type === 'function_declarator'
}

/** `auto& [key, one]` */
function structuredBinding(loop: Node): Node | null {
  const declarator = field(loop, 'declarator')
  return declarator?.type === 'structured_binding_declarator'
    ? declarator
    : declarator === null
      ? null
      : firstOf(declarator, 'structured_binding_declarator')
}

export const cpp: TreeLanguage = {
  ...commonShapes,
  grammar: 'cpp',
  types: {
    class_specifier: 'class',
    struct_specifier: 'struct',
    enum_specifier: 'enum',
    union_specifier: 'union',
    namespace_definition: 'namespace',
    alias_declaration: 'type_alias',
  },
  functions: new Set(['function_definition']),
  calls: { call_expression: { callee: 'function' } },
  members: { field_expression: ['argument', 'field'], qualified_identifier: ['scope', 'name'] },
  creations: { new_expression: 'type' },
  lambdas: new Set(['lambda_expression']),
  identifiers: new Set(['identifier', 'namespace_identifier']),
  typeIdentifiers: new Set(['type_identifier']),
  selfNames: new Set(['this']),
  superNames: new Set(),
  hasImplicitSelf: true,
  nameOf: (node) =>
    node.type === 'function_definition'
      ? ((declaratorName(field(node, 'declarator'))?.text ?? '').split('::').at(-1) ?? '')
      : (field(node, 'name')?.text ?? ''),
  resultType: (node) => field(node, 'type'),
  parameters: (node) => {
    let declarator = field(node, 'declarator')
    // What returns a reference has its declarator inside another one, without a field for it.
    while (declarator !== null && declarator.type !== 'function_declarator')
      declarator =
        field(declarator, 'declarator') ?? named(declarator).find((one) => /declarator/.test(one.type)) ?? null
    return named(declarator === null ? null : field(declarator, 'parameters')).flatMap((one) => {
      const name = declaratorName(field(one, 'declarator'))
      return name === null ? [] : [{ name: name.text, at: name, type: field(one, 'type') }]
    })
  },
  heritage: (node) =>
    named(firstOf(node, 'base_class_clause'))
      .filter((one) => /identifier|template_type/.test(one.type))
      .map((type) => ({ type, relation: 'extends' as const })),
  typeParameters: (node) =>
    node.parent?.type === 'template_declaration'
      ? named(field(node.parent, 'parameters')).flatMap((one) => named(one)[0]?.text ?? [])
      : [],
  locals: (node) => {
    if (node.type === 'for_range_loop') {
      const taken = structuredBinding(node)
      if (taken !== null)
        return named(taken).map((one, part) => ({
          name: one.text,
          at: one,
          value: field(node, 'right'),
          isElement: true,
          part,
        }))
      const name = declaratorName(field(node, 'declarator'))
      const type = field(node, 'type')
      return name === null
        ? []
        : [
            isInferred(type)
              ? { name: name.text, at: name, value: field(node, 'right'), isElement: true }
              : { name: name.text, at: name, type },
          ]
    }
    if (node.type !== 'declaration') return []
    const type = field(node, 'type')
    return node.childrenForFieldName('declarator').flatMap((one) => {
      // In a function `Type name(value)` makes a variable, though it reads like the declaration of a function.
      if (one === null || (one.type === 'function_declarator' && node.parent?.type !== 'compound_statement')) return []
      const name = declaratorName(one)
      return name === null
        ? []
        : [
            {
              name: name.text,
              at: name,
              type: isInferred(type) ? null : type,
              value: field(one, 'value') ?? field(node, 'value'),
            },
          ]
    })
  },
  fields: (node) => {
    if (node.type === 'enumerator') return [{ name: field(node, 'name')?.text ?? '', at: node }]
    if (node.type !== 'field_declaration') return []
    return node.childrenForFieldName('declarator').flatMap((one) => {
      // A member function that is only declared here is the one that is defined elsewhere.
      if (declaresFunction(one) && !/=\s*0\s*;?\s*$/.test(node.text)) return []
      const name = declaratorName(one)
      return name === null ? [] : [{ name: name.text, at: name, type: field(node, 'type') }]
    })
  },
  imports: (node) => {
    if (node.type !== 'preproc_include') return undefined
    const path = field(node, 'path')
    const specifier = (path?.text ?? '').replace(/^["<]|[">]$/g, '')
    return [{ specifier: path?.type === 'system_lib_string' ? `<${specifier}>` : specifier, imported: '*', local: '*' }]
  },
  receiver: (node) => {
    const name = node.type === 'function_definition' ? (declaratorName(field(node, 'declarator'))?.text ?? '') : ''
    const parts = name.split('::')
    return parts.length < 2 ? undefined : { type: parts.at(-2) ?? '', self: undefined }
  },
  isExported: (_name, node) =>
    !named(node).some((one) => one.type === 'storage_class_specifier' && one.text === 'static'),
}
