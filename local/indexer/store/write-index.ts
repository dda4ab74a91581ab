/**
 * Writes an index beside the published one and puts it in place with one rename. A reader has either the old file
 * or the new one open, never a mixture, and a crash at any point leaves the old one.
 */
import { closeSync, copyFileSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Figures, figuresOf } from '../core/figures.ts'
import type { LeftOut } from '../core/left-out.ts'
import { extractionVersion, schemaVersion } from '../core/vocabulary.ts'
import type { Links } from '../resolve/link.ts'
import { ColumnsWriter } from './graph-columns.ts'
import type { IndexPlace } from './index-folder.ts'
import { readGraph } from './read-graph.ts'
import { type IndexedFile, RowWriter } from './row-writer.ts'
import { schemaStatements } from './schema.ts'

export interface IndexContent {
  readonly files: readonly IndexedFile[]
  readonly links: Links
  readonly leftOut: readonly LeftOut[]
  readonly meta: Readonly<Record<string, string>>
}

export interface IndexCounts {
  readonly files: number
  readonly lines: number
  readonly nodes: number
  readonly edges: number
  /** Files that could not be read completely, given up ones among them. */
  readonly withErrors: number
  /** Files that were given up, whole or some of their references. */
  readonly givenUp: number
  readonly leftOut: number
}

const buildingName = /^index\.db\.building-/

/** Builds an index from nothing, saying after each file how many are written. */
export function publishIndex(place: IndexPlace, content: IndexContent): Generator<number, IndexCounts> {
  return publish(place, false, function* (database, columns) {
    const indexes = schemaStatements.filter((one) => one.startsWith('CREATE INDEX'))
    for (const statement of schemaStatements) if (!indexes.includes(statement)) database.exec(statement)
    const rows = new RowWriter(database, columns)
    let next = 1
    const firstNode: number[] = []
    for (const [f, file] of content.files.entries()) {
      firstNode.push(next)
      rows.putFile(f + 1, next, file)
      next += file.facts.symbols.length
      yield f + 1
    }
    const nodeOf = (f: number, s: number): number => (firstNode[f] ?? 0) + s
    rows.putEdges(content.links.edges, nodeOf)
    rows.putUnresolved(content.files.keys(), content.links.unresolved)
    rows.putGivenUp(content.links.givenUp.keys(), content.links.givenUp)
    rows.putLeftOut(content.leftOut)
    for (const statement of indexes) database.exec(statement)
    return content.meta
  })
}

/**
 * Carries `build` out on a new file, or on a copy of the published one, and publishes what it made. Ended on the way,
 * it leaves nothing behind.
 */
export function* publish(
  place: IndexPlace,
  isCopied: boolean,
  build: (database: DatabaseSync, columns: ColumnsWriter) => Generator<number, Readonly<Record<string, string>>>,
): Generator<number, IndexCounts> {
  removeLeftovers(place)
  const building = path.join(place.folder, `index.db.building-${process.pid}`)
  if (isCopied) copyFileSync(place.database, building)
  const database = new DatabaseSync(building)
  let counts: IndexCounts | undefined
  try {
    database.exec(
      'PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536',
    )
    database.exec('BEGIN')
    const columns = new ColumnsWriter()
    const meta = yield* build(database, columns)
    columns.write(database)
    // Read back before anybody else does: what cannot be read is not published.
    const figures = figuresOf(readGraph(database))
    counts = countRows(database, figures, Number(meta['left_out'] ?? 0))
    const put = database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)')
    for (const [key, value] of Object.entries({
      ...meta,
      schema_version: schemaVersion,
      extraction_version: extractionVersion,
      index_state: 'complete',
      figures: JSON.stringify(figures),
      nodes: counts.nodes,
      lines: counts.lines,
      edges: counts.edges,
      with_errors: counts.withErrors,
      given_up: counts.givenUp,
      unresolved: Number(database.prepare('SELECT coalesce(sum(count), 0) AS count FROM unresolved').get()?.['count']),
    })) {
      put.run(key, String(value))
    }
    database.exec('COMMIT')
    database.exec('PRAGMA journal_mode = DELETE')
  } finally {
    database.close()
    if (counts === undefined) rmSync(building, { force: true })
  }
  syncFile(building)
  renameSync(building, place.database)
  syncFile(place.folder)
  return counts
}

function countRows(database: DatabaseSync, { files, nodes, edges }: Figures, leftOut: number): IndexCounts {
  const row = database
    .prepare('SELECT coalesce(sum(lines), 0) AS lines, count(errors) AS broken, count(given_up) AS given_up FROM files')
    .get()
  return {
    ...{ files, nodes, edges, lines: Number(row?.['lines']) },
    ...{ withErrors: Number(row?.['broken']), givenUp: Number(row?.['given_up']), leftOut },
  }
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
