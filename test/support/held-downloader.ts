/** A way to a downloader that lets everything through, until it is told to keep back what is said after some call. */
import { createServer, request as httpRequest } from 'node:http'
import { endServer, listenToKept } from './loopback.ts'

export interface HeldDownloader {
  readonly address: string
  /**
   * From now on calls of this path reach the downloader, `count` of them are answered, and of those after them nobody
   * hears. Resolves once the first of those was carried out.
   */
  holdAfter(path: RegExp, count: number): Promise<void>
  /** Whoever still waits for an answer never gets one; who asks from now on does. */
  letGo(): void
  stop(): Promise<void>
}

export async function holdable(downloader: string): Promise<HeldDownloader> {
  let held: { readonly path: RegExp; left: number; readonly done: () => void } | undefined
  const server = createServer((request, response) => {
    const target = new URL(request.url ?? '/', downloader)
    // Programs take a request from another place than their own for a foreign page's.
    const headers = { ...request.headers, host: target.host }
    for (const name of ['origin', 'referer'] as const) if (headers[name] !== undefined) headers[name] = downloader
    const onward = httpRequest(target, { method: request.method, headers }, (answer) => {
      if (held?.path.test(target.pathname)) {
        if (held.left === 0) {
          held.done()
          answer.resume()
          return
        }
        held.left -= 1
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  const { url: address } = await listenToKept(server)
  return {
    address,
    holdAfter: (path, count) =>
      new Promise((done) => {
        held = { path, left: count, done }
      }),
    letGo() {
      held = undefined
    },
    stop: () => endServer(server),
  }
}
