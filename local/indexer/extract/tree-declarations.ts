/** What a file declares, before anything in it is read. */
import type { Node } from 'web-tree-sitter'
import type { Type, Value } from '../core/facts.ts'
import { pushTo } from '../core/push-to.ts'
import type { Language, NodeKind } from '../core/vocabulary.ts'
import { clipSignature, commentText, type FactBuilder } from './fact-builder.ts'
import { field, named } from './languages/shapes.ts'
import type { ImportedName, Naming, TreeLanguage } from './languages/tree-language.ts'

export const nothing: Value = { k: 'glob', n: '' }
export const anything: Value = { k: 'glob', n: '?' }
export const depthMax = 400

export interface Scope {
  readonly parent: Scope | undefined
  readonly owner: number
  readonly names: Map<string, Value>
  readonly self: Value | undefined
  readonly type: number | undefined
  /** In a class without a name: what it inherits from. */
  readonly above?: Value | undefined
  readonly isTypeBody: boolean
  /** What the type parameters of a function are known to be. */
  readonly bounds?: ReadonlyMap<string, Type>
}

/** `using a::b;` and `namespace b = a;` give a name of C++ to something elsewhere, `using namespace a;` all its names. */
function usedName(node: Node): { readonly name: string; readonly path: string; readonly value: Value } | undefined {
  const isAlias = node.type === 'namespace_alias_definition'
  if (!isAlias && node.type !== 'using_declaration') return undefined
  const parts =
    named(node)
      .at(-1)
      ?.text.split('::')
      .filter((one) => one !== '') ?? []
  const [first, ...rest] = parts
  const isDirective = node.children.some((one) => one?.type === 'namespace')
  if (first === undefined || (!isAlias && !isDirective && rest.length === 0)) return undefined
  const path = `::${parts.join('::')}`
  const value = rest.reduce<Value>((o, n) => ({ k: 'get', o, n }), { k: 'glob', n: first })
  return { name: isAlias ? (field(node, 'name')?.text ?? '') : isDirective ? '*' : (parts.at(-1) ?? ''), path, value }
}

export abstract class TreeDeclarations {
  protected readonly facts: FactBuilder
  protected readonly spec: TreeLanguage
  protected readonly language: Language
  protected readonly text: string
  protected readonly symbolOf = new Map<number, number>()
  protected readonly valueOf = new Map<number, Value>()
  protected readonly imported = new Map<string, Value>()
  protected readonly attached = new Map<number, string>()
  protected readonly childIndex = new Map<string, number[]>()
  /** What types say of their type parameters. */
  protected readonly typeBounds = new Map<number, ReadonlyMap<string, Type>>()
  protected readonly lambdaScopes = new Map<number, Scope>()
  protected readonly lambdaContexts = new Map<number, { readonly f: Value; readonly i: number }>()
  /** Initialisers of fields belong to their field, not to the type around. */
  protected readonly valueOwner = new Map<number, number>()

  constructor(facts: FactBuilder, spec: TreeLanguage, language: Language, text: string) {
    this.facts = facts
    this.spec = spec
    this.language = language
    this.text = text
  }

