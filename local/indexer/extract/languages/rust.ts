import type { Type, Value } from '../../core/facts.ts'
import type { FactBuilder } from '../fact-builder.ts'
import type { Scope } from '../tree/scope.ts'
import type { TreeNode } from '../tree/tree-node.ts'
import { functionOfMacro, macroArguments, withItemsOfMacros, withItemsOfOtherMacros } from './rust-macros.ts'
import { commonShapes, field, firstOf, named, namesInPattern } from './shapes.ts'
import type { ImportedName, Naming, PatternStep, TreeLanguage, TreeReader } from './tree-language.ts'

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
    associated_type: 'type_alias',
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
    const ofType = memberOfType(reader, node, scope)
    if (ofType !== undefined) return ofType
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
      const type = field(one, 'type')
      if (pattern?.type === 'identifier') return [{ name: pattern.text, at: pattern, type }]
      if (one.type !== 'parameter') return []
      return [{ name: '', at: one, type }, ...namesOf(pattern, { type, position: 0 })]
    }),
  lambdaParameters: (node) =>
    placesOf(field(node, 'parameters')).flatMap((one, position) =>
      one.type === 'parameter'
        ? namesOf(field(one, 'pattern'), { type: field(one, 'type'), position })
        : namesOf(one, { position }),
    ),
  locals: (node) => {
    if (node.type === 'let_declaration' || node.type === 'let_condition') {
      const pattern = field(node, 'pattern')
      if (pattern?.type !== 'identifier')
        return namesOf(pattern, { value: field(node, 'value'), type: field(node, 'type') })
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
      return namesOf(named(field(node, 'pattern'))[0] ?? null, { value: matched ? field(matched, 'value') : null })
    }
    if (node.type === 'for_expression') {
      return namesOf(field(node, 'pattern'), { value: field(node, 'value'), isElement: true })
    }
    return []
  },
  fields: (node) =>
    node.type === 'field_declaration' || node.type === 'enum_variant'
      ? [{ name: field(node, 'name')?.text ?? '', at: node, type: field(node, 'type') ?? parts(node) }]
      : [],
  parts,
  type: (reader, node, scope, depth) => {
    const below = (one: TreeNode): Type => reader.typeOf(one, scope, depth + 1)
    switch (node.type) {
      case 'ordered_field_declaration_list':
        return { k: 'tuple', ts: node.childrenForFieldName('type').map(below) }
      case 'trait_bounds':
      case 'bounded_type': {
        const ts = boundsIn(node).map(below)
        return ts.length === 1 ? ts[0] : { k: 'any-of', ts }
      }
      case 'higher_ranked_trait_bound':
        return below(field(node, 'type') ?? node)
      case 'function_type': {
        const result = field(node, 'return_type')
        return {
          ...{ k: 'fn', ps: named(field(node, 'parameters')).map((one) => below(field(one, 'type') ?? one)) },
          ...(result === null ? {} : { r: below(result) }),
        }
      }
      default:
        return undefined
    }
  },
  bounds: (node) =>
    [...named(field(node, 'type_parameters')), ...named(firstOf(node, 'where_clause'))].flatMap((one) => {
      const left = field(one, 'name') ?? field(one, 'left')
      const name = left?.type === 'higher_ranked_trait_bound' ? field(left, 'type') : left
      if (name?.type !== 'type_identifier') return []
      return boundsIn(field(one, 'bounds')).map((type) => ({ name: name.text, type }))
    }),
  heritage: (node) =>
    node.type === 'trait_item'
      ? boundsIn(field(node, 'bounds')).map((type): { type: TreeNode; relation: 'extends' } => ({
          type,
          relation: 'extends',
        }))
      : [],
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

/** `Type::<A>::name`, `<Type>::name` and `<Type as Trait>::name`, where what is open has what the trait says. */
function memberOfType(reader: TreeReader, node: TreeNode, scope: Scope): Value | undefined {
  if (!node.type.startsWith('scoped_')) return undefined
  const path = field(node, 'path')
  const n = field(node, 'name')?.text
  if (path === null || n === undefined || !/^(bracketed|generic)_type$/.test(path.type)) return undefined
  const [written = path] = path.type === 'bracketed_type' ? named(path) : []
  const isQualified = written.type === 'qualified_type'
  const type = reader.typeOf((isQualified ? field(written, 'type') : null) ?? written, scope)
  const alias = isQualified ? field(written, 'alias') : null
  const of: Value = { k: 'get', o: type.k === 'ref' ? type.v : { k: 'is', t: type }, n }
  if (alias === null) return of
  const trait = reader.typeOf(alias, scope)
  const said: Value = { k: 'get', o: trait.k === 'ref' ? trait.v : { k: 'is', t: trait }, n }
  const isOpen = type.k !== 'ref' || node.type === 'scoped_type_identifier'
  return isOpen ? said : { k: 'alt', v: [of, said], first: 1 }
}

