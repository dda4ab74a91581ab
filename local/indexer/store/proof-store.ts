/** What compilers said about edges, by file and by the text they saw. It outlives the index: what still is as it was stays proved. */
import { statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { FileProof } from '../core/proofs.ts'
import { type IndexPlace, removeForeign } from './index-folder.ts'

const layout =
  'CREATE TABLE IF NOT EXISTS proofs (path TEXT PRIMARY KEY, hash TEXT NOT NULL, tool TEXT NOT NULL, data TEXT NOT NULL) WITHOUT ROWID'

function proofFile(place: IndexPlace): string {
  return path.join(place.folder, 'proofs.db')
}

export function proofStamp(place: IndexPlace): string {
  const stat = statSync(proofFile(place), { bigint: true, throwIfNoEntry: false })
  return stat?.isFile() !== true ? '' : `${stat.ino}-${stat.size}-${stat.mtimeNs}`
}

/** In place of what was said about the same files before. */
export function keepProofs(place: IndexPlace, proofs: readonly FileProof[]): void {
  removeForeign(place)
  const database = new DatabaseSync(proofFile(place))
  try {
    database.exec(`BEGIN; ${layout}`)
    const put = database.prepare('INSERT OR REPLACE INTO proofs VALUES (?, ?, ?, ?)')
    for (const { path: of, hash, tool, ...data } of proofs) put.run(of, hash, tool, JSON.stringify(data))
    database.exec('COMMIT')
  } finally {
    database.close()
  }
}

/** Of all files, or of those named. Nothing where nobody said anything, or what was said cannot be read: then nothing is proved. */
export function readProofs(place: IndexPlace, only?: readonly string[]): FileProof[] {
  if (proofStamp(place) === '') return []
  try {
    const database = new DatabaseSync(proofFile(place), { readOnly: true })
    try {
      return database
        .prepare(
          'SELECT path, hash, tool, data FROM proofs WHERE ?1 IS NULL OR path IN (SELECT value FROM json_each(?1)) ORDER BY path',
        )
        .all(only === undefined ? null : JSON.stringify(only))
        .map((row) => ({
          ...{ path: String(row['path']), hash: String(row['hash']), tool: String(row['tool']) },
          ...(JSON.parse(String(row['data'])) as Omit<FileProof, 'path' | 'hash' | 'tool'>),
        }))
    } finally {
      database.close()
    }
  } catch {
    return []
  }
}
