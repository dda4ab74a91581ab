/**
 * GET requests over kept connections, written and read as bytes: a client library costs more than the answers measured
 * here, and on a small machine that would measure the client. Every answer must be a 200 that states its length.
 */
import { connect } from 'node:net'

export interface BareLoadOptions {
  readonly url: string
  readonly connections: number
  readonly seconds: number
}

/** Answers a second. Each connection sends its next request when the answer to the last one is complete. */
export async function generateBareLoad({ url, connections, seconds }: BareLoadOptions): Promise<number> {
  const started = performance.now()
  const deadline = started + seconds * 1000
  const counts = await Promise.all(Array.from({ length: connections }, () => runConnection(new URL(url), deadline)))
  const answered = counts.reduce((sum, count) => sum + count, 0)
  return answered / ((performance.now() - started) / 1000)
}

function runConnection(url: URL, deadline: number): Promise<number> {
  const request = Buffer.from(`GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`)
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
  let pending: Buffer = Buffer.alloc(0)
  let answered = 0
  socket.on('connect', () => socket.write(request))
  socket.on('error', reject)
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    const head = pending.indexOf('\r\n\r\n')
    if (head < 0) return
    const text = pending.toString('latin1', 0, head)
    const length = /^content-length: (\d+)$/im.exec(text)?.[1]
    if (!text.startsWith('HTTP/1.1 200 ') || length === undefined) {
      socket.destroy()
      reject(new Error(`${url.pathname} answered ${text.split('\r\n')[0]}`))
      return
    }
    const end = head + 4 + Number(length)
    if (pending.length < end) return
    pending = pending.subarray(end)
    answered += 1
    if (performance.now() < deadline) socket.write(request)
    else {
      socket.destroy()
      resolve(answered)
    }
  })
  return promise
}
