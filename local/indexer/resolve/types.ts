/** A value of a type that is written down. */
import type { Type } from '../core/facts.ts'
import { withoutArity } from '../core/file-links.ts'
import { type Denotation, type Environment, outside, type Written } from './denotation.ts'
import type { Evaluation } from './evaluation.ts'
import { listTypes, mapTypes, promiseTypes, transparentTypes } from './known-types.ts'
import { withBesides } from './narrowing.ts'

export class Types {
  readonly #whole: Evaluation

  constructor(whole: Evaluation) {
    this.#whole = whole
  }

  typedFresh(f: number, type: Type, env: Environment | undefined): Denotation | undefined {
    switch (type.k) {
      case 'param':
        return env?.get(type.n) ?? (type.b === undefined ? undefined : this.#whole.typed(f, type.b, env))
      case 'arr':
        return new WrittenList(this.#whole, f, type.e, env, type.keyed === 1)
      case 'tuple':
        return new WrittenTuple(this.#whole, f, type, type.ts, env)
      case 'any-of':
        return this.#oneOf(f, type.ts, env)
      case 'fn':
        return {
          t: 'function',
          f,
          result: undefined,
          async: false,
          isAny: true,
          ...(type.r === undefined ? {} : { type: type.r }),
          ...(env === undefined ? {} : { env }),
        }
      case 'obj':
        return { t: 'shape', f, properties: type.p, ...(env === undefined ? {} : { env }) }
      case 'of': {
        const value = this.#whole.evaluate(f, type.v, env)
        return value === undefined ? undefined : this.#whole.held(value)
      }
      case 'get': {
        const object = this.#whole.typed(f, type.t, env)
        const found = object === undefined ? undefined : this.#whole.member(object, type.n)
        return found === undefined ? undefined : this.#whole.held(found)
      }
      case 'ref':
        return this.#typeReference(f, type, env)
    }
  }

  #oneOf(f: number, types: readonly Type[], env: Environment | undefined): Denotation | undefined {
    const found = types.map((one) => this.#whole.typed(f, one, env))
    // What has no name here is nothing (`null`, `None`) or nothing that is known, and has no members to be mistaken for.
    const named = types.filter((one, at) => {
      const denotation = found[at]
      return denotation?.t === 'external' && !(one.k === 'ref' && one.v.k === 'glob' && one.v.n === '')
    }).length
    const either = this.#whole.either(found)
    return withBesides(either, named + (either?.t === 'either' ? (either.besides ?? 0) : 0))
  }

  #typeReference(f: number, type: Extract<Type, { k: 'ref' }>, env: Environment | undefined): Denotation | undefined {
    const target = this.#whole.evaluate(f, type.v, env, true)
    if (target === undefined) return undefined
    if (target.t === 'external') {
      const { v } = type
      const name =
        v.k === 'glob' || v.k === 'imp' || v.k === 'get'
          ? v.n
          : v.k === 'mod'
            ? (v.m.split(/[./\\:]/).at(-1) ?? '')
            : ''
      return this.builtInType(f, withoutArity(name), type.a ?? [], env)
    }
    return this.#whole.calls.instanceOf(target, f, type.a, env)
  }

  builtInType(f: number, name: string, args: readonly Type[], env: Environment | undefined): Denotation | undefined {
    const [first] = args
    if (first === undefined) return outside
    if (promiseTypes.has(name)) {
      const inside = args.at(name === 'Coroutine' ? -1 : 0) ?? first
      return name === 'Awaited'
        ? this.#whole.calls.awaited(this.#whole.typed(f, inside, env))
        : new WrittenPromise(this.#whole, f, inside, env)
    }
    // Python's Optional is a way of writing a type; that of others is a thing to take something out of.
    const isWrapper = name === 'Optional' && this.#whole.file(f).language !== 'python'
    if (transparentTypes.has(name) && !isWrapper) return this.#whole.typed(f, first, env)
    if (name === 'Union') return this.#oneOf(f, args, env)
    if (isTuple(name, args)) return new WrittenTuple(this.#whole, f, first, args, env)
    if (listTypes.has(name)) return new WrittenList(this.#whole, f, first, env, false)
    if (mapTypes.has(name)) {
      const second = args[1]
      return second === undefined
        ? { t: 'list', of: undefined, keyed: true }
        : new WrittenList(this.#whole, f, second, env, true)
    }
    if (name === 'ReturnType') {
      const target = this.#whole.typed(f, first, env)
      return target === undefined ? undefined : this.#whole.calls.callResult(target, f)
    }
    if (name === 'InstanceType') {
      const target = this.#whole.typed(f, first, env)
      return target === undefined ? undefined : this.#whole.calls.instanceOf(target, f, undefined, env)
    }
    return outside
  }
}

/** What is inside a type, found when it is first asked for and kept unless the search for it was cut short. */
class Inside {
  readonly #whole: Evaluation
  readonly #find: () => Denotation | undefined
  #found: { readonly denotation: Denotation | undefined } | undefined

  constructor(whole: Evaluation, find: () => Denotation | undefined) {
    this.#whole = whole
    this.#find = find
  }

  get(): Denotation | undefined {
    if (this.#found !== undefined) return this.#found.denotation
    const cuts = this.#whole.cuts
    const denotation = this.#find()
    if (this.#whole.cuts === cuts) this.#found = { denotation }
    return denotation
  }
}

class WrittenList implements Extract<Denotation, { t: 'list' }> {
  readonly t = 'list'
  readonly written: Written
  readonly keyed?: true
  readonly #inside: Inside

  constructor(whole: Evaluation, f: number, type: Type, env: Environment | undefined, isKeyed: boolean) {
    this.written = { type, env }
    if (isKeyed) this.keyed = true
    this.#inside = new Inside(whole, () => whole.typed(f, type, env))
  }

  get of(): Denotation | undefined {
    return this.#inside.get()
  }
}

class WrittenPromise implements Extract<Denotation, { t: 'promise' }> {
  readonly t = 'promise'
  readonly written: Written
  readonly #inside: Inside

  constructor(whole: Evaluation, f: number, type: Type, env: Environment | undefined) {
    this.written = { type, env }
    this.#inside = new Inside(whole, () => whole.calls.awaited(whole.typed(f, type, env)))
  }

  get of(): Denotation | undefined {
    return this.#inside.get()
  }
}

class WrittenTuple implements Extract<Denotation, { t: 'tuple' }> {
  readonly t = 'tuple'
  readonly written: Written
  readonly #inside: readonly Inside[]

  constructor(whole: Evaluation, f: number, type: Type, inside: readonly Type[], env: Environment | undefined) {
    this.written = { type, env }
    this.#inside = inside.map((one) => new Inside(whole, () => whole.typed(f, one, env)))
  }

  get of(): readonly (Denotation | undefined)[] {
    return this.#inside.map((one) => one.get())
  }
}

/** Python's `tuple[A, ...]` is a list of any length. */
function isTuple(name: string, args: readonly Type[]): boolean {
  const last = args.at(-1)
  const isOpen = last?.k === 'ref' && last.v.k === 'glob' && last.v.n === '...'
  return /^([Tt]uple|pair|KeyValuePair|Entry)$/.test(name) && args.length > 1 && !isOpen
}
