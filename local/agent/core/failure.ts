import { type Refusal, sayRefusal } from './refusal.ts'
import type { FileDiff } from './session/message.ts'
import type { SignInFault } from './sign-in-fault.ts'
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

/** An expected failure. `message` says `why` in English, and both are safe to show; `cause` goes to the log only. */
export interface Failure {
  readonly code: FailureCode
  readonly why: Refusal
  readonly message: string
  readonly subject?: FailureSubject
  /** When it is worth while to ask again. */
  readonly retryAfterSeconds?: number
  readonly cause?: unknown
}

export function failure(code: FailureCode, why: Refusal, subject?: FailureSubject): Failure {
  const message = sayRefusal(why)
  return subject === undefined ? { code, why, message } : { code, why, message, subject }
}

export function sessionNotFound(sessionID: string): Failure {
  return failure('not_found', { kind: 'no_session' }, { kind: 'session', sessionID })
}

export function liveTurnConflict(sessionID: string): Failure {
  return failure('conflict', { kind: 'session_works' }, { kind: 'resource', resource: sessionID })
}

export function interruptedConflict(sessionID: string): Failure {
  return failure('conflict', { kind: 'interrupted' }, { kind: 'resource', resource: sessionID })
}

export function signInFailure(fault: SignInFault): Failure {
  const code =
    fault.kind === 'unknown'
      ? 'not_found'
      : ['program', 'has_credentials', 'not_asked', 'not_waiting'].includes(fault.kind)
        ? 'conflict'
        : fault.kind === 'wrong_answer'
          ? 'invalid_request'
          : 'backend_unavailable'
  return failure(code, { kind: 'sign_in', fault })
}
