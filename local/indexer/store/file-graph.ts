/**
 * What of the graph starts in one file, as the index holds it: columns of numbers one after the other, and names as one
 * list. A file each, so that a change of one file writes no more than what starts in it.
 */
import type { EdgeColumns, NodeColumns } from '../core/columns.ts'
import { noNode } from '../core/columns.ts'
import { DamagedIndexError } from '../core/rows.ts'

/** Columns of words lie before those of bytes. Machines that store the high byte first are not among ours. */
const nodeWords = ['parent', 'line', 'endLine'] as const
const nodeBytes = ['kind', 'flags'] as const
const edgeWords = ['source', 'target', 'line', 'col'] as const
const edgeBytes = ['kind', 'how', 'confidence'] as const

export const bytesEachNode = 4 * nodeWords.length + nodeBytes.length
export const bytesEachEdge = 4 * edgeWords.length + edgeBytes.length

/** A file that grew leaves its numbers to others. Where more than so many are nobody's, the index is made whole. */
export const nodeNumbersMax = (nodes: number): number => 2 * nodes + 100_000

type Numbers<K extends string> = Readonly<Record<K, number>>

export interface NodeEntry extends Numbers<(typeof nodeWords)[number] | (typeof nodeBytes)[number]> {
  readonly name: string
  /** Null where it is the name. */
  readonly qualifiedName: string | null
}

export type EdgeEntry = Numbers<(typeof edgeWords)[number] | (typeof edgeBytes)[number]>

export const packNodes = (nodes: readonly NodeEntry[]): Uint8Array => pack(nodes, nodeWords, nodeBytes)
export const packEdges = (edges: readonly EdgeEntry[]): Uint8Array => pack(edges, edgeWords, edgeBytes)

export function packNames(nodes: readonly NodeEntry[]): string {
  return JSON.stringify([...nodes.map((one) => one.name), ...nodes.map((one) => one.qualifiedName)])
}

function pack<W extends string, B extends string>(
  rows: readonly Numbers<W | B>[],
  words: readonly W[],
  bytes: readonly B[],
): Uint8Array {
  const packed = new Uint8Array(rows.length * (4 * words.length + bytes.length))
  const numbers = new Uint32Array(packed.buffer, 0, rows.length * words.length)
  let at = 0
  for (const column of words) for (const row of rows) numbers[at++] = row[column]
  at = numbers.byteLength
  for (const column of bytes) for (const row of rows) packed[at++] = row[column]
  return packed
}

/** One column of what was packed; `of` tells which by its place among the columns of its width. */
class Packed {
  readonly count: number
  readonly #data: Uint8Array
  readonly #words: number

  constructor(data: unknown, words: number, bytes: number) {
    if (!(data instanceof Uint8Array) || data.length % (4 * words + bytes) !== 0)
      throw new DamagedIndexError('the index holds a list of numbers that is cut off')
    // A copy where it does not lie on a border of four bytes.
    this.#data = data.byteOffset % 4 === 0 ? data : data.slice()
    this.#words = words
    this.count = data.length / (4 * words + bytes)
  }

  word(of: number): Uint32Array {
    return new Uint32Array(this.#data.buffer, this.#data.byteOffset + 4 * of * this.count, this.count)
  }

  byte(of: number): Uint8Array {
    return this.#data.subarray((4 * this.#words + of) * this.count, (4 * this.#words + of + 1) * this.count)
  }
}

/** The kinds of the symbols of a file, or of the edges that start in it. */
export const kindsOfNodes = (data: unknown): Uint8Array => new Packed(data, nodeWords.length, nodeBytes.length).byte(0)
export const kindsOfEdges = (data: unknown): Uint8Array => new Packed(data, edgeWords.length, edgeBytes.length).byte(0)

/** What edges end in; undefined: they end in nothing else than before. */
export function withTargets(data: Uint8Array, change: (target: number) => number): Uint8Array | undefined {
  const targets = new Packed(data, edgeWords.length, edgeBytes.length).word(edgeWords.indexOf('target'))
  let changed: Uint8Array | undefined
  let into: Uint32Array | undefined
  for (let at = 0; at < targets.length; at += 1) {
    const target = targets[at] ?? 0
    const now = change(target)
    if (now === target) continue
    changed ??= data.slice()
    into ??= new Packed(changed, edgeWords.length, edgeBytes.length).word(edgeWords.indexOf('target'))
    into[at] = now
  }
  return changed
}

/** Where the numbers of a file are among all. */
export interface GraphShare {
  readonly firstNode: number
  readonly nodeCount: number
  readonly edgeCount: number
}

/** The columns of all files together, put in file by file in the order of their nodes. */
export class GraphColumns {
  readonly nodes: NodeColumns & { readonly names: string[]; readonly qualifiedNames: (string | null)[] }
  readonly edges: EdgeColumns
  #edge = 0

  constructor(shares: readonly GraphShare[]) {
    const size = shares.reduce((most, { firstNode, nodeCount }) => Math.max(most, firstNode + nodeCount), 1)
    const edges = shares.reduce((sum, one) => sum + one.edgeCount, 0)
    const words = (length: number): Uint32Array => new Uint32Array(length)
    const bytes = (length: number): Uint8Array => new Uint8Array(length)
    this.nodes = {
      ...{ kind: bytes(size).fill(noNode), flags: bytes(size) },
      ...{ parent: words(size), line: words(size), endLine: words(size) },
      ...{ names: new Array<string>(size).fill(''), qualifiedNames: new Array<string | null>(size).fill(null) },
    }
    this.edges = {
      ...{ source: words(edges), target: words(edges), line: words(edges), col: words(edges) },
      ...{ kind: bytes(edges), how: bytes(edges), confidence: bytes(edges) },
    }
  }

  put({ firstNode, nodeCount, edgeCount }: GraphShare, nodes: unknown, names: unknown, edges: unknown): void {
    const ofNodes = new Packed(nodes, nodeWords.length, nodeBytes.length)
    const ofEdges = new Packed(edges, edgeWords.length, edgeBytes.length)
    if (ofNodes.count !== nodeCount || ofEdges.count !== edgeCount || this.#edge + edgeCount > this.edges.kind.length)
      throw new DamagedIndexError('a file has not the symbols or edges that the index says')
    nodeWords.forEach((column, at) => void this.nodes[column].set(ofNodes.word(at), firstNode))
    nodeBytes.forEach((column, at) => void this.nodes[column].set(ofNodes.byte(at), firstNode))
    edgeWords.forEach((column, at) => void this.edges[column].set(ofEdges.word(at), this.#edge))
    edgeBytes.forEach((column, at) => void this.edges[column].set(ofEdges.byte(at), this.#edge))
    this.#edge += edgeCount
    const list = namesOf(names, nodeCount)
    for (let s = 0; s < nodeCount; s += 1) {
      this.nodes.names[firstNode + s] = list[s] ?? ''
      this.nodes.qualifiedNames[firstNode + s] = list[nodeCount + s] ?? null
    }
  }
}

function namesOf(text: unknown, count: number): (string | null)[] {
  let list: unknown
  try {
    list = JSON.parse(String(text))
  } catch {
    throw new DamagedIndexError('the names of a file cannot be read')
  }
  const isList =
    Array.isArray(list) && list.length === 2 * count && list.every((one) => typeof one === 'string' || one === null)
  if (!isList) throw new DamagedIndexError('the names of a file are no list of texts')
  return list as (string | null)[]
}
