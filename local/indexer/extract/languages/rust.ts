import type { FactBuilder } from '../fact-builder.ts'
import type { TreeNode } from '../tree/tree-node.ts'
import { functionOfMacro, macroArguments, withItemsOfMacros, withItemsOfOtherMacros } from './rust-macros.ts'
import { commonShapes, field, firstOf, named, namesInPattern, pairs } from './shapes.ts'
import type { ImportedName, Naming, TreeLanguage } from './tree-language.ts'

export const rust: TreeLanguage = {
  ...commonShapes,
  grammar: 'rust',
  types: {
    struct_item: 'struct',
    enum_item: 'enum',
    trait_item: 'trait',
    union_item: 'union',
    mod_item: 'module',
    type_item: 'type_alias',
  },
  functions: new Set(['function_item', 'function_signature_item', 'macro_definition']),
  hasOneOfAName: false,
  madeFunction: functionOfMacro,
  readable: withItemsOfMacros,
  opened: withItemsOfOtherMacros,
  // A macro has a name beside functions and types of that name.
  nameOf: (node) => `${field(node, 'name')?.text ?? ''}${node.type === 'macro_definition' ? '!' : ''}`,
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
  hasOpenFunctions: true,
  hasInnerImports: true,
  implementations: new Set(['impl_item']),
  // `mod net;` names a file; it is no module of this one.
  kindOf: (node, kind) => (kind === 'module' && field(node, 'body') === null ? undefined : kind),
  specifier: fromFile,
  value: (reader, node, scope) => {
    if (node.type === 'try_expression') return { k: 'elem', v: reader.value(named(node)[0], scope) }
    const isRoot = /^(self|super|crate)$/.test(node.type)
    if (!isRoot && node.type !== 'identifier') return undefined
    const { parent } = node
    if (parent === null || !parent.type.startsWith('scoped')) return undefined
    if (isRoot) return { k: 'mod', m: fromFile(node.text, reader.facts, scope.owner) }
    // A variable is no part of a path.
    const isFirst = node.text !== 'Self' && field(parent, 'path') === node
    const type = isFirst ? reader.typeOf(node, scope) : undefined
    return type?.k === 'ref' ? type.v : type === undefined ? undefined : { k: 'is', t: type }
  },
  visit: (visitor, node, scope, depth) => {
    if (node.type !== 'token_tree') return false
    for (const one of macroArguments(visitor, node)) visitor.visit(one, scope, depth + 1)
    return true
  },
  parameters: (node) =>
    named(field(node, 'parameters')).flatMap((one) => {
      const pattern = field(one, 'pattern')
      if (pattern?.type === 'identifier') return [{ name: pattern.text, at: pattern, type: field(one, 'type') }]
      return pattern === null ? [] : namesInPattern(pattern).map((name) => ({ name: name.text, at: name }))
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
      return pairs(field(node, 'pattern'), field(node, 'value'), null).map((one) => ({ ...one, isElement: true }))
    }
    return []
  },
  fields: (node) =>
    node.type === 'field_declaration' || node.type === 'enum_variant'
      ? [{ name: field(node, 'name')?.text ?? '', at: node, type: field(node, 'type') ?? parts(node) }]
      : [],
  parts,
  type: (reader, node, scope, depth) =>
    node.type === 'ordered_field_declaration_list'
      ? { k: 'tuple', ts: node.childrenForFieldName('type').map((one) => reader.typeOf(one, scope, depth + 1)) }
      : undefined,
  bounds: (node) => [
    ...commonShapes.bounds(node),
    ...named(firstOf(node, 'where_clause')).flatMap((one) => {
      const name = field(one, 'left')
      const type = named(field(one, 'bounds'))[0]
      return name?.type !== 'type_identifier' || type === undefined ? [] : [{ name: name.text, type }]
    }),
  ],
  lastValue: (body) => {
    const [only, ...others] = named(body)
    return others.length > 0 || /statement|declaration/.test(only?.type ?? '') ? undefined : only
  },
  callee: (reader, node, scope) => {
    const macro = node.type === 'macro_invocation' ? field(node, 'macro') : null
    if (macro === null) return undefined
    const name = `${field(macro, 'name')?.text ?? macro.text}!`
    const path = field(macro, 'path')
    return path === null ? reader.name(name, scope) : { k: 'get', o: reader.value(path, scope), n: name }
  },
  imports: (node) => {
    if (node.type === 'extern_crate_declaration') {
      const name = field(node, 'name')?.text ?? ''
      return [{ specifier: name, imported: undefined, local: field(node, 'alias')?.text ?? name }]
    }
    if (node.type === 'use_declaration') return useNames(field(node, 'argument'), '')
    if (node.type !== 'mod_item' || field(node, 'body') !== null) return undefined
    const name = field(node, 'name')?.text ?? ''
    return [{ specifier: `self::${name}`, imported: undefined, local: name }]
  },
  isExported: (_name, node) => firstOf(node, 'visibility_modifier') !== null,
}

