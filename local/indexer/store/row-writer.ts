/** Writes the rows of an index. */
import { hash } from 'node:crypto'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Symbol as CodeSymbol, FileFacts } from '../core/facts.ts'
import type { GraphTally } from '../core/figures.ts'
import type { GraphEdge, UnresolvedReference } from '../core/graph.ts'
import { type LeftOut, leftOutReasons } from '../core/left-out.ts'
import { DamagedIndexError } from '../core/rows.ts'
import { isNonProductionFile, isTestFile } from '../core/test-file.ts'
import { edgeKinds, givenUpReasons, languages, nodeFlag, nodeKinds, resolutions } from '../core/vocabulary.ts'
import { leftOutListedMax } from '../limits.ts'
import {
  bytesEachEdge,
  type EdgeEntry,
  kindsOfEdges,
  kindsOfNodes,
  type NodeEntry,
  packEdges,
  packNames,
  packNodes,
} from './file-graph.ts'
import { NameNumbers } from './name-numbers.ts'
import { word } from './read-graph.ts'
import { fileFlag } from './schema.ts'
import { namesOfUnresolved, packUnresolved } from './unresolved-rows.ts'

const tooManySteps = givenUpReasons.indexOf('too_many_steps')

export interface IndexedFile {
  readonly facts: FileFacts
  readonly hash: string
  readonly size: number
  readonly modifiedMs: number
  readonly indexedMs: number
}

/** Number of the node that a symbol of a file is. */
export type NodeOf = (f: number, s: number) => number

/** What linking one file found. */
export interface FileLinksFound {
  readonly edges: readonly GraphEdge[]
  readonly unresolved: readonly UnresolvedReference[]
  /** How many of its references were given up. */
  readonly givenUp: number
}

/** Writes what is of a file: all of it, or what linking it again found. Every row is found by the file's first node. */
export class RowWriter {
  readonly #putFile: StatementSync
  readonly #putNode: StatementSync
  readonly #putWords: StatementSync
  readonly #putGraph: StatementSync
  readonly #putUnresolved: StatementSync
  readonly #database: DatabaseSync
  readonly #names: NameNumbers
  readonly tally: GraphTally

  constructor(database: DatabaseSync, tally: GraphTally) {
    const slots = (count: number): string => Array.from({ length: count }, () => '?').join(', ')
    this.#putFile = database.prepare(`INSERT INTO files VALUES (${slots(15)})`)
    this.#putNode = database.prepare(`INSERT INTO nodes VALUES (${slots(9)})`)
    this.#putWords = database.prepare('INSERT INTO node_words (rowid, words) VALUES (?, ?)')
    this.#putGraph = database.prepare('INSERT INTO graph VALUES (?, ?, ?, ?)')
    this.#putUnresolved = database.prepare('INSERT OR REPLACE INTO unresolved VALUES (?, ?)')
    this.#database = database
    this.#names = new NameNumbers(database)
    this.tally = tally
  }

