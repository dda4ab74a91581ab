/** What one object keeps: its own database, and the time of its alarm in the same transactions. */
import type { SQLInputValue } from 'node:sqlite'
import type { Commits } from './commits.ts'
import type { SqlFault } from './sql-fault.ts'
import { type Cell, type DamageWatch, type SqlAnswer, SqliteFile } from './sqlite-file.ts'

type StoredCell = string | number | null | ArrayBuffer
type StoredRow = Record<string, StoredCell>

/** The alarms of all objects of a class; told of an earlier time before it is committed, of a later one once it is on the disk. */
export interface AlarmService {
  timeOf(id: string): number | undefined
  set(id: string, atMs: number | undefined): void
}

export interface StorageOptions {
  readonly id: string
  readonly file: string
  readonly commits: Commits
  readonly alarms: AlarmService
  /** Throws when this life of the object is over. */
  readonly check: () => void
  readonly onLost: (reason: SqlFault) => void
  readonly onDamage: DamageWatch | undefined
  /** Failures that nobody waits for. */
  readonly onFailure: (what: string, cause: unknown) => void
}

/** The runtime's own table, with this key for the alarm: workerd's, so that it finds the time there. */
const createOwn =
  'CREATE TABLE IF NOT EXISTS _cf_METADATA (\n        key INTEGER PRIMARY KEY,\n        value BLOB\n      )'
const alarmKey = 1
const nanosecondsPerMs = 1_000_000n

export class ObjectStorage {
  readonly sql: ObjectSql
  readonly #options: StorageOptions
  #file: SqliteFile | undefined
  /** The alarm as this turn leaves it; not yet committed. */
  #changed: { readonly atMs: number | undefined } | undefined
  /** The last that was committed. */
  #told: { readonly atMs: number | undefined } | undefined
  /** While the alarm rings it is not set, unless somebody sets it anew. */
  #isRinging = false

  constructor(options: StorageOptions) {
    this.#options = options
    this.sql = new ObjectSql(() => this.#checked())
  }

  settled(): Promise<void> | undefined {
    return this.#file?.settled()
  }

  transactionSync<T>(work: () => T): T {
    const file = this.#checked()
    return file.atomically(() => {
      const before = this.#changed
      try {
        return work()
      } catch (error) {
        this.#changed = before
        throw error
      }
    })
  }

  async getAlarm(): Promise<number | null> {
    this.#options.check()
    return this.#isRinging ? null : (this.storedAlarm() ?? null)
  }

  async setAlarm(time: number | Date): Promise<void> {
    const atMs = Number(time)
    if (!Number.isFinite(atMs)) throw new TypeError('setAlarm() cannot be called with an alarm time that is no time')
    this.#checked()
    this.#isRinging = false
    this.#store(Math.floor(atMs))
  }

  async deleteAlarm(): Promise<void> {
    this.#checked()
    this.#isRinging = false
    if (this.storedAlarm() !== undefined) this.#store(undefined)
  }

  /** Everything, with the alarm. */
  async deleteAll(): Promise<void> {
    const file = this.#checked()
    file.empty()
    file.remove()
    this.#file = undefined
    this.#changed = undefined
    this.#isRinging = false
    this.#options.alarms.set(this.#options.id, undefined)
  }

  /** In milliseconds, whether it rings or not. */
  storedAlarm(): number | undefined {
    const file = this.#opened()
    const [own] = file.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_cf_METADATA'", []).rows
    if (own === undefined) return undefined
    const [row] = file.execute(
      `SELECT CAST(value / ${nanosecondsPerMs} AS INTEGER) FROM _cf_METADATA WHERE key = ${alarmKey} AND value IS NOT NULL`,
      [],
    ).rows
    return row === undefined ? undefined : Number(row[0])
  }

  ring(): void {
    this.#isRinging = true
  }

  /** The alarm was heard: unless it was set anew meanwhile, it is no more. */
  heard(): void {
    if (this.#isRinging) this.#store(undefined)
    this.#isRinging = false
  }

  /** It will ring again for the same time. */
  unheard(): void {
    this.#isRinging = false
  }

  close(): void {
    this.#file?.close()
    this.#file = undefined
  }

  /** As when the process had died: what is not committed never was. */
  drop(reason: SqlFault): void {
    this.#file?.discard(reason)
    this.close()
  }

  #store(atMs: number | undefined): void {
    const file = this.#opened()
    if (atMs === undefined) file.execute(`DELETE FROM _cf_METADATA WHERE key = ${alarmKey}`, [])
    else {
      file.execute(createOwn, [])
      file.execute(`INSERT OR REPLACE INTO _cf_METADATA (key, value) VALUES (${alarmKey}, ?)`, [
        BigInt(atMs) * nanosecondsPerMs,
      ])
    }
    this.#changed = { atMs }
  }

  #checked(): SqliteFile {
    this.#options.check()
    return this.#opened()
  }

