/**
 * A published index as columns of numbers: what walks the graph reads all of it, and an object for every symbol and
 * every edge would cost a viewer more than the answer. Texts about a symbol stay in the file until they are asked for.
 */
import { type EdgeColumns, type NodeColumns, noNode } from './columns.ts'
import { languageFamily } from './language-of.ts'
import { NameSearch } from './name-search.ts'
import { DamagedIndexError, type EdgeRow, type FileRow } from './rows.ts'
import { isNamedAsTest, isTestSupport } from './test-file.ts'
import {
  type EdgeKind,
  edgeKinds,
  type NodeKind,
  nodeFlag,
  nodeKinds,
  resolutions,
  uncertainBelow,
  type Verdict,
  verdicts,
} from './vocabulary.ts'

const certainFrom = Math.round(uncertainBelow * 100)

export class CodeGraph {
  readonly files: readonly FileRow[]
  readonly nodes: NodeColumns
  readonly edges: EdgeColumns
  /** File number by node number; 0 where there is no node. */
  readonly fileOf: Uint32Array
  readonly #outStart: Uint32Array
  #incoming: Grouped | undefined
  #children: Grouped | undefined
  #dependents: Uint32Array | undefined
  #nameSearch: NameSearch | undefined
  #filesByPath: Map<string, FileRow> | undefined
  #verdicts: (() => Uint8Array) | Uint8Array | undefined
  /** Families of languages in which some file is named as a test. */
  #namedTests: Set<string> | undefined

  constructor(files: readonly FileRow[], nodes: NodeColumns, edges: EdgeColumns) {
    this.files = files
    this.nodes = nodes
    this.edges = edges
    this.fileOf = placesOf(files, nodes)
    this.#outStart = checkedStarts(nodes, edges, this.fileOf)
  }

  /** One more than the largest node number. */
  get size(): number {
    return this.nodes.kind.length
  }

  file(n: number): FileRow {
    const file = this.files[n - 1]
    if (file === undefined) throw new DamagedIndexError(`the index names file ${n}, which it does not hold`)
    return file
  }

  fileByPath(path: string): FileRow | undefined {
    this.#filesByPath ??= new Map(this.files.map((file) => [file.path, file]))
    return this.#filesByPath.get(path)
  }

  /** The file a node is in; a node that is none is damage. */
  fileOfNode(n: number): FileRow {
    return this.file(this.fileOf[n] ?? 0)
  }

  kindOf(n: number): NodeKind {
    const kind = nodeKinds[this.nodes.kind[n] ?? noNode]
    if (kind === undefined) throw new DamagedIndexError(`the index names node ${n}, which it does not hold`)
    return kind
  }

  nameOf(n: number): string {
    return this.nodes.names[n] ?? ''
  }

  qualifiedNameOf(n: number): string {
    return this.nodes.qualifiedNames[n] ?? this.nameOf(n)
  }

  parentOf(n: number): number {
    return this.nodes.parent[n] ?? 0
  }

  has(n: number, flag: keyof typeof nodeFlag): boolean {
    return ((this.nodes.flags[n] ?? 0) & nodeFlag[flag]) !== 0
  }

  /** Whether a symbol lies inside another, however deep. */
  isInside(n: number, container: number): boolean {
    let at = this.parentOf(n)
    while (at > container) at = this.parentOf(at)
    return at === container
  }

  /** Numbers of all nodes, in the order of the source. */
  *inSourceOrder(): Iterable<number> {
    for (const file of this.files) for (let n = file.firstNode; n < file.firstNode + file.nodeCount; n += 1) yield n
  }

