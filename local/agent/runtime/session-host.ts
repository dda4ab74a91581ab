/**
 * Drives one session: at most one execution at a time, and a bell for work that arrives while it runs, so that nothing
 * falls between the last look into the inbox and becoming idle.
 */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, liveTurnConflict } from '../core/failure.ts'

export interface HostDeps {
  /** Runs one turn; `nothing` when no input waited. */
  readonly turn: (signal: AbortSignal) => Promise<'ran' | 'nothing'>
  readonly slots: TurnSlots
  readonly onBusy: () => void
  readonly onIdle: () => void
  readonly onFault: (error: unknown) => void
}

export class SessionHost {
  readonly #sessionId: string
  readonly #deps: HostDeps
  #running: Promise<void> | undefined
  #abort: AbortController | undefined
  #hasRung = false
  #isClosed = false
  #turnEnded: Promise<void> = Promise.resolve()

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
        this.#abort = new AbortController()
        try {
          resolve(succeed(await work(this.#abort.signal)))
        } catch (error) {
          reject(error)
        }
        if (this.#hasRung) await this.#drain()
      })
    })
  }

  /** Ends the live turn and answers when it has ended. Input that waited is then driven as a turn of its own. */
  async interrupt(): Promise<void> {
    const abort = this.#abort
    if (this.#running === undefined || abort === undefined || abort.signal.aborted) return
    const ended = this.#turnEnded
    abort.abort(new Error('interrupted'))
    await ended
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
    this.#abort?.abort(new Error('the server stops'))
    await this.#running
  }

  #start(work: () => Promise<void>): void {
    this.#deps.onBusy()
    this.#running = work()
      .catch((error: unknown) => this.#deps.onFault(error))
      .finally(() => {
        // No await between this and the last look at the bell: what rings from here on starts anew.
        this.#running = undefined
        this.#abort = undefined
        if (this.#hasRung && !this.#isClosed) this.wake()
        else this.#deps.onIdle()
      })
  }

  async #drain(): Promise<void> {
    const release = await this.#deps.slots.acquire()
    try {
      while (!this.#isClosed) {
        this.#hasRung = false
        const abort = new AbortController()
        this.#abort = abort
        const turn = this.#deps.turn(abort.signal)
        this.#turnEnded = turn.then(
          () => undefined,
          () => undefined,
        )
        const outcome = await turn
        if (outcome === 'nothing' && !this.#hasRung) return
      }
    } catch (error) {
      // A store that fails would fail at once again: what waits stays in the inbox until something wakes the session.
      this.#hasRung = false
      throw error
    } finally {
      release()
    }
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

/** How many sessions may run at once; the others wait in line. */
export class TurnSlots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  async acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
