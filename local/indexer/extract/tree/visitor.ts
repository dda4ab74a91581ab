/** Goes through a file once and writes down what it refers to. */
import type { Reference, Value } from '../../core/facts.ts'
import { field, named, nameText } from '../languages/shapes.ts'
import type { CallShape, TreeVisitor } from '../languages/tree-language.ts'
import { TreeAssignments } from './assignments.ts'
import type { TreeFile } from './file.ts'
import { TreeFunctions } from './functions.ts'
import { childScope, depthMax, eitherOf, nothing, type Scope } from './scope.ts'
import type { Parse, TreeNode } from './tree-node.ts'
import { TreeTypeBodies } from './type-bodies.ts'
import { TreeValues } from './values.ts'

const blocks =
  /block|body|statement_list|compound_statement|for_|_loop|while_|type_case|match_arm|switch_(rule|section|expression_arm)/

export class ReferenceVisitor implements TreeVisitor {
  readonly reader: TreeValues
  readonly parse: Parse
  readonly #file: TreeFile
  readonly #assignments: TreeAssignments
  readonly #bodies: TreeTypeBodies
  readonly #functions: TreeFunctions

  constructor(file: TreeFile) {
    this.#file = file
    this.parse = file.parse
    this.reader = new TreeValues(file)
    this.#assignments = new TreeAssignments(file, this.reader)
    this.#bodies = new TreeTypeBodies(file, this.#assignments, this)
    this.#functions = new TreeFunctions(file, this)
  }

  refer(scope: Scope, kind: Reference['kind'], value: Value, at: TreeNode, name: string, asType = false): void {
    this.#file.refer(scope, kind, value, at, name, asType)
  }

  nameLocals(node: TreeNode, scope: Scope): void {
    this.#assignments.nameLocals(node, scope)
  }

  visit(node: TreeNode, scope: Scope, depth: number): void {
    if (depth > depthMax) return
    if (!this.#isBranch(node)) {
      this.#visitWhole(node, scope, depth)
      return
    }
    // What a branch gives a name is what the name holds inside it, and one of several things afterwards.
    const before = new Map(scope.names)
    this.#visitWhole(node, scope, depth)
    for (const [name, old] of before) {
      const now = scope.names.get(name)
      if (now !== undefined && now !== old && now.k !== 'is') scope.names.set(name, eitherOf(old, now))
    }
  }

