/** The filters that definitions put a text through. */
import type { DateContext, DateLayout } from './dates.ts'
import { compileLayout, readAnyDate, readByLayout, readTimeAgo, writeDate } from './dates.ts'
import { readJsonPath } from './json-path.ts'
import { compilePattern, type Pattern, PatternTooCostly } from './pattern.ts'
import { PatternFault } from './pattern-syntax.ts'
import { compileTemplate, TemplateFault, type Variables } from './template.ts'

/** What filters need beyond their text. */
export interface FilterContext {
  readonly variables: Variables
  readonly dates: DateContext
  /** `&amp;` and its like as the characters they stand for. */
  readonly decodeMarkup: (text: string) => string
  /** In the site's own character set. */
  readonly encodeUrl: (text: string) => string
  readonly decodeUrl: (text: string) => string
}

export type Filter = (text: string, context: FilterContext) => string

export const filterNames = [
  'andmatch',
  'append',
  'dateparse',
  'diacritics',
  'fuzzytime',
  'hexdump',
  'htmldecode',
  'htmlencode',
  'jsonjoinarray',
  'prepend',
  'querystring',
  're_replace',
  'regexp',
  'reltime',
  'replace',
  'split',
  'strdump',
  'timeago',
  'timeparse',
  'tolower',
  'toupper',
  'trim',
  'urldecode',
  'urlencode',
  'validate',
  'validfilename',
] as const
type FilterName = (typeof filterNames)[number]

/** Longer texts are cut: no field of a list is. */
const filteredCharactersMax = 2 * 1024 * 1024

export type FilterRule = 'filter' | 'arguments' | 'pattern' | 'template' | 'date_layout'

export class FilterFault extends Error {
  readonly rule: FilterRule

  constructor(rule: FilterRule, detail: string) {
    super(detail)
    this.rule = rule
  }
}

/** Arguments a filter takes, from and to. */
const arity: Readonly<Record<FilterName, readonly [number, number]>> = {
  andmatch: [0, 1],
  append: [1, 1],
  dateparse: [1, 1],
  diacritics: [0, 1],
  fuzzytime: [0, 1],
  hexdump: [0, 1],
  htmldecode: [0, 0],
  htmlencode: [0, 0],
  jsonjoinarray: [2, 2],
  prepend: [1, 1],
  querystring: [1, 1],
  re_replace: [2, 2],
  regexp: [1, 1],
  reltime: [0, 1],
  replace: [2, 2],
  split: [2, 2],
  strdump: [0, 1],
  timeago: [0, 1],
  timeparse: [1, 1],
  tolower: [0, 0],
  toupper: [0, 0],
  trim: [0, 1],
  urldecode: [0, 0],
  urlencode: [0, 0],
  validate: [1, 1],
  validfilename: [0, 1],
}

export function compileFilter(name: string, args: readonly string[]): Filter {
  const known = filterNames.find((one) => one === name)
  if (known === undefined) throw new FilterFault('filter', `the filter ${name.slice(0, 40)} is not known`)
  const [from, to] = arity[known]
  if (args.length < from || args.length > to)
    throw new FilterFault('arguments', `${name} takes ${from === to ? from : `${from} or ${to}`} arguments`)
  return filterOf(known, args[0] ?? '', args[1] ?? '', args.length)
}

function filterOf(name: FilterName, first: string, second: string, given: number): Filter {
  switch (name) {
    case 're_replace': {
      const pattern = patternIn(first)
      const replacement = templateIn(second)
      return (text, { variables }) => bounded(() => pattern.replace(text, replacement(variables)), text)
    }
    case 'regexp': {
      const pattern = patternIn(first)
      return (text) => {
        const match = bounded(() => pattern.match(text), undefined)
        return match === undefined
          ? ''
          : (match.groups[1] ?? (match.groups.length === 1 ? (match.groups[0] ?? '') : ''))
      }
    }
    case 'replace': {
      const replacement = templateIn(second)
      return (text, { variables }) => (first === '' ? text : text.replaceAll(first, () => replacement(variables)))
    }
    case 'append':
    case 'prepend': {
      const addition = templateIn(first)
      if (name === 'append') return (text, { variables }) => text + addition(variables)
      return (text, { variables }) => addition(variables) + text
    }
    case 'split': {
      const position = Number(second)
      if (!Number.isInteger(position)) throw new FilterFault('arguments', 'split takes a whole number')
      return (text) => {
        const parts = first === '' ? [text] : text.split(first)
        return parts.at(position) ?? ''
      }
    }
    case 'trim':
      return given === 0 ? (text) => text.trim() : (text) => trimmed(text, first)
    case 'dateparse':
    case 'timeparse': {
      const layout = layoutIn(first)
      return (text, { dates }) => written(readByLayout(text, layout, dates), text)
    }
    case 'timeago':
    case 'reltime':
      return (text, { dates }) => written(readTimeAgo(text, dates), text)
    case 'fuzzytime':
      return (text, { dates }) => written(readAnyDate(text, dates), text)
    case 'querystring':
      return (text, { decodeUrl }) => queryValue(text, first, decodeUrl)
    case 'validate':
      return validation(first)
    case 'jsonjoinarray':
      return (text) => joinedJson(text, first, second)
    default:
      return plainFilters[name]
  }
}

