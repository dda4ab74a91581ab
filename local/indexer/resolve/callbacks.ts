/** What a parameter of a callback is given, by what takes the callback. */
import type { Type, Value } from '../core/facts.ts'
import { withoutArity } from '../core/file-links.ts'
import { languageFamily } from '../core/language-of.ts'
import type { Language } from '../core/vocabulary.ts'
import { type Denotation, type Environment, outside } from './denotation.ts'
import type { Evaluation } from './evaluation.ts'
import { callableKinds, comparators, elementCallbacks, listTypes, mapTypes, typeLikeKinds } from './known-types.ts'
import { comparatorsInRust, elementCallbacksInRust, laterCallbacksInRust } from './rust-standard.ts'

type TakenCount = number | 'all' | 'but-last' | 'same'

/** How many of its arguments a type of a function takes; `same`: one type for all. */
const takenByFunctionType: ReadonlyMap<string, TakenCount> = new Map<string, TakenCount>([
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
  ['Func', 'but-last'],
])

/** What a function takes at one of its places, as it is written, and where. */
interface Taken {
  readonly f: number
  readonly type: Type
  readonly env: Environment | undefined
  /** Inside a named type: what its open types are there, which is found only for a type that is one of them. */
  readonly inside?: () => Environment | undefined
}

/** Forms of one function, and types that it may be one of. */
const formsMax = 6
const depthMax = 6

export class Callbacks {
  readonly #whole: Evaluation

  constructor(whole: Evaluation) {
    this.#whole = whole
  }

  /** What a parameter of a callback is given, by what takes the callback; or what is taken itself. */
  argument(f: number, { f: takerValue, i, p }: Extract<Value, { k: 'arg' }>): Denotation | undefined {
    // Written where a type is declared, and handed to nobody.
    if (takerValue.k === 'is') return this.#handedBy(this.#takenBy({ f, type: takerValue.t, env: undefined }, i), p)
    const taker = this.#whole.evaluate(f, takerValue)
    if (taker === undefined) return undefined
    return this.#argumentOf(taker, i + this.#before(f, takerValue, taker), p, this.#whole.file(f).language)
  }

