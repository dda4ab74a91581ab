import type { Failure, FailureSubject } from '../core/failure.ts'
import { statusOf } from '../core/failure-status.ts'
import type { FailureCode } from '../core/vocabulary.ts'

const genericTags = {
  invalid_request: 'InvalidRequestError',
  invalid_event_request: 'InvalidRequestError',
  unauthorized: 'UnauthorizedError',
  forbidden: 'ForbiddenError',
  not_found: 'NotFoundError',
  method_not_allowed: 'InvalidRequestError',
  conflict: 'ConflictError',
  file_too_large: 'InvalidRequestError',
  backend_unavailable: 'ServiceUnavailableError',
  database_error: 'UnknownError',
  filesystem_error: 'UnknownError',
  event_stream_failed: 'UnknownError',
  internal: 'UnknownError',
} as const satisfies Record<FailureCode, string>

/** Every failure leaves through here: the envelope, and beside it the tag and the ids of the second kind of client. */
export function renderFailure(failed: Failure, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(failureBody(failed), {
    status: statusOf(failed.code),
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  })
}

export function failureBody(failed: Failure): string {
  const { subject } = failed
  if (subject?.kind === 'provider') {
    return JSON.stringify({
      _tag: 'ProviderNotFoundError',
      providerID: subject.providerID,
      message: failed.message,
    })
  }
  if (subject?.kind === 'missing_query') {
    return JSON.stringify({
      _tag: 'InvalidRequestError',
      message: `Missing key\n  at ["${subject.key}"]`,
      kind: 'Query',
    })
  }
  return JSON.stringify({
    error: { code: failed.code, message: failed.message },
    _tag: subject === undefined ? genericTags[failed.code] : tagOf(subject, failed.code),
    message: failed.message,
    ...idsOf(subject),
    why: failed.why,
  })
}

function tagOf(subject: FailureSubject, code: FailureCode): string {
  switch (subject.kind) {
    case 'session':
      return 'SessionNotFoundError'
    case 'message':
      return 'MessageNotFoundError'
    case 'permission':
      return 'PermissionNotFoundError'
    case 'question':
      return 'QuestionNotFoundError'
    case 'terminal':
      return 'PtyNotFoundError'
    case 'cursor':
      return 'InvalidCursorError'
    default:
      return genericTags[code]
  }
}

function idsOf(subject: FailureSubject | undefined): Record<string, unknown> {
  if (subject === undefined || subject.kind === 'cursor') return {}
  const { kind, ...ids } = subject
  return kind === 'field' && 'part' in ids ? { kind: ids.part, field: ids.field } : ids
}
