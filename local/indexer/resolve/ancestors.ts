/** What types inherit: their parents, the line Python looks along, and constructors. */
import { constructorNames } from '../core/constructor-names.ts'
import { ancestorsMax } from '../limits.ts'
import { type Denotation, type Environment, type Instance, outside } from './denotation.ts'
import type { Evaluation } from './evaluation.ts'

/** `isOpen`: an ancestor lies outside the project, or nothing is known of it. */
interface Line {
  readonly line: readonly Instance[]
  readonly isOpen: boolean
}

export class Ancestors {
  readonly #whole: Evaluation
  readonly #lines = new Map<number, Line>()
  /** Lines of the search under way that lead through a knot. */
  readonly #knotted = new Map<number, Line>()
  /** Types whose line is being looked for. */
  readonly #open = new Set<number>()

  constructor(whole: Evaluation) {
    this.#whole = whole
  }

  constructorOf(f: number, s: number, env: Environment | undefined): Denotation | undefined {
    for (const name of constructorNames(this.#whole.symbol(f, s))) {
      const found = this.#whole.members.instanceMember(f, s, name, env)
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
    const { line, isOpen } = this.#lineOfAncestors({ t: 'instance', f, s, ...(env === undefined ? {} : { env }) })
    const searched = isAbove ? line.slice(1) : line
    const at = searched.findIndex((one) => this.#own(one, name) !== undefined)
    const [first, ...further] = at === -1 ? [] : searched.slice(at)
    const one = first === undefined ? undefined : this.#holder(first, further, name)
    const member = one === undefined ? undefined : this.#own(one, name)
    if (one === undefined || member === undefined) return isOpen ? outside : undefined
    return {
      ...{ t: 'symbol', f: one.f, s: member, through: 'member' },
      ...(one.env === undefined ? {} : { env: one.env }),
    }
  }

  #own({ f, s }: Instance, name: string): number | undefined {
    return this.#whole.children(f, s, name)[0]
  }

  /** What a method gives its object goes to the property of that name, if that is the first that types further on declare. */
  #holder(first: Instance, further: readonly Instance[], name: string): Instance {
    // Seldom is there one; to tell what methods give takes a look through a whole file.
    if (!further.some((one) => this.#isProperty(one, name))) return first
    for (const one of [first, ...further]) {
      const own = this.#own(one, name)
      if (own === undefined || this.#isGivenByMethods(one, own)) continue
      return this.#isProperty(one, name) ? one : first
    }
    return first
  }

  #isProperty(one: Instance, name: string): boolean {
    const own = this.#own(one, name)
    return own !== undefined && this.#whole.symbol(one.f, own).decorators?.includes('property') === true
  }

  #isGivenByMethods({ f, s }: Instance, member: number): boolean {
    const { kind, line } = this.#whole.symbol(f, member)
    if (kind !== 'field') return false
    const { symbols } = this.#whole.file(f)
    return symbols.some((one) => one.kind === 'method' && one.parent === s && one.line <= line && line <= one.endLine)
  }

  #lineOfAncestors(type: Instance): Line {
    if (type.env !== undefined) return this.#lineFresh(type)
    const key = keyOf(type)
    const known = this.#lines.get(key) ?? this.#knotted.get(key)
    if (known !== undefined) return known
    const isOutermost = this.#open.size === 0
    const cuts = this.#whole.cuts
    const line = this.#lineFresh(type)
    // A line that leads through a knot depends on where the search began, and is kept for this search alone.
    if (this.#whole.cuts === cuts) this.#lines.set(key, line)
    else this.#knotted.set(key, line)
    if (isOutermost) this.#knotted.clear()
    return line
  }

  #lineFresh(type: Instance): Line {
    const key = keyOf(type)
    if (this.#open.has(key) || this.#open.size >= ancestorsMax) {
      this.#whole.cut()
      return { line: [type], isOpen: true }
    }
    this.#open.add(key)
    let isOpen = false
    const lines: (readonly Instance[])[] = []
    const parents: Instance[] = []
    for (const one of this.#whole.symbol(type.f, type.s).heritage ?? []) {
      const parent = this.#whole.evaluate(type.f, one.value, undefined, true)
      const target = parent === undefined ? undefined : this.#whole.calls.instanceOf(parent, type.f, one.args, type.env)
      if (target?.t !== 'instance') {
        isOpen = true
        continue
      }
      const above = this.#lineOfAncestors(target)
      if (above.isOpen) isOpen = true
      lines.push(above.line)
      parents.push(target)
    }
    this.#open.delete(key)
    lines.push(parents)
    const line = this.#merged(type, lines)
    return { line, isOpen: isOpen || line.length > ancestorsMax }
  }

  /** Each time the first class that no other line still has further down; a knot is cut at its first class. */
  #merged(type: Instance, lines: readonly (readonly Instance[])[]): Instance[] {
    const further = new Map<number, number>()
    for (const one of lines) for (const later of one.slice(1)) count(further, later, 1)
    const at = lines.map(() => 0)
    const taken = new Set<number>()
    const line = [type]
    while (line.length <= ancestorsMax && this.#whole.spend(lines.length)) {
      const heads = lines.flatMap((one, index) => one[at[index] ?? 0] ?? [])
      const next = heads.find((head) => (further.get(keyOf(head)) ?? 0) === 0) ?? heads[0]
      if (next === undefined) return line
      line.push(next)
      taken.add(keyOf(next))
      for (const [index, one] of lines.entries()) {
        let head = one[at[index] ?? 0]
        while (head !== undefined && taken.has(keyOf(head))) {
          at[index] = (at[index] ?? 0) + 1
          head = one[at[index] ?? 0]
          if (head !== undefined) count(further, head, -1)
        }
      }
    }
    this.#whole.cut()
    return line
  }

  parent(f: number, s: number, isStatic: boolean): Denotation | undefined {
    if (this.#whole.file(f).language === 'python') return { t: 'instance', f, s, above: true }
    const parents: Denotation[] = []
    for (const one of this.#whole.symbol(f, s).heritage ?? []) {
      if (one.relation !== 'extends') continue
      const parent = this.#whole.evaluate(f, one.value)
      if (parent === undefined || this.#isTraitOfPhp(parent)) continue
      const target = isStatic ? this.#whole.held(parent) : this.#whole.calls.instanceOf(parent, f, one.args, undefined)
      if (target !== undefined) parents.push(target)
    }
    const [first] = parents
    if (first === undefined) return outside
    return parents.length === 1 ? first : { t: 'either', of: parents }
  }

  /** What a trait brings is the class's own, and not above it. */
  #isTraitOfPhp(found: Denotation): boolean {
    if (found.t !== 'symbol' || this.#whole.file(found.f).language !== 'php') return false
    return this.#whole.symbol(found.f, found.s).kind === 'trait'
  }
}

function keyOf({ f, s }: Instance): number {
  return f * 0x200000 + s
}

function count(times: Map<number, number>, one: Instance, change: number): void {
  times.set(keyOf(one), (times.get(keyOf(one)) ?? 0) + change)
}
