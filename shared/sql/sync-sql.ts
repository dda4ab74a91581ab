/** A value that SQLite stores as it is. */
export type SqlValue = string | number | null | Uint8Array

export type SqlRow = Readonly<Record<string, SqlValue>>

/**
 * A synchronous SQLite connection: what a Durable Object's storage and `node:sqlite` have in common. Implementations
 * throw on an engine error; a transaction whose function throws leaves nothing behind.
 */
export interface SyncSql {
  all(sql: string, ...values: readonly SqlValue[]): SqlRow[]
  run(sql: string, ...values: readonly SqlValue[]): void
  /** Runs `work` in one transaction. Calls do not nest. */
  transaction<T>(work: () => T): T
}

/** Reads a text column; a column of another type is a bug of the statement. */
export function textOf(row: SqlRow, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw new Error(`column ${column} holds no text`)
  return value
}

export function numberOf(row: SqlRow, column: string): number {
  const value = row[column]
  if (typeof value !== 'number') throw new Error(`column ${column} holds no number`)
  return value
}
