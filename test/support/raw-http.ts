/** HTTP as bytes on a socket, for what a well-behaved client would never send. */
import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly text: string
}

export function sendRaw(port: number, request: string, timeoutMs = 5_000, endsAfter = false): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no answer: ${JSON.stringify(request.slice(0, 200))}`)))
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => {
      // "Go on" is not the answer, and a client that ends its half may get nothing after it.
      const answer = text.replace(/^(?:HTTP\/1\.1 1\d\d (?:.|\s)*?\r\n\r\n)+/, '')
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0), text: answer })
    })
    socket.write(request, 'latin1')
    if (endsAfter) socket.end()
  })
}

/** A request with exactly these header lines; the connection is closed after the answer. */
export function rawRequest(line: string, headers: readonly string[]): string {
  return `${[`${line} HTTP/1.1`, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`
}
