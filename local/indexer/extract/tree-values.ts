/** What names, expressions and types of a syntax tree denote, as far as the file alone can tell. */
import type { Node } from 'web-tree-sitter'
import type { Type, Value } from '../core/facts.ts'
import { valueDepthMax } from '../limits.ts'
import { field, firstOf, lambdaParameters, named } from './languages/shapes.ts'
import type { Naming } from './languages/tree-language.ts'
import { anything, nothing, type Scope, TreeDeclarations } from './tree-declarations.ts'

/** Stands for the constructor of a type, whatever the language calls it. */
const constructorName = '()'

export abstract class TreeValues extends TreeDeclarations {
  private valueDepth = 0

  protected name(name: string, scope: Scope, isType = false): Value {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      // Where types are written, a variable of that name is not meant.
      const local = isType && this.spec.hasTypeNames ? undefined : at.names.get(name)
      if (local !== undefined) return local
      // Names of a class body are not names of its methods in Python; elsewhere they are.
      if (at.owner !== 0 && (this.spec.hasImplicitSelf || !this.isType(at.owner))) {
        const inner = this.childNamed(at.owner, name)
        const isConstant = this.language === 'ruby' && /^[A-Z]/.test(name)
        if (inner !== undefined && !(this.isMember(inner) && this.spec.hasImplicitSelf && !isConstant))
          return { k: 'sym', s: inner }
      }
    }
    const own = this.childNamed(0, name)
    if (own !== undefined) return { k: 'sym', s: own }
    const imported = this.imported.get(name)
    if (imported !== undefined || this.language !== 'ruby' || !/^[A-Z]/.test(name))
      return imported ?? { k: 'glob', n: name }
    // A constant is looked for in the modules around, innermost first, whichever file opened them.
    const around: Value[] = []
    for (
      let at = this.facts.symbol(scope.owner);
      at.parent !== 0 || at.kind === 'module' || at.kind === 'class';
      at = this.facts.symbol(at.parent)
    ) {
      if (at.kind === 'module' || at.kind === 'class') around.push({ k: 'glob', n: `${at.qualifiedName}::${name}` })
      if (at.parent === 0) break
    }
    return around.length === 0 ? { k: 'glob', n: name } : { k: 'alt', v: [...around, { k: 'glob', n: name }], first: 1 }
  }

  protected isVariable(name: string, scope: Scope): boolean {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) if (at.names.has(name)) return true
    return false
  }

  /** `new T()` makes whatever the caller says. */
  protected isTypeParameter(name: string, scope: Scope): boolean {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent)
      if (at.bounds?.has(name) === true) return true
    return false
  }

  protected isMember(index: number): boolean {
    return ['method', 'field', 'property'].includes(this.facts.symbol(index).kind)
  }

  /** A bare name where a member of the type, inherited ones included, may be meant. */
  protected bareName(name: string, scope: Scope): Value {
    const plain = this.name(name, scope)
    if (
      this.isVariable(name, scope) ||
      !this.spec.hasImplicitSelf ||
      scope.self === undefined ||
      (plain.k !== 'glob' && plain.k !== 'sym' && plain.k !== 'imp')
    )
      return plain
    if (plain.k === 'sym' && this.facts.symbol(plain.s).parent !== 0 && !this.isType(plain.s)) return plain
    const members = this.enclosingTypes(scope)
      // A type's own name means the type; what has that name inside is its constructor.
      .filter((type) => this.facts.symbol(type).name !== name)
      .map((type): Value => ({ k: 'get', o: { k: 'this', s: type }, n: name }))
    if (scope.above !== undefined) members.unshift({ k: 'get', o: scope.above, n: name })
    if (scope.type === undefined) members.push({ k: 'get', o: scope.self, n: name })
    return members.length === 0 ? plain : { k: 'alt', v: [...members, plain], first: 1 }
  }

  protected enclosingTypes(scope: Scope): number[] {
    const types: number[] = []
    for (let at = scope.type; at !== undefined && at !== 0; at = this.facts.symbol(at).parent) {
      if (this.isType(at)) types.push(at)
      if (!this.spec.hasOuterMembers) break
    }
    return types
  }

  /** A called name, where methods have names of their own. */
  protected methodName(name: string, scope: Scope): Value {
    if (!this.spec.hasMethodNames) return this.bareName(name, scope)
    const outermost: Scope = { ...scope, parent: undefined, names: new Map() }
    return this.bareName(name, outermost)
  }

  /** The scope of a function without a name; what it is handed to says what its parameters are. */
  protected lambdaScope(node: Node, scope: Scope): Scope {
    const known = this.lambdaScopes.get(node.id)
    if (known !== undefined) return known
    const inner = this.child(scope, {})
    this.lambdaScopes.set(node.id, inner)
    const context = this.lambdaContexts.get(node.id)
    lambdaParameters(node).forEach((parameter, position) => {
      const { type } = parameter
      const value: Value =
        type !== null && type !== undefined
          ? { k: 'is', t: this.typeOf(type, scope) }
          : context === undefined
            ? anything
            : { k: 'arg', f: context.f, i: context.i, p: position }
      inner.names.set(parameter.name, value)
    })
    return inner
  }

  /** Functions without a name among the arguments, each told what it is handed to. */
  protected lambdaArguments(node: Node, callee: Value, scope: Scope): Value[] {
    const block = this.language === 'ruby' ? field(node, 'block') : null
    const list = named(field(node, 'arguments')).map((one) => (one.type === 'argument' ? (named(one)[0] ?? one) : one))
    const values = (block === null ? list : [block]).slice(0, 4).map((one, i): Value => {
      if (one.type === 'method_reference') return this.value(one, scope)
      if (!this.spec.lambdas.has(one.type)) return nothing
      this.lambdaContexts.set(one.id, { f: callee, i })
      return this.value(one, scope)
    })
    return values.every((one) => one === nothing) ? [] : values
  }

  protected value(node: Node | null | undefined, scope: Scope): Value {
    if (node === null || node === undefined) return nothing
    const known = this.valueOf.get(node.id)
    if (known !== undefined) return known
    if (this.valueDepth > valueDepthMax) return nothing
    this.valueDepth += 1
    const value = this.keptValue(node, scope)
    this.valueDepth -= 1
    return value
  }

  private keptValue(node: Node, scope: Scope): Value {
    const isKept = this.spec.calls[node.type] !== undefined || this.spec.creations[node.type] !== undefined
    if (isKept) {
      const slot = this.facts.addLocal(nothing)
      const value: Value = { k: 'loc', i: slot }
      this.valueOf.set(node.id, value)
      this.facts.locals[slot] = this.freshValue(node, scope)
      return value
    }
    const value = this.freshValue(node, scope)
    this.valueOf.set(node.id, value)
    return value
  }

  protected freshValue(node: Node, scope: Scope): Value {
    const { type } = node
    const creation = this.spec.creations[type]
    if (creation !== undefined) {
      const target = this.creationType(node)
      return target === null ? nothing : { k: 'is', t: this.typeOf(target, scope) }
    }
    const call = this.spec.calls[type]
    if (call !== undefined) return this.callValue(node, call, scope)
    const member = this.spec.members[type]
    if (member !== undefined && member[1] !== '') {
      const object = field(node, member[0])
      let name = field(node, member[1])
      // `::name` starts at the top.
      if (object === null && name !== null && /^(scope_resolution|qualified_identifier)$/.test(type))
        return name.type === type ? this.value(name, scope) : { k: 'glob', n: nameText(name) }
      if (object === null || name === null) return nothing
      // `Outer.this`
      if (name.type === 'this') return { k: 'is', t: { k: 'ref', v: this.name(nameText(object), scope, true) } }
      let holder = this.value(object, scope)
      // `a::b::c` is written from the right: what follows the first name is a name with a scope again.
      while (name !== null && name.type === type && type === 'qualified_identifier') {
        const inner = field(name, member[0])
        if (inner !== null) holder = { k: 'get', o: holder, n: nameText(inner) }
        name = field(name, member[1])
      }
      return name === null ? nothing : { k: 'get', o: holder, n: nameText(name) }
    }
    if (this.language === 'rust' && /^scoped/.test(node.parent?.type ?? '') && /^(self|super|crate)$/.test(type))
      return { k: 'mod', m: this.fromFile(node.text, scope.owner) }
    if (this.spec.selfNames.has(node.text) && node.text.length < 8)
      return node.text === 'Self' && scope.type !== undefined ? { k: 'sym', s: scope.type } : (scope.self ?? nothing)
    if (this.spec.superNames.has(node.text) && node.text.length < 8)
      return scope.above ?? (scope.type === undefined ? nothing : { k: 'super', s: scope.type })
    if (type === 'instance_variable' && scope.self !== undefined) return { k: 'get', o: scope.self, n: node.text }
    if (type === 'method_reference') {
      const [object, name] = named(node)
      return object === undefined || name === undefined
        ? nothing
        : { k: 'get', o: this.value(object, scope), n: name.text }
    }
    if (type === 'class_constant_access_expression') {
      const [holder, name] = named(node)
      return holder === undefined || name === undefined
        ? nothing
        : { k: 'get', o: this.value(holder, scope), n: name.text }
    }
    // `Outer.Inner` as Java writes a type.
    if (type === 'scoped_type_identifier' && this.language === 'java') {
      const [outer, inner] = named(node)
      return outer === undefined || inner === undefined
        ? nothing
        : {
            k: 'get',
            o:
              this.spec.members[outer.type] === undefined
                ? this.name(outer.text, scope, true)
                : this.value(outer, scope),
            n: inner.text,
          }
    }
    // In Ruby a name that is no variable is a call.
    if (this.language === 'ruby' && type === 'identifier' && !this.isVariable(node.text, scope))
      return { k: 'call', f: this.bareName(node.text, scope) }
    // A variable is no part of a path.
    if (this.language === 'rust' && type === 'identifier' && node.parent?.type.startsWith('scoped_') === true) {
      const isFirst = field(node.parent, 'path')?.id === node.id
      if (isFirst) return this.name(node.text, scope, true)
    }
    if (type === 'namespace_identifier') return this.name(node.text, scope, true)
    if (type === 'qualified_name' && this.language === 'php') return this.phpName(node.text)
    if (this.spec.identifiers.has(type) || this.spec.typeIdentifiers.has(type))
      return this.bareName(nameText(node), scope)
    if (this.language === 'go' && type === 'unary_expression' && node.text.startsWith('<-'))
      return { k: 'elem', v: this.value(named(node)[0], scope) }
    if (type === 'await' || type === 'await_expression') return { k: 'await', v: this.value(named(node)[0], scope) }
    if (type === 'expression_list' && this.language === 'python')
      return { k: 'arr', v: { k: 'alt', v: named(node).map((one) => this.value(one, scope)) }, tuple: 1 }
    if (
      /^(parenthesized_expression|unary_expression|pointer_expression|reference_expression|type|argument|expression_list|cast_expression|clone_expression|postfix_unary_expression)$/.test(
        type,
      )
    ) {
      const cast = type === 'cast_expression' ? field(node, 'type') : null
      if (cast !== null && cast.type !== 'cast_type') return { k: 'is', t: this.typeOf(cast, scope) }
      return this.value(type === 'cast_expression' ? field(node, 'value') : named(node)[0], scope)
    }
    if (type === 'try_expression') return { k: 'elem', v: this.value(named(node)[0], scope) }
    if (type === 'conditional_access_expression') {
      const [object, member_] = named(node)
      const name = member_?.type === 'member_binding_expression' ? field(member_, 'name') : null
      return object === undefined || name === null
        ? nothing
        : { k: 'get', o: this.value(object, scope), n: nameText(name) }
    }
    if (this.spec.lambdas.has(type)) {
      const inner = this.lambdaScope(node, scope)
      const body = field(node, 'body')
      const isExpression = body !== null && !/block|body|compound|statement/.test(body.type)
      return { k: 'fn', ...(isExpression ? { r: this.value(body, inner) } : {}) }
    }
    if (/^(type_cast|as|type_assertion)_expression$/.test(type)) {
      const target = field(node, 'type') ?? field(node, 'right')
      return target === null ? nothing : { k: 'is', t: this.typeOf(target, scope) }
    }
    if (
      type === 'subscript' ||
      type === 'index_expression' ||
      type === 'subscript_expression' ||
      type === 'element_access_expression' ||
      type === 'element_reference' ||
      type === 'array_access'
    ) {
      return {
        k: 'elem',
        v: this.value(
          field(node, 'value') ??
            field(node, 'operand') ??
            field(node, 'argument') ??
            field(node, 'object') ??
            named(node)[0],
          scope,
        ),
      }
    }
    if (/^(list|tuple|set|array|array_expression|array_creation_expression)$/.test(type)) {
      const items = named(node)
        .slice(0, 3)
        .map((one) => (one.type === 'array_element_initializer' ? (named(one).at(-1) ?? one) : one))
      const isTuple = this.language === 'python' && type === 'tuple'
      return {
        k: 'arr',
        v: { k: 'alt', v: items.map((one) => this.value(one, scope)) },
        ...(isTuple ? { tuple: 1 as const } : {}),
      }
    }
    if (/comprehension|generator_expression/.test(type)) {
      const inner = this.child(scope, {})
      for (const clause of named(node))
        for (const naming of this.spec.locals(clause))
          inner.names.set(naming.name, takenOut(naming, this.value(naming.value, inner)))
      return { k: 'arr', v: this.value(field(node, 'body') ?? named(node)[0], inner) }
    }
    const chosen = this.chosenValues(node)
    if (chosen !== undefined) return { k: 'alt', v: chosen.map((one) => this.value(one, scope)) }
    if (type === 'conditional_expression' || type === 'boolean_operator' || type === 'ternary_expression') {
      const parts = named(node)
      return { k: 'alt', v: [parts[0], parts.at(-1)].map((one) => this.value(one, scope)) }
    }
    return nothing
  }

  /** The values that an expression chooses from. */
  protected chosenValues(node: Node): (Node | null | undefined)[] | undefined {
    const operator = field(node, 'operator')?.text
    switch (node.type) {
      case 'binary':
      case 'binary_expression':
        if (operator === '??' || (this.language === 'ruby' && operator === '||'))
          return [field(node, 'left'), field(node, 'right')]
        return undefined
      case 'match_expression':
        return this.language === 'php'
          ? named(field(node, 'body')).map((one) => field(one, 'return_expression'))
          : undefined
      default:
        return this.language === 'ruby' ? rubyChosen(node) : undefined
    }
  }

  /** A name with a namespace before it: from the top, or from what a `use` or the file's own namespace says. */
  protected phpName(text: string): Value {
    if (text.startsWith('\\')) return { k: 'mod', m: text.slice(1) }
    const [first = '', ...rest] = text.split('\\')
    const imported = this.imported.get(first)
    if (imported?.k === 'mod') return { k: 'mod', m: [imported.m, ...rest].join('\\') }
    const around = this.facts.packageName
    return { k: 'mod', m: around === undefined ? text : `${around}\\${text}` }
  }

  protected creationType(node: Node): Node | null {
    const named_ = this.spec.creations[node.type]
    if (node.type === 'implicit_object_creation_expression') return typeAround(node)
    if (firstOf(node, 'anonymous_class') !== null) return null
    return named_ === undefined ? null : named_ === '' ? (named(node)[0] ?? null) : field(node, named_)
  }

  protected callee(node: Node, call: { callee?: string; object?: string; name?: string }, scope: Scope): Value {
    if (/^(explicit_constructor_invocation|constructor_initializer)$/.test(node.type)) {
      if (scope.type === undefined) return nothing
      const isOwn = (field(node, 'constructor') ?? node).text.replace(/^:\s*/, '').startsWith('this')
      return { k: 'get', o: { k: isOwn ? 'this' : 'super', s: scope.type }, n: constructorName }
    }
    if (call.callee !== undefined) {
      const callee = field(node, call.callee)
      if (callee === null) return nothing
      if (/^(generic_function|generic_type|template_function)$/.test(callee.type))
        return this.value(field(callee, 'function') ?? named(callee)[0], scope)
      return this.value(callee, scope)
    }
    const object = call.object === undefined ? null : field(node, call.object)
    const name = call.name === undefined ? null : field(node, call.name)
    if (name === null) return nothing
    if (object !== null && object.type !== 'super' && this.language === 'java' && firstOf(node, 'super') !== null)
      return { k: 'get', o: this.outerSuper(object, scope), n: nameText(name) }
    if (name.type === 'super') return this.rubySuper(scope)
    return object === null
      ? this.methodName(nameText(name), scope)
      : { k: 'get', o: this.value(object, scope), n: nameText(name) }
  }

  /** `Outer.super` is what an enclosing class inherits from; `Interface.super` the interface itself. */
  private outerSuper(named_: Node, scope: Scope): Value {
    const outer = this.name(nameText(named_), scope, true)
    return outer.k === 'sym' && this.enclosingTypes(scope).includes(outer.s)
      ? { k: 'super', s: outer.s }
      : { k: 'is', t: { k: 'ref', v: outer } }
  }

  protected callValue(node: Node, call: { callee?: string; object?: string; name?: string }, scope: Scope): Value {
    if (this.language === 'python' && field(node, 'function')?.text === 'super' && scope.type !== undefined)
      return { k: 'super', s: scope.type }
    if (this.language === 'go' && field(node, 'function')?.text === 'new' && this.childNamed(0, 'new') === undefined) {
      const [made] = named(field(node, 'arguments'))
      return made === undefined ? nothing : { k: 'is', t: this.typeOf(made, scope) }
    }
    if (this.language === 'cpp' || this.language === 'c') {
      const made = typeOfTemplateCall(field(node, 'function'))
      if (made !== undefined) return { k: 'is', t: this.typeOf(made, scope) }
    }
    if (this.language === 'ruby' && field(node, 'method')?.text === 'class' && scope.self?.k === 'this') {
      const isOwn = field(node, 'receiver')?.type === 'self'
      if (isOwn) return { ...scope.self, c: 1 }
    }
    if (this.language === 'ruby' && field(node, 'method')?.text === 'new') {
      const made = this.rubyMade(node, scope)
      return made === undefined ? nothing : { k: 'new', c: made }
    }
    const f = this.callee(node, call, scope)
    const isPassedOn = this.language === 'python' && f.k === 'glob' && passingOn.has(f.n)
    const a = isPassedOn
      ? named(field(node, 'arguments')).map((one) => this.value(one, scope))
      : this.lambdaArguments(node, f, scope)
    return { k: 'call', f, ...(a.length === 0 ? {} : { a }) }
  }

  /** `Type.new`, and `new` alone inside the type. */
  protected rubyMade(node: Node, scope: Scope): Value | undefined {
    const receiver = field(node, 'receiver')
    if (receiver !== null) return this.value(receiver, scope)
    return scope.type === undefined ? undefined : { k: 'sym', s: scope.type }
  }

  /** `super` hands on to the method of the same name above. */
  protected rubySuper(scope: Scope): Value {
    const { name } = this.facts.symbol(scope.owner)
    return scope.type === undefined ? nothing : { k: 'get', o: { k: 'super', s: scope.type }, n: name }
  }

  protected typeOf(node: Node, scope: Scope, depth = 0): Type {
    const unknown: Type = { k: 'ref', v: nothing }
    if (depth > 10) return unknown
    const { type } = node
    const inner = named(node)
    if (type === 'qualified_name' && this.language === 'php') return { k: 'ref', v: this.phpName(node.text) }
    if (this.spec.typeIdentifiers.has(type) || this.spec.identifiers.has(type)) {
      if (this.spec.selfNames.has(node.text) && scope.type !== undefined) {
        const own: Type = { k: 'ref', v: { k: 'sym', s: scope.type } }
        // The class that was asked, which may be one below.
        return node.text === 'static' ? { k: 'param', n: 'static', b: own } : own
      }
      for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
        const bound = at.bounds?.get(node.text)
        if (bound !== undefined) return bound
      }
      if (scope.type !== undefined && this.facts.symbol(scope.type).typeParameters?.includes(node.text) === true) {
        const b = this.typeBounds.get(scope.type)?.get(node.text)
        return { k: 'param', n: node.text, ...(b === undefined ? {} : { b }) }
      }
      return { k: 'ref', v: this.name(nameText(node), scope, true) }
    }
    if (this.spec.members[type] !== undefined) {
      const args =
        field(node, 'name')?.type === 'template_type' ? field(field(node, 'name') ?? node, 'arguments') : null
      return {
        k: 'ref',
        v: this.value(node, scope),
        ...(args === null ? {} : { a: named(args).map((one) => this.typeOf(one, scope, depth + 1)) }),
      }
    }
    if (type === 'ellipsis') return { k: 'ref', v: { k: 'glob', n: '...' } }
    if (type === 'string') {
      const text = node.text.replace(/^['"]|['"]$/g, '')
      return /^\w+$/.test(text) ? { k: 'ref', v: this.name(text, scope) } : unknown
    }
    if (/array_type|slice_type/.test(type)) {
      const element = field(node, 'element') ?? field(node, 'type') ?? inner.at(-1)
      return element === null || element === undefined
        ? unknown
        : { k: 'arr', e: this.typeOf(element, scope, depth + 1) }
    }
    if (type === 'function_type') {
      const result = field(node, 'return_type') ?? field(node, 'result')
      return { k: 'fn', ...(result === null ? {} : { r: this.typeOf(result, scope, depth + 1) }) }
    }
    if (type === 'wildcard' && node.text.includes('extends')) {
      const bound = inner.at(-1)
      return bound === undefined ? unknown : this.typeOf(bound, scope, depth + 1)
    }
    if (type === 'map_type' || type === 'channel_type') {
      const element = field(node, 'value')
      return element === null ? unknown : { k: 'arr', e: this.typeOf(element, scope, depth + 1) }
    }
    if (/generic|template_type|^subscript$/.test(type)) {
      const [head, ...rest] = inner
      const list = rest.length === 1 && /argument|parameter/.test(rest[0]?.type ?? '') ? named(rest[0] ?? null) : rest
      const base = head === undefined ? unknown : this.typeOf(head, scope, depth + 1)
      return base.k === 'ref' ? { ...base, a: list.map((one) => this.typeOf(one, scope, depth + 1)) } : base
    }
    if (type === 'tuple_type' && this.language !== 'python')
      return { k: 'tuple', ts: inner.map((one) => this.typeOf(field(one, 'type') ?? one, scope, depth + 1)) }
    if (type === 'binary_operator' || type === 'union_type')
      return { k: 'any-of', ts: inner.map((one) => this.typeOf(one, scope, depth + 1)) }
    if (
      /^(type|pointer_type|reference_type|nullable_type|optional_type|type_descriptor|parenthesized_type|named_type|dynamic_type|type_elem|abstract_type)$/.test(
        type,
      )
    ) {
      const target = inner.find((one) => !/modifier|lifetime|mutable|qualifier/.test(one.type))
      return target === undefined ? unknown : this.typeOf(target, scope, depth + 1)
    }
    return unknown
  }

  protected child(parent: Scope, change: Partial<Scope>): Scope {
    return {
      parent,
      owner: parent.owner,
      names: new Map(),
      self: parent.self,
      type: parent.type,
      ...(parent.above === undefined ? {} : { above: parent.above }),
      isTypeBody: false,
      ...change,
    }
  }
}

