/**
 * Brings the write-ahead log of one database to the disk. SQLite waits for the disk where it stands, and with it everything
 * that this process serves; here the wait is a thread's of its own, and what is committed meanwhile shares the next one.
 */
import { closeSync, fdatasync, openSync } from 'node:fs'

/** Tells when what was written to a file is on the disk. */
export type SyncFile = (handle: number, done: (error: Error | null) => void) => void

export interface CommittedTurn {
  readonly promise: Promise<void>
  /** It is on the disk. */
  kept(): void
  /** Nobody knows whether it is. */
  failed(error: unknown): void
}

export class LogSync {
  readonly #file: string
  readonly #sync: SyncFile
  #handle: number | undefined
  /** Committed before the sync that is under way began. */
  #underWay: readonly CommittedTurn[] = []
  #next: CommittedTurn[] = []
  #isSyncing = false
  #isClosed = false

  constructor(database: string, sync: SyncFile = fdatasync) {
    this.#file = `${database}-wal`
    this.#sync = sync
  }

  /** Settles with the last turn that is committed and not on the disk yet; undefined when all are. */
  settled(): Promise<void> | undefined {
    return (this.#next.at(-1) ?? this.#underWay.at(-1))?.promise
  }

  keep(turn: CommittedTurn): void {
    this.#next.push(turn)
    if (!this.#isSyncing) this.#begin()
  }

  /** The database was closed, which brings all of it to the disk. */
  close(): void {
    this.#isClosed = true
    const turns = [...this.#underWay, ...this.#next]
    this.#underWay = []
    this.#next = []
    if (!this.#isSyncing) this.#release()
    for (const turn of turns) turn.kept()
  }

  #begin(): void {
    this.#underWay = this.#next
    this.#next = []
    this.#isSyncing = true
    try {
      // SQLite has one as long as the database is open, and takes no locks on it that a closed handle would release.
      this.#handle ??= openSync(this.#file, 'r+')
    } catch (error) {
      process.nextTick(() => this.#end(error))
      return
    }
    this.#sync(this.#handle, (error) => this.#end(error))
  }

  #end(error: unknown): void {
    this.#isSyncing = false
    if (this.#isClosed) {
      this.#release()
      return
    }
    const turns = this.#underWay
    this.#underWay = []
    if (this.#next.length > 0) this.#begin()
    for (const turn of turns) error === null ? turn.kept() : turn.failed(error)
  }

  #release(): void {
    if (this.#handle !== undefined) closeSync(this.#handle)
    this.#handle = undefined
  }
}
