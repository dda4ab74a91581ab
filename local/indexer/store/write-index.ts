/**
 * Writes a whole index beside the published one and puts it in place with one rename. A reader has either the old file
 * or the new one open, never a mixture, and a crash at any point leaves the old one.
 */
import { copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { syncToDisk } from '../../files/replace-file.ts'
import { GraphTally } from '../core/figures.ts'
import type { LeftOut } from '../core/left-out.ts'
import type { Links } from '../resolve/link.ts'
import { FoundByFile } from './found-by-file.ts'
import type { IndexPlace } from './index-folder.ts'
import { type IndexCounts, putMeta } from './index-meta.ts'
import { readGraph } from './read-graph.ts'
import { type IndexedFile, RowWriter } from './row-writer.ts'
import { schemaStatements } from './schema.ts'

export interface IndexContent {
  /** In order of path. What is written of a file is let go. */
  readonly files: (IndexedFile | undefined)[]
  readonly links: Links
  readonly leftOut: readonly LeftOut[]
  readonly meta: Readonly<Record<string, string>>
}

const buildingName = /^index\.db\.building-/

/** Builds an index from nothing, saying after each file how many are written. */
export function publishIndex(place: IndexPlace, content: IndexContent): Generator<number, IndexCounts> {
  return publishBeside(place, false, function* (database) {
    const indexes = schemaStatements.filter((one) => one.startsWith('CREATE INDEX'))
    for (const statement of schemaStatements) if (!indexes.includes(statement)) database.exec(statement)
    const rows = new RowWriter(database, new GraphTally())
    const firstNode: number[] = []
    let next = 1
    for (const file of content.files) {
      firstNode.push(next)
      next += file?.facts.symbols.length ?? 0
    }
    const found = new FoundByFile(content.links)
    const nodeOf = (f: number, s: number): number => (firstNode[f] ?? 0) + s
    for (const [f, file] of content.files.entries()) {
      if (file !== undefined) rows.putFile(firstNode[f] ?? 0, file, found.take(f), nodeOf)
      content.files[f] = undefined
      yield f + 1
    }
    rows.putLeftOut(content.leftOut)
    rows.finish()
    for (const statement of indexes) database.exec(statement)
    const counts = putMeta(database, rows.tally, content.meta)
    // Read back before anybody else does: what cannot be read is not published.
    readGraph(database)
    return counts
  })
}

/**
 * Carries `build` out on a new file, or on a copy of the published one, and publishes what it made. Ended on the way,
 * it leaves nothing behind.
 */
export function* publishBeside(
  place: IndexPlace,
  isCopied: boolean,
  build: (database: DatabaseSync) => Generator<number, IndexCounts>,
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
    const made = yield* build(database)
    database.exec('COMMIT')
    database.exec('PRAGMA journal_mode = DELETE')
    counts = made
  } finally {
    database.close()
    if (counts === undefined) rmSync(building, { force: true })
  }
  syncToDisk(building)
  renameSync(building, place.database)
  syncToDisk(place.folder)
  return counts
}

/** Builds that a crash left behind. Only the holder of the lock calls this. */
function removeLeftovers(place: IndexPlace): void {
  for (const name of readdirSync(place.folder))
    if (buildingName.test(name)) rmSync(path.join(place.folder, name), { force: true })
}
