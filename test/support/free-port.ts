/**
 * A port for a program that is to be told one. It lies below those that systems hand out by themselves: what was free among
 * those may be somebody else's a moment later, in a run of hundreds of programs, and then a test talks to another one's.
 */
import { randomInt } from 'node:crypto'
import net from 'node:net'

const [first, end] = [10_000, 32_000] as const
const attemptsMax = 100

export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const port = randomInt(first, end)
    if (await isFree(port)) return port
  }
  throw new Error('no port of this machine is free')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)))
  })
}
