import type { Reason } from './reason/reason.ts'
import type { FailureCode } from './vocabulary.ts'

/** An expected failure of the App API. */
export interface Failure {
  readonly code: FailureCode
  /** Fit to show. */
  readonly reason: Reason
  /** Seconds for a `Retry-After` header. */
  readonly retryAfterSeconds?: number
}

export function failure(code: FailureCode, reason: Reason): Failure {
  return { code, reason }
}

/** What a value that was sent has wrong with it. */
export function wrongField(field: string, rule: Reason): Failure {
  return failure('invalid_argument', { kind: 'field.wrong', field, part: 'field', rule })
}
