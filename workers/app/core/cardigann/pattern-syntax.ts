/** Reads the dialect of regular expressions that definitions are written in (that of .NET) into a tree. */
import { type CharacterTest, categoryTest, inRanges, negated, spaceTest, wordTest } from './pattern-characters.ts'

export type PatternNode =
  | { readonly kind: 'empty' }
  | { readonly kind: 'char'; readonly code: number; readonly isFolded: boolean }
  | { readonly kind: 'set'; readonly test: CharacterTest; readonly isFolded: boolean }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | {
      readonly kind: 'repeat'
      readonly body: PatternNode
      readonly min: number
      readonly max: number
      readonly isLazy: boolean
    }
  | { readonly kind: 'group'; readonly index: number; readonly body: PatternNode }
  | { readonly kind: 'look'; readonly body: PatternNode; readonly isBehind: boolean; readonly isNegated: boolean }
  | { readonly kind: 'atomic'; readonly body: PatternNode }
  | { readonly kind: 'back'; readonly index: number; readonly isFolded: boolean }
  | { readonly kind: 'at'; readonly place: PatternPlace }

export type PatternPlace = 'start' | 'end' | 'last' | 'line_start' | 'line_end' | 'word' | 'not_word'

export interface PatternTree {
  readonly root: PatternNode
  /** Capturing groups, the whole not counted. */
  readonly groups: number
  readonly names: ReadonlyMap<string, number>
}

export class PatternFault extends Error {}

interface Flags {
  readonly i: boolean
  readonly m: boolean
  readonly s: boolean
  readonly x: boolean
  readonly n: boolean
}

/** A count beyond it would make a program longer than any pattern needs. */
export const repeatMax = 1000
const depthMax = 60

export function parsePattern(source: string): PatternTree {
  return new PatternReader(source).read()
}

class PatternReader {
  readonly #source: string
  #at = 0
  #groups = 0
  #depth = 0
  #flags: Flags = { i: false, m: false, s: false, x: false, n: false }
  readonly #names = new Map<string, number>()
  readonly #named: { node: { index: number }; name: string }[] = []
  readonly #namedBacks: { node: { index: number }; name: string }[] = []

  constructor(source: string) {
    this.#source = source
  }

