/**
 * Commits that wait for the disk together. From a prompt to the request to its model there are two transactions, and the prompt need
 * not be on the disk before anybody is told of it: it waits with the beginning of its step.
 */
import type { SyncSql } from '#shared/sql/sync-sql.ts'
import { unsettledMsMax } from '../limits.ts'

/**
 * `settled`: it is on the disk when the transaction returns, with all that was committed before. `with_next`: it is there with the
 * next one that is settled. A crash of the process loses neither; a power cut may take the second back, so until then nobody is
 * told of it.
 */
export type Durability = 'settled' | 'with_next'

/** A connection whose commits need not each wait for the disk. */
export interface SettlingSql extends SyncSql {
  transaction<T>(work: () => T, durability?: Durability): T
}

interface Unsettled {
  readonly sessionId: string
  /** What is told of it and after it, in order. */
  readonly waiting: (() => void)[]
  readonly ended: PromiseWithResolvers<void>
  readonly timer: NodeJS.Timeout
  hasFailed: boolean
  isOnDisk: boolean
}

export class Settling {
  readonly #sql: SettlingSql
  #unsettled: Unsettled | undefined

  constructor(sql: SettlingSql) {
    this.#sql = sql
  }

  /** Of a transaction that another one follows. Where the disk has refused it once, each waits for itself again. */
  durability(): Durability {
    return this.#unsettled?.hasFailed === true ? 'settled' : 'with_next'
  }

  /** A transaction of this session was committed to be settled with the next one. */
  begin(sessionId: string): void {
    // Those who wait for what is on the disk are told first: this is not there yet.
    if (this.#unsettled?.isOnDisk === true) this.#end(this.#unsettled)
    this.#unsettled ??= this.#make(sessionId)
  }

  /**
   * A transaction was settled, and with it what was committed before. What follows from it at once, as asking the model does, comes
   * before those who are told.
   */
  noteSettled(): void {
    const unsettled = this.#unsettled
    if (unsettled === undefined) return
    if (unsettled.isOnDisk) this.#end(unsettled)
    else {
      unsettled.isOnDisk = true
      clearTimeout(unsettled.timer)
      // A request leaves in the pass of the loop after the one in which it is made.
      setImmediate(() => setImmediate(() => this.#end(unsettled)))
    }
  }

  /** Now, or after what is told of transactions before it. */
  tell(work: () => void): void {
    if (this.#unsettled === undefined) work()
    else this.#unsettled.waiting.push(work)
  }

  /** Settles with what is committed by now; undefined where all of it is settled. Rejects with what the disk refused. */
  settled(): Promise<void> | undefined {
    return this.#unsettled?.ended.promise
  }

  /** Brings what is committed to the disk, before anybody is told what was read. */
  settle(): void {
    const unsettled = this.#unsettled
    if (unsettled === undefined) return
    const { sessionId } = unsettled
    try {
      // SQLite syncs its journal with a transaction that writes to it, whatever is written.
      if (!unsettled.isOnDisk)
        this.#sql.transaction(() =>
          this.#sql.run('UPDATE event_sequence SET next_seq = next_seq WHERE aggregate_id = ?', sessionId),
        )
    } catch (error) {
      // It stays to be told: what comes next may be settled, and this with it.
      unsettled.hasFailed = true
      unsettled.ended.reject(error)
      throw error
    }
    this.#end(unsettled)
  }

  /** The same, where those who wait for it are told that it failed, and nobody else. */
  settleQuietly(): void {
    try {
      this.settle()
    } catch {
      return
    }
  }

  #make(sessionId: string): Unsettled {
    const ended = Promise.withResolvers<void>()
    ended.promise.catch(() => undefined)
    const timer = setTimeout(() => this.settleQuietly(), unsettledMsMax)
    return { sessionId, waiting: [], ended, timer, hasFailed: false, isOnDisk: false }
  }

  #end(settled: Unsettled): void {
    if (this.#unsettled !== settled) return
    clearTimeout(settled.timer)
    this.#unsettled = undefined
    for (const work of settled.waiting) work()
    settled.ended.resolve()
  }
}
