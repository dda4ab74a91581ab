/**
 * Writes a whole index beside the published one and puts it in place with one rename. A reader has either the
 * old file or the new one open, never a mixture, and a crash at any point leaves the old one.
 */
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Symbol as CodeSymbol, FileFacts } from '../core/facts.ts'
import type { GraphEdge } from '../core/graph.ts'
import { isNonProductionFile, isTestFile } from '../core/test-file.ts'
import { edgeKinds, extractionVersion, languages, nodeKinds, resolutions, schemaVersion } from '../core/vocabulary.ts'
import type { Links } from '../resolve/link.ts'
import type { IndexPlace } from './index-folder.ts'
import { fileFlag, nodeFlag, schemaStatements } from './schema.ts'

export interface IndexedFile {
  readonly facts: FileFacts
  readonly hash: string
  readonly size: number
  readonly modifiedMs: number
  readonly indexedMs: number
}

export interface IndexContent {
  readonly files: readonly IndexedFile[]
  readonly links: Links
  readonly meta: Readonly<Record<string, string>>
}

const buildingName = /^index\.db\.building-/

export function publishIndex(place: IndexPlace, content: IndexContent): void {
  removeLeftovers(place)
  const building = path.join(place.folder, `index.db.building-${process.pid}`)
  const database = new DatabaseSync(building)
  try {
    database.exec(
      'PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536',
    )
    database.exec('BEGIN')
    const indexes = schemaStatements.filter((one) => one.startsWith('CREATE INDEX'))
    for (const statement of schemaStatements) if (!indexes.includes(statement)) database.exec(statement)
    writeMeta(database, { ...content.meta, index_state: 'indexing' })
    new ContentWriter(database, content).write()
    for (const statement of indexes) database.exec(statement)
    writeMeta(database, { index_state: 'complete' })
    database.exec('COMMIT')
    database.exec('PRAGMA journal_mode = DELETE')
  } finally {
    database.close()
  }
  syncFile(building)
  renameSync(building, place.database)
  syncFile(place.folder)
}

/** Builds that a crash left behind. Only the holder of the lock calls this. */
function removeLeftovers(place: IndexPlace): void {
  for (const name of readdirSync(place.folder))
    if (buildingName.test(name)) rmSync(path.join(place.folder, name), { force: true })
}

function syncFile(file: string): void {
  const handle = openSync(file, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function writeMeta(database: DatabaseSync, values: Readonly<Record<string, string>>): void {
  const put = database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)')
  for (const [key, value] of Object.entries({
    schema_version: String(schemaVersion),
    extraction_version: String(extractionVersion),
    ...values,
  })) {
    put.run(key, value)
  }
}

class ContentWriter {
  readonly #database: DatabaseSync
  readonly #content: IndexContent
  /** Number of a file's first node; its other symbols follow in order. */
  readonly #firstNode: number[] = []
  #nextNode = 1

  constructor(database: DatabaseSync, content: IndexContent) {
    this.#database = database
    this.#content = content
  }

  write(): void {
    this.#writeFiles()
    this.#writeEdges()
    this.#writeUnresolved()
  }

  #writeFiles(): void {
    const putFile = this.#database.prepare('INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    const putNode = this.#database.prepare('INSERT INTO nodes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    const putWords = this.#database.prepare('INSERT INTO node_words (rowid, words) VALUES (?, ?)')
    const used = new Set<string>()
    this.#content.files.forEach((file, f) => {
      const first = this.#nextNode
      this.#firstNode.push(first)
      file.facts.symbols.forEach((symbol, s) => {
        const id = nodeId(file.facts.path, symbol, used)
        used.add(id)
        const n = first + s
        putNode.run(
          n,
          id,
          nodeKinds.indexOf(symbol.kind),
          symbol.name,
          symbol.qualifiedName === symbol.name ? null : symbol.qualifiedName,
          f + 1,
          s === 0 ? 0 : first + symbol.parent,
          symbol.line,
          symbol.endLine,
          symbol.col,
          symbol.endCol,
          flagsOf(symbol),
          symbol.signature ?? null,
          symbol.doc ?? null,
          extraOf(symbol),
        )
        if (symbol.kind !== 'import') {
          const words = searchWords(symbol)
          if (words !== '') putWords.run(n, words)
        }
      })
      putFile.run(
        f + 1,
        file.facts.path,
        languages.indexOf(file.facts.language),
        file.hash,
        file.size,
        file.modifiedMs,
        file.indexedMs,
        file.facts.lines,
        (file.facts.generated ? fileFlag.generated : 0) |
          (isTestFile(file.facts.path) ? fileFlag.test : 0) |
          (isNonProductionFile(file.facts.path) ? fileFlag.nonProduction : 0),
        first,
        file.facts.symbols.length,
        file.facts.errors.length === 0 ? null : JSON.stringify(file.facts.errors),
      )
      this.#nextNode = first + file.facts.symbols.length
    })
  }

  #node(f: number, s: number): number {
    return (this.#firstNode[f] ?? 0) + s
  }

  #writeEdges(): void {
    const put = this.#database.prepare('INSERT INTO edges VALUES (?, ?, ?, ?, ?, ?, ?)')
    const rows: [number, number, number, number, number, GraphEdge][] = []
    for (const edge of this.#content.links.edges) {
      if (edge.kind === 'contains') continue
      rows.push([
        this.#node(edge.sourceFile, edge.source),
        this.#node(edge.targetFile, edge.target),
        edgeKinds.indexOf(edge.kind),
        edge.line,
        edge.col,
        edge,
      ])
    }
    rows.sort(
      (left, right) =>
        left[0] - right[0] ||
        left[1] - right[1] ||
        left[2] - right[2] ||
        left[3] - right[3] ||
        left[4] - right[4] ||
        right[5].confidence - left[5].confidence,
    )
    let before: (typeof rows)[number] | undefined
    for (const row of rows) {
      const isRepeated =
        before !== undefined &&
        before[0] === row[0] &&
        before[1] === row[1] &&
        before[2] === row[2] &&
        before[3] === row[3] &&
        before[4] === row[4]
      if (!isRepeated)
        put.run(
          row[0],
          row[1],
          row[2],
          row[3],
          row[4],
          resolutions.indexOf(row[5].resolution),
          Math.round(row[5].confidence * 100),
        )
      before = row
    }
  }

  #writeUnresolved(): void {
    const putName = this.#database.prepare('INSERT INTO names VALUES (?, ?)')
    const put = this.#database.prepare('INSERT INTO unresolved VALUES (?, ?, ?, ?, ?)')
    const names = new Map<string, number>()
    for (const one of this.#content.links.unresolved) {
      let name = names.get(one.name)
      if (name === undefined) {
        name = names.size + 1
        names.set(one.name, name)
        putName.run(name, one.name)
      }
      put.run(this.#node(one.file, one.from), name, edgeKinds.indexOf(one.kind), one.line, one.col)
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
  const digest = (text: string): string =>
    `${symbol.kind}:${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
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
    (symbol.abstract === true ? nodeFlag.abstract : 0)
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

/** The parts of a name (`parseIgnoreRules` is parse, ignore, rules) and the first words said about it. */
function searchWords(symbol: CodeSymbol): string {
  const parts = symbol.name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  const doc = symbol.doc === undefined ? '' : symbol.doc.slice(0, 300)
  return `${parts.includes(' ') ? parts : ''} ${doc}`.trim()
}
