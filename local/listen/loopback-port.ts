/** Takes a port of the loopback interface for a server of this machine's own. */

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'

const sentences = {
  taken: ({ port }: { port: number }) => `port ${port} is in use; a port that was asked for never moves`,
  all_taken: ({ from, to }: { from: number; to: number }) => `ports ${from} to ${to} are all in use`,
  /** `cause`: what the system said. */
  unusable: ({ port, cause }: { port: number; cause: string }) => `port ${port} cannot be used: ${cause}`,
}

export type PortFault = FaultOf<typeof sentences>
export const sayPortFault = sayBy(sentences)

export const loopbackHost = '127.0.0.1'

export interface PortWish {
  readonly port: number
  /** A port that was asked for never moves; a default one does, when it is taken. */
  readonly isPortAsked: boolean
}

/** Answers the port that the server listens on: the wished one, or one of the `triedAfter` that follow it. */
export async function listenOnLoopback(
  server: Server,
  { port, isPortAsked }: PortWish,
  triedAfter: number,
): Promise<Result<number, PortFault>> {
  const last = isPortAsked ? port : port + triedAfter
  for (let one = port; one <= last; one += 1) {
    const cause = await listen(server, one)
    if (cause === undefined) return succeed((server.address() as AddressInfo).port)
    if (cause !== 'EADDRINUSE') return failWith({ kind: 'unusable', port: one, cause })
  }
  return failWith(isPortAsked ? { kind: 'taken', port } : { kind: 'all_taken', from: port, to: last })
}

/** Undefined: it listens. */
function listen(server: Server, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      server.off('listening', onListening)
      resolve(error.code ?? error.message)
    }
    const onListening = (): void => {
      server.off('error', onError)
      resolve(undefined)
    }
    server.once('error', onError)
    server.once('listening', onListening)
    server.listen(port, loopbackHost)
  })
}

/** Answers under way have `drainMs` to end. */
export function closeServer(server: Server, drainMs = 0): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), drainMs)
    server.close(() => {
      clearTimeout(force)
      resolve()
    })
    if (drainMs === 0) server.closeAllConnections()
    else server.closeIdleConnections()
  })
}
