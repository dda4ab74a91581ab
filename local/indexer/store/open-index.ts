/** Opens a published index for reading and says exactly why, when it cannot be read. */
import { existsSync, statSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  DamagedIndexError,
  type EdgeRow,
  type FileRow,
  type GraphReader,
  type NodeRow,
  type UnresolvedRow,
} from '../core/rows.ts'
import { edgeKinds, extractionVersion, languages, nodeKinds, resolutions, schemaVersion } from '../core/vocabulary.ts'
import type { IndexPlace } from './index-folder.ts'
import { readLock } from './lock.ts'
import { fileFlag, nodeFlag, schemaStatements } from './schema.ts'

/** `absent`: there is no index. The others: there is one that this program must not answer from. */
export type OpenFailure = 'absent' | 'building' | 'older' | 'newer' | 'damaged'

export interface OpenIndex {
  readonly reader: GraphReader
  /** Changes whenever another index is published. */
  readonly stamp: string
  readonly sizeBytes: number
  close(): void
}

function indexStamp(place: IndexPlace): string | undefined {
  try {
    const stat = statSync(place.database, { bigint: true })
    return `${stat.ino}-${stat.size}-${stat.mtimeNs}`
  } catch {
    return undefined
  }
}

/** Files already found whole, by stamp, so that the check runs once for each published index. */
export type CheckedStamps = Set<string>

