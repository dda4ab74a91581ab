import type { Failure } from './failure.ts'

export interface ErrorObject {
  readonly error: {
    readonly message: string
    readonly type: 'invalid_request_error' | 'rate_limit_error' | 'api_error'
    readonly code: string
    readonly param?: string
  }
}

/** The one error body of the gateway, at every status and inside streams. */
export function errorObject(failed: Failure): ErrorObject {
  return {
    error: {
      message: failed.message,
      type: errorTypes[failed.code],
      code: failed.code,
      ...(failed.param === undefined ? {} : { param: failed.param }),
    },
  }
}

const errorTypes = {
  bad_request: 'invalid_request_error',
  context_length_exceeded: 'invalid_request_error',
  previous_response_not_found: 'invalid_request_error',
  unsupported: 'invalid_request_error',
  unauthorized: 'invalid_request_error',
  forbidden: 'invalid_request_error',
  not_found: 'invalid_request_error',
  method_not_allowed: 'invalid_request_error',
  request_timeout: 'invalid_request_error',
  request_too_large: 'invalid_request_error',
  rate_limit_exceeded: 'rate_limit_error',
  insufficient_quota: 'rate_limit_error',
  internal_error: 'api_error',
  upstream_error: 'api_error',
  overloaded: 'api_error',
  not_configured: 'api_error',
} as const satisfies Record<Failure['code'], ErrorObject['error']['type']>
