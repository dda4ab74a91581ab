/**
 * Macros of C and C++ that one file defines and all others write: those that open and close namespaces, and those that stand for
 * words and attributes beside a declaration, which say nothing of it. A file alone cannot tell what they are. So what all files
 * define is gathered first, and each file is read with that in their places.
 */
import { pushTo } from '#shared/kernel/push-to.ts'
import { hashName } from './file-links.ts'
import { isHeader, languageFamily, languageOf } from './language-of.ts'
import { bracketEnd } from './text-shape.ts'

interface Meaning {
  /** What it takes, where it takes anything. */
  readonly takes?: readonly string[]
  /** Namespaces that it opens or closes; empty where it may as well not be there. */
  readonly text: string
  /** Other macros, all of which it says nothing without. */
  readonly needs?: readonly string[]
  readonly isEmpty?: true
}

/** What a file has to do with such macros. */
export interface FileMacros {
  readonly means: Readonly<Record<string, Meaning>>
  /** Names, by their hashes, that it defines otherwise. */
  readonly others: readonly number[]
  /** Names, by their hashes, that it writes and that may be macros. */
  readonly written: readonly number[]
  /** No other file includes it: what it defines is its own. */
  readonly isIncluded: boolean
}

interface Range {
  readonly from: number
  readonly to: number
}

interface Place extends Range {
  /** What stands there in its place; undefined for blanks. */
  readonly text?: string
}

const macroNames = /\b[A-Z_][A-Z0-9_]{3,}\b/g
const definition = /^\s*#\s*define\s+([A-Z_][A-Z0-9_]{3,})(?:\(([\w,\s.]*)\))?(?=\s|$)(.*)$/s
const guardName = /^\s*#\s*if(?:ndef\s+|\s*!\s*defined\s*\(?\s*)(\w+)/
/** A longer definition does more than to open a namespace or to give an attribute. */
const definitionCharsMax = 800
/** Files that define more are tables of numbers. */
const othersMax = 1000
/** Macros that stand for macros. */
const needsDepthMax = 8
/** Of a line before a macro, and of what one is given, no more is read: a line may be all of a file. */
const besideCharsMax = 400
/** Places of a file where namespaces are opened and closed. */
const placesMax = 1000

const opening =
  /\s*(?:((?:inline\s+)?namespace\b\s*(?:[A-Za-z_][\w:]*)?)[^{};]*|(?:extern\s*"C(?:\+\+)?"|export)\s*)\{\s*/y
const sayingNothing = [
  /inline|constexpr|consteval|constinit|const|volatile|explicit|noexcept|override|final/,
  /__(?:force)?inline|__inline__|__restrict|__restrict__|__extension__|__cdecl|__stdcall|__fastcall|__noinline|_Noreturn/,
]
const brackets = /\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/
const attribute = /(?:__attribute__|__declspec|_Pragma|__pragma|alignas)/
const nothing = new RegExp(
  `\\s*(?:(?:${sayingNothing.map((one) => one.source).join('|')})\\b|${attribute.source}\\s*${brackets.source}|\\[\\[[^\\]]*\\]\\]|([A-Z_][A-Z0-9_]{3,})\\b(?:\\s*${brackets.source})?)\\s*`,
  'y',
)
const restOfLine = /(?:\(([\w:, \t]*)\))?[ \t;]*(?:\/\/.*|\/\*[^*\n]*\*\/[ \t]*)?\r?$/my

export function isOfC(path: string): boolean {
  const language = languageOf(path)
  return language !== undefined && languageFamily(language) === 'c'
}

export function fileMacros(path: string, text: string): FileMacros {
  const means = new Map<string, Meaning>()
  const others = new Set<string>()
  const directives = directivesOf(text)
  const textOf = ({ from, to }: Range): string => text.slice(from, Math.min(to, from + definitionCharsMax))
  const guard = directives[0] && guardName.exec(textOf(directives[0]))?.[1]
  for (const [at, one] of directives.entries()) {
    const [, name, takes, body = ''] = definition.exec(textOf(one)) ?? []
    // What keeps a file from being read twice is nobody else's.
    if (name === undefined || (at === 1 && name === guard && body.trim() === '')) continue
    const said = one.to - one.from > definitionCharsMax ? undefined : meaning(takes, body)
    const known = means.get(name)
    const both = said === undefined || known === undefined ? said : merged(known, said)
    if (both === undefined) others.add(name)
    else means.set(name, both)
  }
  for (const name of others) means.delete(name)
  const written = new Set<string>(text.match(macroNames))
  return {
    means: Object.fromEntries(means),
    others: [...others].slice(0, othersMax).map(hashName),
    written: [...written].map(hashName),
    isIncluded: isHeader(path),
  }
}

function meaning(takes: string | undefined, written: string): Meaning | undefined {
  const body = written
    .replace(/\\\r?\n/g, ' ')
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ' ')
    .trim()
  const given = takes === undefined ? {} : { takes: takes.split(',').map((one) => one.trim()) }
  if (body === '') return { ...given, text: '', isEmpty: true }
  if (/^[}\s;]+$/.test(body)) return { ...given, text: body.replace(/[^}]/g, '') }
  // What opens no namespace has to be opened as well, so that what closes it does not close another.
  const opened = allOf(opening, body)?.map(([, name]) => `${name?.replace(/\s+/g, ' ') ?? 'extern "C"'} {`)
  if (opened !== undefined) return { ...given, text: opened.join(' ') }
  const needs = allOf(nothing, body)?.flatMap(([, name]) => name ?? [])
  return needs === undefined ? undefined : { ...given, text: '', ...(needs.length === 0 ? {} : { needs }) }
}