export function openIndex(place: IndexPlace, checked: CheckedStamps): Result<OpenIndex, OpenFailure> {
  const stamp = indexStamp(place)
  if (stamp === undefined) return failWith(isBeingBuilt(place) ? 'building' : 'absent')
  let database: DatabaseSync
  try {
    database = new DatabaseSync(place.database, { readOnly: true, enableForeignKeyConstraints: false, timeout: 1000 })
  } catch {
    return failWith('damaged')
  }
  const refuse = (failure: OpenFailure): Result<OpenIndex, OpenFailure> => {
    database.close()
    return failWith(failure)
  }
  try {
    database.enableDefensive(true)
    database.exec(
      'PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA query_only = ON',
    )
    const meta = readMeta(database)
    const version = Number(meta.get('schema_version') ?? Number.NaN)
    const extraction = Number(meta.get('extraction_version') ?? Number.NaN)
    if (!Number.isSafeInteger(version) || !Number.isSafeInteger(extraction)) return refuse('damaged')
    if (version > schemaVersion || extraction > extractionVersion) return refuse('newer')
    if (version < schemaVersion || extraction < extractionVersion) return refuse('older')
    if (meta.get('index_state') === 'indexing') return refuse('building')
    if (meta.get('index_state') !== 'complete') return refuse('damaged')
    if (!checked.has(stamp)) {
      if (!hasOurSchema(database) || !isWhole(database)) return refuse('damaged')
      checked.clear()
      checked.add(stamp)
    }
    return succeed({
      reader: new SqliteReader(database, meta),
      stamp,
      sizeBytes: statSync(place.database).size,
      close: () => database.close(),
    })
  } catch {
    return refuse('damaged')
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

let expectedSchema: string | undefined

/** An index that came with a repository may carry views or triggers of its own: only the schema we write is read. */
function hasOurSchema(database: DatabaseSync): boolean {
  if (expectedSchema === undefined) {
    const own = new DatabaseSync(':memory:')
    for (const statement of schemaStatements) own.exec(statement)
    expectedSchema = schemaText(own)
    own.close()
  }
  return schemaText(database) === expectedSchema
}

function schemaText(database: DatabaseSync): string {
  return database
    .prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name LIMIT 200')
    .all()
    .map((row) => `${String(row['type'])} ${String(row['name'])} ${String(row['sql'])}`)
    .join('\n')
}

function isWhole(database: DatabaseSync): boolean {
  return database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok'
}

type Row = Record<string, unknown>

const nodeColumns =
  'nodes.n, nodes.id, nodes.kind, nodes.name, nodes.qualified, nodes.file, nodes.parent, nodes.line, nodes.end_line, nodes.col, nodes.end_col, nodes.flags, nodes.signature, nodes.doc, nodes.extra'

class SqliteReader implements GraphReader {
  readonly meta: ReadonlyMap<string, string>
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  readonly #nodes = new Map<number, NodeRow>()
  #files: FileRow[] | undefined
  #filesByPath: Map<string, FileRow> | undefined

  constructor(database: DatabaseSync, meta: ReadonlyMap<string, string>) {
    this.#database = database
    this.meta = meta
  }

  #all(sql: string, ...values: (string | number)[]): Row[] {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement.all(...values)
  }

  files(): readonly FileRow[] {
    this.#files ??= this.#all('SELECT * FROM files ORDER BY n').map(toFile)
    return this.#files
  }

  file(n: number): FileRow {
    if (this.#files === undefined) {
      const [row] = this.#all('SELECT * FROM files WHERE n = ?', n)
      if (row !== undefined) return toFile(row)
    }
    const found = this.files()[n - 1]
    if (found === undefined) throw new DamagedIndexError(`the index names file ${n}, which it does not hold`)
    return found
  }

  fileByPath(path: string): FileRow | undefined {
    if (this.#files === undefined) {
      const [row] = this.#all('SELECT * FROM files WHERE path = ?', path)
      return row === undefined ? undefined : toFile(row)
    }
    this.#filesByPath ??= new Map(this.files().map((file) => [file.path, file]))
    return this.#filesByPath.get(path)
  }

  node(n: number): NodeRow {
    const known = this.#nodes.get(n)
    if (known !== undefined) return known
    const [row] = this.#all(`SELECT ${nodeColumns} FROM nodes WHERE n = ?`, n)
    if (row === undefined) throw new DamagedIndexError(`the index names node ${n}, which it does not hold`)
    return this.#keep(toNode(row))
  }

  #keep(node: NodeRow): NodeRow {
    if (this.#nodes.size < 50_000) this.#nodes.set(node.n, node)
    return node
  }

  nodeById(id: string): NodeRow | undefined {
    const [row] = this.#all(`SELECT ${nodeColumns} FROM nodes WHERE id = ?`, id)
    return row === undefined ? undefined : this.#keep(toNode(row))
  }

  nodesOf(file: FileRow): readonly NodeRow[] {
    return this.#all(
      `SELECT ${nodeColumns} FROM nodes WHERE n BETWEEN ? AND ? ORDER BY n`,
      file.firstNode,
      file.firstNode + file.nodeCount - 1,
    ).map((row) => this.#keep(toNode(row)))
  }

  nodesNamed(name: string): readonly NodeRow[] {
    return this.#all(
      `SELECT ${nodeColumns} FROM nodes WHERE name = ? COLLATE NOCASE AND name = ? ORDER BY file, n`,
      name,
      name,
    ).map((row) => this.#keep(toNode(row)))
  }

  nodesContaining(text: string, limit: number): readonly NodeRow[] {
    return this.#all(
      `SELECT ${nodeColumns} FROM nodes WHERE instr(lower(coalesce(qualified, name)), ?) > 0 ORDER BY instr(lower(name), ?) = 0, length(name), file, n LIMIT ?`,
      text.toLowerCase(),
      text.toLowerCase(),
      limit,
    ).map((row) => this.#keep(toNode(row)))
  }

  nodesAbout(words: readonly string[], limit: number): readonly NodeRow[] {
    // Cut as the index cuts text, because it keeps no positions and so knows no phrases; and quoted, so that nothing a
    // caller types is an operator of the query language.
    const parts = words.flatMap((word) => word.match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [])
    const query = parts.map((part) => `"${part}"*`).join(' ')
    if (query === '') return []
    return this.#all(
      `SELECT ${nodeColumns} FROM node_words JOIN nodes ON nodes.n = node_words.rowid WHERE node_words MATCH ? LIMIT ?`,
      query,
      limit,
    ).map((row) => this.#keep(toNode(row)))
  }

  *allNodes(): Iterable<NodeRow> {
    for (const row of this.#database.prepare(`SELECT ${nodeColumns} FROM nodes ORDER BY n`).iterate()) yield toNode(row)
  }

  incoming(n: number): readonly EdgeRow[] {
    return this.#all('SELECT * FROM edges WHERE target = ?', n).map(toEdge)
  }

  outgoing(n: number): readonly EdgeRow[] {
    return this.#all('SELECT * FROM edges WHERE source = ?', n).map(toEdge)
  }

  #edges: EdgeRow[] | undefined

  allEdges(): readonly EdgeRow[] {
    this.#edges ??= this.#all('SELECT * FROM edges').map(toEdge)
    return this.#edges
  }

  unresolvedOf(first: number, last: number): readonly UnresolvedRow[] {
    return this.#all(
      'SELECT unresolved.source, names.name, unresolved.kind, unresolved.line, unresolved.col FROM unresolved JOIN names ON names.n = unresolved.name WHERE unresolved.source BETWEEN ? AND ? ORDER BY unresolved.line, unresolved.col',
      first,
      last,
    ).map((row) => ({
      source: Number(row['source']),
      name: String(row['name']),
      kind: word(edgeKinds, row['kind']),
      line: Number(row['line']),
      col: Number(row['col']),
    }))
  }

  unresolvedNames(): ReadonlySet<string> {
    return new Set(this.#all('SELECT name FROM names').map((row) => String(row['name'])))
  }

  unresolvedCount(): number {
    return Number(this.#all('SELECT count(*) AS total FROM unresolved')[0]?.['total'] ?? 0)
  }
}

function word<T>(words: readonly T[], index: unknown): T {
  const found = words[Number(index)]
  if (found === undefined) throw new DamagedIndexError('the index holds a word that its vocabulary does not know')
  return found
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new DamagedIndexError('the index holds a list that cannot be read')
  }
}

function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function toFile(row: Row): FileRow {
  const flags = Number(row['flags'])
  return {
    n: Number(row['n']),
    path: String(row['path']),
    language: word(languages, row['language']),
    hash: String(row['hash']),
    size: Number(row['size']),
    modifiedMs: Number(row['modified_ms']),
    indexedMs: Number(row['indexed_ms']),
    lines: Number(row['lines']),
    isGenerated: (flags & fileFlag.generated) !== 0,
    isTest: (flags & fileFlag.test) !== 0,
    isNonProduction: (flags & fileFlag.nonProduction) !== 0,
    firstNode: Number(row['node_first']),
    nodeCount: Number(row['node_count']),
    errors: typeof row['errors'] === 'string' ? (parse(row['errors']) as string[]) : [],
  }
}

interface Extra {
  readonly visibility?: string
  readonly decorators?: string[]
  readonly typeParameters?: string[]
  readonly returnType?: string
}

function toNode(row: Row): NodeRow {
  const flags = Number(row['flags'])
  const extra: Extra = typeof row['extra'] === 'string' ? (parse(row['extra']) as Extra) : {}
  const name = String(row['name'])
  return {
    n: Number(row['n']),
    id: String(row['id']),
    kind: word(nodeKinds, row['kind']),
    name,
    qualifiedName: optionalText(row['qualified']) ?? name,
    file: Number(row['file']),
    parent: Number(row['parent']),
    line: Number(row['line']),
    endLine: Number(row['end_line']),
    col: Number(row['col']),
    endCol: Number(row['end_col']),
    isExported: (flags & nodeFlag.exported) !== 0,
    isAsync: (flags & nodeFlag.async) !== 0,
    isStatic: (flags & nodeFlag.static) !== 0,
    isAbstract: (flags & nodeFlag.abstract) !== 0,
    signature: optionalText(row['signature']),
    doc: optionalText(row['doc']),
    visibility: extra.visibility,
    decorators: extra.decorators ?? [],
    typeParameters: extra.typeParameters ?? [],
    returnType: extra.returnType,
  }
}

function toEdge(row: Row): EdgeRow {
  return {
    source: Number(row['source']),
    target: Number(row['target']),
    kind: word(edgeKinds, row['kind']),
    line: Number(row['line']),
    col: Number(row['col']),
    resolution: word(resolutions, row['how']),
    confidence: Number(row['confidence']) / 100,
  }
}
