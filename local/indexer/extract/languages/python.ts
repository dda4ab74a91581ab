import type { Node } from 'web-tree-sitter'
import { commonShapes, field, firstOf, named, nameOfType, pairs } from './shapes.ts'
import type { Naming, TreeLanguage } from './tree-language.ts'

export const python: TreeLanguage = {
  ...commonShapes,
  grammar: 'python',
  types: { class_definition: 'class' },
  functions: new Set(['function_definition']),
  calls: { call: { callee: 'function' } },
  members: { attribute: ['object', 'attribute'] },
  creations: {},
  identifiers: new Set(['identifier']),
  typeIdentifiers: new Set(['identifier']),
  lambdas: new Set(['lambda']),
  hasTypeNames: false,
  selfNames: new Set(),
  superNames: new Set(),
  hasImplicitSelf: false,
  parameters: (node) =>
    named(field(node, 'parameters')).flatMap((one) => {
      if (one.type === 'identifier') return [{ name: one.text, at: one }]
      if (one.type === 'typed_parameter') return [typedParameter(one)]
      if (one.type === 'default_parameter' || one.type === 'typed_default_parameter') {
        return [{ name: field(one, 'name')?.text ?? '', at: one, type: field(one, 'type'), value: field(one, 'value') }]
      }
      return []
    }),
  heritage: (node) =>
    named(field(node, 'superclasses'))
      .filter((one) => one.type !== 'keyword_argument')
      .map((type) => ({ type, relation: 'extends' as const })),
  typeParameters: (node) => [
    ...named(field(node, 'type_parameters')).map((one) => one.text.replace(/[^\w].*$/s, '')),
    ...named(field(node, 'superclasses'))
      .filter((one) => one.type === 'subscript' && /^(\w+\.)?(Generic|Protocol)$/.test(field(one, 'value')?.text ?? ''))
      .flatMap((one) => named(one).slice(1))
      .map((one) => one.text),
  ],
  locals: (node) => {
    if (node.type === 'assignment') return pairs(field(node, 'left'), field(node, 'right'), field(node, 'type'))
    if (node.type === 'named_expression') return pairs(field(node, 'name'), field(node, 'value'), null)
    if (node.type === 'for_statement' || node.type === 'for_in_clause') {
      return pairs(field(node, 'left'), field(node, 'right'), null).map((one) => ({ ...one, isElement: true }))
    }
    if (node.type === 'as_pattern') {
      const [value] = named(node)
      const alias = field(node, 'alias')
      const type = value?.type === 'case_pattern' ? classOfPattern(value) : undefined
      if (type !== undefined) return nameOfType(alias ?? named(node)[1] ?? null, type)
      return alias === null || value === undefined ? [] : [{ name: alias.text, at: alias, value }]
    }
    return []
  },
  fields: (node) => {
    const assignment = node.type === 'expression_statement' ? firstOf(node, 'assignment') : null
    return assignment === null
      ? []
      : pairs(field(assignment, 'left'), field(assignment, 'right'), field(assignment, 'type'))
  },
  imports: (node) => {
    const aliased = (one: Node): { name: string; local: string | undefined } =>
      one.type === 'aliased_import'
        ? { name: field(one, 'name')?.text ?? '', local: field(one, 'alias')?.text }
        : { name: one.text, local: undefined }
    if (node.type === 'import_statement') {
      return node.childrenForFieldName('name').flatMap((one) => {
        if (one === null) return []
        const { name, local } = aliased(one)
        const [first = name] = name.split('.')
        return [
          { specifier: local === undefined ? first : name, imported: undefined, local: local ?? first },
          ...(local === undefined && name.includes('.') ? [{ specifier: name, imported: undefined, local: '' }] : []),
        ]
      })
    }
    if (node.type !== 'import_from_statement') return undefined
    const specifier = field(node, 'module_name')?.text ?? ''
    if (firstOf(node, 'wildcard_import') !== null) return [{ specifier, imported: '*', local: '*' }]
    return node.childrenForFieldName('name').flatMap((one) => {
      if (one === null) return []
      const { name, local } = aliased(one)
      return [{ specifier, imported: name, local: local ?? name }]
    })
  },
  isExported: (name) => !name.startsWith('_'),
}

/** `*all: T` is many of them, and so is `**named: T`. */
function typedParameter(node: Node): Naming {
  const [name] = named(node)
  const isSplat = /splat/.test(name?.type ?? '')
  return {
    name: (name?.text ?? '').replace(/^\*+/, ''),
    at: node,
    type: field(node, 'type'),
    ...(isSplat ? { isList: true, isKeyed: name?.type === 'dictionary_splat_pattern' } : {}),
  }
}

/** `case Ship() as ship` */
function classOfPattern(pattern: Node): Node | undefined {
  const [inner] = named(pattern)
  const name = inner?.type === 'class_pattern' ? named(inner)[0] : undefined
  return name === undefined || named(name).length !== 1 ? undefined : named(name)[0]
}
