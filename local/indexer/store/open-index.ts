/** Opens a published index for reading and says exactly why, when it cannot be read. */
import { existsSync, statSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { CodeGraph } from '../core/code-graph.ts'
import { type Figures, parseFigures } from '../core/figures.ts'
import type { GraphReader } from '../core/graph-reader.ts'
import { type LeftOut, leftOutReasons } from '../core/left-out.ts'
import {
  DamagedIndexError,
  type EdgeRow,
  type FileRow,
  inSourceOrder,
  type NodeRow,
  type UnresolvedRow,
} from '../core/rows.ts'
import { edgeVerdicts } from '../core/verdicts.ts'
import { edgeKinds, extractionVersion, type NodeKind, schemaVersion } from '../core/vocabulary.ts'
import { keptTextsMax } from '../limits.ts'
import type { CheckedIndexes } from './checked-indexes.ts'
import { isCutChange, takeBackCutChange } from './cut-change.ts'
import type { IndexPlace } from './index-folder.ts'
import { readLock } from './lock.ts'
import { overProofs, proofStamp } from './proof-store.ts'
import { parseText, type Row, readGraph, word } from './read-graph.ts'
import { hasOurSchema } from './schema.ts'
import { type UnresolvedEntry, unpackUnresolved } from './unresolved-rows.ts'

/** `absent`: there is no index. The others: there is one that this program must not answer from. */
export type OpenFailure = 'absent' | 'building' | 'older' | 'newer' | 'damaged'

export interface OpenIndex {
  readonly reader: GraphReader
  /** Changes whenever another index is published. */
  readonly stamp: string
  /** Changes whenever a compiler says something else about it. */
  readonly proofs: string
  readonly sizeBytes: number
  close(): void
}

export function indexStamp(place: IndexPlace): string | undefined {
  try {
    const stat = statSync(place.database, { bigint: true })
    // A pipe would be waited for.
    if (!stat.isFile()) return undefined
    return `${stat.ino}-${stat.size}-${stat.mtimeNs}-${stat.ctimeNs}`
  } catch {
    return undefined
  }
}

/**
 * What stays between two openings of the same published file: that it is whole, and its graph. The file itself is
 * opened and let go each time.
 */
export class KeptIndex {
  #stamp = ''
  #graph: CodeGraph | undefined
  #proofs = ''
  /** By node number. */
  readonly texts = new Map<number, NodeTexts>()
  readonly #checked: CheckedIndexes | undefined

  constructor(checked?: CheckedIndexes) {
    this.#checked = checked
  }

  isWhole(place: IndexPlace, stamp: string, check: () => boolean): boolean {
    if (this.#checked?.has(place.database, stamp) === true) return true
    const isWhole = check()
    if (isWhole) this.#checked?.add(place.database, stamp)
    return isWhole
  }

  isOf(stamp: string): boolean {
    return this.#stamp === stamp
  }

  startOver(stamp: string): void {
    this.#stamp = stamp
    this.#graph = undefined
    this.#proofs = ''
    this.texts.clear()
  }

  /** `proofs` is another whenever a compiler said something else since. */
  graph(place: IndexPlace, proofs: string, make: () => CodeGraph): CodeGraph {
    this.#graph ??= make()
    const graph = this.#graph
    if (this.#proofs !== proofs) {
      this.#proofs = proofs
      graph.hear(() => overProofs(place, (said) => edgeVerdicts(graph, said)) ?? new Uint8Array(0))
    }
    return graph
  }
}

export function openIndex(place: IndexPlace, kept: KeptIndex = new KeptIndex()): Result<OpenIndex, OpenFailure> {
  const stamp = indexStamp(place)
  if (stamp === undefined) return failWith(isBeingBuilt(place) ? 'building' : 'absent')
  let database: DatabaseSync
  try {
    database = openToRead(place.database)
  } catch {
    return failWith('damaged')
  }
  const refuse = (failure: OpenFailure): Result<OpenIndex, OpenFailure> => {
    database.close()
    return failWith(failure)
  }
  try {
    const meta = readMeta(database)
    const version = Number(meta.get('schema_version') ?? Number.NaN)
    const extraction = Number(meta.get('extraction_version') ?? Number.NaN)
    if (!Number.isSafeInteger(version) || !Number.isSafeInteger(extraction)) return refuse('damaged')
    if (version > schemaVersion || extraction > extractionVersion) return refuse('newer')
    if (version < schemaVersion || extraction < extractionVersion) return refuse('older')
    if (meta.get('index_state') === 'indexing') return refuse('building')
    if (meta.get('index_state') !== 'complete') return refuse('damaged')
    if (!kept.isOf(stamp)) {
      const check = (): boolean => hasOurSchema(database) && isWhole(database)
      if (!kept.isWhole(place, stamp, check)) return refuse('damaged')
      kept.startOver(stamp)
    }
    const proofs = proofStamp(place)
    return succeed({
      reader: new SqliteReader(database, meta, () => kept.graph(place, proofs, () => readGraph(database)), kept),
      ...{ stamp, proofs },
      sizeBytes: statSync(place.database).size,
      close: () => database.close(),
    })
  } catch {
    return refuse('damaged')
  }
}

/** Everything that is asked of it until it is closed is of one moment: a sync may change the file meanwhile. */
function openToRead(file: string): DatabaseSync {
  const open = (): DatabaseSync => {
    const database = new DatabaseSync(file, { readOnly: true, enableForeignKeyConstraints: false, timeout: 1000 })
    try {
      database.enableDefensive(true)
      database.exec(
        'PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA query_only = ON; BEGIN',
      )
      // The moment is that of the first question.
      database.prepare('SELECT count(*) FROM sqlite_schema').get()
      return database
    } catch (error) {
      database.close()
      throw error
    }
  }
  try {
    return open()
  } catch (error) {
    if (!isCutChange(error)) throw error
    takeBackCutChange(file)
    return open()
  }
}

/** A first build in progress: its lock is held and nothing is published yet. */
function isBeingBuilt(place: IndexPlace): boolean {
  return readLock(place.lock)?.isAlive === true && !existsSync(place.database)
}

function readMeta(database: DatabaseSync): Map<string, string> {
  return new Map(
    database
      .prepare('SELECT key, value FROM meta LIMIT 200')
      .all()
      .map((row) => [String(row['key']), String(row['value'])]),
  )
}

function isWhole(database: DatabaseSync): boolean {
  return database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok'
}

class SqliteReader implements GraphReader {
  readonly meta: ReadonlyMap<string, string>
  readonly #database: DatabaseSync
  readonly #kept: KeptIndex
  readonly #statements = new Map<string, StatementSync>()
  readonly #makeGraph: () => CodeGraph
  #graph: CodeGraph | undefined

  constructor(database: DatabaseSync, meta: ReadonlyMap<string, string>, makeGraph: () => CodeGraph, kept: KeptIndex) {
    this.#database = database
    this.meta = meta
    this.#makeGraph = makeGraph
    this.#kept = kept
  }

  #all(sql: string, ...values: (string | number)[]): Row[] {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement.all(...values)
  }

  get graph(): CodeGraph {
    this.#graph ??= this.#makeGraph()
    return this.#graph
  }

  get figures(): Figures {
    return parseFigures(this.meta.get('figures') ?? '')
  }

  files(): readonly FileRow[] {
    return this.graph.files
  }

  leftOut(): readonly LeftOut[] {
    return this.#all('SELECT path, reason, files, bytes FROM left_out ORDER BY path').map((row) => ({
      path: String(row['path']),
      reason: word(leftOutReasons, row['reason']),
      files: Number(row['files']),
      bytes: Number(row['bytes']),
    }))
  }

  file(n: number): FileRow {
    return this.graph.file(n)
  }

  fileByPath(path: string): FileRow | undefined {
    return this.graph.fileByPath(path)
  }

  node(n: number): NodeRow {
    return new IndexedNode(this.graph, n, this.#textsOf)
  }

  readonly #textsOf = (n: number): NodeTexts => this.#kept.texts.get(n) ?? this.#readTexts(n, n)

  /** Texts of some nodes in a row; answers with the first of them. */
  #readTexts(first: number, last: number): NodeTexts {
    const { texts } = this.#kept
    if (texts.size >= keptTextsMax) texts.clear()
    const rows = this.#all(
      'SELECT n, id, col, end_col, signature, doc, extra FROM nodes WHERE n BETWEEN ? AND ? LIMIT ?',
      first,
      last,
      last - first + 1,
    )
    for (const row of rows) texts.set(Number(row['n']), toTexts(row))
    const found = texts.get(first)
    if (found === undefined) throw new DamagedIndexError(`the index names node ${first}, which it does not hold`)
    return found
  }

  nodeById(id: string): NodeRow | undefined {
    const [row] = this.#all('SELECT n FROM nodes WHERE id = ?', id)
    return row === undefined ? undefined : this.node(Number(row['n']))
  }

  nodesOf(file: FileRow): readonly NodeRow[] {
    const last = file.firstNode + file.nodeCount - 1
    const textsOf = (n: number): NodeTexts => {
      // Whoever asks about one of them is about to ask about the others.
      if (!this.#kept.texts.has(n)) this.#readTexts(file.firstNode, last)
      return this.#textsOf(n)
    }
    return Array.from({ length: file.nodeCount }, (_, s) => new IndexedNode(this.graph, file.firstNode + s, textsOf))
  }

  nodesNamed(name: string): readonly NodeRow[] {
    return this.#all('SELECT n FROM nodes WHERE name = ? COLLATE NOCASE AND name = ?', name, name)
      .map((row) => this.node(Number(row['n'])))
      .sort(inSourceOrder)
  }

  nodesContaining(text: string, limit: number): readonly NodeRow[] {
    return this.graph.nameSearch.find(text, limit).map((n) => this.node(n))
  }

  nodesAbout(words: readonly string[], limit: number): readonly NodeRow[] {
    // Cut as the index cuts text, because it keeps no positions and so knows no phrases; and quoted, so that nothing a
    // caller types is an operator of the query language.
    const parts = words.flatMap((word) => word.match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [])
    const query = parts.map((part) => `"${part}"*`).join(' ')
    if (query === '') return []
    return this.#all('SELECT rowid AS n FROM node_words WHERE node_words MATCH ? LIMIT ?', query, limit).map((row) =>
      this.node(Number(row['n'])),
    )
  }

  *allNodes(): Iterable<NodeRow> {
    for (const n of this.graph.inSourceOrder()) yield this.node(n)
  }

  incoming(n: number): readonly EdgeRow[] {
    return Array.from(this.graph.incomingPlaces(n), (at) => this.graph.edge(at))
  }

  outgoing(n: number): readonly EdgeRow[] {
    const [first, end] = this.graph.outgoingRange(n)
    return Array.from({ length: end - first }, (_, at) => this.graph.edge(first + at))
  }

  unresolvedOf(first: number, last: number): readonly UnresolvedRow[] {
    const file = this.graph.fileOfNode(first)
    const rows = this.#all('SELECT data FROM unresolved WHERE first = ?', file.firstNode)
    return rows
      .flatMap((row) => [...unpackUnresolved(row['data'])])
      .filter(({ from }) => from >= first - file.firstNode && from <= last - file.firstNode)
      .sort((left, right) => left.line - right.line || left.col - right.col)
      .map((one) => unresolvedRow(file, this.#unresolvedName(one.name), one))
  }

  #unresolvedName(n: number): string {
    const [row] = this.#all('SELECT name FROM names WHERE n = ?', n)
    if (row === undefined) throw new DamagedIndexError(`the index holds no name ${n}`)
    return String(row['name'])
  }

  unresolvedNamed(name: string, limit: number): readonly UnresolvedRow[] {
    // By the characters before it, not by a pattern: a name may hold what a pattern means something by.
    const meant = new Map(
      this.#all(
        `SELECT n, name FROM names WHERE name = ?1 OR substr(name, -length(?1) - 1) IN ('.' || ?1, ':' || ?1, '>' || ?1)`,
        name,
      ).map((row) => [Number(row['n']), String(row['name'])]),
    )
    const found: UnresolvedRow[] = []
    if (meant.size === 0) return found
    const find = this.#database.prepare('SELECT data FROM unresolved WHERE first = ?')
    for (const file of this.files()) {
      if (found.length >= limit) break
      const row = find.get(file.firstNode)
      for (const one of row === undefined ? [] : unpackUnresolved(row['data'])) {
        const whole = meant.get(one.name)
        if (whole !== undefined && found.length < limit) found.push(unresolvedRow(file, whole, one))
      }
    }
    return found
  }

  unresolvedNames(): ReadonlySet<string> {
    return new Set(this.#all('SELECT name FROM names').map((row) => String(row['name'])))
  }

  unresolvedCount(): number {
    return Number(this.meta.get('unresolved') ?? 0)
  }
}

