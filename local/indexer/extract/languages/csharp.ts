import { countMax, type Value } from '../../core/facts.ts'
import { nothing, type Scope } from '../tree/scope.ts'
import type { TreeNode } from '../tree/tree-node.ts'
import { java } from './java.ts'
import {
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
  pairs,
  typedName,
  typeParameterName,
} from './shapes.ts'
import type { Naming, TreeLanguage, TreeReader } from './tree-language.ts'

export const csharp: TreeLanguage = {
  ...commonShapes,
  grammar: 'c-sharp',
  types: {
    class_declaration: 'class',
    interface_declaration: 'interface',
    struct_declaration: 'struct',
    enum_declaration: 'enum',
    record_declaration: 'class',
    namespace_declaration: 'namespace',
  },
  simplified: withFirstBranches,
  // One namespace around everything is the file's own.
  kindOf: (node, kind) => (kind === 'namespace' && ownNamespace(node.parent) !== null ? undefined : kind),
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
  creations: { object_creation_expression: 'type', implicit_object_creation_expression: '' },
  identifiers: new Set(['identifier']),
  typeIdentifiers: new Set(['identifier']),
  selfNames: new Set(['this']),
  superNames: new Set(['base']),
  hasImplicitSelf: true,
  hasOuterMembers: true,
  hasOpenFunctions: true,
  nameOf: (node) =>
    node.type === 'operator_declaration'
      ? `operator ${field(node, 'operator')?.text ?? ''}`
      : (field(node, 'name')?.text ?? ''),
  initializers: new Set(['constructor_initializer']),
  impliedType: (node) => (node.type === 'implicit_object_creation_expression' ? typeAround(node) : undefined),
  bodyOf: (node) => field(node, 'body') ?? firstOf(node, 'accessor_list', 'arrow_expression_clause'),
  isAccessor: (node) => node.type === 'property_declaration',
  callArguments: (node) =>
    named(field(node, 'arguments')).map((one) => (one.type === 'argument' ? (named(one)[0] ?? one) : one)),
  callee: (_reader, node, scope) =>
    node.type === 'constructor_initializer' ? constructorCall(node, scope) : isComparison(node) ? nothing : undefined,
  value: (reader, node, scope) => {
    const made = node.type === 'array_creation_expression' ? field(node, 'type') : null
    if (made !== null) return { k: 'is', t: reader.typeOf(made, scope) }
    if (node.type !== 'conditional_access_expression') return undefined
    const [object, member] = named(node)
    const name = member?.type === 'member_binding_expression' ? field(member, 'name') : null
    return object === undefined || name === null
      ? nothing
      : { k: 'get', o: reader.value(object, scope), n: nameText(name) }
  },
  takes,
  arity: (name) => (name.parent?.type === 'generic_name' ? typesGiven(name.parent).length : undefined),
  isTypeName,
  memberNamed,
  typesGiven,
  resultType: (node) => field(node, 'returns') ?? field(node, 'type'),
  parameters: (node) => {
    const list = field(node, 'parameters')
    const rest = list === null || !list.children.some((one) => one.type === 'params') ? null : field(list, 'type')
    const name = rest === null || list === null ? null : field(list, 'name')
    return rest === null || name === null
      ? java.parameters(node)
      : [...java.parameters(node), { name: name.text, at: name, type: rest }]
  },
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
        ? loopNames(node)
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
        ? { specifier: name, imported: '*', local: '*', ...(/^global\b/.test(node.text) ? { isForAll: true } : {}) }
        : { specifier: name, imported: undefined, local: alias },
    ]
  },
  extended: (node) => {
    const [first] = named(field(node, 'parameters'))
    const isExtension = first !== undefined && /\bthis\b/.test(modifierText(first))
    return isExtension
      ? field(first, 'type')
          ?.text.replace(/[<?[].*$/s, '')
          .replace(/^.*\./, '')
      : undefined
  },
  visibility: java.visibility,
  isExported: java.isExported,
  packageName: (root) => {
    const found = ownNamespace(root)
    return found === null ? undefined : field(found, 'name')?.text
  },
}

/** Without the object that a method for another type is called on. */
function takes(node: TreeNode): number {
  const list = field(node, 'parameters')
  // A list of any length is written without a node of its own.
  const isOpen = list?.children.some((one) => one.type === 'params' || /^params\b/.test(one.text)) === true
  const own = named(list).filter((one) => one.type === 'parameter' && !/\bthis\b/.test(modifierText(one)))
  const counted = isOpen && own.at(-1)?.text.startsWith('params') === true ? own.slice(0, -1) : own
  const least = counted.filter((one) => !/[^=!<>]=[^=>]/.test(one.text)).length
  const most = Math.min(isOpen ? countMax : counted.length, countMax - 1)
  let bits = 0
  for (let count = least; count <= most; count += 1) bits |= 1 << count
  return bits
}

