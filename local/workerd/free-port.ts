import net from 'node:net'

/** A port of this machine's loopback interface that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer()
    probe.once('error', reject)
    probe.listen({ port: 0, host: '127.0.0.1', exclusive: true }, () => {
      const address = probe.address()
      if (address === null || typeof address === 'string') throw new Error('a TCP server has a TCP address')
      probe.close(() => resolve(address.port))
    })
  })
}