  protected declareAll(node: Node, owner: number, depth: number): void {
    if (depth > depthMax) return
    for (const child of named(node)) {
      const imports = this.spec.imports(child)
      if (imports !== undefined) {
        this.declareImports(child, imports, owner)
        continue
      }
      const kind = this.typeKind(child)
      if (kind !== undefined) {
        const name = this.spec.nameOf(child).split('::').at(-1) ?? ''
        const isForward =
          (this.language === 'c' || this.language === 'cpp') && kind !== 'type_alias' && field(child, 'body') === null
        if (name !== '' && !isForward) {
          // A type that is opened again (a namespace, a Ruby class) goes on where it was.
          const before = this.childNamed(owner, name, kind)
          const index = before ?? this.declareSymbol(kind, name, owner, child)
          this.symbolOf.set(child.id, index)
          this.declareAll(child, index, depth + 1)
          continue
        }
      }
      const used = usedName(child)
      if (used?.name === '*') this.facts.exports.push({ name: '*', from: used.path })
      else if (used !== undefined) this.imported.set(used.name, used.value)
      if (child.type === 'impl_item') {
        this.declareImplementation(child, owner, depth)
        continue
      }
      if (this.spec.functions.has(child.type)) {
        this.declareFunction(child, owner, depth)
        continue
      }
      const isTypeOwner = owner !== 0 && this.isType(owner)
      if (isTypeOwner || owner === 0) {
        for (const naming of isTypeOwner ? this.spec.fields(child) : this.topLevel(child))
          this.declareField(naming, owner, child)
      }
      this.declareAll(child, owner, depth + 1)
    }
  }

  protected topLevel(node: Node): readonly Naming[] {
    // Outside of types Ruby has variables of the block they are written in, and constants.
    if (this.language === 'ruby') return this.spec.locals(node).filter((one) => /^[A-Z$]/.test(one.name))
    return node.parent?.type === 'block' && this.language === 'python' && node.parent.parent?.type !== 'module'
      ? []
      : this.spec.locals(node)
  }

