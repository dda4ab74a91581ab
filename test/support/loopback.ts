import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import type { Server, Socket } from 'node:net'

/** Longer than any run of the tests. */
const keptMs = 3_600_000

const connectionsOf = new WeakMap<Server, Set<Socket>>()

/** Has a server listen at a free port of loopback, or at this one, and says which. */
export async function listenOnLoopback(
  server: Server,
  wanted = 0,
): Promise<{ readonly port: number; readonly url: string }> {
  const open = new Set<Socket>()
  connectionsOf.set(server, open)
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.listen(wanted, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return { port: address.port, url: `http://127.0.0.1:${address.port}` }
}

/**
 * For servers that the Worker asks. It keeps connections, and on a busy machine is slow to take one up again: one that is
 * closed at that moment would look like a fault of the network.
 */
export function listenToKept(server: HttpServer, wanted = 0): ReturnType<typeof listenOnLoopback> {
  server.keepAliveTimeout = keptMs
  return listenOnLoopback(server, wanted)
}

/** Ends a server and all its connections: also those that became a tunnel or a web socket, which it knows no more. */
export function endServer(server: Server): Promise<void> {
  for (const socket of connectionsOf.get(server) ?? []) socket.destroy()
  return new Promise((resolve) => server.close(() => resolve()))
}