/** What a struct or a variant without names of its fields is made of, and what a type that a trait leaves open is at least. */
function parts(node: TreeNode): TreeNode | null {
  return node.type === 'associated_type' ? field(node, 'bounds') : firstOf(node, 'ordered_field_declaration_list')
}

/** All that something is bound to be. */
function boundsIn(node: TreeNode | null): TreeNode[] {
  return named(node).filter((one) => !/^(lifetime|removed_trait_bound)$/.test(one.type))
}

/** Each name that a pattern gives, with the way to it; of what stands in several forms of it the way is not told. */
function patternNames(pattern: TreeNode | null, steps: readonly PatternStep[] = []): Naming[] {
  if (pattern === null) return []
  const inside = (one: TreeNode, step: PatternStep): Naming[] => patternNames(one, [...steps, step])
  switch (pattern.type) {
    case 'identifier':
      return /^[\p{Ll}_]/u.test(pattern.text) ? [{ name: pattern.text, at: pattern, steps }] : []
    case 'ref_pattern':
    case 'mut_pattern':
    case 'reference_pattern':
    case 'match_pattern':
    case 'captured_pattern':
      return named(pattern).flatMap((one) => (one === field(pattern, 'condition') ? [] : patternNames(one, steps)))
    case 'tuple_pattern':
      return placesOf(pattern).flatMap((one, part) => inside(one, part))
    case 'slice_pattern':
      return named(pattern).flatMap((one) => inside(one, 'inside'))
    case 'tuple_struct_pattern': {
      const type = field(pattern, 'type')
      const parts = placesOf(pattern).filter((one) => one !== type)
      if (type === null) return []
      if (/^(Option::|Result::)?(Some|Ok)$/.test(type.text)) return parts.flatMap((one) => inside(one, 'inside'))
      return parts.flatMap((one, part) => inside(one, { of: type, part }))
    }
    case 'struct_pattern': {
      const type = field(pattern, 'type')
      return named(pattern).flatMap((one) => {
        const name = field(one, 'name')
        if (type === null || one.type !== 'field_pattern' || name === null) return []
        const step: PatternStep = { of: type, field: name.text }
        const inner = field(one, 'pattern')
        return inner === null ? [{ name: name.text, at: name, steps: [...steps, step] }] : inside(inner, step)
      })
    }
    case 'or_pattern': {
      const known = named(pattern).flatMap((one) => patternNames(one, steps))
      const times = new Map<string, number>()
      for (const { name } of known) times.set(name, (times.get(name) ?? 0) + 1)
      return known.map((one) => (times.get(one.name) === 1 ? one : { name: one.name, at: one.at }))
    }
    default:
      return namesInPattern(pattern).map((at) => ({ name: at.text, at }))
  }
}

/** What stands at each place of a list, `_` as well. Behind `..` the places are not told. */
function placesOf(list: TreeNode | null): readonly TreeNode[] {
  const parts = list?.children.filter((one) => !/^([(),|]|.*_comment)$/.test(one.type)) ?? []
  const rest = parts.findIndex((one) => one.type === 'remaining_field_pattern')
  return rest === -1 ? parts : parts.slice(0, rest)
}

/** What the names are a part of. */
function namesOf(pattern: TreeNode | null, whole: Pick<Naming, 'value' | 'type' | 'isElement' | 'position'>): Naming[] {
  return patternNames(pattern).map((one) => (one.steps === undefined ? one : { ...whole, ...one }))
}

function useNames(node: TreeNode | null, prefix: string): ImportedName[] {
  if (node === null) return []
  const path = (text: string): string => (prefix === '' ? text : `${prefix}::${text}`)
  const nameOf = (text: string, local: string): ImportedName => {
    const parts = path(text).split('::')
    const last = parts.pop() ?? ''
    if (parts.length === 0) return { specifier: last, imported: undefined, local }
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
