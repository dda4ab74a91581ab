/** SQLite's refusals, in the words that the edge has for them. */

export class SqlFault extends Error {
  /** SQLite's extended code by name, such as SQLITE_CONSTRAINT_UNIQUE. */
  readonly code: string

  constructor(message: string, code: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
  }
}

const primaryNames: Readonly<Record<number, string>> = {
  1: 'SQLITE_ERROR',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  9: 'SQLITE_INTERRUPT',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  18: 'SQLITE_TOOBIG',
  19: 'SQLITE_CONSTRAINT',
  20: 'SQLITE_MISMATCH',
  21: 'SQLITE_MISUSE',
  23: 'SQLITE_AUTH',
  25: 'SQLITE_RANGE',
  26: 'SQLITE_NOTADB',
}

const constraintNames: readonly string[] = [
  'CHECK',
  'COMMITHOOK',
  'FOREIGNKEY',
  'FUNCTION',
  'NOTNULL',
  'PRIMARYKEY',
  'TRIGGER',
  'UNIQUE',
  'VTAB',
  'ROWID',
  'PINNED',
  'DATATYPE',
]

export function sqlFaultOf(error: unknown): SqlFault {
  if (error instanceof SqlFault) return error
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 1
  const primary = primaryNames[code & 0xff] ?? 'SQLITE_ERROR'
  const constraint = (code & 0xff) === 19 ? constraintNames[(code >> 8) - 1] : undefined
  const extended = constraint === undefined ? primary : `SQLITE_CONSTRAINT_${constraint}`
  const more = extended === primary ? '' : ` (extended: ${extended})`
  return new SqlFault(`${message}: ${primary}${more}`, extended, error)
}
