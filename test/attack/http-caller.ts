/** Requests as a stranger makes them: any header, from any address of this machine. */
import { request } from 'node:http'

export interface Called {
  readonly status: number
  readonly text: string
  readonly cookies: readonly string[]
}

export interface Call {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Whence the connection comes. */
  readonly from?: string
}

export function callService(
  port: number,
  { method = 'GET', path, headers = {}, json, from = '127.0.0.1' }: Call,
): Promise<Called> {
  const body = json === undefined ? undefined : JSON.stringify(json)
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        localAddress: from,
        agent: false,
        headers: { host: `127.0.0.1:${port}`, ...type, ...headers },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (piece: string) => {
          text += piece
        })
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, text, cookies: answer.headers['set-cookie'] ?? [] }),
        )
        answer.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