  #opened(): SqliteFile {
    const { id, alarms, file, commits, onLost, onDamage, onFailure } = this.#options
    this.#file ??= new SqliteFile(file, commits, false, {
      onDamage,
      // An alarm may ring too early, when it finds that it is not due, but never too late.
      beforeCommit: () => {
        const changed = this.#changed
        this.#changed = undefined
        if (changed === undefined) return undefined
        this.#told = changed
        const present = alarms.timeOf(id)
        const isEarlier = changed.atMs !== undefined && (present === undefined || changed.atMs < present)
        if (isEarlier) {
          alarms.set(id, changed.atMs)
          return undefined
        }
        return () => {
          // A later turn has said another time meanwhile.
          if (this.#told !== changed) return
          // A full disk does not take it; what is committed stays so, and an alarm that is noted too early rings in vain.
          try {
            alarms.set(id, changed.atMs)
          } catch (cause) {
            onFailure('an alarm was not noted', cause)
          }
        }
      },
      onLost: (reason) => {
        this.#changed = undefined
        onLost(reason)
      },
    })
    return this.#file
  }
}

export class ObjectSql {
  readonly #file: () => SqliteFile

  constructor(file: () => SqliteFile) {
    this.#file = file
  }

  get databaseSize(): number {
    return this.#file().bytes()
  }

  exec<Row = StoredRow>(sql: string, ...values: readonly unknown[]): SqlCursor<Row> {
    return new SqlCursor<Row>(this.#file().execute(sql, values.map(toInput)))
  }
}

/** The rows of one statement, read whole: what is written afterwards does not change them. */
export class SqlCursor<Row = StoredRow> implements IterableIterator<Row> {
  readonly columnNames: readonly string[]
  readonly #rows: SqlAnswer['rows']
  #at = 0

  constructor({ columns, rows }: SqlAnswer) {
    this.columnNames = columns
    this.#rows = rows
  }

  get rowsRead(): number {
    return this.#at
  }

  next(): IteratorResult<Row, undefined> {
    const row = this.#nextRow()
    if (row === undefined) return { done: true, value: undefined }
    const object: StoredRow = {}
    for (const [at, name] of this.columnNames.entries()) object[name] = row[at] ?? null
    return { done: false, value: object as Row }
  }

  toArray(): Row[] {
    return [...this]
  }

  one(): Row {
    const rows = this.toArray()
    const [row] = rows
    if (row !== undefined && rows.length === 1) return row
    const what = row === undefined ? 'no results' : 'multiple results'
    throw new Error(`Expected exactly one result from SQL query, but got ${what}.`)
  }

  *raw(): IterableIterator<StoredCell[]> {
    for (let row = this.#nextRow(); row !== undefined; row = this.#nextRow()) yield row
  }

  [Symbol.iterator](): this {
    return this
  }

  #nextRow(): StoredCell[] | undefined {
    const row = this.#rows[this.#at]
    if (row === undefined) return undefined
    this.#at += 1
    return row.map(toStored)
  }
}

function toInput(value: unknown): SQLInputValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' || typeof value === 'string') return value
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  if (typeof value === 'boolean') return String(value)
  throw new TypeError(`A value of type ${typeof value} cannot be kept`)
}

function toStored(cell: Cell): StoredCell {
  if (!(cell instanceof Uint8Array)) return cell
  const { buffer, byteOffset, byteLength } = cell
  const isWhole = byteOffset === 0 && byteLength === buffer.byteLength
  return (isWhole ? buffer : cell.slice().buffer) as ArrayBuffer
}
