import { once } from 'node:events'
import type { Server } from 'node:net'

/** Has a server listen at a free port of loopback, and says which. */
export async function listenOnLoopback(server: Server): Promise<{ readonly port: number; readonly url: string }> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return { port: address.port, url: `http://127.0.0.1:${address.port}` }
}

/** Ends a server, and the connections that would keep it. */
export function endServer(server: Server & { closeAllConnections?: () => void }): Promise<void> {
  server.closeAllConnections?.()
  return new Promise((resolve) => server.close(() => resolve()))
}
