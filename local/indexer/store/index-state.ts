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
    const files = database
      .prepare('SELECT path, hash, size, modified_ms, indexed_ms FROM files')
      .all()
      .map((row): [string, FileRecord] => [
        String(row['path']),
        {
          hash: String(row['hash']),
          size: Number(row['size']),
          modifiedMs: Number(row['modified_ms']),
          indexedMs: Number(row['indexed_ms']),
        },
      ])
      .sort(([left], [right]) => (left < right ? -1 : 1))
    return { meta, files: new Map(files) }
  } catch {
    return undefined
  } finally {
    database?.close()
  }
}
