/** D1 over a file: what it answers and how it refuses, as far as the Worker's code stands on it. */
import type { SQLInputValue } from 'node:sqlite'
import { beforeLeaving } from './lives.ts'
import { sqlFaultOf } from './sql-fault.ts'
import { statementsOf } from './sql-text.ts'
import type { Cell, SqlAnswer, SqliteFile } from './sqlite-file.ts'

type ResultCell = string | number | null | number[]
type ResultRow = Record<string, ResultCell>

interface D1Meta {
  readonly served_by: string
  readonly duration: number
  readonly changes: number
  readonly last_row_id: number
  readonly changed_db: boolean
  readonly rows_read: number
  readonly rows_written: number
}

export interface D1Outcome<Row = ResultRow> {
  readonly success: true
  readonly meta: D1Meta
  readonly results: Row[]
}

interface Ran {
  readonly answer: SqlAnswer
  readonly meta: D1Meta
}

/** A refusal with D1's own mark; the cause tells SQLite's code. */
function d1Error(mark: string, message: string, cause: Error = new Error(message)): Error {
  const error = new Error(`${mark}: ${message}`, { cause })
  return 'code' in cause ? Object.assign(error, { code: cause.code }) : error
}

export class D1 {
  readonly #file: SqliteFile

  constructor(file: SqliteFile) {
    this.#file = file
  }

  prepare(sql: string): D1Statement {
    return new D1Statement(this, sql, [])
  }

  /** All or nothing. */
  async batch<Row = ResultRow>(statements: readonly D1Statement[]): Promise<D1Outcome<Row>[]> {
    const ran = await this.run(statements)
    return ran.map(({ answer, meta }) => ({ success: true, meta, results: toObjects<Row>(answer) }))
  }

  /** For scripts: several statements in one text. */
  async exec(sql: string): Promise<{ count: number; duration: number }> {
    const statements = statementsOf(sql)
    const ran = await this.run([this.prepare(sql)])
    return { count: statements.length, duration: ran[0]?.meta.duration ?? 0 }
  }

  /** In one transaction. Neither an answer nor a refusal comes before what it stands on is kept. */
  async run(statements: readonly D1Statement[]): Promise<Ran[]> {
    await beforeLeaving()
    const file = this.#file
    if (statements.every(({ sql }) => statementsOf(sql).length === 0))
      throw d1Error('D1_ERROR', 'No SQL statements detected.')
    try {
      const one = ({ sql, values }: D1Statement) => this.#ran(sql, values)
      const [only] = statements
      // One statement is all or nothing by itself.
      const isPlain = only !== undefined && statements.length === 1 && statementsOf(only.sql).length === 1
      const isRead = statements.every(({ sql }) => statementsOf(sql).every((part) => part.isRead))
      return isPlain || isRead ? statements.map(one) : file.atomically(() => statements.map(one))
    } catch (error) {
      const fault = sqlFaultOf(error)
      throw d1Error('D1_ERROR', fault.message, fault)
    } finally {
      const open = file.settled()
      if (open !== undefined)
        await open.catch((error: unknown) => {
          const fault = sqlFaultOf(error)
          throw d1Error('D1_ERROR', fault.message, fault)
        })
    }
  }

  #ran(sql: string, values: readonly SQLInputValue[]): Ran {
    const startedMs = performance.now()
    const isRead = statementsOf(sql).every((statement) => statement.isRead)
    const before = isRead ? noCounts : this.#counts()
    const answer = this.#file.execute(sql, values)
    const after = isRead ? noCounts : this.#counts()
    const changes = after.changes - before.changes
    return {
      answer,
      meta: {
        served_by: 'wharf',
        duration: performance.now() - startedMs,
        changes,
        last_row_id: after.lastRowId,
        changed_db: changes > 0,
        rows_read: answer.rows.length,
        rows_written: changes,
      },
    }
  }

  #counts(): { changes: number; lastRowId: number } {
    const [row] = this.#file.execute('SELECT total_changes(), last_insert_rowid()', []).rows
    return { changes: Number(row?.[0] ?? 0), lastRowId: Number(row?.[1] ?? 0) }
  }
}

const noCounts = { changes: 0, lastRowId: 0 }

export class D1Statement {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
  readonly #database: D1

  constructor(database: D1, sql: string, values: readonly SQLInputValue[]) {
    this.#database = database
    this.sql = sql
    this.values = values
  }

  bind(...values: readonly unknown[]): D1Statement {
    return new D1Statement(this.#database, this.sql, values.map(toInput))
  }

  async all<Row = ResultRow>(): Promise<D1Outcome<Row>> {
    const { answer, meta } = await this.#only()
    return { success: true, meta, results: toObjects<Row>(answer) }
  }

  run<Row = ResultRow>(): Promise<D1Outcome<Row>> {
    return this.all<Row>()
  }

  async first<Value = ResultRow>(column?: string): Promise<Value | null> {
    const { answer } = await this.#only()
    const [row] = toObjects<ResultRow>(answer)
    if (row === undefined) return null
    if (column === undefined) return row as Value
    if (!Object.hasOwn(row, column))
      throw d1Error('D1_COLUMN_NOTFOUND', `Column not found (${column})`, new Error('Column not found'))
    return row[column] as Value
  }

  async raw<Row = ResultCell[]>(options?: { readonly columnNames?: boolean }): Promise<Row[]> {
    const { answer } = await this.#only()
    const rows = answer.rows.map((row) => row.map(toResult)) as Row[]
    return options?.columnNames === true ? [[...answer.columns] as Row, ...rows] : rows
  }

  async #only(): Promise<Ran> {
    const [ran] = await this.#database.run([this])
    if (ran === undefined) throw new Error('a statement answers')
    return ran
  }
}

function toInput(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  if (Array.isArray(value)) return Uint8Array.from(value)
  throw d1Error('D1_TYPE_ERROR', `Type '${typeof value}' not supported for value '${String(value)}'`)
}

function toResult(cell: Cell): ResultCell {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : null
  return cell instanceof Uint8Array ? Array.from(cell) : cell
}

function toObjects<Row>({ columns, rows }: SqlAnswer): Row[] {
  return rows.map((row) => {
    const object: ResultRow = {}
    for (const [at, name] of columns.entries()) object[name] = toResult(row[at] ?? null)
    return object as Row
  })
}
