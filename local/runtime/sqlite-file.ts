/** One database file in the form in which workerd keeps it, its writes gathered into one transaction a turn. */
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Commits, Committing } from './commits.ts'
import { databaseBusyMs, parametersMax, preparedStatementsMax } from './limits.ts'
import { LogSync } from './log-sync.ts'
import { SqlFault, sqlFaultOf } from './sql-fault.ts'
import { type SqlStatement, statementsOf } from './sql-text.ts'

export type Cell = string | number | null | Uint8Array

export interface SqlAnswer {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

export interface FileHooks {
  /** Before what was written is committed; what it answers is done once that is on the disk. */
  readonly beforeCommit?: () => (() => void) | undefined
  /** What was written in this turn is lost, or nobody knows whether it will be there after a power cut. */
  readonly onLost?: (reason: SqlFault) => void
  /** What is in the file is no database any more, or not all of it is. */
  readonly onDamage?: DamageWatch | undefined
}

export type DamageWatch = (file: string) => void

const ownTransactions =
  'To execute a transaction, please use transactionSync() or batch() instead of the SQL BEGIN TRANSACTION or SAVEPOINT statements'

interface Prepared {
  readonly statement: StatementSync
  readonly columns: readonly string[]
  hasBigIntegers: boolean
}

export class SqliteFile implements Committing {
  readonly isShared: boolean
  readonly file: string
  readonly #database: DatabaseSync
  readonly #commits: Commits
  readonly #hooks: FileHooks
  readonly #prepared = new Map<string, Prepared>()
  readonly #log: LogSync
  #open: PromiseWithResolvers<void> | undefined
  #savepoints = 0
  #isClosed = false

