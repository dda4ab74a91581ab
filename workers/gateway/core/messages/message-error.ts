import type { Failure, FailureCode } from '../failure.ts'

const types = {
  bad_request: 'invalid_request_error',
  context_length_exceeded: 'invalid_request_error',
  previous_response_not_found: 'invalid_request_error',
  unsupported: 'invalid_request_error',
  unauthorized: 'authentication_error',
  forbidden: 'permission_error',
  not_found: 'not_found_error',
  method_not_allowed: 'invalid_request_error',
  request_timeout: 'invalid_request_error',
  request_too_large: 'request_too_large',
  rate_limit_exceeded: 'rate_limit_error',
  insufficient_quota: 'rate_limit_error',
  internal_error: 'api_error',
  upstream_error: 'api_error',
  overloaded: 'overloaded_error',
  not_configured: 'api_error',
} as const satisfies Record<FailureCode, string>

/** The error body of the messages dialect, at every status and inside streams. */
export function messageError(failed: Failure, requestId: string | undefined) {
  const isLocated = failed.param === undefined || failed.message.startsWith(`${failed.param}: `)
  const where = isLocated ? '' : `${failed.param}: `
  // Clients of this dialect make room when they read these words.
  const message =
    failed.code === 'context_length_exceeded' && !failed.message.includes('prompt is too long')
      ? `prompt is too long: ${failed.message}`
      : `${where}${failed.message}`
  return {
    type: 'error',
    error: {
      type: types[failed.code],
      message,
      ...(failed.errorCode === undefined ? {} : { details: { error_code: failed.errorCode } }),
    },
    ...(requestId === undefined ? {} : { request_id: requestId }),
  }
}
