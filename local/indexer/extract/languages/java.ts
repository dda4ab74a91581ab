import type { Value } from '../../core/facts.ts'
import { nothing, type Scope } from '../tree/scope.ts'
import type { TreeNode } from '../tree/tree-node.ts'
import {
  accessWords,
  commonShapes,
  constructorCall,
  declarators,
  field,
  firstOf,
  isInferred,
  isRecordPart,
  modifierText,
  named,
  nameOfType,
  nameText,
  typedName,
  wordOf,
} from './shapes.ts'
import type { Naming, TreeLanguage, TreeReader } from './tree-language.ts'

export const java: TreeLanguage = {
  ...commonShapes,
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
  unnamedClass: (node) => {
    const made = node.type === 'class_body' ? node.parent : null
    return made?.type === 'object_creation_expression' ? field(made, 'type') : undefined
  },
  value: javaValue,
  type: (reader, node, scope, depth) => {
    const bound = node.type === 'wildcard' && node.text.includes('extends') ? named(node).at(-1) : undefined
    return bound === undefined ? undefined : reader.typeOf(bound, scope, depth + 1)
  },
  callee: (reader, node, scope) => {
    if (node.type === 'explicit_constructor_invocation') return constructorCall(node, scope)
    const object = field(node, 'object')
    const name = field(node, 'name')
    return object === null || name === null || object.type === 'super' || firstOf(node, 'super') === null
      ? undefined
      : { k: 'get', o: outerSuper(reader, object, scope), n: nameText(name) }
  },
  visit: (visitor, node, scope, depth) => {
    if (node.type !== 'method_reference') return false
    const [object, name] = named(node)
    const value = visitor.reader.value(node, scope)
    if (value.k === 'get') visitor.refer(scope, 'references', value, name ?? node, node.text)
    if (object !== undefined) visitor.visit(object, scope, depth + 1)
    return true
  },
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
        : node.type === 'resource'
          ? resourceName(node)
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
    if (node.children.some((one) => one.type === 'static')) {
      const at = name.lastIndexOf('.')
      return [{ specifier: name.slice(0, at), imported: name.slice(at + 1), local: name.slice(at + 1) }]
    }
    return [{ specifier: name, imported: undefined, local: name.split('.').at(-1) ?? '' }]
  },
  visibility: (node) => wordOf(modifierText(node), accessWords),
  isExported: (_name, node) => wordOf(modifierText(node), accessWords) === 'public',
  packageName: (root) => firstOf(firstOf(root, 'package_declaration') ?? root, 'scoped_identifier', 'identifier')?.text,
}

function javaValue(reader: TreeReader, node: TreeNode, scope: Scope): Value | undefined {
  switch (node.type) {
    case 'field_access': {
      // `Outer.this`
      const object = field(node, 'object')
      return object === null || field(node, 'field')?.type !== 'this'
        ? undefined
        : { k: 'is', t: { k: 'ref', v: reader.name(nameText(object), scope, true) } }
    }
    case 'method_reference': {
      const [object, name] = named(node)
      return object === undefined || name === undefined
        ? nothing
        : { k: 'get', o: reader.value(object, scope), n: name.text }
    }
    // `Outer.Inner` where a type is written.
    case 'scoped_type_identifier': {
      const [outer, inner] = named(node)
      if (outer === undefined || inner === undefined) return nothing
      const isPath = java.members[outer.type] !== undefined
      return { k: 'get', o: isPath ? reader.value(outer, scope) : reader.name(outer.text, scope, true), n: inner.text }
    }
    default:
      return undefined
  }
}

/** `Outer.super` is what an enclosing class inherits from; `Interface.super` the interface itself. */
function outerSuper(reader: TreeReader, named_: TreeNode, scope: Scope): Value {
  const outer = reader.name(nameText(named_), scope, true)
  return outer.k === 'sym' && reader.enclosingTypes(scope).includes(outer.s)
    ? { k: 'super', s: outer.s }
    : { k: 'is', t: { k: 'ref', v: outer } }
}

/** What `try (…)` opens. */
function resourceName(node: TreeNode): Naming[] {
  const name = field(node, 'name')
  const type = field(node, 'type')
  if (name === null) return []
  return [{ name: name.text, at: name, value: field(node, 'value'), type: isInferred(type) ? null : type }]
}
