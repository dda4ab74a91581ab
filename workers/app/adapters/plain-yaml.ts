/**
 * Reads YAML as definitions are commonly written (one entry a line, texts that end on their line), many times as fast as the
 * parser. Whatever is written otherwise, and whatever might be wrong, is left to the parser: nothing is refused here.
 */
import { definitionDepthMax, definitionSignsMax } from './yaml-shape.ts'

type PlainValue = string | PlainValue[] | PlainTable
type PlainTable = { [name: string]: PlainValue }

/** What the parser makes of the text where every word stays a text; undefined where only the parser can tell. */
export function readPlainYaml(source: string): PlainValue | undefined {
  if (unusual.test(source)) return undefined
  try {
    return new PlainReader(source).whole()
  } catch (error) {
    if (error instanceof Unusual) return undefined
    throw error
  }
}

/** Characters that end lines, mark an order of bytes or stand for nothing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const unusual = /[\0-\t\v-\x1f\x7f-\x9f\u2028\u2029\ufeff]/

class Unusual extends Error {}

interface Line {
  indent: number
  /** From the first character that is no space. */
  text: string
}

/** At most so many signs of the format: of a line without its brackets, of a value in brackets, and of its name. */
const lineSigns = 12
const valueSigns = 6
const nameSigns = 4
const plainEnd: Line = { indent: -1, text: '' }

class PlainReader {
  readonly #lines: Line[] = []
  #at = 0
  #depth = 0
  #signs = 0

  constructor(source: string) {
    const [first = '', ...others] = source.split('\n')
    for (const line of first === '---' ? others : [first, ...others]) {
      this.#count(lineSigns)
      const text = line.trimStart()
      if (text !== '' && text[0] !== '#') this.#lines.push({ indent: line.length - text.length, text })
    }
  }

  whole(): PlainValue {
    const { text, indent } = this.#line
    if (indent !== 0) throw new Unusual()
    const value = text.startsWith('- ') ? this.#list(0) : this.#table(0)
    if (this.#at < this.#lines.length) throw new Unusual()
    return value
  }

  get #line(): Line {
    return this.#lines[this.#at] ?? plainEnd
  }

  #count(signs: number): void {
    this.#signs += signs
    if (this.#signs > definitionSignsMax) throw new Unusual()
  }

  #deeper<Value>(read: () => Value): Value {
    this.#depth += 1
    if (this.#depth > definitionDepthMax) throw new Unusual()
    const value = read()
    this.#depth -= 1
    return value
  }

  #list(indent: number): PlainValue[] {
    return this.#deeper(() => {
      const values: PlainValue[] = []
      for (let line = this.#line; line.indent === indent && line.text.startsWith('- '); line = this.#line) {
        const text = line.text.slice(1).trimStart()
        const start = indent + line.text.length - text.length
        if (nameOf(text) === undefined) {
          this.#at += 1
          values.push(this.#value(text))
          // What goes on in the next line belongs to this text.
          if (this.#line.indent > indent) throw new Unusual()
        } else {
          // A table begins on the line of its entry.
          line.indent = start
          line.text = text
          values.push(this.#table(start))
        }
      }
      return values
    })
  }

