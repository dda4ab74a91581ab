/**
 * The database a suite runs on. The suites here are run twice, by project `workerd` on the storage of a Durable Object
 * and by project `node` on `node:sqlite`; the set-up file of each project says which.
 */
import type { SyncSql } from '../../shared/sql/sync-sql.ts'

export interface TestDatabase {
  use<T>(work: (sql: SyncSql) => T): Promise<T>
  /** What was in memory is gone; what was committed is not. */
  restart(): Promise<void>
  close(): Promise<void>
}

export type Engine = () => Promise<TestDatabase>

let engine: Engine | undefined

export function runOn(chosen: Engine): void {
  engine = chosen
}

/** A database of its own, empty. */
export function newDatabase(): Promise<TestDatabase> {
  if (engine === undefined) throw new Error('no set-up file has chosen an engine')
  return engine()
}
