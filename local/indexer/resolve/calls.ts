/** What a call gives back, what `new` makes, and what is inside lists and promises. */
import type { Symbol as CodeSymbol, Type, Value } from '../core/facts.ts'
import { languageFamily } from '../core/language-of.ts'
import { type Denotation, type Environment, isSame, outside } from './denotation.ts'
import type { Evaluation } from './evaluation.ts'
import { callableKinds, oneOfList, optionOfList, pairsOf, sameList, typeLikeKinds } from './known-types.ts'
import { recordsIn } from './record-classes.ts'
import { callbackResultsInRust, laterCallbacksInRust, oneOfListInRust, sameListInRust } from './rust-standard.ts'

export class Calls {
  readonly #whole: Evaluation
  readonly #running = new Set<number>()

  constructor(whole: Evaluation) {
    this.#whole = whole
  }

  construct(
    target: Denotation,
    f: number,
    args: readonly Type[] | undefined,
    env: Environment | undefined,
  ): Denotation | undefined {
    const given = args === undefined ? undefined : this.#given(target, f, args, env)
    if (given !== undefined) return given
    const held = this.#whole.held(target)
    if (held === undefined) return undefined
    if (held.t === 'module') {
      const whole = this.#whole.exports.exported(held.f, 'default', false)
      return whole === undefined ? undefined : this.construct(whole, f, args, env)
    }
    if (held.t === 'symbol') {
      const kind = this.#whole.symbol(held.f, held.s).kind
      if (kind === 'interface' || kind === 'type_alias') return undefined
    }
    return this.instanceOf(held, f, args, env)
  }

