import { ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { failure } from '../core/failure.ts'
import { failureBody } from './render-failure.ts'
import { securityHeaders } from './security-headers.ts'

const refusals: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not complete in time'],
}

/** Answers what never became a request, because it is malformed, too large or too slow, in the shape of every failure. */
export function refuseBrokenMessage(
  error: NodeJS.ErrnoException,
  socket: Duplex & { readonly _httpMessage?: unknown },
): void {
  // An answer that has begun cannot be replaced.
  const current = socket._httpMessage
  const hasBegun = current instanceof ServerResponse && current.headersSent
  if (!socket.writable || hasBegun || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const [status, message] = refusals[error.code ?? ''] ?? [400, 'This is no HTTP request']
  const body = failureBody(failure('invalid_request', message))
  const headers = {
    ...securityHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
}
