/**
 * The alarms of one class of objects, kept where workerd keeps them. A row here says only when to look: whether an alarm
 * is due stands with the object's own data, so that a row that is too early costs one look and nothing else.
 */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { alarmDoublingsMax, alarmRetryFirstMs, alarmSleepMsMax, databaseBusyMs } from './limits.ts'
import type { AlarmService } from './object-storage.ts'

export interface AlarmClock {
  nowMs(): number
  /** Answers how to call it off. */
  after(ms: number, task: () => void): () => void
  /** Between 0 and 1, so that retries of many objects spread. */
  fraction(): number
}

export const systemAlarmClock: AlarmClock = {
  nowMs: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
  fraction: () => Math.random(),
}

export interface Ring {
  /** 0 for the first time. */
  readonly retryCount: number
  /** Whether it is rung before its time. */
  readonly isForced: boolean
}

/** How an object took it: heard, failed, or that its own data says another time, or none. */
export type RingOutcome = 'heard' | 'failed' | { readonly laterMs: number | undefined }

export interface AlarmsOptions {
  /** The class's folder. */
  readonly folder: string
  readonly clock: AlarmClock
  readonly ring: (id: string, ring: Ring) => Promise<RingOutcome>
  /** Failures that nobody waits for. */
  readonly onFailure: (what: string, cause: unknown) => void
  readonly nameOf: (id: string) => string | undefined
}

interface Entry {
  /** As the row says. */
  readonly atMs: number
  /** When to ring: later than the time for a retry. */
  readonly dueMs: number
  readonly tries: number
}

const createTable = `CREATE TABLE IF NOT EXISTS _cf_ALARM (
      actor_id TEXT PRIMARY KEY,
      scheduled_time INTEGER,
      actor_name TEXT
    ) WITHOUT ROWID`
const nanosecondsPerMs = 1_000_000n

export class Alarms implements AlarmService {
  readonly #options: AlarmsOptions
  readonly #database: DatabaseSync
  readonly #entries = new Map<string, Entry>()
  readonly #ringing = new Map<string, Promise<void>>()
  #callOff: (() => void) | undefined
  #isStopped = false

  constructor(options: AlarmsOptions) {
    this.#options = options
    mkdirSync(options.folder, { recursive: true, mode: 0o700 })
    this.#database = new DatabaseSync(path.join(options.folder, 'metadata.sqlite'), { timeout: databaseBusyMs })
    this.#database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${createTable}`)
    const kept = this.#database
      .prepare(`SELECT actor_id AS id, scheduled_time / ${nanosecondsPerMs} AS atMs FROM _cf_ALARM`)
      .all() as { id: string; atMs: number }[]
    for (const { id, atMs } of kept) this.#entries.set(id, { atMs, dueMs: atMs, tries: 0 })
  }

  /** From now on alarms ring; those that were due while nobody listened, at once. */
  start(): void {
    this.#wait()
  }

  timeOf(id: string): number | undefined {
    return this.#entries.get(id)?.atMs
  }

  set(id: string, atMs: number | undefined): void {
    if (!this.#database.isOpen) return
    if (atMs === undefined) {
      if (!this.#entries.delete(id)) return
      this.#database.prepare('DELETE FROM _cf_ALARM WHERE actor_id = ?').run(id)
    } else {
      this.#entries.set(id, { atMs, dueMs: atMs, tries: 0 })
      this.#database
        .prepare('INSERT OR REPLACE INTO _cf_ALARM (actor_id, scheduled_time, actor_name) VALUES (?, ?, ?)')
        .run(id, BigInt(atMs) * nanosecondsPerMs, this.#options.nameOf(id) ?? null)
    }
    this.#wait()
  }

  /** Rings now, whatever the time; false when no alarm is set. */
  async ringNow(id: string): Promise<boolean> {
    await this.#ringing.get(id)
    if (!this.#entries.has(id)) return false
    await this.#ring(id, true)
    return true
  }

  /** From now on nothing rings. What objects still commit is noted all the same. */
  stop(): void {
    this.#isStopped = true
    this.#callOff?.()
  }

  close(): void {
    this.stop()
    this.#database.close()
  }

  #wait(): void {
    this.#callOff?.()
    this.#callOff = undefined
    if (this.#isStopped) return
    const { clock } = this.#options
    let nextMs = Number.POSITIVE_INFINITY
    for (const [id, { dueMs }] of this.#entries) if (!this.#ringing.has(id)) nextMs = Math.min(nextMs, dueMs)
    if (nextMs === Number.POSITIVE_INFINITY) return
    const waitMs = Math.min(Math.max(0, nextMs - clock.nowMs()), alarmSleepMsMax)
    this.#callOff = clock.after(waitMs, () => this.#ringDue())
  }

  #ringDue(): void {
    const nowMs = this.#options.clock.nowMs()
    for (const [id, { dueMs }] of this.#entries) if (dueMs <= nowMs && !this.#ringing.has(id)) void this.#ring(id)
    this.#wait()
  }

  #ring(id: string, isForced = false): Promise<void> {
    const entry = this.#entries.get(id)
    if (entry === undefined) return Promise.resolve()
    const ringing = this.#options
      .ring(id, { retryCount: entry.tries, isForced })
      .catch((): RingOutcome => 'failed')
      .then((outcome) => this.#settle(id, entry, outcome))
      .finally(() => {
        this.#ringing.delete(id)
        this.#wait()
      })
    this.#ringing.set(id, ringing)
    return ringing
  }

  #settle(id: string, entry: Entry, outcome: RingOutcome): void {
    // Set anew while it rang: that one counts, whatever became of this one.
    if (this.#entries.get(id) !== entry || this.#isStopped) return
    const { clock, onFailure } = this.#options
    if (outcome !== 'failed') {
      try {
        this.set(id, outcome === 'heard' ? undefined : outcome.laterMs)
        return
      } catch (cause) {
        // The row stays, so it rings once more: the object says then whether it is due.
        onFailure('an alarm was not noted', cause)
      }
    }
    // Never given up: what failed for an hour, as on a full disk, goes on by itself when its cause is gone.
    const pauseMs = alarmRetryFirstMs * 2 ** Math.min(entry.tries, alarmDoublingsMax) * (1 + clock.fraction() / 2)
    this.#entries.set(id, { ...entry, dueMs: clock.nowMs() + pauseMs, tries: entry.tries + 1 })
  }
}
