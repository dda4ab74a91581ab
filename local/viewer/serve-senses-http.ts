/** The tools over a port of this machine, by the Model Context Protocol: one request, one answer, nothing kept between two. */
import { getRequestListener } from '@hono/node-server'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { type Result, succeed } from '#shared/kernel/result.ts'
import { closeServer, listenOnLoopback, loopbackHost, type PortFault, type PortWish } from '../listen/loopback-port.ts'
import { guardedServer } from './http/guarded-listener.ts'
import { sensesGate, sensesPath } from './http/senses-gate.ts'
import { messageBytesMax, portsTriedAfterDefault, sensesConnectionsMax } from './limits.ts'
import type { Senses } from './senses.ts'
import { sensesServer } from './senses-server.ts'

export interface SensesStart extends PortWish {
  readonly token: string
  readonly version: string
  readonly report: (message: string) => void
}

export interface RunningSenses {
  readonly address: string
  close(): Promise<void>
}

const drainMs = 3_000

export async function serveSensesOverHttp(
  senses: Senses,
  start: SensesStart,
): Promise<Result<RunningSenses, PortFault>> {
  const handler = createMcpHandler(() => sensesServer(senses, start.version), {
    // Nothing changes about these tools while someone is connected.
    maxSubscriptions: 0,
    maxRequestBodySize: messageBytesMax,
    onerror: (cause) => start.report(cause.message),
  })
  let port = 0
  const listener = sensesGate(
    getRequestListener((request) => handler.fetch(request), { overrideGlobalObjects: false }),
    start.token,
    () => port,
  )
  const server = guardedServer(listener, sensesConnectionsMax)
  const taken = await listenOnLoopback(server, start, portsTriedAfterDefault)
  if (!taken.ok) return taken
  port = taken.value
  return succeed({
    address: `http://${loopbackHost}:${port}${sensesPath}`,
    close: async () => {
      await handler.close()
      await closeServer(server, drainMs)
    },
  })
}