/** `<,>` says how many there are, and none of them. */
function typesGiven(name: TreeNode): readonly TreeNode[] {
  const list = firstOf(
    /^(member_access_expression|member_binding_expression)$/.test(name.type) ? (field(name, 'name') ?? name) : name,
    'type_argument_list',
  )
  if (list === null) return []
  const types = named(list)
  return types.length > 0 ? types : list.children.filter((one) => one.type !== '<')
}

const aroundTypes =
  /^(type_argument_list|nullable_type|array_type|pointer_type|base_list|primary_constructor_base_type|type_parameter_constraint|ref_type|tuple_element|explicit_interface_specifier)$/

function isTypeName(name: TreeNode): boolean {
  const whole = name.parent?.type === 'generic_name' ? name.parent : name
  const { parent } = whole
  if (parent === null) return false
  return aroundTypes.test(parent.type) || field(parent, 'type') === whole || field(parent, 'returns') === whole
}

/** Members that are named where their object is made, changed, asked for only if it is there, or looked at by a pattern. */
function memberNamed(reader: TreeReader, name: TreeNode, scope: Scope): Value | undefined {
  const holder = holderOf(reader, name, scope)
  return holder === undefined || holder === nothing ? holder : { k: 'get', o: holder, n: nameText(name) }
}

function holderOf(reader: TreeReader, name: TreeNode, scope: Scope): Value | undefined {
  const { parent } = name
  const around = parent?.parent ?? null
  const ofType = (type: TreeNode | null): Value =>
    type === null ? nothing : { k: 'is', t: reader.typeOf(type, scope) }
  const isFirst = parent !== null && named(parent)[0] === name
  switch (parent?.type) {
    case 'assignment_expression': {
      if (!isFirst) return undefined
      if (around?.type === 'attribute_argument') return nothing
      const made = around?.type === 'initializer_expression' ? around.parent : undefined
      if (made === undefined) return undefined
      if (made?.type === 'implicit_object_creation_expression') return ofType(typeAround(made))
      return ofType(made?.type === 'object_creation_expression' ? field(made, 'type') : null)
    }
    case 'with_initializer':
      return isFirst ? reader.value(named(around)[0], scope) : undefined
    // What is made without a type has members of nobody's.
    case 'anonymous_object_creation_expression':
      return parent.children[parent.children.indexOf(name) + 1]?.type === '=' ? nothing : undefined
    case 'argument':
      return field(parent, 'name') === name ? nothing : undefined
    case 'member_binding_expression':
      return around === null ? nothing : reader.value(field(around, 'condition'), scope)
    case 'subpattern': {
      const whole = around?.type === 'property_pattern_clause' ? around.parent : undefined
      if (whole === undefined || !isFirst) return undefined
      return ofType(whole === null ? null : field(whole, 'type'))
    }
    default:
      return undefined
  }
}

/** The namespace that all of a file is in. */
function ownNamespace(root: TreeNode | null): TreeNode | null {
  if (root?.type !== 'compilation_unit') return null
  const whole = firstOf(root, 'file_scoped_namespace_declaration')
  if (whole !== null) return whole
  const declared = named(root).filter((one) => /_declaration$/.test(one.type))
  return declared.length === 1 && declared[0]?.type === 'namespace_declaration' ? declared[0] : null
}

/** Of what is compiled under conditions the first form, without the lines that say so; of the same length. */
function withFirstBranches(text: string): string {
  const kept: boolean[] = []
  return text.replace(/[^\n]+/g, (line) => {
    const directive = /^\s*#\s*(if|elif|else|endif)\b/.exec(line)?.[1]
    if (directive === 'if') kept.push(true)
    else if (directive === 'endif') kept.pop()
    else if (directive !== undefined && kept.length > 0) kept[kept.length - 1] = false
    return directive === undefined && kept.every(Boolean) ? line : ' '.repeat(line.length)
  })
}

/** A bare name that compares two things is that of all objects, whatever the type says of comparing itself to one. */
function isComparison(node: TreeNode): boolean {
  return (
    /^(Equals|ReferenceEquals)$/.test(field(node, 'function')?.text ?? '') &&
    named(field(node, 'arguments')).length === 2
  )
}

/** What a bare `new()` makes: what is declared around it. */
function typeAround(node: TreeNode): TreeNode | null {
  const holder = node.parent?.type === 'variable_declarator' ? node.parent.parent : node.parent
  return holder?.type === 'variable_declaration' || holder?.type === 'property_declaration'
    ? field(holder, 'type')
    : null
}

/** `foreach (var (key, one) in …)` takes apart what it is handed. */
function loopNames(node: TreeNode): Naming[] {
  const left = field(node, 'left')
  return left?.type === 'tuple_pattern'
    ? pairs(left, field(node, 'right'), null).map((one) => ({ ...one, isElement: true }))
    : typedName(node)
}
