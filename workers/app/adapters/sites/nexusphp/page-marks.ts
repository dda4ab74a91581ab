/**
 * Tells the marks of a page apart. It looks for where things end instead of judging every character, and gives up on
 * what needs more than that: a stray `<`, a declaration, a comment that ends in an unusual way, an element without its
 * end. What it does read it reads as the library's tokenizer does, which builds the trees.
 */
import { decodeHTML, decodeHTMLAttribute } from 'entities'

/** `odd` is what only the tree's builder knows how to read. */
export type Mark = 'open' | 'close' | 'text' | 'comment' | 'declaration' | 'end' | 'odd'

/** Until their own end tag these hold text, whatever it looks like. */
const textOnly: ReadonlyMap<string, RegExp> = new Map(
  ['script', 'style', 'title', 'textarea', 'iframe', 'noembed', 'noframes', 'xmp'].map((name) => [
    name,
    new RegExp(`</${name}[ \\n\\t\\f\\r/>]`, 'gi'),
  ]),
)

const doctype = /<!doctype[^>]*>/iy

const [tab, newLine, formFeed, carriageReturn, space] = [9, 10, 12, 13, 32]
const [exclamation, doubleQuote, singleQuote, slash, less, equals, greater] = [33, 34, 39, 47, 60, 61, 62]

/** Five bits a letter, so that a name this long still is a whole number. */
const codedLettersMax = 6
const notCoded = -1

/**
 * A name of a few letters as a number, in either case: a page has thousands of names, and making a text of each to know
 * it costs more than all the rest.
 */
function addLetter(coded: number, letters: number, code: number): number {
  return coded !== notCoded && letters < codedLettersMax && isLetter(code) ? (coded << 5) | (code & 31) : notCoded
}

function codedName(name: string): number {
  return [...name].reduce((coded, letter, at) => addLetter(coded, at, letter.charCodeAt(0)), 0)
}

const commonNames: ReadonlyMap<number, string> = new Map(
  [
    ...['table', 'tbody', 'thead', 'tr', 'td', 'th', 'a', 'img', 'br', 'hr', 'input', 'b', 'strong', 'i', 'em', 'u'],
    ...['s', 'font', 'span', 'div', 'center', 'nobr', 'small', 'p', 'ul', 'li', 'link', 'meta', 'script', 'style'],
  ].map((name) => [codedName(name), name]),
)
const [classAttribute, hrefAttribute] = [codedName('class'), codedName('href')]
const [titleAttribute, altAttribute] = [codedName('title'), codedName('alt')]
const styleAttribute = codedName('style')
/** Longer than a coded name can be, so it is known by its letters. */
const tooltipAttribute = 'onmouseover'

export class PageMarks {
  /** Of the tag that was read, in lower case. */
  name = ''
  /** Of the opening tag that was read; the first of a name counts. */
  class: string | undefined
  href: string | undefined
  title: string | undefined
  alt: string | undefined
  /** Of a span only. */
  style: string | undefined
  onmouseover: string | undefined

  readonly #page: string
  #at = 0
  /** The name whose end was looked for last. */
  #coded = notCoded
  #isTooltip = false
  #textStart = 0

  constructor(page: string) {
    this.#page = page
  }

  /** The text that was read. */
  get text(): string {
    const text = this.#page.slice(this.#textStart, this.#at)
    return text.includes('&') ? decodeHTML(text) : text
  }

