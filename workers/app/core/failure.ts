import type { FailureCode } from './vocabulary.ts'

/** An expected failure of the App API. `message` is Chinese and safe to show. */
export interface Failure {
  readonly code: FailureCode
  readonly message: string
  /** Seconds for a `Retry-After` header. */
  readonly retryAfterSeconds?: number
}

export function failure(code: FailureCode, message: string): Failure {
  return { code, message }
}
