import type { Type, Value } from '../../core/facts.ts'
import { childScope, eitherOf, type Scope } from '../tree/scope.ts'
import { takenOut } from '../tree/taken-out.ts'
import type { TreeNode } from '../tree/tree-node.ts'
import { commonShapes, field, firstOf, named, nameOfType, pairs } from './shapes.ts'
import type { Naming, TreeLanguage, TreeReader, TreeVisitor } from './tree-language.ts'

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
  hasBlockNames: false,
  branches: new Map([
    ['block', /^(if_statement|elif_clause|else_clause|for_statement|while_statement|except_clause|case_clause)$/],
  ]),
  wrappers: new Set(['decorated_definition']),
  passingOn: new Set(['enumerate', 'zip', 'list', 'sorted', 'reversed', 'set', 'tuple', 'iter', 'next']),
  decorators: (outer) =>
    outer.type === 'decorated_definition' ? named(outer).filter((one) => one.type === 'decorator') : [],
  firstParameter: (decorators) =>
    decorators.includes('staticmethod') ? undefined : decorators.includes('classmethod') ? 'type' : 'instance',
  topLevel: (node) =>
    node.parent?.type === 'block' && node.parent.parent?.type !== 'module' ? [] : python.locals(node),
  publicNames,
  innerDoc: docstring,
  isNamingAbove: (node) => field(node, 'function')?.text === 'super',
  callValue: (_reader, node, scope) =>
    field(node, 'function')?.text === 'super' && scope.type !== undefined ? { k: 'super', s: scope.type } : undefined,
  value: pythonValue,
  type: pythonType,
  visit: (visitor, node, scope, depth) => {
    if (node.type === 'decorator') {
      const [expression] = named(node)
      const target = expression?.type === 'call' ? field(expression, 'function') : expression
      if (target !== null && target !== undefined)
        visitor.refer(scope, 'decorates', visitor.reader.value(target, scope), node, target.text)
      return false
    }
    if (node.type === 'identifier') {
      const method = visitor.reader.methodBefore(node, scope)
      // What is done in the body of a class is done by the class.
      if (method !== undefined)
        visitor.refer({ ...scope, owner: scope.type ?? 0 }, 'references', method, node, node.text)
      return method !== undefined
    }
    if (/comprehension|generator_expression/.test(node.type)) {
      const clauses = childScope(scope)
      for (const clause of named(node)) visitor.nameLocals(clause, clauses)
      for (const child of named(node)) visitor.visit(child, clauses, depth + 1)
      return true
    }
    return visitNarrowed(visitor, node, scope, depth)
  },
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
    const aliased = (one: TreeNode): { name: string; local: string | undefined } =>
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
function typedParameter(node: TreeNode): Naming {
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
function classOfPattern(pattern: TreeNode): TreeNode | undefined {
  const [inner] = named(pattern)
  const name = inner?.type === 'class_pattern' ? named(inner)[0] : undefined
  return name === undefined || named(name).length !== 1 ? undefined : named(name)[0]
}

/** A module that lists its public names makes all others its own. */
function publicNames(root: TreeNode): ReadonlySet<string> | undefined {
  let listed: ReadonlySet<string> | undefined
  for (const statement of named(root)) {
    const assignment = statement.type === 'expression_statement' ? named(statement)[0] : undefined
    if (assignment?.type !== 'assignment' || field(assignment, 'left')?.text !== '__all__') continue
    listed = new Set(named(field(assignment, 'right')).map((one) => unquoted(one.text)))
  }
  return listed
}

function unquoted(text: string): string {
  return text.replace(/^['"]|['"]$/g, '')
}

function docstring(node: TreeNode): string {
  const [first] = named(field(node, 'body'))
  const text = first?.type === 'expression_statement' ? named(first)[0] : first?.type === 'string' ? first : undefined
  return text?.type === 'string'
    ? text.text
        .replace(/^[rbuf]*("""|'''|"|')|("""|'''|"|')$/gi, '')
        .trim()
        .slice(0, 2000)
    : ''
}

function pythonValue(reader: TreeReader, node: TreeNode, scope: Scope): Value | undefined {
  if (node.type === 'identifier') return reader.methodBefore(node, scope)
  const all = (parts: readonly TreeNode[]): Value => ({ k: 'alt', v: parts.map((one) => reader.value(one, scope)) })
  if (node.type === 'expression_list') return { k: 'arr', v: all(named(node)), tuple: 1 }
  if (node.type === 'tuple') return { k: 'arr', v: all(named(node).slice(0, 3)), tuple: 1 }
  if (!/comprehension|generator_expression/.test(node.type)) return undefined
  const inner = childScope(scope)
  for (const clause of named(node))
    for (const naming of python.locals(clause))
      inner.names.set(naming.name, takenOut(naming, reader.value(naming.value, inner), reader, inner))
  return { k: 'arr', v: reader.value(field(node, 'body') ?? named(node)[0], inner) }
}

function pythonType(reader: TreeReader, node: TreeNode, scope: Scope): Type | undefined {
  if (node.type === 'ellipsis') return { k: 'ref', v: { k: 'glob', n: '...' } }
  const text = node.type === 'string' ? unquoted(node.text) : ''
  return /^\w+$/.test(text) ? { k: 'ref', v: reader.name(text, scope) } : undefined
}

/** `isinstance(name, Type)` says what a name is for as long as a branch lasts, and what it is not in the others. */
function visitNarrowed(visitor: TreeVisitor, node: TreeNode, scope: Scope, depth: number): boolean {
  const within = (child: TreeNode, facts: readonly Said[]): void => {
    const end = narrow(visitor, facts, scope)
    visitor.visit(child, scope, depth + 1)
    end()
  }
  switch (node.type) {
    case 'if_statement':
    case 'elif_clause': {
      const test = field(node, 'condition')
      const consequence = field(node, 'consequence')
      let otherwise = said(test, false)
      for (const child of named(node)) {
        const isOther = child.type === 'elif_clause' || child.type === 'else_clause'
        within(child, child === consequence ? said(test, true) : isOther ? otherwise : [])
        if (child.type === 'elif_clause') otherwise = [...otherwise, ...said(field(child, 'condition'), false)]
      }
      return true
    }
    case 'boolean_operator': {
      const left = field(node, 'left')
      const right = field(node, 'right')
      for (const child of named(node))
        within(child, child === right ? said(left, field(node, 'operator')?.type === 'and') : [])
      return true
    }
    case 'block': {
      const ends: (() => void)[] = []
      for (const child of named(node)) {
        visitor.visit(child, scope, depth + 1)
        if (child.type === 'if_statement' && leaves(child))
          ends.push(narrow(visitor, said(field(child, 'condition'), false), scope))
      }
      for (const end of ends.reverse()) end()
      return true
    }
    default:
      return false
  }
}

interface Said {
  readonly name: string
  readonly types: readonly TreeNode[]
  readonly is: boolean
}

/** Makes names what is said of them, until the function that is handed back is called. */
function narrow({ reader }: TreeVisitor, facts: readonly Said[], scope: Scope): () => void {
  const before = new Map<string, { readonly old: Value | undefined; readonly now: Value }>()
  for (const { name, types, is } of facts) {
    const [type, ...others] = types
    const old = scope.names.get(name)
    let now: Value | undefined
    if (!is && old !== undefined && old.k !== 'glob') {
      const ruledOut = types.map((one) => reader.typeOf(one, scope))
      now = old.k === 'less' ? { ...old, ts: [...old.ts, ...ruledOut] } : { k: 'less', v: old, ts: ruledOut }
    } else if (is && type !== undefined && others.length === 0)
      // Not as if it were declared: what is given to the name in the branch is what it is from there on.
      now = { k: 'less', v: { k: 'is', t: reader.typeOf(type, scope) }, ts: [] }
    if (now === undefined) continue
    before.set(name, { old: before.has(name) ? before.get(name)?.old : old, now })
    scope.names.set(name, now)
  }
  return () => {
    for (const [name, { old, now }] of before) {
      const given = scope.names.get(name)
      if (given !== now && given !== undefined) scope.names.set(name, old === undefined ? given : eitherOf(old, given))
      else if (old === undefined) scope.names.delete(name)
      else scope.names.set(name, old)
    }
  }
}

/** What a condition says where it holds, or where it does not. */
function said(condition: TreeNode | null, holds: boolean): readonly Said[] {
  if (condition?.type === 'parenthesized_expression') return said(named(condition)[0] ?? null, holds)
  if (condition?.type === 'not_operator') return said(field(condition, 'argument'), !holds)
  if (condition?.type === 'boolean_operator')
    return field(condition, 'operator')?.type === (holds ? 'and' : 'or')
      ? [...said(field(condition, 'left'), holds), ...said(field(condition, 'right'), holds)]
      : []
  if (condition?.type !== 'call' || field(condition, 'function')?.text !== 'isinstance') return []
  const [name, type] = named(field(condition, 'arguments'))
  const types = type?.type === 'tuple' ? named(type) : type === undefined ? [] : [type]
  const isPlain = types.length > 0 && types.every((one) => one.type === 'identifier' || one.type === 'attribute')
  return name?.type === 'identifier' && isPlain ? [{ name: name.text, types, is: holds }] : []
}

/** Behind a branch that leaves, and has no other beside it, its condition no longer holds. */
function leaves(node: TreeNode): boolean {
  const last = named(field(node, 'consequence')).at(-1)
  const hasOthers = named(node).some((one) => one.type === 'elif_clause' || one.type === 'else_clause')
  return !hasOthers && /^(return|raise|continue|break)_statement$/.test(last?.type ?? '')
}
