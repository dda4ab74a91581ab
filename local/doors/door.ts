/** Holds a tool's port, lets in whom its rules let in, and wakes the tool for them. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { forwardRequest, forwardUpgrade } from './forward.ts'
import {
  connectionsMax,
  headersBytesMax,
  headersMsMax,
  keepAliveMs,
  portsTriedAfterDefault,
  requestMsMax,
} from './limits.ts'
import type { ToolOnDemand } from './tool-on-demand.ts'

export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown
export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** How one tool's door judges and refuses. `pass` is called for what may go in. */
export interface Doorkeeper {
  request(pass: Listener): Listener
  /** Undefined: this tool has no use for connections that become something else. */
  upgrade?(pass: UpgradeListener): UpgradeListener
  readonly asksForSocket?: (request: IncomingMessage) => boolean
  /** Why a request that was let in could not be answered. */
  unavailable(request: IncomingMessage, response: ServerResponse): void
  /** What else the server must be told, so that it answers nothing by itself. */
  attach(server: Server, listener: Listener): void
}

export interface Door {
  readonly port: number
  close(): Promise<void>
}

export interface DoorPlace {
  readonly port: number
  /** A port that was asked for never moves; a default one does, when it is taken. */
  readonly isPortAsked: boolean
}

const hostname = '127.0.0.1'

export async function openDoor(
  place: DoorPlace,
  keeperAt: (port: () => number) => Doorkeeper,
  tool: ToolOnDemand,
): Promise<Result<Door, string>> {
  let port = place.port
  const keeper = keeperAt(() => port)
  const pass: Listener = async (request, response) => {
    const lease = await tool.lease()
    if (!lease.ok) return keeper.unavailable(request, response)
    if (response.destroyed) return lease.value.release()
    forwardRequest(request, response, lease.value, () => keeper.unavailable(request, response))
  }
  const listener = keeper.request(pass)
  const upgrade = keeper.upgrade?.(async (request, socket, head) => {
    const lease = await tool.lease()
    if (!lease.ok) socket.destroy()
    else if (socket.destroyed) lease.value.release()
    else forwardUpgrade(request, socket, head, lease.value)
  })
  const server = createServer(
    {
      // A missing Host is the doorkeeper's to refuse.
      requireHostHeader: false,
      maxHeaderSize: headersBytesMax,
      headersTimeout: headersMsMax,
      requestTimeout: requestMsMax,
      keepAliveTimeout: keepAliveMs,
      ...(keeper.asksForSocket === undefined ? {} : { shouldUpgradeCallback: keeper.asksForSocket }),
    },
    listener,
  )
  server.maxConnections = connectionsMax
  keeper.attach(server, listener)
  if (upgrade !== undefined) {
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => undefined)
      upgrade(request, socket, head)
    })
  }
  const ports = place.isPortAsked
    ? [place.port]
    : Array.from({ length: portsTriedAfterDefault + 1 }, (_unused, index) => place.port + index)
  for (const one of ports) {
    const outcome = await listen(server, one)
    if (outcome === 'bound') {
      port = (server.address() as AddressInfo).port
      return succeed({ port, close: () => closeServer(server) })
    }
    if (outcome !== 'taken') return failWith(`port ${one} cannot be used: ${outcome}`)
  }
  return failWith(
    place.isPortAsked
      ? `port ${place.port} is in use; a port that was asked for never moves`
      : `ports ${place.port} to ${place.port + portsTriedAfterDefault} are all in use`,
  )
}

function listen(server: Server, port: number): Promise<'bound' | 'taken' | string> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      server.off('listening', onListening)
      resolve(error.code === 'EADDRINUSE' ? 'taken' : (error.code ?? error.message))
    }
    const onListening = (): void => {
      server.off('error', onError)
      resolve('bound')
    }
    server.once('error', onError)
    server.once('listening', onListening)
    server.listen(port, hostname)
  })
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
