import type { SqlRow, SyncSql } from '#shared/sql/sync-sql.ts'

/** The database of a Durable Object. */
export function durableSql(storage: DurableObjectStorage): SyncSql {
  return {
    all: (statement, ...values) => storage.sql.exec(statement, ...values).toArray() as SqlRow[],
    run: (statement, ...values) => {
      storage.sql.exec(statement, ...values)
    },
    transaction: (work) => storage.transactionSync(work),
  }
}
