/** The tree of a pattern as a list of small steps. */
import type { CharacterTest } from './pattern-characters.ts'
import { PatternFault, type PatternNode, type PatternPlace, type PatternTree } from './pattern-syntax.ts'

export type Instruction =
  | { readonly op: 'match' }
  | { readonly op: 'char'; readonly code: number }
  | { readonly op: 'set'; readonly test: CharacterTest }
  /** Goes on at `to`; at `other` when that fails. */
  | { readonly op: 'split'; to: number; other: number; readonly mark: number }
  | { readonly op: 'jump'; to: number; readonly mark: number }
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'progress'; readonly slot: number }
  | { readonly op: 'at'; readonly place: PatternPlace }
  | { readonly op: 'look'; readonly body: SubProgram; readonly isNegated: boolean }
  | { readonly op: 'atomic'; readonly body: SubProgram }
  | { readonly op: 'back'; readonly group: number; readonly isFolded: boolean }

export interface SubProgram {
  readonly code: readonly Instruction[]
  /** Reads the text from its end to its beginning, as what looks behind does. */
  readonly isBackward: boolean
}

export interface PatternProgram {
  readonly main: SubProgram
  /** Steps where ways part or meet: those are remembered. */
  readonly marks: number
  readonly slots: number
  readonly hasBack: boolean
  /** What a match must begin with, where that is known. */
  readonly first: CharacterTest | undefined
  readonly isAnchored: boolean
}

export const instructionsMax = 5000

export function programOf({ root, groups }: PatternTree): PatternProgram {
  const writer = new ProgramWriter(groups)
  const main = writer.program(root, false)
  return {
    main,
    marks: writer.marks,
    slots: writer.slots,
    hasBack: writer.hasBack,
    first: firstOf(root),
    isAnchored: startsAnchored(root),
  }
}

class ProgramWriter {
  marks = 0
  slots: number
  hasBack = false
  #written = 0
  readonly #groups: number

  constructor(groups: number) {
    this.#groups = groups
    this.slots = 2 + groups * 2
  }

  program(node: PatternNode, isBackward: boolean): SubProgram {
    const code: Instruction[] = []
    this.#write(node, code, isBackward)
    this.#push(code, { op: 'match' })
    return { code, isBackward }
  }

  #push(code: Instruction[], instruction: Instruction): void {
    this.#written += 1
    if (this.#written > instructionsMax) throw new PatternFault('too long once its repetitions are written out')
    code.push(instruction)
  }

