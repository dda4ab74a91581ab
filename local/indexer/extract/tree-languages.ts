/** What a syntax tree means in each language that is read with a tree-sitter grammar. */
import type { Node } from 'web-tree-sitter'
import type { Language, NodeKind } from '../core/vocabulary.ts'

/** A name that a statement gives to a value, with what is written about it. */
export interface Naming {
  readonly name: string
  readonly at: Node
  readonly value?: Node | null
  readonly type?: Node | null
  /** One of several results, or one element of a list. */
  readonly isElement?: boolean
  /** A list of what the type says. */
  readonly isList?: boolean
}

interface HeritageFact {
  readonly type: Node
  readonly relation: 'extends' | 'implements'
}

export interface ImportedName {
  readonly specifier: string
  /** Undefined for the module itself. */
  readonly imported: string | undefined
  readonly local: string
}

interface CallShape {
  /** Field that holds the whole callee. */
  readonly callee?: string
  /** Fields of receiver and name, where the grammar keeps them apart. */
  readonly object?: string
  readonly name?: string
}

export interface TreeLanguage {
  readonly grammar: string
  readonly types: Readonly<Record<string, NodeKind>>
  readonly functions: ReadonlySet<string>
  readonly calls: Readonly<Record<string, CallShape>>
  readonly members: Readonly<Record<string, readonly [string, string]>>
  /** Expressions that make an instance, with the field of the type. */
  readonly creations: Readonly<Record<string, string>>
  readonly identifiers: ReadonlySet<string>
  readonly typeIdentifiers: ReadonlySet<string>
  /** Functions without a name. */
  readonly lambdas: ReadonlySet<string>
  readonly selfNames: ReadonlySet<string>
  readonly superNames: ReadonlySet<string>
  /** Whether a bare name in a method may be a member of its type. */
  readonly hasImplicitSelf: boolean
  /** Whether a type inside another reaches the members of the outer one by their bare names. */
  readonly hasOuterMembers: boolean
  /** Whether a called name is always a method, whatever a variable of that name holds. */
  readonly hasMethodNames: boolean
  /** Whether types have names of their own. */
  readonly hasTypeNames: boolean
  nameOf(node: Node): string
  parameters(node: Node): readonly Naming[]
  resultType(node: Node): Node | null
  heritage(node: Node): readonly HeritageFact[]
  /** What a function says of its type parameters. */
  bounds(node: Node): readonly { readonly name: string; readonly type: Node }[]
  /** Names a type leaves open. */
  typeParameters(node: Node): readonly string[]
  /** Names a statement of a function gives. */
  locals(node: Node): readonly Naming[]
  /** Fields a type declares by itself. */
  fields(node: Node): readonly Naming[]
  imports(node: Node): readonly ImportedName[] | undefined
  /** The type a method declared outside it belongs to. */
  receiver(node: Node): { readonly type: string; readonly self: string | undefined } | undefined
  isExported(name: string, node: Node): boolean
  visibility(node: Node): string | undefined
  packageName?(root: Node): string | undefined
}

export function field(node: Node, name: string): Node | null {
  return node.childForFieldName(name)
}

export function named(node: Node | null): Node[] {
  return node === null ? [] : node.namedChildren.filter((one) => one !== null)
}

function firstOf(node: Node, ...types: string[]): Node | null {
  return named(node).find((one) => types.includes(one.type)) ?? null
}

const none = {
  lambdas: new Set<string>(),
  hasOuterMembers: false,
  hasMethodNames: false,
  hasTypeNames: true,
  resultType: (node: Node) => field(node, 'return_type'),
  heritage: () => [],
  bounds: boundsOf,
  typeParameters: (node: Node) =>
    named(field(node, 'type_parameters')).flatMap((one) => typeParameterName(one)?.text ?? []),
  locals: () => [],
  fields: () => [],
  imports: () => undefined,
  receiver: () => undefined,
  visibility: () => undefined,
  isExported: () => true,
  nameOf: (node: Node) => field(node, 'name')?.text ?? '',
} satisfies Partial<TreeLanguage>