/** What a struct or a variant without names of its fields is made of. */
function parts(node: TreeNode): TreeNode | null {
  return firstOf(node, 'ordered_field_declaration_list')
}

/** `Some(x)` and its kin take the content out; the names of a tuple are its parts; of others it is not told what they hold. */
function patternNames(pattern: TreeNode | null, value: TreeNode | null): Naming[] {
  if (pattern === null) return []
  const known = knownNames(pattern, value)
  const others = namesInPattern(pattern).filter((one) => known.every(({ name }) => name !== one.text))
  return [...known, ...others.map((at) => ({ name: at.text, at }))]
}

function knownNames(pattern: TreeNode, value: TreeNode | null): Naming[] {
  if (pattern.type === 'tuple_pattern') return pairs(pattern, value, null)
  const whole = nameOfPattern(pattern)
  if (whole !== undefined) return [{ name: whole.text, at: whole, value }]
  const type = field(pattern, 'type')
  if (pattern.type !== 'tuple_struct_pattern' || type === null) return []
  const parts = named(pattern).filter((one) => one !== type)
  if (/^(Some|Ok)$/.test(type.text)) {
    const inner = parts[0] === undefined ? undefined : nameOfPattern(parts[0])
    if (inner !== undefined) return [{ name: inner.text, at: inner, value, isElement: true }]
    return parts[0] === undefined ? [] : knownNames(parts[0], null)
  }
  // Behind `..` the places are not told.
  const rest = parts.findIndex((one) => one.type === 'remaining_field_pattern')
  return parts.slice(0, rest === -1 ? parts.length : rest).flatMap((one, part) => {
    const name = nameOfPattern(one)
    return name === undefined ? knownNames(one, null) : [{ name: name.text, at: name, value: type, part }]
  })
}

/** The name that a pattern gives to all that it meets. */
function nameOfPattern(pattern: TreeNode): TreeNode | undefined {
  if (/^(ref|mut|reference)_pattern$/.test(pattern.type)) {
    const inner = named(pattern).find((one) => one.type !== 'mutable_specifier')
    return inner === undefined ? undefined : nameOfPattern(inner)
  }
  return pattern.type === 'identifier' && /^[\p{Ll}_]/u.test(pattern.text) ? pattern : undefined
}

function useNames(node: TreeNode | null, prefix: string): ImportedName[] {
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

/** In a module inside a file, `self` is that module, and `super` the file or a module of it. */
function fromFile(specifier: string, facts: FactBuilder, owner: number): string {
  const around: string[] = []
  for (let at = owner; at !== 0; at = facts.symbol(at).parent)
    if (facts.symbol(at).kind === 'module') around.unshift(facts.symbol(at).name)
  const [first, ...rest] = specifier.split('::')
  if (around.length === 0 || (first !== 'self' && first !== 'super')) return specifier
  if (first === 'super') around.pop()
  for (; rest[0] === 'super' && around.length > 0; rest.shift()) around.pop()
  return ['self', ...around, ...rest].join('::')
}
