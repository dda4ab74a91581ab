/** Facts of files by content, so that only changed files are parsed again. Losing it costs time, never truth. */
import { rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { FileFacts } from '../core/facts.ts'
import type { FileLinks } from '../core/file-links.ts'
import type { FileMacros } from '../core/project-macros.ts'
import { extractionVersion } from '../core/vocabulary.ts'
import { type PackedFacts, unpackFacts } from './packed-facts.ts'

/** Layout of the cache itself. */
const cacheVersion = 9

export interface KeptFacts extends PackedFacts {
  readonly path: string
  readonly hash: string
  readonly macros?: MacrosOfFile | undefined
}

/** What a file of C has to do with macros of the project, and what of them it was read with. */
export interface MacrosOfFile extends FileMacros {
  readonly readWith: number
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
    const sum = this.#database.prepare('SELECT total(length(numbers)) AS bytes FROM links').get()
    const numbers = new Uint32Array(Number(sum?.['bytes'] ?? 0) >> 2)
    const bytes = new Uint8Array(numbers.buffer)
    const rows = this.#database.prepare('SELECT path, hash, specifiers, package, numbers FROM links')
    rows.setReturnArrays(true)
    const links = new Map<string, KeptLinks>()
    let at = 0
    for (const row of rows.iterate() as unknown as Iterable<LinksRow>) {
      const own = row[4]
      // What is no list of numbers is damaged, and as if it were not there.
      if (!(own instanceof Uint8Array) || own.length % Uint32Array.BYTES_PER_ELEMENT !== 0) continue
      bytes.set(own, at)
      links.set(row[0], new KeptLinks(row, numbers, at >> 2))
      at += own.length
    }
    return links
  }

  /** The packages that files declare for themselves, by path. */
  packageNames(): Map<string, string> {
    const rows = this.#database.prepare('SELECT path, package FROM links WHERE package IS NOT NULL').all()
    return new Map(rows.map((row) => [String(row['path']), String(row['package'])]))
  }

  /** Of files of C, by path, with the hash of the bytes they are of. */
  macros(): Map<string, MacrosOfFile & { readonly hash: string }> {
    const rows = this.#database.prepare('SELECT path, hash, macros FROM links WHERE macros IS NOT NULL').all()
    return new Map(
      rows.map((row) => [
        String(row['path']),
        { ...(JSON.parse(String(row['macros'])) as MacrosOfFile), hash: String(row['hash']) },
      ]),
    )
  }

  /** Whether any file may look up one of these names, by their hashes. True costs time, never truth. */
  isAnyWritten(hashes: readonly number[]): boolean {
    if (hashes.length === 0) return false
    const written = this.#written()
    return written === undefined || hashes.some((hash) => isIn(written, hash))
  }

  /** Names that any file ever looked up, in order: a few hundred thousand, where the lists of all files are millions. */
  #written(): Uint32Array | undefined {
    const row = this.#database.prepare('SELECT names FROM written').get()
    const names = row?.['names']
    if (!(names instanceof Uint8Array) || names.length % Uint32Array.BYTES_PER_ELEMENT !== 0) return undefined
    // A copy begins where numbers may begin.
    return new Uint32Array(Uint8Array.from(names).buffer)
  }

  #note(changed: readonly KeptFacts[]): void {
    const written = this.#written() ?? new Uint32Array()
    const fresh = new Set<number>()
    for (const { links } of changed) for (const one of links.names) if (!isIn(written, one)) fresh.add(one)
    if (fresh.size === 0) return
    const all = new Uint32Array(written.length + fresh.size)
    all.set(written)
    all.set([...fresh], written.length)
    all.sort()
    this.#database.exec('DELETE FROM written')
    this.#database.prepare('INSERT INTO written VALUES (?)').run(new Uint8Array(all.buffer))
  }

  /** Beside what is kept of others. */
  put(changed: readonly KeptFacts[]): void {
    this.#change(() => {
      this.#put(changed)
      this.#note(changed)
    })
  }

  /** Files that are gone. */
  remove(paths: readonly string[]): void {
    this.#change(() => this.#remove(paths))
  }

  /** What is kept of other files goes. */
  keepOnly(isKept: (path: string) => boolean): void {
    const paths = this.#database.prepare('SELECT path FROM links').all()
    this.remove(paths.map((row) => String(row['path'])).filter((path) => !isKept(path)))
  }

  #change(change: () => void): void {
    this.#database.exec('BEGIN')
    change()
    this.#database.exec('COMMIT')
  }

  #put(changed: readonly KeptFacts[]): void {
    const putFacts = this.#database.prepare('INSERT OR REPLACE INTO facts VALUES (?, ?, ?)')
    const putLinks = this.#database.prepare('INSERT OR REPLACE INTO links VALUES (?, ?, ?, ?, ?, ?)')
    for (const { path, hash, body, links, macros } of changed) {
      const { specifiers, names, offeredNames, packageName } = links
      putFacts.run(path, hash, body)
      const numbers = Uint32Array.of(names.length, ...names, ...offeredNames)
      const macroText = macros === undefined ? null : JSON.stringify(macros)
      const tied = new Uint8Array(numbers.buffer)
      putLinks.run(path, hash, JSON.stringify(specifiers), tied, packageName ?? null, macroText)
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

function isIn(ordered: Uint32Array, wanted: number): boolean {
  let low = 0
  let high = ordered.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ordered[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return ordered[low] === wanted
}

type LinksRow = readonly [
  path: string,
  hash: string,
  specifiers: string,
  packageName: string | null,
  numbers: Uint8Array,
]

/** All files have them, and few are asked for theirs: they are made of what is kept when somebody asks. */
class KeptLinks implements FileLinks {
  readonly hash: string
  readonly packageName?: string
  readonly #specifiers: string
  /** Of all files, one after another: a list each would cost more than what is in it. */
  readonly #numbers: Uint32Array
  readonly #at: number
  readonly #count: number

  /** `at`: where those of this file begin, with how many names it looks up. */
  constructor([, hash, specifiers, packageName, own]: LinksRow, numbers: Uint32Array, at: number) {
    this.hash = hash
    if (packageName !== null) this.packageName = packageName
    this.#specifiers = specifiers
    this.#numbers = numbers
    this.#at = at
    this.#count = own.length >> 2
  }

  get specifiers(): readonly string[] {
    return JSON.parse(this.#specifiers) as string[]
  }

  get names(): Uint32Array {
    return this.#numbers.subarray(this.#at + 1, this.#at + 1 + this.#namesCount)
  }

  get offeredNames(): Uint32Array {
    return this.#numbers.subarray(this.#at + 1 + this.#namesCount, this.#at + this.#count)
  }

  get #namesCount(): number {
    return this.#numbers[this.#at] ?? 0
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
          `DROP TABLE IF EXISTS facts; DROP TABLE IF EXISTS links; DROP TABLE IF EXISTS written;
          CREATE TABLE written (names BLOB NOT NULL);
          CREATE TABLE facts (path TEXT PRIMARY KEY, hash TEXT NOT NULL, body BLOB NOT NULL);
          CREATE TABLE links (path TEXT PRIMARY KEY, hash TEXT NOT NULL, specifiers TEXT NOT NULL, numbers BLOB NOT NULL,
            package TEXT, macros TEXT) WITHOUT ROWID`,
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
