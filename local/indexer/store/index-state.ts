/** What a published index says about itself; enough to sync against it, without trusting anything else in it. */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { extractionVersion, schemaVersion } from '../core/vocabulary.ts'
import { hasOurSchema } from './schema.ts'

interface FileRecord {
  readonly hash: string
  readonly size: number
  readonly modifiedMs: number
  readonly indexedMs: number
}

/** As they lie in an index that anybody may have made. */
type FileColumns = readonly [path: unknown, hash: unknown, size: unknown, modifiedMs: unknown, indexedMs: unknown]

export interface IndexState {
  readonly meta: ReadonlyMap<string, string>
  /** In order of path. */
  readonly files: ReadonlyMap<string, FileRecord>
}

/** Undefined when there is none, or none that this program can build upon. */
export function readIndexState(file: string): IndexState | undefined {
  if (!existsSync(file)) return undefined
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { readOnly: true })
    const meta = new Map(
      database
        .prepare('SELECT key, value FROM meta')
        .all()
        .map((row) => [String(row['key']), String(row['value'])]),
    )
    if (
      meta.get('schema_version') !== String(schemaVersion) ||
      meta.get('extraction_version') !== String(extractionVersion)
    )
      return undefined
    if (!hasOurSchema(database)) return undefined
    const rows = database.prepare('SELECT path, hash, size, modified_ms, indexed_ms FROM files')
    // A list for each, and no object that names what is in it: there is one of each file.
    rows.setReturnArrays(true)
    const files = (rows.all() as unknown as FileColumns[])
      .map(([path, hash, size, modifiedMs, indexedMs]): [string, FileRecord] => [
        String(path),
        { hash: String(hash), size: Number(size), modifiedMs: Number(modifiedMs), indexedMs: Number(indexedMs) },
      ])
      .sort(([left], [right]) => (left < right ? -1 : 1))
    return { meta, files: new Map(files) }
  } catch {
    return undefined
  } finally {
    database?.close()
  }
}
