/** What a file declares, before anything in it is read. */
import { forAll, type Value } from '../../core/facts.ts'
import type { NodeKind } from '../../core/vocabulary.ts'
import { field, named } from '../languages/shapes.ts'
import type { ImportedName, Naming } from '../languages/tree-language.ts'
import type { TreeFile } from './file.ts'
import { depthMax, eitherOf } from './scope.ts'
import type { TreeNode } from './tree-node.ts'

export class TreeDeclarations {
  readonly #file: TreeFile
  /** How many functions without a name are around: what they name is theirs. */
  #inside = 0

  constructor(file: TreeFile) {
    this.#file = file
  }

  declareAll(node: TreeNode, owner: number, depth: number): void {
    if (depth > depthMax) return
    for (const child of named(node)) this.#declare(child, owner, depth)
  }

  #declare(node: TreeNode, owner: number, depth: number): void {
    const { spec, facts, imported, symbolOf } = this.#file
    const imports = spec.imports(node)
    if (imports !== undefined) {
      this.#declareImports(node, imports, owner)
      return
    }
    if (spec.isBesideType?.(node) === true) {
      this.declareAll(node, this.#besideTypes(owner), depth + 1)
      return
    }
    if (this.#declareType(node, owner, depth)) return
    const used = spec.usedName?.(node)
    if (used?.name === '*') facts.exports.push({ name: '*', from: used.path })
    else if (used !== undefined) imported.set(used.name, used.value)
    if (spec.implementations.has(node.type)) {
      this.#declareImplementation(node, owner, depth)
      return
    }
    if (spec.functions.has(node.type)) {
      this.#declareFunction(node, owner, depth)
      return
    }
    const made = spec.madeFunction?.(node, this.#file.text)
    if (made !== undefined) symbolOf.set(node, this.#file.declareSymbol('function', made, owner, node))
    const isTypeOwner = owner !== 0 && this.#file.isType(owner)
    const isTop = owner === 0 && this.#inside === 0
    const namings = isTypeOwner ? spec.fields(node) : isTop ? (spec.topLevel ?? spec.locals)(node) : []
    for (const naming of namings) this.#declareField(naming, owner, node)
    const inner = spec.lambdas.has(node.type) ? 1 : 0
    this.#inside += inner
    this.declareAll(node, owner, depth + 1)
    this.#inside -= inner
  }

  #declareType(node: TreeNode, owner: number, depth: number): boolean {
    const { spec, symbolOf } = this.#file
    const kind = this.#file.typeKind(node)
    if (kind === undefined) return false
    const written = spec.nameOf(node).replace(/^::/, '')
    const name = written.split('::').at(-1) ?? ''
    if (name === '' || spec.isForward?.(node) === true) return false
    if (kind === 'namespace' && name !== written)
      return this.#declareNamespaces(node, written.split('::'), owner, depth)
    // A type that is opened again (a namespace, a Ruby class) goes on where it was.
    const known = spec.hasOneOfAName ? this.#file.childNamed(owner, name, kind) : undefined
    const isInside = spec.modularNames !== undefined && written !== name
    const around = owner === 0 ? '' : `${this.#file.facts.symbol(owner).qualifiedName}::`
    const isSame =
      known !== undefined && (!isInside || this.#file.facts.symbol(known).qualifiedName === around + written)
    const index = isSame ? known : this.#file.declareSymbol(kind, name, owner, node)
    // What is opened by a path is called by all of it.
    if (isInside) this.#file.facts.symbol(index).qualifiedName = around + written
    symbolOf.set(node, index)
    this.declareAll(node, index, depth + 1)
    return true
  }

  #besideTypes(owner: number): number {
    let at = owner
    while (at !== 0 && this.#file.isType(at)) at = this.#file.facts.symbol(at).parent
    return at
  }

  /** `namespace a::b` opens both, the one in the other. */
  #declareNamespaces(node: TreeNode, names: readonly string[], owner: number, depth: number): true {
    let index = owner
    for (const one of names) {
      const name = one.replace(/^inline\s+/, '').trim()
      index =
        this.#file.childNamed(index, name, 'namespace') ?? this.#file.declareSymbol('namespace', name, index, node)
    }
    this.#file.symbolOf.set(node, index)
    this.declareAll(node, index, depth + 1)
    return true
  }

  #declareField(naming: Naming, owner: number, node: TreeNode): void {
    if (naming.name === '' || naming.name === '_' || this.#file.childNamed(owner, naming.name) !== undefined) return
    const isConstant = /^[A-Z][A-Z0-9_]*$/.test(naming.name) || /const/.test(node.type)
    const kind: NodeKind =
      this.#file.spec.isUnwrittenMethod?.(node) === true
        ? 'method'
        : /enum(erator|_constant|_member|_variant|_case)/.test(node.type)
          ? 'enum_member'
          : owner !== 0
            ? 'field'
            : isConstant
              ? 'constant'
              : 'variable'
    this.#file.symbolOf.set(naming.at, this.#file.declareSymbol(kind, naming.name, owner, naming.at))
  }

  #declareImplementation(node: TreeNode, owner: number, depth: number): void {
    const written = field(node, 'type')
    // What is given to a reference to a type is the type's.
    const typeNode = written?.type === 'reference_type' ? field(written, 'type') : written
    const name = (typeNode?.type === 'generic_type' ? field(typeNode, 'type') : typeNode)?.text ?? ''
    const target = this.#typeBefore(owner, name) ?? this.#typeBefore(0, name)
    const body = field(node, 'body')
    if (body === null) return
    const { facts, symbolOf } = this.#file
    symbolOf.set(node, target ?? owner)
    const before = facts.symbols.length
    this.declareAll(body, target ?? owner, depth + 1)
    if (target === undefined)
      for (let index = before; index < facts.symbols.length; index += 1) {
        // What is given to a type from elsewhere is no name of the module around.
        this.#file.forget(owner, index)
        this.#attach(index, name)
      }
  }

  /** Of types of one name, written for several conditions, each has what is written behind it. */
  #typeBefore(owner: number, name: string): number | undefined {
    return this.#file.lastTypeNamed(owner, name) ?? this.#file.childNamed(owner, name)
  }

