/** `SyncSql` over `node:sqlite`, with every pragma that the promises rest on set and read back. */
import {
  chmodSync,
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { SqlRow, SqlValue } from '#shared/sql/sync-sql.ts'
import { loopShare } from '../runtime/loop-share.ts'
import type { Durability, SettlingSql } from '../runtime/settling.ts'

export interface SqliteOptions {
  readonly busyMs: number
  readonly bytesMax: number
  readonly walBytesMax: number
  readonly versionMin: string
  /** Kept free, in the database and on the disk, so that what runs when both are full can still be recorded as ended. */
  readonly reserveBytes?: number
}

/** The engine refused: full disk, damaged file, locked database. */
export class SqliteFault extends Error {
  override readonly name: string = 'SqliteFault'
}

/** What is in the file is no database, or not the one that was there. */
export class SqliteDamage extends SqliteFault {
  override readonly name = 'SqliteDamage'
}

/** A write found no room, in the database or on the disk. */
export class SqliteFull extends SqliteFault {
  override readonly name = 'SqliteFull'
}

export interface SqliteDatabase extends SettlingSql {
  /**
   * Writes zeros behind the journal, a piece at a time: a commit that makes a file longer takes the disk longer than one that
   * writes into it. Answers whether there is more to do. Where there is no room it stays as it is.
   */
  lengthenJournal(): boolean
  /** A write found no room, and there is none yet. */
  isFull(): boolean
  /** What is wrong with the file, found when it was used; undefined while nothing is. */
  damage(): string | undefined
  close(): void
}

const pageBytes = 4096
const sqliteCorrupt = 11
const sqliteFull = 13
const sqliteNotADatabase = 26

/**
 * What was written goes from the log into the database once this much waits, in a pass of the loop of its own: it takes
 * as long as the commit that would else do it. Where no pass comes, a commit does it at the second bound.
 */
const checkpointBytes = 4 * 1024 * 1024
const checkpointPagesMax = (4 * checkpointBytes) / pageBytes

/** What is counted as waiting is a little less than what the journal holds. */
const journalBytes = checkpointBytes + 1024 * 1024
/** At a time: it is written in one pass of the loop. */
const journalPiece = 256 * 1024

export function openSqlite(file: string, options: SqliteOptions): SqliteDatabase {
  refuseOldEngine(options.versionMin)
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  refuseEmptied(file)
  const database = new DatabaseSync(file, { timeout: options.busyMs, enableForeignKeyConstraints: true })
  chmodSync(file, 0o600)
  // FULL: one fsync a commit, so what was acknowledged survives a power cut and not only a crash of the process.
  const pages = Math.floor((options.bytesMax - (options.reserveBytes ?? 0)) / pageBytes)
  const pragmas: readonly [name: string, value: string | number, reads: string | number][] = [
    ['journal_mode', 'WAL', 'wal'],
    ['synchronous', 'FULL', 2],
    ['trusted_schema', 'OFF', 0],
    ['secure_delete', 'ON', 1],
    ['journal_size_limit', options.walBytesMax, options.walBytesMax],
    ['wal_autocheckpoint', checkpointPagesMax, checkpointPagesMax],
    ['max_page_count', pages, pages],
  ]
  for (const [name, value, expected] of pragmas) {
    try {
      database.exec(`PRAGMA ${name} = ${value}`)
    } catch (error) {
      database.close()
      throw unopened(file, error)
    }
    const row = database.prepare(`PRAGMA ${name}`).get()
    const found = row === undefined ? undefined : Object.values(row)[0]
    // A database that has used its reserve keeps the size it has: it can be read, and what is removed makes room.
    if (name === 'max_page_count' && Number(found) > pages) continue
    if (found !== expected) throw new SqliteFault(`pragma ${name} is ${String(found)} instead of ${expected}`)
  }
  const reserveFile = reserveFileOf(file)
  const keep = () => keepReserve(reserveFile, options.reserveBytes ?? 0)
  const reserve: Reserve = {
    free() {
      rmSync(reserveFile, { force: true })
      database.exec(`PRAGMA max_page_count = ${Math.floor(options.bytesMax / pageBytes)}`)
    },
    takeAgain() {
      if (pagesInUse(database) >= pages || !keep()) return false
      database.exec(`PRAGMA max_page_count = ${pages}`)
      return true
    },
  }
  const hasRoom = reserve.takeAgain()
  // What a crash left behind is recorded as ended before anything else, and finds the room that is kept back for it.
  if (!hasRoom) reserve.free()
  return new NodeSqlite(file, database, reserve, !hasRoom)
}

/**
 * The same for reading alone, where nothing can be written or must not be. Its index of the journal is in memory, since a
 * full disk has no room for one, so no other process can have the file open.
 */
export function openSqliteToRead(file: string): SqliteDatabase {
  const database = new DatabaseSync(file)
  try {
    for (const pragma of ['locking_mode = EXCLUSIVE', 'trusted_schema = OFF', 'query_only = ON'])
      database.exec(`PRAGMA ${pragma}`)
    database.prepare('SELECT name FROM sqlite_schema').all()
  } catch (error) {
    database.close()
    throw unopened(file, error)
  }
  return new NodeSqlite(file, database, { free: () => undefined, takeAgain: () => false }, false)
}

export function reserveFileOf(file: string): string {
  return `${file}-reserve`
}

/** Room kept back for what must be recorded when there is no other left. */
interface Reserve {
  free(): void
  /** False while there is no room for it. */
  takeAgain(): boolean
}

function pagesInUse(database: DatabaseSync): number {
  const count = (name: string) => Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0])
  return count('page_count') - count('freelist_count')
}

