import { answerUnread, type UnreadReason } from '#shared/http/unread-request.ts'
import { failure } from '../core/failure.ts'
import { failureBody } from './render-failure.ts'
import { securityHeaders } from './security-headers.ts'

const messages: Readonly<Record<UnreadReason, string>> = {
  malformed: 'This is no HTTP request',
  headers_too_large: 'The headers are too large',
  too_slow: 'The request was not complete in time',
}

/** Answers what never became a request in the shape of every failure. */
export const refuseBrokenMessage = answerUnread((reason) => ({
  headers: { ...securityHeaders, 'Content-Type': 'application/json; charset=utf-8' },
  body: failureBody(failure('invalid_request', messages[reason])),
}))
