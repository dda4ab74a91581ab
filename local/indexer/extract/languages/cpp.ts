import type { Value } from '../../core/facts.ts'
import { bracketEnd } from '../../core/text-shape.ts'
import { alternativesMax, anything, nothing, type Scope } from '../tree/scope.ts'
import type { TreeNode } from '../tree/tree-node.ts'
import { commonShapes, declaratorName, field, firstOf, isInferred, named, nameText } from './shapes.ts'
import type { TreeLanguage, TreeReader, UsedName } from './tree-language.ts'

function declaresFunction(node: TreeNode | null): boolean {
  let at = node
  while (at !== null && /^(pointer|reference)_declarator$/.test(at.type))
    at = field(at, 'declarator') ?? named(at)[0] ?? null
  return at?.type === 'function_declarator'
}

function functionDeclarator(node: TreeNode): TreeNode | null {
  let at = field(node, 'declarator')
  // What returns a reference has its declarator inside another one, without a field for it.
  while (at !== null && at.type !== 'function_declarator')
    at = field(at, 'declarator') ?? named(at).find((one) => /declarator/.test(one.type)) ?? null
  return at
}

/** `auto f() -> type` */
function behindArrow(node: TreeNode): TreeNode | null {
  const declarator = functionDeclarator(node)
  const written = declarator === null ? null : firstOf(declarator, 'trailing_return_type')
  const type = written === null ? undefined : named(written)[0]
  return type === undefined ? null : (field(type, 'type') ?? type)
}

/** `auto& [key, one]` */
function structuredBinding(loop: TreeNode): TreeNode | null {
  const declarator = field(loop, 'declarator')
  return declarator?.type === 'structured_binding_declarator'
    ? declarator
    : declarator === null
      ? null
      : firstOf(declarator, 'structured_binding_declarator')
}

