/** What a parameter of a callback is given, by what takes the callback. */
import type { Type, Value } from '../core/facts.ts'
import { type Denotation, type Environment, outside } from './denotation.ts'
import type { Evaluation } from './evaluation.ts'
import { elementCallbacks, typeLikeKinds } from './known-types.ts'

export class Callbacks {
  readonly #whole: Evaluation

  constructor(whole: Evaluation) {
    this.#whole = whole
  }

  /** What a parameter of a callback is given, by what takes the callback. */
  argument(f: number, takerValue: Value, index: number, parameter: number): Denotation | undefined {
    const taker = this.#whole.evaluate(f, takerValue)
    if (taker === undefined) return undefined
    return this.#argumentOf(taker, index, parameter)
  }

  #argumentOf(taker: Denotation, index: number, parameter: number): Denotation | undefined {
    if (taker.t === 'external') return outside
    if (taker.t === 'built-in') {
      if (taker.on.t === 'list') {
        if (taker.n === 'reduce') return parameter === 1 ? taker.on.of : undefined
        if (elementCallbacks.has(taker.n)) return parameter === 0 || taker.n === 'sort' ? taker.on.of : outside
      }
      if (taker.on.t === 'promise' && taker.n === 'then') return parameter === 0 && index === 0 ? taker.on.of : outside
      return outside
    }
    if (taker.t === 'symbol') {
      const symbol = this.#whole.symbol(taker.f, taker.s)
      const target = typeLikeKinds.has(symbol.kind)
        ? this.#whole.members.instanceMember(taker.f, taker.s, 'constructor', undefined, 0)
        : taker
      if (target?.t !== 'symbol') return undefined
      const type = this.#whole.symbol(target.f, target.s).parameterTypes?.[index]
      if (type === null || type === undefined) return undefined
      return this.#parameterOfType(target.f, type, parameter, target.env, 0)
    }
    return undefined
  }

  #parameterOfType(
    f: number,
    type: Type,
    parameter: number,
    env: Environment | undefined,
    depth: number,
  ): Denotation | undefined {
    if (depth > 6) return undefined
    if (type.k === 'fn') {
      const given = type.ps?.[parameter]
      return given === null || given === undefined ? undefined : this.#whole.typed(f, given, env)
    }
    if (type.k === 'ref') {
      const target = this.#whole.evaluate(f, type.v, env, true)
      if (target?.t === 'external') return outside
      if (target?.t !== 'symbol') return undefined
      const inner = this.#whole.symbol(target.f, target.s).type
      return inner === undefined ? undefined : this.#parameterOfType(target.f, inner, parameter, undefined, depth + 1)
    }
    if (type.k === 'any-of') {
      for (const one of type.ts) {
        const found = this.#parameterOfType(f, one, parameter, env, depth + 1)
        if (found !== undefined && found.t !== 'external') return found
      }
    }
    return undefined
  }
}
