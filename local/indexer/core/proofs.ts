/** Edges of the index judged by what a compiler said the same places mean. */

import { pushTo } from '#shared/kernel/push-to.ts'
import type { CodeGraph } from './code-graph.ts'
import type { ScipDocument, ScipIndex, ScipOccurrence } from './compiler-index.ts'
import { constructorNames } from './constructor-names.ts'
import type { GraphReader } from './graph-reader.ts'
import type { EdgeRow, FileRow, NodeRow } from './rows.ts'
import { type EdgeKind, type NodeKind, typeKinds, uncertainBelow } from './vocabulary.ts'

/** A place, and the symbol that is meant there: its file and its name with what is around it. */
interface ProvedPlace {
  readonly line: number
  readonly col: number
  readonly target: string
}

interface ProvedEdge extends ProvedPlace {
  readonly kind: EdgeKind
  readonly isRight: boolean
}

export interface FileProof {
  readonly path: string
  /** Of the text that was judged. */
  readonly hash: string
  readonly tool: string
  readonly edges: readonly ProvedEdge[]
  /** Functions and methods that are named in the file, and those of them that no edge leads to. */
  readonly sites: number
  readonly missed: readonly ProvedPlace[]
}

export const judgedKinds: ReadonlySet<EdgeKind> = new Set(['calls', 'instantiates', 'references'])
/** Whatever the type is called. */
const makers = new Set(constructorNames({ name: 'constructor' }))
const namedKinds: ReadonlySet<NodeKind> = new Set([...typeKinds, 'function', 'method', 'component'])
const holdingKinds: ReadonlySet<NodeKind> = new Set(['constant', 'variable', 'property', 'field'])
const calledKinds = new Set(['function', 'method', 'component'])

export function targetName(graph: CodeGraph, n: number): string {
  return `${graph.fileOfNode(n).path}#${graph.qualifiedNameOf(n)}`
}

/**
 * Such an index does not say which text it is of. It is of this one if so many of its names stand where it says; aliases
 * and names that nobody wrote are what else there is.
 */
const namesFoundMin = 0.7

/** `read` answers nothing for a file that is not as it was indexed: a compiler that saw it now saw other lines. */
export function judgeEdges(
  reader: GraphReader,
  scip: ScipIndex,
  read: (file: FileRow) => string | undefined,
): FileProof[] {
  const files = scip.documents.flatMap((document): JudgedFile[] => {
    const file = reader.fileByPath(document.path)
    const text = file === undefined ? undefined : read(file)
    if (file === undefined || text === undefined) return []
    const judged = new JudgedFile(reader, file, document, text.split('\n'))
    return judged.isOfText() ? [judged] : []
  })
  const known = new Set(files.map((one) => one.file.n))
  const meant = new Map<string, number | undefined>()
  for (const one of files) for (const [symbol, n] of one.definitions()) meant.set(symbol, n)
  const tool = [scip.tool, scip.toolVersion].filter((one) => one !== '').join(' ')
  return files.map((one) => one.judged(reader, meant, known, tool))
}

class JudgedFile {
  readonly file: FileRow
  readonly #lines: readonly string[]
  readonly #occurrences: readonly ScipOccurrence[]

  readonly #nodes: readonly NodeRow[]
  readonly #named = new Map<string, NodeRow[]>()
  /** In the order of the text. */
  readonly #defined = new Map<string, ScipOccurrence[]>()

  constructor(reader: GraphReader, file: FileRow, document: ScipDocument, lines: readonly string[]) {
    this.file = file
    this.#nodes = reader.nodesOf(file)
    for (const node of this.#nodes) pushTo(this.#named, node.name, node)
    this.#lines = lines
    this.#occurrences = document.occurrences.flatMap((one) => inUnits(one, document.columns, lines) ?? [])
    const defined = this.#occurrences.filter((one) => one.isDefinition)
    for (const one of defined.sort((left, right) => left.line - right.line || left.col - right.col))
      pushTo(this.#defined, this.#text(one), one)
  }

  isOfText(): boolean {
    const named = this.#occurrences.flatMap((one) => {
      const name = writtenName(one.symbol)
      return name === undefined ? [] : this.#text(one) === name
    })
    return named.filter(Boolean).length >= named.length * namesFoundMin
  }

