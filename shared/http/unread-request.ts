/** Answers what a server could not read as a request: its own answer would have neither our headers nor our shape. */

export type UnreadReason = 'malformed' | 'headers_too_large' | 'too_slow'

export interface UnreadAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The socket of such a request, as the server hands it over. */
interface UnreadConnection {
  readonly writable: boolean
  readonly bytesRead: number
  readonly _httpMessage?: unknown
  destroy(): void
  end(text: string): void
}

const statusLines: Readonly<Record<UnreadReason, string>> = {
  malformed: '400 Bad Request',
  headers_too_large: '431 Request Header Fields Too Large',
  too_slow: '408 Request Timeout',
}

const reasonsByCode: Readonly<Record<string, UnreadReason>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'too_slow',
}

/** Listens to `clientError`. The connection ends with the answer. */
export function answerUnread(
  answerFor: (reason: UnreadReason) => UnreadAnswer,
): (error: { readonly code?: string }, connection: UnreadConnection) => void {
  function answer(error: { readonly code?: string }, connection: UnreadConnection): void {
    // An answer that has begun cannot be replaced.
    if (!connection.writable || hasBegunAnswer(connection) || error.code === 'ECONNRESET') {
      connection.destroy()
      return
    }
    const reason = reasonsByCode[error.code ?? ''] ?? 'malformed'
    const { headers, body } = answerFor(reason)
    const length = new TextEncoder().encode(body).byteLength
    const lines = Object.entries({ ...headers, 'Content-Length': String(length), Connection: 'close' })
    connection.end(
      [`HTTP/1.1 ${statusLines[reason]}`, ...lines.map(([name, value]) => `${name}: ${value}`), '', body].join('\r\n'),
    )
  }
  return function answerUnreadRequest(error, connection) {
    if (reasonsByCode[error.code ?? ''] !== 'too_slow' || connection.bytesRead > 0) return answer(error, connection)
    // Whoever was held up looks for slow requests before it reads what came meanwhile. With its first byte a connection has
    // its time anew.
    setTimeout(() => {
      if (connection.bytesRead === 0) answer(error, connection)
    }, 0)
  }
}

function hasBegunAnswer({ _httpMessage: message }: UnreadConnection): boolean {
  return typeof message === 'object' && message !== null && 'headersSent' in message && message.headersSent === true
}