  /** What C# writes before the dot is the first that a method for another type takes. */
  #before(f: number, takerValue: Value, taker: Denotation): number {
    const named = takerValue.k === 'new' ? takerValue.c : takerValue
    const [first] = taker.t === 'either' ? taker.of : [taker]
    if (named.k !== 'get' || first?.t !== 'symbol' || this.#whole.file(first.f).language !== 'csharp') return 0
    if (this.#whole.symbol(first.f, first.s).attachedTo === undefined) return 0
    const holder = this.#whole.evaluate(f, named.o)
    return holder?.t === 'symbol' && typeLikeKinds.has(this.#whole.symbol(holder.f, holder.s).kind) ? 0 : 1
  }

  #argumentOf(
    taker: Denotation,
    index: number,
    parameter: number | undefined,
    language: Language,
  ): Denotation | undefined {
    if (taker.t === 'external') return outside
    if (taker.t === 'either')
      return this.#whole.either(
        taker.of.map((one) => this.#argumentOf(one, index, parameter, language)),
        taker.isPartial,
      )
    if (taker.t === 'built-in') {
      if (taker.on.t === 'list' && parameter !== undefined && language === 'rust') {
        const { argument = 0, parameter: at = 0 } = laterCallbacksInRust.get(taker.n) ?? {}
        const isEach = comparatorsInRust.has(taker.n) || (parameter === at && index === argument)
        const isKnown =
          elementCallbacksInRust.has(taker.n) || laterCallbacksInRust.has(taker.n) || comparatorsInRust.has(taker.n)
        if (isKnown && isEach) return this.#whole.contents.element(taker.on, language, { each: 1 })
        return undefined
      }
      if (taker.on.t === 'list' && parameter !== undefined) {
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
      return this.#handedBy(this.#takenByMember(target, index), parameter)
    }
    return undefined
  }

  /** What a callback of these types is handed: each form of what takes it has a say. Without a parameter, what is taken. */
  #handedBy(callbacks: readonly Taken[], parameter: number | undefined): Denotation | undefined {
    const found = callbacks
      .flatMap((one) => (parameter === undefined ? [one] : this.#takenBy(one, parameter)))
      .slice(0, formsMax)
      .map(({ f, type, env, inside }) => this.#whole.typed(f, type, isOpen(type) ? (inside?.() ?? env) : env))
    const either = this.#whole.either(found)
    // Where one form hands on what nobody knows, none is the only one.
    return either !== undefined && either.t !== 'external' && found.some((one) => one?.t === 'external')
      ? this.#whole.either([either], true)
      : either
  }

  /** Java and C# write the type of a function as a type with arguments: what it takes first, then what it gives. */
  #takenByNamed({ v, a = [] }: Extract<Type, { k: 'ref' }>, index: number): Type | undefined {
    const name =
      v.k === 'glob' || v.k === 'imp' ? withoutArity(v.n) : v.k === 'mod' ? (v.m.split('.').at(-1) ?? '') : ''
    const takes = takenByFunctionType.get(name)
    // What happened is told with who tells it.
    if (name === 'EventHandler') return index === 1 ? a[0] : undefined
    const isTaken =
      takes === 'same' ||
      (takes !== undefined && index < (takes === 'all' ? a.length : takes === 'but-last' ? a.length - 1 : takes))
    return isTaken ? a[takes === 'same' ? 0 : index] : undefined
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

  /** What a function of this type takes at this place, in each of its forms; nothing where it is no function. */
  #takenBy(of: Taken, index: number, depth = 0): Taken[] {
    if (depth > depthMax) return []
    const { f, type, env } = of
    switch (type.k) {
      case 'fn':
        return atPlace(type.ps ?? [], index).map((one) => ({ ...of, type: one }))
      case 'any-of': {
        const found: Taken[] = []
        for (const one of type.ts)
          if (found.length < formsMax) found.push(...this.#takenBy({ ...of, type: one }, index, depth + 1))
        return found
      }
      case 'param':
        return type.b === undefined ? [] : this.#takenBy({ ...of, type: type.b }, index, depth + 1)
      case 'ref': {
        const target = this.#whole.evaluate(f, type.v, env, true)
        if (target?.t === 'external') {
          const taken = this.#takenByNamed(type, index)
          return taken === undefined ? notTold(f, type) : [{ ...of, type: taken }]
        }
        if (target?.t !== 'symbol') return []
        const inner = this.#whole.symbol(target.f, target.s).type
        if (inner === undefined) return []
        const inside = (): Environment | undefined =>
          this.#whole.calls.bound(target, f, type.a, of.inside === undefined ? env : of.inside())
        return this.#takenBy({ f: target.f, type: inner, env: undefined, inside }, index, depth + 1)
      }
      case 'get': {
        const holder = this.#whole.typed(f, type.t, env)
        return holder === undefined ? [] : this.#takenByNamedMember(holder, of, type.n, index, depth + 1)
      }
      case 'of': {
        const named = this.#whole.evaluate(f, type.v, env)
        if (named?.t === 'external') return [fromOutside(of)]
        return named?.t === 'symbol' ? this.#takenByMember(named, index, depth + 1) : []
      }
      default:
        return []
    }
  }

  /** What the function of that name takes that is a member of this. */
  #takenByNamedMember(holder: Denotation, of: Taken, name: string, index: number, depth: number): Taken[] {
    if (depth > depthMax) return []
    switch (holder.t) {
      case 'external':
        return [fromOutside(of)]
      case 'either':
        return holder.of.flatMap((one) => this.#takenByNamedMember(one, of, name, index, depth + 1)).slice(0, formsMax)
      case 'shape': {
        const type = holder.properties.get(name)
        return type === undefined ? [] : this.#takenBy({ f: holder.f, type, env: holder.env }, index, depth)
      }
      case 'instance': {
        const member = this.#whole.members.instanceMember(holder.f, holder.s, name, holder.env)
        if (member?.t === 'external') return [fromOutside(of)]
        return member?.t === 'symbol' ? this.#takenByMember(member, index, depth) : []
      }
      default:
        return []
    }
  }

  /** A method says what it takes; what holds a function has a type that does. */
  #takenByMember({ f, s, env }: Extract<Denotation, { t: 'symbol' }>, index: number, depth = 0): Taken[] {
    const { kind, type, parameterTypes } = this.#whole.symbol(f, s)
    if (parameterTypes !== undefined) return atPlace(parameterTypes, index).map((one) => ({ f, type: one, env }))
    return type === undefined || callableKinds.has(kind) ? [] : this.#takenBy({ f, type, env }, index, depth)
  }
}

/** A function is no list: one that is handed where the last place has a list is one of the rest. */
function atPlace(types: readonly (Type | null)[], index: number): Type[] {
  const last = types.length - 1
  const type = types[Math.min(index, last)]
  if (type === null || type === undefined) return []
  if (index >= last && type.k === 'tuple') return type.ts.slice(index - last, index - last + 1)
  if (index >= last && type.k === 'arr') return [type.e]
  return index > last ? [] : [type]
}

/** Whether it is one of the open types of what it is written in, or made of one. */
function isOpen(type: Type): boolean {
  return type.k === 'param' || (type.k === 'arr' && isOpen(type.e)) || (type.k === 'any-of' && type.ts.some(isOpen))
}

/** What something from outside takes is of a type from there. */
function fromOutside({ f }: Taken): Taken {
  return { f, type: { k: 'ref', v: { k: 'glob', n: '' } }, env: undefined }
}

/** A type from outside may be that of a function; one without a name is plain. */
function notTold(f: number, type: Extract<Type, { k: 'ref' }>): Taken[] {
  const name = type.v.k === 'glob' ? withoutArity(type.v.n) : undefined
  return name === '' || (name !== undefined && (listTypes.has(name) || mapTypes.has(name)))
    ? []
    : [{ f, type, env: undefined }]
}
