import { createServer, type Socket } from 'node:net'
import { endServer, listenOnLoopback } from './loopback.ts'

const answer = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'

/**
 * A server that promises to keep a connection, and lets go of it just as the next request comes: with it a client finds
 * what it finds when an idle connection is closed while a request is on its way.
 */
export async function startLettingGo({ answersOnConnection = 1 }: { readonly answersOnConnection?: number } = {}) {
  /** The first line of each request, with the number of its connection. */
  const asked: string[] = []
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    const number = sockets.length
    let answered = 0
    let text = ''
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (end < 0 || text.length < end + 4 + length) return
      asked.push(`${number} ${text.slice(0, text.indexOf(' HTTP/'))}`)
      text = ''
      if (answered < answersOnConnection) socket.write(answer)
      else socket.resetAndDestroy()
      answered += 1
    })
  })
  const { url } = await listenOnLoopback(server)
  return {
    url,
    asked,
    /** Ends every connection now. */
    letGo() {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await endServer(server)
    },
  }
}