/** A reserve lies beside a database that had its first page: since then it was emptied, and nothing must begin in its place. */
function refuseEmptied(file: string): void {
  const sizeOf = (name: string) => statSync(name, { throwIfNoEntry: false })?.size
  if (sizeOf(file) !== 0 || sizeOf(reserveFileOf(file)) === undefined) return
  throw new SqliteDamage(`the database ${file} was emptied; ${remedy}`)
}

/** SQLite's code without what it says in particular. */
function codeOf(cause: unknown): number | undefined {
  return cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) & 0xff : undefined
}

function isDamage(cause: unknown): boolean {
  const code = codeOf(cause)
  return code === sqliteNotADatabase || code === sqliteCorrupt
}

export function damagedDatabase(file: string, cause?: unknown): SqliteDamage {
  return new SqliteDamage(`the database ${file} is damaged; ${remedy}`, { cause })
}

function unopened(file: string, cause: unknown): SqliteFault {
  if (isDamage(cause)) return damagedDatabase(file, cause)
  if (codeOf(cause) === sqliteFull)
    return new SqliteFault(`there is no room on the disk for the database ${file}`, { cause })
  const reason = cause instanceof Error ? cause.message : 'it failed'
  return new SqliteFault(`the database ${file} cannot be opened: ${reason}`, { cause })
}

const remedy = 'put a copy of it in its place, or move it away to begin anew'

function keepReserve(file: string, bytes: number): boolean {
  if (bytes === 0 || statSync(file, { throwIfNoEntry: false })?.size === bytes) return true
  try {
    writeFileSync(file, Buffer.alloc(bytes), { mode: 0o600 })
    return true
  } catch {
    // A disk without room for it is full already: what fits is written, and nothing is kept back.
    rmSync(file, { force: true })
    return false
  }
}

/** SQLite takes no locks on its journal that a closed handle would release, and has one as long as the database is open. */
function lengthen(journal: string): boolean {
  const handle = openSync(journal, 'r+')
  try {
    const { size } = fstatSync(handle)
    if (size >= journalBytes) return false
    try {
      writeSync(handle, Buffer.alloc(journalPiece), 0, journalPiece, size)
    } catch {
      ftruncateSync(handle, size)
      return false
    }
    return size + journalPiece < journalBytes
  } finally {
    closeSync(handle)
  }
}

/** SQLite before this version can damage a database that two connections write to (the WAL-reset bug). */
function refuseOldEngine(versionMin: string): void {
  const version = process.versions['sqlite'] ?? '0'
  if (!isOlder(version, versionMin)) return
  throw new SqliteFault(
    `SQLite ${version} can damage a database in use; ${versionMin} or newer is needed (Node 24.21 brings it)`,
  )
}

