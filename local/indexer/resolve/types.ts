/** A value of a type that is written down. */
import type { Type } from '../core/facts.ts'
import { type Denotation, type Environment, outside } from './denotation.ts'
import type { Evaluation } from './evaluation.ts'
import { listTypes, mapTypes, promiseTypes, transparentTypes } from './known-types.ts'

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
        return {
          t: 'list',
          of: this.#whole.typed(f, type.e, env),
          ...(type.keyed === 1 ? { keyed: true as const } : {}),
        }
      case 'tuple':
        return { t: 'tuple', of: type.ts.map((one) => this.#whole.typed(f, one, env)) }
      case 'any-of':
        return this.#whole.either(type.ts.map((one) => this.#whole.typed(f, one, env)))
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
      return this.builtInType(f, name, type.a ?? [], env)
    }
    return this.#whole.calls.instanceOf(target, f, type.a, env)
  }

  builtInType(f: number, name: string, args: readonly Type[], env: Environment | undefined): Denotation | undefined {
    const [first] = args
    if (first === undefined) return outside
    if (promiseTypes.has(name)) {
      const of = this.#whole.typed(f, args.at(name === 'Coroutine' ? -1 : 0) ?? first, env)
      return name === 'Awaited' ? this.#whole.calls.awaited(of) : { t: 'promise', of: this.#whole.calls.awaited(of) }
    }
    // Python's Optional is a way of writing a type; that of others is a thing to take something out of.
    const isWrapper = name === 'Optional' && this.#whole.file(f).language !== 'python'
    if (transparentTypes.has(name) && !isWrapper) return this.#whole.typed(f, first, env)
    if (name === 'Union') return this.#whole.either(args.map((one) => this.#whole.typed(f, one, env)))
    if (isTuple(name, args)) return { t: 'tuple', of: args.map((one) => this.#whole.typed(f, one, env)) }
    if (listTypes.has(name)) return { t: 'list', of: this.#whole.typed(f, first, env) }
    if (mapTypes.has(name)) {
      const second = args[1]
      return { t: 'list', of: second === undefined ? undefined : this.#whole.typed(f, second, env), keyed: true }
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

/** Python's `tuple[A, ...]` is a list of any length. */
function isTuple(name: string, args: readonly Type[]): boolean {
  const last = args.at(-1)
  const isOpen = last?.k === 'ref' && last.v.k === 'glob' && last.v.n === '...'
  return /^([Tt]uple|pair|KeyValuePair|Entry)$/.test(name) && args.length > 1 && !isOpen
}
