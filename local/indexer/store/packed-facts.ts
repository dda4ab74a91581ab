/** Facts as bytes: how they cross threads and how the cache keeps them. */
import { crc32 } from 'node:zlib'
import type { Symbol as CodeSymbol, ExportFact, FileFacts, Reference, RouteFact } from '../core/facts.ts'
import { type FileLinks, LinkCollector } from '../core/file-links.ts'
import { PartReader, PartWriter } from '../core/part-table.ts'
import type { GivenUp } from '../core/vocabulary.ts'
import { factDepthMax, factPartsMax, factsBytesMax } from '../limits.ts'
import { NumberReader, NumberWriter, none } from './number-bytes.ts'
import { packSymbol, unpackSymbol } from './packed-symbols.ts'

export interface PackedFacts {
  readonly body: Uint8Array
  readonly links: FileLinks
}

/** What is written of a file as a text: names and texts, each once, and what there is little of. */
interface Texts extends Omit<FileFacts, 'symbols' | 'locals' | 'references' | 'imports' | 'exports' | 'routes'> {
  readonly names: readonly string[]
  readonly exports: readonly (
    | Exclude<ExportFact, { value: unknown }>
    | { readonly name: string; readonly value: number }
  )[]
  readonly routes: readonly (Omit<RouteFact, 'handler'> & { readonly handler: number | null })[]
}

const referenceKinds: readonly Reference['kind'][] = ['calls', 'references', 'instantiates', 'decorates']
/** A local that nothing hangs on is not kept; its place is, because the others are told by theirs. */
const unused = { k: 'glob', n: '' } as const

/** Before the numbers: what all that follows sums up to, and how many bytes of it are numbers. */
const headBytes = 8

export function packFacts(facts: FileFacts): PackedFacts {
  const { symbols, locals, references, imports, exports, routes, ...own } = facts
  const links = new LinkCollector(facts.language)
  const bounds = { parts: factPartsMax, depth: factDepthMax }
  const parts = new PartWriter(locals, links, bounds, symbols.length + locals.length + references.length)
  const numbers = new NumberWriter()
  numbers.put(symbols.length)
  for (const one of symbols) packSymbol(one, symbols, parts, numbers)
  const flatExports = exports.map((one) => ('value' in one ? { ...one, value: parts.value(one.value) } : one))
  parts.settle()
  links.offered(facts)
  numbers.put(references.length)
  for (let at = 0; at < references.length; at += 1) {
    const { from, kind, value, name, line, col, asType } = references[at] as Reference
    numbers.put(from)
    numbers.put(referenceKinds.indexOf(kind) * 2 + (asType === true ? 1 : 0))
    numbers.put(parts.value(value))
    numbers.put(parts.name(name))
    numbers.put(line)
    numbers.put(col)
  }
  numbers.put(imports.length)
  for (const { specifier, line, col, names, symbol } of imports) {
    numbers.put(parts.name(specifier))
    numbers.put(line)
    numbers.put(col)
    numbers.put(symbol)
    numbers.list(names.map(parts.name))
  }
  const flatRoutes = routes.map((one) => ({
    ...one,
    handler: one.handler === null ? null : parts.value(one.handler),
  }))
  parts.settle()
  if (parts.tooMuch !== undefined) return packFacts(onlyName(facts, parts.tooMuch))
  const ends = new NumberWriter()
  ends.list(parts.slots)
  ends.put(parts.locals.length)
  for (let slot = 0; slot < parts.locals.length; slot += 1) ends.put(parts.locals[slot] ?? none)
  const texts: Texts = { ...own, names: parts.names, exports: flatExports, routes: flatRoutes }
  const body = joined([ends.done(), numbers.done()], JSON.stringify(texts))
  if (body.length > factsBytesMax) return packFacts(onlyName(facts, 'too_many_facts'))
  return { body, links: links.links(facts) }
}

function joined(numbers: readonly Uint8Array[], text: string): Uint8Array {
  const count = numbers.reduce((sum, one) => sum + one.length, 0)
  const body = Buffer.allocUnsafeSlow(headBytes + count + Buffer.byteLength(text))
  body.writeUInt32LE(count, 4)
  let at = headBytes
  for (const one of numbers) {
    body.set(one, at)
    at += one.length
  }
  body.write(text, at)
  body.writeUInt32LE(crc32(body.subarray(4)), 0)
  return new Uint8Array(body.buffer)
}

/** What was just packed. */
export function takenFacts({ body }: PackedFacts): FileFacts {
  return wholeFacts(body)
}

/** What was kept, and may be damaged. */
export function unpackFacts(body: Uint8Array): FileFacts {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (bytes.readUInt32LE(0) !== crc32(bytes.subarray(4))) throw new Error('kept facts are damaged')
  return wholeFacts(body)
}

function wholeFacts(body: Uint8Array): FileFacts {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const textAt = headBytes + bytes.readUInt32LE(4)
  const { names, exports, routes, ...own } = JSON.parse(bytes.toString('utf8', textAt)) as Texts
  const numbers = new NumberReader(body.subarray(headBytes, textAt))
  const { next } = numbers
  const parts = new PartReader(numbers.list(next), names)
  const locals = numbers.list(() => {
    const place = next()
    return place === none ? unused : parts.value(place)
  })
  const symbols: CodeSymbol[] = []
  for (let left = next(); left > 0; left -= 1) symbols.push(unpackSymbol(numbers, parts, symbols))
  return {
    ...own,
    symbols,
    locals,
    references: numbers.list(() => unpackReference(next, parts)),
    imports: numbers.list(() => ({
      ...{ specifier: parts.name(next()), line: next(), col: next(), symbol: next() },
      names: numbers.list(() => parts.name(next())),
    })),
    exports: exports.map((one) => ('value' in one ? { ...one, value: parts.value(one.value) } : one)),
    routes: routes.map((one) => ({ ...one, handler: one.handler === null ? null : parts.value(one.handler) })),
  }
}

function unpackReference(next: () => number, parts: PartReader): Reference {
  const from = next()
  const kindAndSort = next()
  const kind = referenceKinds[kindAndSort >> 1]
  if (kind === undefined) throw new Error(`no kind of reference has the number ${kindAndSort >> 1}`)
  const value = parts.value(next())
  const name = parts.name(next())
  const line = next()
  const col = next()
  return (kindAndSort & 1) === 0
    ? { from, kind, value, name, line, col }
    : { from, kind, value, name, line, col, asType: true }
}

function onlyName(facts: FileFacts, givenUp: GivenUp): FileFacts {
  const { path, language, lines, generated, symbols, errors } = facts
  const nothing = { locals: [], references: [], imports: [], exports: [], routes: [] }
  return { path, language, lines, generated, symbols: symbols.slice(0, 1), ...nothing, errors, givenUp }
}
