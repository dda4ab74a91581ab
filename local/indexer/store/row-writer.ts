/** Writes the rows of an index. */
import { hash } from 'node:crypto'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Symbol as CodeSymbol, FileFacts } from '../core/facts.ts'
import type { GraphEdge, UnresolvedReference } from '../core/graph.ts'
import { type LeftOut, leftOutReasons } from '../core/left-out.ts'
import { pushTo } from '../core/push-to.ts'
import { isNonProductionFile, isTestFile } from '../core/test-file.ts'
import { edgeKinds, givenUpReasons, languages, nodeFlag, nodeKinds, resolutions } from '../core/vocabulary.ts'
import { leftOutListedMax } from '../limits.ts'
import { type ColumnsWriter, EdgeRows } from './graph-columns.ts'
import { fileFlag } from './schema.ts'
import { packUnresolved, unpackUnresolved } from './unresolved-rows.ts'

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

export class RowWriter {
  readonly #putFile: StatementSync
  readonly #putNode: StatementSync
  readonly #putWords: StatementSync
  readonly #removeWords: StatementSync
  readonly #putName: StatementSync
  readonly #putUnresolved: StatementSync
  readonly #removeUnresolved: StatementSync
  readonly #putGivenUp: StatementSync
  readonly #database: DatabaseSync
  readonly #columns: ColumnsWriter
  readonly #names: Map<string, number>
  #lastName: number

  constructor(database: DatabaseSync, columns: ColumnsWriter) {
    this.#columns = columns
    this.#putFile = database.prepare('INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)')
    this.#putNode = database.prepare('INSERT INTO nodes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
    this.#putWords = database.prepare('INSERT INTO node_words (rowid, words) VALUES (?, ?)')
    this.#removeWords = database.prepare("INSERT INTO node_words (node_words, rowid, words) VALUES ('delete', ?, ?)")
    this.#putName = database.prepare('INSERT INTO names VALUES (?, ?)')
    this.#putUnresolved = database.prepare('INSERT OR REPLACE INTO unresolved VALUES (?, ?, ?)')
    this.#removeUnresolved = database.prepare('DELETE FROM unresolved WHERE file = ?')
    this.#putGivenUp = database.prepare(
      `UPDATE files SET given_up_references = ?,
         given_up = CASE WHEN ? > 0 THEN coalesce(given_up, ?) ELSE nullif(given_up, ?) END WHERE n = ?`,
    )
    this.#database = database
    const names = database.prepare('SELECT n, name FROM names').all()
    this.#names = new Map(names.map((row) => [String(row['name']), Number(row['n'])]))
    this.#lastName = Math.max(0, ...this.#names.values())
  }

  /** A file and its symbols, which are the nodes from `first` on. */
  putFile(n: number, first: number, file: IndexedFile): void {
    const { facts } = file
    const used = new Set<string>()
    facts.symbols.forEach((symbol, s) => {
      const id = nodeId(facts.path, symbol, used)
      used.add(id)
      this.#putNode.run(
        first + s,
        id,
        nodeKinds.indexOf(symbol.kind),
        symbol.name,
        symbol.col,
        symbol.endCol,
        symbol.signature ?? null,
        symbol.doc ?? null,
        extraOf(symbol),
      )
      this.#columns.putNode(first + s, {
        kind: nodeKinds.indexOf(symbol.kind),
        flags: flagsOf(symbol),
        parent: s === 0 ? 0 : first + symbol.parent,
        line: symbol.line,
        endLine: symbol.endLine,
        name: symbol.name,
        qualifiedName: symbol.qualifiedName === symbol.name ? null : symbol.qualifiedName,
      })
      const words = searchWords(symbol)
      if (words !== '') this.#putWords.run(first + s, words)
    })
    this.#putFile.run(
      n,
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
      first,
      facts.symbols.length,
      facts.errors.length === 0 ? null : JSON.stringify(facts.errors),
      facts.givenUp === undefined ? null : givenUpReasons.indexOf(facts.givenUp),
    )
  }

  /** How many references of each file linked were given up; what is said of the files from before is forgotten. */
  putGivenUp(linked: Iterable<number>, references: ReadonlyMap<number, number>): void {
    for (const f of linked) {
      const count = references.get(f) ?? 0
      this.#putGivenUp.run(count, count, tooManySteps, tooManySteps, f + 1)
    }
  }

  putLeftOut(list: readonly LeftOut[]): void {
    this.#database.exec('DELETE FROM left_out')
    const put = this.#database.prepare('INSERT INTO left_out VALUES (?, ?, ?, ?)')
    for (const { path, reason, files, bytes } of list.slice(0, leftOutListedMax))
      put.run(path, leftOutReasons.indexOf(reason), files, bytes)
  }

  /** The words of a node can only be taken out of the search by naming them again. */
  removeWords(n: number, symbol: SearchedSymbol): void {
    const words = searchWords(symbol)
    if (words !== '') this.#removeWords.run(n, words)
  }

  putEdges(edges: Iterable<GraphEdge>, nodeOf: NodeOf): void {
    const rows = new EdgeRows()
    for (const edge of edges)
      rows.push({
        source: nodeOf(edge.sourceFile, edge.source),
        target: nodeOf(edge.targetFile, edge.target),
        kind: edgeKinds.indexOf(edge.kind),
        line: edge.line,
        col: edge.col,
        how: resolutions.indexOf(edge.resolution),
        confidence: Math.round(edge.confidence * 100),
      })
    this.#columns.edges.pushDistinct(rows)
  }

  /** What the files linked could not name a target for, in place of what was said before. */
  putUnresolved(linked: Iterable<number>, references: Iterable<UnresolvedReference>): void {
    const byFile = new Map<number, UnresolvedReference[]>()
    for (const one of references) pushTo(byFile, one.file, one)
    for (const f of linked) {
      const own = byFile.get(f)
      if (own === undefined) this.#removeUnresolved.run(f + 1)
      else this.#putUnresolved.run(f + 1, own.length, packUnresolved(own, this.#numberOfName))
    }
  }

  readonly #numberOfName = (name: string): number => {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    this.#lastName += 1
    this.#names.set(name, this.#lastName)
    this.#putName.run(this.#lastName, name)
    return this.#lastName
  }

  /** A name that nothing without a target has any more would put a symbol's being unused in doubt. */
  removeUnusedNames(): void {
    const used = new Set<number>()
    for (const row of this.#database.prepare('SELECT data FROM unresolved').iterate())
      for (const { name } of unpackUnresolved(row['data'])) used.add(name)
    const remove = this.#database.prepare('DELETE FROM names WHERE n = ?')
    for (const [name, n] of this.#names) {
      if (used.has(n)) continue
      this.#names.delete(name)
      remove.run(n)
    }
  }
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
  const parts = symbol.name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  const doc = symbol.doc === undefined ? '' : symbol.doc.slice(0, 300)
  return `${parts.includes(' ') ? parts : ''} ${doc}`.trim()
}