function unresolvedRow(file: FileRow, name: string, { from, kind, line, col }: UnresolvedEntry): UnresolvedRow {
  if (from >= file.nodeCount) throw new DamagedIndexError(`${file.path} has no symbol ${from}`)
  return { source: file.firstNode + from, name, kind: word(edgeKinds, kind), line, col }
}

interface NodeTexts {
  readonly id: string
  readonly col: number
  readonly endCol: number
  readonly signature: string | undefined
  readonly doc: string | undefined
  readonly extra: Extra
}

/** A symbol whose numbers are in the graph, and whose texts are read by the first question about one of them. */
class IndexedNode implements NodeRow {
  readonly n: number
  readonly #graph: CodeGraph
  readonly #textsOf: (n: number) => NodeTexts

  constructor(graph: CodeGraph, n: number, textsOf: (n: number) => NodeTexts) {
    if (!graph.fileOf[n]) throw new DamagedIndexError(`the index names node ${n}, which it does not hold`)
    this.n = n
    this.#graph = graph
    this.#textsOf = textsOf
  }

  get id(): string {
    return this.#textsOf(this.n).id
  }
  get kind(): NodeKind {
    return this.#graph.kindOf(this.n)
  }
  get name(): string {
    return this.#graph.nameOf(this.n)
  }
  get qualifiedName(): string {
    return this.#graph.qualifiedNameOf(this.n)
  }
  get file(): number {
    return this.#graph.fileOf[this.n] ?? 0
  }
  get parent(): number {
    return this.#graph.parentOf(this.n)
  }
  get line(): number {
    return this.#graph.nodes.line[this.n] ?? 0
  }
  get endLine(): number {
    return this.#graph.nodes.endLine[this.n] ?? 0
  }
  get col(): number {
    return this.#textsOf(this.n).col
  }
  get endCol(): number {
    return this.#textsOf(this.n).endCol
  }
  get isExported(): boolean {
    return this.#graph.has(this.n, 'exported')
  }
  get isAsync(): boolean {
    return this.#graph.has(this.n, 'async')
  }
  get isStatic(): boolean {
    return this.#graph.has(this.n, 'static')
  }
  get isAbstract(): boolean {
    return this.#graph.has(this.n, 'abstract')
  }
  get signature(): string | undefined {
    return this.#textsOf(this.n).signature
  }
  get doc(): string | undefined {
    return this.#textsOf(this.n).doc
  }
  get visibility(): string | undefined {
    return this.#textsOf(this.n).extra.visibility
  }
  get decorators(): readonly string[] {
    return this.#textsOf(this.n).extra.decorators ?? []
  }
  get typeParameters(): readonly string[] {
    return this.#textsOf(this.n).extra.typeParameters ?? []
  }
  get returnType(): string | undefined {
    return this.#textsOf(this.n).extra.returnType
  }
}

function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

interface Extra {
  readonly visibility?: string
  readonly decorators?: string[]
  readonly typeParameters?: string[]
  readonly returnType?: string
}

function toTexts(row: Row): NodeTexts {
  return {
    id: String(row['id']),
    col: Number(row['col']),
    endCol: Number(row['end_col']),
    signature: optionalText(row['signature']),
    doc: optionalText(row['doc']),
    extra: typeof row['extra'] === 'string' ? (parseText(row['extra']) as Extra) : {},
  }
}
