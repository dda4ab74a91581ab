import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { Language as Grammar, type Node, Parser } from 'web-tree-sitter'
import type { FileFacts, Heritage, Reference, Type, Value } from '../core/facts.ts'
import type { Language, NodeKind } from '../core/vocabulary.ts'
import { clipSignature, commentText, FactBuilder } from './fact-builder.ts'
import {
  field,
  type ImportedName,
  lambdaParameters,
  type Naming,
  named,
  type TreeLanguage,
  treeLanguages,
} from './tree-languages.ts'

const nothing: Value = { k: 'glob', n: '' }
const anything: Value = { k: 'glob', n: '?' }
const depthMax = 400
/** Stands for the constructor of a type, whatever the language calls it. */
const constructorName = '()'
const returnsMax = 6

const grammars = new Map<string, Grammar>()
let ready: Promise<void> | undefined

/** Loads the grammars that the languages need; parsing itself does not wait for anything. */
export async function loadGrammars(wanted: Iterable<Language>): Promise<void> {
  for (const language of wanted) {
    const name = treeLanguages[language]?.grammar
    if (name === undefined || grammars.has(name)) continue
    ready ??= Parser.init()
    await ready
    const folder = path.dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/package.json'))
    grammars.set(name, await Grammar.load(readFileSync(path.join(folder, 'wasm', `tree-sitter-${name}.wasm`))))
  }
}

export function extractTree(filePath: string, language: Language, text: string): FileFacts {
  const facts = new FactBuilder(filePath, language, text)
  const spec = treeLanguages[language]
  const grammar = spec === undefined ? undefined : grammars.get(spec.grammar)
  if (spec === undefined || grammar === undefined) throw new Error(`the grammar of ${language} is not loaded`)
  const parser = new Parser()
  try {
    parser.setLanguage(grammar)
    const tree = parser.parse(text)
    if (tree === null) throw new Error('the file could not be parsed')
    try {
      if (tree.rootNode.hasError) facts.addError('the file has syntax errors')
      new TreeExtractor(facts, spec, language, text).run(tree.rootNode)
    } finally {
      tree.delete()
    }
  } finally {
    parser.delete()
  }
  return facts.build()
}

interface Scope {
  readonly parent: Scope | undefined
  readonly owner: number
  readonly names: Map<string, Value>
  readonly self: Value | undefined
  readonly type: number | undefined
  readonly isTypeBody: boolean
  /** What the type parameters of a function are known to be. */
  readonly bounds?: ReadonlyMap<string, Type>
}

class TreeExtractor {
  readonly #facts: FactBuilder
  readonly #spec: TreeLanguage
  readonly #language: Language
  readonly #text: string
  readonly #symbolOf = new Map<number, number>()
  readonly #valueOf = new Map<number, Value>()
  readonly #imported = new Map<string, Value>()
  readonly #attached = new Map<number, string>()

  constructor(facts: FactBuilder, spec: TreeLanguage, language: Language, text: string) {
    this.#facts = facts
    this.#spec = spec
    this.#language = language
    this.#text = text
  }

