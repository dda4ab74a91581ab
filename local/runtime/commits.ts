/**
 * What is written in one turn of the process is committed together at its end. Databases of objects go first: what an
 * object asks of the shared one stands on what it has written itself.
 */
import type { SyncFile } from './log-sync.ts'

export interface Committing {
  /** Objects' before shared ones. */
  readonly isShared: boolean
  /** Never throws: a failure is told to those who wait for this database. */
  commit(): void
}

export class Commits {
  readonly #objects = new Set<Committing>()
  readonly #shared = new Set<Committing>()
  #turn: NodeJS.Immediate | undefined
  /** How the logs of these databases come to the disk, where it is not the system's own way. */
  readonly sync: SyncFile | undefined

  constructor(sync?: SyncFile) {
    this.sync = sync
  }

  add(database: Committing): void {
    const databases = database.isShared ? this.#shared : this.#objects
    databases.add(database)
    this.#turn ??= setImmediate(() => this.flush())
  }

  drop(database: Committing): void {
    this.#objects.delete(database)
    this.#shared.delete(database)
  }

  /** Commits all that is open, now. */
  flush(): void {
    clearImmediate(this.#turn)
    this.#turn = undefined
    const databases = [...this.#objects, ...this.#shared]
    this.#objects.clear()
    this.#shared.clear()
    for (const database of databases) database.commit()
  }
}