  constructor(file: string, commits: Commits, isShared: boolean, hooks: FileHooks = {}) {
    this.file = file
    this.isShared = isShared
    this.#commits = commits
    this.#hooks = hooks
    this.#log = new LogSync(file, commits.sync)
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    try {
      this.#database = new DatabaseSync(file, {
        timeout: databaseBusyMs,
        enableForeignKeyConstraints: true,
        enableDoubleQuotedStringLiterals: true,
      })
      // NORMAL: SQLite keeps the file whole and in order. That what was acknowledged survives a power cut is the log's sync.
      this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
      chmodSync(file, 0o600)
    } catch (error) {
      throw this.#faultOf(error)
    }
  }

  /** Settles when all that is written is on the disk, or rejects with why it is not; undefined when all of it is. */
  settled(): Promise<void> | undefined {
    return this.#open?.promise ?? this.#log.settled()
  }

  /** The answer of the text's last statement; the values are that one's. */
  execute(sql: string, values: readonly SQLInputValue[]): SqlAnswer {
    const statements = statementsOf(sql)
    let answer: SqlAnswer = { columns: [], rows: [] }
    for (const [at, statement] of statements.entries())
      answer = this.#one(statement, at === statements.length - 1 ? values : [])
    return answer
  }

  /** All or nothing of what the work writes. */
  atomically<T>(work: () => T): T {
    this.#begin()
    this.#savepoints += 1
    const name = `wharf_${this.#savepoints}`
    this.#database.exec(`SAVEPOINT ${name}`)
    try {
      const value = work()
      this.#guard(() => this.#database.exec(`RELEASE ${name}`))
      return value
    } catch (error) {
      // A full disk has rolled everything back already.
      if (this.#database.isTransaction) this.#database.exec(`ROLLBACK TO ${name}; RELEASE ${name}`)
      throw error
    } finally {
      this.#savepoints -= 1
    }
  }

  bytes(): number {
    const [pages] = this.#one({ ...readOnly, text: 'PRAGMA page_count' }, []).rows
    const [size] = this.#one({ ...readOnly, text: 'PRAGMA page_size' }, []).rows
    return Number(pages?.[0] ?? 0) * Number(size?.[0] ?? 0)
  }

  commit(): void {
    const open = this.#open
    if (open === undefined) return
    let afterwards: (() => void) | undefined
    try {
      afterwards = this.#hooks.beforeCommit?.()
      this.#database.exec('COMMIT')
    } catch (error) {
      this.#lose(this.#faultOf(error))
      return
    }
    this.#open = undefined
    this.#log.keep({
      promise: open.promise,
      kept: () => {
        open.resolve()
        afterwards?.()
      },
      failed: (error) => {
        const fault = this.#faultOf(error)
        open.reject(fault)
        this.#hooks.onLost?.(fault)
      },
    })
  }

  /** What is not committed is gone; those who wait for it are told. */
  discard(reason: SqlFault): void {
    if (this.#open !== undefined) this.#lose(reason)
  }

  /** Removes everything from the file, at once and for good. */
  empty(): void {
    this.commit()
    const names = this.#database
      .prepare("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
      .all() as { type: string; name: string }[]
    this.#prepared.clear()
    try {
      this.#database.exec('PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE')
      for (const wanted of ['trigger', 'view', 'table'])
        for (const { type, name } of names)
          if (type === wanted) this.#database.exec(`DROP ${type} IF EXISTS "${name.replaceAll('"', '""')}"`)
      this.#database.exec('COMMIT')
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw sqlFaultOf(error)
    } finally {
      this.#database.exec('PRAGMA foreign_keys = ON')
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.commit()
    this.#commits.drop(this)
    this.#prepared.clear()
    this.#database.close()
    this.#log.close()
  }

  /** Takes the file away too. Only after `empty`, so that a crash in between leaves an empty one. */
  remove(): void {
    this.close()
    for (const end of ['', '-wal', '-shm']) rmSync(this.file + end, { force: true })
  }

  #one(statement: SqlStatement, values: readonly SQLInputValue[]): SqlAnswer {
    if (statement.isTransactionControl) throw new SqlFault(ownTransactions, 'SQLITE_AUTH')
    if (statement.parameters > parametersMax) throw new SqlFault('too many SQL variables: SQLITE_ERROR', 'SQLITE_ERROR')
    if (statement.parameters !== values.length)
      throw new SqlFault('Wrong number of parameter bindings for SQL query.', 'SQLITE_RANGE')
    if (!statement.isRead) this.#begin()
    const answer = this.#guard(() => this.#rows(statement, values))
    if (statement.isDefinition) this.#prepared.clear()
    return answer
  }

  #rows(statement: SqlStatement, values: readonly SQLInputValue[]): SqlAnswer {
    const prepared = this.#prepare(statement.text)
    try {
      return { columns: prepared.columns, rows: toCells(prepared.statement.all(...values), prepared.hasBigIntegers) }
    } catch (error) {
      // A number beyond 2^53 comes as the nearest one that there is. What has written may not be done twice.
      if (!statement.isRead || !isOutOfRange(error)) throw error
      prepared.hasBigIntegers = true
      prepared.statement.setReadBigInts(true)
      return { columns: prepared.columns, rows: toCells(prepared.statement.all(...values), true) }
    }
  }

  #prepare(text: string): Prepared {
    const kept = this.#prepared.get(text)
    if (kept !== undefined) return kept
    const statement = this.#database.prepare(text)
    statement.setReturnArrays(true)
    const prepared = { statement, columns: statement.columns().map(({ name }) => name), hasBigIntegers: false }
    if (this.#prepared.size >= preparedStatementsMax) {
      const [oldest] = this.#prepared.keys()
      if (oldest !== undefined) this.#prepared.delete(oldest)
    }
    this.#prepared.set(text, prepared)
    return prepared
  }

  #begin(): void {
    if (this.#open !== undefined) return
    this.#guard(() => this.#database.exec('BEGIN IMMEDIATE'))
    this.#open = Promise.withResolvers()
    // Whoever does not wait for it does not want to know.
    this.#open.promise.catch(() => undefined)
    this.#commits.add(this)
  }

  #guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      const fault = this.#faultOf(error)
      // Some failures, a full disk among them, have taken back the whole turn.
      if (this.#open !== undefined && !this.#database.isTransaction) this.#lose(fault)
      throw fault
    }
  }

  #faultOf(error: unknown): SqlFault {
    const fault = sqlFaultOf(error)
    if (fault.code === 'SQLITE_CORRUPT' || fault.code === 'SQLITE_NOTADB') this.#hooks.onDamage?.(this.file)
    return fault
  }

  #lose(reason: SqlFault): void {
    const open = this.#open
    this.#open = undefined
    this.#commits.drop(this)
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
    this.#prepared.clear()
    open?.reject(reason)
    this.#hooks.onLost?.(reason)
  }
}

const readOnly = { parameters: 0, isRead: true, isTransactionControl: false, isDefinition: false }

function isOutOfRange(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'
}

function toCells(rows: unknown[], hasBigIntegers: boolean): readonly (readonly Cell[])[] {
  const cells = rows as unknown as (Cell | bigint)[][]
  if (hasBigIntegers)
    for (const row of cells)
      for (const [at, cell] of row.entries()) if (typeof cell === 'bigint') row[at] = Number(cell)
  return cells as Cell[][]
}
