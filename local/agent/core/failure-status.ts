import type { FailureCode } from './vocabulary.ts'

const statusByCode = {
  invalid_request: 400,
  invalid_event_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  file_too_large: 413,
  backend_unavailable: 503,
  database_error: 500,
  filesystem_error: 500,
  event_stream_failed: 500,
  internal: 500,
} as const satisfies Record<FailureCode, number>

export function statusOf(code: FailureCode): number {
  return statusByCode[code]
}
