import type { FailureCode } from '../core/vocabulary.ts'

/** The one place where a code meets its status and its name on the wire (interface document, Errors). */
const wire = {
  invalid_body: { status: 400, error: 'invalid_body' },
  invalid_argument: { status: 400, error: 'invalid_argument' },
  unauthorized: { status: 401, error: 'unauthorized' },
  forbidden: { status: 403, error: 'forbidden' },
  not_found: { status: 404, error: 'not_found' },
  method_not_allowed: { status: 405, error: 'method_not_allowed' },
  busy_conflict: { status: 409, error: 'busy' },
  busy_slots: { status: 503, error: 'busy' },
  rate_limited: { status: 429, error: 'rate_limited' },
  internal: { status: 500, error: 'internal' },
  search_failed: { status: 502, error: 'search_failed' },
  download_failed: { status: 502, error: 'download_failed' },
  attend_failed: { status: 502, error: 'attend_failed' },
  upstream: { status: 502, error: 'upstream' },
  unavailable: { status: 503, error: 'unavailable' },
  assistant_disabled: { status: 409, error: 'assistant_disabled' },
  decided: { status: 409, error: 'decided' },
  too_many: { status: 429, error: 'too_many' },
} as const satisfies Record<FailureCode, { status: number; error: string }>

export function wireErrorCode(code: FailureCode): { readonly status: number; readonly error: string } {
  return wire[code]
}