  /** Symbols directly inside a symbol. */
  childrenOf(n: number): Uint32Array {
    this.#children ??= group(this.nodes.parent, this.size, (at) => this.nodes.kind[at] !== noNode && at > 0)
    return membersOf(this.#children, n)
  }

  /** Places of the edges that start in a node: from the first to before the second. */
  outgoingRange(n: number): readonly [number, number] {
    return [this.#outStart[n] ?? 0, this.#outStart[n + 1] ?? 0]
  }

  /** Places of the edges that end in a node, by ascending source. */
  incomingPlaces(n: number): Uint32Array {
    return membersOf(this.#edgesByTarget, n)
  }

  get #edgesByTarget(): Grouped {
    this.#incoming ??= group(this.edges.target, this.size, () => true)
    return this.#incoming
  }

  /**
   * What compilers have said, in place of what they said before: by edge 0 for nothing, else the place of the verdict in the
   * vocabulary, from 1. Found out by the first question that depends on it.
   */
  hear(said: () => Uint8Array): void {
    this.#verdicts = said
    this.#dependents = undefined
  }

  verdictOf(edge: number): Verdict | undefined {
    if (typeof this.#verdicts === 'function') this.#verdicts = this.#verdicts()
    return verdicts[(this.#verdicts?.[edge] ?? 0) - 1]
  }

  /** The one rule of what is certain: what a compiler said about an edge, and where it said nothing how the edge was found. */
  isCertain(edge: number): boolean {
    const verdict = this.verdictOf(edge)
    return verdict === undefined ? (this.edges.confidence[edge] ?? 0) >= certainFrom : verdict === 'proved'
  }

  /** No way leads over it: a compiler says that something else is meant there. */
  isRefuted(edge: number): boolean {
    return this.verdictOf(edge) === 'refuted'
  }

  get uncertainEdges(): number {
    let count = 0
    for (let edge = 0; edge < this.edges.source.length; edge += 1) if (!this.isCertain(edge)) count += 1
    return count
  }

  edgeKindOf(edge: number): EdgeKind {
    return edgeKinds[this.edges.kind[edge] ?? 0] ?? 'contains'
  }

  edge(at: number): EdgeRow {
    const { source, target, line, col, how, confidence } = this.edges
    return {
      source: source[at] ?? 0,
      target: target[at] ?? 0,
      kind: this.edgeKindOf(at),
      line: line[at] ?? 0,
      col: col[at] ?? 0,
      resolution: resolutions[how[at] ?? 0] ?? 'syntax',
      confidence: (confidence[at] ?? 0) / 100,
      verdict: this.verdictOf(at),
      isCertain: this.isCertain(at),
    }
  }

  /** Distinct symbols that depend on a node over certain edges, by node number. */
  get dependents(): Uint32Array {
    this.#dependents ??= this.#countDependents()
    return this.#dependents
  }

  #countDependents(): Uint32Array {
    const counts = new Uint32Array(this.size)
    const { start, items } = this.#edgesByTarget
    for (let n = 0; n < this.size; n += 1) {
      // Sources ascend, so that one that comes again comes at once.
      let before = n
      for (let at = start[n] ?? 0; at < (start[n + 1] ?? 0); at += 1) {
        const edge = items[at] ?? 0
        const source = this.edges.source[edge] ?? 0
        if (source === n || source === before || !this.isCertain(edge)) continue
        before = source
        counts[n] = (counts[n] ?? 0) + 1
      }
    }
    return counts
  }

  /**
   * Whether a file is one that a test runner is given. Where the tests of a language say so by their names, what does not
   * is for them to use; where none does, what is in a folder of helpers is.
   */
  isTestToRun({ path, language, isTest }: FileRow): boolean {
    if (!isTest) return false
    if (isNamedAsTest(path)) return true
    this.#namedTests ??= new Set(
      this.files.filter((one) => isNamedAsTest(one.path)).map((one) => languageFamily(one.language)),
    )
    return !this.#namedTests.has(languageFamily(language)) && !isTestSupport(path)
  }

  get nameSearch(): NameSearch {
    this.#nameSearch ??= new NameSearch(this.nodes, this.fileOf)
    return this.#nameSearch
  }
}

/** Entries sorted by a key: those of key `k` are `items[start[k]]` to before `items[start[k + 1]]`. */
interface Grouped {
  readonly start: Uint32Array
  readonly items: Uint32Array
}

function group(keys: Uint32Array, keyCount: number, isWanted: (at: number) => boolean): Grouped {
  const start = new Uint32Array(keyCount + 1)
  for (let at = 0; at < keys.length; at += 1)
    if (isWanted(at)) start[(keys[at] ?? 0) + 1] = (start[(keys[at] ?? 0) + 1] ?? 0) + 1
  for (let key = 0; key < keyCount; key += 1) start[key + 1] = (start[key + 1] ?? 0) + (start[key] ?? 0)
  const next = start.slice(0, keyCount)
  const items = new Uint32Array(start[keyCount] ?? 0)
  for (let at = 0; at < keys.length; at += 1) {
    if (!isWanted(at)) continue
    const key = keys[at] ?? 0
    items[next[key] ?? 0] = at
    next[key] = (next[key] ?? 0) + 1
  }
  return { start, items }
}

function membersOf({ start, items }: Grouped, key: number): Uint32Array {
  return items.subarray(start[key] ?? 0, start[key + 1] ?? 0)
}

function placesOf(files: readonly FileRow[], nodes: NodeColumns): Uint32Array {
  const size = nodes.kind.length
  const columns = [nodes.flags, nodes.parent, nodes.line, nodes.endLine, nodes.names, nodes.qualifiedNames]
  if (columns.some((one) => one.length !== size)) throw new DamagedIndexError('columns of symbols differ in length')
  const fileOf = new Uint32Array(size)
  for (const file of files) {
    const end = file.firstNode + file.nodeCount
    if (!(file.firstNode > 0 && file.nodeCount >= 0 && end <= size))
      throw new DamagedIndexError('a file names symbols that the index does not hold')
    fileOf.fill(file.n, file.firstNode, end)
  }
  for (let n = 1; n < size; n += 1) {
    const kind = nodes.kind[n] ?? noNode
    const isNode = kind < nodeKinds.length
    // A symbol lies after what holds it, so that no way up goes round in a circle.
    if (isNode !== (fileOf[n] ?? 0) > 0 || (!isNode && kind !== noNode) || (isNode && (nodes.parent[n] ?? 0) >= n))
      throw new DamagedIndexError('a symbol has no file, or is inside one that comes after it')
  }
  return fileOf
}

/** Where the edges of each source start; everything an edge says is known to be there from here on. */
function checkedStarts(nodes: NodeColumns, edges: EdgeColumns, fileOf: Uint32Array): Uint32Array {
  const { source, target, kind, how, confidence } = edges
  const count = source.length
  const columns = [target, edges.line, edges.col, kind, how, confidence]
  if (columns.some((one) => one.length !== count)) throw new DamagedIndexError('columns of edges differ in length')
  const start = new Uint32Array(nodes.kind.length + 1)
  let before = 0
  for (let at = 0; at < count; at += 1) {
    const from = source[at] ?? 0
    if (from < before || !fileOf[from] || !fileOf[target[at] ?? 0])
      throw new DamagedIndexError('an edge has no end, or is out of order')
    if ((kind[at] ?? 0) >= edgeKinds.length || (how[at] ?? 0) >= resolutions.length || (confidence[at] ?? 0) > 100)
      throw new DamagedIndexError('an edge holds a word that the vocabulary does not know')
    start[from + 1] = (start[from + 1] ?? 0) + 1
    before = from
  }
  for (let n = 0; n < nodes.kind.length; n += 1) start[n + 1] = (start[n + 1] ?? 0) + (start[n] ?? 0)
  return start
}
