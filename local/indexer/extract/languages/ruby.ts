import type { Value } from '../../core/facts.ts'
import { nothing, type Scope } from '../tree/scope.ts'
import type { TreeNode } from '../tree/tree-node.ts'
import { commonShapes, eitherSide, field, named, nameOfType, nameText, pairs, typeKinds } from './shapes.ts'
import type { Naming, TreeLanguage, TreeReader } from './tree-language.ts'

/** `name ||= value` */
function isDefault(node: TreeNode): boolean {
  return node.type === 'operator_assignment' && field(node, 'operator')?.text === '||='
}

export const ruby: TreeLanguage = {
  ...commonShapes,
  grammar: 'ruby',
  types: { class: 'class', module: 'module' },
  functions: new Set(['method', 'singleton_method']),
  nameOf: (node) => field(node, node.type === 'assignment' ? 'left' : 'name')?.text ?? '',
  isTypeAssignment: (node) => {
    const made = node.type === 'assignment' && field(node, 'left')?.type === 'constant' ? field(node, 'right') : null
    return made?.type === 'call' && /^(Struct\.new|Data\.define|Class\.new)\b/.test(made.text)
  },
  calls: { call: { object: 'receiver', name: 'method' } },
  members: { scope_resolution: ['scope', 'name'] },
  creations: {},
  identifiers: new Set(['identifier', 'constant', 'instance_variable']),
  lambdas: new Set(['block', 'do_block', 'lambda']),
  hasTypeNames: false,
  hasBlockNames: false,
  memberKinds: new Set([...typeKinds, 'module']),
  modularNames: /^[A-Z]/,
  branches: new Map([
    ['then', /^(if|elsif|unless|when|in_clause|rescue)$/],
    ['else', /^(if|elsif|unless|case|begin|body_statement)$/],
  ]),
  // Outside of types there are variables of the block they are written in, and constants.
  topLevel: (node) => ruby.locals(node).filter((one) => /^[A-Z$]/.test(one.name)),
  isFieldName: (name) => name.startsWith('@'),
  fieldValue: (naming, type) => associated(naming) ?? { k: 'get', o: { k: 'this', s: type }, n: `@${naming.name}` },
  callArguments: (node) => {
    const block = field(node, 'block')
    return block === null ? named(field(node, 'arguments')) : [block]
  },
  chosen: chosenValues,
  value: rubyValue,
  made: (reader, node, scope) => (field(node, 'method')?.text === 'new' ? made(reader, node, scope) : undefined),
  callee: (reader, node, scope) =>
    field(node, 'method')?.type === 'super' ? above(reader, scope) : setter(reader, node, scope),
  callValue: (reader, node, scope) => {
    const method = field(node, 'method')?.text
    if (method === 'class' && scope.self?.k === 'this' && field(node, 'receiver')?.type === 'self')
      return { ...scope.self, c: 1 }
    if (method !== 'new') return undefined
    const type = made(reader, node, scope)
    return type === undefined ? nothing : { k: 'new', c: type }
  },
  lastValue: (body) =>
    body.type === 'body_statement'
      ? named(body).findLast((one) => !/^(comment|rescue|ensure|else)$/.test(one.type))
      : body,
  withoutBody: (node) => named(node).filter((one) => !/parameters|identifier/.test(one.type)),
  visit: (visitor, node, scope) => {
    if (node.type === 'super') {
      visitor.refer(scope, 'calls', above(visitor.reader, scope), node, 'super')
      return true
    }
    if (node.type === 'operator_assignment') {
      // `a.b += c` asks for what is there, and gives it anew.
      const left = field(node, 'left')
      const receiver = left?.type === 'call' ? field(left, 'receiver') : null
      const name = left?.type === 'call' ? field(left, 'method') : null
      if (receiver !== null && name !== null) {
        const given: Value = { k: 'get', o: visitor.reader.value(receiver, scope), n: `${name.text}=` }
        visitor.refer(scope, 'calls', given, name, `${receiver.text}.${name.text}=`)
      }
      return false
    }
    if (node.type !== 'identifier') return false
    const value = visitor.reader.name(nameText(node), scope)
    if (value.k !== 'glob' || value.n === '?' || value.n === '') return false
    // A name that is no variable is a call.
    visitor.refer(scope, 'calls', visitor.reader.bareName(node.text, scope), node, node.text)
    return true
  },
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
      : node.type === 'call' && /^attr_(reader|writer|accessor)$/.test(field(node, 'method')?.text ?? '')
        ? named(field(node, 'arguments')).map((one) => ({ name: one.text.replace(/^:/, ''), at: one }))
        : node.type === 'call' && associations.test(field(node, 'method')?.text ?? '')
          ? named(field(node, 'arguments'))
              .slice(0, 1)
              .flatMap((one) => (one.type === 'simple_symbol' ? [{ name: one.text.slice(1), at: one }] : []))
          : [],
}

