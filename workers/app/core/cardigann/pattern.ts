/**
 * Patterns of definitions that others wrote, matched in a time that grows with pattern and text alone: a place of the
 * program is tried once for a place of the text. What cannot be kept to that (a group named again, a look around that
 * holds often) is counted, and given up beyond the bound.
 */
import { wordTest } from './pattern-characters.ts'
import { type Instruction, type PatternProgram, programOf, type SubProgram } from './pattern-program.ts'
import { parsePattern } from './pattern-syntax.ts'

/** Steps one application may take: some 100 ms. Long pages have more, by their length. */
export const patternStepsMax = 1_500_000
const patternStepsPerCharacter = 4
/** Places (of the program times of the text) that are remembered: 4 MiB of bits. */
export const patternPlacesMax = 32 * 1024 * 1024

export class PatternTooCostly extends Error {}

interface PatternMatch {
  readonly index: number
  readonly end: number
  /** The whole first; undefined for a group that took no part. */
  readonly groups: readonly (string | undefined)[]
}

export interface Pattern {
  readonly names: ReadonlyMap<string, number>
  /** The first place at or after `from` where it matches. */
  match(text: string, from?: number): PatternMatch | undefined
  replace(text: string, replacement: string): string
}

/** Throws PatternFault for what it does not understand. */
export function compilePattern(source: string): Pattern {
  const tree = parsePattern(source)
  const program = programOf(tree)
  return {
    names: tree.names,
    match: (text, from = 0) => new Run(program, text).find(from),
    replace(text, replacement) {
      const run = new Run(program, text)
      const parts = replacementParts(replacement, tree.groups, tree.names)
      let result = ''
      let copied = 0
      for (let from = 0; from <= text.length; ) {
        const match = run.find(from)
        if (match === undefined) break
        result += text.slice(copied, match.index) + filled(parts, match, text)
        copied = match.end
        from = match.end > match.index ? match.end : match.end + 1
      }
      return result + text.slice(copied)
    },
  }
}

/** One text against one program. */
class Run {
  readonly #program: PatternProgram
  readonly #text: string
  readonly #width: number
  readonly #words: number
  readonly #slots: Int32Array
  #tried: Uint32Array | undefined
  /** Words of the above that are not zero. */
  #touched: number[] = []
  #steps = 0
  readonly #stepsMax: number

  constructor(program: PatternProgram, text: string) {
    this.#program = program
    this.#text = text
    this.#width = text.length + 1
    this.#stepsMax = Math.max(patternStepsMax, text.length * patternStepsPerCharacter)
    const places = program.marks * this.#width
    if (places > patternPlacesMax) throw new PatternTooCostly()
    this.#words = program.hasBack ? 0 : Math.ceil(places / 32)
    this.#slots = new Int32Array(program.slots)
  }

  find(from: number): PatternMatch | undefined {
    const { main, first, isAnchored } = this.#program
    const text = this.#text
    for (let start = from; start <= text.length; start += 1) {
      if (first !== undefined) {
        while (start < text.length && !first(text.charCodeAt(start))) start += 1
        if (start === text.length) return undefined
      }
      const slots = this.#slots.fill(-1)
      const end = this.#run(main, start, slots)
      if (end >= 0) {
        this.#forget(0)
        slots[0] = start
        slots[1] = end
        return { index: start, end, groups: groupsOf(slots, text) }
      }
      if (isAnchored) break
    }
    // What failed from here on fails again, whichever search comes to it.
    return undefined
  }

  #forget(downTo: number): void {
    const touched = this.#touched
    if (this.#tried !== undefined)
      for (let index = downTo; index < touched.length; index += 1) this.#tried[touched[index] ?? 0] = 0
    touched.length = downTo
  }

