/** Which index files were found whole, kept from one start to the next in a folder that only the user can write. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface CheckedIndexes {
  has(database: string, stamp: string): boolean
  add(database: string, stamp: string): void
}

/** One small file for each project; a stamp names the very bytes that were checked, down to the change of the inode. */
export function checkedIndexes(folder: string): CheckedIndexes {
  const fileOf = (database: string): string =>
    path.join(folder, createHash('sha256').update(database).digest('hex').slice(0, 32))
  return {
    has(database, stamp) {
      try {
        return readFileSync(fileOf(database), 'utf8') === stamp
      } catch {
        return false
      }
    },
    add(database, stamp) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        writeFileSync(fileOf(database), stamp, { mode: 0o600 })
      } catch {
        // Then the next start checks again.
      }
    },
  }
}
