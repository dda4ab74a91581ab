import type { SqlRow, SqlValue, SyncSql } from './sync-sql.ts'

/** As the platform gives a value back. */
type StoredValue = string | number | null | ArrayBuffer

/** What is asked of a Durable Object's storage. */
interface DurableStorage {
  readonly sql: { exec(statement: string, ...values: SqlValue[]): Iterable<Record<string, StoredValue>> }
  transactionSync<T>(work: () => T): T
}

/** The database of a Durable Object. */
export function durableSql(storage: DurableStorage): SyncSql {
  let isInTransaction = false
  return {
    all: (statement, ...values) => Array.from(storage.sql.exec(statement, ...values), toRow),
    run: (statement, ...values) => {
      storage.sql.exec(statement, ...values)
    },
    transaction(work) {
      // The engine would make a savepoint, and what was promised as one transaction could end in halves.
      if (isInTransaction) throw new Error('transactions do not nest')
      isInTransaction = true
      try {
        return storage.transactionSync(work)
      } finally {
        isInTransaction = false
      }
    },
  }
}

function toRow(row: Record<string, StoredValue>): SqlRow {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, toValue(value)]))
}

function toValue(value: StoredValue): SqlValue {
  return value instanceof ArrayBuffer ? new Uint8Array(value) : value
}
