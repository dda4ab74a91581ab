/** What a change reaches: the symbols its lines lie in, and everything that leads to them, surely and perhaps. */
import type { CodeGraph } from './code-graph.ts'
import type { FileRow } from './rows.ts'

export interface ChangedFile {
  /** Relative to the root of the index. */
  readonly path: string
  readonly lines: readonly number[] | 'all'
  /** Lines after which something was taken away. */
  readonly gaps: readonly number[]
}

export interface ReachedFile {
  readonly file: FileRow
  readonly isCertain: boolean
  /** The symbol of the file that leads on, and to which; 0 where it is the change itself. */
  readonly node: number
  readonly toward: number
  /** Names from the file to the change, nearest to the file first. */
  readonly through: readonly string[]
}

const reached = { perhaps: 1, surely: 2 } as const
/** Names of a way that are told; a longer one leads through them. */
const namesToldMax = 12
/** What is no thing of its own to change: the change is one of what it stands in. */
const partKinds = new Set(['import', 'export', 'parameter'])
const bodyKinds = new Set(['function', 'method', 'component'])
const superKinds = new Set(['extends', 'implements'])

/** Innermost symbols of the lines, and the files that the index does not hold. */
export function changedSymbols(
  graph: CodeGraph,
  changed: readonly ChangedFile[],
): { readonly symbols: readonly number[]; readonly notIndexed: readonly string[] } {
  const symbols = new Set<number>()
  const notIndexed: string[] = []
  for (const { path, lines, gaps } of changed) {
    const file = graph.fileByPath(path)
    if (file === undefined) {
      notIndexed.push(path)
      continue
    }
    const inner = innermost(graph, file)
    if (lines === 'all') for (const n of inner) symbols.add(n)
    else for (const line of lines) symbols.add(inner[line] ?? file.firstNode)
    // What stood between two symbols was a part of what holds both.
    for (const line of gaps) symbols.add(holderOf(graph, file, inner[line], inner[line + 1]))
  }
  return { symbols: [...symbols], notIndexed }
}

/** By line the symbol that it is a line of. What stands in another comes after it. */
export function innermost(graph: CodeGraph, file: FileRow): Uint32Array {
  const found = new Uint32Array(file.lines + 1).fill(file.firstNode)
  for (let n = file.firstNode + 1; n < file.firstNode + file.nodeCount; n += 1) {
    if (partKinds.has(graph.kindOf(n))) continue
    found.fill(n, graph.nodes.line[n] ?? 0, (graph.nodes.endLine[n] ?? 0) + 1)
  }
  return found
}

function holderOf(graph: CodeGraph, file: FileRow, before = file.firstNode, after = file.firstNode): number {
  let holder = before
  while (holder !== after && !graph.isInside(after, holder) && holder !== file.firstNode)
    holder = graph.parentOf(holder)
  return holder
}

interface ReachedSymbol {
  readonly node: number
  readonly isCertain: boolean
  /** The symbol it leads to, nearer to the change; 0 where it is the change itself. */
  readonly toward: number
}

/** Symbols from which some way leads to the change, the change itself first, then what is sure by distance. */
export function symbolsReaching(graph: CodeGraph, symbols: readonly number[]): ReachedSymbol[] {
  const { order, state, toward } = walkBack(graph, symbols)
  return order.map((n) => ({ node: n, isCertain: state[n] === reached.surely, toward: toward[n] ?? 0 }))
}

interface WalkedBack {
  readonly order: readonly number[]
  readonly state: Uint8Array
  readonly toward: Uint32Array
}

function walkBack(graph: CodeGraph, symbols: readonly number[]): WalkedBack {
  const state = new Uint8Array(graph.size)
  const toward = new Uint32Array(graph.size)
  const order: number[] = []
  const visit = (n: number, how: number, from: number): void => {
    if (state[n] !== 0) return
    state[n] = how
    toward[n] = from
    order.push(n)
  }
  for (const n of symbols) visit(n, reached.surely, 0)
  for (const n of order) for (const next of leadingTo(graph, n, true)) visit(next, reached.surely, n)
  for (const n of order) for (const next of leadingTo(graph, n, false)) visit(next, reached.perhaps, n)
  return { order, state, toward }
}

/** Files from which some way leads to the change, those of the change itself among them. */
export function filesReaching(graph: CodeGraph, symbols: readonly number[]): ReachedFile[] {
  const { order, state, toward } = walkBack(graph, symbols)
  const files = new Map<number, ReachedFile>()
  for (const n of order) {
    const file = graph.fileOfNode(n)
    if (files.has(file.n)) continue
    files.set(file.n, {
      file,
      isCertain: state[n] === reached.surely,
      node: n,
      toward: toward[n] ?? 0,
      through: wayOf(graph, toward, n),
    })
  }
  return [...files.values()]
}

/** Those among them that a test runner is given. */
export function testsReaching(graph: CodeGraph, symbols: readonly number[]): ReachedFile[] {
  return filesReaching(graph, symbols).filter((one) => graph.isTestToRun(one.file))
}

function wayOf(graph: CodeGraph, toward: Uint32Array, from: number): string[] {
  const names: string[] = []
  for (let n = from; n !== 0 && names.length < namesToldMax; n = toward[n] ?? 0) names.push(graph.qualifiedNameOf(n))
  return names
}

function* leadingTo(graph: CodeGraph, n: number, isCertain: boolean): Iterable<number> {
  const isFile = graph.kindOf(n) === 'file'
  for (const edge of graph.incomingPlaces(n)) {
    if (isCertain ? !graph.isCertain(edge) : graph.isRefuted(edge)) continue
    // Naming a symbol in an import uses nothing of it; importing a file runs what stands in it.
    if (graph.edgeKindOf(edge) === 'imports' && !isFile) continue
    yield graph.edges.source[edge] ?? 0
  }
  if (!bodyKinds.has(graph.kindOf(n))) return
  // What is inside a function is a part of its text.
  const parent = graph.parentOf(n)
  if (bodyKinds.has(graph.kindOf(parent))) yield parent
  // A call of what is declared above may end in this one.
  if (!isCertain) yield* declaredAbove(graph, parent, graph.nameOf(n))
}

/** Members of the same name in what a type extends or implements. */
export function* declaredAbove(graph: CodeGraph, type: number, name: string): Iterable<number> {
  const [first, end] = graph.outgoingRange(type)
  for (let edge = first; edge < end; edge += 1) {
    if (!superKinds.has(graph.edgeKindOf(edge))) continue
    for (const member of graph.childrenOf(graph.edges.target[edge] ?? 0))
      if (graph.nameOf(member) === name) yield member
  }
}