function isOlder(version: string, than: string): boolean {
  const least = than.split('.').map(Number)
  const parts = version.split('.').map(Number)
  const differing = least.findIndex((part, index) => part !== (parts[index] ?? 0))
  return differing !== -1 && (parts[differing] ?? 0) < (least[differing] ?? 0)
}

class NodeSqlite implements SqliteDatabase {
  readonly #file: string
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  readonly #reserve: Reserve
  #isInTransaction = false
  /** Bytes in the log since the last checkpoint, about. */
  #waitingBytes = 0
  #isFull: boolean
  #damage: string | undefined

  constructor(file: string, database: DatabaseSync, reserve: Reserve, isFull: boolean) {
    this.#file = file
    this.#database = database
    this.#reserve = reserve
    this.#isFull = isFull
  }

  isFull(): boolean {
    if (this.#isFull && this.#reserve.takeAgain()) this.#isFull = false
    return this.#isFull
  }

  damage(): string | undefined {
    return this.#damage
  }

  all(sql: string, ...values: readonly SqlValue[]): SqlRow[] {
    return this.#guard(() => this.#statement(sql).all(...values) as SqlRow[])
  }

  run(sql: string, ...values: readonly SqlValue[]): void {
    this.#guard(() => this.#statement(sql).run(...values))
    this.#noteWritten(values)
  }

  transaction<T>(work: () => T, durability: Durability = 'settled'): T {
    if (this.#isInTransaction) throw new Error('transactions do not nest')
    if (durability === 'settled') return this.#transaction(work)
    // Without the sync of the journal; the file stays whole, and turns stay in their order.
    this.#database.exec('PRAGMA synchronous = NORMAL')
    try {
      return this.#transaction(work)
    } finally {
      this.#database.exec('PRAGMA synchronous = FULL')
    }
  }

  #transaction<T>(work: () => T): T {
    this.#guard(() => this.#database.exec('BEGIN IMMEDIATE'))
    this.#isInTransaction = true
    try {
      const value = work()
      this.#guard(() => this.#database.exec('COMMIT'))
      return value
    } catch (error) {
      // A full disk has already rolled back; a second ROLLBACK would hide the first error.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    } finally {
      this.#isInTransaction = false
    }
  }

  lengthenJournal(): boolean {
    if (!this.#database.isOpen || this.#isInTransaction) return false
    // Nobody else writes meanwhile, of another process neither: they write behind what is committed.
    this.#guard(() => this.#database.exec('BEGIN IMMEDIATE'))
    try {
      return lengthen(`${this.#file}-wal`)
    } finally {
      this.#database.exec('ROLLBACK')
    }
  }

  #noteWritten(values: readonly SqlValue[]): void {
    const isDue = this.#waitingBytes >= checkpointBytes
    for (const value of values)
      this.#waitingBytes += typeof value === 'string' || value instanceof Uint8Array ? value.length : 0
    // A row and its place in an index.
    this.#waitingBytes += 2 * pageBytes
    if (!isDue && this.#waitingBytes >= checkpointBytes) setImmediate(() => void this.#checkpoint())
  }

  async #checkpoint(): Promise<void> {
    // Beside the end of a long answer the two would hold the loop for as long as both take.
    if (loopShare.isSpent()) await loopShare.turn()
    this.#waitingBytes = 0
    if (!this.#database.isOpen) return
    try {
      this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)')
    } catch {
      // As with one that a commit makes: what is in the log is safe there, and the next one tries again.
    }
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  #guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      const message = error instanceof Error ? error.message : 'the database failed'
      if (isDamage(error)) {
        const damage = unopened(this.#file, error)
        this.#damage ??= damage.message
        throw damage
      }
      if (codeOf(error) !== sqliteFull) throw new SqliteFault(message, { cause: error })
      // What failed stays failed; what records that it did finds room.
      this.#isFull = true
      this.#reserve.free()
      throw new SqliteFull(message, { cause: error })
    }
  }
}