  protected declareField(naming: Naming, owner: number, node: Node): void {
    if (naming.name === '' || naming.name === '_' || this.childNamed(owner, naming.name) !== undefined) return
    const isConstant = /^[A-Z][A-Z0-9_]*$/.test(naming.name) || /const/.test(node.type)
    const isDeclaredOnly = this.language === 'cpp' && /\)[^()]*=\s*0\s*;?\s*$/.test(node.text)
    const kind: NodeKind = isDeclaredOnly
      ? 'method'
      : /enum(erator|_constant|_member|_variant|_case)/.test(node.type)
        ? 'enum_member'
        : owner === 0
          ? isConstant
            ? 'constant'
            : 'variable'
          : 'field'
    const index = this.declareSymbol(kind, naming.name, owner, naming.at)
    this.symbolOf.set(naming.at.id, index)
  }

  protected declareImplementation(node: Node, owner: number, depth: number): void {
    const typeNode = field(node, 'type')
    const name = (typeNode?.type === 'generic_type' ? field(typeNode, 'type') : typeNode)?.text ?? ''
    const target = this.childNamed(owner, name) ?? this.childNamed(0, name)
    const body = field(node, 'body')
    if (body === null) return
    this.symbolOf.set(node.id, target ?? owner)
    const before = this.facts.symbols.length
    this.declareAll(body, target ?? owner, depth + 1)
    if (target === undefined)
      for (let index = before; index < this.facts.symbols.length; index += 1) this.attach(index, name)
  }

  protected attach(index: number, type: string): void {
    this.attached.set(index, type)
    const symbol = this.facts.symbol(index)
    symbol.attachedTo = type
    const around = symbol.parent === 0 ? '' : `${this.facts.symbol(symbol.parent).qualifiedName}::`
    symbol.qualifiedName = `${around}${type}::${symbol.name}`
  }

  protected declareFunction(node: Node, owner: number, depth: number): void {
    const name = this.spec.nameOf(node)
    if (name === '') {
      this.declareAll(node, owner, depth + 1)
      return
    }
    const receiver = this.spec.receiver(node)
    const holder = receiver === undefined ? undefined : this.childNamed(owner, receiver.type)
    const parent = holder ?? owner
    const kind: NodeKind = receiver !== undefined || this.isType(parent) ? 'method' : 'function'
    // A declaration and its definition, or overloads, are one function.
    const before = this.childNamed(parent, name, kind)
    const index = before ?? this.declareSymbol(kind, name, parent, node)
    if (receiver !== undefined && holder === undefined) this.attach(index, receiver.type)
    const extended = this.spec.extended?.(node)
    if (extended !== undefined) this.facts.symbol(index).attachedTo = extended
    this.symbolOf.set(node.id, index)
    this.declareAll(node, index, depth + 1)
  }

  protected isType(index: number): boolean {
    return (
      ['class', 'struct', 'interface', 'trait', 'enum', 'union', 'protocol'].includes(this.facts.symbol(index).kind) ||
      // A type made of another one has methods of its own.
      (this.facts.symbol(index).kind === 'type_alias' && this.language === 'go') ||
      (this.facts.symbol(index).kind === 'module' && this.language === 'ruby')
    )
  }

  protected childNamed(owner: number, name: string, kind?: NodeKind): number | undefined {
    return this.childIndex
      .get(`${owner} ${name}`)
      ?.find((index) => kind === undefined || this.facts.symbol(index).kind === kind)
  }

  protected typeKind(node: Node): NodeKind | undefined {
    if (this.spec.isTypeAssignment?.(node) === true) return 'class'
    const kind = this.spec.types[node.type]
    // `mod net;` names a file; it is no module of this one.
    if (node.type === 'mod_item' && field(node, 'body') === null) return undefined
    if (kind === undefined || this.language !== 'go') return kind
    const type = field(node, 'type')?.type
    return type === 'interface_type' ? 'interface' : type === 'struct_type' ? 'struct' : 'type_alias'
  }

  protected declareSymbol(kind: NodeKind, name: string, parent: number, node: Node): number {
    const outer =
      node.parent !== null &&
      /decorated_definition|template_declaration|type_declaration|export_statement/.test(node.parent.type)
        ? node.parent
        : node
    const index = this.facts.addSymbol({
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
    pushTo(this.childIndex, `${parent} ${name}`, index)
    const symbol = this.facts.symbol(index)
    if (this.spec.isExported(name, node)) symbol.exported = true
    const visibility = this.spec.visibility(node)
    if (visibility !== undefined) symbol.visibility = visibility
    const doc = this.docOf(node, outer)
    if (doc !== '') symbol.doc = doc
    const body = field(node, 'body')
    symbol.signature = clipSignature(
      this.text
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
    if (/\basync\b/.test(this.text.slice(node.startIndex, node.startIndex + 120).split('(')[0] ?? ''))
      symbol.async = true
    return index
  }

  protected docOf(node: Node, outer: Node): string {
    if (this.language === 'python') {
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

  protected declareImports(node: Node, imports: readonly ImportedName[], owner: number): void {
    const bySpecifier = new Map<string, string[]>()
    for (const written of imports) {
      const one = { ...written, specifier: this.fromFile(written.specifier, owner) }
      const names = bySpecifier.get(one.specifier) ?? []
      if (one.imported !== undefined) names.push(one.imported)
      bySpecifier.set(one.specifier, names)
      if (one.local !== '' && one.local !== '*') {
        this.imported.set(
          one.local,
          one.imported === undefined ? { k: 'mod', m: one.specifier } : { k: 'imp', m: one.specifier, n: one.imported },
        )
      }
      if (one.imported === '*') this.facts.exports.push({ name: '*', from: one.specifier })
    }
    const line = node.startPosition.row + 1
    const col = node.startPosition.column
    for (const [specifier, names] of bySpecifier) {
      const symbol = this.facts.addSymbol({
        kind: 'import',
        name: specifier,
        parent: 0,
        line,
        col,
        endLine: node.endPosition.row + 1,
        endCol: node.endPosition.column,
      })
      this.facts.imports.push({ specifier, line, col, names, symbol })
    }
  }

  /** In a module inside a file, Rust's `super` is the file or a module of it. */
  protected fromFile(specifier: string, owner: number): string {
    if (this.language !== 'rust') return specifier
    let inside = 0
    for (let at = owner; at !== 0; at = this.facts.symbol(at).parent)
      if (this.facts.symbol(at).kind === 'module') inside += 1
    return inside === 1 ? specifier.replace(/^super\b/, 'self') : specifier
  }
}
