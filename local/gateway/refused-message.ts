import { answerUnread, type UnreadReason } from '#shared/http/unread-request.ts'
import { errorObject } from '../../workers/gateway/core/error-object.ts'
import { failure } from '../../workers/gateway/core/failure.ts'

const messages: Readonly<Record<UnreadReason, string>> = {
  malformed: 'this is no HTTP request',
  headers_too_large: 'the headers are too large',
  too_slow: 'the request was not complete in time',
}

/** Answers what never became a request. Even then the error has its one shape. */
export const refuseMessage = answerUnread((reason) => ({
  headers: { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'application/json' },
  body: JSON.stringify(
    errorObject(failure(reason === 'too_slow' ? 'request_timeout' : 'bad_request', messages[reason])),
  ),
}))
