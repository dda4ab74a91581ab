/**
 * Changes the published index where it lies, in one transaction: only pages that change are written, and a reader, which
 * asks inside of a transaction of its own, has what was there before or all of what is there now. Where that cannot be had,
 * because others read for long, or the file is not ours alone to write into, a copy is changed and put in its place.
 */
import { accessSync, constants, lstatSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { finish } from '../core/steps.ts'
import { indexReadersWaitMs } from '../limits.ts'
import type { IndexPlace } from './index-folder.ts'
import type { IndexCounts } from './index-meta.ts'
import { publishBeside } from './write-index.ts'

const sqliteBusy = 5

export function changePublished(place: IndexPlace, change: (database: DatabaseSync) => IndexCounts): IndexCounts {
  const counts = isOursAlone(place.database) ? changeInPlace(place.database, change) : undefined
  return (
    counts ??
    finish(
      // biome-ignore lint/correctness/useYield: a few files are one step.
      publishBeside(place, true, function* (database) {
        return change(database)
      }),
    )
  )
}

/** Undefined: others read it for too long. */
function changeInPlace(file: string, change: (database: DatabaseSync) => IndexCounts): IndexCounts | undefined {
  const database = openToChange(file)
  try {
    database.exec('BEGIN IMMEDIATE')
    const counts = change(database)
    database.exec('COMMIT')
    return counts
  } catch (error) {
    if (isBusy(error)) return undefined
    throw error
  } finally {
    // What was not committed is gone with it.
    database.close()
  }
}

/** Like every reader, it believes nothing that the file brings along. */
function openToChange(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false, timeout: indexReadersWaitMs })
  try {
    database.enableDefensive(true)
    // What does not fit into the cache would be written before the end, and keep readers waiting until then.
    database.exec(
      'PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA cache_spill = OFF',
    )
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Another name of the file may be somebody else's index, who did not ask for a change. */
function isOursAlone(file: string): boolean {
  try {
    const found = lstatSync(file)
    accessSync(file, constants.W_OK)
    return found.isFile() && found.nlink === 1
  } catch {
    return false
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 255) === sqliteBusy
}