  /** Each symbol that is defined here, and what the index knows it as. */
  *definitions(): Generator<[string, number | undefined]> {
    for (const one of this.#occurrences) if (one.isDefinition) yield [this.#key(one.symbol), this.#symbolAt(one)]
  }

  judged(
    reader: GraphReader,
    meant: ReadonlyMap<string, number | undefined>,
    known: ReadonlySet<number>,
    tool: string,
  ): FileProof {
    const edges: ProvedEdge[] = []
    const own = this.#nodes.flatMap((node) => reader.outgoing(node.n))
    const used = byLine(
      this.#occurrences.filter((one) => !one.isDefinition),
      (one) => one.line + 1,
    )
    for (const edge of own) {
      // Of a file that the compiler did not see it says nothing.
      if (!judgedKinds.has(edge.kind) || !known.has(reader.graph.fileOfNode(edge.target).n)) continue
      const isRight = this.#verdict(reader, edge, used, meant)
      if (isRight === undefined) continue
      const { line, col, kind } = edge
      edges.push({ line, col, kind, target: targetName(reader.graph, edge.target), isRight })
    }
    return { path: this.file.path, hash: this.file.hash, tool, edges, ...this.#missed(reader, own, used, meant) }
  }

  #verdict(
    reader: GraphReader,
    edge: EdgeRow,
    used: ReadonlyMap<number, readonly ScipOccurrence[]>,
    meant: ReadonlyMap<string, number | undefined>,
  ): boolean | undefined {
    const name = reader.graph.nameOf(edge.target)
    const onLine = used.get(edge.line) ?? []
    // A name with others before it begins where the first of them does.
    const isHere = this.#wordAt(edge.line - 1, edge.col) === name
    const named = isHere ? [] : onLine.filter((one) => one.col >= edge.col && this.#text(one) === name)
    const places = [...onLine.filter((one) => one.col === edge.col), ...named.slice(0, 1)]
    const found = places.find((one) => this.#text(one) === name) ?? places.at(-1)
    if (found === undefined) return undefined
    const isMeant = places.some((one) => {
      const meantHere = meant.get(this.#key(one.symbol))
      return (
        meantHere !== undefined && (isSame(reader, meantHere, edge.target) || isMadeBy(reader, meantHere, edge.target))
      )
    })
    if (isMeant) return true
    const n = meant.get(this.#key(found.symbol))
    // A value names whatever it holds, and which function that is is not said here; what nobody defines is outside.
    const isOutside = !meant.has(this.#key(found.symbol)) && !found.symbol.startsWith('local ')
    const isNamed = n !== undefined && namedKinds.has(reader.graph.kindOf(n))
    if (!isNamed && !(isOutside && this.#text(found) === name)) return undefined
    // Of an object that is declared to be of a type a compiler names the type's member.
    if (n !== undefined && reader.graph.nameOf(n) === name && isDeclaredBy(reader, edge.target, n)) return undefined
    // A call of something declared above may end in what overrides it: a compiler names only the declaration.
    const isPossible = edge.confidence < uncertainBelow
    return isPossible && n !== undefined && reader.graph.nameOf(n) === name ? undefined : false
  }

  #missed(
    reader: GraphReader,
    own: readonly EdgeRow[],
    used: ReadonlyMap<number, readonly ScipOccurrence[]>,
    meant: ReadonlyMap<string, number | undefined>,
  ): Pick<FileProof, 'sites' | 'missed'> {
    const imports = new Set<number>()
    for (const { kind, line, endLine } of this.#nodes)
      for (let at = line; kind === 'import' && at <= endLine; at += 1) imports.add(at)
    const edges = byLine(own, (edge) => edge.line)
    /** By place, what is meant there: a program that runs may call several things from one. */
    const sites = new Map<string, { readonly place: ProvedPlace; isFound: boolean }>()
    for (const one of [...used.values()].flat()) {
      const n = meant.get(this.#key(one.symbol))
      const line = one.line + 1
      if (n === undefined || one.isImport || !calledKinds.has(reader.graph.kindOf(n))) continue
      if (makers.has(reader.graph.nameOf(n))) continue
      if (imports.has(line)) continue
      const at = `${line}:${one.col}`
      const isFound = edges.get(line)?.some((edge) => isSame(reader, edge.target, n)) === true
      const known = sites.get(at)
      if (known === undefined)
        sites.set(at, { place: { line, col: one.col, target: targetName(reader.graph, n) }, isFound })
      else known.isFound ||= isFound
    }
    const missed = [...sites.values()].flatMap(({ place, isFound }) => (isFound ? [] : [place]))
    return { sites: sites.size, missed }
  }

  #symbolAt({ line, col, endLine, endCol, symbol }: ScipOccurrence): number | undefined {
    const name = line === endLine ? (this.#lines[line] ?? '').slice(col, endCol) : ''
    const isConstructor = makers.has(name)
    const wanted = isConstructor ? this.#nodes.filter((node) => node.kind === 'class') : []
    return [...(this.#named.get(name) ?? []), ...wanted]
      .filter((node) => node.line <= line + 1 && line + 1 <= node.endLine && node.kind !== 'file')
      .filter((node) => isConstructor || !this.#isNamedBefore(node, { line, col, symbol }))
      .sort((left, right) => right.line - left.line || left.endLine - right.endLine)[0]?.n
  }

  /** What is defined inside of something and called as that is, is another thing. */
  #isNamedBefore(node: NodeRow, { line, col, symbol }: Pick<ScipOccurrence, 'line' | 'col' | 'symbol'>): boolean {
    const before = this.#defined.get(node.name)?.find((one) => one.line + 1 >= node.line)
    return (
      before !== undefined &&
      before.symbol !== symbol &&
      (before.line < line || (before.line === line && before.col < col))
    )
  }

  #wordAt(line: number, col: number): string | undefined {
    const word = /[\p{L}\p{N}_$]+/uy
    word.lastIndex = col
    return word.exec(this.#lines[line] ?? '')?.[0]
  }

  #text({ line, col, endLine, endCol }: ScipOccurrence): string {
    return line === endLine ? (this.#lines[line] ?? '').slice(col, endCol) : ''
  }

  /** Of locals only their file knows what they are. */
  #key(symbol: string): string {
    return symbol.startsWith('local ') ? `${this.file.n} ${symbol}` : symbol
  }
}

/** The last name of a symbol, where it is one that code writes. */
function writtenName(symbol: string): string | undefined {
  return /([A-Za-z_]\w*)(?:\([^()]*\)\.|[#.:!])$/.exec(symbol)?.[1]
}

function byLine<T>(list: readonly T[], lineOf: (one: T) => number): ReadonlyMap<number, readonly T[]> {
  const found = new Map<number, T[]>()
  for (const one of list) pushTo(found, lineOf(one), one)
  return found
}

/** What makes an object of a type stands for the type. */
function isSame({ graph }: GraphReader, left: number, right: number): boolean {
  const typeOf = (n: number): number => {
    const [name, type] = [graph.nameOf(n), graph.parentOf(n)]
    return makers.has(name) || name === graph.nameOf(type) ? type : n
  }
  const isOne = left === right || typeOf(left) === typeOf(right) || isOfOneModule(graph, left, right)
  return isOne || isWrittenOutside(graph, left, right) || isWrittenOutside(graph, right, left)
}

/** Whether the one is written outside of the type that declares the other, or whose objects it makes: so C++ has it. */
function isWrittenOutside(graph: CodeGraph, method: number, declared: number): boolean {
  const name = graph.nameOf(method)
  if (graph.nameOf(declared) !== name || graph.kindOf(method) !== 'method') return false
  if (typeKinds.has(graph.kindOf(graph.parentOf(method)))) return false
  const isMaker = typeKinds.has(graph.kindOf(declared))
  const full = graph.qualifiedNameOf(declared) + (isMaker ? `::${name}` : '')
  return `::${full}`.endsWith(`::${graph.qualifiedNameOf(method)}`)
}

/** A declaration file says what there is in the JavaScript beside it. */
function isOfOneModule(graph: CodeGraph, left: number, right: number): boolean {
  if (graph.qualifiedNameOf(left) !== graph.qualifiedNameOf(right)) return false
  const [one, other] = [graph.fileOfNode(left).path, graph.fileOfNode(right).path]
  return isDeclarationOf(one, other) || isDeclarationOf(other, one)
}

function isDeclarationOf(declared: string, file: string): boolean {
  const [, stem, form] = /^(.*)\.d\.([cm]?)ts$/.exec(declared) ?? []
  return stem !== undefined && file === `${stem}.${form}js`
}

/** Whether an object of the type is made by this, which a type above it declares. */
function isMadeBy(reader: GraphReader, type: number, maker: number): boolean {
  const { graph } = reader
  if (!makers.has(graph.nameOf(maker))) return false
  const seen = new Set([type])
  for (const one of seen) {
    if (one === graph.parentOf(maker)) return true
    if (!typeKinds.has(graph.kindOf(one))) return false
    for (const { kind, target } of reader.outgoing(one)) if (kind === 'extends') seen.add(target)
  }
  return false
}

/** Whether the one is a member of a value, and the other that of a type which the value is declared to be of. */
function isDeclaredBy(reader: GraphReader, member: number, declared: number): boolean {
  const { graph } = reader
  const holder = graph.parentOf(member)
  if (!holdingKinds.has(graph.kindOf(holder))) return false
  const seen = new Set([holder])
  for (const one of seen) {
    if (one === graph.parentOf(declared)) return true
    for (const { kind, target } of reader.outgoing(one))
      if ((kind === 'extends' || kind === 'references') && typeKinds.has(graph.kindOf(target))) seen.add(target)
  }
  return false
}

/** Columns in the units of the index. A line on which they cannot be told is passed over. */
function inUnits(
  one: ScipOccurrence,
  columns: ScipDocument['columns'],
  lines: readonly string[],
): ScipOccurrence | undefined {
  const text = lines[one.line] ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all signs that have one byte in every form.
  if (columns === 'utf16' || /^[\x00-\x7f]*$/.test(text)) return one
  if (columns === undefined || one.line !== one.endLine) return undefined
  const unit = (col: number): number =>
    columns === 'utf32'
      ? [...text].slice(0, col).join('').length
      : new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, col)).length
  return { ...one, col: unit(one.col), endCol: unit(one.endCol) }
}
