/** Every code an error body of the gateway can carry; http/render-failure.ts gives each its status. */
export type FailureCode =
  | 'bad_request'
  /** The provider finds the input longer than the model takes; clients make room when they read this. */
  | 'context_length_exceeded'
  /** An answer or an item that an earlier one was to be is not kept here. */
  | 'previous_response_not_found'
  | 'unsupported'
  | 'unauthorized'
  /** The key is known, and may not do this. */
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'request_too_large'
  | 'rate_limit_exceeded'
  /** A budget has too little left. */
  | 'insufficient_quota'
  | 'internal_error'
  | 'upstream_error'
  /** The provider says that it is too busy, for everybody. */
  | 'overloaded'
  | 'not_configured'

/** The closed list of `error.code` in `response.failed`. */
export type StreamFailureCode =
  | 'rate_limit_exceeded'
  | 'server_is_overloaded'
  | 'context_length_exceeded'
  | 'server_error'

/** An expected failure. `message` is safe to show; `cause` goes to the log only. */
export interface Failure {
  readonly code: FailureCode
  readonly message: string
  /** The body field at fault, as a path. */
  readonly param?: string
  readonly retryAfterSeconds?: number
  /** What clients of the messages dialect do something about by themselves, by its name there. */
  readonly errorCode?: 'thread_unsupported_request'
  /** The provider was silent for longer than it may be. */
  readonly isLate?: boolean
  readonly cause?: unknown
  /** What the compatible endpoint answered; it is passed on as it came. */
  readonly passedOn?: { readonly status: number; readonly body: string }
}

export function failure(code: FailureCode, message: string, more: Omit<Failure, 'code' | 'message'> = {}): Failure {
  return { code, message, ...more }
}

/** The code a responses stream ends with when this failure arrives after its start. */
export function streamFailureCode(failed: Failure): StreamFailureCode {
  if (failed.code === 'context_length_exceeded') return 'context_length_exceeded'
  if (failed.code === 'rate_limit_exceeded' || failed.code === 'insufficient_quota') return 'rate_limit_exceeded'
  if (failed.code === 'upstream_error' || failed.code === 'overloaded') return 'server_is_overloaded'
  return 'server_error'
}