  #table(indent: number): PlainTable {
    return this.#deeper(() => {
      const table: PlainTable = {}
      for (let line = this.#line; line.indent === indent; line = this.#line) {
        const found = nameOf(line.text)
        if (found === undefined || Object.hasOwn(table, found.name) || found.name === '__proto__') throw new Unusual()
        this.#at += 1
        table[found.name] = this.#entry(found.rest, indent)
        if (this.#line.indent > indent) throw new Unusual()
      }
      return table
    })
  }

  #entry(rest: string, indent: number): PlainValue {
    if (rest !== '' && rest[0] !== '#') return this.#value(rest)
    const { indent: below, text } = this.#line
    const isList = text.startsWith('- ')
    if (below > indent) return isList ? this.#list(below) : this.#table(below)
    // A list may stand as far left as its name.
    if (below === indent && isList) return this.#list(below)
    throw new Unusual()
  }

  /** What stands on the rest of a line, its comment included. */
  #value(text: string): PlainValue {
    const first = text[0] ?? ''
    if (first === '"' || first === "'" || first === '[' || first === '{') {
      const bracket = new BracketReader(text, (signs) => this.#count(signs))
      const value = this.#deeper(() => bracket.value(this.#depth))
      if (!/^(?:\s*|\s+#.*)$/.test(bracket.rest)) throw new Unusual()
      return value
    }
    const comment = text.search(/\s#/)
    const plain = (comment === -1 ? text : text.slice(0, comment)).trimEnd()
    if (!beginsPlain.test(plain) || /:(?:\s|$)/.test(plain)) throw new Unusual()
    return plain
  }
}

/** No sign of the format, or one of those that are none before another character. */
const beginsPlain = /^(?:[^\s,[\]{}#&*!|>'"%@`?:-]|[-?:][^\s,[\]{}#])/
const plainName = /^([^\s,[\]{}#&*!|>'"%@`].*?):(?: +|$)/
const quotedName = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'):(?: +|$)/

/** The name that a line begins with. One written in an unusual way is none, and its line no plain text either. */
function nameOf(text: string): { readonly name: string; readonly rest: string } | undefined {
  const found = plainName.exec(text) ?? quotedName.exec(text)
  const written = found?.[1]
  if (found === null || written === undefined) return undefined
  if (written.length > nameCharactersMax) throw new Unusual()
  const rest = text.slice(found[0].length)
  if (written[0] === '"' || written[0] === "'") return { name: unquoted(written), rest }
  if (!beginsPlain.test(written) || written.endsWith(' ') || written.includes(' #')) throw new Unusual()
  return { name: written, rest }
}
/** The parser takes no longer ones. */
const nameCharactersMax = 1000

function unquoted(written: string): string {
  const text = written.slice(1, -1)
  if (written[0] === "'") return text.replaceAll("''", "'")
  return text.includes('\\') ? text.replace(escapes, escaped) : text
}

const escapes = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|(.))/g
const escapedBy = new Map(['""', '\\\\', '//', 'n\n', 't\t', 'r\r'].map(([by = '', value = '']) => [by, value]))

function escaped(_whole: string, short: string | undefined, long: string | undefined, by: string | undefined): string {
  const code = short ?? long
  const character = code === undefined ? escapedBy.get(by ?? '') : String.fromCharCode(Number.parseInt(code, 16))
  if (character === undefined || /[\ud800-\udfff]/.test(character)) throw new Unusual()
  return character
}

/** Texts in quotes, lists and tables in brackets that end on their line. */
class BracketReader {
  readonly #text: string
  readonly #count: (signs: number) => void
  #at = 0

  constructor(text: string, count: (signs: number) => void) {
    this.#text = text
    this.#count = count
  }

  get rest(): string {
    return this.#text.slice(this.#at)
  }

  value(depth: number): PlainValue {
    if (depth > definitionDepthMax) throw new Unusual()
    this.#count(valueSigns)
    const first = this.#text[this.#at]
    if (first === '"' || first === "'") return this.#quoted()
    if (first === '[') return this.#list(depth)
    if (first === '{') return this.#table(depth)
    return this.#take(flowText)
  }

  #list(depth: number): PlainValue[] {
    const values: PlainValue[] = []
    if (this.#begins(']')) return values
    do values.push(this.value(depth + 1))
    while (this.#goesOn(']'))
    return values
  }

  #table(depth: number): PlainTable {
    const table: PlainTable = {}
    if (this.#begins('}')) return table
    do {
      this.#count(nameSigns)
      const first = this.#text[this.#at]
      const name = first === '"' || first === "'" ? this.#quoted() : this.#take(flowText)
      if (Object.hasOwn(table, name) || name === '__proto__' || name.length > nameCharactersMax) throw new Unusual()
      this.#take(/: +/y)
      table[name] = this.value(depth + 1)
    } while (this.#goesOn('}'))
    return table
  }

  /** Past the bracket, and whether what it begins is empty. */
  #begins(end: string): boolean {
    this.#at += 1
    this.#spaces()
    if (this.#text[this.#at] !== end) return false
    this.#at += 1
    return true
  }

  /** Past the comma to another entry, or past the end. */
  #goesOn(end: string): boolean {
    this.#spaces()
    const sign = this.#text[this.#at]
    if (sign !== ',' && sign !== end) throw new Unusual()
    this.#at += 1
    if (sign === ',') this.#spaces()
    return sign === ','
  }

  #quoted(): string {
    return unquoted(this.#take(this.#text[this.#at] === "'" ? /'(?:[^']|'')*'(?!')/y : /"(?:[^"\\]|\\.)*"/y))
  }

  #spaces(): void {
    while (this.#text[this.#at] === ' ') this.#at += 1
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const taken = pattern.exec(this.#text)?.[0]
    if (taken === undefined) throw new Unusual()
    this.#at += taken.length
    return taken
  }
}

/** A text between brackets: without quotes, comments, and what else could be a name. */
const flowText = /(?:[^\s,[\]{}#&*!|>'"%@`?:-]|-(?=[^\s,[\]{}]))(?: *[^\s,[\]{}#:])*/y
