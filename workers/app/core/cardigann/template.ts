/** The templates of definitions: what stands between double braces is looked up, asked or repeated. */
import { compilePattern, type Pattern, PatternTooCostly } from './pattern.ts'
import { PatternFault } from './pattern-syntax.ts'

export type Variable = string | readonly string[]
/** Named with their dot: `.Keywords`, `.Config.sort`. What is not there is empty, and does not hold. */
export type Variables = ReadonlyMap<string, Variable>

export class TemplateFault extends Error {}

type Term =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly terms: readonly Term[] }

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly term: Term }
  | {
      readonly kind: 'if'
      readonly branches: readonly { readonly when: Term | undefined; readonly parts: readonly Part[] }[]
    }
  | {
      readonly kind: 'range'
      readonly over: Term
      readonly index: string | undefined
      readonly item: string
      readonly parts: readonly Part[]
      readonly otherwise: readonly Part[]
    }

const functionNames = ['and', 'or', 'not', 'eq', 'ne', 'join', 're_replace'] as const
type FunctionName = (typeof functionNames)[number]

/** Arguments a function takes, from and to. */
const arity: Readonly<Record<FunctionName, readonly [number, number]>> = {
  and: [1, 20],
  or: [1, 20],
  not: [1, 1],
  eq: [2, 20],
  ne: [2, 2],
  join: [2, 2],
  re_replace: [3, 3],
}

/** What a template may write, however it is repeated. */
export const templateOutputCharactersMax = 256 * 1024
const nestingMax = 40

export interface Template {
  /** Without braces in it: the same text each time. */
  readonly isPlain: boolean
  /** `encode` is put on what is looked up, not on what stands in the template. */
  render(variables: Variables, encode?: (text: string) => string): string
}

export function compileTemplate(source: string): Template {
  if (!source.includes('{{')) return { isPlain: true, render: () => source }
  const parts = new TemplateReader(source).read()
  return {
    isPlain: false,
    render: (variables, encode = (text) => text) => new Rendering(encode).parts(parts, variables),
  }
}

interface Block {
  readonly kind: 'root' | 'if' | 'range'
  parts: Part[]
  close(): Part | undefined
  otherwise(when: Term | undefined): void
}

class TemplateReader {
  readonly #source: string
  readonly #patterns = new Map<string, Pattern>()

  constructor(source: string) {
    this.#source = source
  }

  read(): readonly Part[] {
    const root: Block = { kind: 'root', parts: [], close: () => undefined, otherwise: noOtherwise }
    const open: Block[] = [root]
    let trimNext = false
    for (let at = 0; at < this.#source.length; ) {
      const start = this.#source.indexOf('{{', at)
      const block = open.at(-1) ?? root
      let text = this.#source.slice(at, start < 0 ? undefined : start)
      if (trimNext) text = text.trimStart()
      trimNext = false
      const end = start < 0 ? -1 : this.#endOf(start + 2)
      if (start >= 0 && end < 0) throw new TemplateFault('braces are not closed')
      let action = start < 0 ? '' : this.#source.slice(start + 2, end)
      if (action.startsWith('- ')) {
        text = text.trimEnd()
        action = action.slice(1)
      }
      if (action.endsWith(' -')) {
        trimNext = true
        action = action.slice(0, -1)
      }
      if (text !== '') block.parts.push({ kind: 'text', text })
      if (start < 0) break
      this.#action(action.trim(), open)
      if (open.length > nestingMax) throw new TemplateFault('too deeply nested')
      at = end + 2
    }
    if (open.length > 1) throw new TemplateFault('"end" is missing')
    return root.parts
  }

  /** Where the braces close: not inside a text in quotes. */
  #endOf(from: number): number {
    let isQuoted = false
    for (let at = from; at < this.#source.length; at += 1) {
      const character = this.#source[at]
      if (character === '\\' && isQuoted) at += 1
      else if (character === '"') isQuoted = !isQuoted
      else if (!isQuoted && this.#source.startsWith('}}', at)) return at
    }
    // A quotation mark of its own: the braces decide.
    return this.#source.indexOf('}}', from)
  }

