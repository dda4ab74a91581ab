import { answerUnread, type UnreadReason } from '#shared/http/unread-request.ts'
import { failure } from '../core/failure.ts'
import { failureBody } from './render-failure.ts'
import { securityHeaders } from './security-headers.ts'

const kinds = {
  malformed: 'message_malformed',
  headers_too_large: 'message_headers',
  too_slow: 'message_slow',
} as const satisfies Record<UnreadReason, string>

/** Answers what never became a request in the shape of every failure. */
export const refuseBrokenMessage = answerUnread((reason) => ({
  headers: { ...securityHeaders, 'Content-Type': 'application/json; charset=utf-8' },
  body: failureBody(failure('invalid_request', { kind: kinds[reason] })),
}))