  #isBranch(node: TreeNode): boolean {
    // The parent of a node has to be looked for, so it is asked for last.
    const parents = this.#file.spec.branches.get(node.type)
    return parents !== undefined && node.parent !== null && parents.test(node.parent.type)
  }

  #visitWhole(node: TreeNode, scope: Scope, depth: number): void {
    const { spec } = this.#file
    if (spec.imports(node) !== undefined || node.type.includes('comment')) return
    if (this.#visitDeclared(node, scope, depth)) return
    if (spec.lambdas.has(node.type)) {
      const inner = this.reader.calls.lambdaScope(node, scope)
      for (const child of named(node)) if (!/parameters?$/.test(child.type)) this.visit(child, inner, depth + 1)
      return
    }
    const isBlock = spec.hasBlockNames && blocks.test(node.type)
    if (!isBlock) this.nameLocals(node, scope)
    const call = spec.calls[node.type]
    if (call !== undefined) {
      this.#visitCall(node, call, scope, depth)
      return
    }
    if (spec.creations[node.type] !== undefined && this.#visitCreation(node, scope, depth)) return
    if (spec.visit?.(this, node, scope, depth) === true) return
    const member = spec.members[node.type]
    if (member !== undefined && member[1] !== '') {
      const value = this.reader.value(node, scope)
      if (value.k === 'get' || value.k === 'alt')
        this.refer(scope, 'references', value, field(node, member[1]) ?? node, node.text)
      const object = field(node, member[0])
      if (object !== null) this.visit(object, scope, depth + 1)
      return
    }
    if (spec.identifiers.has(node.type) || spec.typeIdentifiers.has(node.type)) {
      this.#visitName(node, scope)
      return
    }
    const inner = isBlock ? childScope(scope) : scope
    if (isBlock) this.nameLocals(node, inner)
    for (const child of named(node)) this.visit(child, inner, depth + 1)
  }

  /** Types, functions and what a field begins with. */
  #visitDeclared(node: TreeNode, scope: Scope, depth: number): boolean {
    const { spec, symbolOf } = this.#file
    const index = symbolOf.get(node)
    if (index !== undefined && this.#file.typeKind(node) !== undefined) {
      this.#bodies.visitType(node, index, scope, depth)
      return true
    }
    if (spec.implementations.has(node.type)) {
      this.#bodies.visitImplementation(node, index, scope, depth)
      return true
    }
    if (index !== undefined && spec.functions.has(node.type)) {
      this.#functions.visitFunction(node, index, scope, depth)
      return true
    }
    if (index !== undefined && spec.madeFunction?.(node, this.#file.text) !== undefined && scope.owner !== index) {
      this.visit(node, childScope(scope, { owner: index }), depth)
      return true
    }
    const unnamed = spec.unnamedClass?.(node)
    if (unnamed !== undefined) {
      const above: Value = unnamed === null ? nothing : { k: 'is', t: this.reader.typeOf(unnamed, scope) }
      const inner = childScope(scope, { self: above, above })
      for (const child of named(node)) this.visit(child, inner, depth + 1)
      return true
    }
    const owner = this.#bodies.takeOwner(node)
    if (owner === undefined) return false
    this.visit(node, childScope(scope, { owner, isTypeBody: scope.isTypeBody }), depth)
    return true
  }

  #visitCall(node: TreeNode, call: CallShape, scope: Scope, depth: number): void {
    const { spec } = this.#file
    const callee = call.callee === undefined ? null : field(node, call.callee)
    const nameNode = call.name === undefined ? null : field(node, call.name)
    const calleeMember = callee === null ? undefined : spec.members[callee.type]
    this.reader.value(node, scope)
    if (spec.isNamingAbove?.(node) !== true) {
      const value = this.reader.calls.callee(node, call, scope)
      const object = call.object === undefined ? null : field(node, call.object)
      const made = spec.made?.(this.reader, node, scope)
      const name = callee?.text ?? `${object === null ? '' : `${object.text}.`}${nameNode?.text ?? ''}`
      const named_ = callee === null || calleeMember === undefined ? null : field(callee, calleeMember[1])
      const at = nameNode ?? named_ ?? callee ?? node
      if (made !== undefined) this.refer(scope, 'instantiates', made, at, object?.text ?? 'new')
      else this.refer(scope, 'calls', value, at, name.replace(/\s+/g, ''))
    }
    for (const child of named(node)) {
      if (child === nameNode) continue
      if (child !== callee) {
        this.visit(child, scope, depth + 1)
        continue
      }
      const object = calleeMember === undefined ? null : field(child, calleeMember[0])
      if (object !== null) this.visit(object, scope, depth + 1)
      else if (!spec.identifiers.has(child.type)) this.visit(child, scope, depth + 1)
      const used = spec.usedInCallee?.(child) ?? null
      if (used !== null) this.visit(used, scope, depth + 1)
    }
  }

  #visitCreation(node: TreeNode, scope: Scope, depth: number): boolean {
    const type = this.reader.creationType(node)
    if (type === null) return false
    const written = this.reader.typeOf(type, scope)
    const made = written.k === 'param' && written.n === 'static' ? written.b : written
    if (made?.k === 'ref' && !this.reader.names.isTypeParameter(type.text, scope))
      this.refer(scope, 'instantiates', made.v, node, type.text)
    for (const child of named(node)) if (child !== type) this.visit(child, scope, depth + 1)
    return true
  }

  #visitName(node: TreeNode, scope: Scope): void {
    const { spec } = this.#file
    const isTypeName = spec.isTypeName?.(node) === true
    const plain = this.#file.ofArity(this.reader.name(nameText(node), scope, isTypeName), spec.arity?.(node))
    const isNamed =
      plain.k === 'imp' ||
      plain.k === 'mod' ||
      (plain.k === 'alt' && spec.modularNames?.test(node.text) === true) ||
      (plain.k === 'sym' && plain.s !== scope.owner)
    if (!isNamed && !(plain.k === 'glob' && this.#isLookedFor(plain.n, scope))) return
    const member = spec.memberNamed?.(this.reader, node, scope)
    if (member !== undefined) {
      if (member !== nothing) this.refer(scope, 'references', member, node, node.text)
      return
    }
    const asType = isTypeName || (spec.typeIdentifiers.has(node.type) && node.type !== 'identifier')
    // A member of the type around comes before what the file has of that name.
    const value = asType || spec.arity?.(node) !== undefined ? plain : this.reader.bareName(nameText(node), scope)
    this.refer(scope, 'references', value, node, node.text, asType)
  }

  /** Whether a name that the file gives nothing may be one of the project's. */
  #isLookedFor(name: string, scope: Scope): boolean {
    const { spec } = this.#file
    if (/^\p{Lu}/u.test(name)) return true
    if (spec.predeclared !== undefined) return /^[\p{L}_]/u.test(name) && !spec.predeclared.test(name)
    // A property is a member, whatever it begins with.
    if (spec.isAccessor === undefined) return false
    return this.reader.enclosingTypes(scope).some((type) => this.#file.childNamed(type, name, 'method') !== undefined)
  }
}
