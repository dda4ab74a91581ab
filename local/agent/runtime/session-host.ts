/**
 * Drives one session: at most one execution at a time, and a bell for work that arrives while it runs, so that nothing
 * falls between the last look into the inbox and becoming idle.
 */
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, interruptedConflict, liveTurnConflict } from '../core/failure.ts'
import type { Slots } from './slots.ts'

export interface HostDeps {
  /** Runs one turn; `nothing` when no input waited. */
  readonly turn: (signal: AbortSignal) => Promise<'ran' | 'nothing'>
  readonly slots: Slots
  readonly onBusy: () => void
  readonly onIdle: () => void
  readonly onFault: (error: unknown) => void
}

/** The reason of a turn that ends because the server does: what it has not begun is kept for the next start. */
export const serverStops = new Error('the server stops')

export class SessionHost {
  readonly #sessionId: string
  readonly #deps: HostDeps
  #running: Promise<void> | undefined
  /** What an interrupt would end, and when it has ended. */
  #live: { readonly abort: AbortController; readonly ended: Promise<void> } | undefined
  #hasRung = false
  #isClosed = false

  constructor(sessionId: string, deps: HostDeps) {
    this.#sessionId = sessionId
    this.#deps = deps
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** There may be work. */
  wake(): void {
    this.#hasRung = true
    if (this.#running === undefined && !this.#isClosed) this.#start(() => this.#drain())
  }

  /** Work that owns the session alone, refused while a turn is live. Input that arrives meanwhile is driven after it. */
  async exclusive<T>(work: (signal: AbortSignal) => Promise<T>): Promise<Result<T, Failure>> {
    if (this.#running !== undefined || this.#isClosed) return failWith(liveTurnConflict(this.#sessionId))
    return new Promise((resolve, reject) => {
      this.#start(async () => {
        await this.#interruptible(async (signal) => {
          try {
            resolve(succeed(await work(signal)))
          } catch (error) {
            if (signal.aborted) resolve(failWith(interruptedConflict(this.#sessionId)))
            else reject(error)
          }
        })
        if (this.#hasRung) await this.#drain()
      })
    })
  }

  /** Ends the live turn and answers when it has ended. Input that waited is then driven as a turn of its own. */
  async interrupt(): Promise<void> {
    const live = this.#live
    live?.abort.abort(new Error('interrupted'))
    await live?.ended
  }

  /** Resolves when the session is idle, or rejects when the caller goes. */
  async whenIdle(signal: AbortSignal): Promise<void> {
    while (this.#running !== undefined) {
      signal.throwIfAborted()
      await Promise.race([this.#running, aborted(signal)])
    }
  }

  /** Ends what runs and takes no more: part of stopping the server. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#live?.abort.abort(serverStops)
    await this.#running
  }

  #start(work: () => Promise<void>): void {
    this.#deps.onBusy()
    this.#running = work()
      .catch((error: unknown) => this.#deps.onFault(error))
      .finally(() => {
        // No await between this and the last look at the bell: what rings from here on starts anew.
        this.#running = undefined
        if (this.#hasRung && !this.#isClosed) this.wake()
        else this.#deps.onIdle()
      })
  }

  async #drain(): Promise<void> {
    try {
      while (!this.#isClosed) {
        this.#hasRung = false
        const outcome = await this.#interruptible((signal) => this.#turnInSlot(signal))
        if (outcome === 'nothing' && !this.#hasRung) return
      }
    } catch (error) {
      // A store that fails would fail at once again: what waits stays in the inbox until something wakes the session.
      this.#hasRung = false
      throw error
    }
  }

  async #turnInSlot(signal: AbortSignal): Promise<'ran' | 'nothing'> {
    const release = await this.#deps.slots.acquire(signal)
    try {
      return await this.#deps.turn(signal)
    } finally {
      release()
    }
  }

  async #interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController()
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    this.#live = { abort, ended }
    try {
      // What rang gets its answer first: the work begins with a write that everything else waits for.
      await nextTurnOfLoop()
      return await work(abort.signal)
    } finally {
      this.#live = undefined
      resolve()
    }
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
