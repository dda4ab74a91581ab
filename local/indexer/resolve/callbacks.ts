/** What a parameter of a callback is given, by what takes the callback. */
import type { Type, Value } from '../core/facts.ts'
import { languageFamily } from '../core/language-of.ts'
import type { Language } from '../core/vocabulary.ts'
import { type Denotation, type Environment, outside } from './denotation.ts'
import type { Evaluation } from './evaluation.ts'
import { comparators, elementCallbacks, typeLikeKinds } from './known-types.ts'

/** How many of its arguments a type of a function takes; `same`: one type for all. */
const takenByFunctionType: ReadonlyMap<string, number | 'all' | 'same'> = new Map<string, number | 'all' | 'same'>([
  ['Function', 1],
  ['BiFunction', 2],
  ['Consumer', 'all'],
  ['BiConsumer', 'all'],
  ['Predicate', 'all'],
  ['BiPredicate', 'all'],
  ['UnaryOperator', 'same'],
  ['BinaryOperator', 'same'],
  ['Comparator', 'same'],
  ['Action', 'all'],
  ['Func', 'all'],
])

export class Callbacks {
  readonly #whole: Evaluation

  constructor(whole: Evaluation) {
    this.#whole = whole
  }

  /** What a parameter of a callback is given, by what takes the callback. */
  argument(f: number, takerValue: Value, index: number, parameter: number): Denotation | undefined {
    // Written where a type is declared, and handed to nobody.
    const declared = takerValue.k === 'is' && takerValue.t.k === 'fn' ? takerValue.t.ps?.[index] : undefined
    if (declared !== undefined && declared !== null) return this.#parameterOfType(f, declared, parameter, undefined, 0)
    const taker = this.#whole.evaluate(f, takerValue)
    if (taker === undefined) return undefined
    return this.#argumentOf(taker, index, parameter, this.#whole.file(f).language)
  }

  #argumentOf(taker: Denotation, index: number, parameter: number, language: Language): Denotation | undefined {
    if (taker.t === 'external') return outside
    if (taker.t === 'either')
      return this.#whole.either(
        taker.of.map((one) => this.#argumentOf(one, index, parameter, language)),
        taker.isPartial,
      )
    if (taker.t === 'built-in') {
      if (taker.on.t === 'list') {
        if (taker.n === 'reduce') return parameter === 1 ? taker.on.of : undefined
        if (elementCallbacks.has(taker.n)) return this.#handed(taker.on, taker.n, parameter, language)
      }
      if (taker.on.t === 'promise' && taker.n === 'then') return parameter === 0 && index === 0 ? taker.on.of : outside
      return outside
    }
    if (taker.t === 'symbol') {
      const symbol = this.#whole.symbol(taker.f, taker.s)
      const target = typeLikeKinds.has(symbol.kind)
        ? this.#whole.members.instanceMember(taker.f, taker.s, 'constructor', undefined)
        : taker
      if (target?.t !== 'symbol') return undefined
      const type = this.#whole.symbol(target.f, target.s).parameterTypes?.[index]
      if (type === null || type === undefined) return undefined
      return this.#parameterOfType(target.f, type, parameter, target.env, 0)
    }
    return undefined
  }

  /** Java and C# write the type of a function as a type with arguments: what it takes first, then what it gives. */
  #ofFunctionType(
    f: number,
    type: Extract<Type, { k: 'ref' }>,
    parameter: number,
    env: Environment | undefined,
  ): Denotation | undefined {
    const { v, a = [] } = type
    const name = v.k === 'glob' || v.k === 'imp' ? v.n : v.k === 'mod' ? (v.m.split('.').at(-1) ?? '') : ''
    const takes = takenByFunctionType.get(name)
    const given = takes === undefined ? undefined : a[takes === 'same' ? 0 : parameter]
    const isTaken = takes === 'same' || (takes !== undefined && parameter < (takes === 'all' ? a.length : takes))
    return given === undefined || !isTaken ? outside : this.#whole.typed(f, given, env)
  }

  /** Of a map a callback is handed the value and the key in JavaScript, the key first elsewhere, or both in one. */
  #handed(
    list: Extract<Denotation, { t: 'list' }>,
    taker: string,
    parameter: number,
    language: Language,
  ): Denotation | undefined {
    if (list.keyed !== true || languageFamily(language) === 'script')
      return parameter === 0 || comparators.has(taker) ? list.of : outside
    if (taker === 'forEach' || language === 'ruby') return parameter === 1 ? list.of : outside
    return parameter === 0 ? this.#whole.contents.element(list, language, { each: 1 }) : outside
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
      if (target?.t === 'external') return this.#ofFunctionType(f, type, parameter, env)
      if (target?.t !== 'symbol') return undefined
      const inner = this.#whole.symbol(target.f, target.s).type
      return inner === undefined ? undefined : this.#parameterOfType(target.f, inner, parameter, undefined, depth + 1)
    }
    if (type.k === 'get') {
      const holder = this.#whole.typed(f, type.t, env)
      const member =
        holder?.t === 'instance'
          ? this.#whole.members.instanceMember(holder.f, holder.s, type.n, holder.env)
          : undefined
      if (member?.t !== 'symbol') return undefined
      const { type: inner, parameterTypes } = this.#whole.symbol(member.f, member.s)
      const taken = parameterTypes?.[parameter]
      if (taken !== null && taken !== undefined) return this.#whole.typed(member.f, taken, member.env)
      return inner === undefined || parameterTypes !== undefined
        ? undefined
        : this.#parameterOfType(member.f, inner, parameter, member.env, depth + 1)
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
