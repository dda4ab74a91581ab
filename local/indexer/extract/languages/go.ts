import type { Value } from '../../core/facts.ts'
import { nothing } from '../tree/scope.ts'
import type { TreeNode } from '../tree/tree-node.ts'
import { commonShapes, field, named, typeKinds } from './shapes.ts'
import type { Naming, TreeLanguage } from './tree-language.ts'

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
  predeclared:
    /^(_|any|append|bool|byte|cap|clear|close|comparable|complex(64|128)?|copy|delete|error|float(32|64)|imag|init|len|make|max|min|new|panic|print(ln)?|real|recover|rune|string|u?int(8|16|32|64)?|uintptr)$/,
  memberNamed: (reader, name, scope) => {
    // What a switch of types gives a name.
    if (name.parent?.parent?.type === 'type_switch_statement' && field(name.parent.parent, 'alias') === name.parent)
      return nothing
    const type = typeOfKey(name)
    if (type === undefined) return undefined
    if (!/^(type_identifier|qualified_type|generic_type)$/.test(type.type)) return nothing
    const member: Value = { k: 'get', o: { k: 'is', t: reader.typeOf(type, scope) }, n: name.text }
    // A type of the package may be a map, whose keys are values.
    return type.type === 'type_identifier' ? { k: 'alt', v: [member, reader.name(name.text, scope)], first: 1 } : member
  },
  resultType: (node) => {
    const result = field(node, 'result')
    if (result?.type !== 'parameter_list') return result
    const [first] = named(result)
    return first === undefined ? null : field(first, 'type')
  },
  // A result that has a name is a variable too.
  parameters: (node) => [
    ...namesIn(field(node, 'parameters')),
    ...namesIn(field(node, 'result')).map((one) => ({ ...one, position: -1 })),
  ],
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
      return named(field(node, 'left')).map((at, part) => ({
        name: at.text,
        at,
        value: part === 0 ? field(node, 'right') : null,
      }))
    }
    if (node.type === 'range_clause') {
      const value = field(node, 'right')
      return named(field(node, 'left')).flatMap((at, part) =>
        at.type !== 'identifier'
          ? []
          : [part === 0 ? { name: at.text, at, value: null } : { name: at.text, at, value, isElement: true }],
      )
    }
    if (node.type === 'type_case') {
      const alias = node.parent === null ? undefined : named(field(node.parent, 'alias'))[0]
      const [type, ...others] = node.childrenForFieldName('type')
      if (alias === undefined) return []
      const isOne = type !== undefined && type !== null && others.length === 0
      return [{ name: alias.text, at: alias, ...(isOne ? { type } : { value: null }) }]
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

function namesIn(list: TreeNode | null): Naming[] {
  if (list?.type !== 'parameter_list') return []
  return named(list).flatMap((one) =>
    one
      .childrenForFieldName('name')
      .flatMap((name) => (name === null ? [] : [{ name: name.text, at: name, type: field(one, 'type') }])),
  )
}

/** The type of what is made where the name is a key of it; undefined where the name is none, or a value as the keys of maps are. */
function typeOfKey(name: TreeNode): TreeNode | undefined {
  const keyed = name.parent?.type === 'literal_element' ? name.parent.parent : null
  if (keyed?.type !== 'keyed_element' || field(keyed, 'key') !== name.parent) return undefined
  let made = keyed.parent
  let depth = 0
  for (; made !== null && made.type !== 'composite_literal'; made = made.parent)
    if (made.type === 'literal_value') depth += 1
  let type = made === null ? null : field(made, 'type')
  // What is made inside of a list or a map does not say its type again.
  for (; depth > 1 && type !== null; depth -= 1) type = field(type, 'element') ?? field(type, 'value')
  return type === null || /^(map|slice|array|implicit_length_array)_type$/.test(type.type) ? undefined : type
}