  #action(action: string, open: Block[]): void {
    const block = open.at(-1)
    if (block === undefined) return
    const [word = ''] = /^[^\s("]+/.exec(action) ?? []
    const rest = action.slice(word.length).trim()
    if (word === 'if') open.push(this.#if(rest))
    else if (word === 'range') open.push(this.#range(rest))
    else if (word === 'else') {
      if (block.kind === 'root') throw new TemplateFault('"else" without "if"')
      if (rest !== '' && !rest.startsWith('if ')) throw new TemplateFault('"else" with something behind it')
      block.otherwise(rest === '' ? undefined : this.#term(rest.slice(3)))
    } else if (word === 'end') {
      const part = block.close()
      if (part === undefined || open.length === 1) throw new TemplateFault('"end" without a beginning')
      open.pop()
      open.at(-1)?.parts.push(part)
    } else if (action.startsWith('/*')) return
    else block.parts.push({ kind: 'value', term: this.#term(action) })
  }

  #if(rest: string): Block {
    const branches: { when: Term | undefined; parts: Part[] }[] = [{ when: this.#term(rest), parts: [] }]
    const block: Block = {
      kind: 'if',
      parts: branches[0]?.parts ?? [],
      close: () => ({ kind: 'if', branches }),
      otherwise: (when) => {
        if (branches.at(-1)?.when === undefined) throw new TemplateFault('"else" twice')
        block.parts = []
        branches.push({ when, parts: block.parts })
      },
    }
    return block
  }

  #range(rest: string): Block {
    const named = /^(?:(\$\w*)\s*,\s*)?(\$\w+)\s*:=\s*/.exec(rest)
    const parts: Part[] = []
    const otherwise: Part[] = []
    const over = this.#term(named === null ? rest : rest.slice(named[0].length))
    const block: Block = {
      kind: 'range',
      parts,
      close: () => ({ kind: 'range', over, index: named?.[1], item: named?.[2] ?? '.', parts, otherwise }),
      otherwise: () => {
        block.parts = otherwise
      },
    }
    return block
  }

  #term(source: string): Term {
    const words = wordsOf(source)
    let at = 0
    const read = (isOpened: boolean, depth: number): Term => {
      if (depth > nestingMax) throw new TemplateFault('too deeply nested')
      const first = words[at]
      if (first === undefined) throw new TemplateFault('nothing between the braces')
      if (!(functionNames as readonly string[]).includes(first)) {
        at += 1
        if (first === '(') {
          const inner = read(true, depth + 1)
          if (words[at] !== ')') throw new TemplateFault('a bracket is not closed')
          at += 1
          return inner
        }
        if (first.startsWith('"')) return { kind: 'text', text: first.slice(1, -1).replaceAll('\\"', '"') }
        if (/^-?[0-9.]+$/.test(first) && first !== '.') return { kind: 'text', text: first }
        if (first === '.' || /^\$?\.[\w.-]+$/.test(first) || /^\$\w*$/.test(first))
          return { kind: 'variable', name: first.startsWith('$.') ? first.slice(1) : first }
        throw new TemplateFault(`"${first.slice(0, 40)}" is not known`)
      }
      const name = first as FunctionName
      at += 1
      const terms: Term[] = []
      while (at < words.length && words[at] !== ')') terms.push(readArgument(depth + 1))
      if (!isOpened && depth > 0) throw new TemplateFault('a function without brackets')
      const [from, to] = arity[name]
      if (terms.length < from || terms.length > to) throw new TemplateFault(`"${name}" with ${terms.length} arguments`)
      if (name === 're_replace') this.#keepPattern(terms[1])
      return { kind: 'call', name, terms }
    }
    const readArgument = (depth: number): Term => read(false, depth)
    const term = read(true, 0)
    // A closing bracket too many does no harm.
    while (words[at] === ')') at += 1
    if (at < words.length) throw new TemplateFault(`"${words[at]?.slice(0, 40)}" is one too many`)
    return term
  }

  #keepPattern(term: Term | undefined): void {
    if (term?.kind === 'text') this.#patterns.set(term.text, patternOf(term.text))
  }
}

function noOtherwise(): never {
  throw new TemplateFault('"else" without "if"')
}

function wordsOf(source: string): readonly string[] {
  const words: string[] = []
  const word = /\s*(?:([()])|("(?:[^"\\]|\\[\s\S])*")|([^\s()"]+))/y
  for (let at = 0; at < source.length; at = word.lastIndex) {
    word.lastIndex = at
    const found = word.exec(source)
    if (found === null) {
      if (source.slice(at).trim() === '') break
      throw new TemplateFault('a quotation mark is not closed')
    }
    words.push(found[1] ?? found[2] ?? found[3] ?? '')
  }
  return words
}

const patterns = new Map<string, Pattern>()
/** Templates name few patterns, and the same ones over and over. */
const patternsKeptMax = 500

function patternOf(source: string): Pattern {
  const kept = patterns.get(source)
  if (kept !== undefined) return kept
  let pattern: Pattern
  try {
    pattern = compilePattern(source)
  } catch (cause) {
    if (cause instanceof PatternFault) throw new TemplateFault(cause.message)
    throw cause
  }
  if (patterns.size >= patternsKeptMax) patterns.clear()
  patterns.set(source, pattern)
  return pattern
}

class Rendering {
  readonly #encode: (text: string) => string
  #written = 0