/** What is found one behind another, from the beginning to the end. */
function allOf(part: RegExp, text: string): RegExpExecArray[] | undefined {
  const found: RegExpExecArray[] = []
  for (part.lastIndex = 0; part.lastIndex < text.length; ) {
    const one = part.exec(text)
    if (one === null) return undefined
    found.push(one)
  }
  return found
}

/** What a macro is that is defined twice, for several conditions: undefined where that is two things. */
function merged(left: Meaning, right: Meaning): Meaning | undefined {
  // Under some condition there is no namespace, or no attribute: what there may be is what it is for.
  if (left.isEmpty === true) return right
  if (right.isEmpty === true) return left
  if (left.text !== right.text || left.takes?.join() !== right.takes?.join()) return undefined
  const needs = [...new Set([...(left.needs ?? []), ...(right.needs ?? [])])]
  return needs.length === 0 ? left : { ...left, needs }
}

/** What is one thing in all files that define it for others. */
function meaningsOf(files: Iterable<FileMacros>): ReadonlyMap<string, Meaning> {
  const means = new Map<string, Meaning | undefined>()
  const others = new Set<number>()
  for (const file of files) {
    if (!file.isIncluded) continue
    for (const one of file.others) others.add(one)
    for (const [name, one] of Object.entries(file.means)) {
      const known = means.get(name)
      if (!means.has(name)) means.set(name, one)
      else if (known !== undefined) means.set(name, merged(known, one))
    }
  }
  const table = new Map<string, Meaning>()
  // What takes something and gives nothing may do so under one condition only, such as in what is released.
  for (const [name, one] of means)
    if (one !== undefined && !others.has(hashName(name)) && (one.isEmpty !== true || one.takes === undefined))
      table.set(name, one)
  for (let depth = 0; depth < needsDepthMax; depth += 1)
    for (const [name, { needs }] of [...table])
      if (needs?.some((one) => table.get(one)?.text !== '') === true) table.delete(name)
  return table
}

/** The macros of a project, and how its files are read with them. */
export class ProjectMacros {
  readonly #means: ReadonlyMap<string, Meaning>
  readonly #byHash = new Map<number, string[]>()
  /** What is the same as long as no file has to be read anew for what another one says. */
  readonly hash: number

