import { numberOf, type SyncSql } from './sync-sql.ts'

/**
 * Brings a database to the newest schema. `steps` is append-only: a step that shipped is never edited. Each step and
 * the note that it ran are one transaction, so a crash between two steps continues with the right one.
 */
export function migrate(sql: SyncSql, steps: readonly (readonly string[])[]): void {
  sql.run('CREATE TABLE IF NOT EXISTS schema_step (step INTEGER PRIMARY KEY)')
  const [newest] = sql.all('SELECT COALESCE(MAX(step), 0) AS step FROM schema_step')
  const done = newest === undefined ? 0 : numberOf(newest, 'step')
  if (done > steps.length) throw new Error(`the database is at schema step ${done}, this program knows ${steps.length}`)
  for (const [index, statements] of steps.entries()) {
    const step = index + 1
    if (step <= done) continue
    sql.transaction(() => {
      for (const statement of statements) sql.run(statement)
      sql.run('INSERT INTO schema_step (step) VALUES (?)', step)
    })
  }
}
