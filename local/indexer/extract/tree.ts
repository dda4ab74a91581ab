import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { Language as Grammar, type Node, Parser, type Tree } from 'web-tree-sitter'
import type { FileFacts, Heritage, Reference, Type, Value } from '../core/facts.ts'
import type { Language } from '../core/vocabulary.ts'
import { clipSignature, FactBuilder } from './fact-builder.ts'
import { field, firstOf, named } from './languages/shapes.ts'
import type { TreeLanguage } from './languages/tree-language.ts'
import { anything, depthMax, nothing, type Scope } from './tree-declarations.ts'
import { treeLanguages } from './tree-languages.ts'
import { nameText, narrowedNames, TreeValues, takenOut } from './tree-values.ts'

const returnsMax = 6

/** Tables that are written as one macro are passed over. */
const macroCharsMax = 20_000

/** Macros of Rust whose arguments are expressions. */
const callLikeMacros = new Set(
  `print println eprint eprintln format write writeln panic todo unimplemented unreachable vec dbg assert assert_eq
  assert_ne debug_assert debug_assert_eq debug_assert_ne trace debug info warn error anyhow bail ensure`.split(/\s+/),
)

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
      const more: Tree[] = []
      const parseMore = (part: string): Node | undefined => {
        const parsed = parser.parse(part)
        if (parsed !== null) more.push(parsed)
        return parsed?.rootNode
      }
      try {
        new TreeExtractor(facts, spec, language, text, parseMore).run(tree.rootNode)
      } finally {
        for (const one of more) one.delete()
      }
    } finally {
      tree.delete()
    }
  } finally {
    parser.delete()
  }
  return facts.build()
}

class TreeExtractor extends TreeValues {
  private readonly parseMore: (text: string) => Node | undefined

  constructor(
    facts: FactBuilder,
    spec: TreeLanguage,
    language: Language,
    text: string,
    parseMore: (text: string) => Node | undefined,
  ) {
    super(facts, spec, language, text)
    this.parseMore = parseMore
  }

  run(root: Node): void {
    this.facts.packageName = this.spec.packageName?.(root)
    this.declareAll(root, 0, 0)
    const scope: Scope = {
      parent: undefined,
      owner: 0,
      names: new Map(),
      self: undefined,
      type: undefined,
      isTypeBody: false,
    }
    for (const child of named(root)) this.visit(child, scope, 0)
    this.facts.symbols.forEach((symbol, index) => {
      if (index > 0 && symbol.parent === 0 && symbol.kind !== 'import')
        this.facts.exports.push({ name: symbol.name, value: { k: 'sym', s: index } })
    })
    this.applyAllList(root)
    for (const [local, value] of this.imported)
      if (local !== '' && local !== '*') this.facts.exports.push({ name: local, value })
  }