function boundsOf(node: Node): { name: string; type: Node }[] {
  return named(field(node, 'type_parameters')).flatMap((one) => {
    const name = typeParameterName(one)
    const bound = field(one, 'bounds') ?? firstOf(one, 'type_bound')
    const type = bound === null ? field(one, 'type') : named(bound)[0]
    return name === undefined || type === null || type === undefined ? [] : [{ name: name.text, type }]
  })
}

function typeParameterName(node: Node): Node | undefined {
  return /identifier$/.test(node.type) ? node : (field(node, 'name') ?? named(node)[0])
}

function modifierText(node: Node): string {
  return named(node)
    .filter((one) => /modifier/.test(one.type))
    .map((one) => one.text)
    .join(' ')
}

function wordOf(text: string, words: readonly string[]): string | undefined {
  return words.find((one) => new RegExp(`\\b${one}\\b`).test(text))
}

const accessWords = ['public', 'protected', 'private', 'internal']

const python: TreeLanguage = {
  ...none,
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
      if (one.type === 'typed_parameter')
        return [{ name: named(one)[0]?.text ?? '', at: one, type: field(one, 'type') }]
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

/** Parameters of a function without a name, in whichever of the common shapes the grammar has them. */
export function lambdaParameters(node: Node): Naming[] {
  const declarator = field(node, 'declarator')
  const list =
    field(node, 'parameters') ??
    (declarator === null ? null : field(declarator, 'parameters')) ??
    firstOf(node, 'block_parameters', 'closure_parameters', 'lambda_parameters')
  if (list === null) return []
  const isName = (one: Node): boolean => /^(identifier|implicit_parameter)$/.test(one.type)
  if (isName(list)) return [{ name: list.text, at: list }]
  return named(list).flatMap((one): Naming[] => {
    if (isName(one)) return [{ name: one.text, at: one }]
    const type = field(one, 'type')
    const names = one.childrenForFieldName('name').filter((name) => name !== null)
    if (names.length > 0) return names.map((name) => ({ name: name.text, at: name, type }))
    const name = field(one, 'pattern') ?? declaratorName(field(one, 'declarator'))
    return name === null ? [] : [{ name: name.text, at: name, type }]
  })
}

/** `a, b = c, d` and its kin: names with the value at the same place, or the parts of one value. */
function pairs(left: Node | null, right: Node | null, type: Node | null): Naming[] {
  if (left === null) return []
  const isName = (one: Node): boolean => /^(identifier|variable_name|constant|instance_variable)$/.test(one.type)
  if (isName(left)) return [{ name: left.text, at: left, value: right, type }]
  if (!/pattern|list|tuple/.test(left.type)) return []
  const targets = named(left)
  const values = right !== null && /list|tuple/.test(right.type) ? named(right) : []
  return targets.flatMap((one, index) => {
    if (!isName(one)) return []
    const value = values.length === targets.length ? values[index] : undefined
    return [
      value === undefined
        ? { name: one.text, at: one, value: right, isElement: true }
        : { name: one.text, at: one, value },
    ]
  })
}

const go: TreeLanguage = {
  ...none,
  grammar: 'go',
  types: { type_spec: 'struct' },
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
    const names = node.childrenForFieldName('name').filter((one) => one !== null)
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

const java: TreeLanguage = {
  ...none,
  grammar: 'java',
  types: {
    class_declaration: 'class',
    interface_declaration: 'interface',
    enum_declaration: 'enum',
    record_declaration: 'class',
    annotation_type_declaration: 'interface',
  },
  functions: new Set(['method_declaration', 'constructor_declaration']),
  calls: {
    method_invocation: { object: 'object', name: 'name' },
    explicit_constructor_invocation: { callee: 'constructor' },
  },
  lambdas: new Set(['lambda_expression']),
  members: { field_access: ['object', 'field'], scoped_type_identifier: ['', ''] },
  creations: { object_creation_expression: 'type' },
  identifiers: new Set(['identifier']),
  typeIdentifiers: new Set(['type_identifier']),
  selfNames: new Set(['this']),
  superNames: new Set(['super']),
  hasImplicitSelf: true,
  hasOuterMembers: true,
  hasMethodNames: true,
  resultType: (node) => field(node, 'type'),
  parameters: (node) =>
    named(field(node, 'parameters')).flatMap((one): Naming[] => {
      if (one.type === 'spread_parameter') {
        const name = field(firstOf(one, 'variable_declarator') ?? one, 'name')
        return name === null ? [] : [{ name: name.text, at: name, type: named(one)[0] ?? null, isList: true }]
      }
      const name = field(one, 'name')
      return name === null ? [] : [{ name: name.text, at: name, type: field(one, 'type') }]
    }),
  heritage: (node) => [
    ...named(field(node, 'superclass')).map((type) => ({ type, relation: 'extends' as const })),
    ...named(field(node, 'interfaces')).flatMap((list) =>
      named(list).map((type) => ({ type, relation: 'implements' as const })),
    ),
    ...named(firstOf(node, 'extends_interfaces')).flatMap((list) =>
      named(list).map((type) => ({ type, relation: 'extends' as const })),
    ),
  ],
  locals: (node) =>
    node.type === 'local_variable_declaration'
      ? declarators(node)
      : node.type === 'enhanced_for_statement'
        ? typedName(node)
        : node.type === 'instanceof_expression'
          ? nameOfType(field(node, 'name'), field(node, 'right'))
          : node.type === 'catch_formal_parameter'
            ? nameOfType(field(node, 'name'), named(firstOf(node, 'catch_type'))[0] ?? null)
            : node.type === 'type_pattern'
              ? nameOfType(named(node)[1] ?? null, named(node)[0] ?? null)
              : [],
  fields: (node) =>
    node.type === 'field_declaration'
      ? declarators(node)
      : node.type === 'enum_constant'
        ? [{ name: field(node, 'name')?.text ?? '', at: node }]
        : isRecordPart(node)
          ? nameOfType(field(node, 'name'), field(node, 'type'))
          : [],
  imports: (node) => {
    if (node.type !== 'import_declaration') return undefined
    const name = firstOf(node, 'scoped_identifier', 'identifier')?.text ?? ''
    if (firstOf(node, 'asterisk') !== null) return [{ specifier: name, imported: '*', local: '*' }]
    return [{ specifier: name, imported: undefined, local: name.split('.').at(-1) ?? '' }]
  },
  visibility: (node) => wordOf(modifierText(node), accessWords),
  isExported: (_name, node) => wordOf(modifierText(node), accessWords) === 'public',
  packageName: (root) => firstOf(firstOf(root, 'package_declaration') ?? root, 'scoped_identifier', 'identifier')?.text,
}

function nameOfType(name: Node | null, type: Node | null): Naming[] {
  return name === null ? [] : [{ name: name.text, at: name, type }]
}

/** A parameter in the head of a record is a field of it. */
function isRecordPart(node: Node): boolean {
  return /^(formal_)?parameter$/.test(node.type) && node.parent?.parent?.type === 'record_declaration'
}

function declarators(node: Node): Naming[] {
  const type = field(node, 'type')
  return named(node)
    .filter((one) => one.type === 'variable_declarator')
    .flatMap((one) => {
      const name = field(one, 'name')
      const value = field(one, 'value') ?? named(one).find((inner) => inner.id !== name?.id) ?? null
      return name === null ? [] : [{ name: name.text, at: name, type: isInferred(type) ? null : type, value }]
    })
}

function typedName(node: Node): Naming[] {
  const name = field(node, 'name') ?? field(node, 'left')
  const type = field(node, 'type')
  const value = field(node, 'value') ?? field(node, 'right')
  if (name === null) return []
  return [
    isInferred(type) ? { name: name.text, at: name, value, isElement: true } : { name: name.text, at: name, type },
  ]
}

function isInferred(type: Node | null): boolean {
  return (
    type === null ||
    ['var', 'auto', 'implicit_type'].includes(type.text) ||
    type.type === 'implicit_type' ||
    type.type === 'placeholder_type_specifier'
  )
}

const csharp: TreeLanguage = {
  ...none,
  grammar: 'c-sharp',
  types: {
    class_declaration: 'class',
    interface_declaration: 'interface',
    struct_declaration: 'struct',
    enum_declaration: 'enum',
    record_declaration: 'class',
  },
  functions: new Set([
    'method_declaration',
    'constructor_declaration',
    'local_function_statement',
    'property_declaration',
    'operator_declaration',
  ]),
  calls: { invocation_expression: { callee: 'function' }, constructor_initializer: {} },
  lambdas: new Set(['lambda_expression', 'anonymous_method_expression']),
  members: {
    member_access_expression: ['expression', 'name'],
    conditional_access_expression: ['condition', ''],
    qualified_name: ['qualifier', 'name'],
  },
  creations: { object_creation_expression: 'type' },
  identifiers: new Set(['identifier']),
  typeIdentifiers: new Set(['identifier']),
  selfNames: new Set(['this']),
  superNames: new Set(['base']),
  hasImplicitSelf: true,
  hasOuterMembers: true,
  nameOf: (node) =>
    node.type === 'operator_declaration'
      ? `operator ${field(node, 'operator')?.text ?? ''}`
      : (field(node, 'name')?.text ?? ''),
  resultType: (node) => field(node, 'returns') ?? field(node, 'type'),
  parameters: java.parameters,
  bounds: (node) =>
    named(node)
      .filter((one) => one.type === 'type_parameter_constraints_clause')
      .flatMap((one) => {
        const type = field(firstOf(one, 'type_parameter_constraint') ?? one, 'type')
        const [name] = named(one)
        return name === undefined || type === null ? [] : [{ name: name.text, type }]
      }),
  heritage: (node) => named(firstOf(node, 'base_list')).map((type) => ({ type, relation: 'extends' as const })),
  typeParameters: (node) =>
    named(firstOf(node, 'type_parameter_list')).flatMap((one) => typeParameterName(one)?.text ?? []),
  locals: (node) =>
    node.type === 'variable_declaration'
      ? declarators(node)
      : node.type === 'foreach_statement'
        ? typedName(node)
        : /^(declaration_pattern|recursive_pattern|catch_declaration|declaration_expression)$/.test(node.type) &&
            !isInferred(field(node, 'type'))
          ? nameOfType(field(node, 'name'), field(node, 'type'))
          : [],
  fields: (node) =>
    node.type === 'field_declaration'
      ? declarators(firstOf(node, 'variable_declaration') ?? node)
      : node.type === 'enum_member_declaration'
        ? [{ name: field(node, 'name')?.text ?? '', at: node }]
        : isRecordPart(node)
          ? nameOfType(field(node, 'name'), field(node, 'type'))
          : [],
  imports: (node) => {
    if (node.type !== 'using_directive') return undefined
    const name = named(node).at(-1)?.text ?? ''
    const alias = field(node, 'name')?.text
    return [
      alias === undefined
        ? { specifier: name, imported: '*', local: '*' }
        : { specifier: name, imported: undefined, local: alias },
    ]
  },
  visibility: java.visibility,
  isExported: java.isExported,
  packageName: (root) => {
    const found = firstOf(root, 'file_scoped_namespace_declaration', 'namespace_declaration')
    return found === null ? undefined : field(found, 'name')?.text
  },
}

const rust: TreeLanguage = {
  ...none,
  grammar: 'rust',
  types: {
    struct_item: 'struct',
    enum_item: 'enum',
    trait_item: 'trait',
    union_item: 'union',
    mod_item: 'module',
    type_item: 'type_alias',
  },
  functions: new Set(['function_item', 'function_signature_item']),
  calls: { call_expression: { callee: 'function' }, macro_invocation: { callee: 'macro' } },
  members: {
    field_expression: ['value', 'field'],
    scoped_identifier: ['path', 'name'],
    scoped_type_identifier: ['path', 'name'],
  },
  creations: { struct_expression: 'name' },
  lambdas: new Set(['closure_expression']),
  identifiers: new Set(['identifier']),
  typeIdentifiers: new Set(['type_identifier']),
  selfNames: new Set(['self', 'Self']),
  superNames: new Set(),
  hasImplicitSelf: false,
  parameters: (node) =>
    named(field(node, 'parameters')).flatMap((one) => {
      const pattern = field(one, 'pattern')
      return pattern?.type === 'identifier' ? [{ name: pattern.text, at: pattern, type: field(one, 'type') }] : []
    }),
  locals: (node) => {
    if (node.type === 'let_declaration' || node.type === 'let_condition') {
      const pattern = field(node, 'pattern')
      if (pattern?.type !== 'identifier') return patternNames(pattern, field(node, 'value'))
      return [{ name: pattern.text, at: pattern, type: field(node, 'type'), value: field(node, 'value') }]
    }
    if (node.type === 'const_item' || node.type === 'static_item') {
      const name = field(node, 'name')
      return name === null
        ? []
        : [{ name: name.text, at: name, type: field(node, 'type'), value: field(node, 'value') }]
    }
    if (node.type === 'match_arm') {
      const matched = node.parent?.parent
      return patternNames(named(field(node, 'pattern'))[0] ?? null, matched ? field(matched, 'value') : null)
    }
    if (node.type === 'for_expression') {
      const pattern = field(node, 'pattern')
      return pattern?.type === 'identifier'
        ? [{ name: pattern.text, at: pattern, value: field(node, 'value'), isElement: true }]
        : []
    }
    return []
  },
  fields: (node) =>
    node.type === 'field_declaration' || node.type === 'enum_variant'
      ? [{ name: field(node, 'name')?.text ?? '', at: node, type: field(node, 'type') }]
      : [],
  imports: (node) => (node.type === 'use_declaration' ? useNames(field(node, 'argument'), '') : undefined),
  isExported: (_name, node) => firstOf(node, 'visibility_modifier') !== null,
}

/** `Some(x)` and its kin take the content out; the names of a tuple are its parts. */
function patternNames(pattern: Node | null, value: Node | null): Naming[] {
  if (pattern === null) return []
  if (pattern.type === 'tuple_pattern') return pairs(pattern, value, null)
  const inner = named(pattern).at(-1)
  if (pattern.type !== 'tuple_struct_pattern' || inner?.type !== 'identifier') return []
  return /^(Some|Ok)$/.test(field(pattern, 'type')?.text ?? '')
    ? [{ name: inner.text, at: inner, value, isElement: true }]
    : [{ name: inner.text, at: inner }]
}

function useNames(node: Node | null, prefix: string): ImportedName[] {
  if (node === null) return []
  const path = (text: string): string => (prefix === '' ? text : `${prefix}::${text}`)
  const nameOf = (text: string, local: string): ImportedName => {
    const parts = path(text).split('::')
    const last = parts.pop() ?? ''
    return { specifier: parts.join('::'), imported: last, local }
  }
  switch (node.type) {
    case 'use_as_clause':
      return [nameOf(field(node, 'path')?.text ?? '', field(node, 'alias')?.text ?? '')]
    case 'use_list':
      return named(node).flatMap((one) => useNames(one, prefix))
    case 'scoped_use_list':
      return useNames(field(node, 'list'), path(field(node, 'path')?.text ?? ''))
    case 'use_wildcard':
      return [{ specifier: path(named(node)[0]?.text ?? ''), imported: '*', local: '*' }]
    case 'self':
      return [{ specifier: prefix, imported: undefined, local: prefix.split('::').at(-1) ?? '' }]
    default:
      return [nameOf(node.text, node.text.split('::').at(-1) ?? '')]
  }
}

function declaresFunction(node: Node | null): boolean {
  let at = node
  while (at !== null && /^(pointer|reference)_declarator$/.test(at.type))
    at = field(at, 'declarator') ?? named(at)[0] ?? null
  return at?.type === 'function_declarator'
}

function declaratorName(node: Node | null): Node | null {
  let at = node
  while (
    at !== null &&
    !/^(identifier|field_identifier|qualified_identifier|destructor_name|operator_name|type_identifier)$/.test(at.type)
  ) {
    at = field(at, 'declarator') ?? named(at).find((one) => /declarator|identifier/.test(one.type)) ?? null
  }
  return at
}

const cpp: TreeLanguage = {
  ...none,
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

/** `name ||= value` */
function isDefault(node: Node): boolean {
  return node.type === 'operator_assignment' && field(node, 'operator')?.text === '||='
}

const ruby: TreeLanguage = {
  ...none,
  grammar: 'ruby',
  types: { class: 'class', module: 'module' },
  functions: new Set(['method', 'singleton_method']),
  calls: { call: { object: 'receiver', name: 'method' } },
  members: { scope_resolution: ['scope', 'name'] },
  creations: {},
  identifiers: new Set(['identifier', 'constant', 'instance_variable']),
  lambdas: new Set(['block', 'do_block', 'lambda']),
  hasTypeNames: false,
  typeIdentifiers: new Set(['constant']),
  selfNames: new Set(['self']),
  superNames: new Set(),
  hasImplicitSelf: true,
  parameters: (node) =>
    named(field(node, 'parameters')).flatMap((one) =>
      one.type === 'identifier'
        ? [{ name: one.text, at: one }]
        : [{ name: field(one, 'name')?.text ?? '', at: one, value: field(one, 'value') }],
    ),
  heritage: (node) => [
    // What is included last is asked first, and before the class above.
    ...named(field(node, 'body'))
      .filter((one) => one.type === 'call' && /^(include|prepend|extend)$/.test(field(one, 'method')?.text ?? ''))
      .reverse()
      .flatMap((one) => named(field(one, 'arguments')).map((type) => ({ type, relation: 'extends' as const }))),
    ...named(field(node, 'superclass')).map((type) => ({ type, relation: 'extends' as const })),
  ],
  locals: (node) => {
    if (node.type === 'assignment' || isDefault(node)) return pairs(field(node, 'left'), field(node, 'right'), null)
    if (node.type !== 'rescue') return []
    const [type, ...others] = named(field(node, 'exceptions'))
    return others.length > 0 ? [] : nameOfType(named(field(node, 'variable'))[0] ?? null, type ?? null)
  },
  imports: (node) => {
    const method = node.type === 'call' ? field(node, 'method')?.text : undefined
    const [path] = method === 'require' || method === 'require_relative' ? named(field(node, 'arguments')) : []
    if (path?.type !== 'string') return undefined
    const text = path.text.replace(/^['"]|['"]$/g, '')
    return [{ specifier: method === 'require_relative' ? `./${text}` : text, imported: undefined, local: '' }]
  },
  fields: (node) =>
    node.type === 'assignment' && field(node, 'left')?.type === 'constant'
      ? pairs(field(node, 'left'), field(node, 'right'), null)
      : node.type === 'call' && /^attr_(reader|accessor)$/.test(field(node, 'method')?.text ?? '')
        ? named(field(node, 'arguments')).map((one) => ({ name: one.text.replace(/^:/, ''), at: one }))
        : [],
}

const php: TreeLanguage = {
  ...none,
  grammar: 'php',
  types: {
    class_declaration: 'class',
    interface_declaration: 'interface',
    trait_declaration: 'trait',
    enum_declaration: 'enum',
  },
  functions: new Set(['function_definition', 'method_declaration']),
  calls: {
    function_call_expression: { callee: 'function' },
    member_call_expression: { object: 'object', name: 'name' },
    nullsafe_member_call_expression: { object: 'object', name: 'name' },
    scoped_call_expression: { object: 'scope', name: 'name' },
  },
  members: {
    member_access_expression: ['object', 'name'],
    class_constant_access_expression: ['', ''],
    scoped_property_access_expression: ['scope', 'name'],
  },
  creations: { object_creation_expression: '' },
  lambdas: new Set(['arrow_function', 'anonymous_function']),
  identifiers: new Set(['name', 'variable_name', 'qualified_name']),
  typeIdentifiers: new Set(['name', 'qualified_name']),
  selfNames: new Set(['$this', 'self', 'static']),
  superNames: new Set(['parent']),
  hasImplicitSelf: false,
  parameters: (node) =>
    named(field(node, 'parameters')).flatMap((one) => {
      const name = field(one, 'name')
      return name === null ? [] : [{ name: name.text, at: name, type: field(one, 'type') }]
    }),
  heritage: (node) => [
    ...named(firstOf(node, 'base_clause')).map((type) => ({ type, relation: 'extends' as const })),
    ...named(firstOf(node, 'class_interface_clause')).map((type) => ({ type, relation: 'implements' as const })),
    ...named(field(node, 'body')).flatMap((one) =>
      one.type === 'use_declaration' ? named(one).map((type) => ({ type, relation: 'extends' as const })) : [],
    ),
  ],
  locals: (node) => {
    if (node.type === 'assignment_expression') return pairs(field(node, 'left'), field(node, 'right'), null)
    if (node.type === 'foreach_statement') {
      const [value, given] = named(node)
      const name = given?.type === 'pair' ? named(given).at(-1) : given
      return value === undefined || name?.type !== 'variable_name'
        ? []
        : [{ name: name.text, at: name, value, isElement: true }]
    }
    if (node.type === 'catch_clause') {
      const [type, ...others] = named(field(node, 'type'))
      return others.length > 0 ? [] : nameOfType(field(node, 'name'), type ?? null)
    }
    return []
  },
  fields: (node) =>
    node.type === 'property_promotion_parameter'
      ? [{ name: (field(node, 'name')?.text ?? '').replace(/^\$/, ''), at: node, type: field(node, 'type') }]
      : node.type !== 'property_declaration'
        ? []
        : named(node)
            .filter((one) => one.type === 'property_element')
            .map((one) => ({
              name: (named(one)[0]?.text ?? '').replace(/^\$/, ''),
              at: one,
              type: field(node, 'type'),
            })),
  imports: (node) => {
    if (node.type !== 'namespace_use_declaration') return undefined
    const group = firstOf(node, 'namespace_use_group')
    const prefix = group === null ? '' : `${firstOf(node, 'namespace_name')?.text ?? ''}\\`
    return named(group ?? node).flatMap((one) => {
      if (one.type !== 'namespace_use_clause') return []
      const [name] = named(one)
      const alias = field(one, 'alias')?.text
      const text = prefix + (name?.text ?? '').replace(/^\\/, '')
      return [{ specifier: text, imported: undefined, local: alias ?? text.split('\\').at(-1) ?? '' }]
    })
  },
  visibility: (node) => wordOf(modifierText(node), accessWords),
  packageName: (root) => {
    const found = firstOf(root, 'namespace_definition')
    return found === null ? undefined : field(found, 'name')?.text
  },
}

export const treeLanguages: Readonly<Partial<Record<Language, TreeLanguage>>> = {
  python,
  go,
  java,
  csharp,
  rust,
  c: cpp,
  cpp,
  ruby,
  php,
}
