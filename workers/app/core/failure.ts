import type { FailureCode } from './vocabulary.ts'

/** An expected failure of the App API. `message` is Chinese and safe to show; `cause` goes to the log only. */
export interface Failure {
  readonly code: FailureCode
  readonly message: string
  readonly cause?: unknown
  /** Seconds for a `Retry-After` header. */
  readonly retryAfterSeconds?: number
}

export function failure(code: FailureCode, message: string, cause?: unknown): Failure {
  return cause === undefined ? { code, message } : { code, message, cause }
}
