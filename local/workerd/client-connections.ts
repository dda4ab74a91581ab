/**
 * Carries the connections of clients to the runtime, byte for byte. The runtime sees a reset at once, but a client that
 * has merely closed its side looks to it like one that still listens, until it next writes. Here the one is turned into
 * the other, so that what is done for a client ends when the client leaves.
 */
import net from 'node:net'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { clientConnectionsMax, lateBodyMs } from './limits.ts'

export interface ClientConnections {
  readonly port: number
  /** From now on connections lead to the runtime on the port of who they come from; those that came earlier have waited. */
  leadTo(runtimePortOf: (peer: string) => number): void
  /** Takes no more connections and ends those there are. */
  close(): Promise<void>
}

/** Listens on this machine's loopback interface; 0 means any free port. */
export function takeClients(
  port: number,
  connectionsMax = clientConnectionsMax,
): Promise<Result<ClientConnections, 'busy' | 'forbidden'>> {
  const runtime = Promise.withResolvers<(peer: string) => number>()
  const clients = new Set<net.Socket>()
  const server = net.createServer({ noDelay: true }, (client) => {
    clients.add(client)
    client.once('close', () => clients.delete(client))
    // Its 'close' follows.
    client.on('error', () => {})
    void runtime.promise.then((portOf) => carry(client, portOf))
  })
  server.maxConnections = connectionsMax
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(failWith('busy'))
      else if (error.code === 'EACCES') resolve(failWith('forbidden'))
      else reject(error)
    })
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('a TCP server has a TCP address')
      resolve(
        succeed({
          port: address.port,
          leadTo: runtime.resolve,
          close: () =>
            new Promise((closed) => {
              server.close(() => closed())
              for (const client of clients) client.destroy()
            }),
        }),
      )
    })
  })
}

function carry(client: net.Socket, runtimePortOf: (peer: string) => number): void {
  if (client.destroyed) return
  const runtime = net.connect({ port: runtimePortOf(client.remoteAddress ?? ''), host: '127.0.0.1', noDelay: true })
  const leave = () => runtime.resetAndDestroy()
  client.once('end', leave).once('close', leave)
  runtime.once('end', () => letRead(client))
  // What it has said is worth more than how it went: the length of an answer tells whether this was the whole of it.
  runtime.once('error', () => (runtime.bytesRead > 0 ? letRead(client) : client.resetAndDestroy()))
  client.on('data', (bytes) => passOn(bytes, client, runtime))
  runtime.pipe(client)
}

/**
 * One piece at a time, and after what the runtime has said was read: a connection it has closed meanwhile fails at the
 * first byte that is written to it, and its answer would be lost with it.
 */
function passOn(bytes: Buffer, client: net.Socket, runtime: net.Socket): void {
  client.pause()
  setImmediate(() => {
    if (runtime.writable) runtime.write(bytes, () => client.resume())
    else client.resume()
  })
}

/**
 * The runtime may answer and close while a body still comes, as to one that is too large. Bytes that nobody takes would
 * have the system reset the connection, and the client lose the answer it has not read.
 */
function letRead(client: net.Socket): void {
  client.resume()
  // A client that reads slowly has the whole of its answer first.
  client.end(() => client.setTimeout(lateBodyMs, () => client.destroy()))
}
