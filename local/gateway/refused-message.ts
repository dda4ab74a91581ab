import { ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorObject } from '../../workers/gateway/core/error-object.ts'
import { failure } from '../../workers/gateway/core/failure.ts'

const refusals: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request was not complete in time'],
}

/** Answers what never became a request: malformed, oversized or too slow. Even then the error has its one shape. */
export function refuseMessage(
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
  const [status, message] = refusals[error.code ?? ''] ?? [400, 'this is no HTTP request']
  const body = JSON.stringify(errorObject(failure('bad_request', message)))
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\naccess-control-allow-origin: *\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