  read(): PatternTree {
    const root = this.#choice()
    if (this.#at < this.#source.length) throw new PatternFault('a bracket is closed that was not opened')
    // Groups with a name are counted behind those without.
    for (const { node, name } of this.#named) {
      node.index = this.#names.get(name) ?? this.#nextGroup()
      this.#names.set(name, node.index)
    }
    for (const { node, name } of this.#namedBacks) {
      const index = this.#names.get(name)
      if (index === undefined) throw new PatternFault('a name that no group has')
      node.index = index
    }
    return { root, groups: this.#groups, names: this.#names }
  }

  #peek(length = 1): string {
    return this.#source.slice(this.#at, this.#at + length)
  }

  #takes(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #choice(): PatternNode {
    this.#depth += 1
    if (this.#depth > depthMax) throw new PatternFault('too deeply nested')
    const options = [this.#sequence()]
    while (this.#takes('|')) options.push(this.#sequence())
    this.#depth -= 1
    return options.length === 1 && options[0] !== undefined ? options[0] : { kind: 'choice', options }
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = []
    while (this.#at < this.#source.length && this.#peek() !== '|' && this.#peek() !== ')') {
      if (this.#flags.x && this.#skipsSpace()) continue
      const atom = this.#atom()
      if (atom === undefined) continue
      parts.push(this.#repeated(atom))
    }
    if (parts.length === 1 && parts[0] !== undefined) return parts[0]
    return parts.length === 0 ? { kind: 'empty' } : { kind: 'sequence', parts }
  }

  #skipsSpace(): boolean {
    const from = this.#at
    while (/\s/.test(this.#peek())) this.#at += 1
    if (this.#peek() === '#') while (this.#at < this.#source.length && this.#peek() !== '\n') this.#at += 1
    return this.#at > from
  }

  #repeated(atom: PatternNode): PatternNode {
    let node = atom
    for (let times = 0; ; times += 1) {
      if (this.#flags.x) this.#skipsSpace()
      const range = this.#quantifier()
      if (range === undefined) return node
      if (times > 0) throw new PatternFault('a repetition of a repetition')
      const isLazy = this.#takes('?')
      if (range.max < range.min) throw new PatternFault('a repetition that ends before it begins')
      node = { kind: 'repeat', body: node, ...range, isLazy }
    }
  }

  #quantifier(): { min: number; max: number } | undefined {
    if (this.#takes('*')) return { min: 0, max: Number.POSITIVE_INFINITY }
    if (this.#takes('+')) return { min: 1, max: Number.POSITIVE_INFINITY }
    if (this.#takes('?')) return { min: 0, max: 1 }
    const counted = /^\{([0-9]{1,6})(,([0-9]{0,6}))?\}/.exec(this.#source.slice(this.#at, this.#at + 20))
    if (counted === null) return undefined
    this.#at += counted[0].length
    const min = Number(counted[1])
    const max = counted[2] === undefined ? min : counted[3] === '' ? Number.POSITIVE_INFINITY : Number(counted[3])
    if (min > repeatMax || (max > repeatMax && max !== Number.POSITIVE_INFINITY))
      throw new PatternFault('a repetition counted too far')
    return { min, max }
  }

  /** Undefined for what only sets flags or says something to the reader. */
  #atom(): PatternNode | undefined {
    const character = this.#peek()
    if (character === '(') return this.#group()
    this.#at += 1
    if (character === '[') return this.#set()
    if (character === '.') {
      const test = this.#flags.s ? () => true : (code: number) => code !== 0x0a
      return { kind: 'set', test, isFolded: false }
    }
    if (character === '^') return { kind: 'at', place: this.#flags.m ? 'line_start' : 'start' }
    if (character === '$') return { kind: 'at', place: this.#flags.m ? 'line_end' : 'end' }
    if (character === '*' || character === '+' || character === '?') throw new PatternFault('a repetition of nothing')
    if (character === '\\') return this.#escape()
    return this.#char(character.charCodeAt(0))
  }

  #char(code: number): PatternNode {
    return { kind: 'char', code, isFolded: this.#flags.i }
  }

  #group(): PatternNode | undefined {
    const outer = this.#flags
    this.#at += 1
    if (this.#takes('?#')) {
      const end = this.#source.indexOf(')', this.#at)
      if (end < 0) throw new PatternFault('a bracket is not closed')
      this.#at = end + 1
      return undefined
    }
    let make: (body: PatternNode) => PatternNode = (body) => body
    if (this.#takes('?')) {
      if (this.#takes(':')) make = (body) => body
      else if (this.#takes('>')) make = (body) => ({ kind: 'atomic', body })
      else if (this.#takes('=')) make = (body) => ({ kind: 'look', body, isBehind: false, isNegated: false })
      else if (this.#takes('!')) make = (body) => ({ kind: 'look', body, isBehind: false, isNegated: true })
      else if (this.#takes('<=')) make = (body) => ({ kind: 'look', body, isBehind: true, isNegated: false })
      else if (this.#takes('<!')) make = (body) => ({ kind: 'look', body, isBehind: true, isNegated: true })
      else if (this.#peek() === '<' || this.#peek() === "'") {
        const name = /^(?:<([A-Za-z_]\w{0,31})>|'([A-Za-z_]\w{0,31})')/.exec(
          this.#source.slice(this.#at, this.#at + 40),
        )
        if (name === null) throw new PatternFault('a name of a group that is not understood')
        this.#at += name[0].length
        const named = name[1] ?? name[2] ?? ''
        make = (body) => {
          const node = { kind: 'group' as const, index: 0, body }
          this.#named.push({ node, name: named })
          return node
        }
      } else {
        const flags = /^([imnsx]*)(?:-([imnsx]+))?([:)])/.exec(this.#source.slice(this.#at, this.#at + 16))
        if (flags === null) throw new PatternFault('a group that is not understood')
        this.#at += flags[0].length
        const changed = { ...this.#flags }
        for (const flag of flags[1] ?? '') changed[flag as keyof Flags] = true
        for (const flag of flags[2] ?? '') changed[flag as keyof Flags] = false
        this.#flags = changed
        // Set for what follows in the group around it.
        if (flags[3] === ')') return undefined
      }
    } else if (!this.#flags.n) {
      const index = this.#nextGroup()
      make = (body) => ({ kind: 'group', index, body })
    }
    const body = this.#choice()
    if (!this.#takes(')')) throw new PatternFault('a bracket is not closed')
    this.#flags = outer
    return make(body)
  }

  #nextGroup(): number {
    this.#groups += 1
    return this.#groups
  }

  #escape(): PatternNode {
    const character = this.#peek()
    if (character === '') throw new PatternFault('a backslash at the end')
    const set = this.#setEscape()
    if (set !== undefined) return { kind: 'set', test: set, isFolded: false }
    if (/[1-9]/.test(character)) {
      const digits = /^[0-9]{1,2}/.exec(this.#peek(2))?.[0] ?? ''
      this.#at += digits.length
      return { kind: 'back', index: Number(digits), isFolded: this.#flags.i }
    }
    const named = /^k(?:<(\w{1,32})>|'(\w{1,32})')/.exec(this.#peek(40))
    if (named !== null) {
      this.#at += named[0].length
      const node = { kind: 'back' as const, index: 0, isFolded: this.#flags.i }
      this.#namedBacks.push({ node, name: named[1] ?? named[2] ?? '' })
      return node
    }
    const place = placeEscapes[character]
    if (place !== undefined) {
      this.#at += 1
      return { kind: 'at', place }
    }
    return this.#char(this.#charEscape())
  }

  /** After a backslash: `\d`, `\p{L}` and their like. */
  #setEscape(): CharacterTest | undefined {
    const character = this.#peek()
    const simple = setEscapes[character]
    if (simple !== undefined) {
      this.#at += 1
      return simple
    }
    if (character !== 'p' && character !== 'P') return undefined
    const name = /^[pP]\{([\w-]{1,40})\}/.exec(this.#peek(44))
    if (name === null) throw new PatternFault('a category that is not understood')
    this.#at += name[0].length
    const test = categoryTest(name[1] ?? '')
    if (test === undefined) throw new PatternFault(`the category ${name[1]} is not known`)
    return character === 'P' ? negated(test) : test
  }

  #charEscape(): number {
    const character = this.#peek()
    this.#at += 1
    const control = controlEscapes[character]
    if (control !== undefined) return control
    if (character === 'x' || character === 'u') {
      const length = character === 'x' ? 2 : 4
      const digits = this.#peek(length)
      if (!/^[0-9a-fA-F]+$/.test(digits) || digits.length < length) throw new PatternFault('a code that is no number')
      this.#at += length
      return Number.parseInt(digits, 16)
    }
    if (character === 'c') {
      const letter = this.#peek().toUpperCase()
      this.#at += 1
      return letter.charCodeAt(0) & 0x1f
    }
    if (character === '0') {
      const digits = /^[0-7]{0,2}/.exec(this.#peek(2))?.[0] ?? ''
      this.#at += digits.length
      return Number.parseInt(`0${digits}`, 8)
    }
    return character.charCodeAt(0)
  }

  #set(): PatternNode {
    const test = this.#setBody()
    return { kind: 'set', test, isFolded: this.#flags.i }
  }

  #setBody(): CharacterTest {
    this.#depth += 1
    if (this.#depth > depthMax) throw new PatternFault('too deeply nested')
    const isNegated = this.#takes('^')
    const ranges: [number, number][] = []
    const tests: CharacterTest[] = []
    let without: CharacterTest | undefined
    for (let isFirst = true; ; isFirst = false) {
      const character = this.#peek()
      if (character === '') throw new PatternFault('a square bracket is not closed')
      if (character === ']' && !isFirst) break
      if (character === '-' && this.#peek(2) === '-[' && !isFirst) {
        this.#at += 2
        without = this.#setBody()
        if (this.#peek() !== ']') throw new PatternFault('a square bracket is not closed')
        break
      }
      this.#at += 1
      let from = character.charCodeAt(0)
      if (character === '\\') {
        const set = this.#peek() === 'b' ? undefined : this.#setEscape()
        if (set !== undefined) {
          tests.push(set)
          continue
        }
        from = this.#setChar()
      }
      let to = from
      if (this.#peek() === '-' && this.#peek(2) !== '-]' && this.#peek(2) !== '-[' && this.#peek(2).length === 2) {
        const back = this.#at
        this.#at += 1
        const next = this.#peek()
        this.#at += 1
        if (next !== '\\') to = next.charCodeAt(0)
        else if (/[dDwWsSpP]/.test(this.#peek())) {
          // `[a-\s]`: the minus stands for itself.
          this.#at = back
        } else to = this.#setChar()
      }
      if (to < from) throw new PatternFault('a range that ends before it begins')
      ranges.push([from, to])
    }
    this.#at += 1
    this.#depth -= 1
    const isListed = inRanges(ranges)
    const plain = (code: number) => isListed(code) || tests.some((test) => test(code))
    const whole = isNegated
      ? negated(this.#flags.i ? foldedTest(plain) : plain)
      : this.#flags.i
        ? foldedTest(plain)
        : plain
    return without === undefined ? whole : minus(whole, without)
  }

  #setChar(): number {
    if (this.#peek() !== 'b') return this.#charEscape()
    this.#at += 1
    return 0x08
  }
}

function minus(test: CharacterTest, without: CharacterTest): CharacterTest {
  return (code) => test(code) && !without(code)
}

/** Either case of a character is in the set. */
function foldedTest(test: CharacterTest): CharacterTest {
  return (code) => {
    if (test(code)) return true
    const character = String.fromCharCode(code)
    const lower = character.toLowerCase()
    const upper = character.toUpperCase()
    return (lower.length === 1 && test(lower.charCodeAt(0))) || (upper.length === 1 && test(upper.charCodeAt(0)))
  }
}

const digitTest = categoryTest('Nd') ?? (() => false)

const setEscapes: Readonly<Record<string, CharacterTest>> = {
  d: digitTest,
  D: negated(digitTest),
  w: wordTest,
  W: negated(wordTest),
  s: spaceTest,
  S: negated(spaceTest),
}

const placeEscapes: Readonly<Record<string, PatternPlace>> = {
  A: 'start',
  G: 'start',
  Z: 'end',
  z: 'last',
  b: 'word',
  B: 'not_word',
}

const controlEscapes: Readonly<Record<string, number>> = {
  t: 0x09,
  n: 0x0a,
  v: 0x0b,
  f: 0x0c,
  r: 0x0d,
  a: 0x07,
  e: 0x1b,
}
