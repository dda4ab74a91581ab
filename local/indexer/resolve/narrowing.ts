/** What is left of a value where a condition has ruled something out. */
import type { Value } from '../core/facts.ts'
import { ancestorsMax } from '../limits.ts'
import type { Denotation, Environment, Instance } from './denotation.ts'
import type { Evaluation } from './evaluation.ts'

export class Narrowing {
  readonly #whole: Evaluation

  constructor(whole: Evaluation) {
    this.#whole = whole
  }

  left(f: number, value: Extract<Value, { k: 'less' }>, env: Environment | undefined): Denotation | undefined {
    const whole = this.#whole.evaluate(f, value.v, env)
    const held = whole === undefined ? undefined : this.#whole.held(whole)
    if (held?.t !== 'instance' && held?.t !== 'either') return held
    const ruledOut: Instance[] = []
    let besides = held.t === 'either' ? (held.besides ?? 0) : 0
    for (const type of value.ts) {
      const found = this.#whole.typed(f, type, env)
      if (found?.t === 'instance') ruledOut.push(found)
      else if (found?.t === 'external') besides -= 1
    }
    const all = held.t === 'either' ? held.of : [held]
    const left = all.filter((one) => one.t !== 'instance' || !ruledOut.some((other) => this.#isKindOf(one, other)))
    const isPartial = held.t === 'either' && held.isPartial === true
    if (left.length === 0) return undefined
    return withBesides(this.#whole.either(left, isPartial), besides)
  }

  /** Whether each instance of one type is one of the other. */
  #isKindOf(type: Instance, other: Instance): boolean {
    const seen = new Set<string>()
    const above: Instance[] = [type]
    for (let one = above.pop(); one !== undefined; one = above.pop()) {
      if (one.f === other.f && one.s === other.s) return true
      const key = `${one.f} ${one.s}`
      if (seen.has(key) || seen.size >= ancestorsMax || !this.#whole.spend(1)) continue
      seen.add(key)
      for (const { value, args } of this.#whole.symbol(one.f, one.s).heritage ?? []) {
        const parent = this.#whole.evaluate(one.f, value, undefined, true)
        const found = parent === undefined ? undefined : this.#whole.calls.instanceOf(parent, one.f, args, one.env)
        if (found?.t === 'instance') above.push(found)
      }
    }
    return false
  }
}

/** The same, where so much more of the platform or from outside may be meant. Only what has members is told apart. */
export function withBesides(found: Denotation | undefined, besides: number): Denotation | undefined {
  if (found === undefined || besides <= 0) return found
  const of = found.t === 'either' ? found.of : [found]
  if (of.some((one) => one.t !== 'instance' && one.t !== 'shape')) return found
  return { t: 'either', of, ...(found.t === 'either' && found.isPartial === true ? { isPartial: true } : {}), besides }
}
