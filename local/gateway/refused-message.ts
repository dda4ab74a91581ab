import type { IncomingMessage, RequestListener } from 'node:http'
import { answerUnread, type UnreadAnswer, type UnreadReason } from '#shared/http/unread-request.ts'
import { errorObject } from '../../workers/gateway/core/error-object.ts'
import { failure } from '../../workers/gateway/core/failure.ts'

const messages: Readonly<Record<UnreadReason, string>> = {
  malformed: 'this is no HTTP request',
  headers_too_large: 'the headers are too large',
  too_slow: 'the request was not complete in time',
}

/** Answers what never became a request. Even then the error has its one shape. */
export const refuseMessage = answerUnread(answerFor)

/** Passes on what names its host, as every request of this version must; the server's own refusal has no body. */
export function withHost(listener: RequestListener): RequestListener {
  return (incoming, outgoing) => {
    if (isAddressed(incoming)) return listener(incoming, outgoing)
    const { headers, body } = answerFor('malformed')
    outgoing.writeHead(400, { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' }).end(body)
  }
}

function isAddressed({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host !== undefined || httpVersion === '1.0'
}

function answerFor(reason: UnreadReason): UnreadAnswer {
  const failed = failure(reason === 'too_slow' ? 'request_timeout' : 'bad_request', messages[reason])
  return {
    headers: { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'application/json' },
    body: JSON.stringify(errorObject(failed)),
  }
}
