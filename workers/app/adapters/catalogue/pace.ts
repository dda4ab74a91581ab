import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ServiceFault } from '../../core/service-fault.ts'
import type { ServiceRuntime } from './call-service.ts'

/** Calls to one service one after another with a pause, and none while it asked to be left alone. */
export class Pace {
  readonly #runtime: Pick<ServiceRuntime, 'nowMs' | 'wait'>
  readonly #bounds: { readonly pauseMs: number; readonly waitingMax: number }
  #nextAtMs = 0
  #quietUntilMs = 0

  constructor(
    runtime: Pick<ServiceRuntime, 'nowMs' | 'wait'>,
    bounds: { readonly pauseMs: number; readonly waitingMax: number },
  ) {
    this.#runtime = runtime
    this.#bounds = bounds
  }

  /** Resolves when the call may be made. */
  async turn(): Promise<Result<void, ServiceFault>> {
    const nowMs = this.#runtime.nowMs()
    const { pauseMs, waitingMax } = this.#bounds
    if (nowMs < this.#quietUntilMs) return failWith(limited(this.#quietUntilMs - nowMs))
    // A clock that was set back must not make anybody wait for the old time.
    const latestMs = nowMs + waitingMax * pauseMs
    const turnMs = Math.max(nowMs, this.#nextAtMs > latestMs + pauseMs ? nowMs : this.#nextAtMs)
    if (turnMs > latestMs) return failWith(limited(turnMs - nowMs))
    this.#nextAtMs = turnMs + pauseMs
    if (turnMs > nowMs) await this.#runtime.wait(turnMs - nowMs, new AbortController().signal)
    return succeed(undefined)
  }

  /** The service said that it was asked too often. */
  beQuiet(seconds: number): void {
    this.#quietUntilMs = this.#runtime.nowMs() + seconds * 1000
  }
}

function limited(waitMs: number): ServiceFault {
  return { kind: 'rate_limited', retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) }
}
