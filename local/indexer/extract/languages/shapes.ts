/** Shapes that several grammars share. */
import type { Value } from '../../core/facts.ts'
import type { NodeKind } from '../../core/vocabulary.ts'
import { nothing, type Scope } from '../tree/scope.ts'
import type { TreeNode } from '../tree/tree-node.ts'
import type { Naming, TreeLanguage } from './tree-language.ts'

export function field(node: TreeNode, name: string): TreeNode | null {
  return node.childForFieldName(name)
}

export function named(node: TreeNode | null): readonly TreeNode[] {
  return node === null ? [] : node.namedChildren
}

export function firstOf(node: TreeNode, ...types: string[]): TreeNode | null {
  return named(node).find((one) => types.includes(one.type)) ?? null
}

export const typeKinds: readonly NodeKind[] = ['class', 'struct', 'interface', 'trait', 'enum', 'union', 'protocol']

export const commonShapes = {
  memberKinds: new Set(typeKinds),
  implementations: new Set<string>(),
  wrappers: new Set<string>(),
  lambdas: new Set<string>(),
  branches: new Map<string, RegExp>(),
  initializers: new Set<string>(),
  passingOn: new Set<string>(),
  modularNames: undefined,
  hasOneOfAName: true,
  hasOpenFunctions: false,
  hasOuterMembers: false,
  hasMethodNames: false,
  hasTypeNames: true,
  hasBlockNames: true,
  hasInnerImports: false,
  bodyOf: (node: TreeNode) => field(node, 'body'),
  callArguments: (node: TreeNode) => named(field(node, 'arguments')),
  chosen: (node: TreeNode) => (/^binary(_expression)?$/.test(node.type) ? eitherSide(node, ['??']) : undefined),
  resultType: (node: TreeNode) => field(node, 'return_type'),
  heritage: () => [],
  bounds: boundsOf,
  typeParameters: (node: TreeNode) =>
    named(field(node, 'type_parameters')).flatMap((one) =>
      one.type === 'lifetime_parameter' ? [] : (typeParameterName(one)?.text ?? []),
    ),
  locals: () => [],
  fields: () => [],
  imports: () => undefined,
  receiver: () => undefined,
  visibility: () => undefined,
  isExported: () => true,
  nameOf: (node: TreeNode) => field(node, 'name')?.text ?? '',
} satisfies Partial<TreeLanguage>

/** Both sides of an operator that gives one of them. */
export function eitherSide(node: TreeNode, operators: readonly string[]): (TreeNode | null)[] | undefined {
  return operators.includes(field(node, 'operator')?.text ?? '')
    ? [field(node, 'left'), field(node, 'right')]
    : undefined
}

/** A name without the arguments a grammar may hang on it, and without the namespace before it. */
export function nameText(node: TreeNode): string {
  if (/generic_name|template_function|template_method|template_type|generic_type/.test(node.type))
    return named(node)[0]?.text ?? node.text
  const { text } = node
  return text.includes('\\') ? (text.split('\\').at(-1) ?? text) : text
}

/** Stands for the constructor of a type, whatever the language calls it. */
const constructorName = '()'

/** `this(…)` and `super(…)`, as a constructor hands on to another one. */
export function constructorCall(node: TreeNode, scope: Scope): Value {
  if (scope.type === undefined) return nothing
  const isOwn = (field(node, 'constructor') ?? node).text.replace(/^:\s*/, '').startsWith('this')
  return { k: 'get', o: { k: isOwn ? 'this' : 'super', s: scope.type }, n: constructorName }
}

function boundsOf(node: TreeNode): { name: string; type: TreeNode }[] {
  return named(field(node, 'type_parameters')).flatMap((one) => {
    const name = typeParameterName(one)
    const bound = field(one, 'bounds') ?? firstOf(one, 'type_bound')
    const type = bound === null ? field(one, 'type') : named(bound)[0]
    return name === undefined || type === null || type === undefined ? [] : [{ name: name.text, type }]
  })
}

export function typeParameterName(node: TreeNode): TreeNode | undefined {
  return /identifier$/.test(node.type) ? node : (field(node, 'name') ?? named(node)[0])
}

export function modifierText(node: TreeNode): string {
  return named(node)
    .filter((one) => /modifier/.test(one.type))
    .map((one) => one.text)
    .join(' ')
}

export function wordOf(text: string, words: readonly string[]): string | undefined {
  return words.find((one) => new RegExp(`\\b${one}\\b`).test(text))
}

export const accessWords = ['public', 'protected', 'private', 'internal']

