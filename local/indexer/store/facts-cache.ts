/** Facts of files by content, so that only changed files are parsed again. Losing it costs time, never truth. */
import { rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { FileFacts } from '../core/facts.ts'
import { extractionVersion } from '../core/vocabulary.ts'
import { unpackFacts } from './packed-facts.ts'

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

  replace(
    changed: readonly { readonly path: string; readonly hash: string; readonly packed: Uint8Array }[],
    isKept: (path: string) => boolean,
  ): void {
    this.#database.exec('BEGIN')
    const put = this.#database.prepare('INSERT OR REPLACE INTO facts (path, hash, body) VALUES (?, ?, ?)')
    for (const one of changed) put.run(one.path, one.hash, one.packed)
    const gone = this.#database
      .prepare('SELECT path FROM facts')
      .all()
      .map((row) => String(row['path']))
      .filter((one) => !isKept(one))
    const remove = this.#database.prepare('DELETE FROM facts WHERE path = ?')
    for (const one of gone) remove.run(one)
    this.#database.exec('COMMIT')
  }

  close(): void {
    this.#database.close()
  }
}

function openCache(file: string): DatabaseSync {
  for (let attempt = 0; ; attempt += 1) {
    let database: DatabaseSync | undefined
    try {
      database = new DatabaseSync(file, { timeout: 2000 })
      database.exec('PRAGMA synchronous = OFF')
      const version = database.prepare('PRAGMA user_version').get()?.['user_version']
      if (version !== extractionVersion) {
        database.exec('DROP TABLE IF EXISTS facts')
        database.exec(
          'CREATE TABLE facts (path TEXT PRIMARY KEY, hash TEXT NOT NULL, body BLOB NOT NULL) WITHOUT ROWID',
        )
        database.exec(`PRAGMA user_version = ${extractionVersion}`)
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
