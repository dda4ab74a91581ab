import { nothing } from '../tree/scope.ts'
import { commonShapes, field, named, typeKinds } from './shapes.ts'
import type { TreeLanguage } from './tree-language.ts'

export const go: TreeLanguage = {
  ...commonShapes,
  grammar: 'go',
  types: { type_spec: 'struct' },
  // A type made of another one has methods of its own.
  memberKinds: new Set([...typeKinds, 'type_alias']),
  wrappers: new Set(['type_declaration']),
  kindOf: (node) => {
    const type = field(node, 'type')?.type
    return type === 'interface_type' ? 'interface' : type === 'struct_type' ? 'struct' : 'type_alias'
  },
  value: (reader, node, scope) =>
    node.type === 'unary_expression' && node.text.startsWith('<-')
      ? { k: 'elem', v: reader.value(named(node)[0], scope) }
      : undefined,
  type: (reader, node, scope, depth) => {
    if (node.type !== 'map_type' && node.type !== 'channel_type') return undefined
    const element = field(node, 'value')
    return element === null ? undefined : { k: 'arr', e: reader.typeOf(element, scope, depth + 1) }
  },
  callValue: (reader, node, scope) => {
    if (field(node, 'function')?.text !== 'new' || reader.declares('new')) return undefined
    const [made] = named(field(node, 'arguments'))
    return made === undefined ? nothing : { k: 'is', t: reader.typeOf(made, scope) }
  },
  functions: new Set(['function_declaration', 'method_declaration', 'method_elem', 'method_spec']),
  // A call of a function with its type arguments reads like a conversion.
  calls: { call_expression: { callee: 'function' }, type_conversion_expression: { callee: 'type' } },
  members: { selector_expression: ['operand', 'field'], qualified_type: ['package', 'name'] },
  creations: { composite_literal: 'type' },
  identifiers: new Set(['identifier', 'package_identifier']),
  lambdas: new Set(['func_literal']),
  typeIdentifiers: new Set(['type_identifier']),
  selfNames: new Set(),
  superNames: new Set(),
  hasImplicitSelf: false,
  resultType: (node) => {
    const result = field(node, 'result')
    if (result?.type !== 'parameter_list') return result
    const [first] = named(result)
    return first === undefined ? null : field(first, 'type')
  },
  parameters: (node) =>
    named(field(node, 'parameters')).flatMap((one) =>
      one
        .childrenForFieldName('name')
        .flatMap((name) => (name === null ? [] : [{ name: name.text, at: name, type: field(one, 'type') }])),
    ),
  heritage: (node) => {
    const type = field(node, 'type')
    if (type?.type === 'struct_type') {
      return named(named(type)[0] ?? null)
        .filter((one) => one.type === 'field_declaration' && field(one, 'name') === null)
        .flatMap((one) => {
          const embedded = field(one, 'type')
          return embedded === null ? [] : [{ type: embedded, relation: 'extends' as const }]
        })
    }
    if (type?.type === 'interface_type') {
      return named(type)
        .filter((one) => one.type === 'type_elem' && named(one).length === 1)
        .flatMap((one) => named(one).map((inner) => ({ type: inner, relation: 'extends' as const })))
    }
    return []
  },
  locals: (node) => {
    if (node.type === 'short_var_declaration' || node.type === 'assignment_statement') {
      const left = named(field(node, 'left'))
      const right = named(field(node, 'right'))
      return left.flatMap((one, index) => {
        if (one.type !== 'identifier') return []
        const value = right.length === left.length ? right[index] : index === 0 ? right[0] : undefined
        return [{ name: one.text, at: one, value: value ?? null }]
      })
    }
    if (node.type === 'receive_statement') {
      const [at] = named(field(node, 'left'))
      return at === undefined ? [] : [{ name: at.text, at, value: field(node, 'right') }]
    }
    if (node.type === 'range_clause') {
      const names = named(field(node, 'left'))
      const at = names[1]
      return at === undefined ? [] : [{ name: at.text, at, value: field(node, 'right'), isElement: true }]
    }
    if (node.type === 'type_case') {
      const alias = node.parent === null ? undefined : named(field(node.parent, 'alias'))[0]
      const [type, ...others] = node.childrenForFieldName('type')
      return alias === undefined || type === undefined || type === null || others.length > 0
        ? []
        : [{ name: alias.text, at: alias, type }]
    }
    if (node.type === 'var_spec' || node.type === 'const_spec') {
      // A constant that says nothing of itself goes on with what the one before it said.
      let said = node
      while (said.type === 'const_spec' && field(said, 'value') === null && said.previousNamedSibling !== null)
        said = said.previousNamedSibling
      return node
        .childrenForFieldName('name')
        .flatMap((name) =>
          name === null
            ? []
            : [{ name: name.text, at: name, type: field(said, 'type'), value: named(field(node, 'value'))[0] ?? null }],
        )
    }
    return []
  },
  fields: (node) => {
    if (node.type !== 'field_declaration') return []
    const type = field(node, 'type')
    const names = node.childrenForFieldName('name')
    // What is embedded is a field by the name of its type.
    if (names.length === 0 && type !== null)
      return [{ name: type.text.replace(/\[.*$/s, '').replace(/^.*[.*]/, ''), at: node, type }]
    return names.map((name) => ({ name: name.text, at: name, type }))
  },
  imports: (node) => {
    if (node.type !== 'import_spec') return undefined
    const specifier = (field(node, 'path')?.text ?? '').replace(/^["`]|["`]$/g, '')
    const alias = field(node, 'name')?.text
    return [
      { specifier, imported: undefined, local: alias === '_' ? '' : (alias ?? specifier.split('/').at(-1) ?? '') },
    ]
  },
  receiver: (node) => {
    if (node.type !== 'method_declaration') return undefined
    const [parameter] = named(field(node, 'receiver'))
    const type = parameter === undefined ? null : field(parameter, 'type')
    const name = type?.text.replace(/^\*/, '').replace(/\[.*$/, '')
    return name === undefined
      ? undefined
      : { type: name, self: parameter === undefined ? undefined : field(parameter, 'name')?.text }
  },
  isExported: (name) => /^\p{Lu}/u.test(name),
}