/** Parameters of a function without a name, in whichever of the common shapes the grammar has them. */
export function lambdaParameters(node: TreeNode): Naming[] {
  const declarator = field(node, 'declarator')
  const list =
    field(node, 'parameters') ??
    (declarator === null ? null : field(declarator, 'parameters')) ??
    firstOf(node, 'block_parameters', 'closure_parameters', 'lambda_parameters')
  if (list === null) return []
  const isName = (one: TreeNode): boolean => /^(identifier|implicit_parameter)$/.test(one.type)
  if (isName(list)) return [{ name: list.text, at: list }]
  return named(list).flatMap((one): Naming[] => {
    if (isName(one)) return [{ name: one.text, at: one }]
    const type = field(one, 'type')
    const names = one.childrenForFieldName('name')
    if (names.length > 0) return names.map((name) => ({ name: name.text, at: name, type }))
    // What takes a parameter apart gives names all the same.
    if (/_pattern$/.test(one.type))
      return namesInPattern(one).map((name, part) => ({ name: name.text, at: name, part }))
    const name = field(one, 'pattern') ?? declaratorName(field(one, 'declarator'))
    return name === null ? [] : [{ name: name.text, at: name, type }]
  })
}

/** Names that a pattern gives; what is written large is a constant or a variant that is compared with. */
export function namesInPattern(pattern: TreeNode): TreeNode[] {
  if (/^(shorthand_field_)?identifier$/.test(pattern.type)) return /^[\p{Ll}_]/u.test(pattern.text) ? [pattern] : []
  if (/^scoped_|literal|range/.test(pattern.type)) return []
  const type = field(pattern, 'type')
  return named(pattern).flatMap((one) => (one === type ? [] : namesInPattern(one)))
}

/** `a, b = c, d` and its kin: names with the value at the same place, or the parts of one value. */
export function pairs(left: TreeNode | null, right: TreeNode | null, type: TreeNode | null): Naming[] {
  if (left === null) return []
  const isName = (one: TreeNode): boolean => /^(identifier|variable_name|constant|instance_variable)$/.test(one.type)
  if (isName(left)) return [{ name: left.text, at: left, value: right, type }]
  if (!/pattern|list|tuple/.test(left.type)) return []
  const targets = named(left)
  const values = right !== null && /list|tuple/.test(right.type) ? named(right) : []
  return targets.flatMap((one, index) => {
    if (!isName(one)) return []
    const value = values.length === targets.length ? values[index] : undefined
    return [
      value === undefined ? { name: one.text, at: one, value: right, part: index } : { name: one.text, at: one, value },
    ]
  })
}

export function nameOfType(name: TreeNode | null, type: TreeNode | null): Naming[] {
  return name === null ? [] : [{ name: name.text, at: name, type }]
}

/** A parameter in the head of a type is a field of it. */
export function isRecordPart(node: TreeNode): boolean {
  const of = /^(formal_)?parameter$/.test(node.type) ? node.parent?.parent?.type : undefined
  return of !== undefined && /^(record|class|struct)_declaration$/.test(of)
}

export function declarators(node: TreeNode): Naming[] {
  const type = field(node, 'type')
  return named(node)
    .filter((one) => one.type === 'variable_declarator')
    .flatMap((one) => {
      const name = field(one, 'name')
      const value = field(one, 'value') ?? named(one).find((inner) => inner !== name) ?? null
      return name === null ? [] : [{ name: name.text, at: name, type: isInferred(type) ? null : type, value }]
    })
}

export function typedName(node: TreeNode): Naming[] {
  const name = field(node, 'name') ?? field(node, 'left')
  const type = field(node, 'type')
  const value = field(node, 'value') ?? field(node, 'right')
  if (name === null) return []
  return [
    isInferred(type) ? { name: name.text, at: name, value, isElement: true } : { name: name.text, at: name, type },
  ]
}

export function isInferred(type: TreeNode | null): boolean {
  return (
    type === null ||
    ['var', 'auto', 'implicit_type'].includes(type.text) ||
    type.type === 'implicit_type' ||
    type.type === 'placeholder_type_specifier'
  )
}

export function declaratorName(node: TreeNode | null): TreeNode | null {
  let at = node
  while (
    at !== null &&
    !/^(identifier|field_identifier|qualified_identifier|destructor_name|operator_name|type_identifier)$/.test(at.type)
  ) {
    at = field(at, 'declarator') ?? named(at).find((one) => /declarator|identifier/.test(one.type)) ?? null
  }
  return at
}
