/** Facts as bytes: how they cross threads and how the cache keeps them. */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Symbol as CodeSymbol, ExportFact, FileFacts, Heritage, Reference, RouteFact } from '../core/facts.ts'
import { type FileLinks, LinkCollector } from '../core/file-links.ts'
import { PartReader, PartWriter } from '../core/part-table.ts'
import type { GivenUp } from '../core/vocabulary.ts'
import { factDepthMax, factPartsMax, factsCharsMax } from '../limits.ts'

export interface KeptForm {
  readonly body: Uint8Array
  readonly links: FileLinks
}

export interface PackedFacts extends KeptForm {
  /** The facts as text, for who takes them now: to unpack what was just packed would cost the thread that waits. */
  readonly text: string
}

/** The same with places in the table of parts where there were values and types. */
type Flat<T, Parts extends keyof T> = Omit<T, Parts> & { readonly [P in Parts]?: unknown }

interface FlatSymbol extends Flat<CodeSymbol, 'value' | 'type' | 'result' | 'parameterTypes' | 'heritage'> {
  value?: number | undefined
  type?: number | undefined
  result?: number | undefined
  parameterTypes?: (number | null)[] | undefined
  heritage?: FlatHeritage[] | undefined
}

interface FlatHeritage extends Flat<Heritage, 'value' | 'args'> {
  readonly value: number
  readonly args?: readonly number[] | undefined
}

interface FlatFacts extends Omit<FileFacts, 'symbols' | 'locals' | 'references' | 'exports' | 'routes'> {
  /** What parts and references are named by, each once. */
  readonly names: readonly string[]
  readonly parts: readonly number[]
  readonly symbols: readonly FlatSymbol[]
  readonly locals: readonly (number | null)[]
  /** One after the other: from, kind, value, name, line, column, whether a type is asked for. */
  readonly references: readonly number[]
  readonly exports: readonly (
    | Exclude<ExportFact, { value: unknown }>
    | { readonly name: string; readonly value: number }
  )[]
  readonly routes: readonly (Omit<RouteFact, 'handler'> & { readonly handler: number | null })[]
}

const referenceKinds: readonly Reference['kind'][] = ['calls', 'references', 'instantiates', 'decorates']
const referenceSlots = 7
/** A local that nothing hangs on is not kept; its place is, because the others are told by theirs. */
const unused = { k: 'glob', n: '' } as const

export function packFacts(facts: FileFacts): PackedFacts {
  const links = new LinkCollector(facts.language)
  const parts = new PartWriter(facts.locals, links, { parts: factPartsMax, depth: factDepthMax })
  const symbols = facts.symbols.map((symbol) => flatSymbol(symbol, parts))
  const exports = facts.exports.map((one) => ('value' in one ? { ...one, value: parts.value(one.value) } : one))
  parts.settle()
  links.offered(facts)
  const references: number[] = []
  for (const { from, kind, value, name, line, col, asType } of facts.references) {
    const isType = asType === true ? 1 : 0
    references.push(from, referenceKinds.indexOf(kind), parts.value(value), parts.name(name), line, col, isType)
  }
  const routes = facts.routes.map((one) => ({
    ...one,
    handler: one.handler === null ? null : parts.value(one.handler),
  }))
  parts.settle()
  if (parts.tooMuch !== undefined) return packFacts(onlyName(facts, parts.tooMuch))
  const { slots, names, locals } = parts
  const flat: FlatFacts = { ...facts, names, parts: slots, symbols, locals, references, exports, routes }
  const text = JSON.stringify(flat)
  if (text.length > factsCharsMax) return packFacts(onlyName(facts, 'too_many_facts'))
  return { body: compressed(text), links: links.links(facts), text }
}

/** Told the size before, the compressor takes memory for that much; it is asked for the least work: the cache is scratch. */
function compressed(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  const params = { [constants.ZSTD_c_compressionLevel]: 1 }
  const packed = zstdCompressSync(bytes, { pledgedSrcSize: bytes.length, params })
  return new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength)
}

export function takenFacts({ text }: PackedFacts): FileFacts {
  return wholeFacts(text)
}

export function unpackFacts(body: Uint8Array): FileFacts {
  return wholeFacts(zstdDecompressSync(body).toString('utf8'))
}

function wholeFacts(text: string): FileFacts {
  const { names, parts: slots, ...flat } = JSON.parse(text) as FlatFacts
  const parts = new PartReader(slots, names)
  return {
    ...flat,
    symbols: flat.symbols.map((one) => wholeSymbol(one, parts)),
    locals: flat.locals.map((place) => (place === null ? unused : parts.value(place))),
    references: wholeReferences(flat.references, parts),
    exports: flat.exports.map((one) => ('value' in one ? { ...one, value: parts.value(one.value) } : one)),
    routes: flat.routes.map((one) => ({ ...one, handler: one.handler === null ? null : parts.value(one.handler) })),
  }
}

function flatSymbol(symbol: CodeSymbol, parts: PartWriter): FlatSymbol {
  const { value, type, result, parameterTypes, heritage } = symbol
  // What is undefined is not written; leaving it out of the copy would cost more than the copy.
  return {
    ...symbol,
    value: value && parts.value(value),
    type: type && parts.type(type),
    result: result && parts.value(result),
    parameterTypes: parameterTypes?.map((one) => (one === null ? null : parts.type(one))),
    heritage: heritage?.map((one) => ({ ...one, value: parts.value(one.value), args: one.args?.map(parts.type) })),
  }
}

/** Puts the parts where their places are: what was just read is nobody else's. */
function wholeSymbol(flat: FlatSymbol, parts: PartReader): CodeSymbol {
  const { value, type, result, parameterTypes, heritage } = flat
  const symbol = flat as unknown as CodeSymbol
  if (value !== undefined) symbol.value = parts.value(value)
  if (type !== undefined) symbol.type = parts.type(type)
  if (result !== undefined) symbol.result = parts.value(result)
  if (parameterTypes !== undefined)
    symbol.parameterTypes = parameterTypes.map((one) => (one === null ? null : parts.type(one)))
  if (heritage !== undefined)
    symbol.heritage = heritage.map(({ args, ...one }) => ({
      ...{ ...one, value: parts.value(one.value) },
      ...(args === undefined ? {} : { args: args.map(parts.type) }),
    }))
  return symbol
}

function wholeReferences(slots: readonly number[], parts: PartReader): Reference[] {
  const references = new Array<Reference>(slots.length / referenceSlots)
  for (let row = 0; row < references.length; row += 1) {
    const at = row * referenceSlots
    const number = (slot: number): number => slots[at + slot] ?? 0
    const kind = referenceKinds[number(1)]
    if (kind === undefined) throw new Error(`no kind of reference has the number ${number(1)}`)
    const value = parts.value(number(2))
    const name = parts.name(number(3))
    const reference: Reference = { from: number(0), kind, value, name, line: number(4), col: number(5) }
    references[row] = number(6) === 1 ? { ...reference, asType: true } : reference
  }
  return references
}

function onlyName(facts: FileFacts, givenUp: GivenUp): FileFacts {
  const { path, language, lines, generated, symbols, errors } = facts
  const nothing = { locals: [], references: [], imports: [], exports: [], routes: [] }
  return { path, language, lines, generated, symbols: symbols.slice(0, 1), ...nothing, errors, givenUp }
}