  /** A file and its symbols, which are the nodes from `first` on. */
  putFile(first: number, file: IndexedFile, found: FileLinksFound, nodeOf: NodeOf): void {
    const { facts } = file
    const used = new Set<string>()
    const nodes = facts.symbols.map((symbol, s): NodeEntry => {
      const id = nodeId(facts.path, symbol, used)
      used.add(id)
      const kind = nodeKinds.indexOf(symbol.kind)
      const { name, col, endCol, signature = null, doc = null } = symbol
      this.#putNode.run(first + s, id, kind, name, col, endCol, signature, doc, extraOf(symbol))
      const words = searchWords(symbol)
      if (words !== '') this.#putWords.run(first + s, words)
      return {
        kind,
        flags: flagsOf(symbol),
        parent: s === 0 ? 0 : first + symbol.parent,
        line: symbol.line,
        endLine: symbol.endLine,
        name,
        qualifiedName: symbol.qualifiedName === name ? null : symbol.qualifiedName,
      }
    })
    const packed = packNodes(nodes)
    const edges = packEdges(distinctEdges(found.edges, nodeOf))
    this.#putGraph.run(first, packed, packNames(nodes), edges)
    this.tally.add({ nodes: kindsOfNodes(packed), edges: kindsOfEdges(edges) }, 1)
    this.#unresolved(first, found.unresolved)
    const givenUp = facts.givenUp === undefined ? null : givenUpReasons.indexOf(facts.givenUp)
    this.#putFile.run(
      first,
      facts.path,
      languages.indexOf(facts.language),
      file.hash,
      file.size,
      file.modifiedMs,
      file.indexedMs,
      facts.lines,
      (facts.generated ? fileFlag.generated : 0) |
        (isTestFile(facts.path) ? fileFlag.test : 0) |
        (isNonProductionFile(facts.path) ? fileFlag.nonProduction : 0),
      nodes.length,
      edges.length / bytesEachEdge,
      found.unresolved.length,
      facts.errors.length === 0 ? null : JSON.stringify(facts.errors),
      givenUp ?? (found.givenUp > 0 ? tooManySteps : null),
      found.givenUp,
    )
  }

  /** What linking a file again found, in place of what is there. What is as it was is not written. */
  relink(first: number, found: FileLinksFound, nodeOf: NodeOf): void {
    const edges = packEdges(distinctEdges(found.edges, nodeOf))
    const before = this.#edgesOf(first)
    this.tally.add({ nodes: none, edges: kindsOfEdges(before) }, -1)
    this.tally.add({ nodes: none, edges: kindsOfEdges(edges) }, 1)
    if (!isSame(before, edges)) this.#database.prepare('UPDATE graph SET edges = ? WHERE first = ?').run(edges, first)
    this.#unresolved(first, found.unresolved)
    const counts = [edges.length / bytesEachEdge, found.unresolved.length, found.givenUp] as const
    this.#database
      .prepare(
        `UPDATE files SET edges = ?1, unresolved = ?2, given_up_references = ?3,
           given_up = CASE WHEN ?3 > 0 THEN coalesce(given_up, ?4) ELSE nullif(given_up, ?4) END
         WHERE first = ?5 AND (edges, unresolved, given_up_references) IS NOT (?1, ?2, ?3)`,
      )
      .run(...counts, tooManySteps, first)
  }

  /** Everything of a file. The words of a node can only be taken out of the search by naming them again. */
  removeFile(first: number, count: number): void {
    const nodes = this.#database.prepare('SELECT n, kind, name, doc FROM nodes WHERE n BETWEEN ? AND ?')
    const removeWords = this.#database.prepare(
      "INSERT INTO node_words (node_words, rowid, words) VALUES ('delete', ?, ?)",
    )
    for (const row of nodes.all(first, first + count - 1)) {
      const kind = word(nodeKinds, row['kind'])
      const doc = row['doc'] === null ? {} : { doc: String(row['doc']) }
      const words = searchWords({ kind, name: String(row['name']), ...doc })
      if (words !== '') removeWords.run(Number(row['n']), words)
    }
    this.#database.prepare('DELETE FROM nodes WHERE n BETWEEN ? AND ?').run(first, first + count - 1)
    const graph = this.#database.prepare('SELECT nodes, edges FROM graph WHERE first = ?').get(first)
    this.tally.add({ nodes: kindsOfNodes(graph?.['nodes']), edges: kindsOfEdges(graph?.['edges']) }, -1)
    this.#unresolved(first, [])
    for (const table of ['files', 'graph']) this.#database.prepare(`DELETE FROM ${table} WHERE first = ?`).run(first)
  }

  putLeftOut(list: readonly LeftOut[]): void {
    this.#database.exec('DELETE FROM left_out')
    const put = this.#database.prepare('INSERT INTO left_out VALUES (?, ?, ?, ?)')
    for (const { path, reason, files, bytes } of list.slice(0, leftOutListedMax))
      put.run(path, leftOutReasons.indexOf(reason), files, bytes)
  }

  /** To be called once, when all files are as they will be. */
  finish(): void {
    this.#names.write()
  }

  #edgesOf(first: number): Uint8Array {
    const edges = this.#database.prepare('SELECT edges FROM graph WHERE first = ?').get(first)?.['edges']
    if (!(edges instanceof Uint8Array)) throw new DamagedIndexError('a file has no edges, not even none')
    return edges
  }

  #unresolved(first: number, found: readonly UnresolvedReference[]): void {
    const before = this.#names.isNew
      ? undefined
      : this.#database.prepare('SELECT data FROM unresolved WHERE first = ?').get(first)?.['data']
    const data = packUnresolved(found, this.#names.numberOf)
    if (before instanceof Uint8Array) {
      if (isSame(before, data)) return
      for (const name of namesOfUnresolved(before)) this.#names.count(name, -1)
    }
    for (const name of namesOfUnresolved(data)) this.#names.count(name, 1)
    if (found.length > 0) this.#putUnresolved.run(first, data)
    else if (before !== undefined) this.#database.prepare('DELETE FROM unresolved WHERE first = ?').run(first)
  }
}