/** Functions of Python that hand on what is in what they are given. */
const passingOn = new Set(['enumerate', 'zip', 'list', 'sorted', 'reversed', 'set', 'tuple', 'iter', 'next'])

/** What C# makes with a bare `new()`: what is declared around it. */
function typeAround(node: Node): Node | null {
  const holder = node.parent?.type === 'variable_declarator' ? node.parent.parent : node.parent
  return holder?.type === 'variable_declaration' || holder?.type === 'property_declaration'
    ? field(holder, 'type')
    : null
}

/** What a condition of Python says of names: `isinstance(name, Type)`, alone or before an `and`. */
export function narrowedNames(condition: Node | null): { readonly name: string; readonly type: Node }[] {
  if (condition === null) return []
  if (condition.type === 'parenthesized_expression') return narrowedNames(named(condition)[0] ?? null)
  if (condition.type === 'boolean_operator')
    return field(condition, 'operator')?.type === 'and'
      ? [...narrowedNames(field(condition, 'left')), ...narrowedNames(field(condition, 'right'))]
      : []
  if (condition.type !== 'call' || field(condition, 'function')?.text !== 'isinstance') return []
  const [name, type] = named(field(condition, 'arguments'))
  return name?.type === 'identifier' && (type?.type === 'identifier' || type?.type === 'attribute')
    ? [{ name: name.text, type }]
    : []
}