function rubyValue(reader: TreeReader, node: TreeNode, scope: Scope): Value | undefined {
  switch (node.type) {
    case 'scope_resolution': {
      // `::Name` starts at the top.
      const name = field(node, 'name')
      const holder = field(node, 'scope')
      if (name === null) return undefined
      if (holder === null) return { k: 'glob', n: nameText(name) }
      // A name may be opened inside of one that the project does not have.
      return /^[A-Z]\w*(?:::[A-Z]\w*)+$/.test(node.text)
        ? {
            k: 'alt',
            v: [
              { k: 'get', o: reader.value(holder, scope), n: name.text },
              { k: 'glob', n: node.text },
            ],
            first: 1,
          }
        : undefined
    }
    case 'instance_variable':
      return scope.self === undefined ? undefined : { k: 'get', o: scope.self, n: node.text }
    case 'identifier':
      // A name that is no variable is a call.
      return reader.isVariable(node.text, scope) ? undefined : { k: 'call', f: reader.bareName(node.text, scope) }
    default:
      return undefined
  }
}

const associations = /^(belongs_to|has_one|has_many|has_and_belongs_to_many|embeds_many|embeds_one)$/

/** What an association holds: records of the class that it names, or that its own name says. */
function associated({ name, at }: Naming): Value | undefined {
  const call = at.parent?.parent
  const method = call === null || call === undefined ? '' : (field(call, 'method')?.text ?? '')
  if (!associations.test(method)) return undefined
  const options = named(at.parent).filter((one) => one.type === 'pair')
  const written = options.find((one) => field(one, 'key')?.text === 'class_name')
  const isMany = method.includes('many')
  const type =
    written === undefined
      ? classOf(isMany ? singular(name) : name)
      : (field(written, 'value')?.text.replace(/['":]/g, '') ?? '')
  const one: Value = { k: 'new', c: { k: 'glob', n: type } }
  return isMany ? { k: 'arr', v: one } : one
}

function classOf(name: string): string {
  return name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

function singular(name: string): string {
  return name
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/([^s])s$/, '$1')
}

/** `a.b = c` and `a.b, d = c` call a method that is named for it, or gives a field. */
function setter(reader: TreeReader, node: TreeNode, scope: Scope): Value | undefined {
  const receiver = field(node, 'receiver')
  const name = field(node, 'method')?.text ?? ''
  const target = node.parent?.type === 'left_assignment_list' ? node.parent : node
  const { parent } = target
  if (receiver === null || parent?.type !== 'assignment' || field(parent, 'left') !== target) return undefined
  const o = reader.value(receiver, scope)
  return {
    k: 'alt',
    v: [
      { k: 'get', o, n: `${name}=` },
      { k: 'get', o, n: name },
    ],
    first: 1,
  }
}

/** `Type.new`, and `new` alone inside the type. */
function made(reader: TreeReader, node: TreeNode, scope: Scope): Value | undefined {
  const receiver = field(node, 'receiver')
  if (receiver !== null) return reader.value(receiver, scope)
  return scope.type === undefined ? undefined : { k: 'sym', s: scope.type }
}

/** `super` hands on to the method of the same name above. */
function above(reader: TreeReader, scope: Scope): Value {
  const { name } = reader.facts.symbol(scope.owner)
  return scope.type === undefined ? nothing : { k: 'get', o: { k: 'super', s: scope.type }, n: name }
}

/** What the last expressions of branches are, and what an assignment hands on. */
function chosenValues(node: TreeNode): (TreeNode | null | undefined)[] | undefined {
  switch (node.type) {
    case 'binary':
      return eitherSide(node, ['||'])
    case 'case':
      return named(node)
        .filter((one) => one.type === 'when' || one.type === 'else')
        .map((one) => (one.type === 'when' ? field(one, 'body') : one))
    case 'if':
    case 'unless':
    case 'elsif':
    case 'conditional':
      return [field(node, 'consequence'), field(node, 'alternative')].filter((one) => one !== null)
    case 'then':
    case 'else':
    case 'begin':
    case 'parenthesized_statements':
      return [named(node).findLast((one) => one.type !== 'comment')]
    case 'assignment':
    case 'operator_assignment':
      return [field(node, 'right')]
    default:
      return undefined
  }
}
