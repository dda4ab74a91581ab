/** What is inside lists, maps and tuples, and how each language hands it out. */
import type { Language } from '../core/vocabulary.ts'
import { type Denotation, outside } from './denotation.ts'
import type { Evaluation } from './evaluation.ts'
import { itemInRust } from './rust-standard.ts'

/** Where a loop over a map says what stands under the key, and nothing of the key. */
const handOutValues: ReadonlySet<Language> = new Set(['go', 'php'])

export class Contents {
  readonly #whole: Evaluation

  constructor(whole: Evaluation) {
    this.#whole = whole
  }

  element(
    denotation: Denotation | undefined,
    language: Language,
    how: { readonly each?: 1; readonly n?: number } = {},
  ): Denotation | undefined {
    const part = denotation?.t === 'symbol' ? this.part(denotation, how.n) : undefined
    if (part !== undefined) return part
    const held = denotation === undefined ? undefined : this.#whole.held(denotation)
    switch (held?.t) {
      case 'list':
        return held.keyed === true && how.each === 1 ? this.#handedOut(held.of, language) : held.of
      case 'tuple':
        return how.n === undefined ? this.#whole.either(held.of) : held.of[how.n]
      case 'external':
        return outside
      case 'built-in':
        if (held.on.t !== 'list') return undefined
        return held.n === 'Values' ? held.on.of : held.n === 'Keys' ? outside : undefined
      case 'instance': {
        const { kind, type } = this.#whole.symbol(held.f, held.s)
        if (kind !== 'type_alias' && language === 'rust') return itemInRust(this.#whole, held, how.each === 1)
        return kind === 'type_alias' && type !== undefined
          ? this.element(this.#whole.typed(held.f, type, held.env), language, how)
          : undefined
      }
      case 'object':
        return this.#whole.either([...held.value.p.values()].map((one) => this.#whole.evaluate(held.f, one)))
      case 'either':
        return this.#whole.either(
          held.of.map((one) => this.element(one, language, how)),
          held.isPartial,
        )
      default:
        return undefined
    }
  }

  /** What a struct or a variant of Rust has at a place, where its fields have no names. */
  part(
    { f, s, env }: Pick<Extract<Denotation, { t: 'symbol' }>, 'f' | 's' | 'env'>,
    place: number | undefined,
  ): Denotation | undefined {
    const { kind, type } = this.#whole.symbol(f, s)
    if (place === undefined || type?.k !== 'tuple' || (kind !== 'enum_member' && kind !== 'struct')) return undefined
    const part = type.ts[place]
    return part === undefined ? undefined : this.#whole.typed(f, part, env)
  }

  /** Each thing inside with its key or its number before it. */
  pairs(denotation: Denotation | undefined, language: Language): Denotation | undefined {
    const of = this.element(denotation, language)
    return of === undefined
      ? undefined
      : { t: 'list', of: of.t === 'external' ? outside : { t: 'tuple', of: [outside, of] } }
  }

  #handedOut(of: Denotation | undefined, language: Language): Denotation | undefined {
    if (handOutValues.has(language)) return of
    return language === 'python' ? outside : { t: 'tuple', of: [outside, of] }
  }
}
