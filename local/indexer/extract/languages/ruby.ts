import type { Node } from 'web-tree-sitter'
import { commonShapes, field, named, nameOfType, pairs } from './shapes.ts'
import type { TreeLanguage } from './tree-language.ts'

/** `name ||= value` */
function isDefault(node: Node): boolean {
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
