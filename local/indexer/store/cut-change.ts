/**
 * A change of a database that was cut off in the middle: beside it lies a journal of what its pages were, and whoever may
 * write puts them back before anything is read.
 */
import { existsSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** SQLite's code for a journal that who only reads may not put back. */
const readOnlyRollback = 776

export function isCutChange(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === readOnlyRollback
}

export function takeBackCutChange(file: string): void {
  const database = new DatabaseSync(file, { timeout: 1000 })
  try {
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
  } finally {
    database.close()
  }
}

/**
 * Before an index is read to build upon it, or another takes its place: pages of the old one must never be put into the new.
 * Only the holder of the lock calls this. What cannot be taken back is no index any more.
 */
export function settleCutChange(file: string): void {
  const journal = `${file}-journal`
  if (!existsSync(journal)) return
  try {
    if (existsSync(file)) takeBackCutChange(file)
  } catch {
    rmSync(file, { force: true })
  }
  rmSync(journal, { force: true })
}