  /** A Python module that lists its public names makes all others its own. */
  private applyAllList(root: Node): void {
    if (this.language !== 'python') return
    for (const statement of named(root)) {
      const assignment = statement.type === 'expression_statement' ? named(statement)[0] : undefined
      if (assignment?.type !== 'assignment' || field(assignment, 'left')?.text !== '__all__') continue
      const listed = new Set(named(field(assignment, 'right')).map((one) => one.text.replace(/^['"]|['"]$/g, '')))
      for (const symbol of this.facts.symbols) {
        if (symbol.parent !== 0 || symbol.kind === 'file' || symbol.kind === 'import') continue
        if (listed.has(symbol.name)) symbol.exported = true
        else delete symbol.exported
      }
    }
  }

  protected refer(scope: Scope, kind: Reference['kind'], value: Value, at: Node, name: string, asType = false): void {
    this.facts.references.push({
      from: scope.owner,
      kind,
      value,
      name: name.length > 120 ? (name.split(/[.:>]/).at(-1) ?? '') : name,
      line: at.startPosition.row + 1,
      col: at.startPosition.column,
      ...(asType ? { asType: true as const } : {}),
    })
  }

  protected visit(node: Node, scope: Scope, depth: number): void {
    if (depth > depthMax) return
    if (!isBranch(node)) {
      this.visitWhole(node, scope, depth)
      return
    }
    // What a branch gives a name is what the name holds inside it, and one of several things afterwards.
    const before = new Map(scope.names)
    this.visitWhole(node, scope, depth)
    for (const [name, old] of before) {
      const now = scope.names.get(name)
      if (now !== undefined && now !== old && now.k !== 'is') scope.names.set(name, eitherOf(old, now))
    }
  }

  private visitWhole(node: Node, scope: Scope, depth: number): void {
    if (this.spec.imports(node) !== undefined || /comment/.test(node.type)) return
    const index = this.symbolOf.get(node.id)
    if (index !== undefined && this.typeKind(node) !== undefined) {
      this.visitType(node, index, scope, depth)
      return
    }
    if (node.type === 'impl_item') {
      this.visitImplementation(node, index, scope, depth)
      return
    }
    if (index !== undefined && this.spec.functions.has(node.type)) {
      this.visitFunction(node, index, scope, depth)
      return
    }
    const unnamed = unnamedClass(node)
    if (unnamed !== undefined) {
      const above: Value = unnamed === null ? nothing : { k: 'is', t: this.typeOf(unnamed, scope) }
      const inner = this.child(scope, { self: above, above })
      for (const child of named(node)) this.visit(child, inner, depth + 1)
      return
    }
    const field_ = this.valueOwner.get(node.id)
    if (field_ !== undefined) {
      this.valueOwner.delete(node.id)
      this.visit(node, this.child(scope, { owner: field_ }), depth)
      return
    }
    if (this.spec.lambdas.has(node.type)) {
      const inner = this.lambdaScope(node, scope)
      for (const child of named(node)) if (!/parameters?$/.test(child.type)) this.visit(child, inner, depth + 1)
      return
    }
    const isBlock =
      /block|body|statement_list|compound_statement|for_|_loop|while_|type_case|match_arm|switch_(rule|section|expression_arm)/.test(
        node.type,
      ) &&
      this.language !== 'python' &&
      this.language !== 'ruby' &&
      this.language !== 'php'
    if (!isBlock) this.nameLocals(node, scope)
    const call = this.spec.calls[node.type]
    if (call !== undefined) {
      this.visitCall(node, call, scope, depth)
      return
    }
    if (this.spec.creations[node.type] !== undefined) {
      const type = this.creationType(node)
      if (type !== null) {
        const written = this.typeOf(type, scope)
        const made = written.k === 'param' && written.n === 'static' ? written.b : written
        if (made?.k === 'ref' && !this.isTypeParameter(type.text, scope))
          this.refer(scope, 'instantiates', made.v, node, type.text)
        for (const child of named(node)) if (child.id !== type.id) this.visit(child, scope, depth + 1)
        return
      }
    }
    if (node.type === 'super' && this.language === 'ruby') {
      this.refer(scope, 'calls', this.rubySuper(scope), node, 'super')
      return
    }
    if (node.type === 'decorator') {
      const [expression] = named(node)
      const target = expression?.type === 'call' ? field(expression, 'function') : expression
      if (target !== null && target !== undefined)
        this.refer(scope, 'decorates', this.value(target, scope), node, target.text)
    }
    if (this.language === 'python' && this.visitNarrowed(node, scope, depth)) return
    if (node.type === 'method_reference') {
      this.visitMethodReference(node, scope, depth)
      return
    }
    if (this.language === 'rust' && node.type === 'token_tree') {
      for (const one of this.macroArguments(node)) this.visit(one, scope, depth + 1)
      return
    }
    const member = this.spec.members[node.type]
    if (member !== undefined && member[1] !== '') {
      const value = this.value(node, scope)
      if (value.k === 'get') this.refer(scope, 'references', value, field(node, member[1]) ?? node, node.text)
      const object = field(node, member[0])
      if (object !== null) this.visit(object, scope, depth + 1)
      return
    }
    if (this.spec.identifiers.has(node.type) || this.spec.typeIdentifiers.has(node.type)) {
      const value = node.type === 'qualified_name' ? this.value(node, scope) : this.name(nameText(node), scope)
      if (
        this.language === 'ruby' &&
        node.type === 'identifier' &&
        value.k === 'glob' &&
        value.n !== '?' &&
        value.n !== ''
      ) {
        // A name that is no variable is a call.
        this.refer(scope, 'calls', this.bareName(node.text, scope), node, node.text)
        return
      }
      const isNamed =
        value.k === 'imp' ||
        value.k === 'mod' ||
        (value.k === 'alt' && node.type === 'constant') ||
        (value.k === 'sym' && value.s !== scope.owner)
      if (isNamed || (value.k === 'glob' && value.n !== '' && value.n !== '?' && /^\p{Lu}/u.test(value.n))) {
        this.refer(
          scope,
          'references',
          value,
          node,
          node.text,
          this.spec.typeIdentifiers.has(node.type) && node.type !== 'identifier',
        )
      }
      return
    }
    if (/comprehension|generator_expression/.test(node.type)) {
      const clauses = this.child(scope, {})
      for (const clause of named(node)) this.nameLocals(clause, clauses)
      for (const child of named(node)) this.visit(child, clauses, depth + 1)
      return
    }
    const inner = isBlock ? this.child(scope, {}) : scope
    if (isBlock) this.nameLocals(node, inner)
    for (const child of named(node)) this.visit(child, inner, depth + 1)
  }

  /** `if isinstance(name, Type):` says what the name is for as long as the branch lasts; so does `and` for what follows. */
  private visitNarrowed(node: Node, scope: Scope, depth: number): boolean {
    const isBranch = node.type === 'if_statement' || node.type === 'elif_clause'
    const isAnd = node.type === 'boolean_operator' && field(node, 'operator')?.type === 'and'
    if (!isBranch && !isAnd) return false
    const known = narrowedNames(field(node, isBranch ? 'condition' : 'left'))
    if (known.length === 0) return false
    const narrowed = field(node, isBranch ? 'consequence' : 'right')?.id
    for (const child of named(node)) {
      if (child.id !== narrowed) {
        this.visit(child, scope, depth + 1)
        continue
      }
      const before = known.map(({ name }) => scope.names.get(name))
      for (const { name, type } of known) scope.names.set(name, { k: 'is', t: this.typeOf(type, scope) })
      this.visit(child, scope, depth + 1)
      known.forEach(({ name }, at) => {
        const old = before[at]
        if (old === undefined) scope.names.delete(name)
        else scope.names.set(name, old)
      })
    }
    return true
  }

  private visitMethodReference(node: Node, scope: Scope, depth: number): void {
    const [object] = named(node)
    const value = this.value(node, scope)
    if (value.k === 'get') this.refer(scope, 'references', value, named(node)[1] ?? node, node.text)
    if (object !== undefined) this.visit(object, scope, depth + 1)
  }

  /** What a macro that reads like a call is given; the grammar leaves it as bare words. */
  private macroArguments(tree: Node): Node[] {
    const macro = tree.parent === null ? null : field(tree.parent, 'macro')
    if (macro === null || !callLikeMacros.has(macro.text) || tree.startPosition.row === 0) return []
    if (tree.endIndex - tree.startIndex > macroCharsMax) return []
    const { row, column } = tree.startPosition
    const text = `${'\n'.repeat(row - 1)}fn f(){f(\n${' '.repeat(column + 1)}${tree.text.slice(1, -1)})}`
    const call = this.parseMore(text)?.descendantsOfType('call_expression')[0]
    return call === undefined || call === null ? [] : named(field(call, 'arguments'))
  }

  /** Names that a statement gives, from here on. */
  protected nameLocals(node: Node, scope: Scope): void {
    for (const naming of this.spec.locals(node)) {
      if (naming.name === '') continue
      const declared =
        this.symbolOf.get(naming.at.id) ?? (scope.owner === 0 ? this.childNamed(0, naming.name) : undefined)
      const value: Value =
        naming.type !== null && naming.type !== undefined
          ? { k: 'is', t: this.typeOf(naming.type, scope) }
          : takenOut(naming, this.value(naming.value, scope))
      if (declared !== undefined && scope.type === undefined) {
        const symbol = this.facts.symbol(declared)
        if (naming.type !== null && naming.type !== undefined) symbol.type ??= this.typeOf(naming.type, scope)
        else symbol.value ??= value
        continue
      }
      if (naming.name.startsWith('@') && scope.type !== undefined) {
        this.selfField(scope.type, naming.name, naming.at, value)
        continue
      }
      const before = scope.names.get(naming.name)
      scope.names.set(naming.name, before === undefined || before.k === 'is' ? (before ?? value) : value)
    }
    this.selfAssignment(node, scope)
  }

  /** `self.x = …` and `$this->x = …` declare a field of the type, when nothing else does. */
  protected selfAssignment(node: Node, scope: Scope): void {
    if (scope.type === undefined || !/^assignment/.test(node.type)) return
    const left = field(node, 'left')
    if (left?.type === 'pattern_list') {
      const values = named(field(node, 'right'))
      const isPaired = field(node, 'right')?.type === 'expression_list' && values.length === named(left).length
      named(left).forEach((one, at) => {
        this.assignToSelf(one, null, isPaired ? values[at] : undefined, scope)
      })
      return
    }
    this.assignToSelf(left, field(node, 'type'), field(node, 'right'), scope)
  }

  private assignToSelf(left: Node | null, type: Node | null, right: Node | null | undefined, scope: Scope): void {
    if (scope.type === undefined) return
    const member = left === null ? undefined : this.spec.members[left.type]
    if (left === null || member === undefined || member[1] === '') return
    const object = field(left, member[0])
    const name = field(left, member[1])
    if (object === null || name === null || this.value(object, scope).k !== 'this') return
    this.selfField(
      scope.type,
      nameText(name),
      left,
      type === null
        ? right === undefined
          ? anything
          : this.value(right, scope)
        : { k: 'is', t: this.typeOf(type, scope) },
    )
  }

  protected selfField(type: number, name: string, at: Node, value: Value): void {
    const index = this.childNamed(type, name) ?? this.declareSymbol('field', name, type, at)
    const symbol = this.facts.symbol(index)
    if (symbol.kind === 'field' && symbol.type === undefined)
      symbol.value = symbol.value === undefined ? value : eitherOf(symbol.value, value)
  }

  protected visitCall(
    node: Node,
    call: { callee?: string; object?: string; name?: string },
    scope: Scope,
    depth: number,
  ): void {
    const callee = call.callee === undefined ? null : field(node, call.callee)
    const nameNode = call.name === undefined ? null : field(node, call.name)
    const isSuper = this.language === 'python' && callee?.text === 'super'
    this.value(node, scope)
    if (!isSuper) {
      const value = this.callee(node, call, scope)
      const objectNode = call.object === undefined ? null : field(node, call.object)
      const made = this.language === 'ruby' && nameNode?.text === 'new' ? this.rubyMade(node, scope) : undefined
      const name = callee?.text ?? `${objectNode === null ? '' : `${objectNode.text}.`}${nameNode?.text ?? ''}`
      const at =
        nameNode ??
        (callee !== null && this.spec.members[callee.type] !== undefined
          ? (field(callee, this.spec.members[callee.type]?.[1] ?? '') ?? callee)
          : callee) ??
        node
      if (made !== undefined) this.refer(scope, 'instantiates', made, at, objectNode?.text ?? 'new')
      else this.refer(scope, 'calls', value, at, name.replace(/\s+/g, ''))
    }
    for (const child of named(node)) {
      if (child.id === nameNode?.id) continue
      if (child.id === callee?.id) {
        const member = this.spec.members[child.type]
        const object = member === undefined ? null : field(child, member[0])
        if (object !== null) this.visit(object, scope, depth + 1)
        else if (!this.spec.identifiers.has(child.type)) this.visit(child, scope, depth + 1)
        // The types in `std::make_unique<T>()` are used.
        const template = child.type === 'qualified_identifier' ? field(child, 'name') : null
        if (template?.type === 'template_function') this.visit(template, scope, depth + 1)
        continue
      }
      this.visit(child, scope, depth + 1)
    }
  }

  protected visitType(node: Node, index: number, scope: Scope, depth: number): void {
    const symbol = this.facts.symbol(index)
    const isType = this.isType(index)
    const inner = this.child(scope, {
      owner: index,
      isTypeBody: true,
      ...(isType ? { type: index, self: { k: 'this', s: index } as Value, above: undefined } : {}),
    })
    const parameters = this.spec.typeParameters(node)
    if (parameters.length > 0) {
      symbol.typeParameters = [...parameters]
      this.typeBounds.set(index, new Map(this.spec.bounds(node).map((one) => [one.name, this.typeOf(one.type, inner)])))
    }
    const heritage = this.spec.heritage(node).flatMap((one) => this.heritageFact(one.type, one.relation, inner))
    if (heritage.length > 0) symbol.heritage = [...(symbol.heritage ?? []), ...heritage]
    if (symbol.kind === 'type_alias') {
      const type = field(node, 'type')
      if (type !== null) symbol.type = this.typeOf(type, inner)
    }
    if (isType) this.fieldFacts(node, index, inner, depth)
    const skipped = new Set(this.spec.heritage(node).map((one) => one.type.id))
    const nameId = field(node, 'name')?.id
    for (const child of named(node))
      if (
        !skipped.has(child.id) &&
        child.id !== nameId &&
        !/superclass|superclasses|interfaces|base_list|base_clause|base_class_clause|class_interface_clause/.test(
          child.type,
        )
      )
        this.visit(child, inner, depth + 1)
  }

  protected heritageFact(type: Node, relation: Heritage['relation'], scope: Scope): Heritage[] {
    const written = this.typeOf(type, scope)
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

  protected fieldFacts(node: Node, index: number, scope: Scope, depth: number): void {
    if (depth > depthMax) return
    for (const child of named(node)) {
      if (this.symbolOf.has(child.id) && (this.typeKind(child) !== undefined || this.spec.functions.has(child.type))) {
        // Parameters of a constructor that are fields at once.
        for (const parameter of named(field(child, 'parameters')))
          for (const naming of this.spec.fields(parameter))
            if (naming.type !== null && naming.type !== undefined)
              this.selfField(index, naming.name, parameter, { k: 'is', t: this.typeOf(naming.type, scope) })
        continue
      }
      for (const naming of this.spec.fields(child)) {
        const own = this.childNamed(index, naming.name)
        if (own === undefined) continue
        const symbol = this.facts.symbol(own)
        if (naming.value !== null && naming.value !== undefined) this.valueOwner.set(naming.value.id, own)
        if (this.language === 'ruby') symbol.value ??= { k: 'get', o: { k: 'this', s: index }, n: `@${naming.name}` }
        if (naming.type !== null && naming.type !== undefined) symbol.type ??= this.typeOf(naming.type, scope)
        else if (naming.value !== null && naming.value !== undefined) symbol.value ??= this.value(naming.value, scope)
      }
      this.fieldFacts(child, index, scope, depth + 1)
    }
  }

  protected visitImplementation(node: Node, index: number | undefined, scope: Scope, depth: number): void {
    const typeNode = field(node, 'type')
    const isOwn = index !== undefined && this.isType(index)
    const self: Value = isOwn
      ? { k: 'this', s: index }
      : typeNode === null
        ? nothing
        : { k: 'is', t: this.typeOf(typeNode, scope) }
    const inner = this.child(scope, { self, ...(isOwn ? { type: index, owner: index } : {}) })
    const trait = field(node, 'trait')
    if (trait !== null && isOwn) {
      const symbol = this.facts.symbol(index)
      symbol.heritage = [...(symbol.heritage ?? []), ...this.heritageFact(trait, 'implements', scope)]
    }
    const body = field(node, 'body')
    if (body !== null) for (const child of named(body)) this.visit(child, inner, depth + 1)
  }

  protected visitFunction(node: Node, index: number, scope: Scope, depth: number): void {
    const symbol = this.facts.symbol(index)
    const bounds = new Map<string, Type>()
    for (const one of this.spec.bounds(node)) bounds.set(one.name, this.typeOf(one.type, scope))
    const inner = this.child(scope, { owner: index, bounds })
    const receiver = this.spec.receiver(node)
    let typed = inner
    if (receiver !== undefined) {
      const holder = this.facts.symbol(index).parent
      const self: Value = this.isType(holder)
        ? { k: 'this', s: holder }
        : { k: 'is', t: { k: 'ref', v: { k: 'glob', n: receiver.type } } }
      typed = { ...inner, self, ...(this.isType(holder) ? { type: holder } : {}) }
      if (receiver.self !== undefined) typed.names.set(receiver.self, self)
    }
    const parameters = this.spec.parameters(node)
    const types: (Type | null)[] = []
    parameters.forEach((parameter, position) => {
      const isSelf =
        this.language === 'python' &&
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
      const written =
        parameter.type === null || parameter.type === undefined ? null : this.typeOf(parameter.type, typed)
      const type: Type | null =
        written !== null && parameter.isList === true
          ? { k: 'arr', e: written, ...(parameter.isKeyed === true ? { keyed: 1 as const } : {}) }
          : written
      types.push(type)
      const isBuiltIn = type?.k === 'ref' && type.v === nothing
      typed.names.set(
        parameter.name,
        type !== null && !isBuiltIn
          ? { k: 'is', t: type }
          : parameter.value !== null && parameter.value !== undefined
            ? // Whoever calls may hand over something else.
              eitherOf(anything, this.value(parameter.value, scope))
            : anything,
      )
      if (parameter.type !== null && parameter.type !== undefined) this.visit(parameter.type, typed, depth + 1)
      if (parameter.value !== null && parameter.value !== undefined) this.visit(parameter.value, scope, depth + 1)
    })
    if (types.some((one) => one !== null)) symbol.parameterTypes = types
    for (const child of named(node))
      if (/^(constructor_initializer|field_initializer_list)$/.test(child.type)) this.visit(child, typed, depth + 1)
    const result = this.spec.resultType(node)
    if (result !== null && result.text !== 'void' && result.text !== 'None') {
      symbol.type ??= this.typeOf(result, typed)
      symbol.returnType = clipSignature(result.text)
      this.visit(result, typed, depth + 1)
    }
    for (const decorator of node.parent?.type === 'decorated_definition'
      ? named(node.parent).filter((one) => one.type === 'decorator')
      : [])
      this.visit(decorator, inner, depth + 1)
    const body =
      field(node, 'body') ?? named(node).find((one) => /accessor_list|arrow_expression_clause/.test(one.type)) ?? null
    if (this.spec.nameOf(node) !== '' && node.type === 'property_declaration') {
      symbol.accessor = true
      const initial = field(node, 'value')
      if (initial !== null && initial.id !== body?.id) this.visit(initial, typed, depth + 1)
    }
    if (body !== null) {
      this.visit(body, typed, depth + 1)
      if (symbol.type === undefined) {
        const returns: Value[] = []
        this.collectReturns(body, typed, returns, 0)
        const last = this.language === 'ruby' ? lastOfRuby(body) : undefined
        if (last !== undefined && last.type !== 'return') returns.push(this.value(last, typed))
        const [only] = returns
        if (only !== undefined) symbol.result = returns.length === 1 ? only : { k: 'alt', v: returns }
      }
    } else if (this.language === 'ruby') {
      for (const child of named(node))
        if (!/parameters|identifier/.test(child.type)) this.visit(child, typed, depth + 1)
    }
  }

  protected collectReturns(node: Node, scope: Scope, found: Value[], depth: number): void {
    if (
      depth > depthMax ||
      found.length >= returnsMax ||
      this.spec.functions.has(node.type) ||
      this.typeKind(node) !== undefined ||
      /lambda|closure/.test(node.type)
    )
      return
    if (/^return(_statement|_expression)?$/.test(node.type)) {
      const [value] = named(node)
      if (value !== undefined) found.push(this.value(value, scope))
      return
    }
    for (const child of named(node)) this.collectReturns(child, scope, found, depth + 1)
  }
}

/** What a method of Ruby gives back: its last expression, or the whole of one that is written with `=`. */
function lastOfRuby(body: Node): Node | undefined {
  return body.type === 'body_statement'
    ? named(body).findLast((one) => !/^(comment|rescue|ensure|else)$/.test(one.type))
    : body
}

/** What a class without a name inherits from; undefined where the node is no such class. */
function unnamedClass(node: Node): Node | null | undefined {
  if (node.type === 'anonymous_class') return named(firstOf(node, 'base_clause'))[0] ?? null
  const isBody = node.type === 'class_body' && node.parent?.type === 'object_creation_expression'
  return isBody && node.parent !== null ? field(node.parent, 'type') : undefined
}

/** Parts of a function that may be passed over, in languages where names given there are known after them. */
const branches: ReadonlyMap<string, RegExp> = new Map([
  ['block', /^(if_statement|elif_clause|else_clause|for_statement|while_statement|except_clause|case_clause)$/],
  ['then', /^(if|elsif|unless|when|in_clause|rescue)$/],
  ['else', /^(if|elsif|unless|case|begin|body_statement)$/],
  [
    'compound_statement',
    /^(if_statement|else_clause|else_if_clause|for(each)?_statement|while_statement|catch_clause)$/,
  ],
])

function isBranch(node: Node): boolean {
  // The parent of a node has to be looked for, so it is asked for last.
  const parents = branches.get(node.type)
  return parents !== undefined && node.parent !== null && parents.test(node.parent.type)
}

/** Nothing of the project, such as `None`, adds nothing to what a name may hold. */
function eitherOf(old: Value, now: Value): Value {
  if (now === nothing || now === old) return old
  if (old === nothing) return now
  const known = old.k === 'alt' && old.first !== 1 ? old.v : [old]
  return { k: 'alt', v: [...known.slice(0, returnsMax), now] }
}