  next(): Mark {
    const page = this.#page
    if (this.#at >= page.length) return 'end'
    if (page.charCodeAt(this.#at) !== less) {
      this.#textStart = this.#at
      const end = page.indexOf('<', this.#at)
      this.#at = end === -1 ? page.length : end
      return 'text'
    }
    const code = page.charCodeAt(this.#at + 1)
    if (isLetter(code)) return this.#open(this.#at + 1)
    if (code === slash && isLetter(page.charCodeAt(this.#at + 2))) return this.#close(this.#at + 2)
    return code === exclamation ? this.#declaration(this.#at) : 'odd'
  }

  #open(start: number): Mark {
    const page = this.#page
    let at = this.#endOfName(start)
    this.name = this.#nameIn(start, at)
    this.class = undefined
    this.href = undefined
    this.title = undefined
    this.alt = undefined
    this.style = undefined
    this.onmouseover = undefined
    for (let code = page.charCodeAt(at); code !== greater; code = page.charCodeAt(at)) {
      at = code === slash || isSpace(code) ? at + 1 : this.#attribute(at)
      if (at === -1) return 'odd'
    }
    this.#at = at + 1
    const ending = textOnly.get(this.name)
    return ending === undefined ? 'open' : this.#skipText(ending)
  }

  /** Gives back where it ends; -1 where it does not, or has no name. */
  #attribute(nameStart: number): number {
    const page = this.#page
    const nameEnd = this.#endOfAttributeName(nameStart)
    if (nameEnd === nameStart) return -1
    const afterName = this.#afterSpaces(nameEnd)
    this.#isTooltip =
      this.#coded === notCoded &&
      nameEnd - nameStart === tooltipAttribute.length &&
      page.slice(nameStart, nameEnd).toLowerCase() === tooltipAttribute
    if (page.charCodeAt(afterName) !== equals) {
      this.#keep(afterName, afterName)
      return afterName
    }
    const valueStart = this.#afterSpaces(afterName + 1)
    const first = page.charCodeAt(valueStart)
    if (first !== doubleQuote && first !== singleQuote) {
      const end = this.#endOfBareValue(valueStart)
      if (end !== -1) this.#keep(valueStart, end)
      return end
    }
    const end = page.indexOf(first === doubleQuote ? '"' : "'", valueStart + 1)
    if (end === -1) return -1
    this.#keep(valueStart + 1, end)
    return end + 1
  }

  #keep(valueStart: number, valueEnd: number): void {
    if (this.#coded === classAttribute) this.class ??= this.#value(valueStart, valueEnd)
    else if (this.#coded === hrefAttribute) this.href ??= this.#value(valueStart, valueEnd)
    else if (this.#coded === titleAttribute) this.title ??= this.#value(valueStart, valueEnd)
    else if (this.#coded === altAttribute) this.alt ??= this.#value(valueStart, valueEnd)
    else if (this.#coded === styleAttribute) {
      // Of a span alone a style says something; most styles are on cells and pictures.
      if (this.name === 'span') this.style ??= this.#value(valueStart, valueEnd)
    } else if (this.#isTooltip) this.onmouseover ??= this.#value(valueStart, valueEnd)
  }

  #value(start: number, end: number): string {
    const value = this.#page.slice(start, end)
    return value.includes('&') ? decodeHTMLAttribute(value) : value
  }

  #close(start: number): Mark {
    const nameEnd = this.#endOfName(start)
    const end = this.#page.indexOf('>', nameEnd)
    if (end === -1) return 'odd'
    this.name = this.#nameIn(start, nameEnd)
    this.#at = end + 1
    return 'close'
  }

  #declaration(start: number): Mark {
    const page = this.#page
    const isComment = page.startsWith('--', start + 2)
    const bodyStart = start + '<!--'.length
    const end = isComment ? page.indexOf('-->', bodyStart) : -1
    if (end !== -1) {
      const body = page.slice(bodyStart, end)
      if (body.startsWith('>') || body.startsWith('->') || body.includes('--!>')) return 'odd'
      this.#at = end + '-->'.length
      return 'comment'
    }
    doctype.lastIndex = start
    if (!doctype.test(page)) return 'odd'
    this.#at = doctype.lastIndex
    return 'declaration'
  }

  #skipText(ending: RegExp): Mark {
    ending.lastIndex = this.#at
    const end = ending.exec(this.#page)?.index
    if (end === undefined) return 'odd'
    this.#at = end
    return 'open'
  }

  #nameIn(start: number, end: number): string {
    return commonNames.get(this.#coded) ?? this.#page.slice(start, end).toLowerCase()
  }

  #endOfName(start: number): number {
    let at = start
    this.#coded = 0
    for (let code = this.#page.charCodeAt(at); !endsTagName(code); code = this.#page.charCodeAt(at)) {
      this.#coded = addLetter(this.#coded, at - start, code)
      at += 1
    }
    return at
  }

  #endOfAttributeName(start: number): number {
    let at = start
    this.#coded = 0
    for (
      let code = this.#page.charCodeAt(at);
      code !== equals && !endsTagName(code);
      code = this.#page.charCodeAt(at)
    ) {
      this.#coded = addLetter(this.#coded, at - start, code)
      at += 1
    }
    return at
  }

  /** -1 where the page ends first. */
  #endOfBareValue(start: number): number {
    for (let at = start; at < this.#page.length; at += 1) {
      const code = this.#page.charCodeAt(at)
      if (code === greater || isSpace(code)) return at
    }
    return -1
  }

  #afterSpaces(start: number): number {
    let at = start
    while (isSpace(this.#page.charCodeAt(at))) at += 1
    return at
  }
}

function isLetter(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

function isSpace(code: number): boolean {
  return code === space || code === newLine || code === tab || code === carriageReturn || code === formFeed
}

/** Past the end of the page there is no code. */
function endsTagName(code: number): boolean {
  return code === greater || code === slash || isSpace(code) || Number.isNaN(code)
}
