/** A client that sends its whole body whatever it is answered meanwhile, and reads what comes until the connection ends. */
import { connect } from 'node:net'

const piece = Buffer.alloc(64 * 1024, 'a')

export interface Upload {
  readonly line: string
  readonly headers: readonly string[]
  readonly bytes: number
  /** Else in chunks, so that its length is known at its end. */
  readonly isDeclared: boolean
}

/** The first line of the answer, or how the connection failed. */
export function upload(address: string, { line, headers, bytes, isDeclared }: Upload): Promise<string> {
  const { port, host } = new URL(address)
  const length = isDeclared ? `Content-Length: ${bytes}` : 'Transfer-Encoding: chunked'
  const framed = isDeclared
    ? piece
    : Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    let answer = ''
    let left = bytes / piece.length
    const sendOn = () => {
      for (; left > 0 && !socket.destroyed; left -= 1) {
        if (socket.write(framed)) continue
        left -= 1
        socket.once('drain', sendOn)
        return
      }
      if (!isDeclared) socket.write('0\r\n\r\n')
    }
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      answer += chunk
    })
    // A client that fails to send, as most are written, no longer looks whether it was answered.
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    socket.once('close', () => resolve(answer.split('\r\n')[0] ?? ''))
    socket.write(
      `${[`${line} HTTP/1.1`, `Host: ${host}`, length, 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`,
    )
    sendOn()
  })
}
