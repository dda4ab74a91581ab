/** What types inherit: their parents, the line Python looks along, and constructors. */
import { constructorNames } from '../core/constructor-names.ts'
import { type Denotation, type Environment, type Instance, isSame, outside } from './denotation.ts'
import type { Evaluation } from './evaluation.ts'

/** Longer lines are taken for knots. */
export const heritageDepthMax = 12

export class Ancestors {
  readonly #whole: Evaluation

  constructor(whole: Evaluation) {
    this.#whole = whole
  }

  constructorOf(f: number, s: number, env: Environment | undefined, depth: number): Denotation | undefined {
    for (const name of constructorNames(this.#whole.symbol(f, s))) {
      const found = this.#whole.members.instanceMember(f, s, name, env, depth)
      if (found?.t === 'symbol' && this.#whole.symbol(found.f, found.s).kind === 'method') return found
    }
    return outside
  }

  /** Python looks through a class and its ancestors in one line, in which a class comes before what it inherits from. */
  linearMember(
    f: number,
    s: number,
    name: string,
    env: Environment | undefined,
    isAbove: boolean,
  ): Denotation | undefined {
    const { line, isOpen } = this.#lineOfAncestors({ t: 'instance', f, s, ...(env === undefined ? {} : { env }) }, 0)
    for (const one of isAbove ? line.slice(1) : line) {
      const [member] = this.#whole.children(one.f, one.s, name)
      if (member !== undefined)
        return {
          t: 'symbol',
          f: one.f,
          s: member,
          through: 'member',
          ...(one.env === undefined ? {} : { env: one.env }),
        }
    }
    return isOpen ? outside : undefined
  }

  /** `isOpen`: an ancestor lies outside the project, or nothing is known of it. */
  #lineOfAncestors(type: Instance, depth: number): { readonly line: readonly Instance[]; readonly isOpen: boolean } {
    if (depth >= heritageDepthMax) return { line: [type], isOpen: true }
    let isOpen = false
    const lines: Instance[][] = []
    const parents: Instance[] = []
    for (const one of this.#whole.symbol(type.f, type.s).heritage ?? []) {
      const parent = this.#whole.evaluate(type.f, one.value, undefined, true)
      const target = parent === undefined ? undefined : this.#whole.calls.instanceOf(parent, type.f, one.args, type.env)
      if (target?.t !== 'instance') {
        isOpen = true
        continue
      }
      const above = this.#lineOfAncestors(target, depth + 1)
      if (above.isOpen) isOpen = true
      lines.push([...above.line])
      parents.push(target)
    }
    lines.push(parents)
    const line = [type]
    for (;;) {
      // The first class that no other line still has further down; a knot is cut at its first class.
      const heads = lines.flatMap((one) => one[0] ?? [])
      const next =
        heads.find((head) => !lines.some((one) => one.slice(1).some((later) => isSame(later, head)))) ?? heads[0]
      if (next === undefined) return { line, isOpen }
      line.push(next)
      lines.forEach((one, index) => {
        lines[index] = one.filter((other) => !isSame(other, next))
      })
    }
  }

  parent(f: number, s: number, isStatic: boolean): Denotation | undefined {
    if (this.#whole.file(f).language === 'python') return { t: 'instance', f, s, above: true }
    const parents: Denotation[] = []
    for (const one of this.#whole.symbol(f, s).heritage ?? []) {
      if (one.relation !== 'extends') continue
      const parent = this.#whole.evaluate(f, one.value)
      if (parent === undefined) continue
      const target = isStatic ? this.#whole.held(parent) : this.#whole.calls.instanceOf(parent, f, one.args, undefined)
      if (target !== undefined) parents.push(target)
    }
    const [first] = parents
    if (first === undefined) return outside
    return parents.length === 1 ? first : { t: 'either', of: parents }
  }
}