  constructor(files: Iterable<FileMacros>) {
    const all = [...files]
    this.#means = meaningsOf(all)
    for (const name of this.#means.keys()) pushTo(this.#byHash, hashName(name), name)
    const once = new Set<number>()
    const shared = new Set<number>()
    for (const { written } of all)
      for (const one of written) if (this.#byHash.has(one)) (once.has(one) ? shared : once).add(one)
    this.hash = this.#hashOf(shared)
  }

  /** Of those the ones that a file may write, in one number: where that is the same, the file is read as it was. */
  readWith({ written }: FileMacros): number {
    return this.#hashOf(written)
  }

  #hashOf(hashes: Iterable<number>): number {
    const names = [...hashes].flatMap((hash) => this.#byHash.get(hash) ?? []).sort()
    return hashName(names.map((name) => JSON.stringify([name, this.#means.get(name)])).join('\n'))
  }

  /** The text with what they stand for in their places, and with the same lines. */
  applied(text: string, file: FileMacros): string {
    const isOpen = file.written.some((hash) => this.#byHash.has(hash)) || Object.keys(file.means).length > 0
    if (!isOpen) return text
    const blanks: Place[] = []
    const places: Place[] = []
    const directives = directivesOf(text)
    let next = 0
    let done = 0
    let [lineFrom, lineTo] = [0, lineEnd(text, 0)]
    for (const { 0: name, index } of text.matchAll(macroNames)) {
      const known = index < done ? undefined : this.#meaning(name, file)
      if (known === undefined) continue
      while ((directives[next]?.to ?? text.length) <= index) next += 1
      if ((directives[next]?.from ?? text.length) <= index) continue
      while (lineTo <= index) [lineFrom, lineTo] = [lineTo, lineEnd(text, lineTo)]
      const before = index - lineFrom > besideCharsMax ? '…' : text.slice(lineFrom, index)
      const found =
        known.text === ''
          ? blankOf(known, text, { from: index, to: index + name.length }, before)
          : places.length <= placesMax && before.trim() === ''
            ? namespacesOf(known, text, { from: index, to: index + name.length })
            : undefined
      if (found === undefined) continue
      ;(known.text === '' ? blanks : places).push(found)
      done = found.to
    }
    const isWhole = areBalanced(places)
    const edits = isWhole ? [...blanks, ...places] : blanks
    let whole = ''
    let at = 0
    for (const one of edits.sort((left, right) => left.from - right.from)) {
      whole += text.slice(at, one.from) + (one.text ?? text.slice(one.from, one.to).replace(/[^\r\n]/g, ' '))
      at = one.to
    }
    return whole + text.slice(at)
  }

  #meaning(name: string, { isIncluded, means, others }: FileMacros): Meaning | undefined {
    const common = this.#means.get(name)
    if (isIncluded) return common
    const own = Object.hasOwn(means, name) ? means[name] : undefined
    if (own === undefined) return common === undefined || others.includes(hashName(name)) ? undefined : common
    return own.needs?.every((one) => this.#means.get(one)?.text === '') === false ? undefined : own
  }
}

/** What of a text a macro takes up that says nothing; undefined where it is none. */
function blankOf({ takes }: Meaning, text: string, { from, to }: Range, before: string): Range | undefined {
  if (isInText(before)) return undefined
  const end = takes === undefined ? to : bracketEnd(text, to, to + besideCharsMax)
  return end === undefined ? undefined : { from, to: end }
}

/** The same of one that opens or closes namespaces, up to the end of its line, where nothing else stands in that. */
function namespacesOf({ takes, text: said }: Meaning, text: string, { from, to }: Range): Place | undefined {
  restOfLine.lastIndex = to
  const rest = restOfLine.exec(text)
  const given = rest?.[1]?.split(',').map((one) => one.trim())
  if (rest === null || given?.length !== takes?.length) return undefined
  const opened = said.replace(/\b[A-Za-z_]\w*\b/g, (word) => given?.[takes?.indexOf(word) ?? -1] ?? word)
  return { from, to: to + rest[0].length, text: opened }
}

/** In a comment or in quotes. */
function isInText(before: string): boolean {
  if (/^\s*\*|\/\/|\/\*(?!.*\*\/)/.test(before)) return true
  return (before.match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1
}

/** Whether what is opened is closed, as is so where no condition opens it twice. */
function areBalanced(places: readonly Place[]): boolean {
  let depth = 0
  if (places.length > placesMax) return false
  for (const { text = '' } of places) {
    for (const sign of text) depth += sign === '{' ? 1 : sign === '}' ? -1 : 0
    if (depth < 0) return false
  }
  return depth === 0
}

/** Lines of the preprocessor, each with those that it goes on in. */
function directivesOf(text: string): Range[] {
  const found: Range[] = []
  for (let at = text.indexOf('#'); at !== -1; at = text.indexOf('#', at)) {
    let from = at
    while (from > 0 && (text[from - 1] === ' ' || text[from - 1] === '\t')) from -= 1
    let to = lineEnd(text, at)
    if (from > 0 && text[from - 1] !== '\n') {
      at = to
      continue
    }
    while (to < text.length && text[text[to - 2] === '\r' ? to - 3 : to - 2] === '\\') to = lineEnd(text, to)
    found.push({ from, to })
    at = to
  }
  return found
}

/** Behind the sign that ends the line. */
function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at + 1
}
