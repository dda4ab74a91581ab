/** Brings the database on this machine to the state of migrations/, with the same bookkeeping as `wrangler d1 migrations`. */

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { causeOf } from '#shared/kernel/fault-words.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { StartFault } from '../operating/start-faults.ts'
import { statementsOf } from '../runtime/sql-text.ts'

/** What of D1 a migration needs. */
export interface MigratedDatabase {
  prepare(sql: string): PreparedSql
  batch(statements: PreparedSql[]): Promise<unknown>
}

interface PreparedSql {
  bind(...values: string[]): PreparedSql
  all(): Promise<{ results: Record<string, unknown>[] }>
  run(): Promise<unknown>
}

const bookkeeping = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

/** Applies what is missing, in the order of the names, each in one transaction with its bookkeeping row. */
export async function applyMigrations(
  database: MigratedDatabase,
  folder: string,
  log: (line: string) => void,
  /** What holds data is kept as it is before anything of it is changed. */
  keepBefore: (steps: readonly string[]) => Promise<Result<void, StartFault>> = async () => succeed(undefined),
): Promise<Result<readonly string[], StartFault>> {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  await database.prepare(bookkeeping).run()
  const rows = await database.prepare('SELECT name FROM d1_migrations').all()
  const applied = new Set(rows.results.map((row) => row['name']))
  const unknown = [...applied].filter((name) => typeof name === 'string').filter((name) => !names.includes(name))
  if (unknown.length > 0) return failWith({ kind: 'data_newer', steps: unknown })
  const missing = names.filter((name) => !applied.has(name))
  if (missing.length === 0) return succeed([])
  const kept = applied.size === 0 ? succeed(undefined) : await keepBefore(missing)
  if (!kept.ok) return kept
  if (applied.size === 0) log('Making the database')
  for (const name of missing) {
    if (applied.size > 0) log(`Applying migration ${name}`)
    const statements = statementsOf(readFileSync(path.join(folder, name), 'utf8')).map(({ text }) => text)
    try {
      await database.batch([
        ...statements.map((sql) => database.prepare(sql)),
        database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
      ])
    } catch (error) {
      return failWith({ kind: 'migration', step: name, cause: causeOf(error) })
    }
  }
  return succeed(missing)
}