/** What the last expressions of Ruby's branches are, and what an assignment hands on. */
function rubyChosen(node: Node): (Node | null | undefined)[] | undefined {
  switch (node.type) {
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

/** What a cast or a maker of C++ names as the type of its result. */
function typeOfTemplateCall(callee: Node | null): Node | undefined {
  const called = callee?.type === 'qualified_identifier' ? field(callee, 'name') : callee
  if (called?.type !== 'template_function') return undefined
  return /^((static|dynamic|reinterpret|const)_cast|make_(unique|shared))$/.test(field(called, 'name')?.text ?? '')
    ? named(field(called, 'arguments'))[0]
    : undefined
}

/** What a name is given of a value that is taken apart. */
export function takenOut({ isElement, part }: Naming, value: Value): Value {
  const one: Value = isElement === true ? { k: 'elem', v: value, each: 1 } : value
  return part === undefined ? one : { k: 'elem', v: one, each: 1, n: part }
}

/** A name without the arguments a grammar may hang on it, and without the namespace before it. */
export function nameText(node: Node): string {
  if (/generic_name|template_function|template_method|template_type|generic_type/.test(node.type))
    return named(node)[0]?.text ?? node.text
  const { text } = node
  return text.includes('\\') ? (text.split('\\').at(-1) ?? text) : text
}
