/** Ports of this machine's loopback interface. */
import net from 'node:net'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'

/**
 * The port itself when nobody listens on it, or any free one for 0. The runtime gets a fixed number either way, so that
 * it comes back at the same address when it has to start again.
 */
export function claimPort(port: number): Promise<Result<number, 'busy' | 'forbidden'>> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer()
    probe.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(failWith('busy'))
      else if (error.code === 'EACCES') resolve(failWith('forbidden'))
      else reject(error)
    })
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = probe.address()
      if (address === null || typeof address === 'string') throw new Error('a TCP server has a TCP address')
      probe.close(() => resolve(succeed(address.port)))
    })
  })
}
