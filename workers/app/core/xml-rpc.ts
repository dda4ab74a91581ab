/**
 * XML-RPC as far as rTorrent speaks it: calls are written, answers are read in one pass. Strict: an element that the
 * protocol does not have, an attribute, a comment or a document type makes it no answer.
 */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'

export type XmlRpcValue = string | number | boolean | readonly XmlRpcValue[] | { readonly [name: string]: XmlRpcValue }

/** Bytes are sent as base64, already written so. */
export class Base64Text {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type XmlRpcArgument = string | number | Base64Text | readonly XmlRpcArgument[] | XmlRpcStruct
interface XmlRpcStruct {
  readonly [name: string]: XmlRpcArgument
}

export type XmlRpcFailure =
  | { readonly kind: 'malformed' }
  | { readonly kind: 'fault'; readonly code: number; readonly text: string }

/** Answers nest three deep: calls, rows, fields. */
const depthMax = 16

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/** What a document cannot hold, however it is written. */
const outsideXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

export function writeCall(method: string, params: readonly XmlRpcArgument[]): string {
  const written = params.map((param) => `<param>${writeValue(param)}</param>`).join('')
  return `<?xml version="1.0" encoding="UTF-8"?><methodCall><methodName>${escaped(method)}</methodName><params>${written}</params></methodCall>`
}

function writeValue(value: XmlRpcArgument): string {
  if (typeof value === 'string') return `<value><string>${escaped(value)}</string></value>`
  if (typeof value === 'number') return `<value><i8>${Math.trunc(value)}</i8></value>`
  if (value instanceof Base64Text) return `<value><base64>${value.text}</base64></value>`
  if (isList(value)) return `<value><array><data>${value.map(writeValue).join('')}</data></array></value>`
  const members = Object.entries(value).map(
    ([name, member]) => `<member><name>${escaped(name)}</name>${writeValue(member)}</member>`,
  )
  return `<value><struct>${members.join('')}</struct></value>`
}

function isList(value: XmlRpcStruct | readonly XmlRpcArgument[]): value is readonly XmlRpcArgument[] {
  return Array.isArray(value)
}

function escaped(text: string): string {
  return text.replace(outsideXml, '').replace(/[&<>]/g, (one) => escapes[one] ?? one)
}

export function readAnswer(text: string): Result<XmlRpcValue, XmlRpcFailure> {
  try {
    return new AnswerReader(text).read()
  } catch (error) {
    if (error instanceof Malformed) return failWith({ kind: 'malformed' })
    throw error
  }
}

class Malformed extends Error {}

const wholeNumber = /^\s*-?\d{1,20}\s*$/
const anyNumber = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

class AnswerReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): Result<XmlRpcValue, XmlRpcFailure> {
    this.#skipBlanks()
    if (this.#text.startsWith('<?xml', this.#at)) {
      const end = this.#text.indexOf('?>', this.#at)
      if (end === -1) throw new Malformed()
      this.#at = end + 2
    }
    this.#expect('<methodResponse>')
    const isFault = !this.#take('<params>')
    this.#expect(isFault ? '<fault>' : '<param>')
    this.#expect('<value>')
    const value = this.#value(0)
    if (!isFault) this.#expect('</param>')
    this.#expect(isFault ? '</fault>' : '</params>')
    this.#expect('</methodResponse>')
    this.#skipBlanks()
    if (this.#at !== this.#text.length) throw new Malformed()
    return isFault ? failWith(faultOf(value)) : succeed(value)
  }

  /** After `<value>`, up to and with `</value>`. A value without a type is a text. */
  #value(depth: number): XmlRpcValue {
    if (depth > depthMax) throw new Malformed()
    const next = this.#text.indexOf('<', this.#at)
    if (next === -1) throw new Malformed()
    if (this.#text.startsWith('</value>', next)) {
      const text = decoded(this.#text.slice(this.#at, next))
      this.#at = next + '</value>'.length
      return text
    }
    this.#skipBlanks()
    const value = this.#typed(depth)
    this.#expect('</value>')
    return value
  }

  #typed(depth: number): XmlRpcValue {
    const type = this.#opened()
    switch (type) {
      // As newer versions write one without content.
      case 'string/':
        return ''
      case 'string':
        return decoded(this.#upTo('</string>'))
      case 'i4':
      case 'i8':
      case 'int': {
        const text = this.#upTo(`</${type}>`)
        if (!wholeNumber.test(text)) throw new Malformed()
        return Number(text)
      }
      case 'double': {
        const text = this.#upTo('</double>')
        if (!anyNumber.test(text)) throw new Malformed()
        return Number(text)
      }
      case 'boolean': {
        const text = this.#upTo('</boolean>').trim()
        if (text !== '0' && text !== '1') throw new Malformed()
        return text === '1'
      }
      case 'array':
        return this.#array(depth)
      case 'struct':
        return this.#struct(depth)
      default:
        throw new Malformed()
    }
  }

  #array(depth: number): XmlRpcValue[] {
    const values: XmlRpcValue[] = []
    if (!this.#take('<data/>')) {
      this.#expect('<data>')
      while (!this.#take('</data>')) {
        if (this.#take('<value/>')) values.push('')
        else {
          this.#expect('<value>')
          values.push(this.#value(depth + 1))
        }
      }
    }
    this.#expect('</array>')
    return values
  }

  #struct(depth: number): { readonly [name: string]: XmlRpcValue } {
    const members = new Map<string, XmlRpcValue>()
    while (!this.#take('</struct>')) {
      this.#expect('<member>')
      this.#expect('<name>')
      const name = decoded(this.#upTo('</name>'))
      this.#expect('<value>')
      members.set(name, this.#value(depth + 1))
      this.#expect('</member>')
    }
    // Own properties, whatever their names are.
    return Object.fromEntries(members)
  }

  #opened(): string {
    const end = this.#text.indexOf('>', this.#at)
    if (end === -1 || this.#text[this.#at] !== '<') throw new Malformed()
    const name = this.#text.slice(this.#at + 1, end)
    this.#at = end + 1
    return name
  }

  #upTo(end: string): string {
    const found = this.#text.indexOf('<', this.#at)
    if (found === -1 || !this.#text.startsWith(end, found)) throw new Malformed()
    const text = this.#text.slice(this.#at, found)
    this.#at = found + end.length
    return text
  }

  #expect(tag: string): void {
    if (!this.#take(tag)) throw new Malformed()
  }

  #take(tag: string): boolean {
    this.#skipBlanks()
    if (!this.#text.startsWith(tag, this.#at)) return false
    this.#at += tag.length
    return true
  }

  #skipBlanks(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return
      this.#at += 1
    }
  }
}

function decoded(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&([^;&]{0,10})(;?)/g, (_, name: string, end: string) => {
    const known = Object.hasOwn(entities, name) ? entities[name] : undefined
    if (end !== '' && known !== undefined) return known
    const [, hexadecimal, decimal] = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? []
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
    if (end === '' || !(code > 0 && code <= 0x10ffff)) throw new Malformed()
    return String.fromCodePoint(code)
  })
}

/** What stands in place of an answer, of the call or of one call of several. */
export function faultOf(value: XmlRpcValue): XmlRpcFailure {
  if (typeof value !== 'object' || Array.isArray(value)) return { kind: 'malformed' }
  const { faultCode, faultString } = value as { readonly [name: string]: XmlRpcValue }
  if (typeof faultCode !== 'number' || typeof faultString !== 'string') return { kind: 'malformed' }
  return { kind: 'fault', code: faultCode, text: faultString }
}