  constructor(encode: (text: string) => string) {
    this.#encode = encode
  }

  parts(parts: readonly Part[], variables: Variables): string {
    let text = ''
    for (const part of parts) {
      const piece = this.#part(part, variables)
      this.#written += piece.length
      if (this.#written > templateOutputCharactersMax) throw new TemplateFault('writes too much')
      text += piece
    }
    return text
  }

  #part(part: Part, variables: Variables): string {
    switch (part.kind) {
      case 'text':
        return part.text
      case 'value':
        return this.#encode(textOf(evaluated(part.term, variables)))
      case 'if': {
        const branch = part.branches.find(({ when }) => when === undefined || holds(evaluated(when, variables)))
        return branch === undefined ? '' : this.parts(branch.parts, variables)
      }
      case 'range': {
        const value = evaluated(part.over, variables)
        const items = typeof value === 'string' ? (value === '' ? [] : [value]) : value
        if (items.length === 0) return this.parts(part.otherwise, variables)
        let text = ''
        for (const [index, item] of items.entries()) {
          const inner = new Map(variables).set(part.item, item).set('.', item)
          if (part.index !== undefined) inner.set(part.index, String(index))
          text += this.parts(part.parts, inner)
        }
        return text
      }
    }
  }
}

function holds(value: Variable): boolean {
  return value.length > 0
}

function textOf(value: Variable): string {
  return typeof value === 'string' ? value : value.join(',')
}

function evaluated(term: Term, variables: Variables): Variable {
  if (term.kind === 'text') return term.text
  if (term.kind === 'variable') return term.name === '.True' ? 'True' : (variables.get(term.name) ?? '')
  const { name, terms } = term
  const at = (index: number): Variable => {
    const found = terms[index]
    return found === undefined ? '' : evaluated(found, variables)
  }
  switch (name) {
    case 'and':
      return terms.map((_, index) => at(index)).find((value) => !holds(value)) ?? at(terms.length - 1)
    case 'or':
      return terms.map((_, index) => at(index)).find(holds) ?? ''
    case 'not':
      return holds(at(0)) ? '' : 'True'
    case 'eq': {
      const first = textOf(at(0))
      return terms.some((_, index) => index > 0 && textOf(at(index)) === first) ? 'True' : ''
    }
    case 'ne':
      return textOf(at(0)) === textOf(at(1)) ? '' : 'True'
    case 'join': {
      const list = at(0)
      return typeof list === 'string' ? list : list.join(textOf(at(1)))
    }
    case 're_replace':
      try {
        return patternOf(textOf(at(1))).replace(textOf(at(0)), textOf(at(2)))
      } catch (cause) {
        if (cause instanceof PatternTooCostly) throw new TemplateFault('a pattern takes too long')
        throw cause
      }
  }
}
