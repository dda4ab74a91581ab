/** Names and fields that statements give. */
import type { Value } from '../../core/facts.ts'
import { field, named, nameText } from '../languages/shapes.ts'
import type { TreeFile } from './file.ts'
import { anything, eitherOf, type Scope } from './scope.ts'
import { takenOut } from './taken-out.ts'
import type { TreeNode } from './tree-node.ts'
import type { TreeValues } from './values.ts'

export class TreeAssignments {
  readonly #file: TreeFile
  readonly #values: TreeValues

  constructor(file: TreeFile, values: TreeValues) {
    this.#file = file
    this.#values = values
  }

  /** Names that a statement gives, from here on. */
  nameLocals(node: TreeNode, scope: Scope): void {
    const { spec, facts, symbolOf } = this.#file
    for (const naming of spec.locals(node)) {
      if (naming.name === '') continue
      const isTop = scope.owner === 0 && scope.isUnnamed !== true
      const declared = symbolOf.get(naming.at) ?? (isTop ? this.#file.childNamed(0, naming.name) : undefined)
      const type =
        naming.type === null || naming.type === undefined ? undefined : this.#values.typeOf(naming.type, scope)
      const value: Value =
        type === undefined
          ? takenOut(naming, this.#values.value(naming.value, scope), this.#values, scope)
          : naming.steps === undefined
            ? { k: 'is', t: type }
            : takenOut(naming, { k: 'is', t: type }, this.#values, scope)
      if (declared !== undefined && scope.type === undefined) {
        const symbol = facts.symbol(declared)
        if (type === undefined) symbol.value ??= value
        else symbol.type ??= type
        continue
      }
      if (scope.type !== undefined && spec.isFieldName?.(naming.name) === true) {
        this.giveField(scope.type, naming.name, naming.at, value)
        continue
      }
      const before = scope.names.get(naming.name)
      // What a function says is the file's stays that, whatever it is given.
      if (before?.k === 'sym' && spec.ownVariables?.test(naming.name) === true) continue
      scope.names.set(naming.name, before === undefined || before.k === 'is' ? (before ?? value) : value)
    }
    this.#giveSelf(node, scope)
  }

  /** A field of a type, when nothing else declares it. */
  giveField(type: number, name: string, at: TreeNode, value: Value): void {
    const index = this.#file.childNamed(type, name) ?? this.#file.declareSymbol('field', name, type, at)
    const symbol = this.#file.facts.symbol(index)
    if (symbol.kind === 'field' && symbol.type === undefined)
      symbol.value = symbol.value === undefined ? value : eitherOf(symbol.value, value)
  }

  /** `self.x = …` and `$this->x = …` */
  #giveSelf(node: TreeNode, scope: Scope): void {
    if (scope.type === undefined || !node.type.startsWith('assignment')) return
    const left = field(node, 'left')
    const right = field(node, 'right')
    if (left?.type === 'pattern_list') {
      const values = named(right)
      const isPaired = right?.type === 'expression_list' && values.length === named(left).length
      named(left).forEach((one, at) => {
        this.#assignToSelf(one, null, isPaired ? values[at] : undefined, scope)
      })
      return
    }
    this.#assignToSelf(left, field(node, 'type'), right, scope)
  }

  #assignToSelf(left: TreeNode | null, type: TreeNode | null, right: TreeNode | null | undefined, scope: Scope): void {
    if (scope.type === undefined) return
    const member = left === null ? undefined : this.#file.spec.members[left.type]
    if (left === null || member === undefined || member[1] === '') return
    const object = field(left, member[0])
    const name = field(left, member[1])
    // What a variable says (`$this->$name`) is no name.
    if (object === null || name === null || this.#file.spec.ownVariables?.test(name.text) === true) return
    if (this.#values.value(object, scope).k !== 'this') return
    const value: Value =
      type !== null
        ? { k: 'is', t: this.#values.typeOf(type, scope) }
        : right === undefined
          ? anything
          : this.#values.value(right, scope)
    this.giveField(scope.type, nameText(name), left, value)
  }
}
