/** Where a browser is led back to after a sign-in: a port of this machine that answers one path, for as long as it waits. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signInReturnBytesMax } from '../limits.ts'
import type { ReturnPlace } from '../runtime/tool-sign-ins.ts'

const returnPath = '/signed-in'

/** Undefined where the port is taken. 0 lets the system choose. */
export async function listenForReturn(
  port: number,
  take: (answer: URLSearchParams) => Promise<string>,
): Promise<ReturnPlace | undefined> {
  const server = createServer({ maxHeaderSize: signInReturnBytesMax }, (request, response) => {
    const url = URL.parse(request.url ?? '', address)
    const say = (status: number, text: string) => {
      response.writeHead(status, {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        connection: 'close',
      })
      response.end(text)
    }
    // Another name for this machine is a page that wants to read the answer.
    const isOurs = request.headers.host === new URL(address).host && request.method === 'GET'
    if (!isOurs || url === null || url.pathname !== returnPath) return say(404, 'There is nothing here.\n')
    take(url.searchParams).then(
      (text) => say(200, `${text}\n`),
      () => say(500, 'This did not work.\n'),
    )
  })
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return undefined
  }
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  server.unref()
  return {
    address: `${address}${returnPath}`,
    close() {
      server.close()
      server.closeIdleConnections()
    },
  }
}
