import type { Type, Value } from '../../core/facts.ts'
import { nothing, type Scope } from '../tree/scope.ts'
import type { TreeNode } from '../tree/tree-node.ts'
import {
  accessWords,
  commonShapes,
  field,
  firstOf,
  modifierText,
  named,
  nameOfType,
  pairs,
  typeKinds,
  wordOf,
} from './shapes.ts'
import type { TreeLanguage, TreeReader } from './tree-language.ts'

export const php: TreeLanguage = {
  ...commonShapes,
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
  hasBlockNames: false,
  ownVariables: /^\$/,
  captured: (node) => {
    if (node.type !== 'anonymous_function') return undefined
    // What is taken by reference has a sign before its name.
    return named(firstOf(node, 'anonymous_function_use_clause')).map((one) => one.text.replace(/^&\s*/, ''))
  },
  branches: new Map([
    [
      'compound_statement',
      /^(if_statement|else_clause|else_if_clause|for(each)?_statement|while_statement|catch_clause)$/,
    ],
  ]),
  callArguments: (node) =>
    named(field(node, 'arguments')).map((one) => (one.type === 'argument' ? (named(one)[0] ?? one) : one)),
  chosen: (node) =>
    node.type === 'match_expression'
      ? named(field(node, 'body')).map((one) => field(one, 'return_expression'))
      : commonShapes.chosen(node),
  isUnnamed: (node) => firstOf(node, 'anonymous_class') !== null,
  unnamedClass: (node) =>
    node.type === 'anonymous_class' ? (named(firstOf(node, 'base_clause'))[0] ?? null) : undefined,
  callee: (reader, node, scope) => {
    const name = node.type === 'function_call_expression' ? field(node, 'function') : null
    if (name?.type !== 'name') return undefined
    // A class and a function may share a name, and only the function is called.
    const meant = reader.name(name.text, scope)
    return meant.k === 'sym' && typeKinds.includes(reader.facts.symbol(meant.s).kind)
      ? { k: 'glob', n: name.text }
      : meant
  },
  value: phpValue,
  type: (reader, node) => (node.type === 'qualified_name' ? { k: 'ref', v: qualified(reader, node.text) } : undefined),
  visit: (visitor, node, scope) => {
    if (node.type === 'global_declaration') {
      for (const { text } of named(node)) scope.names.set(text, visitor.reader.ofFile(text))
      return false
    }
    if (node.type !== 'qualified_name') return false
    visitor.refer(scope, 'references', visitor.reader.value(node, scope), node, node.text, true)
    return true
  },
  parameters: (node) =>
    named(field(node, 'parameters')).flatMap((one) => {
      const name = field(one, 'name')
      return name === null
        ? []
        : [{ name: name.text, at: name, type: field(one, 'type'), value: field(one, 'default_value') }]
    }),
  documented,
  // What a trait brings goes before what the class above has, and that before what an interface asks for.
  heritage: (node) => [
    ...named(field(node, 'body')).flatMap((one) =>
      one.type === 'use_declaration'
        ? named(one)
            .filter((type) => type.type !== 'use_list')
            .map((type) => ({ type, relation: 'extends' as const }))
        : [],
    ),
    ...named(firstOf(node, 'base_clause')).map((type) => ({ type, relation: 'extends' as const })),
    ...named(firstOf(node, 'class_interface_clause')).map((type) => ({ type, relation: 'implements' as const })),
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
    node.type === 'enum_case'
      ? [{ name: field(node, 'name')?.text ?? '', at: node }]
      : node.type === 'property_promotion_parameter'
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

function phpValue(reader: TreeReader, node: TreeNode, scope: Scope): Value | undefined {
  if (node.type === 'qualified_name') return qualified(reader, node.text)
  if (node.type !== 'class_constant_access_expression') return undefined
  const [holder, name] = named(node)
  return holder === undefined || name === undefined
    ? nothing
    : { k: 'get', o: reader.value(holder, scope), n: name.text }
}

/** Of a comment that says types; what is looked for in it takes the square of its length at worst. */
const commentCharactersRead = 8192

const plainTypes =
  /^(?:null|void|bool|boolean|int|integer|float|double|string|array|iterable|mixed|object|callable|resource|true|false|never|list|[a-z]+-[a-z-]+|.*[^\w\\].*)$/

/** What the comment before a declaration says of the type of it, or of one of its parameters. */
function documented(
  reader: TreeReader,
  node: TreeNode,
  tag: 'var' | 'param' | 'return',
  name: string,
  scope: Scope,
): Type | undefined {
  let before = node.previousNamedSibling
  while (before?.type === 'attribute_list') before = before.previousNamedSibling
  const text =
    before?.type === 'comment' && before.text.startsWith('/**') ? before.text.slice(0, commentCharactersRead) : ''
  const after = tag === 'param' ? `\\s+(?:\\.\\.\\.)?&?${name.replace('$', '\\$')}\\b` : '(?=[\\s*])'
  const written = new RegExp(`@(?:phpstan-|psalm-)?${tag}\\s+((?:[^\\s<(]|<[^>]*>|\\([^)]*\\))+)${after}`).exec(
    text,
  )?.[1]
  if (written === undefined) return undefined
  const types = written
    .replace(/^\?/, '')
    .split('|')
    .flatMap((one) => documentedType(reader, one, scope) ?? [])
  return types.length > 1 ? { k: 'any-of', ts: types } : types[0]
}

function documentedType(reader: TreeReader, written: string, scope: Scope): Type | undefined {
  const text = written.replace(/<.*>$/s, '')
  if (text.endsWith('[]')) {
    const element = documentedType(reader, text.slice(0, -2), scope)
    return element === undefined ? undefined : { k: 'arr', e: element }
  }
  if (/^(?:\$this|static|self)$/.test(text)) {
    if (scope.type === undefined) return undefined
    const own: Type = { k: 'ref', v: { k: 'sym', s: scope.type } }
    return text === 'self' ? own : { k: 'param', n: 'static', b: own }
  }
  if (plainTypes.test(text)) return undefined
  return { k: 'ref', v: text.includes('\\') ? qualified(reader, text) : reader.name(text, scope, true) }
}

/** A name with a namespace before it: from the top, or from what a `use` or the file's own namespace says. */
function qualified(reader: TreeReader, text: string): Value {
  if (text.startsWith('\\')) return { k: 'mod', m: text.slice(1) }
  const [first = '', ...rest] = text.split('\\')
  const imported = reader.imported(first)
  if (imported?.k === 'mod') return { k: 'mod', m: [imported.m, ...rest].join('\\') }
  const around = reader.facts.packageName
  return { k: 'mod', m: around === undefined ? text : `${around}\\${text}` }
}
