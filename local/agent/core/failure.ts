import type { FileDiff } from './session/message.ts'
import type { FailureCode } from './vocabulary.ts'

/** Which record a 404 or 409 is about; clients of the second kind read it beside the envelope. */
export type FailureSubject =
  | { readonly kind: 'session'; readonly sessionID: string }
  | { readonly kind: 'message'; readonly sessionID: string; readonly messageID: string }
  | { readonly kind: 'permission'; readonly requestID: string }
  | { readonly kind: 'question'; readonly requestID: string }
  | { readonly kind: 'terminal'; readonly ptyID: string }
  | { readonly kind: 'provider'; readonly providerID: string }
  | { readonly kind: 'resource'; readonly resource: string }
  /** A required query key is absent: one of the two bodies that have only the tagged shape. */
  | { readonly kind: 'missing_query'; readonly key: string }
  | { readonly kind: 'field'; readonly part: 'Query' | 'Payload' | 'Params'; readonly field: string }
  /** What others did to the files that were to be changed. */
  | { readonly kind: 'files'; readonly files: readonly FileDiff[] }
  | { readonly kind: 'cursor' }

/** An expected failure. `message` is safe to show; `cause` goes to the log only. */
export interface Failure {
  readonly code: FailureCode
  readonly message: string
  readonly subject?: FailureSubject
  /** When it is worth while to ask again. */
  readonly retryAfterSeconds?: number
  readonly cause?: unknown
}

export function failure(code: FailureCode, message: string, subject?: FailureSubject): Failure {
  return subject === undefined ? { code, message } : { code, message, subject }
}

export function sessionNotFound(sessionID: string): Failure {
  return failure('not_found', 'There is no such session', { kind: 'session', sessionID })
}

export function liveTurnConflict(sessionID: string): Failure {
  return failure('conflict', 'A live turn owns the session', { kind: 'resource', resource: sessionID })
}

export function interruptedConflict(sessionID: string): Failure {
  return failure('conflict', 'An interrupt ended this', { kind: 'resource', resource: sessionID })
}