  run(root: Node): void {
    this.#facts.packageName = this.#spec.packageName?.(root)
    this.#declareAll(root, 0, 0)
    const scope: Scope = {
      parent: undefined,
      owner: 0,
      names: new Map(),
      self: undefined,
      type: undefined,
      isTypeBody: false,
    }
    for (const child of named(root)) this.#visit(child, scope, 0)
    this.#facts.symbols.forEach((symbol, index) => {
      if (index > 0 && symbol.parent === 0 && symbol.kind !== 'import')
        this.#facts.exports.push({ name: symbol.name, value: { k: 'sym', s: index } })
    })
    this.#applyAllList(root)
    for (const [local, value] of this.#imported)
      if (local !== '' && local !== '*') this.#facts.exports.push({ name: local, value })
  }

  /** A Python module that lists its public names makes all others its own. */
  #applyAllList(root: Node): void {
    if (this.#language !== 'python') return
    for (const statement of named(root)) {
      const assignment = statement.type === 'expression_statement' ? named(statement)[0] : undefined
      if (assignment?.type !== 'assignment' || field(assignment, 'left')?.text !== '__all__') continue
      const listed = new Set(named(field(assignment, 'right')).map((one) => one.text.replace(/^['"]|['"]$/g, '')))
      for (const symbol of this.#facts.symbols) {
        if (symbol.parent !== 0 || symbol.kind === 'file' || symbol.kind === 'import') continue
        if (listed.has(symbol.name)) symbol.exported = true
        else delete symbol.exported
      }
    }
  }

  // ---- declarations -------------------------------------------------------------------------------------

  #declareAll(node: Node, owner: number, depth: number): void {
    if (depth > depthMax) return
    for (const child of named(node)) {
      const imports = this.#spec.imports(child)
      if (imports !== undefined) {
        this.#declareImports(child, imports, owner)
        continue
      }
      const kind = this.#typeKind(child)
      if (kind !== undefined) {
        const name = this.#spec.nameOf(child).split('::').at(-1) ?? ''
        const isForward = (this.#language === 'c' || this.#language === 'cpp') && field(child, 'body') === null
        if (name !== '' && !isForward) {
          // A type that is opened again (a namespace, a Ruby class) goes on where it was.
          const before = this.#childNamed(owner, name, kind)
          const index = before ?? this.#declare(kind, name, owner, child)
          this.#symbolOf.set(child.id, index)
          this.#declareAll(child, index, depth + 1)
          continue
        }
      }
      if (child.type === 'impl_item') {
        this.#declareImplementation(child, owner, depth)
        continue
      }
      if (this.#spec.functions.has(child.type)) {
        this.#declareFunction(child, owner, depth)
        continue
      }
      const isTypeOwner = owner !== 0 && this.#isType(owner)
      if (isTypeOwner || owner === 0) {
        for (const naming of isTypeOwner ? this.#spec.fields(child) : this.#topLevel(child))
          this.#declareField(naming, owner, child)
      }
      this.#declareAll(child, owner, depth + 1)
    }
  }

  #topLevel(node: Node): readonly Naming[] {
    return node.parent?.type === 'block' && this.#language === 'python' && node.parent.parent?.type !== 'module'
      ? []
      : this.#spec.locals(node)
  }

  #declareField(naming: Naming, owner: number, node: Node): void {
    if (naming.name === '' || naming.name === '_' || this.#childNamed(owner, naming.name) !== undefined) return
    const isConstant = /^[A-Z][A-Z0-9_]*$/.test(naming.name) || /const/.test(node.type)
    const isDeclaredOnly = this.#language === 'cpp' && /\)[^()]*=\s*0\s*;?\s*$/.test(node.text)
    const kind: NodeKind = isDeclaredOnly
      ? 'method'
      : /enum(erator|_constant|_member|_variant)/.test(node.type)
        ? 'enum_member'
        : owner === 0
          ? isConstant
            ? 'constant'
            : 'variable'
          : 'field'
    const index = this.#declare(kind, naming.name, owner, naming.at)
    this.#symbolOf.set(naming.at.id, index)
  }

  #declareImplementation(node: Node, owner: number, depth: number): void {
    const typeNode = field(node, 'type')
    const name = (typeNode?.type === 'generic_type' ? field(typeNode, 'type') : typeNode)?.text ?? ''
    const target = this.#childNamed(owner, name) ?? this.#childNamed(0, name)
    const body = field(node, 'body')
    if (body === null) return
    this.#symbolOf.set(node.id, target ?? owner)
    const before = this.#facts.symbols.length
    this.#declareAll(body, target ?? owner, depth + 1)
    if (target === undefined)
      for (let index = before; index < this.#facts.symbols.length; index += 1) this.#attach(index, name)
  }

  #attach(index: number, type: string): void {
    this.#attached.set(index, type)
    const symbol = this.#facts.symbol(index)
    symbol.attachedTo = type
    const around = symbol.parent === 0 ? '' : `${this.#facts.symbol(symbol.parent).qualifiedName}::`
    symbol.qualifiedName = `${around}${type}::${symbol.name}`
  }

  #declareFunction(node: Node, owner: number, depth: number): void {
    const name = this.#spec.nameOf(node)
    if (name === '') {
      this.#declareAll(node, owner, depth + 1)
      return
    }
    const receiver = this.#spec.receiver(node)
    const holder = receiver === undefined ? undefined : this.#childNamed(owner, receiver.type)
    const parent = holder ?? owner
    const kind: NodeKind = receiver !== undefined || this.#isType(parent) ? 'method' : 'function'
    // A declaration and its definition, or overloads, are one function.
    const before = this.#childNamed(parent, name, kind)
    const index = before ?? this.#declare(kind, name, parent, node)
    if (receiver !== undefined && holder === undefined) this.#attach(index, receiver.type)
    this.#symbolOf.set(node.id, index)
    this.#declareAll(node, index, depth + 1)
  }

  #isType(index: number): boolean {
    return (
      ['class', 'struct', 'interface', 'trait', 'enum', 'union', 'protocol'].includes(this.#facts.symbol(index).kind) ||
      // A type made of another one has methods of its own.
      (this.#facts.symbol(index).kind === 'type_alias' && this.#language === 'go') ||
      (this.#facts.symbol(index).kind === 'module' && this.#language === 'ruby')
    )
  }

  readonly #childIndex = new Map<string, number[]>()

  #childNamed(owner: number, name: string, kind?: NodeKind): number | undefined {
    return this.#childIndex
      .get(`${owner} ${name}`)
      ?.find((index) => kind === undefined || this.#facts.symbol(index).kind === kind)
  }

  #typeKind(node: Node): NodeKind | undefined {
    const kind = this.#spec.types[node.type]
    // `mod net;` names a file; it is no module of this one.
    if (node.type === 'mod_item' && field(node, 'body') === null) return undefined
    if (kind === undefined || this.#language !== 'go') return kind
    const type = field(node, 'type')?.type
    return type === 'interface_type' ? 'interface' : type === 'struct_type' ? 'struct' : 'type_alias'
  }

  #declare(kind: NodeKind, name: string, parent: number, node: Node): number {
    const outer =
      node.parent !== null &&
      /decorated_definition|template_declaration|type_declaration|export_statement/.test(node.parent.type)
        ? node.parent
        : node
    const index = this.#facts.addSymbol({
      kind,
      name,
      parent,
      line: outer.startPosition.row + 1,
      col: outer.startPosition.column,
      endLine:
        outer.endPosition.row +
        (outer.endPosition.column === 0 && outer.endPosition.row > outer.startPosition.row ? 0 : 1),
      endCol: outer.endPosition.column,
    })
    const key = `${parent} ${name}`
    const list = this.#childIndex.get(key)
    if (list === undefined) this.#childIndex.set(key, [index])
    else list.push(index)
    const symbol = this.#facts.symbol(index)
    if (this.#spec.isExported(name, node)) symbol.exported = true
    const visibility = this.#spec.visibility(node)
    if (visibility !== undefined) symbol.visibility = visibility
    const doc = this.#docOf(node, outer)
    if (doc !== '') symbol.doc = doc
    const body = field(node, 'body')
    symbol.signature = clipSignature(
      this.#text
        .slice(node.startIndex, Math.min(body?.startIndex ?? node.endIndex, node.startIndex + 400))
        .replace(/[{:]\s*$/, ''),
    )
    if (outer.type === 'decorated_definition') {
      const names = named(outer)
        .filter((one) => one.type === 'decorator')
        .map((one) => one.text.replace(/^@/, '').replace(/\(.*$/s, ''))
      symbol.decorators = names
      if (names.some((one) => one === 'property' || one.endsWith('cached_property'))) symbol.accessor = true
      if (names.some((one) => one === 'staticmethod' || one === 'classmethod')) symbol.static = true
      if (names.some((one) => one.endsWith('abstractmethod'))) symbol.abstract = true
    }
    if (/\basync\b/.test(this.#text.slice(node.startIndex, node.startIndex + 120).split('(')[0] ?? ''))
      symbol.async = true
    return index
  }

  #docOf(node: Node, outer: Node): string {
    if (this.#language === 'python') {
      const [first] = named(field(node, 'body'))
      const text =
        first?.type === 'expression_statement' ? named(first)[0] : first?.type === 'string' ? first : undefined
      return text?.type === 'string'
        ? text.text
            .replace(/^[rbuf]*("""|'''|"|')|("""|'''|"|')$/gi, '')
            .trim()
            .slice(0, 2000)
        : ''
    }
    const parts: string[] = []
    let at = outer.previousNamedSibling
    let line = outer.startPosition.row
    while (at !== null && /comment/.test(at.type) && line - at.endPosition.row <= 1) {
      parts.unshift(at.text)
      line = at.startPosition.row
      at = at.previousNamedSibling
    }
    return parts.length === 0 ? '' : commentText(parts.join('\n'))
  }

  #declareImports(node: Node, imports: readonly ImportedName[], owner: number): void {
    const bySpecifier = new Map<string, string[]>()
    for (const written of imports) {
      const one = { ...written, specifier: this.#fromFile(written.specifier, owner) }
      const names = bySpecifier.get(one.specifier) ?? []
      if (one.imported !== undefined) names.push(one.imported)
      bySpecifier.set(one.specifier, names)
      if (one.local !== '' && one.local !== '*') {
        this.#imported.set(
          one.local,
          one.imported === undefined ? { k: 'mod', m: one.specifier } : { k: 'imp', m: one.specifier, n: one.imported },
        )
      }
      if (one.imported === '*') this.#facts.exports.push({ name: '*', from: one.specifier })
    }
    const line = node.startPosition.row + 1
    const col = node.startPosition.column
    for (const [specifier, names] of bySpecifier) {
      const symbol = this.#facts.addSymbol({
        kind: 'import',
        name: specifier,
        parent: 0,
        line,
        col,
        endLine: node.endPosition.row + 1,
        endCol: node.endPosition.column,
      })
      this.#facts.imports.push({ specifier, line, col, names, symbol })
    }
  }

  /** In a module inside a file, Rust's `super` is the file or a module of it. */
  #fromFile(specifier: string, owner: number): string {
    if (this.#language !== 'rust') return specifier
    let inside = 0
    for (let at = owner; at !== 0; at = this.#facts.symbol(at).parent)
      if (this.#facts.symbol(at).kind === 'module') inside += 1
    return inside === 1 ? specifier.replace(/^super\b/, 'self') : specifier
  }

  // ---- names and values ---------------------------------------------------------------------------------

  #name(name: string, scope: Scope, isType = false): Value {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      // Where types are written, a variable of that name is not meant.
      const local = isType && this.#spec.hasTypeNames ? undefined : at.names.get(name)
      if (local !== undefined) return local
      // Names of a class body are not names of its methods in Python; elsewhere they are.
      if (at.owner !== 0 && (this.#spec.hasImplicitSelf || !this.#isType(at.owner))) {
        const inner = this.#childNamed(at.owner, name)
        if (inner !== undefined && !(this.#isMember(inner) && this.#spec.hasImplicitSelf)) return { k: 'sym', s: inner }
      }
    }
    const own = this.#childNamed(0, name)
    if (own !== undefined) return { k: 'sym', s: own }
    const imported = this.#imported.get(name)
    if (imported !== undefined || this.#language !== 'ruby' || !/^[A-Z]/.test(name))
      return imported ?? { k: 'glob', n: name }
    // A constant is looked for in the modules around, innermost first, whichever file opened them.
    const around: Value[] = []
    for (
      let at = this.#facts.symbol(scope.owner);
      at.parent !== 0 || at.kind === 'module' || at.kind === 'class';
      at = this.#facts.symbol(at.parent)
    ) {
      if (at.kind === 'module' || at.kind === 'class') around.push({ k: 'glob', n: `${at.qualifiedName}::${name}` })
      if (at.parent === 0) break
    }
    return around.length === 0 ? { k: 'glob', n: name } : { k: 'alt', v: [...around, { k: 'glob', n: name }], first: 1 }
  }

  #isVariable(name: string, scope: Scope): boolean {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) if (at.names.has(name)) return true
    return false
  }

  #isMember(index: number): boolean {
    return ['method', 'field', 'property'].includes(this.#facts.symbol(index).kind)
  }

  /** A bare name where a member of the type, inherited ones included, may be meant. */
  #bareName(name: string, scope: Scope): Value {
    const plain = this.#name(name, scope)
    if (
      this.#isVariable(name, scope) ||
      !this.#spec.hasImplicitSelf ||
      scope.self === undefined ||
      (plain.k !== 'glob' && plain.k !== 'sym' && plain.k !== 'imp')
    )
      return plain
    if (plain.k === 'sym' && this.#facts.symbol(plain.s).parent !== 0 && !this.#isType(plain.s)) return plain
    const members = this.#enclosingTypes(scope)
      // A type's own name means the type; what has that name inside is its constructor.
      .filter((type) => this.#facts.symbol(type).name !== name)
      .map((type): Value => ({ k: 'get', o: { k: 'this', s: type }, n: name }))
    if (scope.type === undefined) members.push({ k: 'get', o: scope.self, n: name })
    return members.length === 0 ? plain : { k: 'alt', v: [...members, plain], first: 1 }
  }

  #enclosingTypes(scope: Scope): number[] {
    const types: number[] = []
    for (let at = scope.type; at !== undefined && at !== 0; at = this.#facts.symbol(at).parent) {
      if (this.#isType(at)) types.push(at)
      if (!this.#spec.hasOuterMembers) break
    }
    return types
  }

  /** A called name, where methods have names of their own. */
  #methodName(name: string, scope: Scope): Value {
    if (!this.#spec.hasMethodNames) return this.#bareName(name, scope)
    const outermost: Scope = { ...scope, parent: undefined, names: new Map() }
    return this.#bareName(name, outermost)
  }

  /** The scope of a function without a name; what it is handed to says what its parameters are. */
  #lambdaScope(node: Node, scope: Scope): Scope {
    const known = this.#lambdaScopes.get(node.id)
    if (known !== undefined) return known
    const inner = this.#child(scope, {})
    this.#lambdaScopes.set(node.id, inner)
    const context = this.#lambdaContexts.get(node.id)
    lambdaParameters(node).forEach((parameter, position) => {
      const { type } = parameter
      const value: Value =
        type !== null && type !== undefined
          ? { k: 'is', t: this.#type(type, scope) }
          : context === undefined
            ? anything
            : { k: 'arg', f: context.f, i: context.i, p: position }
      inner.names.set(parameter.name, value)
    })
    return inner
  }

  readonly #lambdaScopes = new Map<number, Scope>()
  readonly #lambdaContexts = new Map<number, { readonly f: Value; readonly i: number }>()

  /** Functions without a name among the arguments, each told what it is handed to. */
  #lambdaArguments(node: Node, callee: Value, scope: Scope): Value[] {
    const block = this.#language === 'ruby' ? field(node, 'block') : null
    const list = named(field(node, 'arguments')).map((one) => (one.type === 'argument' ? (named(one)[0] ?? one) : one))
    const values = (block === null ? list : [block]).slice(0, 4).map((one, i): Value => {
      if (!this.#spec.lambdas.has(one.type)) return nothing
      this.#lambdaContexts.set(one.id, { f: callee, i })
      return this.#value(one, scope)
    })
    return values.every((one) => one === nothing) ? [] : values
  }

  #value(node: Node | null | undefined, scope: Scope): Value {
    if (node === null || node === undefined) return nothing
    const known = this.#valueOf.get(node.id)
    if (known !== undefined) return known
    const isKept = this.#spec.calls[node.type] !== undefined || this.#spec.creations[node.type] !== undefined
    if (isKept) {
      const slot = this.#facts.addLocal(nothing)
      const value: Value = { k: 'loc', i: slot }
      this.#valueOf.set(node.id, value)
      this.#facts.locals[slot] = this.#freshValue(node, scope)
      return value
    }
    const value = this.#freshValue(node, scope)
    this.#valueOf.set(node.id, value)
    return value
  }

  #freshValue(node: Node, scope: Scope): Value {
    const { type } = node
    const creation = this.#spec.creations[type]
    if (creation !== undefined) {
      const target = this.#creationType(node)
      return target === null ? nothing : { k: 'is', t: this.#type(target, scope) }
    }
    const call = this.#spec.calls[type]
    if (call !== undefined) return this.#callValue(node, call, scope)
    const member = this.#spec.members[type]
    if (member !== undefined && member[1] !== '') {
      const object = field(node, member[0])
      let name = field(node, member[1])
      if (object === null || name === null) return nothing
      let holder = this.#value(object, scope)
      // `a::b::c` is written from the right: what follows the first name is a name with a scope again.
      while (name !== null && name.type === type && type === 'qualified_identifier') {
        const inner = field(name, member[0])
        if (inner !== null) holder = { k: 'get', o: holder, n: nameText(inner) }
        name = field(name, member[1])
      }
      return name === null ? nothing : { k: 'get', o: holder, n: nameText(name) }
    }
    if (this.#language === 'rust' && /^scoped/.test(node.parent?.type ?? '') && /^(self|super|crate)$/.test(type))
      return { k: 'mod', m: this.#fromFile(node.text, scope.owner) }
    if (this.#spec.selfNames.has(node.text) && node.text.length < 8)
      return node.text === 'Self' && scope.type !== undefined ? { k: 'sym', s: scope.type } : (scope.self ?? nothing)
    if (this.#spec.superNames.has(node.text) && node.text.length < 8)
      return scope.type === undefined ? nothing : { k: 'super', s: scope.type }
    if (type === 'instance_variable' && scope.self !== undefined) return { k: 'get', o: scope.self, n: node.text }
    // In Ruby a name that is no variable is a call.
    if (this.#language === 'ruby' && type === 'identifier' && !this.#isVariable(node.text, scope))
      return { k: 'call', f: this.#bareName(node.text, scope) }
    if (type === 'namespace_identifier') return this.#name(node.text, scope, true)
    if (this.#spec.identifiers.has(type) || this.#spec.typeIdentifiers.has(type))
      return this.#bareName(nameText(node), scope)
    if (this.#language === 'go' && type === 'unary_expression' && node.text.startsWith('<-'))
      return { k: 'elem', v: this.#value(named(node)[0], scope) }
    if (type === 'await' || type === 'await_expression') return { k: 'await', v: this.#value(named(node)[0], scope) }
    if (
      /^(parenthesized_expression|unary_expression|pointer_expression|reference_expression|type|argument|expression_list|cast_expression)$/.test(
        type,
      )
    ) {
      const cast = type === 'cast_expression' ? field(node, 'type') : null
      if (cast !== null && cast.type !== 'cast_type') return { k: 'is', t: this.#type(cast, scope) }
      return this.#value(type === 'cast_expression' ? field(node, 'value') : named(node)[0], scope)
    }
    if (type === 'try_expression') return { k: 'elem', v: this.#value(named(node)[0], scope) }
    if (type === 'conditional_access_expression') {
      const [object, member_] = named(node)
      const name = member_?.type === 'member_binding_expression' ? field(member_, 'name') : null
      return object === undefined || name === null
        ? nothing
        : { k: 'get', o: this.#value(object, scope), n: nameText(name) }
    }
    if (this.#spec.lambdas.has(type)) {
      const inner = this.#lambdaScope(node, scope)
      const body = field(node, 'body')
      const isExpression = body !== null && !/block|body|compound|statement/.test(body.type)
      return { k: 'fn', ...(isExpression ? { r: this.#value(body, inner) } : {}) }
    }
    if (/^(type_cast|as|type_assertion)_expression$/.test(type)) {
      const target = field(node, 'type') ?? field(node, 'right')
      return target === null ? nothing : { k: 'is', t: this.#type(target, scope) }
    }
    if (
      type === 'subscript' ||
      type === 'index_expression' ||
      type === 'subscript_expression' ||
      type === 'element_access_expression' ||
      type === 'array_access'
    ) {
      return {
        k: 'elem',
        v: this.#value(
          field(node, 'value') ?? field(node, 'operand') ?? field(node, 'argument') ?? named(node)[0],
          scope,
        ),
      }
    }
    if (/^(list|tuple|set|array|array_expression|array_creation_expression)$/.test(type)) {
      const items = named(node)
        .slice(0, 3)
        .map((one) => (one.type === 'array_element_initializer' ? (named(one).at(-1) ?? one) : one))
      return { k: 'arr', v: { k: 'alt', v: items.map((one) => this.#value(one, scope)) } }
    }
    if (/comprehension|generator_expression/.test(type)) {
      const inner = this.#child(scope, {})
      for (const clause of named(node))
        for (const naming of this.#spec.locals(clause))
          inner.names.set(naming.name, { k: 'elem', v: this.#value(naming.value, inner) })
      return { k: 'arr', v: this.#value(field(node, 'body') ?? named(node)[0], inner) }
    }
    if (type === 'conditional_expression' || type === 'boolean_operator' || type === 'ternary_expression') {
      const parts = named(node)
      return { k: 'alt', v: [parts[0], parts.at(-1)].map((one) => this.#value(one, scope)) }
    }
    return nothing
  }

  #creationType(node: Node): Node | null {
    const named_ = this.#spec.creations[node.type]
    return named_ === undefined ? null : named_ === '' ? (named(node)[0] ?? null) : field(node, named_)
  }

  #callee(node: Node, call: { callee?: string; object?: string; name?: string }, scope: Scope): Value {
    if (/^(explicit_constructor_invocation|constructor_initializer)$/.test(node.type)) {
      if (scope.type === undefined) return nothing
      const isOwn = (field(node, 'constructor') ?? node).text.replace(/^:\s*/, '').startsWith('this')
      return { k: 'get', o: { k: isOwn ? 'this' : 'super', s: scope.type }, n: constructorName }
    }
    if (call.callee !== undefined) {
      const callee = field(node, call.callee)
      if (callee === null) return nothing
      if (/^(generic_function|generic_type|template_function)$/.test(callee.type))
        return this.#value(field(callee, 'function') ?? named(callee)[0], scope)
      return this.#value(callee, scope)
    }
    const object = call.object === undefined ? null : field(node, call.object)
    const name = call.name === undefined ? null : field(node, call.name)
    if (name === null) return nothing
    if (name.type === 'super') return this.#rubySuper(scope)
    return object === null
      ? this.#methodName(nameText(name), scope)
      : { k: 'get', o: this.#value(object, scope), n: nameText(name) }
  }

  #callValue(node: Node, call: { callee?: string; object?: string; name?: string }, scope: Scope): Value {
    if (this.#language === 'python' && field(node, 'function')?.text === 'super' && scope.type !== undefined)
      return { k: 'super', s: scope.type }
    if (
      this.#language === 'go' &&
      field(node, 'function')?.text === 'new' &&
      this.#childNamed(0, 'new') === undefined
    ) {
      const [made] = named(field(node, 'arguments'))
      return made === undefined ? nothing : { k: 'is', t: this.#type(made, scope) }
    }
    if (this.#language === 'cpp' || this.#language === 'c') {
      const made = typeOfTemplateCall(field(node, 'function'))
      if (made !== undefined) return { k: 'is', t: this.#type(made, scope) }
    }
    if (this.#language === 'ruby' && field(node, 'method')?.text === 'new') {
      const made = this.#rubyMade(node, scope)
      return made === undefined ? nothing : { k: 'new', c: made }
    }
    const f = this.#callee(node, call, scope)
    const a = this.#lambdaArguments(node, f, scope)
    return { k: 'call', f, ...(a.length === 0 ? {} : { a }) }
  }

  /** `Type.new`, and `new` alone inside the type. */
  #rubyMade(node: Node, scope: Scope): Value | undefined {
    const receiver = field(node, 'receiver')
    if (receiver !== null) return this.#value(receiver, scope)
    return scope.type === undefined ? undefined : { k: 'sym', s: scope.type }
  }

  /** `super` hands on to the method of the same name above. */
  #rubySuper(scope: Scope): Value {
    const { name } = this.#facts.symbol(scope.owner)
    return scope.type === undefined ? nothing : { k: 'get', o: { k: 'super', s: scope.type }, n: name }
  }

  #type(node: Node, scope: Scope, depth = 0): Type {
    const unknown: Type = { k: 'ref', v: nothing }
    if (depth > 10) return unknown
    const { type } = node
    const inner = named(node)
    if (this.#spec.typeIdentifiers.has(type) || this.#spec.identifiers.has(type)) {
      if (this.#spec.selfNames.has(node.text) && scope.type !== undefined)
        return { k: 'ref', v: { k: 'sym', s: scope.type } }
      for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
        const bound = at.bounds?.get(node.text)
        if (bound !== undefined) return bound
      }
      if (scope.type !== undefined && this.#facts.symbol(scope.type).typeParameters?.includes(node.text) === true)
        return { k: 'param', n: node.text }
      return { k: 'ref', v: this.#name(nameText(node), scope, true) }
    }
    if (this.#spec.members[type] !== undefined) {
      const args =
        field(node, 'name')?.type === 'template_type' ? field(field(node, 'name') ?? node, 'arguments') : null
      return {
        k: 'ref',
        v: this.#value(node, scope),
        ...(args === null ? {} : { a: named(args).map((one) => this.#type(one, scope, depth + 1)) }),
      }
    }
    if (type === 'string') {
      const text = node.text.replace(/^['"]|['"]$/g, '')
      return /^\w+$/.test(text) ? { k: 'ref', v: this.#name(text, scope) } : unknown
    }
    if (/array_type|slice_type/.test(type)) {
      const element = field(node, 'element') ?? field(node, 'type') ?? inner.at(-1)
      return element === null || element === undefined
        ? unknown
        : { k: 'arr', e: this.#type(element, scope, depth + 1) }
    }
    if (type === 'map_type' || type === 'channel_type') {
      const element = field(node, 'value')
      return element === null ? unknown : { k: 'arr', e: this.#type(element, scope, depth + 1) }
    }
    if (/generic|template_type|^subscript$/.test(type)) {
      const [head, ...rest] = inner
      const list = rest.length === 1 && /argument|parameter/.test(rest[0]?.type ?? '') ? named(rest[0] ?? null) : rest
      const base = head === undefined ? unknown : this.#type(head, scope, depth + 1)
      return base.k === 'ref' ? { ...base, a: list.map((one) => this.#type(one, scope, depth + 1)) } : base
    }
    if (type === 'binary_operator' || type === 'union_type')
      return { k: 'any-of', ts: inner.map((one) => this.#type(one, scope, depth + 1)) }
    if (
      /^(type|pointer_type|reference_type|nullable_type|optional_type|type_descriptor|parenthesized_type|named_type|dynamic_type|type_elem|abstract_type)$/.test(
        type,
      )
    ) {
      const target = inner.find((one) => !/modifier|lifetime|mutable|qualifier/.test(one.type))
      return target === undefined ? unknown : this.#type(target, scope, depth + 1)
    }
    return unknown
  }

  // ---- visiting -----------------------------------------------------------------------------------------

  #child(parent: Scope, change: Partial<Scope>): Scope {
    return {
      parent,
      owner: parent.owner,
      names: new Map(),
      self: parent.self,
      type: parent.type,
      isTypeBody: false,
      ...change,
    }
  }

  #refer(scope: Scope, kind: Reference['kind'], value: Value, at: Node, name: string, asType = false): void {
    this.#facts.references.push({
      from: scope.owner,
      kind,
      value,
      name: name.length > 120 ? (name.split(/[.:>]/).at(-1) ?? '') : name,
      line: at.startPosition.row + 1,
      col: at.startPosition.column,
      ...(asType ? { asType: true as const } : {}),
    })
  }

  #visit(node: Node, scope: Scope, depth: number): void {
    if (depth > depthMax) return
    if (this.#spec.imports(node) !== undefined || /comment/.test(node.type)) return
    const index = this.#symbolOf.get(node.id)
    if (index !== undefined && this.#typeKind(node) !== undefined) {
      this.#visitType(node, index, scope, depth)
      return
    }
    if (node.type === 'impl_item') {
      this.#visitImplementation(node, index, scope, depth)
      return
    }
    if (index !== undefined && this.#spec.functions.has(node.type)) {
      this.#visitFunction(node, index, scope, depth)
      return
    }
    const field_ = this.#valueOwner.get(node.id)
    if (field_ !== undefined) {
      this.#valueOwner.delete(node.id)
      this.#visit(node, this.#child(scope, { owner: field_ }), depth)
      return
    }
    if (this.#spec.lambdas.has(node.type)) {
      const inner = this.#lambdaScope(node, scope)
      for (const child of named(node)) if (!/parameters?$/.test(child.type)) this.#visit(child, inner, depth + 1)
      return
    }
    const isBlock =
      /block|body|statement_list|compound_statement|for_|_loop|while_|type_case|match_arm/.test(node.type) &&
      this.#language !== 'python' &&
      this.#language !== 'ruby' &&
      this.#language !== 'php'
    if (!isBlock) this.#nameLocals(node, scope)
    const call = this.#spec.calls[node.type]
    if (call !== undefined) {
      this.#visitCall(node, call, scope, depth)
      return
    }
    if (this.#spec.creations[node.type] !== undefined) {
      const type = this.#creationType(node)
      if (type !== null) {
        const written = this.#type(type, scope)
        if (written.k === 'ref') this.#refer(scope, 'instantiates', written.v, node, type.text)
        for (const child of named(node)) if (child.id !== type.id) this.#visit(child, scope, depth + 1)
        return
      }
    }
    if (node.type === 'super' && this.#language === 'ruby') {
      this.#refer(scope, 'calls', this.#rubySuper(scope), node, 'super')
      return
    }
    if (node.type === 'decorator') {
      const [expression] = named(node)
      const target = expression?.type === 'call' ? field(expression, 'function') : expression
      if (target !== null && target !== undefined)
        this.#refer(scope, 'decorates', this.#value(target, scope), node, target.text)
    }
    const member = this.#spec.members[node.type]
    if (member !== undefined && member[1] !== '') {
      const value = this.#value(node, scope)
      if (value.k === 'get') this.#refer(scope, 'references', value, field(node, member[1]) ?? node, node.text)
      const object = field(node, member[0])
      if (object !== null) this.#visit(object, scope, depth + 1)
      return
    }
    if (this.#spec.identifiers.has(node.type) || this.#spec.typeIdentifiers.has(node.type)) {
      const value = this.#name(nameText(node), scope)
      if (
        this.#language === 'ruby' &&
        node.type === 'identifier' &&
        value.k === 'glob' &&
        value.n !== '?' &&
        value.n !== ''
      ) {
        // A name that is no variable is a call.
        this.#refer(scope, 'calls', this.#bareName(node.text, scope), node, node.text)
        return
      }
      const isNamed = value.k === 'imp' || value.k === 'mod' || (value.k === 'sym' && value.s !== scope.owner)
      if (isNamed || (value.k === 'glob' && value.n !== '' && value.n !== '?' && /^\p{Lu}/u.test(value.n))) {
        this.#refer(
          scope,
          'references',
          value,
          node,
          node.text,
          this.#spec.typeIdentifiers.has(node.type) && node.type !== 'identifier',
        )
      }
      return
    }
    if (/comprehension|generator_expression/.test(node.type)) {
      const clauses = this.#child(scope, {})
      for (const clause of named(node)) this.#nameLocals(clause, clauses)
      for (const child of named(node)) this.#visit(child, clauses, depth + 1)
      return
    }
    const inner = isBlock ? this.#child(scope, {}) : scope
    if (isBlock) this.#nameLocals(node, inner)
    for (const child of named(node)) this.#visit(child, inner, depth + 1)
  }

  /** Names that a statement gives, from here on. */
  #nameLocals(node: Node, scope: Scope): void {
    for (const naming of this.#spec.locals(node)) {
      if (naming.name === '') continue
      const declared =
        this.#symbolOf.get(naming.at.id) ?? (scope.owner === 0 ? this.#childNamed(0, naming.name) : undefined)
      const value: Value =
        naming.type !== null && naming.type !== undefined
          ? { k: 'is', t: this.#type(naming.type, scope) }
          : naming.isElement === true
            ? { k: 'elem', v: this.#value(naming.value, scope) }
            : this.#value(naming.value, scope)
      if (declared !== undefined && scope.type === undefined) {
        const symbol = this.#facts.symbol(declared)
        if (naming.type !== null && naming.type !== undefined) symbol.type ??= this.#type(naming.type, scope)
        else symbol.value ??= value
        continue
      }
      if (naming.name.startsWith('@') && scope.type !== undefined) {
        this.#selfField(scope.type, naming.name, naming.at, value)
        continue
      }
      const before = scope.names.get(naming.name)
      scope.names.set(naming.name, before === undefined || before.k === 'is' ? (before ?? value) : value)
    }
    this.#selfAssignment(node, scope)
  }

  /** `self.x = …` and `$this->x = …` declare a field of the type, when nothing else does. */
  #selfAssignment(node: Node, scope: Scope): void {
    if (scope.type === undefined || !/^assignment/.test(node.type)) return
    const left = field(node, 'left')
    const member = left === null ? undefined : this.#spec.members[left.type]
    if (left === null || member === undefined || member[1] === '') return
    const object = field(left, member[0])
    const name = field(left, member[1])
    if (object === null || name === null || this.#value(object, scope).k !== 'this') return
    const type = field(node, 'type')
    this.#selfField(
      scope.type,
      nameText(name),
      left,
      type === null ? this.#value(field(node, 'right'), scope) : { k: 'is', t: this.#type(type, scope) },
    )
  }

  #selfField(type: number, name: string, at: Node, value: Value): void {
    const index = this.#childNamed(type, name) ?? this.#declare('field', name, type, at)
    const symbol = this.#facts.symbol(index)
    if (symbol.kind === 'field' && symbol.type === undefined) symbol.value ??= value
  }

  #visitCall(node: Node, call: { callee?: string; object?: string; name?: string }, scope: Scope, depth: number): void {
    const callee = call.callee === undefined ? null : field(node, call.callee)
    const nameNode = call.name === undefined ? null : field(node, call.name)
    const isSuper = this.#language === 'python' && callee?.text === 'super'
    this.#value(node, scope)
    if (!isSuper) {
      const value = this.#callee(node, call, scope)
      const objectNode = call.object === undefined ? null : field(node, call.object)
      const made = this.#language === 'ruby' && nameNode?.text === 'new' ? this.#rubyMade(node, scope) : undefined
      const name = callee?.text ?? `${objectNode === null ? '' : `${objectNode.text}.`}${nameNode?.text ?? ''}`
      const at =
        nameNode ??
        (callee !== null && this.#spec.members[callee.type] !== undefined
          ? (field(callee, this.#spec.members[callee.type]?.[1] ?? '') ?? callee)
          : callee) ??
        node
      if (made !== undefined) this.#refer(scope, 'instantiates', made, at, objectNode?.text ?? 'new')
      else this.#refer(scope, 'calls', value, at, name.replace(/\s+/g, ''))
    }
    for (const child of named(node)) {
      if (child.id === nameNode?.id) continue
      if (child.id === callee?.id) {
        const member = this.#spec.members[child.type]
        const object = member === undefined ? null : field(child, member[0])
        if (object !== null) this.#visit(object, scope, depth + 1)
        else if (!this.#spec.identifiers.has(child.type)) this.#visit(child, scope, depth + 1)
        continue
      }
      this.#visit(child, scope, depth + 1)
    }
  }

  #visitType(node: Node, index: number, scope: Scope, depth: number): void {
    const symbol = this.#facts.symbol(index)
    const isType = this.#isType(index)
    const inner = this.#child(scope, {
      owner: index,
      isTypeBody: true,
      ...(isType ? { type: index, self: { k: 'this', s: index } as Value } : {}),
    })
    const parameters = this.#spec.typeParameters(node)
    if (parameters.length > 0) symbol.typeParameters = [...parameters]
    const heritage = this.#spec.heritage(node).flatMap((one) => this.#heritageFact(one.type, one.relation, inner))
    if (heritage.length > 0) symbol.heritage = [...(symbol.heritage ?? []), ...heritage]
    if (symbol.kind === 'type_alias') {
      const type = field(node, 'type')
      if (type !== null) symbol.type = this.#type(type, inner)
    }
    if (isType) this.#fieldFacts(node, index, inner, depth)
    const skipped = new Set(this.#spec.heritage(node).map((one) => one.type.id))
    const nameId = field(node, 'name')?.id
    for (const child of named(node))
      if (
        !skipped.has(child.id) &&
        child.id !== nameId &&
        !/superclass|superclasses|interfaces|base_list|base_clause|base_class_clause|class_interface_clause/.test(
          child.type,
        )
      )
        this.#visit(child, inner, depth + 1)
  }

  #heritageFact(type: Node, relation: Heritage['relation'], scope: Scope): Heritage[] {
    const written = this.#type(type, scope)
    if (written.k !== 'ref') return []
    return [
      {
        value: written.v,
        relation,
        line: type.startPosition.row + 1,
        col: type.startPosition.column,
        name: type.text,
        ...(written.a === undefined ? {} : { args: written.a }),
      },
    ]
  }

  /** Initialisers of fields belong to their field, not to the type around. */
  readonly #valueOwner = new Map<number, number>()

  #fieldFacts(node: Node, index: number, scope: Scope, depth: number): void {
    if (depth > depthMax) return
    for (const child of named(node)) {
      if (
        this.#symbolOf.has(child.id) &&
        (this.#typeKind(child) !== undefined || this.#spec.functions.has(child.type))
      ) {
        // Parameters of a constructor that are fields at once.
        for (const parameter of named(field(child, 'parameters')))
          for (const naming of this.#spec.fields(parameter))
            if (naming.type !== null && naming.type !== undefined)
              this.#selfField(index, naming.name, parameter, { k: 'is', t: this.#type(naming.type, scope) })
        continue
      }
      for (const naming of this.#spec.fields(child)) {
        const own = this.#childNamed(index, naming.name)
        if (own === undefined) continue
        const symbol = this.#facts.symbol(own)
        if (naming.value !== null && naming.value !== undefined) this.#valueOwner.set(naming.value.id, own)
        if (this.#language === 'ruby') symbol.value ??= { k: 'get', o: { k: 'this', s: index }, n: `@${naming.name}` }
        if (naming.type !== null && naming.type !== undefined) symbol.type ??= this.#type(naming.type, scope)
        else if (naming.value !== null && naming.value !== undefined) symbol.value ??= this.#value(naming.value, scope)
      }
      this.#fieldFacts(child, index, scope, depth + 1)
    }
  }

  #visitImplementation(node: Node, index: number | undefined, scope: Scope, depth: number): void {
    const typeNode = field(node, 'type')
    const isOwn = index !== undefined && this.#isType(index)
    const self: Value = isOwn
      ? { k: 'this', s: index }
      : typeNode === null
        ? nothing
        : { k: 'is', t: this.#type(typeNode, scope) }
    const inner = this.#child(scope, { self, ...(isOwn ? { type: index, owner: index } : {}) })
    const trait = field(node, 'trait')
    if (trait !== null && isOwn) {
      const symbol = this.#facts.symbol(index)
      symbol.heritage = [...(symbol.heritage ?? []), ...this.#heritageFact(trait, 'implements', scope)]
    }
    const body = field(node, 'body')
    if (body !== null) for (const child of named(body)) this.#visit(child, inner, depth + 1)
  }

  #visitFunction(node: Node, index: number, scope: Scope, depth: number): void {
    const symbol = this.#facts.symbol(index)
    const bounds = new Map<string, Type>()
    for (const one of this.#spec.bounds(node)) bounds.set(one.name, this.#type(one.type, scope))
    const inner = this.#child(scope, { owner: index, bounds })
    const receiver = this.#spec.receiver(node)
    let typed = inner
    if (receiver !== undefined) {
      const holder = this.#facts.symbol(index).parent
      const self: Value = this.#isType(holder)
        ? { k: 'this', s: holder }
        : { k: 'is', t: { k: 'ref', v: { k: 'glob', n: receiver.type } } }
      typed = { ...inner, self, ...(this.#isType(holder) ? { type: holder } : {}) }
      if (receiver.self !== undefined) typed.names.set(receiver.self, self)
    }
    const parameters = this.#spec.parameters(node)
    const types: (Type | null)[] = []
    parameters.forEach((parameter, position) => {
      const isSelf =
        this.#language === 'python' &&
        position === 0 &&
        scope.type !== undefined &&
        scope.isTypeBody &&
        !(symbol.decorators ?? []).includes('staticmethod')
      if (isSelf && scope.type !== undefined) {
        const isClass = (symbol.decorators ?? []).includes('classmethod')
        typed.names.set(parameter.name, isClass ? { k: 'this', s: scope.type, c: 1 } : { k: 'this', s: scope.type })
        if (!isClass) typed = { ...typed, self: { k: 'this', s: scope.type } }
        return
      }
      const written = parameter.type === null || parameter.type === undefined ? null : this.#type(parameter.type, typed)
      const type: Type | null = written !== null && parameter.isList === true ? { k: 'arr', e: written } : written
      types.push(type)
      const isBuiltIn = type?.k === 'ref' && type.v === nothing
      typed.names.set(
        parameter.name,
        type !== null && !isBuiltIn
          ? { k: 'is', t: type }
          : parameter.value !== null && parameter.value !== undefined
            ? this.#value(parameter.value, scope)
            : anything,
      )
      if (parameter.type !== null && parameter.type !== undefined) this.#visit(parameter.type, typed, depth + 1)
      if (parameter.value !== null && parameter.value !== undefined) this.#visit(parameter.value, scope, depth + 1)
    })
    if (types.some((one) => one !== null)) symbol.parameterTypes = types
    for (const child of named(node))
      if (/^(constructor_initializer|field_initializer_list)$/.test(child.type)) this.#visit(child, typed, depth + 1)
    const result = this.#spec.resultType(node)
    if (result !== null && result.text !== 'void' && result.text !== 'None') {
      symbol.type ??= this.#type(result, typed)
      symbol.returnType = clipSignature(result.text)
      this.#visit(result, typed, depth + 1)
    }
    for (const decorator of node.parent?.type === 'decorated_definition'
      ? named(node.parent).filter((one) => one.type === 'decorator')
      : [])
      this.#visit(decorator, inner, depth + 1)
    const body =
      field(node, 'body') ?? named(node).find((one) => /accessor_list|arrow_expression_clause/.test(one.type)) ?? null
    if (this.#spec.nameOf(node) !== '' && node.type === 'property_declaration') symbol.accessor = true
    if (body !== null) {
      this.#visit(body, typed, depth + 1)
      if (symbol.type === undefined) {
        const returns: Value[] = []
        this.#collectReturns(body, typed, returns, 0)
        const last = this.#language === 'ruby' ? named(body).findLast((one) => one.type !== 'comment') : undefined
        if (last !== undefined && last.type !== 'return') returns.push(this.#value(last, typed))
        const [only] = returns
        if (only !== undefined) symbol.result = returns.length === 1 ? only : { k: 'alt', v: returns }
      }
    } else if (this.#language === 'ruby') {
      for (const child of named(node))
        if (!/parameters|identifier/.test(child.type)) this.#visit(child, typed, depth + 1)
    }
  }

  #collectReturns(node: Node, scope: Scope, found: Value[], depth: number): void {
    if (
      depth > depthMax ||
      found.length >= returnsMax ||
      this.#spec.functions.has(node.type) ||
      this.#typeKind(node) !== undefined ||
      /lambda|closure/.test(node.type)
    )
      return
    if (/^return(_statement|_expression)?$/.test(node.type)) {
      const [value] = named(node)
      if (value !== undefined) found.push(this.#value(value, scope))
      return
    }
    for (const child of named(node)) this.#collectReturns(child, scope, found, depth + 1)
  }
}

/** What a cast or a maker of C++ names as the type of its result. */
function typeOfTemplateCall(callee: Node | null): Node | undefined {
  const called = callee?.type === 'qualified_identifier' ? field(callee, 'name') : callee
  if (called?.type !== 'template_function') return undefined
  return /^((static|dynamic|reinterpret|const)_cast|make_(unique|shared))$/.test(field(called, 'name')?.text ?? '')
    ? named(field(called, 'arguments'))[0]
    : undefined
}

/** A name without the arguments a grammar may hang on it, and without the namespace before it. */
function nameText(node: Node): string {
  if (/generic_name|template_function|template_method|template_type|generic_type/.test(node.type))
    return named(node)[0]?.text ?? node.text
  const { text } = node
  return text.includes('\\') ? (text.split('\\').at(-1) ?? text) : text
}