  /** True the second time; a word once touched is cleared as a whole. */
  #wasTried(mark: number, at: number): boolean {
    const place = mark * this.#width + at
    const word = place >>> 5
    const bit = 1 << (place & 31)
    this.#tried ??= new Uint32Array(this.#words)
    const present = this.#tried[word] ?? 0
    if ((present & bit) !== 0) return true
    if (present === 0) this.#touched.push(word)
    this.#tried[word] = present | bit
    return false
  }

  /** Where the match ends, or -1. Backwards it is where it begins. */
  #run({ code, isBackward }: SubProgram, start: number, slots: Int32Array): number {
    const text = this.#text
    const { hasBack } = this.#program
    const step = isBackward ? -1 : 1
    // What is left to try: places, and slots to be put back (their index below zero).
    const later: number[] = []
    let pc = 0
    let at = start
    for (;;) {
      this.#steps += 1
      if (this.#steps > this.#stepsMax) throw new PatternTooCostly()
      const instruction = code[pc] as Instruction
      let holds = true
      switch (instruction.op) {
        case 'match':
          return at
        case 'char': {
          const next = isBackward ? at - 1 : at
          if (next >= 0 && next < text.length && text.charCodeAt(next) === instruction.code) {
            at += step
            pc += 1
          } else holds = false
          break
        }
        case 'set': {
          const next = isBackward ? at - 1 : at
          if (next >= 0 && next < text.length && instruction.test(text.charCodeAt(next))) {
            at += step
            pc += 1
          } else holds = false
          break
        }
        case 'split':
          if (!hasBack && this.#wasTried(instruction.mark, at)) holds = false
          else {
            later.push(instruction.other, at)
            pc = instruction.to
          }
          break
        case 'jump':
          if (!hasBack && this.#wasTried(instruction.mark, at)) holds = false
          else pc = instruction.to
          break
        case 'save':
          later.push(-1 - instruction.slot, slots[instruction.slot] ?? -1)
          slots[instruction.slot] = at
          pc += 1
          break
        case 'progress':
          // A turn of a loop that took nothing ends the loop.
          if (slots[instruction.slot] === at) holds = false
          else pc += 1
          break
        case 'at':
          if (this.#isAt(instruction.place, at)) pc += 1
          else holds = false
          break
        case 'look': {
          const found = this.#look(instruction.body, at, instruction.isNegated ? new Int32Array(slots) : slots)
          if (found >= 0 === instruction.isNegated) holds = false
          else pc += 1
          break
        }
        case 'atomic': {
          const end = this.#look(instruction.body, at, slots)
          if (end < 0) holds = false
          else {
            at = end
            pc += 1
          }
          break
        }
        case 'back': {
          const from = slots[instruction.group * 2] ?? -1
          const to = slots[instruction.group * 2 + 1] ?? -1
          const part = text.slice(Math.min(from, to), Math.max(from, to))
          const begins = isBackward ? at - part.length : at
          if (from < 0 || to < 0 || begins < 0) holds = false
          else {
            const other = text.slice(begins, begins + part.length)
            this.#steps += part.length
            if (other === part || (instruction.isFolded && other.toLowerCase() === part.toLowerCase())) {
              at += step * part.length
              pc += 1
            } else holds = false
          }
          break
        }
      }
      if (holds) continue
      for (;;) {
        const place = later.pop()
        const target = later.pop()
        if (place === undefined || target === undefined) return -1
        if (target < 0) {
          slots[-1 - target] = place
          continue
        }
        pc = target
        at = place
        break
      }
    }
  }

  /** What holds may hold again at the same place: only what failed stays remembered. */
  #look(body: SubProgram, at: number, slots: Int32Array): number {
    const remembered = this.#touched.length
    const before = this.#program.hasBack ? undefined : slots.slice()
    const end = this.#run(body, at, slots)
    if (end >= 0) this.#forget(remembered)
    else if (before !== undefined) slots.set(before)
    return end
  }

  #isAt(place: string, at: number): boolean {
    const text = this.#text
    switch (place) {
      case 'start':
        return at === 0
      case 'last':
        return at === text.length
      case 'end':
        return at === text.length || (at === text.length - 1 && text.charCodeAt(at) === 0x0a)
      case 'line_start':
        return at === 0 || text.charCodeAt(at - 1) === 0x0a
      case 'line_end':
        return at === text.length || text.charCodeAt(at) === 0x0a
      default: {
        const before = at > 0 && wordTest(text.charCodeAt(at - 1))
        const after = at < text.length && wordTest(text.charCodeAt(at))
        return (before !== after) === (place === 'word')
      }
    }
  }
}

function groupsOf(slots: Int32Array, text: string): (string | undefined)[] {
  const groups: (string | undefined)[] = []
  for (let index = 0; index + 1 < slots.length; index += 2) {
    const from = slots[index] ?? -1
    const to = slots[index + 1] ?? -1
    groups.push(from < 0 || to < 0 ? undefined : text.slice(Math.min(from, to), Math.max(from, to)))
  }
  return groups
}

type ReplacementPart = string | { readonly group: number } | { readonly around: 'before' | 'after' | 'all' }

function replacementParts(
  replacement: string,
  groups: number,
  names: ReadonlyMap<string, number>,
): readonly ReplacementPart[] {
  const parts: ReplacementPart[] = []
  let text = ''
  for (let at = 0; at < replacement.length; ) {
    const found = /^\$(?:([0-9]{1,3})|\{(\w{1,32})\}|([$&`'_+]))/.exec(replacement.slice(at, at + 40))
    const part = found === null ? undefined : partOf(found, groups, names)
    if (found === null || part === undefined) {
      text += replacement[at]
      at += 1
      continue
    }
    at += found[0].length
    if (typeof part === 'string') {
      text += part
      continue
    }
    parts.push(text, part)
    text = ''
  }
  parts.push(text)
  return parts
}

function partOf(
  [, digits, name, sign]: RegExpExecArray,
  groups: number,
  names: ReadonlyMap<string, number>,
): ReplacementPart | undefined {
  if (sign === '$') return '$'
  if (sign === '&') return { group: 0 }
  if (sign === '+') return { group: groups }
  if (sign !== undefined) return { around: sign === '`' ? 'before' : sign === "'" ? 'after' : 'all' }
  const word = digits ?? name ?? ''
  const group = /^[0-9]+$/.test(word) ? Number(word) : names.get(word)
  return group === undefined || group > groups ? undefined : { group }
}

function filled(parts: readonly ReplacementPart[], match: PatternMatch, text: string): string {
  let result = ''
  for (const part of parts) {
    if (typeof part === 'string') result += part
    else if ('group' in part) result += match.groups[part.group] ?? ''
    else if (part.around === 'before') result += text.slice(0, match.index)
    else result += part.around === 'after' ? text.slice(match.end) : text
  }
  return result
}
