import net from 'node:net'
import { innerPortAttemptsMax } from './limits.ts'

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

/**
 * Runs the runtime on ports that were free a moment ago. Another program may take one before the runtime listens there,
 * which the library names by its code; then others are tried.
 */
export async function onFreePorts<Started>(
  count: number,
  run: (ports: readonly number[]) => Promise<Started>,
  find: () => Promise<number> = freePort,
): Promise<Started> {
  for (let attempt = 1; ; attempt += 1) {
    const ports = await Promise.all(Array.from({ length: count }, find))
    try {
      return await run(ports)
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'ERR_ADDRESS_IN_USE'
      if (!isTaken || attempt === innerPortAttemptsMax) throw error
    }
  }
}
