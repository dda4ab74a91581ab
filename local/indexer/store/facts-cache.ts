/** Facts of files by content, so that only changed files are parsed again. Losing it costs time, never truth. */
import { rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { FileFacts } from '../core/facts.ts'
import type { FileLinks } from '../core/file-links.ts'
import { extractionVersion } from '../core/vocabulary.ts'
import { type KeptForm, unpackFacts } from './packed-facts.ts'

/** Layout of the cache itself. */
const cacheVersion = 5

export interface KeptFacts extends KeptForm {
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
  links(): Map<string, FileLinks & { readonly hash: string }> {
    const found = new Map<string, FileLinks & { readonly hash: string }>()
    for (const row of this.#database
      .prepare('SELECT path, hash, specifiers, names, offered, package FROM facts')
      .all()) {
      found.set(String(row['path']), {
        hash: String(row['hash']),
        specifiers: JSON.parse(String(row['specifiers'])) as string[],
        names: numbers(row['names']),
        offeredNames: numbers(row['offered']),
        ...(row['package'] === null ? {} : { packageName: String(row['package']) }),
      })
    }
    return found
  }

  replace(changed: readonly KeptFacts[], isKept: (path: string) => boolean): void {
    this.#database.exec('BEGIN')
    const put = this.#database.prepare('INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?, ?, ?, ?)')
    for (const one of changed) {
      const { specifiers, names, offeredNames, packageName } = one.links
      const texts = [one.path, one.hash, one.body, JSON.stringify(specifiers)] as const
      put.run(...texts, bytes(names), bytes(offeredNames), packageName ?? null)
    }
    const remove = this.#database.prepare('DELETE FROM facts WHERE path = ?')
    for (const row of this.#database.prepare('SELECT path FROM facts').all()) {
      const path = String(row['path'])
      if (!isKept(path)) remove.run(path)
    }
    this.#database.exec('COMMIT')
  }

  close(): void {
    this.#database.close()
  }
}

function bytes(values: Uint32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
}

function numbers(value: unknown): Uint32Array {
  // A copy: what the database hands out need not lie on a border of four bytes.
  const copy = Uint8Array.from(value as Uint8Array)
  return new Uint32Array(copy.buffer, 0, copy.byteLength >> 2)
}

function openCache(file: string): DatabaseSync {
  for (let attempt = 0; ; attempt += 1) {
    let database: DatabaseSync | undefined
    try {
      database = new DatabaseSync(file, { timeout: 2000 })
      database.exec('PRAGMA synchronous = OFF')
      const version = extractionVersion * 1000 + cacheVersion
      if (database.prepare('PRAGMA user_version').get()?.['user_version'] !== version) {
        database.exec('DROP TABLE IF EXISTS facts')
        database.exec(
          `CREATE TABLE facts (path TEXT PRIMARY KEY, hash TEXT NOT NULL, body BLOB NOT NULL,
            specifiers TEXT NOT NULL, names BLOB NOT NULL, offered BLOB NOT NULL, package TEXT)`,
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