const none = new Uint8Array()

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0
}

/** In the order of their sources. Found in two ways, an edge is as certain as the surer of them. */
function distinctEdges(found: readonly GraphEdge[], nodeOf: NodeOf): EdgeEntry[] {
  const edges = found.map(
    (edge): EdgeEntry => ({
      source: nodeOf(edge.sourceFile, edge.source),
      target: nodeOf(edge.targetFile, edge.target),
      kind: edgeKinds.indexOf(edge.kind),
      line: edge.line,
      col: edge.col,
      how: resolutions.indexOf(edge.resolution),
      confidence: Math.round(edge.confidence * 100),
    }),
  )
  edges.sort((left, right) => differenceOf(left, right) || right.confidence - left.confidence)
  return edges.filter((edge, at) => {
    const before = edges[at - 1]
    return before === undefined || differenceOf(before, edge) !== 0
  })
}

function differenceOf(left: EdgeEntry, right: EdgeEntry): number {
  return (
    left.source - right.source ||
    left.target - right.target ||
    left.kind - right.kind ||
    left.line - right.line ||
    left.col - right.col
  )
}

function nodeId(path: string, symbol: CodeSymbol, used: ReadonlySet<string>): string {
  if (symbol.kind === 'file') return `file:${path}`
  if (symbol.kind === 'route') {
    const route = `route:${path}:${symbol.line}:${symbol.name.includes(' ') ? symbol.name.replace(' ', ':') : `:${symbol.name}`}`
    if (!used.has(route)) return route
  }
  const key = `${path}:${symbol.kind}:${symbol.name}:${symbol.line}`
  const digest = (text: string): string => `${symbol.kind}:${hash('sha256', text, 'hex').slice(0, 32)}`
  const plain = digest(key)
  if (!used.has(plain)) return plain
  for (let copy = 0; ; copy += 1) {
    const id = digest(`${key}:${symbol.col}${copy === 0 ? '' : `:${copy}`}`)
    if (!used.has(id)) return id
  }
}

function flagsOf(symbol: CodeSymbol): number {
  return (
    (symbol.exported === true ? nodeFlag.exported : 0) |
    (symbol.async === true ? nodeFlag.async : 0) |
    (symbol.static === true ? nodeFlag.static : 0) |
    (symbol.abstract === true ? nodeFlag.abstract : 0) |
    (symbol.visibility === undefined || symbol.visibility === 'public' ? 0 : nodeFlag.notPublic) |
    (symbol.visibility === 'private' ? nodeFlag.private : 0) |
    ((symbol.decorators?.length ?? 0) > 0 ? nodeFlag.decorated : 0)
  )
}

/** What few nodes have, kept together so that the others pay one byte for it. */
function extraOf(symbol: CodeSymbol): string | null {
  const { visibility, decorators, typeParameters, returnType } = symbol
  if (visibility === undefined && decorators === undefined && typeParameters === undefined && returnType === undefined)
    return null
  const extra: Record<string, unknown> = {}
  if (symbol.visibility !== undefined) extra['visibility'] = symbol.visibility
  if (symbol.decorators !== undefined && symbol.decorators.length > 0) extra['decorators'] = symbol.decorators
  if (symbol.typeParameters !== undefined) extra['typeParameters'] = symbol.typeParameters
  if (symbol.returnType !== undefined) extra['returnType'] = symbol.returnType
  return Object.keys(extra).length === 0 ? null : JSON.stringify(extra)
}

type SearchedSymbol = Pick<CodeSymbol, 'kind' | 'name' | 'doc'>

/** The parts of a name (`parseIgnoreRules` is parse, ignore, rules) and the first words said about it. */
function searchWords(symbol: SearchedSymbol): string {
  if (symbol.kind === 'import') return ''
  const doc = symbol.doc === undefined ? '' : symbol.doc.slice(0, 300)
  // A name of one word is found as it is.
  if (/^[a-z0-9]*$/.test(symbol.name)) return doc.trim()
  const parts = symbol.name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return `${parts.includes(' ') ? parts : ''} ${doc}`.trim()
}