  /** A function that is given types is itself, with them; nothing for what is none. */
  #given(target: Denotation, f: number, args: readonly Type[], env: Environment | undefined): Denotation | undefined {
    switch (target.t) {
      case 'symbol': {
        if (!callableKinds.has(this.#whole.symbol(target.f, target.s).kind)) return undefined
        const given = this.bound(target, f, args, env)
        return given === undefined ? target : { ...target, env: new Map([...(target.env ?? []), ...given]) }
      }
      case 'built-in': {
        const [only] = args
        const isChosen = /^(OfType|Cast)$/.test(target.n) && only !== undefined
        return isChosen
          ? { t: 'built-in', on: { t: 'list', of: this.#whole.typed(f, only, env) }, n: 'AsEnumerable' }
          : target
      }
      case 'either':
        return this.#whole.either(
          target.of.map((one) => this.#given(one, f, args, env)),
          target.isPartial,
        )
      default:
        return undefined
    }
  }

  instanceOf(
    target: Denotation,
    f: number,
    args: readonly Type[] | undefined,
    env: Environment | undefined,
  ): Denotation | undefined {
    if (target.t === 'external') return outside
    if (target.t === 'either')
      return this.#whole.either(
        target.of.map((one) => this.instanceOf(one, f, args, env)),
        target.isPartial,
      )
    if (target.t !== 'symbol') return target.t === 'instance' ? target : undefined
    const symbol = this.#whole.symbol(target.f, target.s)
    let inner = this.bound(target, f, args, env)
    // Inside a template of C++ its bare name, and in Rust `Self`, stand for it with the arguments it has.
    if (args === undefined && env !== undefined && symbol.typeParameters?.every((name) => env.has(name)) === true)
      if (/^(cpp|rust)$/.test(this.#whole.file(target.f).language)) inner = env
    // In Go a type that is made of another one is a type of its own, with methods of its own.
    const isDefined = this.#whole.file(target.f).language === 'go'
    if (symbol.kind === 'type_alias' && symbol.type !== undefined && !isDefined)
      return this.#whole.typed(target.f, symbol.type, inner)
    if (symbol.kind === 'constant' || symbol.kind === 'variable' || symbol.kind === 'property') {
      const held = this.#whole.held(target)
      return held === undefined || isSame(held, target) ? undefined : this.instanceOf(held, f, args, env)
    }
    if (symbol.kind === 'method') return undefined
    // A variant is an instance of what it is a variant of.
    if (symbol.kind === 'enum_member') return { t: 'instance', f: target.f, s: symbol.parent }
    return { t: 'instance', f: target.f, s: target.s, ...(inner === undefined ? {} : { env: inner }) }
  }

  /** What the open types of a declaration are where it is written with these arguments. */
  bound(
    target: Extract<Denotation, { t: 'symbol' }>,
    f: number,
    args: readonly Type[] | undefined,
    env: Environment | undefined,
  ): Environment | undefined {
    const { typeParameters } = this.#whole.symbol(target.f, target.s)
    if (args === undefined || typeParameters === undefined) return undefined
    const table = new Map<string, Denotation>()
    typeParameters.forEach((name, index) => {
      const argument = args[index]
      const found = argument === undefined ? undefined : this.#whole.typed(f, argument, env)
      if (found !== undefined) table.set(name, found)
    })
    return table.size > 0 ? table : undefined
  }

  callResult(callee: Denotation, f: number, args?: readonly Value[]): Denotation | undefined {
    switch (callee.t) {
      case 'external':
        return outside
      case 'either':
        return this.#whole.either(
          callee.of.map((one) => this.callResult(one, f, args)),
          callee.isPartial,
        )
      case 'function': {
        if (callee.type !== undefined) return this.#whole.typed(callee.f, callee.type, callee.env)
        const result = callee.result === undefined ? undefined : this.#whole.evaluate(callee.f, callee.result)
        const held = result === undefined ? undefined : this.#whole.held(result)
        return callee.async ? { t: 'promise', of: this.awaited(held) } : held
      }
      case 'built-in':
        return this.#builtInResult(callee, f, args)
      case 'module': {
        const whole = this.#whole.exports.exported(callee.f, 'default', false)
        return whole === undefined ? undefined : this.callResult(whole, f, args)
      }
      case 'instance': {
        const declared = this.#whole.symbol(callee.f, callee.s).type
        // Of several forms the first.
        const type = declared?.k === 'any-of' ? declared.ts[0] : declared
        if (type?.k === 'fn') return type.r === undefined ? undefined : this.#whole.typed(callee.f, type.r, callee.env)
        return undefined
      }
      case 'symbol': {
        const symbol = this.#whole.symbol(callee.f, callee.s)
        if (callableKinds.has(symbol.kind) && symbol.accessor !== true)
          return this.#functionResult({ ...callee, ...this.#inferred(callee, symbol, f, args) }, symbol)
        if (typeLikeKinds.has(symbol.kind)) {
          return languageFamily(this.#whole.file(callee.f).language) === 'script'
            ? undefined
            : this.instanceOf(callee, f, undefined, undefined)
        }
        const held = this.#whole.held(callee)
        // In Ruby a field is read by calling its name, and in Java what a record holds.
        const { language } = this.#whole.file(callee.f)
        if (['field', 'variable', 'constant'].includes(symbol.kind) && (language === 'ruby' || language === 'java'))
          return held
        return held === undefined || isSame(held, callee) ? undefined : this.callResult(held, f, args)
      }
      default:
        return undefined
    }
  }

  /** The open types of a function that one parameter each is declared to be, by what that parameter is given. */
  #inferred(
    callee: Extract<Denotation, { t: 'symbol' }>,
    symbol: CodeSymbol,
    f: number,
    args: readonly Value[] | undefined,
  ): { readonly env?: Environment } {
    const types = symbol.parameterTypes
    if (args === undefined || types === undefined) return {}
    const env = new Map(callee.env)
    for (const [position, type] of types.entries()) {
      const value = args[position]
      // Of what nothing is told nothing follows.
      if (type?.k !== 'param' || value === undefined || isNothing(value) || env.has(type.n)) continue
      if (types.filter((one) => one?.k === 'param' && one.n === type.n).length > 1) continue
      const given = this.#whole.evaluate(f, value)
      const held = given === undefined ? undefined : this.#whole.held(given)
      if (held !== undefined) env.set(type.n, held)
    }
    return env.size > 0 ? { env } : {}
  }

  #functionResult(callee: Extract<Denotation, { t: 'symbol' }>, symbol: CodeSymbol): Denotation | undefined {
    if (symbol.type !== undefined && symbol.type.k !== 'fn') return this.#whole.typed(callee.f, symbol.type, callee.env)
    if (symbol.type?.k === 'fn')
      return symbol.type.r === undefined ? undefined : this.#whole.typed(callee.f, symbol.type.r, callee.env)
    if (symbol.result === undefined) return undefined
    const key = callee.f * 0x200000 + callee.s
    if (this.#running.has(key)) return this.#whole.cut()
    this.#running.add(key)
    const result = this.#whole.evaluate(callee.f, symbol.result, callee.env)
    const held = result === undefined ? undefined : this.#whole.held(result)
    this.#running.delete(key)
    return symbol.async === true ? { t: 'promise', of: this.awaited(held) } : held
  }

  #builtInResult(
    callee: Extract<Denotation, { t: 'built-in' }>,
    f: number,
    args: readonly Value[] | undefined,
  ): Denotation | undefined {
    const [first] = args ?? []
    const callback = (given = first): Denotation | undefined => {
      const fn = given === undefined ? undefined : this.#whole.evaluate(f, given)
      return fn === undefined ? undefined : this.callResult(fn, f)
    }
    if (callee.on.t === 'list') {
      const { language } = this.#whole.file(f)
      const records = language === 'ruby' ? recordsIn(callee.on, callee.n) : undefined
      if (records !== undefined) return records
      if (callee.n === 'values') return { t: 'list', of: callee.on.of }
      if (callee.n === 'keys' || callee.n === 'keySet') return { t: 'list', of: outside }
      if (pairsOf.has(callee.n)) return this.#whole.contents.pairs(callee.on, language)
      if (language === 'rust') {
        const later = laterCallbacksInRust.get(callee.n)
        if (later?.parameter === 0) return callback(args?.[later.argument])
        if (callbackResultsInRust.has(callee.n)) return callback()
        if (sameListInRust.has(callee.n)) return callee.on
        if (oneOfListInRust.has(callee.n))
          return optionOfList.has(callee.n) ? { t: 'list', of: callee.on.of } : callee.on.of
      }
      if (sameList.has(callee.n)) return callee.on
      // Rust hands one out in an `Option`, from which it is still to be taken.
      if (oneOfList.has(callee.n))
        return language === 'rust' && optionOfList.has(callee.n) ? { t: 'list', of: callee.on.of } : callee.on.of
      if (callee.n === 'map' || callee.n === 'Select') return { t: 'list', of: callback() }
      if (callee.n === 'flatMap') return callback()
    }
    if (callee.on.t === 'tuple')
      return /^get(Key|Value)$/.test(callee.n) ? callee.on.of[callee.n === 'getKey' ? 0 : 1] : outside
    if (callee.on.t === 'instance') return callee.on
    if (callee.on.t === 'promise') {
      if (callee.n === 'ConfigureAwait') return callee.on
      if (callee.n === 'then') return { t: 'promise', of: this.awaited(callback()) }
      if (callee.n === 'catch' || callee.n === 'finally') return callee.on
    }
    return outside
  }

  awaited(denotation: Denotation | undefined): Denotation | undefined {
    if (denotation === undefined) return undefined
    const held = this.#whole.held(denotation)
    if (held?.t === 'instance' && this.#whole.file(held.f).language === 'rust') return this.#outputOf(held) ?? held
    return held?.t === 'promise' ? held.of : held
  }

  /** What comes of waiting for a value of a type of Rust that says so. */
  #outputOf({ f, s, env }: Extract<Denotation, { t: 'instance' }>): Denotation | undefined {
    const [output] = this.#whole.children(f, s, 'Output')
    const symbol = output === undefined ? undefined : this.#whole.symbol(f, output)
    return symbol?.kind === 'type_alias' && symbol.type !== undefined
      ? this.#whole.typed(f, symbol.type, env)
      : undefined
  }
}

function isNothing(value: Value): boolean {
  return value.k === 'glob' && value.n === ''
}