/** A macro between `class` and the name, which says who may link against it: a grammar takes it for the name. */
const macroBeforeName =
  /\b(class|struct|union)(\s+)([A-Z][A-Z0-9_]+(?:\([^()\n]*\))?)(?=\s+[A-Za-z_]\w*(?:\s+final)?\s*(?:\{|:[^:]))/g

/** One before what a pointer to a function gives: the grammar takes it for the type, and the type for the name. */
const macroBeforePointer = /^([ \t]*)([A-Z][A-Z0-9_]+)(?=[ \t]+(?:\w+[ \t*]+)+\([ \t]*\*[ \t]*\w+[ \t]*\)[ \t]*\()/gm

/**
 * One alone in a line, before a line that begins something: the grammar takes it for the type of what follows, and where a type
 * follows, that for its name. Before a name and `(` it may be what a function gives.
 */
const macroAlone =
  /^([ \t]*)([A-Z][A-Z0-9]*_[A-Z0-9_]*)(?=[ \t]*(?:\/\/.*)?\r?\n\s*(?:[#~[]|\/[/*]|(?!\w+\s*\()[A-Za-z_]))/gm

/** One that begins a line before a word that no type can stand before. */
const macroBeforeWord =
  /^([ \t]*)([A-Z][A-Z0-9_]+)(?=\s+(?:template|class|struct|enum|union|namespace|using|auto|void|bool|char|int|long|short|unsigned|signed|float|double|explicit|virtual)\b)/gm

/** A type of several words that is called like one of one: the grammar knows that of `int` alone. */
const typeCalled = /\b(unsigned|signed|long|short)(?=\()/g

/** What numbers of an enum are: of one without a name the grammar takes it for the name. */
const enumOfType = /\benum(\s*:\s*[A-Za-z_][\w: ]*)(?=\{)/g

/** What stands for `try` and `catch (…)`, before a block. */
const macroOfTry = /^([ \t]*(?:\}[ \t]*)?)([A-Z0-9_]*(?:TRY|CATCH)[A-Z0-9_]*(?:[ \t]*\([^()\n]*\))?)(?=\s*\{)/gm

/** One that stands for a parameter of a template: a condition, in what it is given. */
const headOfTemplate = /\btemplate\s*</g
const macroCalled = /[A-Z][A-Z0-9_]+[ \t]*\(/y
const headCharacters = 500

function withPlainParameters(text: string): string {
  let whole = ''
  let done = 0
  for (const { 0: head, index } of text.matchAll(headOfTemplate)) {
    const end = Math.min(text.length, index + headCharacters)
    let depth = 1
    for (let at = index + head.length; at < end && depth > 0; at += 1) {
      const sign = text[at]
      if (sign === ';' || sign === '{') break
      depth += sign === '<' || sign === '(' ? 1 : sign === ')' || (sign === '>' && text[at - 1] !== '-') ? -1 : 0
      if (depth !== 1 || (sign !== '<' && sign !== ',')) continue
      let from = at + 1
      while (from < end && /\s/.test(text[from] ?? '')) from += 1
      macroCalled.lastIndex = from
      const to = macroCalled.test(text) ? bracketEnd(text, macroCalled.lastIndex - 1, end) : undefined
      if (to === undefined || from < done) continue
      whole += `${text.slice(done, from)}int${text.slice(from + 3, to).replace(/[^\r\n]/g, ' ')}`
      done = to
      at = to - 1
    }
  }
  return whole + text.slice(done)
}

/** Of a line no more is read for its end than anybody writes: what made files have there costs as much for every macro. */
const lineEndCharacters = 400

/** Whether what stands before in a text is at an end there, so that a macro is no part of a list or of an expression. */
function isEnded(before: string): boolean {
  const line = before.slice(Math.max(before.lastIndexOf('\n') + 1, before.length - lineEndCharacters))
  return /^$|[;}]$|^\s*#.*[^\\]$|[^=\s]\s*\{$/.test(line.replace(/\s*(?:\/\/.*|\/\*.*\*\/)$|^.*\*\/$/, ''))
}

function withoutMacros(text: string): string {
  const blank = (macro: string): string => macro.replace(/[^\r\n]/g, ' ')
  return withPlainParameters(text)
    .replace(macroBeforeName, (_, word: string, gap: string, macro: string) => word + gap + blank(macro))
    .replace(macroBeforePointer, (_, gap: string, macro: string) => gap + blank(macro))
    .replace(macroBeforeWord, (_, gap: string, macro: string) => gap + blank(macro))
    .replace(macroOfTry, (_, gap: string, macro: string) => gap + blank(macro))
    .replace(enumOfType, (_, type: string) => `enum${blank(type)}`)
    .replace(typeCalled, (type: string) => 'int'.padEnd(type.length))
    .replace(macroAlone, (line: string, gap: string, macro: string, at: number, whole: string) =>
      isEnded(whole.slice(0, at).trimEnd()) ? gap + blank(macro) : line,
    )
}

/** `a::b<T>::` before a name, without what is given to templates. */
function scopesOf(name: string): string[] {
  const plain = name.slice(0, Math.max(0, name.lastIndexOf('::')))
  let bare = plain
  for (let before = ''; before !== bare; ) [before, bare] = [bare, bare.replace(/\s*<[^<>]*>/g, '')]
  return bare.split('::').flatMap((one) => one.trim() || [])
}

export const c: TreeLanguage = {
  ...commonShapes,
  grammar: 'cpp',
  readable: withoutMacros,
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
  wrappers: new Set(['template_declaration']),
  initializers: new Set(['field_initializer_list']),
  isBesideType: (node) => node.type === 'friend_declaration',
  // What is in an inline namespace is in the one around it.
  kindOf: (node, kind) => (kind === 'namespace' && node.children[0]?.type === 'inline' ? undefined : kind),
  isForward: (node) => node.type !== 'alias_declaration' && field(node, 'body') === null,
  usedName,
  callee: (reader, node, scope) => {
    const callee = field(node, 'function')
    if (callee?.type !== 'identifier') return undefined
    const own = reader.bareName(callee.text, scope)
    if (callee.text === reader.facts.symbol(scope.owner).name && isGivenToMacro(node))
      return { k: 'alt', v: [own, anything] }
    if (own.k !== 'glob') return own
    const around = named(field(node, 'arguments')).flatMap((one) => namespacesOf(reader, one, scope))
    const there = around.slice(0, alternativesMax).map((o): Value => ({ k: 'get', o, n: callee.text }))
    return there.length === 0 ? own : { k: 'alt', v: [own, ...there], first: 1 }
  },
  value: scopedValue,
  callValue: (reader, node, scope) => {
    const made = typeOfTemplateCall(field(node, 'function'))
    return made === undefined ? undefined : { k: 'is', t: reader.typeOf(made, scope) }
  },
  // The types in `std::make_unique<T>()` are used.
  usedInCallee: (callee) => {
    const template = callee.type === 'qualified_identifier' ? field(callee, 'name') : null
    return template?.type === 'template_function' ? field(template, 'arguments') : null
  },
  nameOf: (node) =>
    node.type === 'function_definition'
      ? ((declaratorName(field(node, 'declarator'))?.text ?? '').split('::').at(-1) ?? '')
      : (field(node, 'name')?.text ?? ''),
  resultType: (node) => behindArrow(node) ?? field(node, 'type'),
  parameters: (node) => {
    const declarator = functionDeclarator(node)
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
      const taken = structuredBinding(node)
      if (taken !== null)
        return named(taken).map((one, part) => ({
          name: one.text,
          at: one,
          value: field(node, 'right'),
          isElement: true,
          part,
        }))
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
      if (one === null || (declaresFunction(one) && node.parent?.type !== 'compound_statement')) return []
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
    const around = scopesOf(name)
    const type = around.pop()
    return type === undefined ? undefined : { type, around, self: undefined }
  },
  isExported: (_name, node) =>
    !named(node).some((one) => one.type === 'storage_class_specifier' && one.text === 'static'),
}

export const cpp: TreeLanguage = {
  ...c,
  isUnwrittenMethod: (node) => /\)[^()]*=\s*0\s*;?\s*$/.test(node.text),
}

/** `using a::b;` and `namespace b = a;` give a name to something elsewhere, `using namespace a;` all its names. */
function usedName(node: TreeNode): UsedName | undefined {
  const isAlias = node.type === 'namespace_alias_definition'
  if (!isAlias && node.type !== 'using_declaration') return undefined
  const parts =
    named(node)
      .at(-1)
      ?.text.split('::')
      .filter((one) => one !== '') ?? []
  const [first, ...rest] = parts
  const isDirective = node.children.some((one) => one.type === 'namespace')
  if (first === undefined || (!isAlias && !isDirective && rest.length === 0)) return undefined
  const path = `::${parts.join('::')}`
  const value = rest.reduce<Value>((o, n) => ({ k: 'get', o, n }), { k: 'glob', n: first })
  return { name: isAlias ? (field(node, 'name')?.text ?? '') : isDirective ? '*' : (parts.at(-1) ?? ''), path, value }
}

function scopedValue(reader: TreeReader, node: TreeNode, scope: Scope): Value | undefined {
  if (node.type === 'namespace_identifier') return reader.name(node.text, scope, true)
  if (node.type !== 'qualified_identifier') return undefined
  const object = field(node, 'scope')
  let name = field(node, 'name')
  if (name === null) return nothing
  // `::name` starts at the top.
  if (object === null) return name.type === node.type ? reader.value(name, scope) : { k: 'glob', n: nameText(name) }
  let holder =
    object.type === 'template_type' ? reader.name(nameText(object), scope, true) : reader.value(object, scope)
  // `a::b::c` is written from the right: what follows the first name is a name with a scope again.
  while (name !== null && name.type === node.type) {
    const inner = field(name, 'scope')
    if (inner !== null) holder = { k: 'get', o: holder, n: nameText(inner) }
    name = field(name, 'name')
  }
  return name === null ? nothing : { k: 'get', o: holder, n: nameText(name) }
}

/** A macro may write something before what it is given: what looks like a call of the function around may be one of the system. */
function isGivenToMacro(node: TreeNode): boolean {
  const call = node.parent?.type === 'argument_list' ? node.parent.parent : null
  const callee = call?.type === 'call_expression' ? field(call, 'function') : null
  return callee !== null && /^(?:::\s*)?[A-Z][A-Z0-9_]+$/.test(callee.text)
}

/** Where a function is looked for that is given this: in what stands before the last name of it. */
function namespacesOf(reader: TreeReader, given: TreeNode, scope: Scope): Value[] {
  const written = given.type === 'call_expression' ? field(given, 'function') : given
  if (written?.type !== 'qualified_identifier') return []
  const found: Value[] = []
  for (let at = reader.value(written, scope); at.k === 'get'; at = at.o) found.push(at.o)
  return found
}

/** What a cast or a maker names as the type of its result. */
function typeOfTemplateCall(callee: TreeNode | null): TreeNode | undefined {
  const called = callee?.type === 'qualified_identifier' ? field(callee, 'name') : callee
  if (called?.type !== 'template_function') return undefined
  return /^((static|dynamic|reinterpret|const)_cast|make_(unique|shared))$/.test(field(called, 'name')?.text ?? '')
    ? named(field(called, 'arguments'))[0]
    : undefined
}
