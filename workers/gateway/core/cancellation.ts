/** As much of a web signal as the gateway asks for, so that one of those serves as well. */
export interface Cancellation {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(kind: 'abort', task: () => void, options?: { readonly once?: boolean }): void
  removeEventListener(kind: 'abort', task: () => void): void
}

/**
 * What a controller of the web does, and its signal in one: every request has two, of which hardly one ever fires, and
 * events and their targets cost more than all that listens to them.
 */
export class Canceller implements Cancellation {
  aborted = false
  reason: unknown = undefined
  #tasks: (() => void)[] = []

  get signal(): Cancellation {
    return this
  }

  /** Fires once; what listens is let go. */
  abort(reason: unknown = new Error('given up')): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    const tasks = this.#tasks
    this.#tasks = []
    for (const task of tasks) task()
  }

  addEventListener(_: 'abort', task: () => void): void {
    if (!this.aborted && !this.#tasks.includes(task)) this.#tasks.push(task)
  }

  removeEventListener(_: 'abort', task: () => void): void {
    const place = this.#tasks.indexOf(task)
    if (place >= 0) this.#tasks.splice(place, 1)
  }
}

/** The same for what takes a signal of the web alone. */
export function webSignal(cancellation: Cancellation): AbortSignal {
  if (cancellation instanceof AbortSignal) return cancellation
  const controller = new AbortController()
  const abort = () => controller.abort(cancellation.reason)
  if (cancellation.aborted) abort()
  else cancellation.addEventListener('abort', abort, { once: true })
  return controller.signal
}
