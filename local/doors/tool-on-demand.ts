/** A tool that runs while it is used: started by the first request that may pass, ended after a quiet while. */
import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { quietMsMax, waitingMax } from './limits.ts'

/** Where its own server listens, and what opens it. */
export interface ToolTarget {
  readonly socketPath?: string
  readonly host?: string
  readonly port?: number
  readonly authorization?: string
}

export interface ToolProcess {
  readonly target: ToolTarget
  /** Resolves when it has ended, however. */
  readonly ended: Promise<void>
  /** Ends it unless it has something to do; answers whether it ended. */
  endIfQuiet(): Promise<boolean>
  close(): Promise<void>
}

const sentences = {
  silent: 'it said nothing',
  /** On its first line for mistakes. */
  said: ({ line }: { line: string }) => line,
  crowded: 'too many requests wait for it to start',
  ends: 'it ends',
}

/** Why a tool does not run, or not for one more. */
export type ToolFault = FaultOf<typeof sentences>
export const sayToolFault = sayBy(sentences)

export type LaunchTool = () => Promise<Result<ToolProcess, ToolFault>>

export interface ToolLease {
  readonly target: ToolTarget
  release(): void
}

export class ToolOnDemand {
  readonly #launch: LaunchTool
  readonly #quietMs: number
  readonly #onFault: (fault: ToolFault) => void
  #running: Promise<Result<ToolProcess, ToolFault>> | undefined
  /** While it is asked whether it may end, nobody is sent to it. */
  #asking: Promise<void> | undefined
  #used = 0
  #waiting = 0
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(launch: LaunchTool, onFault: (fault: ToolFault) => void, quietMs = quietMsMax) {
    this.#launch = launch
    this.#quietMs = quietMs
    this.#onFault = onFault
  }

  /** Whoever holds a lease keeps it up; a stream holds one for as long as it is open. */
  async lease(): Promise<Result<ToolLease, ToolFault>> {
    if (this.#waiting >= waitingMax) return failWith({ kind: 'crowded' })
    this.#waiting += 1
    clearTimeout(this.#timer)
    try {
      await this.#asking
      if (this.#isClosed) return failWith({ kind: 'ends' })
      this.#running ??= this.#start()
      const running = await this.#running
      if (!running.ok) return running
      this.#used += 1
      let isReleased = false
      return succeed({
        target: running.value.target,
        release: () => {
          if (isReleased) return
          isReleased = true
          this.#used -= 1
          this.#watchQuiet()
        },
      })
    } finally {
      this.#waiting -= 1
      this.#watchQuiet()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#asking
    const running = await this.#running
    if (running?.ok) await running.value.close()
  }

  async #start(): Promise<Result<ToolProcess, ToolFault>> {
    const started = await this.#launch()
    if (!started.ok) {
      this.#onFault(started.failure)
      this.#running = undefined
      return started
    }
    void started.value.ended.then(() => {
      this.#running = undefined
    })
    return started
  }

  #watchQuiet(): void {
    clearTimeout(this.#timer)
    if (this.#isClosed || this.#used > 0 || this.#waiting > 0 || this.#running === undefined) return
    this.#timer = setTimeout(() => {
      this.#asking ??= this.#endIfQuiet().finally(() => {
        this.#asking = undefined
        this.#watchQuiet()
      })
    }, this.#quietMs)
    this.#timer.unref()
  }

  async #endIfQuiet(): Promise<void> {
    const running = await this.#running
    if (running?.ok && (await running.value.endIfQuiet())) await running.value.ended
  }
}
