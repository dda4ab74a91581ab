import net from 'node:net'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort, onFreePorts } from '../../../local/workerd/free-port.ts'
import { innerPortAttemptsMax } from '../../../local/workerd/limits.ts'
import { listenOnLoopback } from '../../support/loopback.ts'

/** The runtime itself, on a port of its own choosing nowhere else. */
async function startBare(port: number): Promise<string> {
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      workers: [
        {
          name: 'bare',
          modules: true,
          compatibilityDate: '2026-01-01',
          script: 'export default { fetch: () => new Response("here") }',
          unsafeDirectSockets: [{ host: '127.0.0.1', port }],
        },
      ],
    }),
  )
  onTestFinished(() => runtime.dispose().catch(() => undefined))
  await runtime.ready
  return (await fetch(`http://127.0.0.1:${port}/`)).text()
}

async function takenPort(): Promise<number> {
  const server = net.createServer()
  const address = await listenOnLoopback(server)
  onTestFinished(() => void server.close())
  return address.port
}

describe('ports of the runtime', () => {
  test('another is tried when a program took the one that was free', async () => {
    const taken = await takenPort()
    const offered: number[] = []
    const find = async () => {
      const port = offered.length < 2 ? taken : await freePort()
      offered.push(port)
      return port
    }
    expect(await onFreePorts(1, ([port = 0]) => startBare(port), find)).toBe('here')
    expect(offered.slice(0, 2)).toEqual([taken, taken])
    expect(offered).toHaveLength(3)
  })

  test('tries end, and any other fault is told at once', { tags: 'slow' }, async () => {
    const taken = await takenPort()
    let tries = 0
    const find = () => {
      tries += 1
      return Promise.resolve(taken)
    }
    await expect(onFreePorts(1, ([port = 0]) => startBare(port), find)).rejects.toThrow('in use')
    expect(tries).toBe(innerPortAttemptsMax)
    tries = 0
    await expect(onFreePorts(1, () => Promise.reject(new Error('broken script')), find)).rejects.toThrow(
      'broken script',
    )
    expect(tries).toBe(1)
  })
})
