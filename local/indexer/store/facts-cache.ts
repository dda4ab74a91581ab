/** Facts of files by content, so that only changed files are parsed again. Losing it costs time, never truth. */
import { rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { FileFacts } from '../core/facts.ts'
import type { FileLinks } from '../core/file-links.ts'
import { extractionVersion } from '../core/vocabulary.ts'
import { type PackedFacts, unpackFacts } from './packed-facts.ts'

/** Layout of the cache itself. */
const cacheVersion = 7

export interface KeptFacts extends PackedFacts {
  readonly path: string
  readonly hash: string
}

export class FactsCache {
  readonly #database: DatabaseSync
  readonly #find: StatementSync

  constructor(file: string) {
    this.#database = openCache(file)
    this.#find = this.#database.prepare('SELECT body FROM facts WHERE path = ? AND hash = ?')
  }

  /** The facts kept for a path, when they are of these bytes. */
  read(path: string, hash: string): FileFacts | undefined {
    const row = this.#find.get(path, hash)
    if (row === undefined) return undefined
    try {
      return unpackFacts(row['body'] as Uint8Array)
    } catch {
      return undefined
    }
  }

  /** What ties each file to others, by path, with the hash of the bytes it was read from. */
  links(): Map<string, KeptLinks> {
    const rows = this.#database.prepare('SELECT path, hash, specifiers, numbers, package FROM links').all()
    return new Map(rows.map((row) => [String(row['path']), new KeptLinks(row)]))
  }

  /** Beside what is kept of others. */
  put(changed: readonly KeptFacts[]): void {
    this.#change(() => this.#put(changed))
  }

  /** Files that are gone. */
  remove(paths: readonly string[]): void {
    this.#change(() => this.#remove(paths))
  }

  /** What is kept of files that are not among these goes. */
  replace(changed: readonly KeptFacts[], isKept: (path: string) => boolean): void {
    this.#change(() => {
      this.#put(changed)
      const paths = this.#database.prepare('SELECT path FROM links').all()
      this.#remove(paths.map((row) => String(row['path'])).filter((path) => !isKept(path)))
    })
  }

  #change(change: () => void): void {
    this.#database.exec('BEGIN')
    change()
    this.#database.exec('COMMIT')
  }

  #put(changed: readonly KeptFacts[]): void {
    const putFacts = this.#database.prepare('INSERT OR REPLACE INTO facts VALUES (?, ?, ?)')
    const putLinks = this.#database.prepare('INSERT OR REPLACE INTO links VALUES (?, ?, ?, ?, ?)')
    for (const { path, hash, body, links } of changed) {
      const { specifiers, names, offeredNames, packageName } = links
      putFacts.run(path, hash, body)
      const numbers = Uint32Array.of(names.length, ...names, ...offeredNames)
      putLinks.run(path, hash, JSON.stringify(specifiers), new Uint8Array(numbers.buffer), packageName ?? null)
    }
  }

  #remove(paths: readonly string[]): void {
    for (const table of ['facts', 'links']) {
      const remove = this.#database.prepare(`DELETE FROM ${table} WHERE path = ?`)
      for (const path of paths) remove.run(path)
    }
  }

  close(): void {
    this.#database.close()
  }
}

/** All files have them, and few are asked for theirs: they are made of what is kept when somebody asks. */
class KeptLinks implements FileLinks {
  readonly hash: string
  readonly packageName?: string
  readonly #row: Readonly<Record<string, unknown>>
  #numbers: Uint32Array | undefined

  constructor(row: Readonly<Record<string, unknown>>) {
    this.#row = row
    this.hash = String(row['hash'])
    if (row['package'] !== null) this.packageName = String(row['package'])
  }

  get specifiers(): readonly string[] {
    return JSON.parse(String(this.#row['specifiers'])) as string[]
  }

  get names(): Uint32Array {
    const numbers = this.#allNumbers
    return numbers.subarray(1, 1 + (numbers[0] ?? 0))
  }

  get offeredNames(): Uint32Array {
    const numbers = this.#allNumbers
    return numbers.subarray(1 + (numbers[0] ?? 0))
  }

  get #allNumbers(): Uint32Array {
    if (this.#numbers === undefined) {
      const bytes = this.#row['numbers'] as Uint8Array
      // A copy where it does not lie on a border of four bytes.
      const { buffer, byteOffset, byteLength } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
      this.#numbers = new Uint32Array(buffer, byteOffset, byteLength >> 2)
    }
    return this.#numbers
  }
}

function openCache(file: string): DatabaseSync {
  for (let attempt = 0; ; attempt += 1) {
    let database: DatabaseSync | undefined
    try {
      database = new DatabaseSync(file, { timeout: 2000 })
      database.exec('PRAGMA synchronous = OFF')
      const version = extractionVersion * 1000 + cacheVersion
      if (database.prepare('PRAGMA user_version').get()?.['user_version'] !== version) {
        // Apart from the facts: what is read of all files lies together.
        database.exec(
          `DROP TABLE IF EXISTS facts; DROP TABLE IF EXISTS links;
          CREATE TABLE facts (path TEXT PRIMARY KEY, hash TEXT NOT NULL, body BLOB NOT NULL);
          CREATE TABLE links (path TEXT PRIMARY KEY, hash TEXT NOT NULL, specifiers TEXT NOT NULL, numbers BLOB NOT NULL,
            package TEXT) WITHOUT ROWID`,
        )
        database.exec(`PRAGMA user_version = ${version}`)
      }
      return database
    } catch (error) {
      // A damaged cache is thrown away: everything in it can be made again.
      database?.close()
      if (attempt > 0) throw error
      for (const tail of ['', '-journal', '-wal', '-shm']) rmSync(`${file}${tail}`, { force: true })
    }
  }
}