type PlainName = Exclude<
  FilterName,
  | 're_replace'
  | 'regexp'
  | 'replace'
  | 'append'
  | 'prepend'
  | 'split'
  | 'trim'
  | 'dateparse'
  | 'timeparse'
  | 'timeago'
  | 'reltime'
  | 'fuzzytime'
  | 'querystring'
  | 'validate'
  | 'jsonjoinarray'
>

const plainFilters: Readonly<Record<PlainName, Filter>> = {
  diacritics: (text) =>
    text
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .normalize('NFC'),
  tolower: (text) => text.toLowerCase(),
  toupper: (text) => text.toUpperCase(),
  urldecode: (text, { decodeUrl }) => decodeUrl(text),
  urlencode: (text, { encodeUrl }) => encodeUrl(text),
  htmldecode: (text, { decodeMarkup }) => decodeMarkup(text),
  htmlencode: (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no file name holds them
  validfilename: (text) => text.replace(/[\u0000-\u001f"<>|:*?\\/]/g, '_'),
  // For whoever writes a definition with another program: the text stays as it is.
  hexdump: (text) => text,
  strdump: (text) => text,
  andmatch: (text) => text,
}

function patternIn(source: string): Pattern {
  try {
    return compilePattern(source)
  } catch (cause) {
    if (cause instanceof PatternFault) throw new FilterFault('pattern', cause.message)
    throw cause
  }
}

function templateIn(source: string): (variables: Variables) => string {
  try {
    const template = compileTemplate(source)
    return (variables) => template.render(variables)
  } catch (cause) {
    if (cause instanceof TemplateFault) throw new FilterFault('template', cause.message)
    throw cause
  }
}

function layoutIn(source: string): DateLayout {
  const layout = compileLayout(source)
  if (layout === undefined) throw new FilterFault('date_layout', 'the layout names no part of a date')
  return layout
}

/** A pattern that would take too long leaves what there is. */
function bounded<T>(work: () => T, otherwise: T): T {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof PatternTooCostly) return otherwise
    throw cause
  }
}

function written(unix: number | undefined, text: string): string {
  return unix === undefined ? text : writeDate(unix)
}

function trimmed(text: string, characters: string): string {
  let from = 0
  let to = text.length
  while (from < to && characters.includes(text.charAt(from))) from += 1
  while (to > from && characters.includes(text.charAt(to - 1))) to -= 1
  return text.slice(from, to)
}

function queryValue(text: string, name: string, decode: (text: string) => string): string {
  const query = text.slice(text.indexOf('?') + 1).split('#')[0] ?? ''
  for (const pair of query.split('&')) {
    const at = pair.indexOf('=')
    if (at >= 0 && decode(pair.slice(0, at)) === name) return decode(pair.slice(at + 1))
  }
  return ''
}

const wordEnds = /[, /)(.;[\]"|:]+/

/** Of the words that are allowed, those that the text has. */
function validation(allowed: string): Filter {
  const words = [...new Set(allowed.toLowerCase().split(wordEnds))].filter((word) => word !== '')
  return (text) => {
    const present = new Set(text.toLowerCase().split(wordEnds))
    return words.filter((word) => present.has(word)).join(',')
  }
}

function joinedJson(text: string, path: string, separator: string): string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return text
  }
  const found = readJsonPath(value, path)
  return Array.isArray(found) ? found.map(String).join(separator) : found === undefined ? '' : String(found)
}

/** Every word of what was asked for is in the title: `S01 the-movie` in `The Movie S01E02`, in either case. */
export function hasAllWords(title: string, keywords: string, charactersMax: number | undefined): boolean {
  const asked = charactersMax === undefined ? keywords : keywords.slice(0, charactersMax)
  const words = asked.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const text = title.toLowerCase()
  return words.every((word) => text.includes(word))
}

export function filtered(text: string, filters: readonly Filter[], context: FilterContext): string {
  let value = text
  for (const filter of filters) value = filter(value, context).slice(0, filteredCharactersMax)
  return value
}