  #mark(): number {
    this.marks += 1
    return this.marks - 1
  }

  #write(node: PatternNode, code: Instruction[], isBackward: boolean): void {
    switch (node.kind) {
      case 'empty':
        return
      case 'char':
        this.#push(code, node.isFolded ? foldedChar(node.code) : { op: 'char', code: node.code })
        return
      case 'set':
        this.#push(code, { op: 'set', test: node.test })
        return
      case 'sequence':
        for (const part of isBackward ? [...node.parts].reverse() : node.parts) this.#write(part, code, isBackward)
        return
      case 'choice':
        this.#choice(node.options, code, isBackward)
        return
      case 'repeat':
        this.#repeat(node, code, isBackward)
        return
      case 'group':
        this.#push(code, { op: 'save', slot: node.index * 2 + (isBackward ? 1 : 0) })
        this.#write(node.body, code, isBackward)
        this.#push(code, { op: 'save', slot: node.index * 2 + (isBackward ? 0 : 1) })
        return
      case 'look':
        this.#push(code, { op: 'look', body: this.program(node.body, node.isBehind), isNegated: node.isNegated })
        return
      case 'atomic':
        this.#push(code, { op: 'atomic', body: this.program(node.body, isBackward) })
        return
      case 'back':
        if (node.index > this.#groups) throw new PatternFault('a number that no group has')
        this.hasBack = true
        this.#push(code, { op: 'back', group: node.index, isFolded: node.isFolded })
        return
      case 'at':
        this.#push(code, { op: 'at', place: node.place })
    }
  }

  #choice(options: readonly PatternNode[], code: Instruction[], isBackward: boolean): void {
    const ends: { to: number }[] = []
    for (const [index, option] of options.entries()) {
      if (index === options.length - 1) {
        this.#write(option, code, isBackward)
        break
      }
      const split = { op: 'split' as const, to: code.length + 1, other: 0, mark: this.#mark() }
      this.#push(code, split)
      this.#write(option, code, isBackward)
      const jump = { op: 'jump' as const, to: 0, mark: this.#mark() }
      this.#push(code, jump)
      ends.push(jump)
      split.other = code.length
    }
    for (const end of ends) end.to = code.length
  }

  #repeat(node: Extract<PatternNode, { kind: 'repeat' }>, code: Instruction[], isBackward: boolean): void {
    for (let times = 0; times < node.min; times += 1) this.#write(node.body, code, isBackward)
    if (node.max === Number.POSITIVE_INFINITY) {
      const slot = this.slots
      this.slots += 1
      const split = { op: 'split' as const, to: 0, other: 0, mark: this.#mark() }
      const start = code.length
      this.#push(code, split)
      const body = code.length
      this.#push(code, { op: 'save', slot })
      this.#write(node.body, code, isBackward)
      this.#push(code, { op: 'progress', slot })
      this.#push(code, { op: 'jump', to: start, mark: this.#mark() })
      this.#direct(split, node.isLazy, body, code.length)
      return
    }
    const splits: { split: { to: number; other: number }; body: number }[] = []
    for (let times = node.min; times < node.max; times += 1) {
      const split = { op: 'split' as const, to: 0, other: 0, mark: this.#mark() }
      this.#push(code, split)
      splits.push({ split, body: code.length })
      this.#write(node.body, code, isBackward)
    }
    for (const { split, body } of splits) this.#direct(split, node.isLazy, body, code.length)
  }

  #direct(split: { to: number; other: number }, isLazy: boolean, body: number, after: number): void {
    split.to = isLazy ? after : body
    split.other = isLazy ? body : after
  }
}

function foldedChar(code: number): Instruction {
  const character = String.fromCharCode(code)
  const lower = character.toLowerCase()
  const upper = character.toUpperCase()
  if (lower === upper) return { op: 'char', code }
  const one = lower.length === 1 ? lower.charCodeAt(0) : code
  const other = upper.length === 1 ? upper.charCodeAt(0) : code
  return { op: 'set', test: (candidate) => candidate === one || candidate === other || candidate === code }
}

/** Undefined where a match may begin with nothing, or with what is not known. */
function firstOf(node: PatternNode): CharacterTest | undefined {
  switch (node.kind) {
    case 'char': {
      const first = node.isFolded ? foldedChar(node.code) : undefined
      if (first?.op === 'set') return first.test
      return (code) => code === node.code
    }
    case 'set':
      return node.test
    case 'group':
    case 'atomic':
      return firstOf(node.body)
    case 'repeat':
      return node.min > 0 ? firstOf(node.body) : undefined
    case 'choice': {
      const tests = node.options.map(firstOf)
      const known = tests.filter((test) => test !== undefined)
      if (known.length < tests.length) return undefined
      return (code) => known.some((test) => test(code))
    }
    case 'sequence': {
      const part = node.parts.find(({ kind }) => kind !== 'at' && kind !== 'look' && kind !== 'empty')
      return part === undefined ? undefined : firstOf(part)
    }
    default:
      return undefined
  }
}

function startsAnchored(node: PatternNode): boolean {
  if (node.kind === 'at') return node.place === 'start'
  if (node.kind === 'sequence') return node.parts[0] !== undefined && startsAnchored(node.parts[0])
  if (node.kind === 'group') return startsAnchored(node.body)
  return false
}
