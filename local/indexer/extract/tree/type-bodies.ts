/** What stands in the declaration of a type. */
import type { Heritage, Type, Value } from '../../core/facts.ts'
import { field, named } from '../languages/shapes.ts'
import type { TreeVisitor } from '../languages/tree-language.ts'
import type { TreeAssignments } from './assignments.ts'
import { boundTypes } from './bounds.ts'
import type { TreeFile } from './file.ts'
import { anything, childScope, depthMax, nothing, type Scope } from './scope.ts'
import type { TreeNode } from './tree-node.ts'

const namesAbove = /superclass|superclasses|interfaces|base_list|base_clause|base_class_clause|class_interface_clause/

export class TreeTypeBodies {
  readonly #file: TreeFile
  readonly #assignments: TreeAssignments
  readonly #visitor: TreeVisitor
  /** Initialisers of fields belong to their field, not to the type around. */
  readonly #valueOwner = new Map<TreeNode, number>()

  constructor(file: TreeFile, assignments: TreeAssignments, visitor: TreeVisitor) {
    this.#file = file
    this.#assignments = assignments
    this.#visitor = visitor
  }

  /** The field whose initialiser the node is; told once. */
  takeOwner(node: TreeNode): number | undefined {
    const owner = this.#valueOwner.get(node)
    if (owner !== undefined) this.#valueOwner.delete(node)
    return owner
  }

  visitType(node: TreeNode, index: number, scope: Scope, depth: number): void {
    const { spec, facts, typeBounds } = this.#file
    const { reader } = this.#visitor
    const symbol = facts.symbol(index)
    const isType = this.#file.isType(index)
    const inner = childScope(scope, {
      owner: index,
      isTypeBody: true,
      ...(isType ? { type: index, self: { k: 'this', s: index } as Value, above: undefined } : {}),
    })
    const parameters = spec.typeParameters(node)
    if (parameters.length > 0) {
      symbol.typeParameters = [...parameters]
      typeBounds.set(index, boundTypes(spec, node, reader, inner))
    }
    const above = spec.heritage(node)
    const heritage = above.flatMap((one) => this.#heritageFact(one.type, one.relation, inner))
    if (heritage.length > 0) symbol.heritage = [...(symbol.heritage ?? []), ...heritage]
    if (symbol.kind === 'type_alias') {
      const type = field(node, 'type')
      // No type is around whose parameters these were.
      const bounds = typeBounds.get(index)
      const open = parameters.map((n): [string, Type] => [
        n,
        { k: 'param', n, b: bounds?.get(n) ?? { k: 'ref', v: nothing } },
      ])
      if (type !== null) symbol.type = reader.typeOf(type, childScope(inner, { bounds: new Map(open) }))
    }
    const parts = spec.parts?.(node) ?? null
    if (parts !== null) symbol.type ??= reader.typeOf(parts, inner)
    if (isType) this.#fieldFacts(node, index, inner, depth)
    const skipped = new Set(above.map((one) => one.type))
    const name = field(node, 'name')
    for (const child of named(node))
      if (!skipped.has(child) && child !== name && !namesAbove.test(child.type))
        this.#visitor.visit(child, inner, depth + 1)
  }

  visitImplementation(node: TreeNode, index: number | undefined, scope: Scope, depth: number): void {
    const { facts } = this.#file
    const written = field(node, 'type')
    const typeNode = written?.type === 'reference_type' ? field(written, 'type') : written
    const isOwn = index !== undefined && this.#file.isType(index)
    const { reader } = this.#visitor
    const bounds = boundTypes(this.#file.spec, node, reader, scope)
    const around = childScope(scope, { bounds })
    // What the types it is given are bound to is said here, and not where the type is declared.
    const self: Value =
      isOwn && (bounds.size === 0 || typeNode?.type !== 'generic_type')
        ? { k: 'this', s: index }
        : typeNode === null
          ? nothing
          : { k: 'is', t: reader.typeOf(typeNode, around) }
    const trait = field(node, 'trait')
    const inner = childScope(around, {
      ...{ self: isOwn || trait === null ? self : this.#orOfTrait(self, trait, around) },
      ...(isOwn ? { type: index, owner: index } : {}),
    })
    if (trait !== null && isOwn) {
      const symbol = facts.symbol(index)
      symbol.heritage = [...(symbol.heritage ?? []), ...this.#heritageFact(trait, 'implements', scope)]
    }
    const body = field(node, 'body')
    if (body !== null) for (const child of named(body)) this.#visitor.visit(child, inner, depth + 1)
  }

  /** What a type from outside has is not known; it has what the trait says, if it has nothing of that name by itself. */
  #orOfTrait(self: Value, trait: TreeNode, scope: Scope): Value {
    const said: Value = { k: 'is', t: this.#visitor.reader.typeOf(trait, scope) }
    return { k: 'alt', v: [self, { k: 'alt', v: [said, anything] }], first: 1 }
  }

  #heritageFact(type: TreeNode, relation: Heritage['relation'], scope: Scope): Heritage[] {
    const written = this.#visitor.reader.typeOf(type, scope)
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

  #fieldFacts(node: TreeNode, index: number, scope: Scope, depth: number): void {
    if (depth > depthMax) return
    const { spec, facts, symbolOf } = this.#file
    const { reader } = this.#visitor
    for (const child of named(node)) {
      if (symbolOf.has(child) && (this.#file.typeKind(child) !== undefined || spec.functions.has(child.type))) {
        // Parameters of a constructor that are fields at once.
        for (const parameter of named(field(child, 'parameters')))
          for (const naming of spec.fields(parameter))
            if (naming.type !== null && naming.type !== undefined)
              this.#assignments.giveField(index, naming.name, parameter, {
                k: 'is',
                t: reader.typeOf(naming.type, scope),
              })
        continue
      }
      for (const naming of spec.fields(child)) {
        const own = this.#file.childNamed(index, naming.name)
        if (own === undefined) continue
        const symbol = facts.symbol(own)
        const isGiven = naming.value !== null && naming.value !== undefined
        if (isGiven) this.#valueOwner.set(naming.value, own)
        if (spec.fieldValue !== undefined) symbol.value ??= spec.fieldValue(naming, index)
        if (naming.type !== null && naming.type !== undefined) symbol.type ??= reader.typeOf(naming.type, scope)
        else {
          const said = spec.documented?.(reader, child, 'var', '', scope)
          if (said !== undefined) symbol.type ??= said
          else if (isGiven) symbol.value ??= reader.value(naming.value, scope)
        }
      }
      this.#fieldFacts(child, index, scope, depth + 1)
    }
  }
}
