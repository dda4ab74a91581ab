import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, type Result } from '#shared/kernel/result.ts'
import { type Cancellation, Canceller } from '../core/cancellation.ts'
import { type Failure, failure } from '../core/failure.ts'
import { retryBaseMs, retryWaitMaxMs, streamWatchMs } from '../limits.ts'
import type { CallContext, Log, Random, Timers } from '../ports.ts'

export interface RetryPolicy {
  /** The first attempt counts. */
  readonly attemptsMax: number
  readonly timers: Timers
  readonly random: Random
  readonly log: Log
}

interface AttemptFailure {
  readonly failure: Failure
  readonly isRetryable: boolean
}

/** Repeats an attempt with full-jitter backoff. A wait the provider asks for is kept when it is bearable. */
export async function withRetries<T>(
  policy: RetryPolicy,
  context: CallContext,
  attempt: () => Promise<Result<T, AttemptFailure>>,
): Promise<Result<T, Failure>> {
  for (let number = 1; ; number += 1) {
    const end = context.beginAttempt?.()
    const outcome = await attempt()
    end?.(outcome.ok ? undefined : outcome.failure.failure.code)
    if (outcome.ok) return outcome
    const { failure: failed, isRetryable } = outcome.failure
    if (context.signal.aborted) return failWith(failure('upstream_error', 'the client left', { cause: failed.cause }))
    const askedMs = (failed.retryAfterSeconds ?? 0) * 1_000
    if (!isRetryable || number >= policy.attemptsMax || askedMs > retryWaitMaxMs) return failWith(failed)
    const jitterMs = policy.random.fraction() * Math.min(retryWaitMaxMs, retryBaseMs * 2 ** (number - 1))
    const waitMs = Math.max(askedMs, jitterMs)
    policy.log({
      level: 'debug',
      event: 'provider-retry',
      requestId: context.requestId,
      attempt: number,
      code: failed.code,
      waitMs: Math.round(waitMs),
    })
    await policy.timers.sleep(waitMs, context.signal)
  }
}

/** Bounds the silence of one attempt, and ends it when the client leaves. */
export class AttemptTimer {
  readonly #controller = new Canceller()
  readonly #client: Cancellation
  readonly #clock: Clock
  readonly #stopWatch: () => void
  readonly #leave: () => void
  #deadlineMs: number
  #hasFired = false
  #isOver = false

  constructor(client: Cancellation, timers: Timers, clock: Clock, firstByteTimeoutMs: number) {
    this.#client = client
    this.#clock = clock
    this.#deadlineMs = clock.nowMs() + firstByteTimeoutMs
    this.#leave = () => this.abort(client.reason)
    this.#stopWatch = timers.watch(Math.min(streamWatchMs, firstByteTimeoutMs), () => {
      if (clock.nowMs() < this.#deadlineMs) return
      this.#hasFired = true
      this.abort(new Error('the provider was silent for too long'))
    })
    if (client.aborted) this.#leave()
    else client.addEventListener('abort', this.#leave, { once: true })
  }

  get signal(): Cancellation {
    return this.#controller.signal
  }

  hasFired(): boolean {
    return this.#hasFired
  }

  expectNextWithin(ms: number): void {
    this.#deadlineMs = this.#clock.nowMs() + ms
  }

  /** The attempt is over; the connection may be used again. */
  stop(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopWatch()
    this.#client.removeEventListener('abort', this.#leave)
  }

  /** The attempt is given up with its connection, unless it was over before. */
  abort(reason?: unknown): void {
    if (this.#isOver) return
    this.stop()
    this.#controller.abort(reason ?? new Error('the answer is no longer wanted'))
  }
}

/** Why an attempt came to nothing before its answer was whole. */
export function lost(timer: AttemptTimer, cause: unknown): Failure {
  return timer.hasFired()
    ? failure('upstream_error', 'the provider did not answer in time', { cause, isLate: true })
    : failure('upstream_error', 'the connection to the provider failed', { cause })
}