  #attach(index: number, type: string, written: readonly string[] = []): void {
    const { facts } = this.#file
    const symbol = facts.symbol(index)
    symbol.attachedTo = [type]
    const around = symbol.parent === 0 ? [] : [facts.symbol(symbol.parent).qualifiedName]
    symbol.qualifiedName = [...around, ...written, type, symbol.name].join('::')
  }

  #declareFunction(node: TreeNode, owner: number, depth: number): void {
    const { spec, facts, symbolOf } = this.#file
    const name = spec.nameOf(node)
    if (name === '') {
      this.declareAll(node, owner, depth + 1)
      return
    }
    const receiver = spec.receiver(node)
    const holder = receiver && this.#file.inside(owner, [...(receiver.around ?? []), receiver.type])
    const parent = holder ?? owner
    const kind: NodeKind = receiver !== undefined || this.#file.isType(parent) ? 'method' : 'function'
    const known = spec.hasOneOfAName ? this.#file.childNamed(parent, name, kind) : undefined
    const index = known ?? this.#file.declareSymbol(kind, name, parent, node)
    if (receiver !== undefined && holder === undefined) {
      this.#attach(index, receiver.type, receiver.around)
      // What is given to a type of another file is nothing that a bare name means.
      if (!spec.hasImplicitSelf) this.#file.forget(parent, index)
    }
    const extended = spec.extended?.(node)
    if (extended !== undefined) {
      const symbol = facts.symbol(index)
      symbol.attachedTo = [...new Set([...(symbol.attachedTo ?? []), extended])]
    }
    symbolOf.set(node, index)
    this.declareAll(node, index, depth + 1)
  }

  #declareImports(node: TreeNode, imports: readonly ImportedName[], owner: number): void {
    const { facts, spec } = this.#file
    const isInside = owner !== 0 && spec.hasInnerImports
    const imported = isInside ? this.#importedIn(owner) : this.#file.imported
    const isModule = isInside && facts.symbol(owner).kind === 'module'
    const within = isModule ? { in: facts.symbol(owner).qualifiedName } : {}
    const bySpecifier = new Map<string, string[]>()
    for (const written of imports) {
      const one = { ...written, specifier: this.#specifier(written.specifier, owner) }
      const names = bySpecifier.get(one.specifier) ?? []
      if (one.imported !== undefined) names.push(one.imported)
      bySpecifier.set(one.specifier, names)
      if (one.local !== '' && one.local !== '*') {
        const value: Value =
          one.imported === undefined ? { k: 'mod', m: one.specifier } : { k: 'imp', m: one.specifier, n: one.imported }
        // In Rust names that are imported twice are for several conditions.
        const known = spec.hasInnerImports ? imported.get(one.local) : undefined
        imported.set(one.local, known === undefined ? value : eitherOf(known, value))
        if (isModule) facts.exports.push({ name: one.local, value, ...within })
      }
      if (one.imported === '*' && isModule === isInside)
        facts.exports.push({ name: '*', from: one.specifier, ...within })
      if (one.isForAll === true) facts.exports.push({ name: forAll, from: one.specifier, imported: '*' })
    }
    const line = node.startPosition.row + 1
    const col = node.startPosition.column
    for (const [specifier, names] of bySpecifier) {
      const symbol = facts.addSymbol({
        kind: 'import',
        name: specifier,
        parent: 0,
        line,
        col,
        endLine: node.endPosition.row + 1,
        endCol: node.endPosition.column,
      })
      facts.imports.push({ specifier, line, col, names, symbol })
    }
  }

  #importedIn(owner: number): Map<string, Value> {
    const known = this.#file.importedIn.get(owner) ?? new Map<string, Value>()
    this.#file.importedIn.set(owner, known)
    return known
  }

  #specifier(written: string, owner: number): string {
    const { spec, facts } = this.#file
    return spec.specifier?.(written, facts, owner) ?? written
  }
}
